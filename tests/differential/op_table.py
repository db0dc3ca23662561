"""One row per operation that is held against PyTorch's samples. The tests are in test_op_db.py.

To add an operation, add its row: the name is PyTorch's in op_db ("name" or "name.variant"). Where the engine's function
is not found under that name, say where it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import engine


@dataclass(frozen=True)
class Row:
    """`name`: the entry in op_db. `ours`: a dotted name in `engine`, or ".name" for a method, or a function of its own
    where op_db's takes other arguments than PyTorch's; "" for the entry's own name.
    `tolerance`: units in the last place of the largest number of a tensor. `second`: how much further second
    derivatives may be apart (0: they are not tried). `seen`: what of a result is compared, where PyTorch leaves the
    rest open (the signs of singular vectors, uninitialised memory).
    """

    name: str
    ours: str | Callable[..., Any] = ""
    tolerance: float = 16
    second: float = 8
    seen: Callable[[Any], Any] | None = None

    def __str__(self) -> str:
        return self.name

    def function(self, engine: Any) -> Any:
        """The engine's function. Raises AttributeError when there is none."""
        return self.looked_at(self.ours if callable(self.ours) else resolve(engine, self.ours or _plain(self.name)))

    def looked_at(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`function`, giving what is compared."""
        seen = self.seen
        return function if seen is None else lambda *args, **kwargs: seen(function(*args, **kwargs))


def _plain(name: str) -> str:
    """op_db's name without its variant: only nn.functional, linalg, special and fft keep their dots."""
    parts = name.split(".")
    if parts[:2] == ["nn", "functional"]:
        return ".".join(parts[:3])
    if parts[0] in ("linalg", "special", "fft", "Tensor", "ops"):
        return ".".join(parts[:2])
    return parts[0]


def resolve(engine: Any, path: str) -> Any:
    """What `path` names in `engine`, as PyTorch's users write it; a method where there is no function."""
    if not path.startswith("."):
        try:
            return functools.reduce(getattr, path.split("."), engine)
        except AttributeError:
            if "." in path:
                raise
    return getattr(engine.Tensor, path.lstrip("."))


def _up_to_signs(factors: Any) -> Any:
    """Singular vectors (U, S, V or Vh) without their signs, and without those that belong to no singular value."""
    u, s, v = factors
    k = s.shape[-1]
    v = v[..., :k, :] if hasattr(factors, "Vh") else v[..., :k]
    return u[..., :k].abs(), s, v.abs()


def _lowrank(name: str) -> Callable[..., Any]:
    """An operation of a matrix that is given as two factors, so that it has few singular values."""
    return lambda a, b, **kwargs: getattr(engine, name)(a @ b.mT, **kwargs)


def _blank(made: Any) -> Any:
    """A tensor of uninitialised memory: dtype and shape are all that can agree."""
    made.data.zero_()
    return made


def plain(names: str) -> list[Row]:
    """Rows for operations that need nothing said about them."""
    return [Row(name) for name in names.split()]


ROWS: list[Row] = [
    *plain("""
        abs acos add item arange clamp_max clamp_min mul sub addmm addmm.decomposed dot bmm mv asin atan allclose ceil
        chunk clone contiguous clamp positive cos cosh cumsum div.no_rounding_mode div.trunc_rounding div.floor_rounding
        true_divide equal exp expand expand_as eq remainder floor floor_divide log1p ge gt le linspace
        linspace.tensor_overload log log10 log2 logical_not lt masked_fill max.reduction_with_dim max.reduction_no_dim
        min.reduction_with_dim min.reduction_no_dim max.binary maximum min.binary minimum logical_and logical_or
        logical_xor isclose nn.functional.cross_entropy nn.functional.relu nn.functional.leaky_relu nn.functional.linear
        nn.functional.elu nn.functional.silu  nn.functional.gelu mm ne neg outer
        permute pow round round.decimals_0 round.decimals_3 round.decimals_neg_3 sin sinh sign split split.list_args
        __radd__ __rmul__ __rpow__ __rsub__ rsub tan tanh trunc exp2 expm1 reciprocal rsqrt sqrt square isfinite isinf
        isnan ravel reshape reshape_as view view_as flatten unflatten __getitem__ zeros_like ones_like full_like
        new_zeros new_ones ones zeros full eye stack unbind repeat squeeze squeeze.multiple unsqueeze logsumexp sigmoid
        erf nn.functional.l1_loss norm.fro norm.inf t nn.functional.softplus nn.functional.mse_loss all any amax amin
        argmax argmin count_nonzero mean prod sum nn.functional.nll_loss bmm.triton_optimized
    """),
    *plain(
        """
        index_put select narrow narrow_copy unsafe_chunk unsafe_split
        gather scatter scatter_add index_select index_add index_copy index_fill take put
        take_along_dim masked_select masked_scatter nonzero argwhere as_strided as_strided.partial_views
        resize_ resize_as_
    """,
    ),
    *plain(
        "sort argsort msort topk kthvalue mode unique unique_consecutive isin searchsorted bucketize histc histogram"
    ),
    *plain("""
        fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fft2 fft.ifft2 fft.rfft2 fft.irfft2 fft.hfft2
        fft.ihfft2 fft.fftn fft.ifftn fft.rfftn fft.irfftn fft.hfftn fft.ihfftn fft.fftshift fft.ifftshift complex
        polar view_as_complex stft
    """),
    *plain("tril triu meshgrid.variadic_tensors meshgrid.list_of_tensors cartesian_prod combinations"),
    *plain(
        """
        scatter_reduce.sum scatter_reduce.mean scatter_reduce.prod scatter_reduce.amin scatter_reduce.amax
        index_reduce.mean index_reduce.prod index_reduce.amin index_reduce.amax
    """,
    ),
    *plain("logspace logspace.tensor_overload scalar_tensor"),
    *plain("randn randn_like randint randint_like normal bernoulli multinomial"),
    Row("empty", seen=_blank),
    Row("empty_like", seen=_blank),
    Row("new_empty", seen=_blank),
    Row("empty_strided", seen=_blank),
    Row("new_empty_strided", seen=_blank),
    Row("normal.in_place", ".normal_"),
    Row("normal.number_mean", lambda std, mean, *size, **given: engine.normal(mean, std, *size, **given)),
    Row("rand_like", "randn_like"),  # which is what op_db calls
    Row("exponential", ".exponential_"),
    Row("geometric", ".geometric_"),
    Row("log_normal", ".log_normal_"),
    Row("uniform", ".uniform_"),
    *plain("""
        new_full std std.unbiased var var.unbiased
    """),
    *plain("""
        nn.functional.cosine_similarity nn.functional.adaptive_avg_pool1d nn.functional.adaptive_avg_pool2d
        nn.functional.adaptive_avg_pool3d nn.functional.adaptive_max_pool1d nn.functional.adaptive_max_pool2d
        nn.functional.adaptive_max_pool3d nn.functional.avg_pool1d nn.functional.avg_pool3d
        nn.functional.conv_transpose1d nn.functional.conv1d nn.functional.conv2d nn.functional.conv3d
        nn.functional.group_norm nn.functional.instance_norm nn.functional.rms_norm nn.functional.local_response_norm
        nn.functional.pad.constant nn.functional.pad.reflect nn.functional.pad.replicate
        nn.functional.pad.replicate_negative nn.functional.hardswish nn.functional.interpolate.nearest
        nn.functional.interpolate.nearest-exact nn.functional.interpolate.linear nn.functional.interpolate.bilinear
        nn.functional.interpolate.bicubic nn.functional.interpolate.trilinear nn.functional.interpolate.area
        nn.functional.upsample_bilinear  nn.functional.upsample_nearest
        nn.functional.margin_ranking_loss nn.functional.multilabel_margin_loss nn.functional.multilabel_soft_margin_loss
        nn.functional.avg_pool2d nn.functional.max_pool1d nn.functional.max_pool2d nn.functional.max_pool3d
        nn.functional.max_unpool1d nn.functional.max_unpool1d.grad nn.functional.max_unpool2d
        nn.functional.max_unpool2d.grad nn.functional.max_unpool3d nn.functional.max_unpool3d.grad
        nn.functional.bilinear nn.functional.glu nn.functional.prelu nn.functional.celu nn.functional.rrelu
        nn.functional.selu nn.functional.hardsigmoid nn.functional.logsigmoid nn.functional.mish nn.functional.softsign
        nn.functional.tanhshrink nn.functional.threshold nn.functional.triplet_margin_loss nn.functional.softshrink
        nn.functional.hardshrink nn.functional.hardtanh nn.functional.relu6 nn.functional.smooth_l1_loss
        nn.functional.dropout nn.functional.dropout2d nn.functional.dropout3d nn.functional.alpha_dropout
        nn.functional.feature_alpha_dropout.with_train nn.functional.feature_alpha_dropout.without_train
        nn.functional.multi_head_attention_forward nn.functional.cosine_embedding_loss nn.functional.gaussian_nll_loss
        nn.functional.hinge_embedding_loss nn.functional.huber_loss nn.functional.pdist nn.functional.poisson_nll_loss
        nn.functional.pairwise_distance nn.functional.pixel_shuffle nn.functional.pixel_unshuffle
        nn.functional.channel_shuffle nn.functional.kl_div nn.functional.linear_cross_entropy
    """),
    *plain(
        """
        bitwise_not bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift gcd lcm fmod flip
        nextafter
    """,
    ),
    *plain("""
        cat sgn to transpose norm __rmod__ __rand__ __ror__ __rxor__
        conj conj_physical resolve_conj resolve_neg renorm split_with_sizes
        select_scatter slice_scatter diagonal_scatter unravel_index
        i0 igamma igammac mvlgamma.mvlgamma_p_1 mvlgamma.mvlgamma_p_3 mvlgamma.mvlgamma_p_5 special.entr special.i0e
        special.i1 special.i1e special.ndtr special.ndtri special.xlog1py special.zeta special.erfcx
        special.polygamma.special_polygamma_n_0
    """),
    Row("special.log_ndtr", tolerance=32, second=1e6),  # differences of nearly equal numbers
    *plain("special.bessel_j0 special.bessel_j1 special.bessel_y0 special.bessel_y1"),
    Row("cauchy", ".cauchy_"),
    *plain("bincount tril_indices triu_indices"),
    # PyTorch's own second derivatives of these keep few digits.
    Row("nn.functional.binary_cross_entropy", second=1e6),
    Row("nn.functional.soft_margin_loss", second=1e6),
    *plain("byte char angle frexp fill nonzero_static constant_pad_nd"),
    Row("bfloat16", ".bfloat16"),
    Row("bool", ".bool"),
    Row("double", ".double"),
    Row("float", ".float"),
    Row("half", ".half"),
    Row("int", ".int"),
    Row("long", ".long"),
    Row("short", ".short"),
    Row("where", ".where"),
    Row("T", lambda x: x.T),
    Row("H", lambda x: x.H),
    Row("mT", lambda x: x.mT),
    Row("zero_", lambda x: x.clone().zero_()),
    Row(
        "nn.functional.embedding_bag",
        lambda weight, index, offsets=None, **given: engine.nn.functional.embedding_bag(
            index, weight, offsets, **given
        ),
    ),
    Row("nn.functional.grid_sample", tolerance=64, second=1e6),
    Row("grid_sampler_2d", tolerance=64, second=1e6),
    Row("grid_sampler_3d", tolerance=64, second=1e6),
    *plain("nn.functional.fractional_max_pool2d nn.functional.fractional_max_pool3d"),
    Row(
        "nn.functional.embedding", lambda weight, index, **given: engine.nn.functional.embedding(index, weight, **given)
    ),
    *plain("""
        atan2 hypot sinc logaddexp logaddexp2 lerp addcmul addcdiv copysign fmax fmin xlogy heaviside float_power ldexp
        dist asinh acosh atanh erfc erfinv frac logit nan_to_num deg2rad rad2deg signbit isposinf isneginf isreal real
        digamma polygamma.polygamma_n_0 polygamma.polygamma_n_1 polygamma.polygamma_n_2 polygamma.polygamma_n_3
        polygamma.polygamma_n_4 cumprod cummax cummin logcumsumexp diff trapezoid trapz nansum nanmean var_mean
        var_mean.unbiased std_mean std_mean.unbiased aminmax corrcoef median nanmedian quantile nanquantile diag
        diagonal diag_embed diagflat trace roll movedim tile repeat_interleave rot90 fliplr flipud hstack vstack dstack
        column_stack broadcast_to broadcast_tensors atleast_1d atleast_2d atleast_3d block_diag tensor_split hsplit
        vsplit dsplit addmv addr baddbmm addbmm kron inner vdot cross tensordot matmul cholesky logdet linalg.slogdet
        linalg.multi_dot linalg.cross linalg.diagonal linalg.inv linalg.solve linalg.cholesky linalg.matrix_power
        linalg.matrix_rank linalg.matrix_rank.hermitian
    """),
    Row("unfold", ".unfold"),
    *plain("cumulative_trapezoid gradient"),
    Row("sum_to_size", ".sum_to_size"),
    Row("lgamma", second=False),  # its second derivative is PyTorch's coarse trigamma
    Row("cov", second=False),  # of weights: nothing but cancellation
    Row("einsum", lambda operands, equation: engine.einsum(equation, operands)),
    Row("linalg.det", second=False),
    Row("linalg.norm", second=False),
    Row("linalg.norm.subgradients_at_zero", second=False),
    Row("linalg.vector_norm", second=False),
    Row("linalg.matrix_norm", second=False),
    *plain("""
        linalg.svdvals linalg.eigvalsh linalg.qr linalg.pinv pinverse linalg.lstsq
        linalg.solve_triangular linalg.vecdot linalg.vander linalg.tensorinv linalg.tensorsolve linalg.inv_ex
        linalg.lu linalg.lu_factor linalg.lu_factor_ex linalg.lu_solve lu lu_solve lu_unpack
        linalg.cholesky_ex linalg.solve_ex qr triangular_solve cholesky_solve cholesky_inverse norm.nuc
    """),
    Row("linalg.svd", seen=_up_to_signs, tolerance=256),
    Row("svd", seen=_up_to_signs, tolerance=256),
    Row("svd_lowrank", _lowrank("svd_lowrank"), seen=_up_to_signs, tolerance=256, second=False),
    Row("pca_lowrank", _lowrank("pca_lowrank"), seen=_up_to_signs, tolerance=256, second=False),
    Row("linalg.eigh", seen=lambda pair: (pair[0], pair[1].abs()), tolerance=256),
    Row("linalg.eig", seen=lambda pair: (pair[0].abs(), pair[1].abs()), tolerance=256),
    Row("linalg.eigvals", seen=lambda values: values.abs(), tolerance=256),
    Row("linalg.pinv.hermitian", tolerance=1024),  # gradients of 5e4, of a matrix that is nearly singular
    Row("matrix_exp", tolerance=64),
    Row("linalg.cond", tolerance=64),
    Row("linalg.lstsq.grad_oriented", lambda a, b, driver: engine.linalg.lstsq(a, b, driver=driver)[:2]),
    Row("linalg.pinv.singular", lambda a, b: engine.linalg.pinv(a @ b.mT), tolerance=64),
    Row("cdist", tolerance=64, second=False),
    *plain("""
        nn.functional.batch_norm nn.functional.binary_cross_entropy_with_logits
        nn.functional.conv_transpose2d nn.functional.conv_transpose3d nn.functional.multi_margin_loss
        nn.functional.one_hot nn.functional.pad.circular nn.functional.unfold nn.functional.softmin
        nn.functional.softmin.with_dtype softmax softmax.with_dtype log_softmax log_softmax.with_dtype
    """),
    Row("nn.functional.ctc_loss", tolerance=256),
    Row("nn.functional.scaled_dot_product_attention", tolerance=64),
    Row("nn.functional.layer_norm", tolerance=64),
    Row("nn.functional.normalize", tolerance=64, second=False),  # of p = 0.5: 0, but for rounding
]

# Rows whose wrong inputs are methods called by hand on what is no tensor, which PyTorch's C refuses; or tensors of
# another device (gradient).
REFUSED_OTHERWISE = {"__radd__", "__rand__", "__rmul__", "__ror__", "__rxor__", "gradient"}
