# type: ignore
"""torch.nn.utils.clip_grad: the file in which PyTorch keeps these."""

from torch.nn.utils import (
    clip_grad_norm,
    clip_grad_norm_,
    clip_grad_value_,
    clip_grads_with_norm_,
    get_total_norm,
)
