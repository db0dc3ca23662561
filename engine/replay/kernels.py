"""Operations as calls of NumPy on given arrays: for each kind of node that can be replayed, what its forward and its
backward do in the engine, call by call, with results written into arrays made beforehand.

A forward is `(tape, node, output, operands) -> None`, a backward `(tape, node, g) -> contributions`, one array per edge
or None. Operands and results are arrays; numbers come as 0-d arrays of the result's dtype. Both add calls to the tape
and make the arrays that these write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops import (
    activation,
    arithmetic,
    gemm,
    linear,
    loss,
    loss_regression,
    matmul,
    pointwise,
    powers,
    reduce,
    rounded,
    sleef,
    vml,
)
from engine.ops.either import blank, scalar
from engine.ops.prepared import put
from engine.ops.summing import column_sums, in_runs, sum_along
from engine.replay import sums

if TYPE_CHECKING:
    from engine.replay.tape import Tape

Array = np.ndarray[Any, Any]
Contributions = Sequence[Array | None]
add, subtract, multiply, divide = np.add, np.subtract, np.multiply, np.divide


SHORT = 32
"""Columns up to which a row is short."""
"""Elements of a product from which on one is large."""


class Unsupported(Exception):
    """This cannot be replayed."""


class Differs(Exception):
    """What is being computed is not as it was recorded: the statement is to be executed as always."""


def require(condition: bool, why: str = "a setting that is not replayed") -> None:
    """Raises Unsupported, with `why`, where the condition does not hold."""
    if not condition:
        raise Unsupported(why)


def edge(node: Any, number: int) -> bool:
    """Whether a gradient is wanted for this operand."""
    return number < len(node.edges) and node.edges[number] is not None


# -- element by element ----------------------------------------------------------------------------------------------


def _binary(function: Any) -> Callable[..., None]:
    def forward(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
        tape.call(function, operands[0], operands[1], out)

    return forward


def _unary(function: Any) -> Callable[..., None]:
    def forward(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
        tape.call(function, operands[0], out)

    return forward


def rounded_once(tape: Tape, function: Any, x: Array, out: Array | None = None) -> Array:
    """A call of a function of engine/ops/rounded.py, as what it does with small arrays: the wider numbers have a place
    already."""
    if x.dtype is not np.dtype(np.float32) or x.size > rounded.MOST or not x.flags.writeable:
        if out is None:
            return tape.new(function, x)
        tape.call(function, x, out)
        return out
    wide = tape.spare(x.shape, np.dtype(np.float64))
    tape.call(put, x, wide)
    tape.call(getattr(np, function.__name__), wide, wide)
    out = np.empty(x.shape, x.dtype) if out is None else out
    tape.call(put, wide, out)
    return out


def _once(function: Any) -> Callable[..., None]:
    def forward(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
        rounded_once(tape, function, operands[0], out)

    return forward


def _exp_or_tanh(found: Callable[[Array], Any]) -> Callable[..., None]:
    def forward(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
        function = found(operands[0])
        if function in (rounded.exp, rounded.tanh):
            rounded_once(tape, function, operands[0], out)
        else:
            tape.call(function, operands[0], out)

    return forward


def _rsub(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    tape.call(subtract, operands[1], operands[0], out)


def _add_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [g] * len(node.edges)


def _sub_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [g if edge(node, 0) else None, tape.new(np.negative, g) if edge(node, 1) else None][: len(node.edges)]


def _negative_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [tape.new(np.negative, g)]


def _mul_back(tape: Tape, node: Any, g: Array) -> Contributions:
    a, b = tape.operands(node)
    if len(node.edges) == 1:
        return [tape.new(multiply, g, b if tape.is_tensor(node, 0) else a)]
    return [
        tape.new(multiply, g, b) if edge(node, 0) else None,
        tape.new(multiply, g, a) if edge(node, 1) else None,
    ]


def _div_back(tape: Tape, node: Any, g: Array) -> Contributions:
    a, b = tape.operands(node)
    require(tape.is_tensor(node, 0))
    first = tape.new(divide, g, b) if edge(node, 0) else None
    if not edge(node, 1):
        return [first, None][: len(node.edges)]
    slope = tape.new(divide, tape.new(divide, a, b), b)
    return [first, tape.new(multiply, tape.new(np.negative, g), slope)]


def _pow(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x, exponent = operands[0], tape.given(node)[1]
    require(exponent in (2, 3) and x.dtype.kind == "f")
    tape.call(multiply, x, x, out)
    if exponent == 3:
        tape.call(multiply, out, x, out)


def _pow_back(tape: Tape, node: Any, g: Array) -> Contributions:
    x = tape.operands(node)[0]
    if tape.given(node)[1] == 2:
        slope = tape.new(add, x, x)
    else:
        slope = tape.new(multiply, scalar(3.0, x.dtype), tape.new(multiply, x, x))
    return [tape.times(g, slope)]


def _tanh_slopes(tape: Tape, out: Array, slope: Array) -> None:
    tape.call(rounded.minus_product, scalar(1, out.dtype), out, out, slope)


def _tanh_back(tape: Tape, node: Any, g: Array) -> Contributions:
    slope = tape.slope(node)
    if slope is None:
        out = tape.output(node)
        _tanh_slopes(tape, out, slope := np.empty_like(out))
    tape.call(multiply, g, slope, slope)
    return [slope]


def _sigmoid(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    one = scalar(1, out.dtype)
    tape.call(np.negative, operands[0], out)
    tape.call(sleef.exp_of_each, out, operands[0], out)
    tape.call(add, one, out, out)
    tape.call(divide, one, out, out)


def _sigmoid_back(tape: Tape, node: Any, g: Array) -> Contributions:
    out = tape.output(node)
    slope = tape.new(multiply, g, tape.new(subtract, scalar(1, out.dtype), out))
    tape.call(multiply, slope, out, slope)
    return [slope]


def _exp_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [tape.new(multiply, g, tape.output(node))]


def _log_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [tape.new(divide, g, tape.operands(node)[0])]


def _relu(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x = operands[0]
    tape.call(maximum, blank(x), x, out)


def maximum(x: Array, y: Array, out: Array) -> None:
    np.maximum(x, y, out=out)


def _relu_slopes(tape: Tape, out: Array, slope: Array) -> None:
    """1 where a gradient is kept, as a whole number: what is multiplied are bits."""
    kept = tape.spare(out.shape, np.dtype(np.bool_))
    tape.call(np.not_equal, out, scalar(0, out.dtype), kept)  # what is on the tape is never below 0
    tape.call(put, kept, slope.view(f"i{out.itemsize}"))  # NumPy takes far longer for operands of two dtypes


def _relu_back(tape: Tape, node: Any, g: Array) -> Contributions:
    out, bits = tape.output(node), tape.slope(node)
    kind = np.dtype(f"i{out.itemsize}")
    if bits is None:
        _relu_slopes(tape, out, bits := tape.spare(out.shape, kind))
    result = g if tape.owns(g) else np.empty_like(out)  # the less memory, the more of it is near the processor
    tape.call(multiply, bits.view(kind), g.view(kind), result.view(kind))
    return [result]


# -- sums ------------------------------------------------------------------------------------------------------------


def add_up_into(tape: Tape, x: Array, out: Array, mean: bool = False) -> None:
    """The sum or the mean of an array, as the engine adds."""
    calls, total = sums.total(x)
    tape.now += calls
    if mean:
        tape.call(divide, total, scalar(x.size, x.dtype), out)
    else:
        tape.call(put, total, out)


def _column_sums(tape: Tape, x: Array) -> Array:
    if not x.flags.writeable:  # it may be a constant
        return tape.new(column_sums, x)
    out = np.empty(x.shape[1], x.dtype)
    tape.call(sums.of_columns, x, out)
    return out


def _sum(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    add_up_into(tape, operands[0], out)


def _sum_back(tape: Tape, node: Any, g: Array) -> Contributions:
    return [np.broadcast_to(g, node.source)]


def _mean(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x = operands[0]
    require(x.size > 0)
    add_up_into(tape, x, out, mean=True)


def _mean_back(tape: Tape, node: Any, g: Array) -> Contributions:
    size = int(np.prod(node.source))
    return [np.broadcast_to(tape.new(divide, g, scalar(size, g.dtype)), node.source)]


# -- products --------------------------------------------------------------------------------------------------------


def _linear(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    bias, x, weight = operands
    if gemm.takes_bias(x, weight.T) and bias.ndim == 1:
        tape.call(gemm.onto, x, weight.T, bias, out)
        return
    tape.product(x, weight.T, out)
    if out.shape[1] == 1 and bias.size == 1:
        bias = bias.reshape(())
    elif out.shape[1] <= SHORT and len(out) > 1:  # NumPy takes much longer to add a short row to each row
        bias = _in_each_row(tape, bias, out)
    tape.call(add, out, bias, out)


def _in_each_row(tape: Tape, x: Array, like: Array) -> Array:
    """A row as every row of a matrix, for use right away. Rows are copied as one thing each: number by number NumPy
    takes twice as long."""
    rows = tape.spare(like.shape, like.dtype)
    if x.flags.c_contiguous and x.size == like.shape[1]:
        whole = np.dtype((np.void, like.shape[1] * like.itemsize))
        tape.call(put, x.reshape(-1).view(whole), rows.view(whole).reshape(-1))
    else:
        tape.call(put, x, rows)
    return rows


def one_each(tape: Tape, a: Array, b: Array, out: Array) -> None:
    """The product of a column and a row. Short rows take NumPy longer than copies of both."""
    if b.shape[1] <= SHORT:
        tape.call(put, a, out)
        tape.call(multiply, out, _in_each_row(tape, b, out), out)
    else:
        tape.call(multiply, a, b, out)


def _of_weight(tape: Tape, g: Array, x: Array) -> Array:
    """A weight's gradient."""
    return tape.product(g.T, x)


