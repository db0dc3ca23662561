"""What an element is, and where: `dtype`, `Size`, `device`, and the rules by which two dtypes become one.

The dtypes are singletons: compare them with `is`. The dtypes whose PyTorch name is a Python builtin carry a trailing
underscore here (`bool_`); `ALIASES` has every further name (`float`, `long`, ...) for the torch-shaped face.

Type promotion, in PyTorch's words: there are three categories, bool < int < float. A tensor with dimensions beats a
0-d tensor, which beats a Python number, unless the other one is of a higher category; within one priority the
smallest dtype that holds both wins.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, Self, SupportsIndex, overload

import numpy as np

from engine import messages
from engine.brief import DTYPE, Lowered


class InC(type):
    """The class of classes that PyTorch writes in C: Python's own messages call them "torch.Size", their name is
    "Size"."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        return super().__new__(cls, f"torch.{name}", bases, body)

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return cls.__qualname__

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__qualname__}'>"


class dtype(metaclass=InC):
    """The type of a tensor's elements. `numpy` is the NumPy dtype, `short` the name without "torch."."""

    __slots__ = (
        "abbr",
        "category",
        "is_complex",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "legacy",
        "numpy",
        "scalar_type",
        "short",
        "type",
    )

    short: str
    numpy: np.dtype[Any]
    type: type[np.generic]  # the NumPy scalar class, for making constants of this dtype
    category: int  # 0 bool, 1 int, 2 float
    is_floating_point: bool
    is_complex: bool
    is_signed: bool
    itemsize: int
    legacy: str  # "torch.FloatTensor": what Tensor.type() answers
    scalar_type: str  # "Float": how messages name it
    abbr: str

    def __new__(cls, *_: Any, **__: Any) -> Self:
        raise TypeError("cannot create 'torch.dtype' instances")

    def __repr__(self) -> str:
        return f"torch.{self.short}"

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (self.short,)

    def __getattr__(self, name: str) -> Any:
        if name in self.__slots__:  # of bfloat16, which NumPy does not have
            raise Lowered
        raise AttributeError(f"'torch.dtype' object has no attribute '{name}'", name=name, obj=self)

    def __copy__(self) -> dtype:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> dtype:
        return self


def _make(short: str, legacy: str, abbr: str) -> dtype:
    made: dtype = object.__new__(dtype)
    made.short = short
    made.legacy = f"torch.{legacy}"
    made.scalar_type = legacy.removesuffix("Tensor")
    made.abbr = abbr
    made.numpy = np.dtype(short)
    made.type = made.numpy.type
    made.category = {"b": 0, "i": 1, "u": 1, "f": 2}[made.numpy.kind]
    made.is_floating_point = made.category == 2
    made.is_complex = False
    made.is_signed = made.numpy.kind in "if"
    made.itemsize = made.numpy.itemsize
    return made


float16 = _make("float16", "HalfTensor", "f16")
float32 = _make("float32", "FloatTensor", "f32")
float64 = _make("float64", "DoubleTensor", "f64")
int8 = _make("int8", "CharTensor", "i8")
int16 = _make("int16", "ShortTensor", "i16")
int32 = _make("int32", "IntTensor", "i32")
int64 = _make("int64", "LongTensor", "i64")
uint8 = _make("uint8", "ByteTensor", "u8")
bool_ = _make("bool", "BoolTensor", "b8")


def _unknown_to_numpy() -> dtype:
    """bfloat16, whose arrays are told in engine/brief.py. It has no `numpy` and no `type`: who asks for them meets
    Lowered, and is asked again with float32."""
    made: dtype = object.__new__(dtype)
    made.short, made.legacy, made.scalar_type, made.abbr = "bfloat16", "torch.BFloat16Tensor", "BFloat16", "bf16"
    made.category, made.itemsize = 2, 2
    made.is_floating_point, made.is_complex, made.is_signed = True, False, True
    return made


bfloat16 = _unknown_to_numpy()

ALL = (float16, float32, float64, int8, int16, int32, int64, uint8, bool_)
ALIASES = {
    "half": float16,
    "float": float32,
    "double": float64,
    "short": int16,
    "int": int32,
    "long": int64,
    "bool": bool_,
}
LEGACY = {each.legacy: each for each in (*ALL, bfloat16)}

_C_NAMES = {
    float16: "c10::Half",
    bfloat16: "c10::BFloat16",
    float32: "float",
    float64: "double",
    int8: "signed char",
    int16: "short int",
    int32: "int",
    int64: "long int",
    uint8: "unsigned char",
    bool_: "bool",
}


def c_name(kind: dtype) -> str:
    """What some of PyTorch's messages call a dtype: "float", "long int"."""
    return _C_NAMES[kind]


def title(kind: dtype) -> str:
    """What others call it: "Float", "Long"."""
    return kind.legacy.removeprefix("torch.").removesuffix("Tensor")


