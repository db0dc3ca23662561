"""Operations that few scripts need: their files are imported when somebody first asks for one of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from engine.ops import guard, inplace
from engine.tensor import Tensor


class Names(NamedTuple):
    """What a file of this folder has: functions of torch that are methods of Tensor too, those that are one of the two
    only, and of which there is a version `name_` that changes the tensor."""

    both: str = ""
    functions: str = ""
    methods: str = ""
    in_place: str = ""


FILES = {
    "arrange": Names(
        (
            "diag diagonal diag_embed diagflat trace roll movedim moveaxis swapdims tile repeat_interleave rot90 "
            "fliplr flipud broadcast_to"
        ),
        functions="swapaxes broadcast_tensors",
    ),
    "attention": Names(functions="bilinear"),
    "bessel": Names(functions="binomial"),
    "copied": Names(
        "narrow_copy unsafe_split unsafe_chunk unsafe_split_with_sizes adjoint",
        functions="empty_strided",
        methods="new_empty_strided is_set_to",
    ),
    "complexes": Names(
        "conj conj_physical resolve_conj is_conj",
        functions="view_as_real view_as_complex polar real imag",
        in_place="conj_physical",
    ),
    "conv": Names(functions="conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d"),
    "distance": Names("dist", functions="cosine_similarity pairwise_distance pdist"),
    "drop": Names(functions="dropout alpha_dropout feature_alpha_dropout"),
    "einsum": Names(functions="einsum"),
    "exponential": Names("matrix_exp"),
    "factors": Names("svd qr pinverse"),
    "fold": Names(functions="pixel_shuffle pixel_unshuffle channel_shuffle"),
    "grids": Names("tril triu", functions="meshgrid cartesian_prod combinations", in_place="tril triu"),
    "histograms": Names("histogram"),
    "kinds": Names(
        ("resolve_neg is_neg select_scatter slice_scatter diagonal_scatter split_with_sizes renorm"),
        functions="broadcast_shapes can_cast poisson unravel_index",
        methods="fill_diagonal_ cauchy_",
        in_place="renorm",
    ),
    "linalg": Names("inverse det logdet slogdet"),
    "lower": Names(
        functions=(
            "get_device detach_ fill frobenius_norm constant_pad_nd celu_ selu_ threshold_ rrelu_ dropout_ "
            "alpha_dropout_ feature_alpha_dropout_ feature_dropout feature_dropout_ embedding batch_norm instance_norm "
            "adaptive_max_pool1d max_pool1d_with_indices grid_sampler grid_sampler_2d grid_sampler_3d "
            "binary_cross_entropy_with_logits kl_div poisson_nll_loss margin_ranking_loss hinge_embedding_loss "
            "cosine_embedding_loss triplet_margin_loss ctc_loss convolution affine_grid_generator"
        ),
    ),
    "lowrank": Names(functions="svd_lowrank pca_lowrank"),
    "lu": Names("lu lu_solve", functions="lu_unpack"),
    "masking": Names("masked_select masked_scatter nonzero nonzero_static argwhere", in_place="masked_scatter"),
    "middle": Names("median nanmedian quantile nanquantile"),
    "norm": Names(functions="layer_norm group_norm rms_norm"),
    "norms": Names(functions="cdist"),
    "parts": Names(
        "tensor_split hsplit vsplit dsplit",
        functions="hstack vstack dstack column_stack row_stack atleast_1d atleast_2d atleast_3d block_diag",
        methods="unfold",
    ),
    "pool": Names(functions="max_pool1d max_pool2d max_pool3d avg_pool1d"),
    "pool_adaptive": Names(functions="adaptive_avg_pool1d"),
    "products": Names(
        "addmm addmv addr baddbmm addbmm kron inner vdot cross matrix_power",
        functions="tensordot chain_matmul",
        in_place="addmm addmv addr baddbmm addbmm",
    ),
    "resized": Names(methods="resize resize_as"),
    "running": Names(
        "cumprod cummax cummin logcumsumexp diff nansum nanmean aminmax cov corrcoef",
        functions="trapezoid trapz var_mean std_mean gradient",
        in_place="cumprod",
    ),
    "shorttime": Names("stft istft"),
    "sorting": Names(
        "sort argsort msort topk kthvalue mode unique unique_consecutive bincount histc",
        functions="isin searchsorted bucketize",
    ),
    "special": Names(
        (
            "asinh acosh atanh arcsinh arccosh arctanh arcsin arccos arctan sinc erfc erfinv lgamma digamma "
            "angle frexp polygamma frac fix logit nan_to_num deg2rad rad2deg sgn signbit isposinf isneginf isreal"
        ),
        in_place=(
            "asinh acosh atanh arcsinh arccosh arctanh arcsin arccos arctan sinc erfc erfinv lgamma digamma frac "
            "fix logit nan_to_num deg2rad rad2deg sgn polygamma"
        ),
    ),
    "specials": Names("i0 igamma igammac mvlgamma", in_place="i0 igamma igammac mvlgamma"),
    "strided": Names("as_strided", methods="resize_ resize_as_ set_"),
    "triangular": Names("triangular_solve cholesky_solve cholesky_inverse"),
    "twoargs": Names(
        (
            "atan2 arctan2 hypot logaddexp logaddexp2 copysign fmax fmin xlogy heaviside float_power lerp addcmul "
            "addcdiv ldexp nextafter"
        ),
        in_place=("atan2 arctan2 hypot copysign xlogy heaviside float_power lerp addcmul addcdiv ldexp nextafter"),
    ),
    "windows": Names(functions="hann_window hamming_window blackman_window bartlett_window kaiser_window"),
}


class Method:
    """A method of Tensor that puts the operation in its own place when it is first read."""

    def __init__(self, file: str, name: str, changes: bool) -> None:
        self._file, self._name, self._changes = file, name, changes

    def __get__(self, tensor: Any, kind: Any = None) -> Any:
        operation = getattr(import_module(f"engine.ops.{self._file}"), self._name)
        name = f"{self._name}_" if self._changes else self._name
        method = guard.method(name, inplace.in_place(operation) if self._changes else operation)
        setattr(Tensor, name, method)
        return method.__get__(tensor, kind)


def attach() -> None:
    """Give Tensor the methods that are here."""
    for file, names in FILES.items():
        for name in f"{names.both} {names.methods}".split():
            setattr(Tensor, name, Method(file, name, False))
        for name in names.in_place.split():
            setattr(Tensor, f"{name}_", Method(file, name, True))


def functions() -> dict[str, str]:
    """Where the functions of torch are that are here; those in place are Tensor's methods."""
    found = {}
    for file, names in FILES.items():
        found.update({name: f"engine.ops.{file}:{name}" for name in f"{names.both} {names.functions}".split()})
        found.update({f"{name}_": f"engine.tensor:Tensor.{name}_" for name in names.in_place.split()})
    found["complex"] = "engine.ops.complexes:complex_"
    return found
