"""The files of a run: what a script writes is kept with the state of the run, by path, and can be read again in the
same run. The disk of the host is never touched.

`current.machine.saved` holds, under whole paths: a Content (a file), None (a folder), or a tuple of one value that
torch.save() or np.save() was given."""

from __future__ import annotations

import copy
import hashlib
import posixpath
from collections.abc import Callable
from pickle import PickleError, PicklingError, UnpicklingError
from typing import Any

import numpy as np

from engine.script.classes.making import BASES
from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.limits.nested import FLAT
from engine.script.modules import MODULES
from engine.script.surface import ScriptModule
from engine.script.values.attributes import is_script_class
from engine.script.values.builtin import CALLS
from engine.script.values.operators import check_length
from engine.script.values.pickles import LENGTH, dumped, keep, value_of
from engine.script.values.texts import text_str
from engine.tensor import Tensor

HOME = "/home/script"
"""Where a script believes itself to be."""
ALWAYS = frozenset({"/", "/home", HOME, "/tmp"})  # noqa: S108  (no folder of the host)
LONGEST = 4096  # characters of a path


class Content:
    """The bytes of a file, in pieces: writing at the end costs what is written."""

    __slots__ = ("length", "pieces")

    def __init__(self, content: bytes = b"") -> None:
        self.pieces = [content]
        self.length = len(content)

    def all(self) -> bytes:
        if len(self.pieces) != 1:
            self.set(b"".join(self.pieces))
        return self.pieces[0]

    def set(self, content: bytes) -> None:
        self.pieces, self.length = [content], len(content)

    def add(self, content: bytes) -> None:
        self.pieces.append(content)
        self.length += len(content)


# -- paths -------------------------------------------------------------------------------------------------------------


def text_of(path: Any) -> str:
    """A path as text. Raises TypeError for what is neither text nor a Path."""
    if isinstance(path, str):
        return str(path)
    if is_script_class(type(path)) and hasattr(type(path), "as_posix"):
        return text_str(path)
    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(path).__name__}")


def whole(path: Any) -> str:
    """The path from the root. Raises OSError and ValueError for what no file can be called."""
    text = text_of(path)
    if "\0" in text:
        raise ValueError("embedded null byte")
    if len(text) > LONGEST:
        raise OSError(36, "File name too long", text)
    if not text:
        raise _absent(text)
    made = posixpath.normpath(posixpath.join(HOME, text))
    return "/" + made.lstrip("/")


def _absent(path: Any) -> FileNotFoundError:
    return FileNotFoundError(2, "No such file or directory", text_of(path))


def _held() -> dict[str, Any]:
    return current.machine.saved


def exists(path: Any) -> bool:
    return isfile(path) or isdir(path)


def isfile(path: Any) -> bool:
    return bool(text_of(path)) and _held().get(whole(path)) is not None


def isdir(path: Any) -> bool:
    if not text_of(path):
        return False
    place = whole(path)
    return place in ALWAYS or (place in _held() and _held()[place] is None)


def found(path: Any) -> Any:
    """What stands under a path: a Content, or a tuple with a value. Raises FileNotFoundError, IsADirectoryError."""
    place = whole(path)
    if isdir(place):
        raise IsADirectoryError(21, "Is a directory", text_of(path))
    if place not in _held():
        if isfile(posixpath.dirname(place)):
            raise NotADirectoryError(20, "Not a directory", text_of(path))
        raise _absent(path)
    return _held()[place]


def place_for(path: Any) -> str:
    """Where something can be written. Raises FileNotFoundError for a place in a folder that is not there,
    IsADirectoryError, NotADirectoryError, LimitExceeded."""
    place = whole(path)
    if isdir(place):
        raise IsADirectoryError(21, "Is a directory", text_of(path))
    above = posixpath.dirname(place)
    if not isdir(above):
        raise NotADirectoryError(20, "Not a directory", text_of(path)) if above in _held() else _absent(path)
    _one_more(place)
    return place


def _one_more(place: str) -> None:
    allowed = current.machine.limits.files
    if place not in _held() and len(_held()) >= allowed:
        exceeded("files", allowed, "the script keeps more files")


# -- contents ----------------------------------------------------------------------------------------------------------


