"""What computing changes beside the arrays of a tape: random numbers are drawn, buffers move. Seen while an iteration
is recorded, and put back when one turns out otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from engine.ops import creation, drop, shape
from engine.random import Generator, default_generator
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]
DRAWING = ("bernoulli", "normal", "uniform")
"""Methods of a generator whose calls can be made again."""


class Draw:
    """A call of the generator's, and what it made; `mask` is the tensor that dropout multiplies by, made of it."""

    def __init__(self, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self.again = partial(getattr(Generator, name), default_generator, *arguments, **keywords)
        self.made: Array = self.again()
        self.mask: Tensor | None = None
        self._share = float(arguments[1]) if name == "bernoulli" and len(arguments) > 1 else 0.0

    def into(self, tensor: Tensor) -> Any:
        """What draws anew into an array of what this has become in `tensor`: the numbers themselves, or what dropout
        multiplies by. None where it is neither."""
        array = tensor._array
        if array is self.made:
            return self._numbers
        kept = self._share and (self.made / array.dtype.type(self._share)).tobytes()
        return self._mask if tensor is self.mask and kept == array.tobytes() else None

    def _numbers(self, out: Array) -> None:
        np.copyto(out, self.again())

    def _mask(self, out: Array) -> None:
        np.divide(self.again(), out.dtype.type(self._share), out)


@contextmanager
def drawing(
    draws: list[Draw],
    blanks: list[Array],
    copies: list[tuple[Array, Array]],
    picks: list[tuple[Tensor, Any, Tensor]],
) -> Iterator[None]:
    """What is drawn inside the block is written down, which zeros and ones are made, what is copied to lie in rows
    (of what, copy) and what is picked from tensors (of what, where, what was there)."""

    def drawn(name: str, *arguments: Any, **keywords: Any) -> Array:
        draws.append(Draw(name, arguments, keywords))
        return draws[-1].made

    def wrapped(array: Array) -> Tensor:
        mask: Tensor = wrap(array)
        if draws:
            draws[-1].mask = mask
        return mask

    def blank(*given: Any) -> Array:
        blanks.append(same(*given))
        return blanks[-1]

    def copied(x: Array) -> Array:
        copies.append((x, in_rows(x)))
        return copies[-1][1]

    def picked(x: Tensor, index: Any) -> Tensor:
        picks.append((x, index, getitem(x, index)))
        return picks[-1][2]

    getitem: Any = Tensor.__getitem__
    same, in_rows = creation.same, vars(shape)["in_rows"]
    own, of_dropout = vars(default_generator), vars(drop)
    own.update({name: partial(drawn, name) for name in DRAWING})
    wrap, of_dropout["wrap"] = of_dropout["wrap"], wrapped
    vars(creation)["same"], vars(shape)["in_rows"] = blank, copied
    Tensor.__getitem__ = picked  # type: ignore[method-assign]
    try:
        yield
    finally:
        Tensor.__getitem__ = getitem  # type: ignore[method-assign]
        of_dropout["wrap"], vars(creation)["same"], vars(shape)["in_rows"] = wrap, same, in_rows
        for name in DRAWING:
            del own[name]


def stream() -> bytes | None:
    """Where random numbers are; None where none was drawn yet (NumPy's are imported with the first)."""
    return default_generator.get_bytes() if "_source" in vars(default_generator) else None


class Undo:
    """Where random numbers (if any are drawn) and some buffers were; called, it puts them back."""

    def __init__(self, by_chance: bool, buffers: Sequence[Tensor]) -> None:
        self._stream = default_generator.get_bytes() if by_chance else None
        self._were = [(buffer, buffer._array.copy(), buffer._count()) for buffer in buffers]

    def __call__(self) -> None:
        if self._stream is not None:
            default_generator.set_bytes(self._stream)
        for buffer, array, count in self._were:
            np.copyto(buffer._array, array)
            buffer._share_counter()[0] = count


def states_of(buffers: Sequence[Tensor]) -> list[tuple[bytes, int]]:
    """What buffers hold, and their versions."""
    return [(buffer._array.tobytes(), buffer._count()) for buffer in buffers]
