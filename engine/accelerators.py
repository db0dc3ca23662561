"""Accelerators, of which there are none: what `torch.cuda` and its like answer where PyTorch is built for the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from engine.library import shipped

Asked = dict[str, Callable[..., Any]]

_NOWHERE = RuntimeError("Cannot access accelerator device when none is available.")


def _gives(value: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: type(value)(value) if isinstance(value, (list, dict)) else value


def _raises(error: Exception) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise type(error)(*error.args)

    return refuse


def _all(names: str, answer: Callable[..., Any]) -> Asked:
    return dict.fromkeys(names.split(), answer)


def _missing(module: str, **names: str) -> Asked:
    """What PyTorch itself finds no code for."""
    return {
        name: _raises(AttributeError(f"module 'torch._C' has no attribute '_{module}_{inside}'"))
        for name, inside in names.items()
    }


def _seen(module: str) -> Asked:
    """What torch.cuda and torch.xpu have in common."""
    off = AssertionError(f"Torch not compiled with {module.upper()} enabled")
    return {
        **_all("empty_cache manual_seed manual_seed_all seed seed_all set_rng_state", _gives(None)),
        **_all("memory_allocated max_memory_allocated memory_reserved max_memory_reserved device_count", _gives(0)),
        **_all("is_available is_initialized is_bf16_supported", _gives(False)),
        **_all("get_rng_state_all get_arch_list", _gives([])),
        **_all(
            "synchronize current_device get_device_name get_device_properties get_device_capability init initial_seed"
            " current_stream mem_get_info get_rng_state set_per_process_memory_fraction can_device_access_peer",
            _raises(off),
        ),
        **_all("Stream Event", _raises(RuntimeError("Tried to instantiate dummy base class Event"))),
        **_missing(
            module,
            reset_peak_memory_stats="resetPeakMemoryStats",
            reset_accumulated_memory_stats="resetAccumulatedMemoryStats",
        ),
    }


class _Nowhere(type):
    """The class of tensors of an accelerator: there are none."""

    def __instancecheck__(cls, instance: object) -> bool:
        return False

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"type torch.cuda.{cls.__name__} not available. Torch not compiled with CUDA enabled.")


_Nowhere.__name__ = _Nowhere.__qualname__ = "torch.tensortype"  # as error messages name it
_Nowhere.__module__ = "builtins"
TENSORS: dict[str, type] = {
    f"{kind}Tensor": _Nowhere(f"{kind}Tensor", (), {"__module__": "torch.cuda"})
    for kind in ["Float", "Double", "Half", "Long", "Int", "Short", "Byte", "Bool", "Char"]
}
"""torch.cuda.FloatTensor and its like."""


CUDA: Asked = {
    **_seen("cuda"),
    **_all("memory_cached max_memory_cached", _gives(0)),
    **_all("default_stream ipc_collect", _raises(AssertionError("Torch not compiled with CUDA enabled"))),
    **_missing(
        "cuda",
        set_device="setDevice",
        reset_max_memory_allocated="resetPeakMemoryStats",
        reset_max_memory_cached="resetPeakMemoryStats",
    ),
    "Stream": _raises(RuntimeError("torch.cuda.Stream requires CUDA support")),
    "memory_stats": _gives({}),
    "memory_summary": _raises(KeyError("allocated_bytes.all.current")),
    **TENSORS,
}
XPU: Asked = {
    **_seen("xpu"),
    "set_device": _raises(AssertionError("Torch not compiled with XPU enabled")),
    "Stream": _raises(RuntimeError("Tried to instantiate dummy base class Stream")),
}
MPS: Asked = {
    "is_available": _gives(False),
    "device_count": _gives(0),
    "manual_seed": _gives(None),
    **{
        name: _raises(RuntimeError(f"Cannot execute {inside}() without MPS backend."))
        for name, inside in {
            "synchronize": "deviceSynchronize",
            "empty_cache": "emptyCache",
            "seed": "getDefaultGenerator",
            "get_rng_state": "getDefaultGenerator",
            "set_rng_state": "getDefaultGenerator",
            "set_per_process_memory_fraction": "setMemoryFraction",
            "current_allocated_memory": "getCurrentAllocatedMemory",
            "driver_allocated_memory": "getDriverAllocatedMemory",
            "recommended_max_memory": "getRecommendedMaxMemory",
        }.items()
    },
}
ANY: Asked = {
    "is_available": _gives(False),
    "device_count": _gives(0),
    "current_accelerator": _gives(None),
    **_all(
        "synchronize empty_cache memory_allocated max_memory_allocated memory_reserved max_memory_reserved memory_stats"
        " reset_peak_memory_stats reset_accumulated_memory_stats current_stream current_device_index"
        " current_device_idx",
        _raises(_NOWHERE),
    ),
}
"""torch.accelerator."""
CPU: Asked = {
    "synchronize": _gives(None),
    "set_device": _gives(None),
    "current_device": _gives("cpu"),
    "device_count": _gives(1),
    **_all("is_available is_initialized", _gives(True)),
}


class _Named(type):
    """A namespace that reads like PyTorch's module."""

    asked: Asked

    def __getattr__(cls, name: str) -> Any:
        if name in cls.asked:
            return cls.asked[name]
        if name.startswith("__") or (module := shipped(f"torch.{cls.__name__}.{name}")) is None:
            raise AttributeError(f"module 'torch.{cls.__name__}' has no attribute '{name}'")
        return module

    def __dir__(cls) -> list[str]:
        return sorted(cls.asked)


class cuda(metaclass=_Named):
    """There is none."""

    asked = CUDA


class xpu(metaclass=_Named):
    """There is none."""

    asked = XPU


class mps(metaclass=_Named):
    """There is none."""

    asked = MPS


class accelerator(metaclass=_Named):
    """There is none of any kind."""

    asked = ANY


class cpu(metaclass=_Named):
    """The one device."""

    asked = CPU
