# type: ignore
"""torch.serialization: what torch.load() makes beside tensors and plain values, because the script said so."""

from torch import load, save

_allowed = []


def add_safe_globals(safe_globals):
    """Let torch.load() make these classes and call these functions."""
    for each in safe_globals:
        if each not in _allowed:
            _allowed.append(each)


def get_safe_globals():
    return list(_allowed)


def clear_safe_globals():
    _allowed.clear()


class safe_globals:
    """A block within which torch.load() makes these."""

    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def __enter__(self):
        self._before = get_safe_globals()
        add_safe_globals(self.safe_globals)

    def __exit__(self, *error):
        _allowed[:] = self._before
