# type: ignore
"""numpy.testing: what is not in surface/asserting.py."""

import re
import warnings


class _Raised:
    """What a block raised, which is wanted."""

    def __init__(self, wanted, pattern=None, by=""):
        self._wanted, self._pattern, self._by, self.exception = wanted, pattern, by, None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            names = self._wanted if isinstance(self._wanted, tuple) else (self._wanted,)
            raise AssertionError(f"{names[0].__name__ if len(names) == 1 else names} not raised{self._by}")
        if not isinstance(error, self._wanted):
            return False
        if self._pattern is not None and not re.search(self._pattern, str(error)):
            raise AssertionError(f'"{self._pattern}" does not match "{error}"')
        self.exception = error
        return True


def assert_raises(exception_class, *args, **kwargs):
    """A block, or a call, that raises `exception_class`."""
    if not args:
        return _Raised(exception_class)
    with _Raised(exception_class, by=f" by {args[0].__name__}"):
        args[0](*args[1:], **kwargs)


def assert_raises_regex(exception_class, expected_regexp, *args, **kwargs):
    if not args:
        return _Raised(exception_class, expected_regexp)
    with _Raised(exception_class, expected_regexp, f" by {args[0].__name__}"):
        args[0](*args[1:], **kwargs)


def assert_(val, msg=""):
    if not val:
        raise AssertionError(msg() if callable(msg) else msg)


def assert_no_warnings(function, *args, **kwargs):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = function(*args, **kwargs)
    if told:
        raise AssertionError(f"Got warnings when calling {function.__name__}: {told}")
    return found
