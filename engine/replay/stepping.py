"""An optimizer's step as calls of NumPy on arrays that are known. Any optimizer can be on a tape: those that are not
here step as always."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.optim import SGD
from engine.optim.blocks import descend
from engine.tensor import Tensor

_add, _multiply = np.add, np.multiply

OTHERWISE = ("dampening", "weight_decay", "nesterov", "maximize")
"""Settings of SGD that must be off."""


class PlainSGD:
    """p -= lr * g, with momentum or without, for all parameters of an optimizer. `gradients` has a list of each leaf
    and the tensor of its gradient, which is looked up there: who else holds it is counted."""

    def __init__(self, optimizer: SGD, gradients: Mapping[Tensor, list[Any]]) -> None:
        self._optimizer = optimizer
        self._groups: list[tuple[dict[str, Any], float, list[tuple[Any, ...]]]] = []
        self._pairs: list[list[Any]] = []
        self._counters: list[list[int]] = []
        self.fits = not optimizer._pre_hooks and not optimizer._post_hooks
        for group in optimizer.param_groups:
            momentum = group["momentum"]
            self.fits = self.fits and type(momentum) in (int, float) and not any(group[name] for name in OTHERWISE)
            work = []
            for p in group["params"]:
                pair = gradients.get(p)
                buffer = optimizer.state.get(p, {}).get("momentum_buffer") if momentum else None
                if pair is None or (momentum and not isinstance(buffer, Tensor)):
                    self.fits = False
                    return
                self._pairs.append(pair)
                self._counters.append(p._share_counter())
                if isinstance(buffer, Tensor):
                    self._counters.append(buffer._share_counter())
                kind = p._array.dtype
                velocity = None if buffer is None else buffer._array
                work.append((p._array, pair, velocity, np.array(momentum, kind)))
            self._groups.append((group, momentum, work))

    def step(self) -> bool:
        """One step; False, with nothing done, where it is not the step that was prepared."""
        for leaf, gradient in self._pairs:
            if leaf._grad is not gradient:
                return False
        for group, momentum, _ in self._groups:
            if group["momentum"] != momentum:
                return False
        optimizer = self._optimizer
        if optimizer._opt_called is False:
            optimizer._opt_called = True
        for group, _, work in self._groups:
            lr = float(group["lr"])
            for p, pair, velocity, momentum_ in work:
                g = pair[1]._array
                if velocity is not None:
                    _multiply(velocity, momentum_, velocity)
                    _add(velocity, g, velocity)
                    g = velocity
                descend(p, g, lr)
        for counter in self._counters:
            counter[0] += 1
        return True
