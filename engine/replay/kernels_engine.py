"""Operations that take NumPy much longer than a call of Python does, as the engine computes them: convolutions, pools,
normalisations, embeddings, recurrent layers. Each replay makes the operation's node anew, of tensors over the tape's
arrays, and asks it for its gradients; what is saved of it is replay of everything around."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import nn as modules
from engine.nn import batchnorm, mkldnn, recurrent
from engine.ops import conv, embedding, joins, loss, loss_regression, maps, norm, pool, reduce
from engine.replay import kernels
from engine.replay.kernels import Array, Contributions, Differs, Pair, require
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.replay.tape import Tape

Operation = Callable[..., Tensor]


class _Again:
    """An operation that is done again and again: its node of this time."""

    def __init__(self, operation: Operation, tensors: Sequence[Tensor], shapes: Sequence[Array | None]) -> None:
        self._operation, self._tensors = operation, tensors
        self.shapes = shapes  # arrays like the gradients, one per edge
        self._node: Any = None

    def compute(self, out: Array) -> None:
        try:
            made = self._operation(*self._tensors)
        except Exception:  # which is the script's to see, when it is executed as always
            raise Differs from None
        self._node = made._node
        np.copyto(out, made._array)

    def gradients(self, g: Array, *outs: Array) -> None:
        node = self._node
        found = node.backward(g, *node.unpack())
        for gradient, out in zip((each for each in _each(found) if each is not None), outs, strict=True):
            np.copyto(out, gradient)


def _each(gradients: Any) -> Sequence[Any]:
    return gradients if isinstance(gradients, (tuple, list)) else (gradients,)


def _anew(prepare: Callable[[Tape, Any], Operation]) -> Pair:
    """The kernel of an operation that `prepare` gives for a node: a function of its operands that are tensors."""

    def forward(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
        operation = prepare(tape, node)
        zeros = np.zeros(node.shape, node.dtype)
        slopes = _each(node.backward(zeros, *tape.saved(node)))
        shapes = [None if each is None else np.empty_like(each) for each in slopes]
        require(len(shapes) == len(node.edges) <= len(operands))
        tensors = []
        for number, array in enumerate(operands):
            tensor = Tensor._wrap(array)
            tensor._needs = number < len(node.edges) and node.edges[number] is not None
            tensors.append(tensor)
        again = tape.scratch[node] = _Again(operation, tensors, shapes)
        tape.may_differ = True
        tape.call(again.compute, out)

    def backward(tape: Tape, node: Any, g: Array) -> Contributions:
        again = tape.scratch[node]
        outs = [None if each is None else np.empty_like(each) for each in again.shapes]
        tape.call(again.gradients, g, *(each for each in outs if each is not None))
        return outs

    return forward, backward


def _convolution(tape: Tape, node: Any) -> Operation:
    geometry, size = node.geometry, node.shape[2:]
    if node.spreading:
        return lambda y, w, bias=None: conv.spread(y, w, geometry, size, bias)
    return lambda x, w, bias=None: conv.gather(x, w, geometry, bias)


def _max_pool(tape: Tape, node: Any) -> Operation:
    kernel, stride, padding, dilation, ceil = node.windows
    return lambda x: pool.max_pool2d(x, kernel, stride, padding, dilation, ceil)


def _linear_map(tape: Tape, node: Any) -> Operation:
    """Whose map does not depend on the numbers."""
    there, back, kind = node.there, node.back, type(node)
    return lambda x: maps.linear_op(kind, x, there, back, x)


def _batch_norm(tape: Tape, node: Any) -> Operation:
    module = tape.maker(node)
    require(isinstance(module, batchnorm._BatchNorm) and "__script__" not in vars(type(module)), "a function of norms")
    if module.training:
        tape.moves([each for each in module._buffers.values() if each is not None])
    return lambda x, *_: type(module).forward(module, x)


def _layer_norm(tape: Tape, node: Any) -> Operation:
    shape, eps, has_bias = node.groups[node.axes[0] :], node.eps, node.has_bias
    weighted = len(node.edges) > 1 + has_bias

    def operation(x: Tensor, *scales: Tensor) -> Tensor:
        weight, bias = scales[0] if weighted else None, scales[-1] if has_bias else None
        return norm.layer_norm(x, shape, weight, bias, eps)

    return operation


def _embedding(tape: Tape, node: Any) -> Operation:
    index = Tensor._wrap(tape.indices(node.indices))
    padding, by_frequency = node.padding, node.by_frequency
    return lambda table: embedding.embedding(index, table, padding, scale_grad_by_freq=by_frequency)


def _smooth_l1(tape: Tape, node: Any) -> Operation:
    require(all(x._array.shape == tape.given(node)[0]._array.shape for x in tape.given(node)))
    reduction, beta = node.reduction, node.beta
    return lambda x, y: loss_regression.smooth_l1_loss(x, y, reduction=reduction, beta=beta)


def _huber(tape: Tape, node: Any) -> Operation:
    require(all(x._array.shape == tape.given(node)[0]._array.shape for x in tape.given(node)))
    reduction, delta = node.reduction, node.delta
    return lambda x, y: loss_regression.huber_loss(x, y, reduction, delta)


def _sum(tape: Tape, node: Any) -> Operation:
    dims, keepdim = node.dims, node.keepdim
    return lambda x: reduce.sum(x, dims, keepdim)


def _mean(tape: Tape, node: Any) -> Operation:
    dims, keepdim = node.dims, node.keepdim
    return lambda x: reduce.mean(x, dims, keepdim)


def _cat(tape: Tape, node: Any) -> Operation:
    dim = node.dim
    return lambda *parts: joins.cat(parts, dim)


def _nll(tape: Tape, node: Any) -> Operation:
    module, target = tape.maker(node), Tensor._wrap(tape.array(node.target))
    require(not node.weighted or type(module) in (modules.CrossEntropyLoss, modules.NLLLoss), "a function with weights")
    weight = module.weight if node.weighted else None
    reduction, ignored = node.reduction, node.ignored
    return lambda x: loss.nll_loss(x, target, weight, ignore_index=ignored, reduction=reduction)


def _recurrent(tape: Tape, node: Any) -> Operation:
    walk, has_bias = node.walk, node.bias is not None

    def operation(x: Tensor, *others: Tensor) -> Tensor:
        *states, weight = others[: len(others) - has_bias]
        return recurrent.operation(walk, x, tuple(states), weight, others[-1] if has_bias else None)

    return operation


def _lstm(tape: Tape, node: Any) -> Operation:
    walk, biased = node.walk, node.biased
    return lambda *given: mkldnn.operation(walk, biased, *given)


def _layer_of(node: Any) -> Any:
    layer = node.edges[0]
    return layer.walk, layer.cells, node.which


def _put_part(walk: Any, cells: int, which: int, whole: Array, out: Array) -> None:
    np.copyto(out, recurrent.part(walk, cells, which, whole).reshape(out.shape))


def _shown(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    tape.call(_put_part, *_layer_of(node), operands[0], out)


def _shown_back(tape: Tape, node: Any, g: Array) -> Contributions:
    out = np.empty(node.edges[0].shape, g.dtype)
    tape.call(recurrent.placed, *_layer_of(node), g, out)
    return [out]


def _some_classes(plain: Pair, other: Pair) -> Pair:
    """Losses of classes that have weights, or of which some are ignored, the other way."""

    def chosen(node: Any) -> Pair:
        ignores = node.weighted or node.reduction == "none" or bool((node.target._array == node.ignored).any())
        return other if ignores else plain

    return (
        lambda tape, node, out, operands: chosen(node)[0](tape, node, out, operands),
        lambda tape, node, g: chosen(node)[1](tape, node, g),
    )


KERNELS: dict[type[Any], Pair] = {
    loss.NllLossBackward0: _some_classes(kernels.KERNELS[loss.NllLossBackward0], _anew(_nll)),
    loss.NllLoss2DBackward0: _anew(_nll),
    reduce.SumBackward1: _anew(_sum),
    reduce.MeanBackward1: _anew(_mean),
    joins.CatBackward0: _anew(_cat),
    conv.ConvolutionBackward0: _anew(_convolution),
    pool.MaxPool2DWithIndicesBackward0: _anew(_max_pool),
    pool.AvgPool2DBackward0: _anew(_linear_map),
    norm.NativeBatchNormBackward0: _anew(_batch_norm),
    norm.NativeLayerNormBackward0: _anew(_layer_norm),
    recurrent.RecurrentBackward0: _anew(_recurrent),
    recurrent.PartBackward0: (_shown, _shown_back),
    mkldnn.MkldnnRnnLayerBackward0: _anew(_lstm),
    mkldnn.LayerPartBackward0: (_shown, _shown_back),
    embedding.EmbeddingBackward0: _anew(_embedding),
    loss_regression.SmoothL1LossBackward0: _anew(_smooth_l1),
    loss_regression.HuberLossBackward0: _anew(_huber),
}
