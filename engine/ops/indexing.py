"""x[index] and x[index] = value."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.ops import either, inplace
from engine.ops.dispatch import wrap
from engine.ops.shape import view_of
from engine.tensor import Tensor


def _plain(index: Any) -> Any:
    """The index as NumPy takes it: tensors as arrays."""
    if isinstance(index, tuple):
        return tuple(_plain(i) for i in index)
    if isinstance(index, Tensor):
        a = index._array
        return a if a.ndim or a.dtype == np.bool_ else int(a)
    if isinstance(index, slice):
        return slice(*(int(p) if isinstance(p, Tensor) else p for p in (index.start, index.stop, index.step)))
    if isinstance(index, list):
        return np.asarray([_plain(i) for i in index])
    return index


def _is_basic(index: Any) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return all(
        p is None or p is Ellipsis or (isinstance(p, (int, slice, np.integer)) and not isinstance(p, bool))
        for p in parts
    )


class IndexBackward0(Node):
    """The gradient goes to where the elements came from; elements taken twice get both."""

    operation = "index"
    index: Any = None
    source: tuple[int, ...] = ()

    def backward(self, g: Any) -> Any:
        a = either.data(g)
        out = np.zeros(self.source, a.dtype)
        if isinstance(g, Tensor):
            result = wrap(out)
            if grad_mode.enabled and g._needs:
                node = record(_ScatterBackward0, result, (g,))
                node.index = self.index  # type: ignore[attr-defined]
            np.add.at(out, self.index, a)
            return result
        np.add.at(out, self.index, a)
        return out


class _ScatterBackward0(Node):
    """The gradient of putting elements into zeros: taking them out again."""

    operation = "index_put"
    index: Any = None

    def name(self) -> str:
        return "IndexPutBackward0"

    def backward(self, g: Any) -> Any:
        return g[self.index]


class SelectBackward0(IndexBackward0):
    operation = "select"


class SliceBackward0(IndexBackward0):
    operation = "slice"


def getitem(input: Tensor, index: Any) -> Tensor:
    """The elements at `index`: a view for ints, slices, None and Ellipsis, a copy for masks and index tensors."""
    x = input._array
    plain = _plain(index)
    _check(x, plain)
    try:
        array = x[plain]
    except IndexError as error:
        raise _index_error(x, plain, error) from None
    if _is_basic(plain):
        kind: type[IndexBackward0] = SelectBackward0 if isinstance(plain, int) else SliceBackward0
        if isinstance(plain, tuple) and any(isinstance(p, int) for p in plain):
            kind = SelectBackward0
        array = (
            array if isinstance(array, np.ndarray) else x[(plain if isinstance(plain, tuple) else (plain,)) + (...,)]
        )
        return view_of(kind, input, array, lambda t: getitem(t, index), index=plain, source=x.shape)
    out = wrap(array)
    if input._needs and grad_mode.enabled:
        node = record(IndexBackward0, out, (input,))
        assert isinstance(node, IndexBackward0)
        node.index, node.source = plain, x.shape
    return out


def _check(x: np.ndarray[Any, Any], plain: Any) -> None:
    parts = plain if isinstance(plain, tuple) else (plain,)
    used = sum(
        p.ndim if isinstance(p, np.ndarray) and p.dtype == np.bool_ else 1
        for p in parts
        if p is not None and p is not Ellipsis
    )
    if used > x.ndim:
        if x.ndim == 0:
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in"
                " C++ to convert a 0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {x.ndim}")
    for p in parts:
        if isinstance(p, np.ndarray) and p.dtype.kind == "f":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
        if isinstance(p, (float, str)):
            raise TypeError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid"
                f" indices (got {type(p).__name__})"
            )


def _index_error(x: np.ndarray[Any, Any], plain: Any, error: IndexError) -> IndexError:
    parts = plain if isinstance(plain, tuple) else (plain,)
    dim = 0
    for p in parts:
        if p is None:
            continue
        if p is Ellipsis:
            dim = x.ndim - sum(1 for q in parts[parts.index(p) + 1 :] if q is not None)
            continue
        if isinstance(p, int) and not -x.shape[dim] <= p < x.shape[dim]:
            return IndexError(f"index {p} is out of bounds for dimension {dim} with size {x.shape[dim]}")
        if isinstance(p, np.ndarray) and p.dtype.kind in "iu" and p.size:
            bad = p[(p < -x.shape[dim]) | (p >= x.shape[dim])]
            if bad.size:
                return IndexError(
                    f"index {int(bad.flat[0])} is out of bounds for dimension {dim} with size {x.shape[dim]}"
                )
        if isinstance(p, np.ndarray) and p.dtype == np.bool_ and p.shape != x.shape[dim : dim + p.ndim]:
            return IndexError(
                f"The shape of the mask {list(p.shape)} at index 0 does not match the shape of the indexed"
                f" tensor {list(x.shape)} at index {dim}"
            )
        dim += p.ndim if isinstance(p, np.ndarray) and p.dtype == np.bool_ else 1
    return IndexError(str(error))


class IndexPutBackward0(Node):
    """Replaced elements send their gradient to the value; the others to the old tensor."""

    operation = "index_put"
    index: Any = None

    def backward(self, g: Any) -> Any:
        inside = np.zeros(g.shape, bool)
        inside[self.index] = True
        return either.where(inside, either.zeros((), g), g), g[self.index]


def setitem(input: Tensor, index: Any, value: Any) -> None:
    """Replace the elements at `index` by `value` (a number or a tensor that broadcasts), in place."""
    x = input._array
    plain = _plain(index)
    _check(x, plain)
    if _is_basic(plain):
        view = getitem(input, index)
        inplace.copy_(view, value if isinstance(value, Tensor) else wrap(np.asarray(value, x.dtype)))
        return
    inplace.check(input)
    new = value._array if isinstance(value, Tensor) else value
    result = x.copy()
    try:
        result[plain] = new
    except IndexError as error:
        raise _index_error(x, plain, error) from None
    except ValueError:
        shape = list(np.shape(x[plain]))
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(np.shape(new))} cannot be broadcast to indexing"
            f" result of shape {shape}"
        ) from None
    out = wrap(result)
    if grad_mode.enabled and (input._needs or (isinstance(value, Tensor) and value._needs)):
        node = record(IndexPutBackward0, out, (input, value if isinstance(value, Tensor) else wrap(np.zeros(()))))
        assert isinstance(node, IndexPutBackward0)
        node.index = plain
    inplace.write(input, out)
