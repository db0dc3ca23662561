"""Modules that training scripts import, often for the last lines only: they can be imported, and what of them is pure
is there. What needs processes or the network raises when it is called, and says what to do instead."""

from __future__ import annotations

import base64
import binascii
import hashlib
import inspect
import numbers
import struct
import zlib
from collections.abc import Callable, Iterator
from types import MethodType
from typing import Any, NoReturn

from engine.script.classes.making import Hidden
from engine.script.frames import ScriptFunction, ScriptGenerator, current
from engine.script.modules import MODULES, module
from engine.script.surface import Rule, ScriptModule, names, register
from engine.script.values import attributes, operators
from engine.script.values.in_c import is_in_c

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
_REQUESTS: dict[str, Any] = {
    "RequestException": OSError,
    "HTTPError": OSError,
    "ConnectionError": ConnectionError,
    "Timeout": TimeoutError,
}
_module("requests.exceptions", **_REQUESTS)
MODULES["requests"] = lambda: ScriptModule(
    "requests",
    {
        **{each: Absent(f"requests.{each}", NO_NETWORK) for each in ("get", "post", "put", "head", "Session")},
        **_REQUESTS,
        "exceptions": module("requests.exceptions"),
    },
)
_PICTURES = {
    "(1, 28, 28), 10": "MNIST FashionMNIST KMNIST QMNIST",
    "(1, 28, 28), 47": "EMNIST",
    "(1, 16, 16), 10": "USPS",
    "(3, 32, 32), 10": "CIFAR10 SVHN",
    "(3, 32, 32), 100": "CIFAR100",
    "(3, 96, 96), 10": "STL10",
    "(3, 224, 224), 10": "ImageFolder DatasetFolder ImageNet Imagenette CelebA Caltech101 Caltech256 Flowers102 "
    "Food101 OxfordIIITPet StanfordCars DTD EuroSAT GTSRB FER2013 Places365 LSUN Omniglot CocoDetection CocoCaptions "
    "VOCDetection VOCSegmentation Cityscapes LFWPeople SBDataset Kitti WIDERFace",
}
"""The data sets of torchvision, by the shape of their pictures and their number of classes."""
MODULES["torchvision.datasets"] = lambda: ScriptModule(
    "torchvision.datasets",
    {
        name: Absent(
            f"torchvision.datasets.{name}",
            "scripts have no network and no disk: torchvision.datasets.FakeData(1000, "
            f"{shape}, transform) makes pictures of noise in its place",
        )
        for shape, several in _PICTURES.items()
        for name in several.split()
    },
)
_module("torch.hub", "load load_state_dict_from_url download_url_to_file list", NO_NETWORK)
_module("pdb", "set_trace post_mortem run pm", "press next instead: every statement is a place to stop")
_module("cProfile", "Profile run runctx", "the page counts what each line costs")
_module("pstats", "Stats", "the page counts what each line costs")
_module("subprocess", "run Popen call check_call check_output getoutput", "a script is one process: leave it out")
_module(
    "socket",
    "socket create_connection create_server getaddrinfo gethostbyname",
    NO_NETWORK,
    gethostname=lambda: "localhost",
)
_module("faulthandler", enable=lambda *args, **kwargs: None, disable=lambda: None)
_module("torch.onnx", "export", "it would only write a file: leave it out")
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


def _parameters(value: Any) -> tuple[list[tuple[str, str, bool, Any, bool, Any]], bool, Any]:
    """What inspect.signature() tells of a callable: (name, kind, whether it has a default, the default, whether it is
    annotated, the annotation) of each parameter, whether what it returns is annotated, and with what."""
    if isinstance(value, type) and isinstance(getattr(value, "__init__", None), ScriptFunction):
        return _of_script(value.__init__, 1)  # type: ignore[misc]
    if isinstance(value, MethodType) and isinstance(value.__func__, ScriptFunction):
        return _of_script(value.__func__, 1)
    if not isinstance(value, (ScriptFunction, type)) and isinstance(
        getattr(type(value), "__call__", None),  # noqa: B004  (the class's own is wanted)
        ScriptFunction,
    ):
        return _of_script(type(value).__call__, 1)
    if isinstance(value, ScriptFunction):
        return _of_script(value, 0)
    try:
        listed = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        raise TypeError(f"{type(value).__name__} is not a callable object that can be looked into here") from None
    found: list[tuple[str, str, bool, Any, bool, Any]] = []
    for each in listed:
        plain = type(each.default) in (int, float, bool, str, type(None))
        has = each.default is not inspect.Parameter.empty
        found.append((each.name, each.kind.name, has, each.default if plain else None, False, None))
    return found, False, None


def _of_script(function: Any, without: int) -> Any:
    while "__wrapped__" in function.__dict__ and isinstance(function.__dict__["__wrapped__"], ScriptFunction):
        function = function.__dict__["__wrapped__"]
    code, notes = function.code, attributes.get(function, "__annotations__")
    defaults = dict(zip(reversed(code.positional), reversed(function.defaults), strict=False))
    rows = [
        (name, "POSITIONAL_ONLY" if place < code.positional_only else "POSITIONAL_OR_KEYWORD")
        for place, name in enumerate(code.positional)
    ]
    rows += [(code.vararg, "VAR_POSITIONAL")] if code.vararg else []
    rows += [(name, "KEYWORD_ONLY") for name in code.keyword_only]
    rows += [(code.kwarg, "VAR_KEYWORD")] if code.kwarg else []
    given = {**defaults, **function.keyword_defaults}
    found = [
        (name, kind, name in given, given.get(name), name in notes, notes.get(name)) for name, kind in rows[without:]
    ]
    return found, "return" in notes, notes.get("return")


