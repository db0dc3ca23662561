# type: ignore
"""pickle: copies of values, kept by the run. The bytes stand for them (pickles.py); bytes from elsewhere load nothing."""

import _files

from _files import PickleError, PicklingError, UnpicklingError

HIGHEST_PROTOCOL, DEFAULT_PROTOCOL = 5, 4


def _checked(protocol):
    if protocol is not None and protocol > HIGHEST_PROTOCOL:
        raise ValueError(f"pickle protocol must be <= {HIGHEST_PROTOCOL}")


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    _checked(protocol)
    return _files.dumped(obj)


def loads(data, /, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=()):
    return _files.value_of(data)


def dump(obj, file, protocol=None, *, fix_imports=True, buffer_callback=None):
    _checked(protocol)
    if not hasattr(file, "write"):
        raise TypeError("file must have a 'write' attribute")
    file.write(_files.dumped(obj, getattr(file, "place", None)))


def load(file, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=()):
    if not hasattr(file, "read"):
        raise TypeError("file must have 'read' and 'readline' attributes")
    if hasattr(file, "_load"):
        return file._load()
    return _files.value_of(file.read(_files.PICKLED))


class Pickler:
    def __init__(self, file, protocol=None):
        _checked(protocol)
        self._file = file

    def dump(self, obj):
        dump(obj, self._file)


class Unpickler:
    def __init__(self, file, **options):
        self._file = file

    def load(self):
        return load(self._file)
