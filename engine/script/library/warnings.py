# type: ignore
"""warnings: what is not in surface_std.py."""


class catch_warnings:
    """A context; what is warned about inside is told as always."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self.record = record

    def __enter__(self):
        return [] if self.record else None

    def __exit__(self, *error):
        return False


def resetwarnings():
    return None
