"""Modules that training scripts import, often for the last lines only: they can be imported, and what of them is pure
is there. What needs processes or the network raises when it is called, and says what to do instead."""

from __future__ import annotations

import base64
import hashlib
import inspect
import numbers
import struct
from collections.abc import Callable
from typing import Any, NoReturn

from engine.script import operators
from engine.script.classes import Hidden
from engine.script.frames import ScriptFunction, current
from engine.script.modules import MODULES, module
from engine.script.surface import Rule, ScriptModule, names, register

NO_ARCHIVES = "scripts have plain files only, which the run keeps: open() and torch.save() write them"
NO_NETWORK = "scripts have no network: make the data in the script, for example with torch.randn"
NO_SOURCE = "scripts cannot look into functions or processes"


class Absent:
    """A function that a module has elsewhere. Calling it raises NotImplementedError."""

    __slots__ = ("instead", "name")

    def __init__(self, name: str, instead: str) -> None:
        self.name, self.instead = name, instead

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotImplementedError(f"{self.name}() does not exist here: {self.instead}")


register(Absent, Rule())


def _module(name: str, absent: str = "", instead: str = NO_ARCHIVES, **members: Any) -> None:
    missing = {each: Absent(f"{name}.{each}", instead) for each in absent.split()}
    MODULES[name] = lambda: ScriptModule(name, {**missing, **members})


_FILES = {
    "gzip": "open compress decompress GzipFile",
    "bz2": "open compress decompress",
    "zipfile": "ZipFile is_zipfile",
    "tarfile": "open TarFile is_tarfile",
    "h5py": "File",
}
for _name, _absent in _FILES.items():
    _module(_name, _absent)
_module("urllib.request", "urlopen urlretrieve Request", NO_NETWORK)
MODULES["urllib"] = lambda: ScriptModule("urllib", {"request": module("urllib.request")})
_module("torch.hub", "load load_state_dict_from_url download_url_to_file list", NO_NETWORK)
_module("torch.onnx", "export", "it would only write a file: leave it out")
_module(
    "torch.distributed",
    "init_process_group all_reduce barrier broadcast",
    "scripts are one process",
    is_available=lambda: False,
    is_initialized=lambda: False,
)
_module(
    "platform",
    system=lambda: "Linux",
    machine=lambda: "x86_64",
    python_version=lambda: "3.11.0",
    node=lambda: "localhost",
    platform=lambda *args: "Linux",
)
_module("numbers", Number=numbers.Number, Real=numbers.Real, Integral=numbers.Integral, Complex=numbers.Complex)
MODULES["typing_extensions"] = lambda: ScriptModule(
    "typing_extensions", {**module("typing").public(), "override": lambda function: function}
)
MODULES["timeit"] = lambda: ScriptModule(
    "timeit",
    {
        "default_timer": module("time").read("perf_counter"),
        "timeit": Absent("timeit.timeit", "the clock of a script only counts how often it is looked at"),
    },
)


class Signature:
    """What inspect.signature() gives: the names of the parameters."""

    __slots__ = ("parameters",)

    def __init__(self, parameters: dict[str, str]) -> None:
        self.parameters = parameters


register(Signature, Rule(names=names("parameters")))


def _signature(value: Any) -> Signature:
    if isinstance(value, type) and isinstance(getattr(value, "__init__", None), ScriptFunction):
        return Signature(dict(list(_of_script(value.__init__).items())[1:]))  # type: ignore[misc]
    if isinstance(value, ScriptFunction):
        return Signature(_of_script(value))
    try:
        return Signature({name: name for name in inspect.signature(value).parameters})
    except (TypeError, ValueError):
        raise TypeError(f"{type(value).__name__} is not a callable object that can be looked into here") from None


def _of_script(function: ScriptFunction) -> dict[str, str]:
    code = function.code
    listed = (*code.positional, code.vararg, *code.keyword_only, code.kwarg)
    return {name: name for name in listed if name is not None}


_module(
    "inspect",
    "getsource getmembers currentframe stack getmodule getfile",
    NO_SOURCE,
    signature=_signature,
    isclass=lambda value: isinstance(value, (type, Hidden)),
    isfunction=lambda value: isinstance(value, ScriptFunction),
)


def _bytes(value: Any, what: str) -> bytes:
    if not isinstance(value, bytes):
        kind = "Strings must be encoded before hashing" if isinstance(value, str) else f"{what} takes bytes here"
        raise TypeError(kind)
    return value


class Digest:
    """A hash of bytes: what hashlib.md5() and the others give."""

    __slots__ = ("_hash", "name")

    def __init__(self, name: str, data: Any = b"") -> None:
        self.name = name
        self._hash = hashlib.new(name, _bytes(data, name), usedforsecurity=False)

    def update(self, data: Any) -> None:
        self._hash.update(_bytes(data, self.name))

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def digest(self) -> bytes:
        return self._hash.digest()


register(Digest, Rule(names=names("update hexdigest digest name")))


def _digest(name: str) -> Callable[..., Digest]:
    return lambda data=b"", **_: Digest(name, data)


_HASHES: dict[str, Any] = {name: _digest(name) for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")}
_module("hashlib", **_HASHES)
_module(
    "base64",
    b64encode=lambda data: base64.b64encode(_bytes(data, "b64encode()")),
    b64decode=lambda data: base64.b64decode(data if isinstance(data, str) else _bytes(data, "b64decode()")),
)


def _layout(form: Any) -> tuple[str, int]:
    """A format of struct, and how many bytes it has, measured before they are made."""
    if not isinstance(form, str) or len(form) > 1000:
        raise TypeError("struct formats are short texts here")
    size = struct.calcsize(form)
    operators.check_length(size, bytes)
    return form, size


def _pack(form: Any, *values: Any) -> bytes:
    for value in values:
        if type(value) not in (int, float, bool, bytes):
            raise TypeError(f"struct.pack() takes numbers and bytes here, not {type(value).__name__}")
    return struct.pack(_layout(form)[0], *values)


def _unpack(form: Any, data: Any) -> tuple[Any, ...]:
    result = struct.unpack(_layout(form)[0], _bytes(data, "struct.unpack()"))
    current.machine.count(len(result))
    return result


_module("struct", calcsize=lambda form: _layout(form)[1], pack=_pack, unpack=_unpack, error=struct.error)
