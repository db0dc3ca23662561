"""What an element is, and where: `dtype`, `Size`, `device`, and the rules by which two dtypes become one.

The dtypes are singletons: compare them with `is`. The dtypes whose PyTorch name is a Python builtin carry a trailing
underscore here (`bool_`); `ALIASES` has every further name (`float`, `long`, ...) for the torch-shaped face.

Type promotion, in PyTorch's words: there are four categories, bool < int < float < complex. A tensor with dimensions
beats a 0-d tensor, which beats a Python number, unless the other one is of a higher category; within one priority the
smallest dtype that holds both wins. A complex number beside floats is one of their precision.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Self, SupportsIndex, overload

import numpy as np

from engine.brief import DTYPE, Lowered
from engine.devices import CPU as CPU
from engine.devices import InC
from engine.devices import device as device
from engine.devices import require_cpu as require_cpu

device.__module__ = __name__  # PyTorch has it beside the dtypes


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
    category: int  # 0 bool, 1 int, 2 float, 3 complex
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

    def to_real(self) -> dtype:
        """The dtype of the real part: itself unless it is complex."""
        return _REAL.get(self, self)

    def to_complex(self) -> dtype:
        """The complex dtype of this precision. Raises RuntimeError of whole numbers."""
        if self.category < 2:
            raise RuntimeError(f"Unknown Complex ScalarType for {self.scalar_type}")
        return _complex_of(self)

    def __getattr__(self, name: str) -> Any:
        if name in self.__slots__:
            if self is complex32:
                raise NotImplementedError(
                    "torch.complex32 can be named here, but not computed with: use torch.complex64"
                )
            if self in QUANTIZED:
                raise NotImplementedError(f"{self} can be named here, but there are no tensors of it")
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
    made.category = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}[made.numpy.kind]
    made.is_floating_point = made.category == 2
    made.is_complex = made.category == 3
    made.is_signed = made.numpy.kind in "ifc"
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
complex64 = _make("complex64", "ComplexFloatTensor", "c64")
complex128 = _make("complex128", "ComplexDoubleTensor", "c128")


def _unknown_to_numpy(short: str, legacy: str, abbr: str, category: int, itemsize: int) -> dtype:
    """A dtype that NumPy does not have. It has no `numpy` and no `type`."""
    made: dtype = object.__new__(dtype)
    made.short, made.legacy, made.scalar_type, made.abbr = short, f"torch.{legacy}Tensor", legacy, abbr
    made.category, made.itemsize = category, itemsize
    made.is_floating_point, made.is_complex, made.is_signed = category == 2, category == 3, True
    return made


bfloat16 = _unknown_to_numpy("bfloat16", "BFloat16", "bf16", 2, 2)
"""Its arrays are told in engine/brief.py; who asks for `numpy` meets Lowered, and is asked again with float32."""
complex32 = _unknown_to_numpy("complex32", "ComplexHalf", "c32", 3, 4)
"""A name that scripts have in tables of choices: nothing is computed in it."""
qint8, quint8 = _unknown_to_numpy("qint8", "QInt8", "qi8", 1, 1), _unknown_to_numpy("quint8", "QUInt8", "qu8", 1, 1)
QUANTIZED = (qint8, quint8)
"""Names that torch.ao.quantization is given: its layers hold what they need otherwise."""

ALL = (float16, float32, float64, int8, int16, int32, int64, uint8, bool_, complex64, complex128)
ALIASES = {
    "half": float16,
    "float": float32,
    "double": float64,
    "short": int16,
    "int": int32,
    "long": int64,
    "bool": bool_,
    "chalf": complex32,
    "cfloat": complex64,
    "cdouble": complex128,
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
    complex64: "c10::complex<float>",
    complex128: "c10::complex<double>",
}
_REAL = {complex64: float32, complex128: float64}
_COMPLEX = {kind: made for made, kind in _REAL.items()}


def _complex_of(kind: dtype) -> dtype:
    """The complex dtype of a precision; that of float16 can only be named."""
    if kind.is_complex:
        return kind
    return complex64 if kind is bfloat16 else _COMPLEX.get(kind, complex32)


def c_name(kind: dtype) -> str:
    """What some of PyTorch's messages call a dtype: "float", "long int"."""
    return _C_NAMES[kind]


def title(kind: dtype) -> str:
    """What others call it: "Float", "Long"."""
    return kind.legacy.removeprefix("torch.").removesuffix("Tensor")


# The dtype of a NumPy array: `OF[array.dtype]`. Looked up for every tensor that is made, hence a plain dict.
OF: dict[np.dtype[Any], dtype] = {each.numpy: each for each in ALL} | {DTYPE: bfloat16}

_NAMED = {each.short: each for each in (*ALL, bfloat16, complex32, *QUANTIZED)} | ALIASES


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
        _WITH_FLOAT[a] = a if a.category > 1 else d


# --------------------------------------------------------------------------------------------------- promotion


def _smallest_common(a: dtype, b: dtype) -> dtype:
    if a.category != b.category and {a.category, b.category} != {2, 3}:
        return max(a, b, key=lambda each: each.category)  # int64 and float16 make float16, unlike NumPy
    if bfloat16 in (a, b):
        other = b if a is bfloat16 else a
        return float32 if other is float16 else other
    return OF[np.promote_types(a.numpy, b.numpy)]


_EVERY = (*ALL, bfloat16)
_PROMOTED = {(a, b): _smallest_common(a, b) for a in _EVERY for b in _EVERY}

# What a tensor of some dtype becomes beside a Python int or float.
_WITH_INT = {a: int64 if a is bool_ else a for a in _EVERY}
_WITH_FLOAT = {a: a if a.category > 1 else float32 for a in _EVERY}


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
    return complex_beside(a) if isinstance(value, complex) else _WITH_INT[a]


def complex_beside(a: dtype) -> dtype:
    """What a tensor of dtype `a` becomes beside a Python complex number."""
    return _complex_of(a if a.category > 1 else _default)


def _combine(stronger: dtype, weaker: dtype) -> dtype:
    if weaker.category > stronger.category:
        return _complex_of(stronger) if stronger.category == 2 else _PROMOTED[stronger, weaker]
    return stronger


def of_number(value: object) -> dtype:
    """The dtype that a Python number has as a tensor: bool, int64, the default dtype or the complex one like it."""
    if isinstance(value, bool):
        return bool_
    if isinstance(value, complex):
        return _complex_of(_default)
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
        given = given.to_real()
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
        if type.category > 1:
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
