"""Second names of operations, and small questions about tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes
from engine.ops import arithmetic, compare, linalg, matmul, pointwise, select
from engine.ops.dispatch import wrap
from engine.ops.linalg import LinAlgError
from engine.tensor import Tensor
from engine.warn import warn

METHODS = (
    "greater greater_equal less less_equal not_equal clip ger is_complex is_signed is_nonzero is_same_size ndimension"
    " absolute negative subtract multiply divide true_divide sum_to_size storage_offset symeig eig lstsq solve"
    " cholesky"
)
FUNCTIONS = (
    "greater greater_equal less less_equal not_equal clip ger is_complex is_floating_point is_signed is_nonzero"
    " is_same_size detach vander cumulative_trapezoid symeig eig lstsq solve matrix_rank"
    " cholesky"
)
IN_PLACE = (
    "greater greater_equal less less_equal not_equal clip absolute negative subtract multiply divide true_divide"
    " logical_and logical_or logical_xor logical_not fmod cumsum exp2"
    " expm1 log2 log10 log1p asin acos atan tan sinh cosh erf"
)

greater, greater_equal, less, less_equal, not_equal = compare.gt, compare.ge, compare.lt, compare.le, compare.ne
clip, ger, absolute, negative = select.clamp, matmul.outer, pointwise.abs, arithmetic.neg
subtract, multiply, divide, true_divide = arithmetic.sub, arithmetic.mul, arithmetic.div, arithmetic.div


def is_complex(input: Tensor) -> bool:
    """Whether the numbers are complex."""
    return bool(input._array.dtype.kind == "c")


def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is float16, float32 or float64."""
    return bool(input._array.dtype.kind == "f")


