"""torch.nn.functional: the operations that networks are made of. They are written in engine/ops/."""

# ruff: noqa: F403, F405  (what the files of operations have is known to the type checker, and imported when asked)

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.nn import handed
from engine.ops import guard, quick
from engine.ops.activation import (
    gelu,
    log_softmax,
    relu,
    silu,
    softmax,
    softplus,
)
from engine.ops.activation_pieces import (
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    prelu,
    relu6,
    rrelu,
    softshrink,
    threshold,
)
from engine.ops.activation_smooth import (
    celu,
    elu,
    glu,
    gumbel_softmax,
    logsigmoid,
    mish,
    selu,
    softmin,
    softsign,
    tanhshrink,
)
from engine.ops.linear import (
    linear,
)
from engine.ops.loss import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    nll_loss,
)
from engine.ops.loss_regression import (
    gaussian_nll_loss,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    poisson_nll_loss,
    smooth_l1_loss,
)
from engine.ops.widened import noticed
from engine.rooms import inside, opened
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.ops.attention import *
    from engine.ops.bags import *
    from engine.ops.conv import *
    from engine.ops.distance import *
    from engine.ops.drop import *
    from engine.ops.embedding import *
    from engine.ops.fold import *
    from engine.ops.loss_ctc import *
    from engine.ops.loss_linear import *
    from engine.ops.loss_margin import *
    from engine.ops.multihead import *
    from engine.ops.norm import *
    from engine.ops.padding import *
    from engine.ops.pool import *
    from engine.ops.pool_adaptive import *
    from engine.ops.resize import *
    from engine.ops.sampled import *


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-input))."""
    return input.sigmoid()


def tanh(input: Tensor) -> Tensor:
    """tanh(input)."""
    return input.tanh()


def _in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The `_` version of an activation."""

    def changed(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return function(input, *args, **kwargs, inplace=True)

    changed.__name__ = changed.__qualname__ = function.__name__ + "_"
    changed.__doc__ = f"In place: {function.__doc__}"
    return guard.function(changed.__name__, changed)


relu_, elu_, celu_, selu_ = _in_place(relu), _in_place(elu), _in_place(celu), _in_place(selu)
hardtanh_, leaky_relu_ = _in_place(hardtanh), _in_place(leaky_relu)
threshold_, rrelu_ = _in_place(threshold), _in_place(rrelu)


def _with_indices(function: Callable[..., Any]) -> Callable[..., tuple[Tensor, Tensor]]:
    """The version of a pooling that also tells where the elements were."""

    def pool(input: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, Tensor]:
        kwargs["return_indices"] = True
        try:
            return function(input, *args, **kwargs)
        except TypeError as error:
            raise TypeError(str(error).replace(f"{function.__qualname__}()", f"{pool.__name__}()")) from error

    pool.__name__ = pool.__qualname__ = function.__name__ + "_with_indices"
    pool.__doc__ = function.__doc__
    return pool


_SELDOM = {  # what is imported when somebody asks for it, by the files that have it
    "attention": "bilinear scaled_dot_product_attention",
    "bags": "embedding_bag",
    "conv": "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d",
    "distance": "cosine_similarity pairwise_distance pdist",
    "drop": "alpha_dropout dropout dropout1d dropout2d dropout3d feature_alpha_dropout",
    "embedding": "embedding one_hot",
    "fold": "channel_shuffle fold pixel_shuffle pixel_unshuffle unfold",
    "loss_ctc": "ctc_loss",
    "loss_linear": "linear_cross_entropy",
    "loss_margin": (
        "cosine_embedding_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss "
        "multilabel_margin_loss multilabel_soft_margin_loss soft_margin_loss triplet_margin_loss "
        "triplet_margin_with_distance_loss"
    ),
    "multihead": "multi_head_attention_forward",
    "norm": "batch_norm group_norm instance_norm layer_norm local_response_norm normalize rms_norm",
    "padding": "pad",
    "pool": (
        "avg_pool1d avg_pool2d avg_pool3d lp_pool1d lp_pool2d lp_pool3d max_pool1d max_pool2d max_pool3d "
        "max_unpool1d max_unpool2d max_unpool3d"
    ),
    "pool_adaptive": (
        "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d "
        "adaptive_max_pool3d"
    ),
    "resize": "interpolate upsample upsample_bilinear upsample_nearest",
    "sampled": (
        "affine_grid fractional_max_pool2d fractional_max_pool2d_with_indices fractional_max_pool3d "
        "fractional_max_pool3d_with_indices grid_sample"
    ),
}
_WITH_INDICES = "max_pool1d max_pool2d max_pool3d adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d"
"""Pools of which there is a version that also tells where the elements were."""

# What PyTorch implements in C++ refuses wrong arguments in words of its own.
IN_C = (
    "adaptive_avg_pool1d avg_pool1d avg_pool2d avg_pool3d bilinear channel_shuffle conv1d conv2d conv3d"
    " conv_transpose1d conv_transpose2d conv_transpose3d cosine_similarity gelu hardshrink linear one_hot"
    " pairwise_distance pdist pixel_shuffle pixel_unshuffle prelu scaled_dot_product_attention softplus softshrink"
)
_IN_PYTHON = {  # by what is done first with their tensors: see guard.in_python
    "": (
        "alpha_dropout celu cosine_embedding_loss dropout elu hardsigmoid hardswish hardtanh hinge_embedding_loss"
        " kl_div layer_norm leaky_relu max_pool1d max_pool2d max_pool3d mish multi_margin_loss pad poisson_nll_loss"
        " relu relu6 relu_ rms_norm rrelu selu silu soft_margin_loss threshold triplet_margin_loss adaptive_max_pool1d"
        " ctc_loss multilabel_margin_loss"
    ),
    ".size": (
        "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d binary_cross_entropy"
        " binary_cross_entropy_with_logits huber_loss instance_norm l1_loss max_unpool1d max_unpool2d max_unpool3d"
        " mse_loss smooth_l1_loss gaussian_nll_loss"
    ),
    ".dim": "dropout1d dropout2d dropout3d glu group_norm interpolate local_response_norm margin_ranking_loss upsample",
    "pairwise_distance anchor=x1:1 positive=x2:2 negative=x2:2": "triplet_margin_with_distance_loss",
    ".is_floating_point": "affine_grid",
    ".softmax": "softmax softmin",
    ".log_softmax": "log_softmax",
    ".sigmoid": "sigmoid",
    ".tanh": "tanh tanhshrink",
    ".abs": "softsign",
    ".pow": "lp_pool1d lp_pool2d",
    ".norm": "normalize",
    "cross_entropy_loss": "cross_entropy",
    "nll_loss_nd": "nll_loss",
    "embedding input=indices:2 weight=weight:1": "embedding",
    "grid_sampler": "grid_sample",
    "batch_norm running_mean=running_mean:4 running_var=running_var:5": "batch_norm",
    "log_sigmoid": "logsigmoid multilabel_soft_margin_loss",
    "col2im": "fold",
    "im2col": "unfold",
    "empty_like logits=input:1": "gumbel_softmax",
}
_FIRST = {name: first for first, names in _IN_PYTHON.items() for name in names.split()}


def _shown(name: str, operation: Any) -> Any:
    """`operation` as it refuses wrong arguments under its `name`."""
    if name.endswith("_with_indices") and name.removesuffix("_with_indices") in _WITH_INDICES.split():
        return _with_indices(operation)
    if name in IN_C.split():
        return guard.function(name, operation)
    if name not in _FIRST:
        return noticed(name, operation) if callable(operation) else operation
    then, exact, compared = handed.THEN.get(name, ""), handed.EXACT.get(name), name in handed.COMPARED
    return quick.activation(name, guard.in_python(name, operation, _FIRST[name], then, exact, compared))


for _name in (*IN_C.split(), *_FIRST):
    if _name in globals():
        globals()[_name] = _shown(_name, globals()[_name])

if not TYPE_CHECKING:
    _found = inside("engine.ops", _SELDOM)
    _pools = {f"{name}_with_indices": _found[name] for name in _WITH_INDICES.split()}
    __getattr__, __dir__ = opened(globals(), "torch.nn.functional", {**_found, **_pools}, _shown)

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices",
    "affine_grid",
    "alpha_dropout",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "bilinear",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "celu",
    "celu_",
    "channel_shuffle",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "cosine_embedding_loss",
    "cosine_similarity",
    "cross_entropy",
    "ctc_loss",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "elu",
    "elu_",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "fold",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
    "gaussian_nll_loss",
    "gelu",
    "glu",
    "grid_sample",
    "group_norm",
    "gumbel_softmax",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "hinge_embedding_loss",
    "huber_loss",
    "instance_norm",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "leaky_relu_",
    "linear",
    "linear_cross_entropy",
    "local_response_norm",
    "log_softmax",
    "logsigmoid",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "margin_ranking_loss",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "mish",
    "mse_loss",
    "multi_head_attention_forward",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "pairwise_distance",
    "pdist",
    "pixel_shuffle",
    "pixel_unshuffle",
    "poisson_nll_loss",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "rms_norm",
    "rrelu",
    "rrelu_",
    "scaled_dot_product_attention",
    "selu",
    "selu_",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "threshold_",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
    "unfold",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
]
