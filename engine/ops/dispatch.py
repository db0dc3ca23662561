"""What every operation needs: operands of one dtype, results as Tensors, PyTorch's words when shapes do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record_one
from engine.tensor import Tensor

NUMBERS = (int, float, bool, np.bool_, np.number)
wrap = Tensor._wrap

# PyTorch gives inf and nan without a warning, and so does the engine.
np.seterr(all="ignore")


def pair(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Two arrays in the dtype that an operation on both has."""
    kind = dtypes.promote(dtypes.OF[x.dtype], x.ndim, dtypes.OF[y.dtype], y.ndim).numpy
    return x.astype(kind, copy=False), y.astype(kind, copy=False)


def with_number(x: np.ndarray[Any, Any], number: Any) -> tuple[Any, Any]:
    """An array and a Python number, as NumPy should see them: the number never widens a float array."""
    if isinstance(number, np.generic):
        number = number.item()
    if x.dtype.kind == "f":
        return x, (float(number) if number.__class__ is not float else number)
    kind = dtypes.promote_scalar(dtypes.OF[x.dtype], number).numpy
    return x.astype(kind, copy=False), np.asarray(number).astype(kind)


def wrapped(number: Any) -> Tensor:
    """A Python number as the 0-d tensor that PyTorch makes of it."""
    return wrap(np.asarray(number, dtypes.of_number(number).numpy))


def operand(value: Any) -> Any:
    """`value` as a Tensor or Python number; None when it can be neither."""
    if isinstance(value, (Tensor, int, float)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    return None


def floating(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Integers and bools as the default floating dtype, for functions whose results are not whole."""
    return x if x.dtype.kind == "f" else x.astype(dtypes.get_default_dtype().numpy)


def shape_error(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> RuntimeError:
    """PyTorch's message for two shapes that do not broadcast."""
    a, b = x.shape, y.shape
    n = max(len(a), len(b))
    for i in range(n - 1, -1, -1):
        p = a[i - n + len(a)] if i - n + len(a) >= 0 else 1
        q = b[i - n + len(b)] if i - n + len(b) >= 0 else 1
        if p != q and 1 not in (p, q):
            return RuntimeError(
                f"The size of tensor a ({p}) must match the size of tensor b ({q}) at non-singleton dimension {i}"
            )
    return RuntimeError("shapes do not broadcast")


def first_mismatch(*arrays: np.ndarray[Any, Any]) -> RuntimeError:
    """PyTorch's message for several shapes that do not broadcast, taken from the left."""
    so_far = arrays[0]
    for each in arrays[1:]:
        try:
            shape = np.broadcast_shapes(so_far.shape, each.shape)
        except ValueError:
            return shape_error(so_far, each)
        so_far = np.broadcast_to(0, shape)
    return RuntimeError("shapes do not broadcast")


def only_for(kinds: str, x: np.ndarray[Any, Any], kernel: str) -> None:
    """Raises NotImplementedError in PyTorch's words unless the array's dtype is of one of the `kinds` (NumPy's
    letters); `kernel` is what PyTorch calls the inner loop."""
    if x.dtype.kind not in kinds:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtypes.OF[x.dtype].scalar_type}'")


def laid_out(result: Any, first: Any) -> Any:
    """The result in the memory order of the first operand, as PyTorch has it: view() depends on it."""
    if first.__class__ is not np.ndarray or first.flags.c_contiguous or first.shape != result.shape:
        return result
    if 0 in first.strides:  # several elements in one place: no order
        return np.ascontiguousarray(result)
    if not result.flags.c_contiguous:
        return result
    laid = np.empty_like(first, dtype=result.dtype)
    np.copyto(laid, result)
    return laid


def unary(kind: type[Node], x: Tensor, result: Any, saved: tuple[Any, ...] = ()) -> Tensor:
    """The result of an operation on one tensor, recorded if it must be."""
    out = wrap(result)
    if x._needs and grad_mode.enabled and out._array.dtype.kind == "f":
        record_one(kind, out, x, saved)
    return out


def dim_of(dim: int, ndim: int) -> int:
    """A dimension counted from the front. Raises IndexError in PyTorch's words."""
    bound = max(ndim, 1)
    if not -bound <= dim < bound:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-bound}, {bound - 1}], but got {dim})")
    return dim + bound if dim < 0 else dim


def dims_of(dims: Any, ndim: int) -> tuple[int, ...] | None:
    """`dim` arguments as a sorted tuple: None (all) stays None, an int is one."""
    if dims is None:
        return None
    if isinstance(dims, int):
        at = dim_of(dims, ndim)
        return (at,) if ndim else ()
    found = tuple(dim_of(d, ndim) for d in dims)
    if len(set(found)) < len(found):
        twice = next(d for d in found if found.count(d) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    if not found:
        return None
    return tuple(sorted(found)) if ndim else ()


def no_bool_number(name: str, value: Any) -> None:
    if not isinstance(value, NUMBERS):
        raise TypeError(f"{name}(): argument must be Number, not {type(value).__name__}")
