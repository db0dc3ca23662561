"""Softmax over many classes, the rare ones in clusters of their own."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from engine.nn import functional as F
from engine.nn.container import ModuleList, Sequential
from engine.nn.linear import Linear
from engine.nn.module import Module
from engine.ops.joins import cat
from engine.tensor import Tensor


class _ASMoutput(NamedTuple):
    output: Tensor
    loss: Tensor


class AdaptiveLogSoftmaxWithLoss(Module):
    """Classes below cutoffs[0] are in the head; each cluster of rarer ones is one more output of the head, with its
    own smaller tail. Input (N, in_features), target (N,): the log probability of each target, and the loss."""

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        bounds = list(cutoffs)
        if not bounds:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if (
            bounds != sorted(set(bounds))
            or bounds[0] <= 0
            or bounds[-1] > n_classes - 1
            or any(int(bound) != bound for bound in bounds)
        ):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each"
                " value is between 1 and n_classes-1"
            )
        self.in_features, self.n_classes, self.div_value, self.head_bias = in_features, n_classes, div_value, head_bias
        self.cutoffs = [*bounds, n_classes]
        self.shortlist_size, self.n_clusters = bounds[0], len(bounds)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, device, dtype)
        self.tail = ModuleList()
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            width = int(in_features // div_value ** (i + 1))
            first = Linear(in_features, width, False, device, dtype)
            self.tail.append(Sequential(first, Linear(width, high - low, False, device, dtype)))

    def reset_parameters(self) -> None:
        """Draw all weights anew."""
        for module in self.modules():
            if isinstance(module, Linear):
                module.reset_parameters()

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        if target_.ndim == 1:
            if input_.shape[0] != target_.shape[0]:
                raise RuntimeError("Input and target should have the same size in the batch dimension.")
            if input_.ndim != 2:
                raise RuntimeError(
                    f"1D target tensor expects 2D input tensors, but found inputs with size {input_.shape}"
                )
        elif target_.ndim == 0:
            if input_.ndim != 1:
                raise RuntimeError(
                    f"0D target tensor expects 1D input tensors, but found inputs with size {input_.shape}"
                )
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        batched = target_.ndim == 1
        input, target = (input_, target_) if batched else (input_.unsqueeze(0), target_.unsqueeze(0))
        values = target._array
        if ((values < 0) | (values >= self.n_classes)).any():
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()},"
                f" {target.max().item()}] were found. "
            )
        in_head = target.clamp(max=self.shortlist_size - 1)
        output = input.new_zeros(target.shape[0])
        for i, (low, high) in enumerate(pairwise(self.cutoffs)):
            rows = Tensor._wrap(np.flatnonzero((values >= low) & (values < high)))
            if not rows.numel():
                continue
            in_head = in_head.index_fill(0, rows, self.shortlist_size + i)
            inside = F.log_softmax(self.tail[i](input.index_select(0, rows)), dim=1)
            output = output.index_copy(0, rows, inside.gather(1, (target[rows] - low).unsqueeze(1)).squeeze(1))
        head = F.log_softmax(self.head(input), dim=1)
        output = output + head.gather(1, in_head.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def log_prob(self, input: Tensor) -> Tensor:
        """(N, in_features) -> (N, n_classes): the log probability of every class."""
        head = F.log_softmax(self.head(input), dim=1)
        first = self.shortlist_size
        tails = [F.log_softmax(tail(input), dim=1) + head[:, [first + i]] for i, tail in enumerate(self.tail)]
        return cat([head[:, :first], *tails], 1)

    def predict(self, input: Tensor) -> Tensor:
        """(N, in_features) -> (N,): the most probable class."""
        best: Tensor = self.log_prob(input).argmax(dim=1)
        return best
