# type: ignore
"""torch.amp: autocast on the CPU, and the scaler of losses, which needs an accelerator."""

import warnings
from contextlib import ContextDecorator

import torch


class autocast(ContextDecorator):
    """A context (or decorator) in which products of matrices and convolutions are made in a lower precision. "cuda" is
    not there: its autocast is off."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.fast_dtype = torch.get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        if not torch.is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = torch.is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        if device_type == "cuda" and enabled:
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
            enabled = False
        elif enabled and self.fast_dtype not in (torch.bfloat16, torch.float16):
            name = device_type.upper()
            warnings.warn(
                f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n{name} Autocast only"
                " supports dtypes of torch.bfloat16, torch.float16 currently.",
                stacklevel=2,
            )
            enabled = False
        self._enabled = enabled

    def __enter__(self):
        self.prev_cache_enabled = torch.is_autocast_cache_enabled()
        self.prev = torch.is_autocast_enabled(self.device)
        self.prev_fastdtype = torch.get_autocast_dtype(self.device)
        torch.set_autocast_enabled(self.device, self._enabled)
        torch.set_autocast_dtype(self.device, self.fast_dtype)
        torch.autocast_increment_nesting()
        torch.set_autocast_cache_enabled(self._cache_enabled)
        return self

    def __exit__(self, *args):
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_enabled(self.device, self.prev)
        torch.set_autocast_dtype(self.device, self.prev_fastdtype)
        torch.set_autocast_cache_enabled(self.prev_cache_enabled)
        return False


def is_autocast_available(device_type):
    return torch.is_autocast_available(device_type)


class GradScaler:
    """Scales losses, so that small gradients of half precision are no zeros, and takes no step where a gradient is no
    finite number. On "cuda", which is not there, it is off and leaves everything alone."""

    def __init__(
        self,
        device="cuda",
        init_scale=65536.0,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        self._enabled = enabled
        if enabled and device == "cuda":
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2)
            self._enabled = False
        if self._enabled:
            if not growth_factor > 1.0:
                raise AssertionError("The growth factor must be > 1.0.")
            if not backoff_factor < 1.0:
                raise AssertionError("The backoff factor must be < 1.0.")
            self._init_scale, self._growth_factor = init_scale, growth_factor
            self._backoff_factor, self._growth_interval = backoff_factor, growth_interval
            self._scale, self._tracker = None, 0
            self._optimizers = {}  # by what they are, since the last update(): how far they are, and if all is finite

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if self._scale is None:
            self._scale = torch.full((), self._init_scale, dtype=torch.float32)
        if isinstance(outputs, torch.Tensor):
            return outputs * self._scale
        if not isinstance(outputs, (list, tuple)):
            raise ValueError("outputs must be a Tensor or an iterable of Tensors")
        return type(outputs)([self.scale(each) for each in outputs])

    def _known(self, name):
        if self._scale is None:
            raise AssertionError(
                f"Attempted {name} but _scale is None.  This may indicate your script did not use "
                "scaler.scale(loss or outputs) earlier in the iteration."
            )

    def unscale_(self, optimizer):
        if not self._enabled:
            return
        self._known("unscale_")
        stage = self._optimizers.get(id(optimizer), ("ready", True))[0]
        if stage == "unscaled":
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if stage == "stepped":
            raise RuntimeError("unscale_() is being called after step().")
        inverse = self._scale.double().reciprocal().float()
        finite = None
        with torch.no_grad():
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is None:
                        continue
                    if parameter.grad.dtype == torch.float16:
                        raise ValueError("Attempting to unscale FP16 gradients.")
                    finite = finite is not False and bool(parameter.grad.isfinite().all())
                    parameter.grad.mul_(inverse)
        self._optimizers[id(optimizer)] = ("unscaled", finite)

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._known("step")
        stage = self._optimizers.get(id(optimizer), ("ready", True))[0]
        if stage == "stepped":
            raise RuntimeError("step() has already been called since the last update().")
        if stage == "ready":
            self.unscale_(optimizer)
        finite = self._optimizers[id(optimizer)][1]
        if finite is None:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        made = optimizer.step(*args, **kwargs) if finite else None
        self._optimizers[id(optimizer)] = ("stepped", finite)
        return made

    def update(self, new_scale=None):
        if not self._enabled:
            return
        self._known("update")
        if new_scale is not None:
            self._scale.fill_(new_scale)
        else:
            found = [finite for _, finite in self._optimizers.values() if finite is not None]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._tracker = self._tracker + 1 if all(found) else 0
            if not all(found):
                self._scale.mul_(self._backoff_factor)
            elif self._tracker == self._growth_interval:
                grown = self._scale * self._growth_factor
                self._scale = grown if grown.isfinite() else self._scale
                self._tracker = 0
        self._optimizers = {}

    def get_scale(self):
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._tracker,
        }

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if len(state_dict) == 0:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval, self._tracker = state_dict["growth_interval"], state_dict["_growth_tracker"]
