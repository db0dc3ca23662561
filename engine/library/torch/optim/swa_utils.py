# type: ignore
"""torch.optim.swa_utils: models whose parameters are averages of another's."""

import copy
import math

import torch


def _check(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_avg_fn(decay=0.999):
    _check(decay)

    def update(averaged, current, count):
        return decay * averaged + (1 - decay) * current

    return update


def get_ema_multi_avg_fn(decay=0.999):
    _check(decay)

    def update(averaged, current, count):
        for mine, theirs in zip(averaged, current):
            mine.lerp_(theirs, 1 - decay)

    return update


def get_swa_avg_fn():
    def update(averaged, current, count):
        return averaged + (current - averaged) / (count + 1)

    return update


class AveragedModel(torch.nn.Module):
    """A copy of `model` that update_parameters() moves towards it: the mean of all states, or what `avg_fn` says."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        mine, theirs = list(self.module.parameters()), list(model.parameters())
        if self.use_buffers:
            mine, theirs = mine + list(self.module.buffers()), theirs + list(model.buffers())
        with torch.no_grad():
            if self.n_averaged == 0:
                for averaged, current in zip(mine, theirs):
                    averaged.copy_(current)
            elif self.multi_avg_fn is not None:
                self.multi_avg_fn(mine, [current.detach() for current in theirs], self.n_averaged)
            else:
                average = self.avg_fn or get_swa_avg_fn()
                for averaged, current in zip(mine, theirs):
                    averaged.copy_(average(averaged.detach(), current.detach(), self.n_averaged))
            if not self.use_buffers:
                for averaged, current in zip(self.module.buffers(), model.buffers()):
                    averaged.copy_(current)
            self.n_averaged += 1


class SWALR(torch.optim.lr_scheduler.LRScheduler):
    """Brings the learning rate to `swa_lr` within `anneal_epochs` and leaves it there."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        groups = optimizer.param_groups
        rates = list(swa_lr) if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(groups)
        if len(rates) != len(groups):
            raise ValueError(
                "swa_lr must have the same length as optimizer.param_groups. swa_lr has"
                f" {len(rates)} values, param_groups has {len(groups)}."
            )
        for group, rate in zip(groups, rates):
            group["swa_lr"] = rate
        self.anneal_epochs, self.strategy = anneal_epochs, anneal_strategy
        super().__init__(optimizer, last_epoch)

    def _share(self, step):
        done = max(0, min(1, step / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * done)) / 2 if self.strategy == "cos" else done

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(max(0, step - 1)), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            start = group["swa_lr"] if before == 1 else (group["lr"] - before * group["swa_lr"]) / (1 - before)
            rates.append(group["swa_lr"] * now + start * (1 - now))
        return rates


def update_bn(loader, model, device=None):
    """Compute the running statistics of batch norms anew, as means over the loader."""
    momenta = {}
    for module in model.modules():
        if isinstance(module, (torch.nn.BatchNorm1d, torch.nn.BatchNorm2d, torch.nn.BatchNorm3d)):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for batch in loader:
        model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)
