# type: ignore
"""torch.optim.swa_utils: models whose parameters are averages of another's."""

import copy

import torch


def get_ema_avg_fn(decay=0.999):
    def update(averaged, current, count):
        return decay * averaged + (1 - decay) * current

    return update


def get_ema_multi_avg_fn(decay=0.999):
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
