# type: ignore
"""pathlib: names of files; those that there are the run has written."""

import glob as _glob
import os
from fnmatch import fnmatchcase


class PurePath:
    def __init__(self, *parts):
        text = ""
        for part in parts:
            part = str(part)
            text = part if part.startswith("/") or not text else text.rstrip("/") + "/" + part
        while "//" in text:
            text = text.replace("//", "/")
        text = "/".join([part for part in text.split("/") if part != "."])
        self._text = (text.rstrip("/") or "/" * text.startswith("/")) or "."

    def __truediv__(self, other):
        return type(self)(self._text if self._text != "." else "", str(other))

    def __rtruediv__(self, other):
        return type(self)(other, self._text)

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"PosixPath({self._text!r})"

    def __eq__(self, other):
        return isinstance(other, PurePath) and str(self) == str(other)

    def __lt__(self, other):
        return str(self) < str(other)

    def __hash__(self):
        return hash(self._text)

    @property
    def parts(self):
        return tuple(["/"] * self._text.startswith("/") + [part for part in self._text.split("/") if part])

    @property
    def name(self):
        return self._text.rpartition("/")[2]

    @property
    def suffix(self):
        stem, dot, end = self.name.rpartition(".")
        return dot + end if stem and end else ""

    @property
    def stem(self):
        return self.name[: len(self.name) - len(self.suffix)]

    @property
    def parent(self):
        return type(self)(self._text.rpartition("/")[0] or ("/" if self._text.startswith("/") else "."))

    @property
    def parents(self):
        above = []
        each = self
        while each.parent != each:
            each = each.parent
            above.append(each)
        return tuple(above)

    def joinpath(self, *parts):
        made = self
        for part in parts:
            made = made / part
        return made

    @property
    def suffixes(self):
        return ["." + part for part in self.name.lstrip(".").split(".")[1:]]

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def is_relative_to(self, *other):
        above = type(self)(*other).parts
        return self.parts[: len(above)] == above

    def relative_to(self, *other):
        start = type(self)(*other)
        if not self.is_relative_to(start):
            raise ValueError(
                f"{str(self)!r} is not in the subpath of {str(start)!r} OR one path is relative and the other is absolute."
            )
        return type(self)(*self.parts[len(start.parts) :])

    def with_suffix(self, suffix):
        return self.parent / (self.stem + suffix)

    def with_name(self, name):
        return self.parent / name

    def as_posix(self):
        return self._text

    def is_absolute(self):
        return self._text.startswith("/")


class Path(PurePath):
    @staticmethod
    def cwd():
        return Path(os.getcwd())

    @staticmethod
    def home():
        return Path(os.getcwd())

    def exists(self):
        return os.path.exists(self._text)

    def is_file(self):
        return os.path.isfile(self._text)

    def is_dir(self):
        return os.path.isdir(self._text)

    def is_symlink(self):
        return False

    def resolve(self, strict=False):
        return Path(os.path.abspath(self._text))

    absolute = resolve

    def expanduser(self):
        return Path(os.path.expanduser(self._text))

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        if self.is_dir() and exist_ok:
            return
        if parents and not self.exists():
            os.makedirs(self._text)
        else:
            os.mkdir(self._text)

    def touch(self, mode=0o666, exist_ok=True):
        self.open("a" if exist_ok else "x").close()

    def unlink(self, missing_ok=False):
        if self.exists() or not missing_ok:
            os.remove(self._text)

    def rmdir(self):
        os.rmdir(self._text)

    def rename(self, target):
        os.rename(self._text, str(target))
        return type(self)(target)

    replace = rename

    def iterdir(self):
        return iter([self / name for name in os.listdir(self._text)])

    def glob(self, pattern):
        return iter([self / name for name in _glob.glob(pattern, root_dir=self._text, recursive=True)])

    def rglob(self, pattern):
        return self.glob("**/" + pattern)

    def match(self, pattern):
        return fnmatchcase(self.name if "/" not in pattern else self._text, pattern)

    def samefile(self, other):
        return self.resolve() == Path(other).resolve()

    def stat(self):
        return _Stat(os.path.getsize(self._text))

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return _open(self._text, mode, buffering, encoding, errors, newline)

    def read_text(self, encoding=None, errors=None):
        with self.open("r", encoding=encoding, errors=errors) as file:
            return file.read()

    def read_bytes(self):
        with self.open("rb") as file:
            return file.read()

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        with self.open("w", encoding=encoding, errors=errors, newline=newline) as file:
            return file.write(data)

    def write_bytes(self, data):
        with self.open("wb") as file:
            return file.write(data)


class _Stat:
    def __init__(self, size):
        self.st_size = size


_open = open
PosixPath = Path
PurePosixPath = PurePath
