"""How long one call of NumPy will take, before it is made: nothing can end it then. A guess from the number of
operations, on the safe side by a factor of a few."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.limits.nested import SEQUENCES, check_nested
from engine.script.limits.numpy_sizes import argument, extent, placed, plain
from engine.tensor import Tensor

WHOLE_NUMBERS = 1e9
"""Multiplications a second in products of matrices of whole numbers, which no library makes quick."""
FACTORS = 2e9
"""Operations a second in factorizations of matrices."""
FLOATS = 5e9
"""Multiplications a second in products of matrices of floats."""
COMPARED = 2e8
"""Comparisons a second in sorting."""
SMALL = 1 << 14
MANY = 1 << 20
SOON = 8.0
"""Seconds that a call may always take: about as long is waited for one that cannot be ended."""

OPERATIONS = {
    "svd": 22, "svdvals": 8, "svd_lowrank": 8, "pca_lowrank": 8, "pinv": 24, "pinverse": 24, "lstsq": 24,
    "matrix_rank": 8, "cond": 22, "eig": 26, "eigvals": 12, "eigh": 10, "eigvalsh": 4, "qr": 6, "inv": 3,
    "inverse": 3, "solve": 2, "det": 1, "slogdet": 1, "logdet": 1, "cholesky": 1, "matrix_exp": 40,
    "matrix_power": 60, "orthogonal_": 8,
}  # fmt: skip
"""Times n^3 for an n x n matrix."""
SPECTRAL = frozenset({"norm", "matrix_norm", "vector_norm"})
"""Norms of a matrix some of which are found in its singular values."""
SQUARED = frozenset({"tensorinv", "tensorsolve"})
"""Take a tensor as the square matrix that has as many elements."""
SORTING = {
    "sort": 1, "argsort": 1, "msort": 1, "topk": 2, "kthvalue": 1, "mode": 1, "median": 1, "nanmedian": 1,
    "quantile": 1, "nanquantile": 1, "unique": 3, "isin": 3, "searchsorted": 1, "bucketize": 1, "percentile": 1,
    "nanpercentile": 1,
    "lexsort": 2, "digitize": 1, "interp": 1, "in1d": 3, "union1d": 2, "intersect1d": 2, "setdiff1d": 3, "setxor1d": 3,
    "partition": 1, "argpartition": 1, "sort_complex": 1, "unique_values": 1, "unique_counts": 2, "unique_inverse": 3,
}  # fmt: skip
"""Times n log n for n elements."""


def check_work(seconds: float, what: str) -> None:
    """Refuse a call that takes longer than what is left of the time budget."""
    machine = current.machine
    allowed = machine.limits.time
    if seconds > min(allowed, max(machine.deadline - time.monotonic(), SOON)):
        exceeded("time", allowed, f"{what} takes longer")


def _array(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


def check_product(a: Any, b: Any) -> None:
    """Before `a @ b` of arrays."""
    _check_matrices(a, b, _broadcast_product)


def check_dot(a: Any, b: Any) -> None:
    """Before np.dot(a, b): each row of `a` with each column of `b`, in however many dimensions they stand."""
    _check_matrices(a, b, lambda a, b: a.size * b.size / (b.shape[-2] if b.ndim > 1 else b.size) if a.ndim else b.size)


def check_inner(a: Any, b: Any) -> None:
    """Before np.inner(a, b): each row of `a` with each row of `b`."""
    _check_matrices(a, b, lambda a, b: a.size * b.size / b.shape[-1] if a.ndim and b.ndim else a.size * b.size)


def check_tensordot(a: Any, b: Any, axes: Any = 2) -> None:
    """Before np.tensordot(a, b, axes): what is in neither of the axes of `a`, with all of `b`."""
    first = axes[0] if isinstance(axes, (list, tuple)) and axes else axes
    if isinstance(first, (list, tuple)):
        summed: Any = first
    elif first is not axes:
        summed = (first,)
    else:
        summed = range(-axes, 0) if type(axes) is int else ()  # whatever else it is, it sums up no more than nothing

    def count(a: Any, b: Any) -> float:
        kept = [size for at, size in enumerate(a.shape) if at not in summed and at - a.ndim not in summed]
        return float(math.prod(kept)) * b.size

    _check_matrices(a, b, count)


PRODUCTS = {
    "matmul": check_product,
    "dot": check_dot,
    "inner": check_inner,
    "tensordot": check_tensordot,
}
"""NumPy's products of matrices, and what looks at their operands first."""


def _check_matrices(a: Any, b: Any, count: Callable[[Any, Any], float]) -> None:
    a, b = _array(a), _array(b)
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.size + b.size < SMALL or not a.size or not b.size:
        return
    check_work(*_product(a, b, count(a, b)))


def _broadcast_product(a: Any, b: Any) -> float:
    """Multiplications in `a @ b`: those of all pairs of matrices that the dimensions before the last two make."""
    apart = a.shape[:-2], b.shape[:-2]
    try:
        pairs = math.prod(np.broadcast_shapes(*apart))
    except ValueError:  # which NumPy says
        pairs = max(map(math.prod, apart))
    rows = a.shape[-2] if a.ndim > 1 else 1
    columns = b.shape[-1] if b.ndim > 1 else 1
    return float(pairs) * rows * columns * (a.shape[-1] if a.ndim else 1)


