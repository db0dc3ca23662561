"""Gradients that only some rows of a table have: what an embedding with sparse=True gives.

PyTorch's is a sparse tensor of the rows that were used. Here it is the dense gradient, which everybody sees who
computes with it or draws it, with those rows beside it: for optimizers that change these alone, and for its text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, layouts, printing
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]

_UNSORTED = "Cannot get {} on an uncoalesced tensor, please call .coalesce() first"


class Rows(np.ndarray[Any, Any]):
    """Such a gradient on its way to the table. `rows` (int64, n) may name one row several times; `values` (n, ...) are
    added up there."""

    rows: Array
    values: Array

    @staticmethod
    def of(rows: Array, values: Array, shape: tuple[int, ...]) -> Rows:
        """The gradient of a table of this shape."""
        made = np.zeros(shape, values.dtype)
        np.add.at(made, rows, values)
        found = made.view(Rows)
        found.rows, found.values = rows, values
        return found

    def __array_ufunc__(self, ufunc: np.ufunc, method: Any, *inputs: Any, **kwargs: Any) -> Any:
        if ufunc is np.add and method == "__call__" and not kwargs and all(isinstance(x, Rows) for x in inputs):
            rows = np.concatenate([x.rows for x in reversed(inputs)])  # what arrives later comes first
            return Rows.of(rows, np.concatenate([x.values for x in reversed(inputs)]), self.shape)
        plain = [x.view(np.ndarray) if isinstance(x, Rows) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)


class RowGradient(Tensor):
    """The gradient of a table in whose rows it was used. Whoever changes its elements changes those of the rows."""

    __slots__ = ("_at", "_entries", "_rows", "_sorted")

    _rows: Array
    _entries: Array  # what belongs to each row
    _at: int  # the version of which that is true
    _sorted: bool

    is_sparse = True
    layout = layouts.sparse_coo

    @staticmethod
    def made(rows: Array, values: Array, shape: tuple[int, ...], array: Array | None = None) -> RowGradient:
        """The gradient of a table of this shape; `array` is the dense one, where it is known."""
        dense = Rows.of(rows, values, shape).view(np.ndarray) if array is None else array
        found: RowGradient = RowGradient._like(Tensor._wrap(dense))
        found._rows, found._entries, found._at, found._sorted = rows, values, 0, False
        return found

    def entries(self) -> tuple[Array, Array]:
        """The rows that were used (n) and what belongs to each (n, ...)."""
        if self._count() != self._at:  # the dense gradient was changed in place
            self._rows = np.unique(self._rows)
            self._entries, self._at = self._array[self._rows], self._count()
        return self._rows, self._entries

    def added(self, more: Rows) -> RowGradient:
        """With another one, as two backwards after each other give it."""
        rows, values = self.entries()
        array = np.add(self._array, more.view(np.ndarray))
        return RowGradient.made(
            np.concatenate((rows, more.rows)), np.concatenate((values, more.values)), array.shape, array
        )

    def _once(self) -> bool:
        return self._sorted or len(self.entries()[0]) < 2

    def is_coalesced(self) -> bool:
        """Whether no row can be there several times."""
        return self._once()

    def coalesce(self) -> RowGradient:
        """Each row once, in order."""
        if self._sorted:
            return self
        rows, values = summed(*self.entries())
        found = RowGradient.made(rows, values, self._array.shape, self._array.copy())
        found._sorted = True
        return found

    def indices(self) -> Tensor:
        """int64 (1, n): the rows. Raises RuntimeError where one may be there several times."""
        if not self._once():
            raise RuntimeError(_UNSORTED.format("indices"))
        return Tensor._wrap(self.entries()[0][None])

    def values(self) -> Tensor:
        """(n, ...): what belongs to each row. Raises RuntimeError where one may be there several times."""
        if not self._once():
            raise RuntimeError(_UNSORTED.format("values"))
        return Tensor._wrap(self.entries()[1])

    def _indices(self) -> Tensor:
        return Tensor._wrap(self.entries()[0][None])

    def _values(self) -> Tensor:
        return Tensor._wrap(self.entries()[1])

    def _nnz(self) -> int:
        return len(self.entries()[0])

    def sparse_dim(self) -> int:
        return 1

    def dense_dim(self) -> int:
        return self._array.ndim - 1

    def to_dense(self, dtype: dtypes.dtype | None = None) -> Tensor:
        """The dense gradient."""
        found = Tensor._wrap(self._array.copy())
        return found if dtype is None else found.to(dtype)

    def detach(self) -> RowGradient:
        """Itself: it has no history."""
        return self

    @property
    def data(self) -> Any:
        return self

    @data.setter
    def data(self, value: Any) -> None:
        raise RuntimeError("set_storage is not allowed on a Tensor created from .data or .detach().")

    def clone(self, *, memory_format: Any = None) -> RowGradient:
        rows, values = self.entries()
        found = RowGradient.made(rows, values.copy(), self._array.shape, self._array.copy())
        found._sorted = self._sorted
        return found

    def __copy__(self) -> RowGradient:
        found: RowGradient = RowGradient._like(self)
        found._rows, found._entries = self.entries()
        found._at, found._sorted = self._at, self._sorted
        return found

    def __deepcopy__(self, memo: dict[Any, Any]) -> Tensor:
        if id(self) not in memo:
            memo[id(self)] = self.clone()
        return memo[id(self)]

    def numpy(self, *wrong: Any, force: bool = False) -> Any:
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def __repr__(self) -> str:
        rows, values = self.entries()
        kind = "" if values.dtype == np.float32 else f", dtype={self.dtype!r}"
        lines = [_told("tensor(indices=", rows[None]), _told("       values=", values)]
        lines.append(f"       size={tuple(self._array.shape)}, nnz={len(rows)}{kind}, layout=torch.sparse_coo)")
        return ",\n".join(lines)


def _told(head: str, part: Array) -> str:
    """The text of a part after `head`; its lines are as long as those of the whole may be."""
    if not part.size:
        return f"{head}tensor([], size={part.shape})"
    return f"{head}tensor({printing.format_array(part, len(head) + 7)})"


RowGradient.__name__ = RowGradient.__qualname__ = "Tensor"
RowGradient.__module__ = "torch"


def gradient(g: Any, kind: Any = None, order: Any = "K") -> Tensor:
    """A gradient that has arrived, as a tensor of its own."""
    if g.__class__ is Rows:
        return RowGradient.made(g.rows, g.values, g.shape, g.view(np.ndarray))
    return Tensor._wrap(np.array(g, kind, copy=True, order=order, subok=True))


def summed(rows: Array, values: Array) -> tuple[Array, Array]:
    """Each row once, in order, with the sum of what belongs to it."""
    once, places = np.unique(rows, return_inverse=True)
    sums = np.zeros((len(once), *values.shape[1:]), values.dtype)
    np.add.at(sums, places, values)
    return once, sums
