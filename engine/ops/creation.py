"""Tensors from nothing: filled, ascending, diagonal, and like others. From data: engine/ops/fromdata.py."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import grad_mode, wirtinger
from engine.brief import Lowered, brief
from engine.gauss import fma64
from engine.ops import arguments
from engine.ops.arguments import Options
from engine.ops.dispatch import memory_order, wrap
from engine.ops.repeating import check_count
from engine.tensor import Tensor

Array = np.ndarray[Any, np.dtype[Any]]

NO_GRADIENT_OF_OUT = (
    "out(): functions with out=... arguments don't support automatic differentiation, but one of the arguments"
    " requires grad."
)
_NOT_FLOATING = "Only Tensors of floating point and complex dtype can require gradients"


def finish(array: Any, given: Options) -> Tensor:
    """The new tensor around `array`, which requires grad if asked for. Raises RuntimeError for integers that should."""
    made = wrap(array)
    if given.requires_grad:
        if made._array.dtype.kind not in "fc":
            raise RuntimeError(_NOT_FLOATING)
        made._needs = True
    if given.out is not None:
        return into(given.out, made)
    return made


def into(out: Tensor, made: Tensor) -> Tensor:
    """`out` with the elements (and, where it differs, the shape) of `made`. Raises RuntimeError for another dtype."""
    if out._array.dtype != made._array.dtype:
        kinds = [dtypes.title(each.dtype) for each in (made, out)]
        raise RuntimeError(f"dtype {kinds[0]} does not match dtype of out parameter ({kinds[1]})")
    if out._needs and grad_mode.enabled:
        raise RuntimeError(NO_GRADIENT_OF_OUT)
    if out._array.size > 1 and 0 in out._array.strides:
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location."
            " Please clone() the tensor before performing the operation."
        )
    if out._array.shape != made._array.shape:
        out._array = made._array.astype(out._array.dtype)
    else:
        np.copyto(out._array, made._array, casting="unsafe")
    out._changed()
    return out


def filled(shape: tuple[int, ...], value: Any, kind: dtypes.dtype) -> Array:
    """A new array. Raises RuntimeError in PyTorch's words when there is not the memory for it."""
    try:
        if kind.is_complex:
            wirtinger.here()
            return np.full(shape, value, kind.numpy)
        blank = not value and math.copysign(1, value) > 0  # -0.0 is another number
        return np.zeros(shape, kind.numpy) if blank else np.full(shape, value, kind.numpy)
    except Lowered:
        return brief(np.full(shape, value, np.float32))
    except (MemoryError, ValueError):
        size = math.prod(shape) * kind.itemsize
        raise RuntimeError(
            "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to"
            f" allocate {size} bytes. Error code 12 (Cannot allocate memory)"
        ) from None


# --------------------------------------------------------------------------------------------------- one value


