"""What every operation needs: operands of one dtype, results as Tensors, PyTorch's words when shapes do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode, wirtinger
from engine.autograd.graph import Node, record_one
from engine.tensor import Tensor

NUMBERS = (int, float, complex, bool, np.bool_, np.number)
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
        if number.__class__ is float:
            return x, number
        if number.__class__ is not complex:
            return x, float(number)
    kind = dtypes.promote_scalar(dtypes.OF[x.dtype], number).numpy
    if kind.kind == "c":
        wirtinger.here()
        return x.astype(kind, copy=False), complex(number)
    return x.astype(kind, copy=False), np.asarray(number).astype(kind)


def wrapped(number: Any) -> Tensor:
    """A Python number as the 0-d tensor that PyTorch makes of it."""
    return wrap(np.asarray(number, dtypes.of_number(number).numpy))


def wanted(t: Tensor) -> bool:
    """Whether there is a way for a gradient of `t`: there is none of a view that was made where nothing is recorded."""
    return t._needs and (t._base is None or t.grad_fn is not None)


def operand(value: Any) -> Any:
    """`value` as a Tensor or Python number; None when it can be neither."""
    if isinstance(value, (Tensor, int, float, complex)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    return None


def floats(a: Any, b: Any) -> tuple[Any, Any]:
    """Two operands of a function whose results are not whole: whole numbers as floats where neither is one."""
    kinds = [
        each._array.dtype.kind if isinstance(each, Tensor) else "f" * isinstance(each, (float, complex))
        for each in (a, b)
    ]
    if "f" in kinds or "c" in kinds:
        return a, b
    kind = dtypes.get_default_dtype().numpy
    first, second = (wrap(x._array.astype(kind)) if isinstance(x, Tensor) else float(x) for x in (a, b))
    return first, second


def floating(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Integers and bools as the default floating dtype, for functions whose results are not whole."""
    return x if x.dtype.kind in "fc" else x.astype(dtypes.get_default_dtype().numpy)


def kept_part(x: np.ndarray[Any, Any], kind: dtypes.dtype) -> np.ndarray[Any, Any]:
    """What of `x` is cast to `kind`: of complex numbers, to a dtype of real ones, the real part, after a warning."""
    if kind.is_complex:
        wirtinger.here()
    elif x.dtype.kind == "c" and kind is not dtypes.bool_:
        wirtinger.tell_of_discarding()
        return x.real
    return x


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


def laid_out(result: Any, *operands: Any) -> Any:
    """The result of an operation on `operands`, element by element, in the memory order that PyTorch gives it: view()
    depends on it."""
    straight = result.flags.c_contiguous
    for x in operands:
        if x.__class__ is np.ndarray and not x.flags.c_contiguous:
            straight = False
    if straight or not result.size:
        return result
    order = _order(result.shape, operands)
    laid = np.empty([result.shape[d] for d in order], result.dtype).transpose(np.argsort(order))
    if all(s == t or n == 1 for s, t, n in zip(laid.strides, result.strides, result.shape, strict=True)):
        return result
    np.copyto(laid, result)
    return laid


def _order(shape: tuple[int, ...], operands: tuple[Any, ...]) -> list[int]:
    """The dimensions of a result from the outermost in memory to the innermost: by the strides of the first operand
    in which two of them are apart, where none says anything in their own order."""
    strides = [
        [0] * (len(shape) - x.ndim) + [0 if n == 1 else s for n, s in zip(x.shape, x.strides, strict=True)]
        for x in operands
        if x.__class__ is np.ndarray and x.ndim
    ]

    def outward(one: int, other: int) -> int:
        """Above 0 where `one` belongs outside of `other`, below 0 where it belongs inside, 0 where nothing is known."""
        for each in strides:
            p, q = each[one], each[other]
            if p and q and (p != q or shape[one] > shape[other]):
                return 1 if p > q or (p == q) else -1
        return 0

    order = [d for d in reversed(range(len(shape))) if shape[d] > 1]
    for i in range(1, len(order)):  # an insertion sort, as PyTorch's: pairs that say nothing are passed over
        at = i
        for below in reversed(range(i)):
            found = outward(order[below], order[at])
            if found < 0:
                break
            if found > 0:
                order[below], order[at] = order[at], order[below]
                at = below
    return [d for d in range(len(shape)) if shape[d] == 1] + order[::-1]


def unary(kind: type[Node], x: Tensor, result: Any, saved: tuple[Any, ...] = ()) -> Tensor:
    """The result of an operation on one tensor element by element, recorded if it must be."""
    array = x._array
    if array.ndim > 1 and not (array.flags.c_contiguous and result.flags.c_contiguous):
        result = laid_out(result, array)
    if x._needs and grad_mode.enabled and result.dtype.kind in "fc":
        return record_one(kind, result, x, saved)
    return wrap(result)


def made(kind: type[Node], x: Tensor, result: Any, saved: tuple[Any, ...] = ()) -> Tensor:
    """The result of an operation on one tensor as it lies in memory, recorded if it must be."""
    if x._needs and grad_mode.enabled and result.dtype.kind in "fc":
        return record_one(kind, result, x, saved)
    return wrap(result)


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


def memory_order(x: Any) -> list[int]:
    """The axes from the one with the longest step to that with the shortest, as a tensor like `x` lies in memory. An
    axis that repeats the same numbers (its step is 0) stays where it is between its neighbours."""
    order = list(range(x.ndim))
    for start in range(x.ndim - 2, -1, -1):
        at = start
        for other in range(start + 1, x.ndim):
            here, there = x.strides[order[at]], x.strides[order[other]]
            if here and there and here > there:
                break
            if here and there and (here < there or x.shape[order[at]] > x.shape[order[other]]):
                order[at], order[other] = order[other], order[at]
                at = other
    return order


def in_rows(x: Any) -> Any:
    """A copy that lies in memory row by row. Where an iteration is recorded, replay listens here."""
    return x.copy(order="C")
