"""What scripts ask of the machine and tell it: threads, precision, backends, compilation. There is one processor, every
result is deterministic and nothing is compiled, so that most of it has no effect."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from engine import dtypes

VERSION = "2.13.0+cpu"  # the PyTorch that this engine follows


def _nothing(*args: Any, **kwargs: Any) -> None:
    """Has no effect here."""


def _no(*args: Any, **kwargs: Any) -> bool:
    return False


def compile(model: Any = None, **options: Any) -> Any:
    """torch.compile(): the model or function as it is; as a decorator with options too."""
    return (lambda function: function) if model is None else model


def trace(model: Any, *args: Any, **kwargs: Any) -> Any:
    """torch.jit.trace(): the model as it is."""
    return model


def set_default_device(device: Any = None) -> None:
    """The processor is the only device. Raises as PyTorch without accelerators for others."""
    if device is not None:
        dtypes.require_cpu(device)


def get_default_device() -> dtypes.device:
    return dtypes.device("cpu")


def set_default_tensor_type(kind: Any) -> None:
    """torch.set_default_tensor_type(torch.DoubleTensor), or the name of it. Raises TypeError for what is no
    floating-point type."""
    known = {"FloatTensor": dtypes.float32, "DoubleTensor": dtypes.float64}
    name = (kind if isinstance(kind, str) else getattr(kind, "__name__", "")).rpartition(".")[2]
    if name not in known:
        raise TypeError("only floating-point types are supported as the default type")
    dtypes.set_default_dtype(known[name])


def get_num_threads() -> int:
    return 1


def get_float32_matmul_precision() -> str:
    return "highest"


def get_autocast_gpu_dtype() -> dtypes.dtype:
    return dtypes.float16


get_num_interop_threads = get_num_threads
set_num_threads = set_num_interop_threads = _nothing
set_float32_matmul_precision = use_deterministic_algorithms = _nothing
are_deterministic_algorithms_enabled = is_warn_always_enabled = is_autocast_enabled = _no

CONSTANTS = {
    "pi": 3.141592653589793,
    "e": 2.718281828459045,
    "inf": float("inf"),
    "nan": float("nan"),
    "newaxis": None,
}
SETTINGS: dict[str, dict[str, Any]] = {
    "torch.backends.cuda.matmul": {"allow_tf32": False},
    "torch.backends.cudnn": {"benchmark": False, "deterministic": False, "enabled": True, "allow_tf32": True},
}
"""What scripts may set, by module."""
ASKED: dict[str, dict[str, Any]] = {
    "torch.backends": {},
    "torch.backends.mps": {"is_available": _no, "is_built": _no},
    "torch.backends.cuda": {"is_built": _no},
    "torch.jit": {"script": compile, "trace": trace, "ignore": compile},
    "torch.version": {"__version__": VERSION, "cuda": None},
}
NAMES = (
    "are_deterministic_algorithms_enabled compile get_autocast_gpu_dtype get_default_device"
    " get_float32_matmul_precision get_num_interop_threads get_num_threads is_autocast_enabled is_warn_always_enabled"
    " set_default_device set_default_tensor_type set_float32_matmul_precision set_num_interop_threads set_num_threads"
    " use_deterministic_algorithms"
)
"""The functions of torch among these."""


def _modules() -> dict[str, ModuleType]:
    made = {}
    for name, members in sorted((ASKED | SETTINGS).items()):
        made[name] = ModuleType(name)
        vars(made[name]).update(members)
        above, _, last = name.rpartition(".")
        if above in made:
            setattr(made[above], last, made[name])
    return made


_made = _modules()
backends, jit, version = (_made[f"torch.{name}"] for name in ("backends", "jit", "version"))