def _shape(name: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[int, ...]:
    if "size" in keywords:
        given = arguments.told_size(name, keywords.pop("size"))
    elif not given:
        raise TypeError(f'{name}() missing 1 required positional arguments: "size"')
    return arguments.size(name, given)


def same(shape: tuple[int, ...], value: Any, kind: dtypes.dtype) -> Array:
    """`filled` for what depends on the shape alone: where an iteration is recorded, replay listens here."""
    return filled(shape, value, kind)


def zeros(*size: Any, **given: Any) -> Tensor:
    """All elements 0. Sizes one by one or as one sequence; `dtype`, `requires_grad`, `out` as PyTorch has them."""
    shape = _shape("zeros", size, given)
    told = arguments.options("zeros", given)
    if any(each < 0 for each in shape):
        raise RuntimeError("zeros: Dimension size must be non-negative.")
    return finish(same(shape, 0, told.kind()), told)


def ones(*size: Any, **given: Any) -> Tensor:
    """All elements 1."""
    shape = arguments.not_negative(_shape("ones", size, given))
    told = arguments.options("ones", given)
    return finish(same(shape, 1, told.kind()), told)


def empty(*size: Any, **given: Any) -> Tensor:
    """Elements without a meaning yet (zeros here: a run must give the same numbers everywhere)."""
    shape = arguments.not_negative(_shape("empty", size, given))
    told = arguments.options("empty", given)
    return finish(filled(shape, 0, told.kind()), told)


def full(size: Any, fill_value: Any = None, **given: Any) -> Tensor:
    """All elements `fill_value`, whose type gives the dtype."""
    if fill_value is None:
        raise TypeError('full() missing 1 required positional arguments: "fill_value"')
    shape = arguments.not_negative(arguments.sequence("full", "size", 1, size))
    value = arguments.number("full", "fill_value", 2, fill_value)
    told = arguments.options("full", given)
    kind = told.dtype or dtypes.of_number(value)
    return finish(filled(shape, _fitting(value, kind), kind), told)


def _fitting(value: Any, kind: dtypes.dtype) -> Any:
    return arguments.fits(value, kind, f"{kind.short}_t")


def scalar_tensor(s: Any, **given: Any) -> Tensor:
    """A 0-d tensor of the default dtype."""
    told = arguments.options("scalar_tensor", given)
    kind = told.kind()
    return finish(filled((), _fitting(arguments.number("scalar_tensor", "s", 1, s), kind), kind), told)


# ------------------------------------------------------------------------------------------------- like another


def _like(name: str, input: Any, value: Any, given: dict[str, Any]) -> Tensor:
    source = arguments.tensor(name, "input", 1, input)
    told = arguments.options(name, given)
    kind = told.dtype or source.dtype
    made = filled(source._array.shape, _fitting(value, kind), kind)
    if not source._array.flags.c_contiguous:  # the elements lie in memory in the order of the source's
        order = memory_order(source._array)
        laid = np.empty([made.shape[axis] for axis in order], made.dtype).transpose(np.argsort(order))
        laid[...] = made
        made = laid
    return finish(made, told)


def zeros_like(input: Tensor, **given: Any) -> Tensor:
    """Zeros of the shape and dtype of `input`."""
    return _like("zeros_like", input, 0, given)


def ones_like(input: Tensor, **given: Any) -> Tensor:
    """Ones of the shape and dtype of `input`."""
    return _like("ones_like", input, 1, given)


def empty_like(input: Tensor, **given: Any) -> Tensor:
    """Zeros (uninitialised in PyTorch) of the shape and dtype of `input`."""
    return _like("empty_like", input, 0, given)


def full_like(input: Tensor, fill_value: Any, **given: Any) -> Tensor:
    """`fill_value` in the shape and dtype of `input`."""
    return _like("full_like", input, arguments.number("full_like", "fill_value", 2, fill_value), given)


def _new(name: str, input: Tensor, size: tuple[Any, ...], value: Any, given: dict[str, Any]) -> Tensor:
    shape = arguments.not_negative(_shape(name, size, given))
    told = arguments.options(name, given)
    kind = told.dtype or input.dtype
    return finish(filled(shape, _fitting(value, kind), kind), told)


def new_zeros(input: Tensor, *size: Any, **given: Any) -> Tensor:
    """Zeros of another shape with the dtype of `input`."""
    return _new("new_zeros", input, size, 0, given)


def new_ones(input: Tensor, *size: Any, **given: Any) -> Tensor:
    """Ones of another shape with the dtype of `input`."""
    return _new("new_ones", input, size, 1, given)


def new_empty(input: Tensor, *size: Any, **given: Any) -> Tensor:
    """Zeros (uninitialised in PyTorch) of another shape with the dtype of `input`."""
    return _new("new_empty", input, size, 0, given)


def new_full(input: Tensor, size: Any, fill_value: Any, **given: Any) -> Tensor:
    """`fill_value` in another shape with the dtype of `input`."""
    value = arguments.number("new_full", "fill_value", 2, fill_value)
    return _new("new_full", input, (size,), value, given)


# ----------------------------------------------------------------------------------------------------- ascending


def arange(start: Any = None, end: Any = None, step: Any = 1, **given: Any) -> Tensor:
    """start, start + step, ... below end; int64 when all three are whole. Raises RuntimeError for a range that never
    ends or a step of the wrong sign, ValueError for a step that is 0 once it is cut to an int64."""
    if end is None:
        if start is None:
            raise arguments.no_such_call("arange", ())
        start, end = 0, arguments.number("arange", "end", 1, start)
    else:
        start = arguments.number("arange", "start", 1, 0 if start is None else start)
        end = arguments.number("arange", "end", 2, end)
    step = arguments.number("arange", "step", 3, step)
    told = arguments.options("arange", given)
    whole = not any(isinstance(each, float) for each in (start, end, step))
    kind = told.dtype or (dtypes.int64 if whole else dtypes.get_default_dtype())
    if told.out is not None:
        kind = told.out.dtype
    if kind is dtypes.bool_ or kind.is_complex:
        raise NotImplementedError(f"\"arange_cpu\" not implemented for '{kind.scalar_type}'")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * (1 if step > 0 else -1) < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if kind.is_floating_point:
        count = math.ceil((end - start) / step)
        return finish(_ascending(float(start), float(step), count, kind), told)
    if kind is dtypes.int64:
        start, end, step = int(start), int(end), int(step)
        if not step:
            raise ValueError("step must be nonzero")
    count = math.ceil((end - start) / step) if not whole else -((start - end) // step)
    return finish(_ascending_ints(int(start), int(step), count, kind), told)


def _ascending_ints(start: int, step: int, count: int, kind: dtypes.dtype) -> Array:
    return (start + step * filled_range(count)).astype(kind.numpy)


def filled_range(count: int) -> Array:
    """0 .. count - 1, int64. Raises RuntimeError when there is not the memory for it."""
    try:
        return np.arange(count)
    except (MemoryError, ValueError):
        filled((count,), 1, dtypes.int64)
        raise


def _ascending(start: float, step: float, count: int, kind: dtypes.dtype) -> Array:
    """PyTorch's vectorised loop: the first element of each vector register is start + step * i, rounded to the dtype,
    and the others are counted from it; what fills no two registers is computed one by one."""
    lanes = {4: 8, 8: 4}.get(kind.itemsize if kind.is_floating_point else 0, 1)
    i = filled_range(count)
    lane = np.where(i < count // (2 * lanes) * (2 * lanes), i % lanes, 0)
    first = fma64((i - lane).astype(np.float64), step, start).astype(kind.numpy)
    if lanes == 1:
        return first
    return fma64(lane.astype(np.float64), step, first.astype(np.float64)).astype(kind.numpy)


def range(start: Any = 0, end: Any = None, step: Any = 1, **given: Any) -> Tensor:
    """start, start + step, ... up to and including end (deprecated in PyTorch)."""
    from engine.warn import warn

    warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with"
        " Python's range builtin. Instead, use torch.arange, which produces values in [start, end)."
    )
    if end is None:
        start, end = 0, start
    told = arguments.options("range", given)
    count = math.floor((end - start) / step) + 1
    return finish(_ascending(float(start), float(step), count, told.kind()), told)


def linspace(start: Any = None, end: Any = None, steps: Any = None, **given: Any) -> Tensor:
    """`steps` numbers from start to end, both included."""
    arguments.all_given("linspace", start, end, steps, whole=2)
    first, last = _ends("linspace", start, end)
    told = arguments.options("linspace", given)
    return finish(
        _spaced(first, last, arguments.integer("linspace", "steps", 3, steps), _kind(first, last, told)), told
    )


def logspace(start: Any = None, end: Any = None, steps: Any = None, base: Any = 10.0, **given: Any) -> Tensor:
    """`base` to the power of `steps` numbers from start to end, both included."""
    arguments.all_given("logspace", start, end, steps, whole=2)
    first, last = _ends("logspace", start, end)
    told = arguments.options("logspace", given)
    kind = _kind(first, last, told)
    exponents = _spaced(first, last, arguments.integer("logspace", "steps", 3, steps), kind, cut=False)
    return finish(((base if isinstance(base, complex) else float(base)) ** exponents).astype(kind.numpy), told)


def _kind(first: Any, last: Any, told: Options) -> dtypes.dtype:
    """The dtype of numbers between two: complex where one of them is and none was asked for."""
    turned = told.dtype is None and told.out is None and (isinstance(first, complex) or isinstance(last, complex))
    return told.kind().to_complex() if turned else told.kind()


def _ends(name: str, start: Any, end: Any) -> tuple[Any, Any]:
    shapes = [each._array.ndim if isinstance(each, Tensor) else 0 for each in (start, end)]
    if any(shapes):
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with {shapes[0]} dimension(s)"
            f" and end with {shapes[1]} dimension(s)."
        )
    return arguments.number(name, "start", 1, start), arguments.number(name, "end", 2, end)


def _spaced(start: float, end: float, steps: int, kind: dtypes.dtype, cut: bool = True) -> Array:
    """The first half is counted from the start and the second from the end, each with one rounding. Integer dtypes
    (`cut`) are cut at the end."""
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if kind.is_complex:
        return _spaced_complex(start, end, steps, kind)
    floating = kind if kind.is_floating_point else dtypes.float32
    if steps < 2:
        values = np.full(steps, start, np.float64)
    else:
        one: Any = np.float32 if floating is dtypes.float16 else floating.type
        if cut and not kind.is_floating_point:
            one = np.float64
        if not kind.is_floating_point:
            start, end = int(start), int(end)
        low, high = one(start), one(end)
        step = one((high - low) / one(steps - 1))
        i = np.arange(steps)
        from_start = fma64(i.astype(np.float64), float(step), float(low))
        from_end = fma64((steps - 1 - i).astype(np.float64), -float(step), float(high))
        values = np.where(i < steps // 2, from_start, from_end).astype(one)
    return values.astype(kind.numpy if cut else floating.numpy)


def _spaced_complex(start: complex, end: complex, steps: int, kind: dtypes.dtype) -> Array:
    """Complex numbers on a line, counted from both ends."""
    low, high = (np.asarray(each, kind.numpy) for each in (start, end))
    if steps < 2:
        return np.full(steps, low, kind.numpy)
    step, i = np.asarray((high - low) / (steps - 1), kind.numpy), np.arange(steps)
    return np.where(i < steps // 2, low + step * i, high - step * (steps - 1 - i)).astype(kind.numpy)


# --------------------------------------------------------------------------------------------- diagonal, indices


def eye(n: Any = None, m: Any = None, **given: Any) -> Tensor:
    """Ones on the diagonal of n rows and m columns."""
    arguments.all_given("eye", n)
    rows = arguments.integer("eye", "n", 1, n)
    columns = rows if m is None else arguments.integer("eye", "m", 2, m)
    for name, count in (("n", rows), ("m", columns)):
        if count < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {count}")
    told = arguments.options("eye", given)
    return finish(np.eye(rows, columns, dtype=told.kind().numpy), told)


def tril_indices(row: int, col: int, offset: int = 0, **given: Any) -> Tensor:
    """Rows and columns, int64, of the elements on and below a diagonal."""
    told = arguments.options("tril_indices", given)
    counts = np.clip(np.arange(row) + (offset + 1), 0, col)
    return _in_triangle(counts, 0, told)


def triu_indices(row: int, col: int, offset: int = 0, **given: Any) -> Tensor:
    """Rows and columns, int64, of the elements on and above a diagonal."""
    told = arguments.options("triu_indices", given)
    first = np.clip(np.arange(row) + offset, 0, col)
    return _in_triangle(col - first, first, told)


def _in_triangle(counts: Any, first: Any, told: Any) -> Tensor:
    """Row by row: `counts` columns from `first` on."""
    check_count(float(counts.sum(dtype=np.float64)))
    found = np.empty((2, int(counts.sum())), np.int64)
    found[0] = np.repeat(np.arange(len(counts)), counts)
    found[1] = np.arange(found.shape[1])
    found[1] -= np.repeat(np.cumsum(counts) - counts - first, counts)
    return finish(found.astype((told.dtype or dtypes.int64).numpy, copy=False), told)


FUNCTIONS = (
    "zeros ones empty full scalar_tensor zeros_like ones_like empty_like full_like arange range linspace logspace eye"
    " tril_indices triu_indices"
)
METHODS = "new_zeros new_ones new_empty new_full"
