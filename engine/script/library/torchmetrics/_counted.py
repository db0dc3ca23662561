# type: ignore
"""Predictions and targets as counts: of each class those that are right, missing and too many."""

import torch
from torchmetrics._checks import same_shape


def _decided(preds, threshold):
    """0 or 1 where there are scores, which are logits if some are outside of 0 to 1."""
    if not preds.is_floating_point():
        return preds
    if not bool(((preds >= 0) & (preds <= 1)).all()):
        preds = preds.sigmoid()
    return (preds > threshold).long()


def binary(preds, target, threshold=0.5, ignore_index=None):
    """0 or 1 each, flat."""
    same_shape(preds, target)
    preds, target = _decided(preds.reshape(-1), threshold), target.reshape(-1)
    if ignore_index is not None:
        kept = target != ignore_index
        preds, target = preds[kept], target[kept]
    return preds, target


def of_binary(preds, target, threshold, ignore_index):
    """tp, fp, tn, fn."""
    preds, target = binary(preds, target, threshold, ignore_index)
    return (
        ((target == preds) & (target == 1)).sum(),
        ((target != preds) & (target == 0)).sum(),
        ((target == preds) & (target == 0)).sum(),
        ((target != preds) & (target == 1)).sum(),
    )


def of_labels(preds, target, threshold, ignore_index):
    """tp, fp, tn, fn of each label."""
    same_shape(preds, target)
    preds = _decided(preds, threshold)
    preds = preds.reshape(*preds.shape[:2], -1)
    target = target.reshape(*target.shape[:2], -1)
    there = torch.ones_like(target, dtype=torch.bool) if ignore_index is None else target != ignore_index
    dims = [0, 2]
    return (
        ((target == preds) & (target == 1) & there).sum(dims),
        ((target != preds) & (target == 0) & there).sum(dims),
        ((target == preds) & (target == 0) & there).sum(dims),
        ((target != preds) & (target == 1) & there).sum(dims),
    )


def classes(preds, target, ignore_index=None):
    """A class each, flat."""
    if preds.ndim == target.ndim + 1:
        preds = preds.argmax(1)
    preds, target = preds.flatten(), target.flatten()
    if ignore_index is not None:
        kept = target != ignore_index
        preds, target = preds[kept], target[kept]
    return preds.long(), target


def table(preds, target, count, ignore_index=None):
    """How often each class (rows) was taken for each."""
    preds, target = classes(preds, target, ignore_index)
    return torch.bincount(target * count + preds, minlength=count * count).reshape(count, count)


def of_classes(preds, target, count, average, top_k, ignore_index):
    """tp, fp, tn, fn of each class, or of all together where that is what is averaged."""
    if top_k > 1:
        best = preds.topk(top_k, 1).indices
        hit = (best == target.unsqueeze(1)).any(1)
        preds = torch.where(hit, target, best[:, 0])
    if average == "micro":
        preds, target = classes(preds, target, ignore_index)
        tp = (preds == target).sum()
        wrong = (preds != target).sum()
        return tp, wrong, count * preds.numel() - (2 * wrong + tp), wrong
    found = table(preds, target, count, ignore_index)
    tp = found.diag()
    fp, fn = found.sum(0) - tp, found.sum(1) - tp
    return tp, fp, found.sum() - (fp + fn + tp), fn


def share(part, whole):
    """part / whole, 0 where there is nothing."""
    part, whole = part.float(), whole.float()
    return torch.where(
        whole == 0, torch.zeros_like(whole), part / torch.where(whole == 0, torch.ones_like(whole), whole)
    )


def averaged(scores, average, tp, fp, fn, several=False, top_k=1):
    if average in (None, "none"):
        return scores
    if average == "weighted":
        weights = (tp + fn).float()
    else:
        weights = torch.ones_like(scores)
        if not several and top_k == 1:
            weights[tp + fp + fn == 0] = 0.0
    return (share(weights, weights.sum(-1, keepdim=True)) * scores).sum(-1)