def _linear_back(tape: Tape, node: Any, g: Array) -> Contributions:
    _, x, weight = tape.operands(node)
    return [
        _column_sums(tape, g) if edge(node, 0) else None,
        tape.product(g, weight) if edge(node, 1) else None,
        _of_weight(tape, g, x) if edge(node, 2) else None,
    ]


def _linear_alone(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    tape.product(operands[0], operands[1].T, out)


def _linear_alone_back(tape: Tape, node: Any, g: Array) -> Contributions:
    x, weight = tape.operands(node)
    return [
        tape.product(g, weight) if edge(node, 0) else None,
        _of_weight(tape, g, x) if edge(node, 1) else None,
    ]


def _mm(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    tape.product(operands[0], operands[1], out)


def _mm_back(tape: Tape, node: Any, g: Array) -> Contributions:
    a, b = tape.operands(node)
    return [
        tape.product(g, b.T) if edge(node, 0) else None,
        tape.product(a.T, g) if edge(node, 1) else None,
    ]


# -- losses ----------------------------------------------------------------------------------------------------------


def _mse(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x, y = operands
    require(x.shape == y.shape and x.dtype is y.dtype and node.reduction in ("mean", "sum"))
    difference = tape.scratch[node] = np.empty_like(x)
    tape.call(subtract, x, y, difference)
    add_up_into(tape, tape.new(multiply, difference, difference), out, node.reduction == "mean")


def _mse_back(tape: Tape, node: Any, g: Array) -> Contributions:
    x = tape.operands(node)[0]
    require(not edge(node, 1))
    factor = g if node.reduction == "sum" else tape.new(divide, g, scalar(x.size, g.dtype))
    factor = tape.new(multiply, factor, scalar(2, g.dtype))
    return [tape.new(multiply, tape.scratch[node], factor), None]


def _log_softmax(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x = operands[0]
    dim = node.dim
    require(x.ndim > 0 and x.size > 0 and x.flags.c_contiguous)
    row = np.empty([1 if i == dim % x.ndim else n for i, n in enumerate(x.shape)], x.dtype)
    tape.call(np.maximum.reduce, x, dim, None, row, True)
    tape.call(subtract, x, row, out)
    tape.call(sum_along, tape.new(sleef.exp, out), dim, row)
    tape.call(sleef.log, row, row)
    tape.call(subtract, out, row, out)


def _log_softmax_back(tape: Tape, node: Any, g: Array) -> Contributions:
    out, dim = tape.output(node), node.dim
    row = np.empty([1 if i == dim % out.ndim else n for i, n in enumerate(out.shape)], out.dtype)
    tape.call(sum_along, g, dim, row)
    slope = tape.new(sleef.exp, out)
    tape.call(rounded.minus_product, g, slope, row, slope)
    return [slope]


def _nll(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x = operands[0]
    y, classes, ignored = tape.array(node.target), x.shape[1], node.ignored
    require(x.ndim == 2 and x.flags.c_contiguous and y.ndim == 1 and len(y) > 0 and y.dtype == np.int64)
    require(node.reduction in ("mean", "sum") and not node.weighted)

    def fits() -> bool:
        return bool(y.min() >= 0 and y.max() < classes and not (y == ignored).any())

    require(fits())
    if y is node.target._array:
        tape.stays.append(fits)
    else:  # it varies, or shows what may
        tape.check(fits)
    places = tape.scratch[node] = np.empty(len(y), np.int64)
    tape.call(add, np.arange(len(y)) * classes, y, places)
    losses = np.empty(len(y), x.dtype)
    tape.call(np.take, x.reshape(-1), places, None, losses, "clip")
    tape.call(np.negative, losses, losses)
    tape.call(in_runs, losses, out)
    if node.reduction == "mean":
        tape.call(divide, out, scalar(len(y), x.dtype), out)


def _nll_back(tape: Tape, node: Any, g: Array) -> Contributions:
    x = tape.operands(node)[0]
    places = tape.scratch[node]
    slope, result = np.empty_like(x), np.empty_like(x)
    if node.reduction == "mean":
        g = tape.new(divide, g, scalar(len(places), g.dtype))
    tape.call(slope.fill, 0)
    tape.call(np.put, slope, places, -1)
    tape.call(multiply, g, slope, result)
    return [result]


AT_ONCE: dict[type[Any], tuple[Callable[..., None], int, int]] = {
    pointwise.TanhBackward0: (_tanh_slopes, 8, 256),
    activation.ReluBackward0: (_relu_slopes, 2, 2048),
}
"""Kinds whose gradient takes a function of the result alone: `(tape, results, slopes) -> None` for many of them, from
how many on their results lie side by side, and up to how many elements of each."""

Pair = tuple[Callable[..., None], Callable[..., Contributions]]

KERNELS: dict[type[Any], Pair] = {
    arithmetic.AddBackward0: (_binary(add), _add_back),
    arithmetic.SubBackward0: (_binary(subtract), _sub_back),
    arithmetic.RsubBackward1: (_rsub, _negative_back),
    arithmetic.MulBackward0: (_binary(multiply), _mul_back),
    arithmetic.DivBackward0: (_binary(divide), _div_back),
    arithmetic.NegBackward0: (_unary(np.negative), _negative_back),
    powers.PowBackward0: (_pow, _pow_back),
    pointwise.TanhBackward0: (_exp_or_tanh(vml.tanh_for), _tanh_back),
    pointwise.SigmoidBackward0: (_sigmoid, _sigmoid_back),
    pointwise.ExpBackward0: (_exp_or_tanh(vml.exp_for), _exp_back),
    pointwise.LogBackward0: (_once(rounded.log), _log_back),
    activation.ReluBackward0: (_relu, _relu_back),
    activation.LogSoftmaxBackward0: (_log_softmax, _log_softmax_back),
    reduce.SumBackward0: (_sum, _sum_back),
    reduce.MeanBackward0: (_mean, _mean_back),
    linear.AddmmBackward0: (_linear, _linear_back),
    linear.LinearMmBackward0: (_linear_alone, _linear_alone_back),
    matmul.MmBackward0: (_mm, _mm_back),
    loss_regression.MseLossBackward0: (_mse, _mse_back),
    loss.NllLossBackward0: (_nll, _nll_back),
}
