"""Tensors from data and from nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node  # noqa: F401
from engine.ops.dispatch import wrap
from engine.ops.shape import sizes
from engine.tensor import Parameter, Tensor


def _finish(array: Any, requires_grad: bool) -> Tensor:
    t = wrap(array)
    if requires_grad:
        if t._array.dtype.kind != "f":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        t._needs = True
    return t


def _default(dtype: dtypes.dtype | None) -> Any:
    return (dtype or dtypes.get_default_dtype()).numpy


def _plain(data: Any) -> Any:
    """Nested lists with numbers in place of 0-d tensors."""
    if isinstance(data, Tensor):
        return data._array.item() if data._array.size == 1 else data._array.tolist()
    if isinstance(data, (list, tuple)):
        return [_plain(x) for x in data]
    return data


def _kind_of(data: Any) -> dtypes.dtype:
    if isinstance(data, Tensor):
        return data.dtype
    if isinstance(data, np.generic):
        return dtypes.OF[data.dtype]
    if isinstance(data, bool):
        return dtypes.bool_
    if isinstance(data, int):
        return dtypes.int64
    if isinstance(data, float):
        return dtypes.get_default_dtype()
    if isinstance(data, np.ndarray):
        return dtypes.from_numpy(data.dtype)
    if isinstance(data, (list, tuple, range)):
        kinds = {_kind_of(x) for x in data}
        if not kinds:
            return dtypes.get_default_dtype()
        kind = kinds.pop()
        for other in kinds:
            kind = dtypes.promote_types(kind, other)
        return kind
    raise (
        TypeError(f"new(): invalid data type '{type(data).__name__}'")
        if isinstance(data, str)
        else RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    )


def _shape_of(data: Any) -> tuple[int, ...]:
    if isinstance(data, (Tensor, np.ndarray)):
        return tuple(data.shape)
    if not isinstance(data, (list, tuple, range)):
        return ()
    if len(data) == 0:
        return (0,)
    return (len(data), *_shape_of(data[0]))


def _check_nesting(data: Any, shape: tuple[int, ...], dim: int) -> None:
    if not shape:
        if isinstance(data, (list, tuple)):
            raise TypeError(f"must be real number, not {type(data).__name__}")
        return
    if not isinstance(data, (list, tuple, range, np.ndarray, Tensor)):
        raise TypeError(
            f"expected sequence of length {shape[0]} at dim {dim} (got {type(data).__name__})"
            if dim == 0
            else "not a sequence"
        )
    if len(data) != shape[0]:
        raise ValueError(f"expected sequence of length {shape[0]} at dim {dim} (got {len(data)})")
    if isinstance(data, (list, tuple)):
        for x in data:
            _check_nesting(x, shape[1:], dim + 1)


def tensor(
    data: Any,
    *,
    dtype: dtypes.dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """A new tensor from nested lists, numbers, arrays or tensors (copied). Integers give int64, floats float32."""
    dtypes.require_cpu(device)
    if isinstance(data, Tensor):
        from engine.warn import warn

        warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or"
            " sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
        )
        return _finish(data._array.astype((dtype or data.dtype).numpy), requires_grad)
    if isinstance(data, np.ndarray):
        kind = dtype or dtypes.from_numpy(data.dtype)
        return _finish(data.astype(kind.numpy), requires_grad)
    kind = dtype or _kind_of(data)
    if isinstance(data, (list, tuple, range)):
        _check_nesting(data, _shape_of(data), 0)
    array = np.array(_plain(list(data) if isinstance(data, range) else data), dtype=kind.numpy)
    return _finish(array, requires_grad)


def as_tensor(data: Any, dtype: dtypes.dtype | None = None, device: Any = None) -> Tensor:
    """Like tensor(), sharing storage where it can."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray) and (dtype is None or dtype.numpy == data.dtype):
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def from_numpy(ndarray: np.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares the array's storage."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    dtypes.from_numpy(ndarray.dtype)
    return wrap(ndarray)


def _filled(name: str, shape: tuple[Any, ...], value: Any, dtype: Any, device: Any, requires_grad: bool) -> Tensor:
    dtypes.require_cpu(device)
    size = sizes(shape)
    if any(s < 0 for s in size):
        raise RuntimeError(f"{name}: Dimension size must be non-negative.")
    return _finish(np.full(size, value, _default(dtype)), requires_grad)


def zeros(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """All elements 0."""
    return _filled("zeros", size, 0, dtype, device, requires_grad)


def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """All elements 1."""
    return _filled("ones", size, 1, dtype, device, requires_grad)


def empty(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Elements without a meaning yet (zeros here: a run must give the same numbers everywhere)."""
    return _filled("empty", size, 0, dtype, device, requires_grad)


def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """All elements `fill_value`, whose type gives the dtype."""
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    return _filled(
        "full",
        (size,) if not isinstance(size, int) else ((size,),),
        value,
        dtype or dtypes.of_number(value),
        device,
        requires_grad,
    )


def _like(input: Tensor, value: Any, dtype: Any, requires_grad: bool) -> Tensor:
    return _finish(np.full(input._array.shape, value, (dtype or input.dtype).numpy), requires_grad)


def zeros_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    return _like(input, 0, dtype, requires_grad)


def ones_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    return _like(input, 1, dtype, requires_grad)


def empty_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    return _like(input, 0, dtype, requires_grad)


def full_like(input: Tensor, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    return _like(input, fill_value, dtype, requires_grad)


def arange(
    start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """start, start + step, ... below end."""
    if end is None:
        start, end = 0, start
    start, end, step = (x.item() if isinstance(x, Tensor) else x for x in (start, end, step))
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) / step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is None:
        dtype = dtypes.int64 if all(isinstance(x, int) for x in (start, end, step)) else dtypes.get_default_dtype()
    n = int(np.ceil((end - start) / step))
    return _finish((start + np.arange(n) * step).astype(dtype.numpy), requires_grad)


def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """`steps` numbers from start to end, both included."""
    kind = _default(dtype)
    if steps == 0:
        return _finish(np.empty(0, kind), requires_grad)
    if steps == 1:
        return _finish(np.full(1, start, kind), requires_grad)
    one = kind.type if kind.kind == "f" else np.float64
    step = (one(end) - one(start)) / one(steps - 1)
    i = np.arange(steps)
    # PyTorch counts the first half from the start and the second from the end.
    values = np.where(i < steps // 2, one(start) + step * i.astype(one), one(end) - step * (steps - 1 - i).astype(one))
    return _finish(values.astype(kind), requires_grad)


def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """Ones on the diagonal."""
    return _finish(np.eye(n, m, dtype=_default(dtype)), requires_grad)


def legacy_constructor(cls: type[Tensor], data: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """`torch.FloatTensor(...)`: sizes give uninitialised elements (zeros here), a sequence gives its elements."""
    kind = cls._legacy_dtype
    if issubclass(cls, Parameter):
        raise TypeError("Parameter takes a tensor")
    if len(data) == 1 and isinstance(data[0], Tensor):
        return data[0].detach().to(kind)
    if len(data) == 1 and isinstance(data[0], (list, tuple, np.ndarray)):
        return tensor(data[0], dtype=kind)
    return zeros(*data, dtype=kind) if data else zeros(0, dtype=kind)
