"""Products and quotients by numbers as PyTorch's own functions have them: its nodes hold the number as it is, where an
operator of the user's makes a tensor of it."""

from __future__ import annotations

from engine.ops.arithmetic import DivBackward0, MulBackward0, div, mul
from engine.tensor import Tensor


class MulBackward1(MulBackward0):
    """d(a * number) = number da."""

    operands = 1


class DivBackward1(DivBackward0):
    """d(a / number) = da / number."""

    operands = 1


def times(tensor: Tensor, number: float) -> Tensor:
    """tensor * number."""
    made: Tensor = mul(tensor, number)
    if made._node is not None:
        made._node.__class__ = MulBackward1
    return made


def over(tensor: Tensor, number: float) -> Tensor:
    """tensor / number."""
    made: Tensor = div(tensor, number)
    if made._node is not None:
        made._node.__class__ = DivBackward1
    return made
