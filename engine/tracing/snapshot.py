"""The state of what the script's names reach, as plain values: tensors, variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine import dtypes
from engine.tracing.copies import Copies
from engine.tracing.graph import dtype_name
from engine.tracing.moments import TensorState, Variable
from engine.tracing.naming import Names, is_parameter
from engine.tracing.show import show

Array = np.ndarray[Any, Any]

VARIABLES = 60
"""Variables that a moment lists."""


def tensor_states(
    names: Names, copies: Copies, node_of: Mapping[int, str], before: Mapping[str, TensorState]
) -> list[TensorState]:
    """One for every tensor that has a name, in the order of the names; the same as `before` where it says the same."""
    states = []
    for name, tensor in names.tensors.items():
        node = tensor.grad_fn
        made_by = None if node is None else node.name()
        version = tensor._counter[0] if tensor._counter is not None else 0  # inference tensors refuse ._version
        value = copies.of(("value", name), tensor._array)
        grad = None if tensor._grad is None else copies.of(("grad", name), tensor._grad._array)
        place = node_of.get(id(tensor))
        own = is_parameter(tensor)
        old = before.get(name)
        if (
            old is None
            or old.value is not value
            or old.grad is not grad
            or old.version != version
            or old.node != place
            or old.grad_fn != made_by
            or old.requires_grad != tensor._needs
            or old.is_parameter != own
        ):
            shape = tuple(value.shape)
            kind = dtype_name(value)
            old = TensorState(name, shape, kind, tensor._needs, node is None, own, made_by, version, value, grad, place)
        states.append(old)
    return states


def variables(names: Names) -> tuple[Variable, ...]:
    """The script's other variables; functions, classes and modules of the program itself are left out."""
    listed: list[Variable] = []
    for name, value in names.others.items():
        if not name.startswith("_") and _is_value(value) and len(listed) < VARIABLES:
            listed.append(Variable(name, type(value).__name__, show(value)))
    return tuple(listed)


_VALUES = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    range,
    slice,
    list,
    tuple,
    dict,
    set,
    frozenset,
    np.ndarray,
    np.generic,
    dtypes.dtype,
    dtypes.device,
)


def _is_value(value: Any) -> bool:
    """Data, and objects of the script's own classes."""
    return isinstance(value, _VALUES) or any("__script__" in vars(kind) for kind in type(value).__mro__)
