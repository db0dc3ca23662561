"""Accelerators, of which there are none: what scripts ask them, and what they ask tensors about where these are."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine
from engine.script.calls import invoke
from engine.script.frames import current
from engine.script.modules import module
from engine.script.surface import RULES


def _nothing(*args: Any, **kwargs: Any) -> None:
    """What would change an accelerator."""


def _no(*args: Any, **kwargs: Any) -> bool:
    return False


def _none(*args: Any, **kwargs: Any) -> int:
    return 0


CHANGES = """empty_cache synchronize manual_seed manual_seed_all reset_peak_memory_stats reset_max_memory_allocated
ipc_collect"""
COUNTS = "memory_allocated max_memory_allocated memory_reserved max_memory_reserved device_count"
ASKED = "is_available is_initialized is_bf16_supported"
_MEMBERS: dict[str, Any] = {
    **dict.fromkeys(CHANGES.split(), _nothing),
    **dict.fromkeys(COUNTS.split(), _none),
    **dict.fromkeys(ASKED.split(), _no),
}
_HERE = {name: getattr(engine.cuda, name) for name in ("current_device", "get_device_name", "set_device")}
MEMBERS: dict[str, dict[str, Any]] = {
    "torch.xpu": _MEMBERS,
    "torch.mps": _MEMBERS,
    "torch.cuda": {**_MEMBERS, **_HERE},
    "torch.accelerator": {**_MEMBERS, "current_accelerator": _nothing},
    "torch.backends": {},
    "torch.backends.mps": {"is_available": _no, "is_built": _no},
    "torch.backends.cuda": {"is_built": _no},
}
SETTINGS: dict[str, dict[str, Any]] = {
    "torch.backends.cuda.matmul": {"allow_tf32": False},
    "torch.backends.cudnn": {"benchmark": False, "deterministic": False, "enabled": True, "allow_tf32": True},
}


def _place(tensor: engine.Tensor) -> tuple[Any, int]:
    """The array that owns the tensor's memory, and how many bytes into it the first element is."""
    array: Any = tensor._array
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return owner, int(array.__array_interface__["data"][0] - owner.__array_interface__["data"][0])


def _data_ptr(tensor: engine.Tensor) -> int:
    """A stand-in for the address of the first element: views of one array are as far apart as they are."""
    owner, offset = _place(tensor)
    return int(current.machine.address(owner), 16) * 64 + offset


def _storage_offset(tensor: engine.Tensor) -> int:
    return _place(tensor)[1] // tensor._array.itemsize


def _storage(tensor: engine.Tensor, kind: str = "TypedStorage") -> Any:
    """The memory that a tensor shares with its views, as torch/storage.py of the library shows it."""
    whole = tensor._base if tensor._base is not None else tensor
    flat = whole.detach()
    if not flat.is_contiguous():
        raise NotImplementedError("storage() is here only for tensors whose elements lie in order")
    return invoke(module("torch.storage").read(kind), (flat.view(-1),))


def _to_sparse(tensor: engine.Tensor, *_: Any) -> Any:
    return invoke(module("torch.sparse").read("from_dense"), (tensor,))


def fill_tensors() -> None:
    """What tensors are asked about their place; after the tensors' own rules."""
    for kind in [each for each in RULES if issubclass(each, engine.Tensor)]:
        rule = RULES[kind]
        rule.wrapped |= {
            "data_ptr": _data_ptr,
            "storage_offset": _storage_offset,
            "storage": lambda tensor: _storage(tensor),
            "untyped_storage": lambda tensor: _storage(tensor, "UntypedStorage"),
            "to_sparse": _to_sparse,
            "to_dense": lambda tensor: tensor,
        }
        rule.computed |= {
            "layout": lambda tensor: engine.strided,
            "is_cpu": lambda tensor: True,
            "is_sparse": lambda tensor: False,
            "is_meta": lambda tensor: False,
        }
