"""A PyTorch-shaped engine on NumPy: `import engine as torch` works for the supported subset.

Values, dtypes, shapes, printed text and error messages are PyTorch's. Importing it silences NumPy's floating point
warnings for the process, since inf and nan are ordinary results here, as they are in PyTorch.
"""

# ruff: noqa: E402  (the collector is at rest while everything is imported)

import gc
import sys

# An import makes a hundred thousand objects that stay. The collector would go through them again and again while they
# become more, which is a tenth of the time.
_collecting = gc.isenabled()
gc.disable()

from typing import TYPE_CHECKING, Any

from engine import multiplier as multiplier  # isort: skip - before NumPy
from engine import environment, library, naming, nn, optim, utils
from engine.accelerators import accelerator as accelerator
from engine.accelerators import cpu as cpu
from engine.accelerators import cuda
from engine.accelerators import mps as mps
from engine.accelerators import xpu as xpu
from engine.autograd import face as autograd
from engine.autograd.anomaly import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from engine.autograd.anomaly import is_anomaly_enabled as is_anomaly_enabled
from engine.autograd.grad_mode import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from engine.dtypes import (
    Size,
    bfloat16,
    bool_,
    complex32,
    complex64,
    complex128,
    device,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    of_number,
    promote,
    promote_scalar,
    promote_types,
    set_default_dtype,
    uint8,
)
from engine.dtypes import qint8 as qint8
from engine.dtypes import quint8 as quint8
from engine.layouts import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    layout,
    memory_format,
    preserve_format,
    sparse_coo,
    sparse_csr,
    strided,
)
from engine.messages import called
from engine.ops import arithmetic, fromdata, guard, joins, methods, overriding, pointwise, quick, seldom, subclasses
from engine.printing import set_printoptions
from engine.random import Generator, default_generator, manual_seed
from engine.rooms import opened
from engine.saving import load as load
from engine.saving import save as save
from engine.tensor import Parameter, Tensor, in_inference_mode

if TYPE_CHECKING:
    from engine import data as data
    from engine import fft, linalg, overrides, special

__version__ = environment.VERSION

half, float, double = float16, float32, float64
chalf, cfloat, cdouble = complex32, complex64, complex128
short, int, long = int16, int32, int64
bool = bool_


_IN_PYTHON = {  # by what is done first with their tensors
    "split": ".split",
    "norm": ".layout",
    "tensordot": ".dim",
    "unravel_index": ".is_complex",
    "unique": "_unique2",
    "lu": "_lu_with_info A=input:1",
    "cdist": "",
    "unique_consecutive": "",
}


def _function(name: str, operation: Any) -> Any:
    """`operation` as torch.`name`."""
    shown = guard.function(name, getattr(operation, "__wrapped__", operation) if name.endswith("_") else operation)
    return guard.in_python(name, shown, _IN_PYTHON[name]) if name in _IN_PYTHON else quick.activation(name, shown)


for _family in methods.FAMILIES:
    globals().update({name: _function(name, getattr(_family, name)) for name in _family.FUNCTIONS.split()})
for _name in (*methods.IN_PLACE, "relu", "zero", "fill"):
    globals().setdefault(f"{_name}_", _function(f"{_name}_", getattr(Tensor, f"{_name}_")))
for _name, _same in (
    *(("subtract", arithmetic.sub), ("multiply", arithmetic.mul), ("divide", arithmetic.div)),
    *(("true_divide", arithmetic.div), ("absolute", pointwise.abs), ("negative", arithmetic.neg)),
    *(("concat", joins.cat), ("concatenate", joins.cat)),
):
    globals()[_name] = guard.function(_name, _same)


def is_tensor(obj: Any) -> "bool":  # type: ignore[valid-type]
    """Whether `obj` is a Tensor, be it one of torch.sparse."""
    return isinstance(obj, Tensor) or hasattr(type(obj), "_is_tensor")


def typename(obj: Any) -> str:
    """The name of a value's type, with its module; of a function its own."""
    from engine.nn.registering import callable_name

    return called(obj) if type(obj).__module__ == "engine.dtypes" else callable_name(obj)