_IS: dict[str, Any] = {
    "isclass": lambda value: isinstance(value, (type, Hidden)),
    "isfunction": lambda value: isinstance(value, ScriptFunction),
    "ismethod": lambda value: isinstance(value, MethodType) and isinstance(value.__func__, ScriptFunction),
    "isgenerator": lambda value: type(value) is ScriptGenerator,
    "isgeneratorfunction": lambda value: (
        isinstance(value, ScriptFunction) and value.code.is_generator and value.code.gives is ScriptGenerator
    ),
    "isabstract": lambda value: bool(getattr(value, "__abstractmethods__", False)) and isinstance(value, type),
    "ismodule": lambda value: isinstance(value, ScriptModule),
    "isbuiltin": is_in_c,
}


def _generator_state(value: Any) -> str:
    if not isinstance(value, ScriptGenerator):
        raise TypeError(f"a generator is wanted, not {type(value).__name__}")
    if value.running:
        return "RUNNING"
    if value.frame is None:
        return "CLOSED"
    return "CREATED" if value.frame.pc == 0 else "SUSPENDED"


SEEN = 100_000
"""Variables that one look at the frames copies; frames further out than that are not told."""


def _frames() -> list[tuple[Any, ...]]:
    """The script's own frames, the innermost first: name, line, variables, and the names of its parameters: plain
    ones, *args, **kwargs."""
    found: list[tuple[Any, ...]] = []
    seen, line, stack = 0, 0, current.machine.stack
    for i in range(len(stack) - 1, -1, -1):
        frame, code = stack[i], stack[i].code
        line = line or (code.info[frame.pc].where.line if 0 <= frame.pc < len(code.info) else 0)
        if i and stack[i - 1].locals is frame.locals:
            continue  # a part of an expression, which a debugger stepped into
        seen += len(frame.locals)
        if seen > SEEN and found:
            break
        if not code.is_shipped:
            parameters = [*code.positional, *code.keyword_only]
            found.append((code.name, line, frame.variables(), parameters, code.vararg, code.kwarg))
        line = 0
    return found


_module("inspect", "getsource getsourcelines getmodule getfile", NO_SOURCE, **_IS)
_module("_inspect", parameters=_parameters, generator_state=_generator_state, frames=_frames, **_IS)


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

    def copy(self) -> Digest:
        made = Digest(self.name)
        made._hash = self._hash.copy()
        return made

    @property
    def digest_size(self) -> int:
        return self._hash.digest_size


register(Digest, Rule(names=names("update hexdigest digest name copy digest_size")))


def _digest(name: str) -> Callable[..., Digest]:
    return lambda data=b"", **_: Digest(name, data)


def _decoded(name: str) -> Callable[..., bytes]:
    return lambda data: getattr(base64, name)(data if isinstance(data, str) else _bytes(data, f"{name}()"))


_HASHES: dict[str, Any] = {name: _digest(name) for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")}
_module("hashlib", **_HASHES)
_module(
    "base64",
    b64encode=lambda data: base64.b64encode(_bytes(data, "b64encode()")),
    b64decode=_decoded("b64decode"),
    urlsafe_b64encode=lambda data: base64.urlsafe_b64encode(_bytes(data, "urlsafe_b64encode()")),
    urlsafe_b64decode=_decoded("urlsafe_b64decode"),
    b32encode=lambda data: base64.b32encode(_bytes(data, "b32encode()")),
    b32decode=_decoded("b32decode"),
    b16encode=lambda data: base64.b16encode(_bytes(data, "b16encode()")),
    b16decode=_decoded("b16decode"),
)


def _decompress(data: Any, /) -> bytes:
    """zlib.decompress(): no more than a text may have."""
    allowed = current.machine.limits.string_chars
    unpacking = zlib.decompressobj()
    found = unpacking.decompress(_bytes(data, "zlib.decompress()"), allowed)
    operators.check_length(allowed + 1 if unpacking.unconsumed_tail else len(found), bytes)
    if not unpacking.eof:
        raise zlib.error("Error -5 while decompressing data: incomplete or truncated stream")
    return found


_module(
    "zlib",
    crc32=lambda data, value=0: zlib.crc32(_bytes(data, "zlib.crc32()"), value),
    adler32=lambda data, value=1: zlib.adler32(_bytes(data, "zlib.adler32()"), value),
    compress=lambda data, level=-1: zlib.compress(_bytes(data, "zlib.compress()"), level),
    decompress=_decompress,
    error=zlib.error,
)
_module(
    "binascii",
    hexlify=lambda data: binascii.hexlify(_bytes(data, "binascii.hexlify()")),
    unhexlify=lambda data: binascii.unhexlify(data if isinstance(data, str) else _bytes(data, "unhexlify()")),
    crc32=lambda data, value=0: zlib.crc32(_bytes(data, "binascii.crc32()"), value),
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


def _iter_unpack(form: Any, data: Any) -> Iterator[tuple[Any, ...]]:
    found = list(struct.iter_unpack(_layout(form)[0], _bytes(data, "struct.iter_unpack()")))
    current.machine.count(len(found))
    return iter(found)


_module(
    "struct",
    calcsize=lambda form: _layout(form)[1],
    pack=_pack,
    unpack=_unpack,
    iter_unpack=_iter_unpack,
    error=struct.error,
)
