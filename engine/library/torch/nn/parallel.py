# type: ignore
"""torch.nn.parallel: a module that each process of a group has, of which there is one."""

from contextlib import contextmanager

import torch
from torch import distributed, nn
from torch.nn import DataParallel


class DistributedDataParallel(nn.Module):
    """`module` called as it is: the mean of one process's gradients are those gradients."""

    def __init__(
        self,
        module,
        device_ids=None,
        output_device=None,
        dim=0,
        broadcast_buffers=True,
        init_sync=True,
        process_group=None,
        bucket_cap_mb=None,
        find_unused_parameters=False,
        check_reduction=False,
        gradient_as_bucket_view=False,
        static_graph=False,
        **options,
    ):
        super().__init__()
        if process_group is None:
            distributed.get_rank()
        if not any(each.requires_grad for each in module.parameters()):
            raise RuntimeError(
                "DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient."
            )
        if device_ids:
            raise ValueError(
                "DistributedDataParallel device_ids and output_device arguments only work with single-device/"
                f"multiple-device GPU modules or CPU modules, but got device_ids {device_ids}, output_device "
                f"{output_device}, and module parameters { ({each.device for each in module.parameters()}) }."
            )
        self.device = next(module.parameters()).device
        self.device_ids, self.output_device, self.dim = None, None, dim
        self.module, self.process_group = module, process_group
        self.broadcast_buffers, self.find_unused_parameters = broadcast_buffers, find_unused_parameters
        self.gradient_as_bucket_view, self.static_graph = gradient_as_bucket_view, static_graph
        self.require_backward_grad_sync = True

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    @contextmanager
    def no_sync(self):
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    @contextmanager
    def join(self, divide_by_initial_world_size=True, enable=True, throw_on_early_termination=False):
        yield

    def register_comm_hook(self, state, hook):
        """Nothing is told to other processes that `hook` could change."""
