# type: ignore
"""torchmetrics.aggregation: sums, means and extremes of values."""

import torch
from torchmetrics.metric import Metric


def _tensor(value):
    return value.float() if isinstance(value, torch.Tensor) else torch.as_tensor(value, dtype=torch.float32)


class _Aggregator(Metric):
    start, how = 0.0, "sum"

    def __init__(self, nan_strategy="warn", **options):
        super().__init__()
        self.add_state("value", torch.tensor(self.start), self.how)

    def compute(self):
        return self.value


class SumMetric(_Aggregator):
    def update(self, value):
        self.value = self.value + _tensor(value).sum()


class MaxMetric(_Aggregator):
    start, how = -float("inf"), "max"

    def update(self, value):
        self.value = torch.max(self.value, _tensor(value).max())


class MinMetric(_Aggregator):
    start, how = float("inf"), "min"

    def update(self, value):
        self.value = torch.min(self.value, _tensor(value).min())


class MeanMetric(_Aggregator):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__()
        self.add_state("weight", torch.tensor(0.0), "sum")

    def update(self, value, weight=1.0):
        value = _tensor(value)
        weights = _tensor(weight).broadcast_to(value.shape)
        self.value = self.value + (value * weights).sum()
        self.weight = self.weight + weights.sum()

    def compute(self):
        return self.value / self.weight


class CatMetric(Metric):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__()
        self.add_state("value", [], "cat")

    def update(self, value):
        self.value.append(torch.atleast_1d(_tensor(value)))

    def compute(self):
        return torch.cat(self.value) if self.value else self.value
