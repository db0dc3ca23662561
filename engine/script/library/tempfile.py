# type: ignore
"""tempfile: files and folders of the run under /tmp, with names that are the same in every run."""

import os as _os
import shutil as _shutil

_made = [0]


def gettempdir():
    return "/tmp"


def mktemp(suffix="", prefix="tmp", dir=None):
    while True:
        _made[0] += 1
        path = _os.path.join(dir or "/tmp", f"{prefix or 'tmp'}{_made[0]:08d}{suffix or ''}")
        if not _os.path.exists(path):
            return path


def mkdtemp(suffix=None, prefix=None, dir=None):
    path = mktemp(suffix, prefix, dir)
    _os.mkdir(path)
    return path


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)

    def __repr__(self):
        return f"<TemporaryDirectory {self.name!r}>"

    def __enter__(self):
        return self.name

    def __exit__(self, *error):
        self.cleanup()

    def cleanup(self):
        _shutil.rmtree(self.name, ignore_errors=True)


class _Temporary:
    """A file that goes when it is closed, unless it is to stay."""

    def __init__(self, file, delete):
        self.file, self.name, self.delete = file, file.name, delete

    def __getattr__(self, name):
        return getattr(self.file, name)

    def close(self):
        self.file.close()
        if self.delete and _os.path.exists(self.name):
            _os.remove(self.name)

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *error):
        self.close()

    def __iter__(self):
        return iter(self.file)


def NamedTemporaryFile(
    mode="w+b",
    buffering=-1,
    encoding=None,
    newline=None,
    suffix=None,
    prefix=None,
    dir=None,
    delete=True,
    *,
    errors=None,
):
    path = mktemp(suffix, prefix, dir)
    return _Temporary(open(path, mode, encoding=encoding, newline=newline, errors=errors), delete)


def TemporaryFile(
    mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, *, errors=None
):
    return NamedTemporaryFile(mode, buffering, encoding, newline, suffix, prefix, dir, errors=errors)


def SpooledTemporaryFile(max_size=0, mode="w+b", **options):
    return NamedTemporaryFile(mode, **options)