def result_type(tensor: Any, other: Any) -> Any:
    """The dtype of an operation on two tensors or numbers."""
    first, second = (each if isinstance(each, Tensor) else None for each in (tensor, other))
    if first is not None and second is not None:
        return promote(first.dtype, first.ndim, second.dtype, second.ndim)
    if first is not None:
        return promote_scalar(first.dtype, other)
    return (
        promote(of_number(tensor), 0, of_number(other), 0) if second is None else promote_scalar(second.dtype, tensor)
    )


def numel(input: Tensor) -> "int":  # type: ignore[valid-type]
    """The number of elements."""
    if not isinstance(input, Tensor):
        raise TypeError(f"numel(): argument 'input' (position 1) must be Tensor, not {called(input)}")
    return input._array.size


def seed() -> Any:
    """A new seed for the default generator, which it returns."""
    return default_generator.seed()


def initial_seed() -> Any:
    return default_generator.initial_seed()


def is_inference_mode_enabled() -> "bool":  # type: ignore[valid-type]
    """Whether tensors that are made now are inference tensors."""
    return in_inference_mode()


globals().update({name: getattr(environment, name) for name in f"{environment.NAMES} backends version".split()})
globals().update(environment.CONSTANTS)
subclasses.attach()


def _places() -> "dict[str, dict[str, Any]]":
    """Where functions are that classes over Tensor can override."""
    from engine import fft, linalg, special
    from engine.nn import functional

    parts = {"nn.functional.": functional, "linalg.": linalg, "fft.": fft, "special.": special}
    shown = {f"torch.{name}": vars(module) for name, module in parts.items()}
    return {"torch.Tensor.": {**vars(Tensor)}, "torch.": globals(), **shown}


overriding.places = _places
naming.as_pytorch()
sys.meta_path.insert(0, library.Finder)  # for whoever puts the engine in the place of PyTorch


FloatTensor = fromdata.legacy_type(float32)
DoubleTensor = fromdata.legacy_type(float64)
HalfTensor = fromdata.legacy_type(float16)
LongTensor = fromdata.legacy_type(int64)
IntTensor = fromdata.legacy_type(int32)
ShortTensor = fromdata.legacy_type(int16)
CharTensor = fromdata.legacy_type(int8)
ByteTensor = fromdata.legacy_type(uint8)
BoolTensor = fromdata.legacy_type(bool_)
ComplexFloatTensor = fromdata.legacy_type(complex64)
ComplexDoubleTensor = fromdata.legacy_type(complex128)

__all__ = [
    "BoolTensor",
    "ByteTensor",
    "DoubleTensor",
    "FloatTensor",
    "Generator",
    "IntTensor",
    "LongTensor",
    "Parameter",
    "Size",
    "Tensor",
    "autograd",
    "bfloat16",
    "channels_last",
    "channels_last_3d",
    "contiguous_format",
    "cuda",
    "default_generator",
    "device",
    "dtype",
    "enable_grad",
    "fft",
    "finfo",
    "get_default_dtype",
    "iinfo",
    "inference_mode",
    "int8",
    "is_grad_enabled",
    "layout",
    "linalg",
    "manual_seed",
    "memory_format",
    "nn",
    "no_grad",
    "optim",
    "overrides",
    "preserve_format",
    "promote_types",
    "set_default_dtype",
    "set_grad_enabled",
    "set_printoptions",
    "sparse_coo",
    "sparse_csr",
    "special",
    "strided",
    "utils",
]

environment.keep_freed_memory()
if _collecting:
    if not gc.get_freeze_count():  # all that is there grows old at once, without being gone through
        gc.freeze()
        gc.unfreeze()
    gc.enable()

if not TYPE_CHECKING:
    _modules = {name: f"engine.{name}" for name in ("data", "fft", "linalg", "overrides", "special")}
    __getattr__, __dir__ = opened(globals(), "torch", {**seldom.functions(), **_modules}, _function)
