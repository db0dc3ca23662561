"""How long one call of NumPy will take, before it is made: nothing can end it then. A guess from the number of
operations, on the safe side by a factor of a few."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.nested import check_nested
from engine.tensor import Tensor

WHOLE_NUMBERS = 1e9
"""Multiplications a second in products of matrices of whole numbers, which no library makes quick."""
FACTORS = 2e9
"""Operations a second in factorizations of matrices."""
SMALL = 1 << 14

OPERATIONS = {
    "svd": 22, "svdvals": 8, "svd_lowrank": 8, "pinv": 24, "pinverse": 24, "lstsq": 24, "matrix_rank": 8, "cond": 22,
    "eig": 26, "eigvals": 12, "eigh": 10, "eigvalsh": 4, "qr": 6, "inv": 3, "inverse": 3, "solve": 2, "det": 1,
    "slogdet": 1, "logdet": 1, "cholesky": 1, "matrix_exp": 40, "matrix_power": 60, "orthogonal_": 8, "norm": 0,
}  # fmt: skip
"""Times n^3 for an n x n matrix."""


def check_work(seconds: float, what: str) -> None:
    """Refuse a call that takes longer than the time budget."""
    allowed = current.machine.limits.time
    if seconds > allowed:
        exceeded("time", allowed, f"{what} takes longer")


def _array(value: Any) -> Any:
    return value._array if isinstance(value, Tensor) else value


def check_product(a: Any, b: Any) -> None:
    """Before `a @ b` of arrays of whole numbers."""
    a, b = _array(a), _array(b)
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.size + b.size < SMALL:
        return
    if a.dtype.kind in "fc" and b.dtype.kind in "fc" and "e" not in (a.dtype.char, b.dtype.char):
        return
    columns = b.shape[-1] if b.ndim > 1 else 1
    check_work(a.size * columns / WHOLE_NUMBERS, "a matrix product of whole numbers")


def check_einsum(arguments: tuple[Any, ...]) -> None:
    """Before np.einsum: it goes through every combination of all letters."""
    if arguments and isinstance(arguments[0], str):
        sizes: dict[str, int] = {}
        for letters, operand in zip(arguments[0].partition("->")[0].split(","), arguments[1:], strict=False):
            sizes.update(zip(letters.replace(" ", ""), np.shape(operand), strict=False))
        total = math.prod(sizes.values())
    else:
        total = math.prod(np.size(each) for each in arguments[::2])
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


def measured(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A factorization that looks at the size of the matrix first."""
    if not OPERATIONS.get(name):
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            check_nested(value)
        check_factors(args[0] if args else next(iter(kwargs.values()), None), name)
        return function(*args, **kwargs)

    call.__name__ = name
    return call
