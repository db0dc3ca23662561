"""Rows of plain layers inside of a Sequential: what can be computed in one go (engine/ops/folded.py) is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine import observe
from engine.autograd import careful, grad_mode, graph
from engine.nn import everywhere
from engine.nn.activation import ReLU, Sigmoid, Tanh
from engine.nn.linear import Linear
from engine.ops import casting, folded
from engine.ops.linear import AddmmBackward0
from engine.tensor import INFERENCE, Parameter, Tensor, in_inference_mode

_FLOAT = np.dtype(np.float32)
_ACTIVATIONS: dict[type, folded.Layer] = {ReLU: folded.RELU, Sigmoid: folded.SIGMOID, Tanh: folded.TANH}
_FORWARD = {kind: kind.forward for kind in (Linear, ReLU, Sigmoid, Tanh)}


def through(modules: Iterable[Any], input: Any) -> Any:
    """`input` through the modules, one after the other."""
    row: list[Any] = []
    layers: list[folded.Layer] = []
    for module in modules:
        try:
            layer = _layer(module)
        except KeyError:  # one that was not initialised, which says so itself
            layer = None
        if layer is not None:
            row.append(module)
            layers.append(layer)
            continue
        if row:
            input = _through_row(row, layers, input)
            row, layers = [], []
        input = module(input)
    return _through_row(row, layers, input) if row else input


def _layer(module: Any) -> folded.Layer | None:
    """The module as one of a row; None where it is no such layer, or has hooks or a forward of its own."""
    kind = module.__class__
    forward = _FORWARD.get(kind)
    if forward is None or kind.forward is not forward:
        return None
    own = module.__dict__
    if "forward" in own or own["_forward_hooks"] or own["_forward_pre_hooks"] or own["_backward_hooks"]:
        return None
    if kind is not Linear:
        return None if kind is ReLU and own["inplace"] else _ACTIVATIONS[kind]
    parameters = own["_parameters"]
    weight, bias = parameters.get("weight"), parameters.get("bias")
    # Leaves of 32-bit floats, alone in their memory.
    if weight.__class__ is not Parameter or weight._node is not None or weight._base is not None:
        return None
    if bias.__class__ is not Parameter or bias._node is not None or bias._base is not None:
        return None
    if weight._counter is INFERENCE or weight._array.dtype is not _FLOAT or bias._array.dtype is not _FLOAT:
        return None
    return AddmmBackward0, None, weight, bias, weight._needs, bias._needs


def _through_row(row: list[Any], layers: list[folded.Layer], input: Any) -> Any:
    """`input` through plain layers: in one go where nothing is unusual, else one by one."""
    if len(row) > 1 and _plain(input):
        output = folded.forward(layers, input, grad_mode.enabled)
        if output is not None:
            return output
    for module in row:
        input = module(input)
    return input


def _plain(input: Any) -> bool:
    """Whether nobody watches, has hooks or checks, and `input` is a matrix of 32-bit floats that lies in rows."""
    if observe.active is not None or careful.on or everywhere.hooks or graph.unusual or in_inference_mode():
        return False
    if casting.kind is not None:
        return False
    if input.__class__ is not Tensor or input._base is not None or input._number or input._counter is INFERENCE:
        return False
    x = input._array
    return x.dtype is _FLOAT and x.ndim == 2 and x.flags.c_contiguous
