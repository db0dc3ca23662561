"""torch.optim.lr_scheduler. Here: rates that are a function of the number of steps."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from engine.optim.lr_base import LRScheduler, held_by, take_over
from engine.optim.lr_combined import ChainedScheduler, SequentialLR
from engine.optim.lr_cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from engine.optim.lr_plateau import ReduceLROnPlateau
from engine.rooms import classes


class _LRScheduler(LRScheduler):
    """The older name to derive from; PyTorch's own schedulers do not."""


class StepLR(LRScheduler):
    """Times gamma every step_size steps."""

    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self.last_epoch == 0 or self.last_epoch % self.step_size != 0:
            return self._rates()
        return [lr * self.gamma for lr in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma ** (self.last_epoch // self.step_size) for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times gamma at each milestone."""

    def __init__(self, optimizer: Any, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1) -> None:
        listed = list(milestones)
        if any(isinstance(each, tuple) for each in listed):  # which would be hashed, however deep
            raise TypeError("milestones must be numbers, not tuples")
        self.milestones = Counter(listed)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self.last_epoch not in self.milestones:
            return self._rates()
        return [lr * self.gamma ** self.milestones[self.last_epoch] for lr in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times factor for the first total_iters steps."""

    def __init__(self, optimizer: Any, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self.last_epoch == 0:
            return [lr * self.factor for lr in self._rates()]
        if self.last_epoch != self.total_iters:
            return self._rates()
        return [lr * (1.0 / self.factor) for lr in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        share = self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [base * share for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Times a factor that goes from start_factor to end_factor in total_iters steps."""

    def __init__(
        self,
        optimizer: Any,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self.last_epoch == 0:
            return [lr * self.start_factor for lr in self._rates()]
        if self._is_initial or self.last_epoch > self.total_iters:
            return self._rates()
        rise = self.end_factor - self.start_factor
        return [
            lr * (1.0 + rise / (self.total_iters * self.start_factor + (self.last_epoch - 1) * rise))
            for lr in self._rates()
        ]

    def _get_closed_form_lr(self) -> list[Any]:
        rise, at = self.end_factor - self.start_factor, min(self.total_iters, self.last_epoch)
        return [base * (self.start_factor + rise * at / self.total_iters) for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times gamma at every step."""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self._is_initial:
            return self._rates()
        return [lr * self.gamma for lr in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """(1 - step / total_iters) ** power, then 0."""

    def __init__(self, optimizer: Any, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        at, total = self.last_epoch, self.total_iters
        if self._is_initial or at > total:
            return self._rates()
        decay = ((1.0 - at / total) / (1.0 - (at - 1) / total)) ** self.power
        return [lr * decay for lr in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """From the initial rate to eta_min along half a cosine of T_max steps, and back."""

    def __init__(self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        at, period, low = self.last_epoch, self.T_max, self.eta_min
        if self._is_initial:  # also where a schedule is taken up again
            return self._rates()
        if (at - 1 - period) % (2 * period) == 0:
            rise = (1 - math.cos(math.pi / period)) / 2
            return [lr + (base - low) * rise for base, lr in zip(self.base_lrs, self._rates(), strict=True)]
        now, before = 1 + math.cos(math.pi * at / period), 1 + math.cos(math.pi * (at - 1) / period)
        return [now / before * (lr - low) + low for lr in self._rates()]

    def _get_closed_form_lr(self) -> list[Any]:
        wave = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * wave / 2 for base in self.base_lrs]


class _WithLambdas(LRScheduler):
    """Schedulers with one function of the step count per group."""

    _left_out = ("optimizer", "lr_lambdas")

    def _begin(self, optimizer: Any, lr_lambda: Callable[[int], float] | list[Any], last_epoch: int) -> None:
        self.optimizer = optimizer
        groups = optimizer.param_groups
        if not isinstance(lr_lambda, (list, tuple)):
            self.lr_lambdas = [lr_lambda] * len(groups)
        else:
            if len(lr_lambda) != len(groups):
                raise ValueError(f"Expected {len(groups)} lr_lambdas, but got {len(lr_lambda)}")
            self.lr_lambdas = list(lr_lambda)
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer; of the functions only what callable objects hold."""
        return {**super().state_dict(), "lr_lambdas": [held_by(f) for f in self.lr_lambdas]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        take_over(self, {key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for function, kept in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if kept is not None:
                take_over(function, kept)


class LambdaLR(_WithLambdas):
    """The initial rate times lr_lambda(step)."""

    def __init__(self, optimizer: Any, lr_lambda: Callable[[int], float] | list[Any], last_epoch: int = -1) -> None:
        self._begin(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        return [base * f(self.last_epoch) for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(_WithLambdas):
    """The last rate times lr_lambda(step)."""

    def __init__(self, optimizer: Any, lr_lambda: Callable[[int], float] | list[Any], last_epoch: int = -1) -> None:
        for each in lr_lambda if isinstance(lr_lambda, (list, tuple)) else [lr_lambda]:
            if not callable(each):
                raise TypeError(f"lr_lambda should be a function, but got {type(each).__name__}")
        self._begin(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        self._warn_outside_step()
        if self._is_initial:
            return self._rates()
        return [lr * f(self.last_epoch) for f, lr in zip(self.lr_lambdas, self._rates(), strict=True)]


__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

for _kind in classes(globals()):
    _kind.__module__ = "torch.optim.lr_scheduler"

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'torch.optim.lr_scheduler' has no attribute '{name}'")