def bytes_of(path: Any) -> Content:
    """The bytes of a file. What torch.save() wrote becomes bytes that torch.load() and pickle.loads() know again."""
    content = found(path)
    if type(content) is tuple:
        content = _held()[whole(path)] = Content(keep(content[0]))
    made: Content = content
    return made


def data(path: Any, start: int = 0, end: int | None = None) -> bytes:
    """Some bytes of a file. Raises LimitExceeded for more than a text may have."""
    held = bytes_of(path)
    current.machine.pickles.read(whole(path))
    check_length(max(min(held.length if end is None else end, held.length) - start, 0), bytes)
    return held.all()[start:end]


def line(path: Any, start: int, universal: bool) -> bytes:
    """The bytes up to the end of a line, with it. `universal`: a carriage return ends a line too."""
    content = bytes_of(path).all()
    current.machine.pickles.read(whole(path))
    end = content.find(b"\n", start)
    end = len(content) if end < 0 else end + 1
    if universal:
        alone = content.find(b"\r", start, end)
        if alone >= 0 and content[alone + 1 : alone + 2] != b"\n":
            end = alone + 1
    return content[start:end]


def characters(path: Any, start: int, count: int, encoding: str, errors: str) -> bytes:
    """The bytes of the next characters of a text."""
    content = data(path, start, start + 4 * count)
    current.machine.count(len(content) // 64)
    if encoding.lower() not in ("utf-8", "utf8", "utf_8"):
        return content[:count]
    ends = [at for at, byte in enumerate(content) if byte & 0xC0 != 0x80][: count + 1]
    return content if len(ends) <= count else content[: ends[count]]


def size(path: Any) -> int:
    """How many bytes a file has; of what torch.save() keeps, those of its numbers."""
    if isdir(path):
        return 4096
    content = found(path)
    return content.length if type(content) is Content else _numbers(content[0], set())


def _numbers(value: Any, known: set[int]) -> int:
    if id(value) in known:
        return 0
    known.add(id(value))
    if isinstance(value, Tensor):
        return int(value.numel()) * int(value.element_size())
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if isinstance(value, dict):
        return sum(_numbers(each, known) for each in dict.values(value))
    if isinstance(value, (list, tuple)):
        return sum(_numbers(each, known) for each in value)
    return 8 if type(value) in FLAT else _numbers(getattr(value, "__dict__", {}), known)


def put(path: Any, at: int, content: bytes) -> int:
    """Write bytes at a place of a file, which may lie behind its end; answers where they end. Raises LimitExceeded."""
    held, end = bytes_of(path), at + len(content)
    _check_room(end - held.length)
    if at == held.length:
        held.add(bytes(content))
    else:
        before = held.all()
        held.set(before[:at] + b"\0" * (at - len(before)) + content + before[end:])
    return end


def _check_room(more: int) -> None:
    allowed = current.machine.limits.file_bytes
    if more > 0 and sum(each.length for each in _held().values() if type(each) is Content) + more > allowed:
        exceeded("file_bytes", allowed, "the script writes more")


def cut(path: Any, length: int) -> int:
    """Shorten a file, or fill it up with zeros."""
    if length < 0:
        raise OSError(22, "Invalid argument")
    held = bytes_of(path)
    if length > held.length:
        put(path, length, b"")
    else:
        held.set(held.all()[:length])
    return length


def create(path: Any, how: str) -> None:
    """What open() does with a file before it is read or written: `how` is r, w, a or x. Raises OSError's kinds."""
    if how == "r":
        found(path)
        return
    place = place_for(path)
    if how == "x" and place in _held():
        raise FileExistsError(17, "File exists", text_of(path))
    if place not in _held() or how == "w":
        forget(place)
        _held()[place] = Content()


def keep_value(path: Any, value: Any) -> None:
    """A value under a path, as torch.save() keeps it."""
    place = place_for(path)
    forget(place)
    _held()[place] = (value,)


# -- folders -----------------------------------------------------------------------------------------------------------


def make_folder(path: Any, mode: int = 0o777, *, dir_fd: Any = None) -> None:
    """os.mkdir(). Raises FileExistsError, FileNotFoundError, NotADirectoryError."""
    if exists(path):
        raise FileExistsError(17, "File exists", text_of(path))
    place = place_for(path)
    _held()[place] = None


def make_folders(name: Any, mode: int = 0o777, exist_ok: bool = False) -> None:
    """os.makedirs(). Raises FileExistsError."""
    place = whole(name)
    if exists(name) and not (exist_ok and isdir(name)):
        raise FileExistsError(17, "File exists", text_of(name))
    missing = []
    while not isdir(place):
        missing.append(place)
        place = posixpath.dirname(place)
    for each in reversed(missing):
        make_folder(each)


def listed(path: Any = ".") -> list[str]:
    """os.listdir(), in the order of the alphabet."""
    if not isdir(path):
        if exists(path):
            raise NotADirectoryError(20, "Not a directory", text_of(path))
        raise _absent(path)
    return sorted(posixpath.basename(each) for each in _inside(whole(path)))


def _inside(place: str) -> list[str]:
    current.machine.count(len(_held()) // 16)
    all_of = [*_held(), *ALWAYS - {"/"}]
    return list(dict.fromkeys(each for each in all_of if posixpath.dirname(each) == place))


def remove(path: Any, *, dir_fd: Any = None) -> None:
    """os.remove()."""
    found(path)
    forget(whole(path))


def remove_folder(path: Any, *, dir_fd: Any = None) -> None:
    """os.rmdir(). Raises OSError for a folder with something in it."""
    place = whole(path)
    if listed(path) or place in ALWAYS:
        raise OSError(39, "Directory not empty", text_of(path))
    forget(place)


def forget(place: str) -> None:
    """What stands under a whole path is there no more."""
    _held().pop(place, None)
    current.machine.pickles.forget(place)


def rename(src: Any, dst: Any) -> None:
    """os.rename() and os.replace(). A file that stands at `dst` is replaced."""
    start, end = whole(src), whole(dst)
    if not exists(src):
        raise FileNotFoundError(2, "No such file or directory", text_of(src), None, text_of(dst))
    if start == end:
        return
    if isdir(src):
        if start in ALWAYS or end.startswith(start + "/"):
            raise OSError(22, "Invalid argument", text_of(src), None, text_of(dst))
        if exists(dst):
            raise OSError(39, "Directory not empty", text_of(src), None, text_of(dst))
    else:
        end = place_for(dst)
        forget(end)
    moved = {each: value for each, value in _held().items() if each == start or each.startswith(start + "/")}
    current.machine.pickles.read(start)
    for each, value in moved.items():
        del _held()[each]
        _held()[end + each[len(start) :]] = value


def copied(src: Any, dst: Any) -> None:
    """A file under another name."""
    content = found(src)
    if type(content) is Content:
        _check_room(content.length)
        current.machine.pickles.read(whole(src))
        content = Content(content.all())
    place = place_for(dst)
    if place != whole(src):
        forget(place)
        _held()[place] = content


def stored(path: Any, at: int = 0) -> Any:
    """A copy of the value that was saved under a path, or that a pickle at a place of the file stands for."""
    content = found(path)
    if type(content) is tuple:
        return copy.deepcopy(content[0])
    return value_of(content.all()[at : at + LENGTH])


def fingerprint(held: dict[str, Any]) -> bytes:
    """What the written files of a run come to; empty when there is none."""
    hasher = hashlib.sha256()
    written = [(place, each.all()) for place, each in sorted(held.items()) if type(each) is Content]
    for place, content in written:
        hasher.update(f"{place} {len(content)} ".encode(errors="surrogatepass") + content)
    return hasher.digest() if written else b""


def announce() -> None:
    """Say once a run that files are kept inside it."""
    if not _held():
        current.machine.warn("UserWarning", "open(): files are kept inside the run: nothing is written to a disk")


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "announce": announce,
    "create": create,
    "data": data,
    "size": size,
    "put": put,
    "line": line,
    "characters": characters,
    "whole": whole,
    "cut": cut,
    "copied": copied,
    "keep": lambda value: keep(value),
    "dumped": lambda value, path=None: dumped(value, path and whole(path)),
    "value_of": value_of,
    "stored": stored,
    "text_of": text_of,
}
for _kind in (PickleError, PicklingError, UnpicklingError):
    CALLS[_kind] = _kind
    BASES.add(_kind)
_ERRORS = {kind.__name__: kind for kind in (PickleError, PicklingError, UnpicklingError)}
MODULES["_files"] = lambda: ScriptModule("_files", {**_FUNCTIONS, **_ERRORS, "PICKLED": LENGTH})
