# type: ignore
"""torch.amp: mixed precision needs an accelerator; without one it is off, as in PyTorch."""

import warnings
from contextlib import ContextDecorator

import torch


class autocast(ContextDecorator):
    """A context (or decorator) in which operations keep their dtypes."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        torch.device(device_type)
        if device_type == "cpu" and enabled and dtype not in (None, torch.bfloat16, torch.float16):
            warnings.warn(
                "In CPU autocast, but the target dtype is not supported. Disabling autocast.\nCPU Autocast only supports"
                " dtypes of torch.bfloat16, torch.float16 currently.",
                stacklevel=2,
            )
        elif device_type == "cpu" and enabled:
            raise RuntimeError("autocast on the cpu computes in bfloat16, which is not here: use enabled=False")
        if device_type != "cpu" and enabled:
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


class GradScaler:
    """Scales losses for half precision; without an accelerator it leaves them alone."""

    def __init__(
        self,
        device="cuda",
        init_scale=65536.0,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        if enabled and device == "cuda":
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2)

    def scale(self, outputs):
        return outputs

    def unscale_(self, optimizer):
        return None

    def step(self, optimizer, *args, **kwargs):
        return optimizer.step(*args, **kwargs)

    def update(self, new_scale=None):
        return None

    def get_scale(self):
        return 1.0

    def is_enabled(self):
        return False

    def state_dict(self):
        return {}

    def load_state_dict(self, state_dict):
        return None