# The dtype of a NumPy array: `OF[array.dtype]`. Looked up for every tensor that is made, hence a plain dict.
OF: dict[np.dtype[Any], dtype] = {each.numpy: each for each in ALL} | {DTYPE: bfloat16}

_NAMED = {each.short: each for each in (*ALL, bfloat16)} | ALIASES


def named(name: str) -> dtype:
    """The dtype called `name` (without "torch."; aliases count). Raises KeyError."""
    return _NAMED[name]


def from_numpy(kind: np.dtype[Any]) -> dtype:
    """The dtype of a NumPy dtype. Raises PyTorch's TypeError for what no tensor can hold."""
    try:
        if kind != DTYPE:
            return OF[kind]
        raise KeyError(kind)
    except KeyError:
        native = OF.get(kind.newbyteorder("="))
        if native is not None:
            raise ValueError(
                "given numpy array has byte order different from the native byte order. "
                "Conversion between byte orders is currently not supported."
            ) from None
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{kind.type.__name__}. The only supported types are: "
            "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, "
            "uint8, and bool."
        ) from None


# ------------------------------------------------------------------------------------------- the default dtype

_default = float32


def get_default_dtype() -> dtype:
    """The floating point dtype that Python floats become."""
    return _default


def set_default_dtype(d: Any) -> None:
    """Raises TypeError unless `d` is a floating point dtype."""
    global _default
    if not isinstance(d, dtype):
        raise TypeError("invalid dtype object: only floating-point types are supported as the default type")
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if d is bfloat16:
        raise NotImplementedError("torch.bfloat16 cannot be the default dtype here: use dtype=torch.bfloat16")
    _default = d
    for a in ALL:
        _WITH_FLOAT[a] = a if a.is_floating_point else d


# --------------------------------------------------------------------------------------------------- promotion


def _smallest_common(a: dtype, b: dtype) -> dtype:
    if a.category != b.category:
        return max(a, b, key=lambda each: each.category)  # int64 and float16 make float16, unlike NumPy
    if bfloat16 in (a, b):
        other = b if a is bfloat16 else a
        return float32 if other is float16 else other
    return OF[np.promote_types(a.numpy, b.numpy)]


_EVERY = (*ALL, bfloat16)
_PROMOTED = {(a, b): _smallest_common(a, b) for a in _EVERY for b in _EVERY}

# What a tensor of some dtype becomes beside a Python int or float.
_WITH_INT = {a: int64 if a is bool_ else a for a in _EVERY}
_WITH_FLOAT = {a: a if a.is_floating_point else float32 for a in _EVERY}


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The smallest dtype of the higher category that holds both."""
    for position, given in enumerate((type1, type2), 1):
        if not isinstance(given, dtype):
            raise TypeError(
                f"promote_types(): argument 'type{position}' (position {position}) must be torch.dtype, "
                f"not {type(given).__name__}"
            )
    return _PROMOTED[type1, type2]


def promote(a: dtype, ndim_a: int, b: dtype, ndim_b: int) -> dtype:
    """The dtype of an operation on two tensors of these dtypes and numbers of dimensions."""
    if a is b:
        return a
    if (ndim_a > 0) == (ndim_b > 0):
        return _PROMOTED[a, b]
    stronger, weaker = (a, b) if ndim_a > 0 else (b, a)
    return _combine(stronger, weaker)


def promote_scalar(a: dtype, value: object) -> dtype:
    """The dtype of an operation on a tensor of dtype `a` (0-d or not) and a Python number."""
    if isinstance(value, float):
        return _WITH_FLOAT[a]
    if isinstance(value, bool):
        return a
    return _WITH_INT[a]


def _combine(stronger: dtype, weaker: dtype) -> dtype:
    if weaker.category > stronger.category:
        return _PROMOTED[stronger, weaker]
    return stronger


def of_number(value: object) -> dtype:
    """The dtype that a Python number has as a tensor: bool, int64 or the default dtype."""
    if isinstance(value, bool):
        return bool_
    return int64 if isinstance(value, int) else _default


def result_type(*operands: tuple[dtype, int]) -> dtype:
    """The dtype of an operation on any number of operands, each given as (dtype, number of dimensions), a Python
    number as (of_number(value), -1)."""
    found: list[dtype | None] = [None, None, None]  # with dimensions, 0-d, Python numbers
    for kind, ndim in operands:
        place = 0 if ndim > 0 else 1 if ndim == 0 else 2
        before = found[place]
        found[place] = kind if before is None else _PROMOTED[before, kind]
    result: dtype | None = None
    for each in found:
        if each is not None:
            result = each if result is None else _combine(result, each)
    if result is None:
        raise ValueError("result_type() of no operands")
    return result


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether PyTorch lets a result of dtype `from_` be written into a tensor of dtype `to`."""
    return from_.category <= to.category


# ------------------------------------------------------------------------------------------------ finfo, iinfo


