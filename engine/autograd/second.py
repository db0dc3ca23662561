"""What gradients print as their own grad_fn under create_graph=True: PyTorch has one node where our formulas record
several operations."""

from __future__ import annotations

from typing import Any

from engine.autograd.graph import Node, next_number
from engine.tensor import Tensor

_SAME = (
    "BinaryCrossEntropy Cdist Convolution Elu Gelu HuberLoss LogSigmoid MseLoss Select Sigmoid Slice SmoothL1Loss"
    " Softplus Tanh UpsampleBicubic2D UpsampleBilinear2D UpsampleLinear1D UpsampleNearest1D UpsampleNearest2D"
    " UpsampleNearest3D UpsampleTrilinear3D"
)
_NAMES: dict[str, tuple[str, ...]] = {
    **{f"{name}Backward0": (f"{name}BackwardBackward0",) for name in _SAME.split()},
    "LogSoftmaxBackward0": ("LogSoftmaxBackwardDataBackward0",),
    "SoftmaxBackward0": ("SoftmaxBackwardDataBackward0",),
    "ReluBackward0": ("ThresholdBackwardBackward0",),
    "AddmmBackward0": ("ViewBackward0", "MmBackward0", "TBackward0"),
    "LinearMmBackward0": ("MmBackward0", "TBackward0"),
    "GatherBackward0": ("ScatterAddBackward0",),
    "IndexBackward0": ("IndexPutImplBackward0",),
    "LinalgVectorNormBackward0": ("MulBackward0",),
    "PowBackward2": ("MulBackward0",),
    "RepeatBackward0": ("SumBackward1",),
    "BinaryCrossEntropyWithLogitsBackward0": ("DivBackward1",),
    "NativeGroupNormBackward0": ("ViewBackward0",),
}
"""By the class of a node: the names for its inputs' gradients (one name: of all of them)."""


def run_recorded(node: Node, g: Any) -> Any:
    """What backward() of `node` makes of the Tensor `g` (or of a list of them), as part of the graph."""
    names = _NAMES.get(type(node).__name__)
    if names is None or (node.operation != "linear" and len(names) > 1):
        return node.backward(g, *node.unpack_tensors())
    since = next_number()  # what was recorded before has a name of its own
    gradients = node.backward(g, *node.unpack_tensors())
    for i, each in enumerate(gradients if isinstance(gradients, tuple) else (gradients,)):
        if isinstance(each, Tensor) and each._node is not None and each._node.number > since:
            each._node.shown = names[i] if len(names) > 1 else names[0]
    return gradients
