"""What PyTorch says of an `out=` of another dtype than the result's: each operation has its own words for it.

Operations without words here cast their results, where the kind of number allows it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dtypes import c_name, dtype, int64, title
from engine.tensor import Tensor


def _expected(result: dtype, out: dtype) -> str:
    return f"Expected out tensor to have dtype {c_name(result)}, but got {c_name(out)} instead"


_WORDS: dict[str, Callable[[dtype, dtype], str]] = {}
for _names, _told in (
    (
        (
            "addmm addmv baddbmm bmm cross isin softmax aminmax topk mm qr slice_scatter triangular_solve svd"
            " index_copy index_add index_reduce sort scatter scatter_add msort renorm take_along_dim tril triu"
            " log_softmax argmax argmin scatter_reduce linalg_cross linalg_det linalg_cholesky linalg_cholesky_ex"
            " linalg_eigh linalg_eigvalsh linalg_qr linalg_slogdet linalg_vector_norm linalg_inv linalg_inv_ex"
            " linalg_solve linalg_solve_ex linalg_svd linalg_svdvals avg_pool2d avg_pool3d linear gather lu_solve"
            " matmul linalg_matmul"
        ),
        _expected,
    ),
    (
        (
            "abs absolute ceil conj_physical frac floor softshrink hardshrink gelu neg negative round sign sgn trunc"
            " fix softplus"
        ),
        lambda result, out: f"Found dtype {title(out)} but expected {title(result)}",
    ),
    ("cummax cummin logcumsumexp", lambda a, b: f"expected scalar_type {title(a)} but found {title(b)}"),
    ("dot vdot", lambda a, b: f"result dtype {title(b)} does not match input dtype {title(a)}"),
    ("quantile nanquantile", lambda a, b: "quantile() out tensor must be same dtype as the input tensor"),
    ("linalg_solve_triangular", lambda a, b: f"expected scalar type {title(a)} but found {title(b)}"),
    (
        "inner tensordot",
        lambda a, b: (
            f"tensordot: Expected the output tensor to have dtype {title(a)}, but got an output tensor with dtype"
            f" {title(b)}"
        ),
    ),
    ("linalg_matrix_norm", lambda a, b: f"linalg.matrix_norm expected out tensor dtype {title(a)} but got: {title(b)}"),
    ("linalg_norm", lambda a, b: f"linalg.norm expected out tensor dtype {title(a)} but got: {title(b)}"),
    (
        "amax amin",
        lambda a, b: (
            f"Expected the dtype for input and out to match, but got {title(a)} for input's dtype and {title(b)} for"
            " out's dtype."
        ),
    ),
    (
        "kthvalue",
        lambda a, b: (
            "output indices must be of scalar type Long"
            if a is int64
            else "output values must be of same type as input"
        ),
    ),
    (
        "mode",
        lambda a, b: (
            f"expected scalar type '{title(a)}' but got '{title(b)}' for {'indices' if a is int64 else 'values'} output"
        ),
    ),
    ("logsumexp", lambda a, b: f"logsumexp(): Expected floating point type for result tensor, but got: {title(b)}"),
    ("addbmm", lambda a, b: f"self and mat2 must have the same dtype, but got {title(b)} and {title(a)}"),
    (
        "mv",
        lambda a, b: f"addmv input tensors must have the same dtype, but got {title(b)}, {title(a)}, and {title(a)}",
    ),
    ("lerp", lambda a, b: f"Found dtype {title(b)} but expected {title(a)}"),
    ("log_sigmoid logsigmoid", lambda a, b: f"expected scalar type {title(a)} but found {title(b)}"),
    ("masked_select", lambda a, b: "masked_select(): self and result must have the same scalar type"),
    ("index_select", lambda a, b: "index_select(): self and result must have the same scalar type"),
    (
        "take",
        lambda a, b: (
            "take(): self and out expected to have the same dtype, but got self.dtype ="
            f" {title(a)} and out.dtype = {title(b)}"
        ),
    ),
    (
        "histc",
        lambda a, b: (
            "torch.histogram: input tensor and hist tensor should have the same dtype, but got input"
            f" {c_name(a)} and hist {c_name(b)}"
        ),
    ),
    (
        "bucketize searchsorted",
        lambda a, b: (
            "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending"
            f" on whether out_int32 flag is True, but we got output tensor's dtype {title(b)} and out_int32 flag is"
            f" {'False' if a is int64 else 'True'}"
        ),
    ),
    ("heaviside", lambda a, b: "heaviside is not yet implemented for tensors with different dtypes."),
    ("signbit", lambda a, b: "signbit does not support non-boolean outputs."),
    ("isposinf", lambda a, b: "isposinf does not support non-boolean outputs."),
    ("isneginf", lambda a, b: "isneginf does not support non-boolean outputs."),
    ("nan_to_num", lambda a, b: f"nan_to_num: dtype of out: {title(b)} should be same as input: {title(a)}"),
    ("where", lambda a, b: f"Expected out type to be {title(a)} but got {title(b)}"),
    (
        "linalg_multi_dot",
        lambda a, b: f"multi_dot(): expected out tensor to have dtype {c_name(a)} but got {c_name(b)}",
    ),
    (
        "float_power",
        lambda a, b: (
            f"the output given to float_power has dtype {title(b)} but the operation's result requires dtype {title(a)}"
        ),
    ),
    ("linalg_vecdot", lambda a, b: f"linalg.vecdot: Expected out of dtype{title(a)} but found {title(b)}"),
):
    _WORDS.update(dict.fromkeys(_names.split(), _told))


# What must not require grad is told under the name of the operation that does the work; "aten::" of those that PyTorch
# never records.
_WORKS: dict[str, str] = {}
for _name, _callers in {
    "cat": "hstack vstack dstack row_stack column_stack concat concatenate",
    "div": "true_divide divide",
    "mul": "outer multiply",
    "sub": "subtract",
    "pow": "square float_power",
    "sort": "msort",
    "gather": "take_along_dim",
    "linalg_cross": "cross",
    "linalg_qr": "qr",
    "linalg_lu_solve": "lu_solve",
    "abs": "absolute",
    "neg": "negative",
    "clamp": "clip",
    "log_sigmoid_forward": "logsigmoid",
    "aten::diag_embed": "diag",
}.items():
    _WORKS.update(dict.fromkeys(_callers.split(), _name))
_UNRECORDED = "conj_physical floor_divide heaviside softmax slice_scatter scatter arange linspace logspace ones zeros"
_WORKS.update({_name: f"aten::{_name}" for _name in f"{_UNRECORDED} full eye".split()})


def named(name: str, error: Exception) -> Exception:
    """An error that says "out()" for the operation, with its name instead."""
    text = str(error)
    return RuntimeError(_WORKS.get(name, name) + text[3:]) if text.startswith("out(): ") else error


_SEVERAL = "aminmax cummax cummin kthvalue mode sort topk qr svd triangular_solve linalg_slogdet linalg_qr linalg_svd"


def wanted(name: str) -> str:
    """What `out` must be."""
    return "tuple of Tensors" if name in _SEVERAL.split() else "Tensor"


def words(name: str) -> Callable[[dtype, dtype], str] | None:
    """What PyTorch's `name` says of the result's dtype and that of `out`; None where it casts."""
    return _WORDS.get(name)


_ELEMENTWISE = (
    "abs absolute acos acosh add addcdiv addcmul arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan"
    " atan2 atanh bernoulli bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor ceil"
    " clamp clamp_max clamp_min clip conj_physical copysign cos cosh cumprod cumsum deg2rad digamma div divide eq erf"
    " erfc erfinv exp exp2 expm1 fix floor floor_divide fmax fmin fmod frac gcd ge greater greater_equal gt hardshrink"
    " heaviside hypot i0 igamma igammac isneginf isposinf lcm ldexp le lerp less less_equal lgamma log log10 log1p log2"
    " logaddexp logaddexp2 logcumsumexp logical_and logical_not logical_or logical_xor logit lt max maximum min minimum"
    " msort mul multiply nan_to_num ne neg negative nextafter normal not_equal pow rad2deg reciprocal remainder round"
    " rsqrt sgn sigmoid sign signbit sin sinc sinh sqrt square sub subtract tan tanh true_divide trunc where xlogy gelu"
    " softplus softshrink special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_digamma"
    " special_entr special_erf special_erfc special_erfcx special_erfinv special_exp2 special_expit special_expm1"
    " special_gammainc special_gammaincc special_gammaln special_i0 special_i0e special_i1 special_i1e special_log1p"
    " special_log_ndtr special_logit special_ndtri special_psi special_round special_sinc special_xlog1py"
    " special_xlogy special_zeta"
)
_ELSEWHERE = (
    "addr cat concat concatenate diff dstack gather ger hstack index_select kron kthvalue masked_select nonzero outer"
    " stack take take_along_dim vstack"
)
_APART = dict.fromkeys(_ELEMENTWISE.split(), False) | dict.fromkeys(_ELSEWHERE.split(), True)
"""Operations that refuse an `out` which shares memory with an operand: in part (or in another order), or at all."""


def check_apart(name: str, out: Any, given: Any) -> None:
    """Refuse to write over what is still to be read. Raises RuntimeError in PyTorch's words."""
    apart = _APART.get(name)
    if apart is None:
        return
    from engine.ops.inplace import OVERLAPS, check_overlap, repeats

    operands = [each for value in given for each in (value if isinstance(value, (list, tuple)) else [value])]
    for each in [out] if isinstance(out, Tensor) else out:
        if not isinstance(each, Tensor):
            return  # which is refused by the operation
        if repeats(each._array):
            raise RuntimeError(OVERLAPS)
        for operand in operands:
            if isinstance(operand, Tensor):
                check_overlap(each._array, operand._array, apart)


def written(name: str, told: Callable[[dtype, dtype], str], out: Any, result: Any) -> Any:
    """`out` with the elements of `result` (several of several). Raises RuntimeError for another dtype."""
    from engine.ops.into import into

    pairs = [(out, result)] if isinstance(out, Tensor) else list(zip(out, result, strict=False))
    for each, made in pairs:
        if isinstance(made, Tensor) and each.dtype is not made.dtype:
            raise RuntimeError(told(made.dtype, each.dtype))
    return into(out, result)
