# type: ignore
"""pathlib: names of files, of which there are none."""

import os


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

    is_file = exists

    def is_dir(self):
        return False

    def resolve(self, strict=False):
        return Path(os.path.abspath(self._text))

    absolute = resolve

    def expanduser(self):
        return Path(os.path.expanduser(self._text))

    def mkdir(self, mode=0, parents=False, exist_ok=False):
        return None

    touch = unlink = rmdir = mkdir

    def glob(self, pattern):
        return iter([])

    iterdir = rglob = glob

    def open(self, *args, **keywords):
        raise FileNotFoundError(f"[Errno 2] No such file or directory: {self._text!r}")

    read_text = read_bytes = write_text = write_bytes = stat = open


PosixPath = Path
