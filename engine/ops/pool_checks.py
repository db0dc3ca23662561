"""Windows that no pooling takes, refused in PyTorch's words."""

from __future__ import annotations

from typing import Any

from engine.tensor import Tensor

Sizes = tuple[int, ...]


def check_windows(n: int, kernels: Sizes, steps: Sizes, borders: Sizes, gaps: Sizes) -> None:
    """Of `n` dimensions. Raises RuntimeError."""
    if 0 in steps:
        raise RuntimeError("stride should not be zero")
    for what, letter, sizes in (("kernel size", "k", kernels), ("stride", "d", steps), ("dilation", "dilation", gaps)):
        if min(sizes) <= 0:
            words = " ".join(f"{letter}{axis}: {s}" for axis, s in zip("THW"[3 - n :], sizes, strict=True))
            raise RuntimeError(f"{what} should be greater than zero, but got {words}")
    if min(borders) < 0:
        raise RuntimeError(f"pad must be non-negative, but got pad: {min(borders)}")
    for k, b in zip(kernels, borders, strict=True):
        if 2 * b > k:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={b}, kernel_size={k} and"
                f" dilation={gaps[-1]}"
            )


_ONE = {
    "kernel_size": "an int, list of ints or tuple of ints",
    "stride": "None, an int, list of ints, or tuple of ints",
    "padding": "an int, list of ints, or tuple of ints",
    "dilation": "an int, list of ints or tuple of ints",
}


def check_1d(name: str, input: Tensor, **given: Any) -> None:
    """The input of a pooling of one dimension, and that each of the arguments is one number. Raises RuntimeError."""
    shape = input._array.shape
    if len(shape) not in (2, 3) or (name == "max_pool1d" and 0 in shape[-2:]):
        if name == "max_pool1d":
            raise RuntimeError(
                "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but"
                f" got:{list(shape)}"
            )
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional tensor for argument #1 'self' (while"
            f" checking arguments for {name})"
        )
    for word, value in given.items():
        if isinstance(value, (tuple, list)) and len(value) > 1:
            if name == "max_pool1d":
                raise RuntimeError(f"max_pool1d() {word} must be {_ONE[word]} of size 1 but got size {len(value)}")
            raise RuntimeError(f"{name}() argument '{word}' should contain one int (got {len(value)})")
