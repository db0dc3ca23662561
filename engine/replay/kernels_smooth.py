"""Functions of one tensor that take NumPy longer than a call of Python does: the engine's own, on the tape's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.ops import activation, activation_smooth, pointwise
from engine.replay.kernels import Array, Contributions, Pair, require
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.replay.tape import Tape


def _compute(operation: Callable[..., Tensor], x: Tensor, settings: dict[str, Any], out: Array) -> None:
    np.copyto(out, operation(x, **settings)._array)


def _slope(node: Any, g: Array, seen: Array, out: Array) -> None:
    np.copyto(out, node.backward(g, seen))


def _as_the_engine(operation: Callable[..., Tensor], fits: Callable[[Any], bool] | None = None, **names: str) -> Pair:
    """`names` are the operation's arguments and what its node calls them; `fits` says of a node whether it is that
    operation's."""

    def forward(tape: Tape, node: Any, out: Array, operands: list[Array]) -> None:
        require(fits is None or fits(node))
        settings = {name: getattr(node, attribute) for name, attribute in names.items()}
        tape.call(_compute, operation, Tensor._wrap(operands[0]), settings, out)

    def backward(tape: Tape, node: Any, g: Array) -> Contributions:
        seen = tape.output(node) if node.saves_output else tape.operands(node)[0]
        slope = np.empty_like(seen)
        tape.call(_slope, node, g, seen, slope)
        return [slope]

    return forward, backward


KERNELS: dict[type[Any], Pair] = {
    pointwise.SqrtBackward0: _as_the_engine(pointwise.sqrt),
    pointwise.SinBackward0: _as_the_engine(pointwise.sin),
    pointwise.CosBackward0: _as_the_engine(pointwise.cos),
    pointwise.AbsBackward0: _as_the_engine(pointwise.abs),
    activation.SiluBackward0: _as_the_engine(activation.silu),
    activation.GeluBackward0: _as_the_engine(activation.gelu, approximate="approximate"),
    activation.SoftplusBackward0: _as_the_engine(activation.softplus, beta="beta", threshold="threshold"),
    activation.SoftmaxBackward0: _as_the_engine(activation.softmax, dim="dim"),
    activation_smooth.EluBackward0: _as_the_engine(
        activation_smooth.elu, lambda node: node.scale == node.rate == 1, alpha="alpha"
    ),
}
