"""What a statement picks from tensors at places that vary (`X[ix]`, `X[i:i + b]`): which of its operands that is, and
what shows a part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.replay.kernels import require
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]
Pick = tuple[Tensor, Any, Tensor]
"""Of what, where, and what was there."""


class Picks:
    """Those of the current statement, and which of all so far share their memory with what they were picked from."""

    def __init__(self) -> None:
        self._written: list[tuple[str, Tensor, Any, Array]] = []  # name, of what, where, the tape's copy
        self._views: list[tuple[Tensor, Tensor]] = []  # what was there, of what
        self._others: list[Array] = []  # what the statement picked and is not written as one of its externals

    def begin(self) -> None:
        """Another statement."""
        self._written, self._others = [], []

    def add(self, name: str, names: Any, copy: Array) -> None:
        """The statement reads what is picked under this name; `copy` is where the tape has it."""
        self._written.append((name, *names.place(name), copy))

    def found(self, often: Mapping[str, int], picks: Sequence[Pick]) -> Iterator[tuple[Tensor, Array]]:
        """The tensors that were picked while the statement was executed, and where the tape has them. Raises
        Unsupported where something was picked in the same way more often than it is written."""
        linked: set[int] = set()
        for name, base, place, copy in self._written:
            results = [result for source, at, result in picks if source is base and _same_place(at, place)]
            require(len(results) == often[name], f"`{name}` is picked in another way, too")
            for result in results:
                linked.add(id(result))
                if result._base is not None:
                    self._views.append((result, base))
                yield result, copy
        self._others = [result._array for _, _, result in picks if id(result) not in linked]

    def among(self, array: Array, known: Sequence[Tensor]) -> Sequence[Tensor]:
        """The tensors a part of which an array may be: those that are `known`, or what was picked, where it lies in
        that. Raises Unsupported where it may as well be a part that stays, or of something else that was picked."""
        around = [pair for pair in self._views if np.may_share_memory(array, pair[0]._array)]
        if not around:
            return known
        ((result, base), *more) = around
        picked = {id(each) for each, _ in self._views}
        others = [*self._others, *(each._array for each in known if id(each) not in picked)]
        mixed = any(np.may_share_memory(base._array, each) for each in others)
        require(not more and not mixed, "a part of what varies is shown")
        return [result]


def _same_place(a: Any, b: Any) -> bool:
    """Whether two indices are the same: the same tensors, equal numbers and slices."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same_place, a, b))
    return a is b or (type(a) is type(b) and type(a) in (int, slice) and bool(a == b))
