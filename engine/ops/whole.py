"""Operations of whole numbers: bits, shifts, common divisors. They have no gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.dispatch import laid_out, only_for, operand, pair, shape_error, with_number, wrap
from engine.ops.into import into_one
from engine.ops.overriding import Overridden
from engine.ops.widened import again
from engine.tensor import Tensor

FUNCTIONS = METHODS = "bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift gcd lcm"
IN_PLACE = METHODS


def _whole(name: str, kinds: str, function: Any, input: Any, other: Any, out: Any = None) -> Any:
    """function(input, other) in the dtype that both promote to, which must be of one of the `kinds`."""
    a, b = operand(input), operand(other)
    if a is None or b is None or not (isinstance(a, Tensor) or isinstance(b, Tensor)):
        return NotImplemented
    try:
        if not isinstance(a, Tensor):
            y, x = with_number(b._array, a)
        elif not isinstance(b, Tensor):
            x, y = with_number(a._array, b)
        else:
            x, y = pair(a._array, b._array)
    except Overridden:
        return again(name, _whole, (name, kinds, function, input, other, out), {})
    only_for(kinds, x if isinstance(x, np.ndarray) else y, f"{name}_cpu")
    try:
        result = function(x, y)
    except ValueError:
        raise shape_error(x, y) from None
    return into_one(out, wrap(laid_out(result, x, y) if result.ndim > 1 else result))


def _tensors(*given: Any) -> None:
    if not all(isinstance(each, Tensor) for each in given):
        raise TypeError("a Tensor is wanted")  # the guard says it in PyTorch's words


def bitwise_and(input: Any, other: Any, *, out: Any = None) -> Any:
    """input & other; of bools, both."""
    return _whole("bitwise_and", "iub", np.bitwise_and, input, other, out)


def bitwise_or(input: Any, other: Any, *, out: Any = None) -> Any:
    """input | other; of bools, either."""
    return _whole("bitwise_or", "iub", np.bitwise_or, input, other, out)


def bitwise_xor(input: Any, other: Any, *, out: Any = None) -> Any:
    """input ^ other; of bools, one of them."""
    return _whole("bitwise_xor", "iub", np.bitwise_xor, input, other, out)


def bitwise_not(input: Tensor, *, out: Any = None) -> Any:
    """~input; of bools, not."""
    _tensors(input)
    only_for("iub", input._array, "bitwise_not_cpu")
    return into_one(out, wrap(np.invert(input._array)))


def inverted(input: Tensor) -> Any:
    """The operator ~."""
    if input._array.dtype.kind == "f":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return bitwise_not(input)


def _left(x: Any, y: Any) -> Any:
    """x << y; 0 where nothing of x stays."""
    bits = 8 * x.dtype.itemsize
    inside = (y >= 0) & (y < bits)
    return np.where(inside, np.left_shift(x, np.clip(y, 0, bits - 1)), x.dtype.type(0))


def _right(x: Any, y: Any) -> Any:
    """x >> y; as far as it goes where y is larger than that, or below 0."""
    most = 8 * x.dtype.itemsize - (x.dtype.kind == "i")
    far = (y < 0) | (y >= most)
    shifted = np.right_shift(x, np.where(far, 0, y).astype(x.dtype))
    return np.where(far, np.where(x < 0, x.dtype.type(-1 if x.dtype.kind == "i" else 0), x.dtype.type(0)), shifted)


def bitwise_left_shift(input: Any, other: Any, *, out: Any = None) -> Any:
    """input << other."""
    return _whole("lshift", "iu", _left, input, other, out)


def bitwise_right_shift(input: Any, other: Any, *, out: Any = None) -> Any:
    """input >> other, with the sign of `input`."""
    return _whole("rshift", "iu", _right, input, other, out)


def gcd(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The greatest common divisor."""
    _tensors(input, other)
    return _whole("gcd", "iu", np.gcd, input, other, out)


def lcm(input: Tensor, other: Tensor, *, out: Any = None) -> Any:
    """The least common multiple."""
    _tensors(input, other)
    return _whole("lcm", "iu", np.lcm, input, other, out)
