# type: ignore
"""torchmetrics.metric: what a metric is, and several of them together."""

import copy

import torch
from torch import nn


class Metric(nn.Module):
    """`update()` takes a batch in, `compute()` tells the figure of all batches since `reset()`, a call that of the
    batch alone, which it takes in too."""

    is_differentiable = higher_is_better = None
    full_state_update = None

    def __init__(self, **options):
        super().__init__()
        self._defaults, self._reductions, self._updates, self._computed = {}, {}, 0, None

    def add_state(self, name, default, dist_reduce_fx=None, persistent=False):
        if not isinstance(default, (torch.Tensor, list)) or (isinstance(default, list) and default):
            raise ValueError("state variable must be a tensor or any empty list (where you can append tensors)")
        if dist_reduce_fx not in ("sum", "mean", "cat", "min", "max", None) and not callable(dist_reduce_fx):
            raise ValueError("`dist_reduce_fx` must be callable or one of ['mean', 'sum', 'cat', 'min', 'max', None]")
        self._defaults[name], self._reductions[name] = copy.deepcopy(default), dist_reduce_fx
        setattr(self, name, _fresh(default))

    def update(self, *args, **kwargs):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError

    def reset(self):
        self._updates, self._computed = 0, None
        for name, default in self._defaults.items():
            setattr(self, name, _fresh(default))

    @property
    def update_called(self):
        return self._updates > 0

    @property
    def update_count(self):
        return self._updates

    @property
    def metric_state(self):
        return {name: getattr(self, name) for name in self._defaults}

    @property
    def device(self):
        return torch.device("cpu")

    def forward(self, *args, **kwargs):
        """The figure of this batch."""
        before = {name: getattr(self, name) for name in self._defaults}
        updates = self._updates
        self.reset()
        self.update(*args, **kwargs)
        found = self.compute()
        for name, mine in before.items():
            setattr(self, name, self._joined(name, mine, getattr(self, name), updates))
        self._updates = updates + 1
        return found

    def _joined(self, name, before, batch, updates):
        """A state with that of a batch."""
        how = self._reductions[name]
        if isinstance(before, list):
            return [*before, *batch]
        if how == "sum":
            return before + batch
        if how == "mean":
            return (updates * before + batch) / (updates + 1)
        if how == "max":
            return torch.max(before, batch)
        if how == "min":
            return torch.min(before, batch)
        if how == "cat":
            return torch.cat([before, batch])
        return batch if how is None else how(torch.stack([before, batch]))

    def clone(self):
        return copy.deepcopy(self)

    def extra_repr(self):
        return ""

    def persistent(self, mode=False):
        return None

    def plot(self, *args, **options):
        raise NotImplementedError("plot() of a metric does not exist here: use matplotlib.pyplot")


def _fresh(default):
    return [] if isinstance(default, list) else default.detach().clone()


class MetricCollection(nn.ModuleDict):
    """Metrics that are given the same."""

    def __init__(self, metrics, *more, prefix=None, postfix=None, compute_groups=True):
        if isinstance(metrics, dict):
            named = {name: metrics[name] for name in sorted(metrics)}
        else:
            given = [metrics, *more] if isinstance(metrics, Metric) else [*metrics, *more]
            named = {}
            for each in given:
                name = type(each).__name__
                if name in named:
                    raise ValueError(f"Encountered two metrics both named {name}")
                named[name] = each
        super().__init__()
        for name, each in named.items():
            self[name] = each
        self.prefix, self.postfix = prefix, postfix

    def _held(self):
        return [*nn.ModuleDict.items(self)]

    def _named(self, found):
        return {f"{self.prefix or ''}{name}{self.postfix or ''}": value for name, value in found.items()}

    def forward(self, *args, **kwargs):
        return self._named({name: each(*args, **kwargs) for name, each in self._held()})

    def update(self, *args, **kwargs):
        for each in self.values():
            each.update(*args, **kwargs)

    def compute(self):
        return self._named({name: each.compute() for name, each in self._held()})

    def reset(self):
        for each in self.values():
            each.reset()

    def clone(self, prefix=None, postfix=None):
        made = copy.deepcopy(self)
        made.prefix, made.postfix = prefix or made.prefix, postfix or made.postfix
        return made

    def items(self, keep_base=False, copy_state=True):
        return self._named(dict(self._held())).items()
