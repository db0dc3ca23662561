"""What scripts ask of the machine and tell it: threads, precision, backends, compilation. There is one processor, every
result is deterministic and nothing is compiled, so that most of it has no effect."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from engine import dtypes
from engine.messages import called
from engine.warn import warn

VERSION = "2.13.0+cpu"  # the PyTorch that this engine follows


_FREED = 16 << 20


def keep_freed_memory() -> None:
    """Have the C library keep memory that is freed, up to twice `_FREED` bytes, where it would give it back to the
    system after each iteration and ask for it anew, page by page: with arrays of some hundred thousand numbers that is
    up to a third of an iteration. glibc raises its limits to the size of the largest block that was freed; this one is
    never touched. Elsewhere it has no effect."""
    np.empty(_FREED, np.uint8)


def _nothing(*args: Any, **kwargs: Any) -> None:
    """Has no effect here."""


def _no(*args: Any, **kwargs: Any) -> bool:
    return False


def _yes(*args: Any, **kwargs: Any) -> bool:
    return True


def set_default_device(device: Any = None) -> None:
    """The processor is the only device. Raises as PyTorch without accelerators for others."""
    if device is not None:
        dtypes.require_cpu(device)


def get_default_device() -> dtypes.device:
    return dtypes.device("cpu")


def set_default_tensor_type(kind: Any) -> None:
    """torch.set_default_tensor_type(torch.DoubleTensor), or the name of it. Raises TypeError for what is no
    floating-point type."""
    warn(
        "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use torch.set_default_dtype() and"
        " torch.set_default_device() as alternatives."
    )
    known = {"FloatTensor": dtypes.float32, "DoubleTensor": dtypes.float64}
    full = kind if isinstance(kind, str) else f"{getattr(kind, '__module__', '')}.{getattr(kind, '__name__', '')}"
    place, _, name = full.rpartition(".")
    if place == "torch.cuda":
        raise TypeError(f"type torch.cuda.{name} not available. Torch not compiled with CUDA enabled.")
    if name not in known:
        kind_of = "" if isinstance(kind, (str, type)) else "invalid type object: "
        raise TypeError(f"{kind_of}only floating-point types are supported as the default type")
    dtypes.set_default_dtype(known[name])


def get_autocast_gpu_dtype() -> dtypes.dtype:
    warn(
        "torch.get_autocast_gpu_dtype() is deprecated. Please use torch.get_autocast_dtype('cuda') instead.",
        DeprecationWarning,
    )
    return get_autocast_dtype("cuda")


told: dict[str, Any] = {
    "set_num_threads": 1,
    "set_num_interop_threads": 1,
    "set_float32_matmul_precision": "highest",
    "deterministic": False,
    "warn_only": False,
    "autocast": {},
    "autocast dtypes": {"cpu": dtypes.bfloat16},
    "autocast cache": True,
    "autocast cache cleared": 0,
    "autocast nesting": 0,
}
"""What was told of the machine: it can be asked for, and changes nothing. Each run has its own (a change makes another
dict)."""


listeners: list[Callable[[], None]] = []
"""Whom a change is told: what it does stands on a higher floor."""


def become(before: dict[str, Any]) -> None:
    """Let what was told be what it was."""
    global told
    told = before
    for tell in listeners:
        tell()


def _tell(name: str, wanted: type, value: Any) -> None:
    if type(value) is not wanted:
        article = "an" if wanted is int else "a"
        raise RuntimeError(f"{name} expects {article} {wanted.__name__}, but got {called(value)}")
    become({**told, name: value})


def set_num_threads(num: Any) -> None:
    """Only get_num_threads() knows of it. Raises RuntimeError for what is no number above zero."""
    _count("set_num_threads", num)


def set_num_interop_threads(num: Any) -> None:
    """Only get_num_interop_threads() knows of it. Raises RuntimeError for what is no number above zero."""
    _count("set_num_interop_threads", num)


def _count(name: str, number: Any) -> None:
    if type(number) is int and number <= 0:
        raise RuntimeError(f"{name} expects a positive integer")
    _tell(name, int, number)


def get_num_threads() -> Any:
    return told["set_num_threads"]


def get_num_interop_threads() -> Any:
    return told["set_num_interop_threads"]


def set_float32_matmul_precision(precision: Any) -> None:
    """Only get_float32_matmul_precision() knows of it. Raises RuntimeError for what is no text; warns of others."""
    if isinstance(precision, str) and precision not in ("highest", "high", "medium"):
        warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision call has"
            " no effect."
        )
    else:
        _tell("set_float32_matmul_precision", str, precision)


def get_float32_matmul_precision() -> Any:
    return told["set_float32_matmul_precision"]


def use_deterministic_algorithms(mode: Any, *, warn_only: Any = False) -> None:
    """Results are deterministic anyway. Raises TypeError for what is no bool."""
    for at, value in (("'mode' (position 1)", mode), ("'warn_only'", warn_only)):
        if not isinstance(value, bool):
            raise TypeError(f"_set_deterministic_algorithms(): argument {at} must be bool, not {called(value)}")
    become({**told, "deterministic": mode, "warn_only": warn_only})


def are_deterministic_algorithms_enabled() -> Any:
    return told["deterministic"]


def is_deterministic_algorithms_warn_only_enabled() -> Any:
    return told["warn_only"]


def set_flush_denormal(mode: Any) -> bool:
    """True, as where it can be done; nothing is rounded otherwise for it. Raises RuntimeError for what is no bool."""
    if not isinstance(mode, bool):
        raise RuntimeError(f"flush_denormal expects a bool, but got {called(mode)}")
    return True


is_warn_always_enabled = _no

_DEVICES = ("cpu", "cuda", "ipu", "xpu", "hpu", "mps", "mtia", "maia", "xla", "privateuseone")


def is_autocast_available(device_type: str) -> bool:
    """Whether autocast knows of such a device. Raises RuntimeError for what is none."""
    return dtypes.device(device_type).type in _DEVICES


def is_autocast_enabled(device_type: str | None = None) -> bool:
    return bool(told["autocast"].get(device_type or "cuda", False))


def is_autocast_cpu_enabled() -> bool:
    warn(
        "torch.is_autocast_cpu_enabled() is deprecated. Please use torch.is_autocast_enabled('cpu') instead.",
        DeprecationWarning,
    )
    return is_autocast_enabled("cpu")


def set_autocast_enabled(device_type: Any, enabled: bool | None = None) -> None:
    """Whether autocast is on for a device (for "cuda", where only the answer is told)."""
    device, on = ("cuda", device_type) if enabled is None else (device_type, enabled)
    become({**told, "autocast": {**told["autocast"], device: bool(on)}})


def get_autocast_dtype(device_type: str) -> dtypes.dtype:
    return told["autocast dtypes"].get(device_type, dtypes.float16)


def get_autocast_cpu_dtype() -> dtypes.dtype:
    warn(
        "torch.get_autocast_cpu_dtype() is deprecated. Please use torch.get_autocast_dtype('cpu') instead.",
        DeprecationWarning,
    )
    return get_autocast_dtype("cpu")


def set_autocast_dtype(device_type: str, dtype: dtypes.dtype) -> None:
    become({**told, "autocast dtypes": {**told["autocast dtypes"], device_type: dtype}})


def is_autocast_cache_enabled() -> bool:
    return bool(told["autocast cache"])


def set_autocast_cache_enabled(enabled: bool) -> None:
    become({**told, "autocast cache": bool(enabled)})


def clear_autocast_cache() -> None:
    """Have parameters cast anew."""
    become({**told, "autocast cache cleared": told["autocast cache cleared"] + 1})


def autocast_increment_nesting() -> int:
    become({**told, "autocast nesting": told["autocast nesting"] + 1})
    return int(told["autocast nesting"])


def autocast_decrement_nesting() -> int:
    become({**told, "autocast nesting": told["autocast nesting"] - 1})
    return int(told["autocast nesting"])


CONSTANTS = {
    "pi": 3.141592653589793,
    "e": 2.718281828459045,
    "inf": float("inf"),
    "nan": float("nan"),
    "newaxis": None,
}
SETTINGS: dict[str, dict[str, Any]] = {
    "torch.backends.cuda.matmul": {"allow_tf32": False},
    "torch.backends.cudnn": {
        "benchmark": False,
        "deterministic": False,
        "enabled": True,
        "allow_tf32": True,
        "is_available": _no,
        "version": _nothing,
    },
    "torch.backends.mkldnn": {"enabled": True, "is_available": _yes},
}
"""What scripts may set, by module."""
ASKED: dict[str, dict[str, Any]] = {
    "torch.backends": {},
    "torch.backends.mps": {"is_available": _no, "is_built": _no},
    "torch.backends.cuda": {"is_built": _no},
    "torch.backends.mkl": {"is_available": _yes},
    "torch.backends.openmp": {"is_available": _yes},
    "torch.version": {"__version__": VERSION, "cuda": None, "hip": None, "debug": False},
}
NAMES = (
    "are_deterministic_algorithms_enabled autocast_decrement_nesting autocast_increment_nesting clear_autocast_cache"
    " get_autocast_cpu_dtype get_autocast_dtype get_autocast_gpu_dtype get_default_device get_float32_matmul_precision"
    " get_num_interop_threads get_num_threads is_autocast_available is_autocast_cache_enabled is_autocast_cpu_enabled"
    " is_autocast_enabled set_autocast_cache_enabled set_autocast_dtype set_autocast_enabled"
    " is_deterministic_algorithms_warn_only_enabled is_warn_always_enabled"
    " set_default_device set_default_tensor_type set_float32_matmul_precision set_flush_denormal"
    " set_num_interop_threads set_num_threads use_deterministic_algorithms"
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
backends, version = _made["torch.backends"], _made["torch.version"]
