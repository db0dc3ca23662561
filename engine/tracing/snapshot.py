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


def tensor_states(names: Names, copies: Copies, node_of: Mapping[int, str]) -> tuple[TensorState, ...]:
    """One for every tensor that has a name, in the order of the names."""
    states = []
    for name, tensor in names.tensors.items():
        node = tensor.grad_fn
        states.append(
            TensorState(
                name,
                tuple(tensor._array.shape),
                dtype_name(tensor._array),
                tensor._needs,
                node is None,
                is_parameter(tensor),
                None if node is None else node.name(),
                tensor._counter[0] if tensor._counter is not None else 0,  # inference tensors refuse ._version
                copies.of(("value", name), tensor._array),
                None if tensor._grad is None else copies.of(("grad", name), tensor._grad._array),
                node_of.get(id(tensor)),
            )
        )
    return tuple(states)


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
