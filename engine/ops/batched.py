"""What torch.func.vmap() shows as the grad_fn of what it gives: PyTorch makes one operation of all examples, often not
the one that it has for a single example. Only engine/library/torch/func.py has it, as `import _batched`."""

from __future__ import annotations

from engine.autograd.graph import Node
from engine.tensor import Tensor

_OTHERS = {
    "AddmmBackward0": "AddBackward0",
    "AvgPool2DBackward0": "ViewBackward0",
    "ConvolutionBackward0": "ViewBackward0",
    "DotBackward0": "SqueezeBackward1",
    "EmbeddingBackward0": "PermuteBackward0",
    "MaxBackward1": "MaxBackward0",
    "MeanBackward0": "MeanBackward1",
    "MinBackward1": "MinBackward0",
    "MmBackward0": "UnsafeViewBackward0",
    "MvBackward0": "SqueezeBackward1",
    "NativeBatchNormBackward0": "TransposeBackward0",
    "ProdBackward0": "ProdBackward1",
    "SqueezeBackward0": "ViewBackward0",
    "SqueezeBackward1": "SqueezeBackward2",
    "SqueezeBackward4": "SqueezeBackward5",
    "SumBackward0": "SumBackward1",
    "TBackward0": "TransposeBackward0",
    "TraceBackward0": "SumBackward1",
}
"""The operation of all examples, by the name of the one of a single example, where it is another."""

_REGRESSION = {"mean": "MeanBackward1", "sum": "SumBackward1", "none": "ViewBackward0"}
_LOSSES = {
    "BinaryCrossEntropyBackward0": _REGRESSION,
    "BinaryCrossEntropyWithLogitsBackward0": _REGRESSION,
    "HuberLossBackward0": _REGRESSION,
    "MseLossBackward0": _REGRESSION,
    "NllLossBackward0": {"mean": "DivBackward0", "sum": "SumBackward1", "none": "WhereBackward0"},
    "SmoothL1LossBackward0": _REGRESSION,
}
"""And of losses, by their reduction."""


def shown_like(stacked: Tensor, one: Tensor, moved: bool) -> Tensor:
    """`stacked`, which examples like `one` were put into, as PyTorch shows it. `moved`: they do not lie along its first
    dimension."""
    if stacked._node is not None and one._node is not None:
        stacked._node.shown = "PermuteBackward0" if moved else _name(one._node, one)
    return stacked


def _name(node: Node, one: Tensor) -> str:
    name = node.short_name()
    by_reduction = _LOSSES.get(name)
    if by_reduction is not None:
        return by_reduction[getattr(node, "reduction", "mean")]
    if name == "ViewBackward0" and one.ndim == 1:  # F.linear() of a vector
        before = node.next_functions[0][0]
        if before is not None and before.name() == "AddmmBackward0":
            return "AddBackward0"
    return _OTHERS.get(name, name)


FUNCTIONS = (shown_like,)
