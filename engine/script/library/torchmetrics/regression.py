# type: ignore
"""torchmetrics.regression: errors of numbers."""

import torch
from torchmetrics._checks import same_shape
from torchmetrics.metric import Metric


class _Mean(Metric):
    """The mean of something over all numbers."""

    def __init__(self, **options):
        super().__init__()
        self.add_state("total", torch.tensor(0.0), "sum")
        self.add_state("count", torch.tensor(0), "sum")

    def update(self, preds, target):
        same_shape(preds, target)
        self.total = self.total + self.of(preds, target).sum()
        self.count = self.count + target.numel()

    def compute(self):
        return self.total / self.count


class MeanSquaredError(_Mean):
    higher_is_better = False

    def __init__(self, squared=True, num_outputs=1, **options):
        super().__init__()
        self.squared = squared

    def of(self, preds, target):
        return (preds - target) ** 2

    def compute(self):
        found = super().compute()
        return found if self.squared else found.sqrt()


class MeanAbsoluteError(_Mean):
    higher_is_better = False

    def of(self, preds, target):
        return (preds - target).abs()


class MeanAbsolutePercentageError(_Mean):
    def of(self, preds, target):
        return (preds - target).abs() / target.abs().clamp(min=1.17e-06)


class MeanSquaredLogError(_Mean):
    def of(self, preds, target):
        return (torch.log1p(preds) - torch.log1p(target)) ** 2


class _All(Metric):
    """A figure of all numbers together."""

    def __init__(self, **options):
        super().__init__()
        self.add_state("preds", [], "cat")
        self.add_state("target", [], "cat")

    def update(self, preds, target):
        self.preds.append(preds)
        self.target.append(target)

    def compute(self):
        return self.of(torch.cat(self.preds), torch.cat(self.target))


class R2Score(_All):
    def __init__(self, num_outputs=1, adjusted=0, multioutput="uniform_average", **options):
        super().__init__()

    def of(self, preds, target):
        if len(target) < 2:
            raise ValueError("Needs at least two samples to calculate r2 score.")
        found = 1 - ((target - preds) ** 2).sum(0) / ((target - target.mean(0)) ** 2).sum(0)
        return found.mean()


class PearsonCorrCoef(_All):
    def __init__(self, num_outputs=1, **options):
        super().__init__()

    def of(self, preds, target):
        x, y = preds - preds.mean(0), target - target.mean(0)
        return (x * y).sum(0) / ((x**2).sum(0) * (y**2).sum(0)).sqrt()


class ExplainedVariance(_All):
    def of(self, preds, target):
        return 1 - (target - preds).var(0, correction=0) / target.var(0, correction=0)
