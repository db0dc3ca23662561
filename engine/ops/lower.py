"""Functions of torch below torch.nn.functional: the same operations with other arguments, all of them to be told, and a
loss's reduction as a number."""

from __future__ import annotations

from typing import Any

from engine.ops import (
    activation_pieces,
    activation_smooth,
    conv,
    drop,
    loss,
    loss_ctc,
    loss_margin,
    loss_regression,
    pool,
    pool_adaptive,
    sampled,
)
from engine.ops import embedding as tables
from engine.ops import norm as norms
from engine.ops import padding as borders
from engine.tensor import Tensor

_REDUCTIONS = ("none", "mean", "sum")


def get_device(input: Tensor) -> int:
    """-1: it is on the cpu."""
    return input.get_device()


def detach_(input: Tensor) -> Tensor:
    return input.detach_()


def fill(input: Tensor, value: Any) -> Tensor:
    """A tensor like `input` with `value` in all places."""
    return input.clone().fill_(value)


def frobenius_norm(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """The root of the sum of squares along `dim`."""
    return input.norm(2, dim, keepdim)


def constant_pad_nd(input: Tensor, pad: Any, value: Any = 0) -> Tensor:
    return borders.pad(input, pad, "constant", value)


# -- activations and dropout in place -------------------------------------------------------------------------------


def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    return activation_smooth.celu(input, alpha, True)


def selu_(input: Tensor) -> Tensor:
    return activation_smooth.selu(input, True)


def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    return activation_pieces.threshold(input, threshold, value, True)


def rrelu_(input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False) -> Tensor:
    return activation_pieces.rrelu(input, lower, upper, training, True)


def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    return drop.dropout(input, p, train, True)


def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    return drop.alpha_dropout(input, p, train, True)


def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    return drop.feature_alpha_dropout(input, p, train, True)


def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Dropout of whole channels, whatever number of dimensions they have."""
    return drop._drop(input, p, train, False, True)


def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    return drop._drop(input, p, train, True, True)


# -- layers ---------------------------------------------------------------------------------------------------------


def embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of `weight` at `indices`; a negative `padding_idx` is none."""
    padding = None if padding_idx < 0 else padding_idx
    return tables.embedding(indices, weight, padding, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse)


def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    return norms.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Tensor:
    return norms.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def adaptive_max_pool1d(input: Tensor, output_size: Any) -> Any:
    """(values, indices)."""
    return pool_adaptive.adaptive_max_pool1d(input, output_size, True)


def max_pool1d_with_indices(
    input: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """(values, indices)."""
    return pool.max_pool1d(input, kernel_size, stride or None, padding, dilation, ceil_mode, True)


def grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    mode = ("bilinear", "nearest", "bicubic")[interpolation_mode]
    return sampled.grid_sample(input, grid, mode, ("zeros", "border", "reflection")[padding_mode], align_corners)


grid_sampler_2d = grid_sampler_3d = grid_sampler


def affine_grid_generator(theta: Tensor, size: Any, align_corners: bool) -> Tensor:
    return sampled.affine_grid(theta, size, align_corners)


def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
) -> Tensor:
    """What all convolutions are in the end, of as many dimensions as the weight says."""
    if not all(isinstance(each, (list, tuple)) for each in (stride, padding, dilation, output_padding)):
        raise TypeError("convolution(): one number does not stand for all dimensions")  # told in PyTorch's words
    dims, given = weight._array.ndim, input._array.ndim
    if dims < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if given != dims:
        raise RuntimeError(
            f"Expected {dims}-dimensional input for {dims}-dimensional weight {list(weight._array.shape)}, but got"
            f" {given}-dimensional input of size {list(input._array.shape)} instead"
        )
    if transposed:
        spread = (conv.conv_transpose1d, conv.conv_transpose2d, conv.conv_transpose3d)[dims - 3]
        return spread(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return (conv.conv1d, conv.conv2d, conv.conv3d)[dims - 3](input, weight, bias, stride, padding, dilation, groups)


# -- losses ---------------------------------------------------------------------------------------------------------


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = 0,
) -> Tensor:
    return loss.binary_cross_entropy_with_logits(
        input, target, weight, reduction=_REDUCTIONS[reduction], pos_weight=pos_weight
    )


def kl_div(input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False) -> Tensor:
    losses = loss_regression.kl_div(input, target, reduction="none", log_target=log_target)
    return losses.mean() if reduction == 1 else losses.sum() if reduction == 2 else losses


def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    return loss_regression.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=_REDUCTIONS[reduction])


def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    return loss_margin.margin_ranking_loss(input1, input2, target, margin, reduction=_REDUCTIONS[reduction])


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 0) -> Tensor:
    return loss_margin.hinge_embedding_loss(input, target, margin, reduction=_REDUCTIONS[reduction])


def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    return loss_margin.cosine_embedding_loss(input1, input2, target, margin, reduction=_REDUCTIONS[reduction])


def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 0,
) -> Tensor:
    return loss_margin.triplet_margin_loss(
        anchor, positive, negative, margin, p, eps, swap, reduction=_REDUCTIONS[reduction]
    )


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:
    return loss_ctc.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, _REDUCTIONS[reduction], zero_infinity
    )
