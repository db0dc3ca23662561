# type: ignore
"""Figures of the order in which the scores of one class stand."""

import torch


def area(preds, target):
    """The area under the curve of hits and false alarms: the share of pairs that are in order."""
    order = preds.argsort()
    ranks = torch.empty(len(preds), dtype=torch.float64)
    ranks[order] = torch.arange(1, len(preds) + 1, dtype=torch.float64)
    kinds, where, counts = torch.unique(preds, return_inverse=True, return_counts=True)
    mean = torch.zeros(len(kinds), dtype=torch.float64).index_add(0, where, ranks) / counts
    many = target.sum()
    few = len(target) - many
    if not many or not few:
        return torch.tensor(0.0)
    total = mean[where][target == 1].sum() - many * (many + 1) / 2
    return (total / (many * few)).float()


def mean_precision(preds, target):
    """The mean of the precisions at each hit, where equal scores count together. NaN where there is none to be hit."""
    order = preds.argsort(descending=True, stable=True)
    scores, hits = preds[order], target[order].double()
    last = torch.cat([scores[1:] != scores[:-1], torch.ones(1, dtype=torch.bool)])
    found = hits.cumsum(0)[last]
    precision = found / (torch.arange(1, len(scores) + 1)[last])
    steps = torch.cat([found[:1], found[1:] - found[:-1]])
    return (precision * steps).sum().div(hits.sum()).float()
