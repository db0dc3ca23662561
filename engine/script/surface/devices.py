"""Accelerators, of which there are none: what scripts ask them, and what they ask tensors about where these are."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import engine
from engine import accelerators
from engine.autograd import face
from engine.ops.tablerows import RowGradient
from engine.script.executing.calls import invoke
from engine.script.frames import current
from engine.script.modules import module
from engine.script.surface import RULES, Rule, register
from engine.script.values import attributes
from engine.script.values.builtin import CALLS

MEMBERS: dict[str, dict[str, Any]] = {
    "torch.xpu": accelerators.XPU,
    "torch.mps": accelerators.MPS,
    "torch.cuda": accelerators.CUDA,
    "torch.cpu": accelerators.CPU,
    "torch.accelerator": accelerators.ANY,
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
    return invoke(module("torch.storage").own(kind), (flat.view(-1),))


def _to_sparse(tensor: engine.Tensor, sparse_dim: Any = None, **_: Any) -> Any:
    return invoke(module("torch.sparse").own("from_dense"), (tensor, sparse_dim))


def _to_sparse_csr(tensor: engine.Tensor, *_: Any) -> Any:
    found = _to_sparse(tensor)
    return invoke(attributes.get(found, "to_sparse_csr"), ())


def _to_dense(tensor: engine.Tensor, *given: Any, **named: Any) -> engine.Tensor:
    return tensor.to_dense(*given, **named) if isinstance(tensor, RowGradient) else tensor


def fill_tensors() -> None:
    """What tensors are asked about their place; after the tensors' own rules."""
    register(face.Variable, Rule())
    CALLS[face.Variable] = face.made_variable
    for absent in accelerators.TENSORS.values():
        register(absent, Rule())
        CALLS[absent] = partial(type(absent).__call__, absent)
    for kind in [each for each in RULES if issubclass(each, engine.Tensor)]:
        rule = RULES[kind]
        rule.wrapped |= {
            "data_ptr": _data_ptr,
            "storage_offset": _storage_offset,
            "storage": lambda tensor: _storage(tensor),
            "untyped_storage": lambda tensor: _storage(tensor, "UntypedStorage"),
            "to_sparse": _to_sparse,
            "to_sparse_csr": _to_sparse_csr,
            "to_sparse_coo": _to_sparse,
            "to_dense": _to_dense,
        }
