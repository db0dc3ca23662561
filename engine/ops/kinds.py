"""What types and shapes come together, copies with a part replaced, and other small operations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes, random
from engine.autograd.graph import Node
from engine.ops import either, inplace
from engine.ops.dispatch import dim_of, only_for, wrap
from engine.ops.joins import split
from engine.ops.maps import recorded
from engine.ops.results import shown_as
from engine.tensor import Tensor


def resolve_neg(input: Tensor) -> Tensor:
    """Itself: nothing is negated later than it is asked for."""
    return input


def is_neg(input: Tensor) -> bool:
    """False."""
    return False


def broadcast_shapes(*shapes: Any) -> dtypes.Size:
    """The shape that tensors of these shapes broadcast to."""
    given = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    wanted = [1] * max(map(len, given), default=0)
    for number, shape in enumerate(given):
        for at in range(-1, -len(shape) - 1, -1):
            size = shape[at]
            if size < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension ({size}): ({size})")
            if size in (1, wanted[at]):
                continue
            if wanted[at] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {size} at {at}! Mismatching argument at index"
                    f" {number} had {shape}; but expected shape should be broadcastable to {wanted}"
                )
            wanted[at] = size
    return dtypes.Size(wanted)


def can_cast(from_: dtypes.dtype, to: dtypes.dtype) -> bool:
    """Whether results of one dtype may be written into the other."""
    order = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    if order[from_.numpy.kind] > order[to.numpy.kind]:
        return False
    return not (from_.numpy.kind == "i" and to.numpy.kind == "u")


def select_scatter(input: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """A copy of `input` with slice number `index` along `dim` replaced by `src`."""
    out = input.clone()
    part = out.select(dim, index)
    if part.shape != src.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(src.shape)}, slice size = {list(part.shape)}"
        )
    part.copy_(src)
    return shown_as("SelectScatterBackward0", out)


def slice_scatter(
    input: Tensor, src: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Tensor:
    """A copy of `input` with input[start:end:step] along `dim` replaced by `src`."""
    out = input.clone()
    at = dim_of(dim, input.ndim)
    part = out[(slice(None),) * at + (slice(start, end, step),)]
    if part.shape != src.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(src.shape)}, slice size = {list(part.shape)}"
        )
    part.copy_(src)
    return shown_as("SliceScatterBackward0", out)


def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A copy of `input` with a diagonal replaced by `src`."""
    out = input.clone()
    part = out.diagonal(offset, dim1, dim2)
    if part.shape != src.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(src.shape)}, slice size = {list(part.shape)}"
        )
    part.copy_(src)
    return shown_as("DiagonalScatterBackward0", out)


def split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> Any:
    """Views of the given sizes along `dim`."""
    return split(input, list(split_sizes), dim)


def renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Tensor:
    """`input` with each slice along `dim` that is longer than `maxnorm` shortened to it."""
    if input.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions")
    at = dim_of(dim, input.ndim)
    others = [d for d in range(input.ndim) if d != at]
    norms = input.norm(p, others, keepdim=True)
    factor = norms.new_ones(()) * maxnorm / (norms + 1e-7)
    from engine.ops import either

    out: Tensor = input * either.where(norms._array > maxnorm, factor, norms.new_ones(()))
    return shown_as("RenormBackward0", out)


def fill_diagonal_(input: Tensor, fill_value: float, wrap: bool = False) -> Tensor:
    """Fill the main diagonal, in place."""
    if input.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    inplace.check(input)
    if input.ndim > 2 and len(set(input.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    if input.ndim == 2:
        rows, columns = input.shape
        steps = np.arange(0, rows if wrap else min(rows, columns + 1 if wrap else columns))
        places = (
            (steps, steps % columns)
            if not wrap
            else tuple(np.array([(i // columns, i % columns) for i in range(0, rows * columns, columns + 1)]).T)
        )
    else:
        steps = np.arange(input.shape[0])
        places = (steps,) * input.ndim
    input[tuple(Tensor._wrap(each.astype(np.int64)) for each in places)] = fill_value
    return input


def cauchy_(input: Tensor, median: float = 0, sigma: float = 1, *, generator: Any = None) -> Tensor:
    """Fill with numbers of a Cauchy distribution."""
    inplace.check(input)
    if sigma <= 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma}")
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you"
            f" specified {dtypes.c_name(input.dtype)}"
        )
    source = generator or random.default_generator
    drawn = source.uniform(tuple(input.shape), dtype=dtypes.float64)
    tiny = np.finfo(np.float64).eps
    input.detach().copy_(wrap(median + sigma * np.tan(math.pi * (np.clip(drawn, tiny, 1 - tiny) - 0.5))))
    return input


class PoissonBackward0(Node):
    """What is drawn has zeros as its gradient."""

    operation = "poisson"

    def backward(self, g: Any) -> Any:
        return either.zeros(g.shape, g)


def poisson(input: Tensor, generator: Any = None) -> Tensor:
    """Counts with the rates `input`."""
    only_for("f", input._array, "poisson_cpu")
    if (input._array < 0).any():
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    source = generator or random.default_generator

    def draw() -> float:
        return float(source.uniform((), dtype=dtypes.float64))

    counts = [_count(float(rate), draw) for rate in input._array.ravel()]
    return recorded(PoissonBackward0, np.array(counts, input._array.dtype).reshape(input.shape), (input,))


def _count(rate: float, draw: Any) -> int:
    """One count: by the product of waiting times, or by rejection where the rate is large (Hoermann, 1993)."""
    if rate == 0:
        return 0
    if rate < 10:
        limit, product, count = math.exp(-rate), 1.0, 0
        while True:
            product *= draw()
            if product <= limit:
                return count
            count += 1
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    threshold = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = draw() - 0.5
        v = draw()
        from_edge = 0.5 - abs(u)
        k = math.floor((2 * a / from_edge + b) * u + rate + 0.43)
        if from_edge >= 0.07 and v <= threshold:
            return k
        if k < 0 or (from_edge < 0.013 and v > from_edge):
            continue
        left = math.log(v) + math.log(inverse) - math.log(a / (from_edge * from_edge) + b)
        if left <= -rate + k * math.log(rate) - math.lgamma(k + 1):
            return k


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """Numbers of elements as an index for each dimension, turning over where they are too large."""
    if indices._array.dtype.kind not in "iu":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    rest, found = indices._array.astype(np.int64), []
    for size in reversed((shape,) if isinstance(shape, int) else tuple(shape)):
        found.append(wrap(np.asarray(rest % size)))
        rest = rest // size
    return tuple(reversed(found))