def is_signed(input: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return bool(input._array.dtype.kind in "ifc")


def is_nonzero(input: Tensor) -> bool:
    """Whether the one element is not zero."""
    if input._array.size != 1:
        raise RuntimeError(
            "Boolean value of Tensor with no values is ambiguous"
            if input._array.size == 0
            else "Boolean value of Tensor with more than one value is ambiguous"
        )
    return bool(input._array.item())


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether both have the same shape."""
    return bool(input._array.shape == other._array.shape)


def ndimension(input: Tensor) -> int:
    """The number of dimensions."""
    return input._array.ndim


def detach(input: Tensor) -> Tensor:
    """The same storage without history."""
    return input.detach()


def storage_offset(input: Tensor) -> int:
    """Where in its storage the tensor begins, in elements."""
    base = input._base
    if base is None:
        return 0
    here, start = (int(each._array.__array_interface__["data"][0]) for each in (input, base))
    return (here - start) // input._array.itemsize


def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """Summed over what was broadcast, to the given size."""
    from engine.ops.shape import sizes

    target = sizes(size)
    shape = input._array.shape
    n = len(shape) - len(target)
    if n < 0 or any(t not in (1, s) for t, s in zip(target, shape[n:], strict=True)):
        raise RuntimeError(f"size {{{list(target)}}} is not expandable to size {{{list(shape)}}}.")
    if not target:
        return input.sum()
    if shape == tuple(target):
        return input
    axes = [*range(n), *(i + n for i, t in enumerate(target) if t == 1 and shape[i + n] != 1)]
    return input.sum(axes, keepdim=True).reshape(*target) if n else input.sum(axes, keepdim=True)


def vander(x: Tensor, N: int | None = None, increasing: bool = False, batched: bool = False) -> Tensor:
    """Rows of powers of each element."""
    if x._array.ndim != 1 and not batched:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x._array.size if N is None else N
    kind = x._array.dtype if x._array.dtype.kind in "fc" else np.dtype(np.int64)
    powers = np.arange(n) if increasing else np.arange(n)[::-1]
    return x.to(dtypes.OF[kind]).unsqueeze(-1) ** wrap(powers.astype(kind))


def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: float = 1, dim: int = -1) -> Tensor:
    """The running area under a line through points."""
    n = y._array.shape[dim]
    middle = y.narrow(dim, 1, n - 1) + y.narrow(dim, 0, n - 1)
    if x is None:
        out: Tensor = (middle * (dx / 2.0)).cumsum(dim)
        return out
    from engine.ops.running import diff

    area: Tensor = (diff(x, dim=dim if x._array.ndim > 1 else -1) * middle / 2.0).cumsum(dim)
    return area


# -- what PyTorch has taken back, saying what to use instead ----------------------------------------------------------

_GONE = "This function was deprecated since version 1.9 and is now removed."


def symeig(input: Tensor, eigenvectors: bool = False, upper: bool = True, *, out: Any = None) -> Any:
    raise RuntimeError(
        f"{_GONE} The default behavior has changed from using the upper triangular portion of the matrix by default to"
        " using the lower triangular portion.\n\nL, _ = torch.symeig(A, upper=upper) should be replaced with:\n"
        "L = torch.linalg.eigvalsh(A, UPLO='U' if upper else 'L')\n\nand\n\n"
        "L, V = torch.symeig(A, eigenvectors=True) should be replaced with:\n"
        "L, V = torch.linalg.eigh(A, UPLO='U' if upper else 'L')"
    )


def eig(self: Tensor, eigenvectors: bool = False, *, e: Any = None, v: Any = None) -> Any:
    raise RuntimeError(
        f"{_GONE} `torch.linalg.eig` returns complex tensors of dtype `cfloat` or `cdouble` rather than real tensors"
        " mimicking complex tensors.\n\nL, _ = torch.eig(A) should be replaced with:\n"
        "L_complex = torch.linalg.eigvals(A)\n\nand\n\nL, V = torch.eig(A, eigenvectors=True) should be replaced with:"
        "\nL_complex, V_complex = torch.linalg.eig(A)"
    )


def lstsq(input: Tensor, A: Tensor, *, out: Any = None) -> Any:
    raise RuntimeError(
        f"{_GONE} `torch.lstsq` is deprecated in favor of `torch.linalg.lstsq`.\n`torch.linalg.lstsq` has reversed"
        " arguments and does not return the QR decomposition in the returned tuple (although it returns other"
        " information about the problem).\n\nTo get the QR decomposition consider using `torch.linalg.qr`.\n\nThe"
        " returned solution in `torch.lstsq` stored the residuals of the solution in the last m - n columns of the"
        " returned value whenever m > n. In torch.linalg.lstsq, the residuals are in the field 'residuals' of the"
        " returned named tuple.\n\nThe unpacking of the solution, as in\nX, _ = torch.lstsq(B,"
        " A).solution[:A.size(1)]\nshould be replaced with:\nX = torch.linalg.lstsq(A, B).solution"
    )


def solve(input: Tensor, A: Tensor, *, out: Any = None) -> Any:
    raise RuntimeError(
        f"{_GONE} `torch.solve` is deprecated in favor of `torch.linalg.solve`. `torch.linalg.solve` has its arguments"
        " reversed and does not return the LU factorization.\n\nTo get the LU factorization see `torch.lu`, which can"
        " be used with `torch.lu_solve` or `torch.lu_unpack`.\nX = torch.solve(B, A).solution should be replaced with:"
        "\nX = torch.linalg.solve(A, B)"
    )


def matrix_rank(input: Tensor, tol: Any = None, symmetric: bool = False, *, out: Any = None) -> Any:
    raise RuntimeError(
        f"{_GONE}\nPlease use the `torch.linalg.matrix_rank` function instead. The parameter 'symmetric' was renamed in"
        " `torch.linalg.matrix_rank()` to 'hermitian'."
    )


_CHOLESKY = (
    "torch.cholesky is deprecated in favor of torch.linalg.cholesky and will be removed in a future PyTorch release.\n"
    "L = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A,"
    " upper=True)\nshould be replaced with\nU = torch.linalg.cholesky(A).mH\nThis transform will produce equivalent"
    " results for all valid (symmetric positive definite) inputs."
)


def cholesky(input: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:
    """linalg.cholesky() by its older name. Raises LinAlgError where the input is not positive-definite."""
    warn(_CHOLESKY)
    try:
        return linalg.cholesky(input, upper, out=out)
    except LinAlgError as error:
        raise LinAlgError(str(error).removeprefix("linalg.")) from None
