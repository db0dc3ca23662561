"""Tensors of random numbers: the same as PyTorch's after the same manual_seed."""

from __future__ import annotations

from typing import Any

from engine import dtypes, random
from engine.ops.creation import _finish
from engine.ops.dispatch import wrap
from engine.ops.shape import sizes
from engine.tensor import Tensor


def _source(generator: Any) -> random.Generator:
    return random.default_generator if generator is None else generator


def _kind(dtype: Any) -> dtypes.dtype:
    return dtype or dtypes.get_default_dtype()


def randn(
    *size: Any, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Standard normal numbers."""
    dtypes.require_cpu(device)
    return _finish(_source(generator).normal(sizes(size), dtype=_kind(dtype)), requires_grad)


def rand(
    *size: Any, generator: Any = None, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Uniform numbers in [0, 1)."""
    dtypes.require_cpu(device)
    return _finish(_source(generator).uniform(sizes(size), dtype=_kind(dtype)), requires_grad)


def randint(
    low: int,
    high: Any = None,
    size: Any = None,
    *,
    generator: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    **_: Any,
) -> Tensor:
    """Whole numbers low <= n < high (from 0 with one bound)."""
    if size is None or not isinstance(high, int):
        low, high, size = 0, low, high if size is None else size
    return wrap(_source(generator).randint(low, high, sizes((size,)), dtype=dtype or dtypes.int64))


def randperm(n: int, *, generator: Any = None, dtype: Any = None, device: Any = None, **_: Any) -> Tensor:
    """The numbers 0 ... n-1 in random order."""
    order = wrap(_source(generator).randperm(n))
    return order if dtype is None else order.to(dtype)


def randn_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    return randn(input._array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def rand_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    return rand(input._array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


def uniform_(input: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with uniform numbers in [a, b)."""
    from engine.ops.inplace import check, write

    check(input)
    return write(input, wrap(_source(generator).uniform(input._array.shape, a, b, dtype=input.dtype)))


def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with normal numbers."""
    from engine.ops.inplace import check, write

    check(input)
    return write(input, wrap(_source(generator).normal(input._array.shape, mean, std, dtype=input.dtype)))
