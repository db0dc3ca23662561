"""What all learning rate schedulers share: who they schedule, where they are, and PyTorch's warnings."""

from __future__ import annotations

import types
from typing import Any

from engine.optim.optimizer import Optimizer
from engine.tensor import Tensor
from engine.warn import warn

_EPOCH = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use"
    " `scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed"
    " form is used instead of the new chainable form, where available. Please open an issue if you are unable to"
    " replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)
_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call"
    " them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in"
    " PyTorch skipping the first value of the learning rate schedule. See more details at"
    " https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
_OVERRIDDEN = (
    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. Please, make sure"
    " to call `optimizer.step()` before `lr_scheduler.step()`. See more details at"
    " https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)


def held_by(function: Any) -> dict[str, Any] | None:
    """What is kept of a function in a scheduler's state: nothing of a plain one, or of one that a script defines."""
    plain = isinstance(function, types.FunctionType) or type(function).__qualname__ == "function"
    return None if plain else dict(getattr(function, "__dict__", {}))


def take_over(owner: Any, state: dict[str, Any]) -> None:
    """Set in `owner` what a state names. Names that Python and NumPy themselves look for are no state: an object that
    says `__array_interface__` is an array at an address."""
    vars(owner).update({name: value for name, value in state.items() if str(name)[:2] != "__"})


def rate_of(group: dict[str, Any]) -> Any:
    """A group's learning rate as a number."""
    lr = group["lr"]
    return lr.item() if isinstance(lr, Tensor) else lr


def set_rate(group: dict[str, Any], lr: Any) -> None:
    """A learning rate that is a Tensor is changed in place."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(lr)
    else:
        group["lr"] = lr


def require_optimizer(optimizer: Any) -> None:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _notes_calls(step: Any) -> bool:
    """Whether an optimizer's step() notes that it was called: one that a script has written does not."""
    return str(getattr(step, "__module__", None)).startswith("engine.optim.")


class LRScheduler:
    """Base of the schedulers. A subclass defines get_lr(), the rates of the groups after the step just made (a
    scheduler's first step is made when it is constructed)."""

    optimizer: Any

    def __init__(self, optimizer: Any, last_epoch: int = -1) -> None:
        require_optimizer(optimizer)
        self.optimizer = optimizer
        groups = optimizer.param_groups
        if last_epoch == -1:
            for group in groups:
                lr = group["lr"]
                group.setdefault("initial_lr", lr.clone() if isinstance(lr, Tensor) else lr)
        else:
            for i, group in enumerate(groups):
                if "initial_lr" not in group:
                    raise KeyError(
                        f"param 'initial_lr' is not specified in param_groups[{i}] when resuming scheduler with"
                        " last_epoch >= 0.\nThis typically happens when:\n1. You're trying to resume training from a"
                        " checkpoint but haven't properly loaded the optimizer state\n2. You're using last_epoch >= 0"
                        " for a fresh training run (not recommended)"
                    )
        self.base_lrs: list[Any] = [self._start(group["initial_lr"]) for group in groups]
        self.last_epoch = last_epoch
        if optimizer._opt_called is None:
            optimizer._opt_called = not _notes_calls(type(optimizer).step)
        self._step_count = 0
        self._is_initial = True
        self._get_lr_called_within_step = False
        try:
            self.step()
        finally:
            self._is_initial = False

    @staticmethod
    def _start(lr: Any) -> Any:
        return lr.clone() if isinstance(lr, Tensor) else lr

    _left_out: tuple[str, ...] = ("optimizer",)

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key not in self._left_out}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        take_over(self, state_dict)

    def get_last_lr(self) -> list[Any]:
        """The rates that the last step() set."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        raise NotImplementedError

    def _warn_outside_step(self) -> None:
        if not self._get_lr_called_within_step:
            warn("To get the last learning rate computed by the scheduler, please use `get_last_lr()`.")

    def _rates(self) -> list[Any]:
        return [rate_of(group) for group in self.optimizer.param_groups]

    def step(self, epoch: int | None = None) -> None:
        """The next rates go into the optimizer's groups. Warns when optimizer.step() was not called before."""
        if self._step_count == 1:
            if "step" in vars(self.optimizer):
                warn(_OVERRIDDEN)
            elif not self.optimizer._opt_called:
                warn(_ORDER)
        self._step_count += 1
        if epoch is not None:
            warn(_EPOCH)
        self._update(epoch)

    def _update(self, epoch: int | None = None) -> None:
        self._get_lr_called_within_step = True
        try:
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                closed = getattr(self, "_get_closed_form_lr", None)
                values = closed() if closed is not None else self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, lr in zip(self.optimizer.param_groups, values, strict=True):
            set_rate(group, lr)
        self._last_lr: list[Any] = self._rates()
