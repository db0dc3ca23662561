# type: ignore
"""torch.nn.modules.utils: numbers that stand for one in each dimension, and names of a state without their beginning."""

__all__ = [
    "_ntuple",
    "_pair",
    "_quadruple",
    "_reverse_repeat_tuple",
    "_single",
    "_triple",
    "consume_prefix_in_state_dict_if_present",
]


def _ntuple(n, name="parse"):
    """A function that makes a tuple of what can be gone through, and of anything else `n` times the same."""

    def parse(x):
        try:
            items = iter(x)
        except TypeError:
            return (x,) * n
        return tuple(items)

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    """The items from the last to the first, each `n` times."""
    return tuple([item for item in reversed(t) for _ in range(n)])


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Take `prefix` off the names of a state, in place."""
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
    held = getattr(state_dict, "_metadata", None)
    for key in list(held or ()):
        if key and (key == prefix.rstrip(".") or key.startswith(prefix)):
            held[key[len(prefix) :]] = held.pop(key)
