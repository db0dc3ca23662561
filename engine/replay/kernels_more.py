"""More operations as calls of NumPy on given arrays (kernels.py): losses of two classes, pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops import activation_pieces, arithmetic, by_number, clib, loss, sleef
from engine.ops.either import scalar
from engine.replay.kernels import KERNELS as FIRST
from engine.replay.kernels import Array, Contributions, Differs, Pair, add_up_into, edge, require

if TYPE_CHECKING:
    from engine.replay.tape import Tape

add, subtract, multiply, divide = np.add, np.subtract, np.multiply, np.divide


# -- losses of two classes -------------------------------------------------------------------------------------------


def _reduce(tape: Tape, node: Any, value: Array, out: Array) -> None:
    require(node.reduction in ("mean", "sum") and value.size > 0)
    add_up_into(tape, value, out, node.reduction == "mean")


def _scale(tape: Tape, node: Any, slope: Array) -> None:
    """Divide last, as PyTorch does: the last digits depend on it."""
    if node.reduction == "mean":
        tape.call(divide, slope, scalar(node.size, slope.dtype), slope)


def _in_unit(x: Array) -> None:
    if not (x.min() >= 0 and x.max() <= 1):  # which is so of NaN too
        raise Differs


def _two_alike(tape: Tape, node: Any, x: Array, y: Array) -> None:
    require(x.shape == y.shape and x.dtype is y.dtype and not edge(node, 1))
    require(all(each is None for each in tape.saved(node)[2:]))


def _bce(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    p, y = operands
    _two_alike(tape, node, p, y)
    one, least = scalar(1, p.dtype), scalar(-100, p.dtype)
    tape.may_differ = True
    tape.call(_in_unit, p)
    tape.call(_in_unit, y)
    first = tape.new(clib.log1p, tape.new(np.negative, p))
    tape.call(_at_least, first, least)
    second = tape.new(clib.log, p)
    tape.call(_at_least, second, least)
    tape.call(multiply, tape.new(subtract, y, one), first, first)
    tape.call(multiply, y, second, second)
    tape.call(subtract, first, second, first)
    _reduce(tape, node, first, out)


def _at_least(x: Array, least: Array) -> None:
    np.maximum(x, least, out=x)


def _bce_back(tape: Tape, node: Any, g: Array) -> Contributions:
    p, y = tape.operands(node)
    below = tape.new(multiply, tape.new(subtract, scalar(1, p.dtype), p), p)
    floor = tape.new(add, below, scalar(0, p.dtype))
    tape.call(_at_least, floor, scalar(1e-12, p.dtype))
    tape.call(subtract, floor, below, floor)
    slope = tape.new(multiply, g, tape.new(subtract, p, y))
    tape.call(add, below, floor, below)
    tape.call(divide, slope, below, slope)
    _scale(tape, node, slope)
    return [slope, None]


def _logits(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x, y = operands
    _two_alike(tape, node, x, y)
    zero, one = scalar(0, x.dtype), scalar(1, x.dtype)
    value = tape.new(multiply, tape.new(subtract, one, y), x)
    far = tape.new(np.abs, x)
    tape.call(np.negative, far, far)
    tape.call(sleef.exp, far, far)
    tape.call(sleef.log1p, far, far)
    opposite = tape.new(np.negative, x)
    tape.call(_at_least, opposite, zero)
    tape.call(add, far, opposite, far)
    tape.call(add, value, far, value)
    _reduce(tape, node, value, out)


def _logits_back(tape: Tape, node: Any, g: Array) -> Contributions:
    x, y = tape.operands(node)
    one = scalar(1, x.dtype)
    slope = tape.new(np.negative, x)
    tape.call(sleef.exp_of_each, slope, x, slope)
    tape.call(add, one, slope, slope)
    tape.call(divide, one, slope, slope)
    tape.call(subtract, slope, y, slope)
    tape.call(multiply, slope, g, slope)
    _scale(tape, node, slope)
    return [slope, None]


# -- pieces ----------------------------------------------------------------------------------------------------------


def _leaky_relu(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
    x = operands[0]
    mask = tape.scratch[node] = np.empty(x.shape, np.bool_)
    tape.call(np.greater, x, scalar(0, x.dtype), mask)
    tape.call(multiply, x, scalar(node.slope, x.dtype), out)
    tape.call(np.copyto, out, x, "same_kind", mask)


def _leaky_relu_back(tape: Tape, node: Any, g: Array) -> Contributions:
    slope = tape.new(multiply, g, scalar(node.slope, g.dtype))
    tape.call(np.copyto, slope, g, "same_kind", tape.scratch[node])
    return [slope]


KERNELS: dict[type[Any], Pair] = {
    loss.BinaryCrossEntropyBackward0: (_bce, _bce_back),
    loss.BinaryCrossEntropyWithLogitsBackward0: (_logits, _logits_back),
    activation_pieces.LeakyReluBackward0: (_leaky_relu, _leaky_relu_back),
    by_number.MulBackward1: FIRST[arithmetic.MulBackward0],
    by_number.DivBackward1: FIRST[arithmetic.DivBackward0],
}
