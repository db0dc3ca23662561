# type: ignore
"""torch.distributions.utils: probabilities and logits, and what the classes of distributions do with arguments."""

import torch
from torch.distributions.distribution import tensors
from torch.nn import functional as F


def broadcast_all(*values):
    return tensors(*values)


def clamp_probs(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


def probs_to_logits(probs, is_binary=False):
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)