class finfo:
    """The limits of a floating point dtype (the default dtype when none is given)."""

    __slots__ = ("bits", "dtype", "eps", "max", "min", "resolution", "smallest_normal", "tiny")

    def __init__(self, type: dtype | None = None) -> None:
        given = _default if type is None else type
        if not isinstance(given, dtype):
            raise TypeError(
                f"finfo(): argument 'type' (position 1) must be torch.dtype, not {given.__class__.__name__}"
            )
        if not given.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        self.bits = given.itemsize * 8
        self.dtype = given.short
        if given is bfloat16:
            self.eps, self.max, self.resolution = 2.0**-7, 2.0**128 - 2.0**120, 0.01
            self.min, self.smallest_normal, self.tiny = -self.max, 2.0**-126, 2.0**-126
            return
        info = np.finfo(given.numpy)
        self.eps = float(info.eps)
        self.max = float(info.max)
        self.min = float(info.min)
        self.smallest_normal = float(info.smallest_normal)
        self.tiny = self.smallest_normal
        self.resolution = float(f"1e-{info.precision}")

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """The limits of an integer dtype."""

    __slots__ = ("bits", "dtype", "max", "min")

    def __init__(self, type: dtype) -> None:
        if not isinstance(type, dtype):
            raise TypeError(f"iinfo(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}")
        if type.is_floating_point:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        if type is bool_:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        info = np.iinfo(type.numpy)
        self.bits = type.itemsize * 8
        self.max = int(info.max)
        self.min = int(info.min)
        self.dtype = type.short

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


# -------------------------------------------------------------------------------------------------------- Size


class Size(tuple[int, ...], metaclass=InC):
    """The shape of a tensor: a tuple of ints that knows its number of elements."""

    __slots__ = ()

    def __new__(cls, sizes: Iterable[Any] = ()) -> Self:
        checked = []
        for position, item in enumerate(sizes):
            try:
                checked.append(item.__index__())
            except (AttributeError, TypeError):
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {position} is '{type(item).__name__}')"
                ) from None
        return tuple.__new__(cls, checked)

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: SupportsIndex | slice) -> int | Size:
        got = tuple.__getitem__(self, key)
        return tuple.__new__(Size, got) if isinstance(got, tuple) else got

    def __add__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to torch.Size")
        return tuple.__new__(Size, tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            raise TypeError(f"can only concatenate tuple (not {type(other).__name__}) to torch.Size")
        return tuple.__new__(Size, tuple.__add__(other, self))

    def __mul__(self, times: SupportsIndex) -> Size:
        return tuple.__new__(Size, tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __iter__(self) -> Iterator[int]:
        return tuple.__iter__(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Size, (tuple(self),)


def size_of(shape: tuple[int, ...]) -> Size:
    """The Size of a NumPy shape, unchecked."""
    return tuple.__new__(Size, shape)


# ------------------------------------------------------------------------------------------------------ device

_DEVICE_TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, "
    "meta, hpu, mtia, privateuseone"
)


class device(metaclass=InC):
    """Where a tensor lives. Any device can be named; only the cpu can be used (`require_cpu`)."""

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: Any = ..., index: int | None = None, **named: Any) -> None:
        if named and ([*named] != ["device"] or type is not ... or index is not None):
            raise TypeError(f"device() got an unexpected keyword argument '{next(iter(named))}'")
        type = named.get("device", type)
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not isinstance(type, str):
            raise TypeError(messages.no_device("" if type is ... else type.__class__.__name__))
        if index is not None and not isinstance(index, int):
            raise TypeError(f"device(): argument 'index' (position 2) must be int, not {index.__class__.__name__}")
        kind, colon, number = type.partition(":")
        if not type:
            raise RuntimeError("Device string must not be empty")
        if not re.fullmatch(r"[a-zA-Z_]+", kind):
            raise RuntimeError(f"Invalid device string: '{type}'")
        if kind not in _DEVICE_TYPES.split(", "):
            raise RuntimeError(f"Expected one of {_DEVICE_TYPES} device type at start of device string: {kind}")
        if colon:
            if not (number.isdecimal() and number.isascii()) or (len(number) > 1 and number[0] == "0"):
                raise RuntimeError(f"Invalid device string: '{type}'")
            if index is not None:
                raise RuntimeError(
                    f"type (string) must not include an index because index was passed explicitly: {type}"
                )
            index = int(number)
        self.type, self.index = kind, index

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))


CPU = device("cpu")


def require_cpu(wanted: device | str | int | None) -> device:
    """The cpu, if that is what `wanted` names (None does). Raises what a build of PyTorch for the cpu raises."""
    if wanted is None:
        return CPU
    given = wanted if isinstance(wanted, device) else device(wanted)
    if given.type == "cpu":
        return CPU
    if given.type in ("cuda", "xpu"):
        raise AssertionError(f"Torch not compiled with {given.type.upper()} enabled")
    raise RuntimeError(f"PyTorch is not linked with support for {given.type} devices")
