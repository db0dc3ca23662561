"""Casts: the elements of a tensor in another dtype."""

from __future__ import annotations

from typing import Any

from engine import dtypes
from engine.autograd import grad_mode, graph
from engine.autograd.graph import Node, record
from engine.brief import brief
from engine.ops.dispatch import kept_part, wrap
from engine.ops.shape import clone
from engine.tensor import Tensor

METHODS = "to"
FUNCTIONS = ""


class ToCopyBackward0(Node):
    """A cast: the gradient is cast back (by the walk)."""

    operation = "to"

    def backward(self, g: Any) -> Any:
        return g


def to(
    input: Tensor,
    *args: Any,
    dtype: Any = None,
    device: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """A cast to a dtype (`to(torch.float64)`, `to(other)`, `to("cpu")`); self where nothing changes."""
    for at, each in enumerate(args):
        if isinstance(each, dtypes.dtype):
            dtype = each
        elif isinstance(each, Tensor):
            dtype = each.dtype
        elif each is None or isinstance(each, bool):
            pass
        elif at:
            raise TypeError("a device comes first")  # guard.refusal says it in PyTorch's words
        else:
            device = each
    if device is not None:
        dtypes.require_cpu(device)
    if dtype is None or dtype is dtypes.OF[input._array.dtype]:
        return clone(input) if copy else input
    order: Any = "C" if 0 in input._array.strides else "K"
    if dtype is dtypes.bfloat16:
        out = wrap(brief(input._array))
        graph.unusual = True
    else:
        out = wrap(kept_part(input._array, dtype).astype(dtype.numpy, order=order))
    if input._needs and grad_mode.enabled and dtype.category > 1:
        record(ToCopyBackward0, out, (input,))
    return out