def check_products(arrays: list[Any]) -> None:
    """Before one call that multiplies arrays with each other from left to right, or in an order that costs less."""
    rows = arrays[0].shape[0] if arrays[0].ndim > 1 else 1
    lefts = [np.broadcast_to(one.dtype.type(0), (rows, one.shape[-1])) for one in arrays[:-1]]
    products = [
        _product(left, right, _broadcast_product(left, right)) for left, right in zip(lefts, arrays[1:], strict=True)
    ]
    check_work(sum(seconds for seconds, _ in products), f"{len(products):,} times {products[-1][1]}")


def _product(a: Any, b: Any, count: float) -> tuple[float, str]:
    """Seconds that `count` multiplications take, and what they are."""
    if a.dtype.kind in "fc" and b.dtype.kind in "fc" and "e" not in (a.dtype.char, b.dtype.char):
        return count / FLOATS, "a matrix product"
    return count / WHOLE_NUMBERS, "a matrix product of whole numbers"


def check_table(values: Any, by_row: Any = True) -> None:
    """Before np.cov() and its like: a product of each variable with each."""
    shape = np.shape(values)
    if len(shape) == 2:
        check_work(float(shape[0]) * shape[1] * shape[0 if by_row else 1] / FLOATS, "the covariances")


def check_sorting(arguments: Any, name: str) -> None:
    """Before the arguments are sorted, or looked up among what is sorted."""
    size = 0
    for value in arguments:
        value = _array(value)
        if type(value) is np.ndarray:
            size += value.size
    if size > MANY:
        check_work(SORTING[name] * size * math.log2(size) / COMPARED, f"{name} of {size:,} elements")


def check_einsum(arguments: tuple[Any, ...]) -> None:
    """Before np.einsum: it goes through every combination of all letters."""
    if arguments and isinstance(arguments[0], str):
        sizes: dict[str, int] = {}
        for letters, operand in zip(arguments[0].partition("->")[0].split(","), arguments[1:], strict=False):
            sizes.update(zip(letters.replace(" ", ""), np.shape(operand), strict=False))
        total = math.prod(sizes.values())
    else:
        total = math.prod(extent(each) for each in arguments[::2])
    if total > SMALL:
        check_work(total / WHOLE_NUMBERS, "np.einsum over so many combinations")


def check_factors(matrix: Any, name: str) -> None:
    """Before the factorization `name` of a matrix, or of a batch of them."""
    check_size(np.shape(_array(matrix)) if isinstance(matrix, (Tensor, np.ndarray)) else (), name)


def check_size(shape: tuple[int, ...], name: str) -> None:
    """Before the factorization `name` of matrices of this shape."""
    if len(shape) >= 2:
        *batch, rows, columns = shape
        work = math.prod(batch) * OPERATIONS[name] * float(rows) * columns * min(rows, columns)
        check_work(work / FACTORS, f"{name} of a {rows} x {columns} matrix")


def check_norm(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Before a norm, which for a matrix may be one of its singular values: torch.norm()'s are the nuclear ones alone,
    and a vector's never."""
    plain_norm = getattr(function, "__module__", None) == "engine.ops.reduce"
    args, kwargs = placed(args, kwargs, ("A" if "A" in kwargs else "x" if "x" in kwargs else "input",))
    order = argument(args, kwargs, 1, "p" if plain_norm else "ord", None)
    dims = argument(args, kwargs, 2, "axis" if "axis" in kwargs else "dim", None)
    known = type(order) in (str, int, float) or order is None  # anything else may be said to equal 2 later
    if known and (order not in ("nuc", 2, -2) or (plain_norm and order != "nuc")):
        return
    if args and name != "vector_norm" and type(dims) is not int:
        check_factors(args[0], "svdvals")


def check_squared(value: Any, name: str) -> None:
    """Before a tensor is taken as a square matrix."""
    side = math.isqrt(math.prod(np.shape(_array(value)))) if isinstance(value, (Tensor, np.ndarray)) else 0
    check_size((side, side), "inv")


MEASURED = frozenset(OPERATIONS) | frozenset(SORTING) | SPECTRAL | SQUARED


def measured(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """One of MEASURED, which looks at the size of what it is given first."""
    of_numpy = getattr(function, "__module__", None) in ("numpy", "numpy.linalg")

    def asked(value: Any) -> Any:
        """What is measured is what is calculated with: a class of the script is asked for its array here, and once."""
        kind = type(value)
        says = of_numpy and hasattr(kind, "__array__") and not isinstance(value, (np.ndarray, np.generic, Tensor))
        if of_numpy and name not in SORTING and isinstance(value, SEQUENCES):
            return plain(np.asarray(plain(value)))
        return plain(np.asarray(value) if says and not hasattr(kind, "__array_ufunc__") else value)

    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            check_nested(value)
        args, kwargs = tuple(map(asked, args)), {key: asked(value) for key, value in kwargs.items()}
        if name in SORTING:
            check_sorting((*args, *kwargs.values()), name)
        elif name in SPECTRAL:
            check_norm(name, function, args, kwargs)
        else:
            for value in (*args, *kwargs.values()):
                check_squared(value, name) if name in SQUARED else check_factors(value, name)
        return function(*args, **kwargs)

    call.__name__ = name
    return call
