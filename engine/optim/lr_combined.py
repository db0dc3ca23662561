"""Schedulers made of schedulers: one after another, or all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from engine.optim.lr_base import LRScheduler, require_optimizer, set_rate, take_over


class SequentialLR(LRScheduler):
    """The schedulers one after another; each milestone is the step at which the next begins."""

    def __init__(self, optimizer: Any, schedulers: list[Any], milestones: list[int], last_epoch: int = -1) -> None:
        if len(schedulers) < 1:
            raise ValueError(f"{type(self).__name__} expects at least one scheduler, but got no scheduler.")
        _check(type(self).__name__, optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of"
                f" milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to"
                f" be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        # Undo the first steps that the schedulers made when they were constructed; then only the first one begins.
        for group in optimizer.param_groups:
            set_rate(group, group["initial_lr"])
        for each in schedulers:
            each.last_epoch -= 1
        first = schedulers[0]
        first._is_initial = True
        try:
            first._update()
        finally:
            first._is_initial = False
        self._last_lr = first.get_last_lr()

    def step(self) -> None:  # type: ignore[override]
        """One step of the scheduler whose turn it is."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            scheduler._update(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """Where it is, and each scheduler's own state."""
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [each.state_dict() for each in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        _load(self, state_dict)


class ChainedScheduler(LRScheduler):
    """All schedulers step together, each changing what the one before it left."""

    def __init__(self, schedulers: Sequence[Any], optimizer: Any = None) -> None:
        if len(schedulers) < 1:
            raise ValueError(
                f"{type(self).__name__} expects at least one scheduler to be chained, but got no scheduler."
            )
        optimizer = optimizer or schedulers[0].optimizer
        _check(type(self).__name__, optimizer, schedulers)
        self._schedulers = schedulers
        self.optimizer = optimizer
        self._last_lr = self._rates()

    def step(self) -> None:  # type: ignore[override]
        """One step of every scheduler."""
        for each in self._schedulers:
            each.step()
        self._last_lr = self._rates()

    def state_dict(self) -> dict[str, Any]:
        """Each scheduler's own state."""
        state = {key: value for key, value in self.__dict__.items() if key not in ("optimizer", "_schedulers")}
        state["_schedulers"] = [each.state_dict() for each in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        _load(self, state_dict)


def _load(scheduler: Any, state_dict: dict[str, Any]) -> None:
    take_over(scheduler, {key: value for key, value in state_dict.items() if key != "_schedulers"})
    for each, state in zip(scheduler._schedulers, state_dict["_schedulers"], strict=True):
        each.load_state_dict(state)


def _check(name: str, optimizer: Any, schedulers: Sequence[Any]) -> None:
    require_optimizer(optimizer)
    for i, each in enumerate(schedulers):
        if not hasattr(each, "optimizer"):
            raise TypeError(f"{name} at index {i} should have `optimizer` as its attribute.")
        from engine.optim.lr_plateau import ReduceLROnPlateau

        if isinstance(each, ReduceLROnPlateau) and name == "SequentialLR":
            raise ValueError(
                f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be"
                f" specified when calling `step`, but got one at index {i} in the given schedulers sequence."
            )
        if each.optimizer != optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got scheduler"
                f" {type(each).__name__} at index {i} has {each.optimizer}, which is different from"
                f" {type(optimizer).__name__}."
            )
