"""Accelerators, of which there are none: what scripts ask them, and what they ask tensors about where these are."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine
from engine.script.calls import invoke
from engine.script.frames import current
from engine.script.modules import module
from engine.script.surface import RULES, Rule, names, register


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


class Storage:
    """The memory that a tensor and its views share, element by element: what Tensor.storage() gives."""

    __slots__ = ("_flat", "_owner", "dtype")

    def __init__(self, tensor: engine.Tensor) -> None:
        self._owner = _place(tensor)[0]
        if not self._owner.flags.c_contiguous:
            raise NotImplementedError(
                "storage() is here only for tensors whose memory is in the order of their elements"
            )
        self._flat = self._owner.reshape(-1)
        self.dtype = tensor.dtype

    def __len__(self) -> int:
        return int(self._flat.size)

    def __getitem__(self, index: Any) -> Any:
        found = self._flat[index]
        return found.tolist() if isinstance(found, np.ndarray) else found.item()

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(value, (bool, int, float)):
            raise TypeError(f"an element of a storage is a number, not {type(value).__name__}")
        self._flat[index] = value

    def __iter__(self) -> Any:
        return iter(self._flat.tolist())

    def size(self) -> int:
        return len(self)

    def tolist(self) -> list[Any]:
        items: list[Any] = self._flat.tolist()
        return items

    def nbytes(self) -> int:
        return int(self._flat.nbytes)

    def element_size(self) -> int:
        return int(self._flat.itemsize)

    def data_ptr(self) -> int:
        return int(current.machine.address(self._owner), 16) * 64

    def __repr__(self) -> str:
        lines = "\n ".join(str(item) for item in self._flat.tolist())
        kind = f"torch.storage.TypedStorage(dtype={self.dtype}, device=cpu)"
        return f" {lines}\n[{kind} of size {len(self)}]"


Storage.__name__ = Storage.__qualname__ = "TypedStorage"
register(Storage, Rule(names=names("size tolist nbytes element_size data_ptr dtype")))


def _to_sparse(tensor: engine.Tensor, *_: Any) -> Any:
    return invoke(module("torch.sparse").read("from_dense"), (tensor,))


def fill_tensors() -> None:
    """What tensors are asked about their place; after the tensors' own rules."""
    for kind in [each for each in RULES if issubclass(each, engine.Tensor)]:
        rule = RULES[kind]
        rule.wrapped |= {
            "data_ptr": _data_ptr,
            "storage_offset": _storage_offset,
            "storage": Storage,
            "to_sparse": _to_sparse,
            "to_dense": lambda tensor: tensor,
        }
        rule.computed |= {
            "layout": lambda tensor: engine.strided,
            "is_cpu": lambda tensor: True,
            "is_sparse": lambda tensor: False,
            "is_meta": lambda tensor: False,
        }
