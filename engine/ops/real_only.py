"""What PyTorch has for real numbers only: complex ones are refused in its words, where there are complex numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.ops import overriding
from engine.tensor import Tensor


def _words(text: str) -> list[str]:
    return text.split()


_KERNELS = {
    "amax": "max_values_cpu",
    "amin": "min_values_cpu",
    "arctan2": "atan2_cpu",
    "adaptive_avg_pool3d": "adaptive_avg_pool3d_cpu",
    "adaptive_max_pool1d": "adaptive_max_pool2d",
    "adaptive_max_pool2d": "adaptive_max_pool2d",
    "adaptive_max_pool3d": "adaptive_max_pool3d_cpu",
    "arange": "arange_cpu",
    "avg_pool1d": "avg_pool2d",
    "avg_pool2d": "avg_pool2d",
    "avg_pool3d": "avg_pool3d_out_frame",
    "binary_cross_entropy": "binary_cross_entropy",
    "bucketize": "searchsorted_out_cpu",
    "clamp_max": "minimum_cpu",
    "clamp_min": "maximum_cpu",
    "digamma": "digamma",
    "erf": "erf_vml_cpu",
    "erfc": "erfc_vml_cpu",
    "erfinv": "erfinv_vml_cpu",
    **dict.fromkeys(("fractional_max_pool2d", "fractional_max_pool2d_with_indices"), "fractional_max_pool2d_out_frame"),
    **dict.fromkeys(("fractional_max_pool3d", "fractional_max_pool3d_with_indices"), "fractional_max_pool3d_out_frame"),
    "gaussian_nll_loss": "lt_cpu",
    "grid_sample": "grid_sampler_2d_cpu_kernel_impl",
    "grid_sampler": "grid_sampler_2d_cpu_kernel_impl",
    "grid_sampler_2d": "grid_sampler_2d_cpu_kernel_impl",
    "grid_sampler_3d": "grid_sampler3d_cpu",
    "i0": "i0_vml_cpu",
    "index_reduce": "index_func_",
    "lgamma": "lgamma_vml_cpu",
    "local_response_norm": "avg_pool2d",
    "histogram": "histogramdd",
    "max_pool1d": "max_pool2d",
    "max_pool2d": "max_pool2d",
    "max_pool3d": "max_pool3d",
    "max_unpool1d": "max_unpool2d",
    "max_unpool2d": "max_unpool2d",
    "max_unpool3d": "max_unpool3d",
    "median": "median_out",
    "multi_margin_loss": "multi_margin_loss_cpu_kernel",
    "multigammaln": "arange_cpu",
    "multilabel_margin_loss": "multilabel_margin_loss_forward_out_frame",
    "mvlgamma": "arange_cpu",
    "nanmedian": "median_cpu",
    "ndtr": "erf_vml_cpu",
    "nll_loss": "nll_loss_out_frame",
    "poisson_nll_loss": "le_cpu",
    "polygamma": "polygamma",
    "scaled_dot_product_attention": "softmax_lastdim_kernel_impl",
    "searchsorted": "searchsorted_out_cpu",
    "unique": "unique",
    "unique_consecutive": "unique",
    **{
        name: f"{name}_cpu"
        for name in _words(
            "aminmax atan2 copysign cummax cummin entr erfcx frac geometric i0e i1 i1e kthvalue "
            "log_ndtr logit mode ndtri prelu threshold xlog1py xlogy zeta bessel_j0 bessel_j1 bessel_y0 bessel_y1"
        )
    },
}
"""By the names of functions and methods: what PyTorch calls the loop that it has not for complex numbers."""

_NO_CLAMP = (NotImplementedError, "clamp is not supported for complex types")
_SORT = (RuntimeError, " Sort does not support complex dtypes on CPU")
_NANSUM = (RuntimeError, "nansum on CPU does not support complex inputs")
_TOLD: dict[str, tuple[type[Exception], str]] = {
    **dict.fromkeys(
        _words("clamp clip relu relu6 hardtanh cosine_embedding_loss hinge_embedding_loss margin_ranking_loss"),
        _NO_CLAMP,
    ),
    **dict.fromkeys(("sort", "argsort", "msort"), _SORT),
    **dict.fromkeys(("nansum", "nanmean"), _NANSUM),
    **{name: (RuntimeError, f"{name}(): does not support complex input") for name in ("argmax", "argmin")},
    **{
        name: (RuntimeError, f"{name} not implemented for complex tensors.")
        for name in _words("fmax fmin maximum minimum")
    },
    **{name: (RuntimeError, f"{name} is not supported for complex tensors.") for name in ("deg2rad", "rad2deg")},
    **{name: (RuntimeError, f"{name} does not support complex inputs.") for name in ("isposinf", "isneginf")},
    "cdist": (RuntimeError, "cdist only supports floating-point dtypes, X1 got: {kind}"),
    "heaviside": (RuntimeError, "heaviside is not yet implemented for complex tensors."),
    "isin": (RuntimeError, "Unsupported input type encountered for isin(): {kind}"),
    "kl_div": (RuntimeError, "kl_div: Complex inputs not supported."),
    "normal": (RuntimeError, "normal expects standard deviation to be non-complex"),
    "pdist": (RuntimeError, "pdist only supports floating-point dtypes"),
    "randint_like": (RuntimeError, "check_random_bounds handles only integral, floating-point and boolean types"),
    "signbit": (NotImplementedError, "signbit is not implemented for complex tensors."),
    "topk": (RuntimeError, " topk does not support complex dtypes on CPU"),
    "embedding_bag": (
        RuntimeError,
        (
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, Float,"
            " Double; but got CPU{kind}Type instead (while checking arguments for embedding_bag)"
        ),
    ),
}
"""What others say."""

_NO_GRADIENT = frozenset(_words("nan_to_num bilinear embedding scatter_reduce select_scatter silu soft_margin_loss"))
"""What can be computed, and not differentiated."""


def check(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raise PyTorch's error where the function or method `name` is given complex numbers that it does not take."""
    if name == "normal_":
        return
    name = name.removeprefix("special_").rstrip("_")
    told = _TOLD.get(name)
    if told is None and name not in _KERNELS and name not in _ORDERED and name not in _NO_GRADIENT:
        return
    for each in _tensors((*args, *kwargs.values())):
        if overriding.array_of(each).dtype.kind == "c":
            kind = each.dtype.scalar_type
            if name in _ORDERED:
                told = _extreme(name, args, kwargs)
            if name in _NO_GRADIENT:
                if not each._needs:
                    continue
                told = (
                    RuntimeError,
                    f"{name} does not support automatic differentiation for outputs with complex dtype.",
                )
            if told is not None:
                raise told[0](told[1].format(kind=kind))
            raise NotImplementedError(f"\"{_KERNELS[name]}\" not implemented for '{kind}'")


_ORDERED = ("max", "min")


def _extreme(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[type[Exception], str] | None:
    """What max() and min() say: of all elements, along a dimension, of two tensors."""
    other = args[1] if len(args) > 1 else kwargs.get("other", kwargs.get("dim"))
    if isinstance(other, Tensor):
        return _TOLD[f"{name}imum"]
    if other is not None:
        return RuntimeError, f"{name}(): does not support complex input"
    return NotImplementedError, f"\"{name}_all\" not implemented for '{{kind}}'"


def _tensors(given: Iterable[Any]) -> Iterable[Tensor]:
    for each in given:
        if isinstance(each, Tensor):
            yield each
        elif isinstance(each, (list, tuple)):
            yield from _tensors(each)
