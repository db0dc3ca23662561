"""Small parameters that a few calls move: the numbers, versions and states are those of parameters moved one by one."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import engine as torch
from engine.optim import Optimizer
from engine.optim.bunches import ByBunches

SHAPES = [(3, 4), (4,), (), (1, 5), (64, 64), (100, 50), (7,)]

Make = Callable[[Any], Optimizer]
Meddling = Callable[[list[Any], Any], Any]

OPTIMIZERS: dict[str, Make] = {
    "SGD, decay": lambda p: torch.optim.SGD(p, 0.1, weight_decay=0.1),
    "SGD, nesterov": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, nesterov=True),
    "SGD, dampened": lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, dampening=0.5, weight_decay=0.01),
    "Adam": torch.optim.Adam,
    "Adam, decay": lambda p: torch.optim.Adam(p, weight_decay=0.1),
    "Adam, small beta": lambda p: torch.optim.Adam(p, betas=(0.3, 0.9)),
    "Adam, amsgrad": lambda p: torch.optim.Adam(p, amsgrad=True),
    "AdamW": lambda p: torch.optim.AdamW(p, 0.01, weight_decay=0.1),
    "NAdam": torch.optim.NAdam,
    "RAdam": torch.optim.RAdam,
    "Adamax": torch.optim.Adamax,
    "RMSprop": torch.optim.RMSprop,
    "RMSprop, centered": lambda p: torch.optim.RMSprop(p, momentum=0.9, centered=True),
    "Adagrad": torch.optim.Adagrad,
    "Adadelta": torch.optim.Adadelta,
    "Rprop": torch.optim.Rprop,
    "ASGD": torch.optim.ASGD,
}


def nothing(parameters: list[Any], optimizer: Any) -> Any:
    return None


def without_gradient(parameters: list[Any], optimizer: Any) -> Any:
    parameters[1].grad = None


def other_memory(parameters: list[Any], optimizer: Any) -> Any:
    parameters[0].data = parameters[0].detach().clone()


def held_state(parameters: list[Any], optimizer: Any) -> Any:
    states = [each for p in parameters for each in optimizer.state[p].values()]
    return [(each.numpy(), each) for each in states if isinstance(each, torch.Tensor)]


def loaded(parameters: list[Any], optimizer: Any) -> Any:
    optimizer.load_state_dict(deepcopy(optimizer.state_dict()))


def another_count(parameters: list[Any], optimizer: Any) -> Any:
    for each in optimizer.state[parameters[3]].values():
        if isinstance(each, torch.Tensor):
            each.mul_(2)


def forgotten_state(parameters: list[Any], optimizer: Any) -> Any:
    optimizer.state.pop(parameters[3], None)


def other_settings(parameters: list[Any], optimizer: Any) -> Any:
    optimizer.param_groups[0].update(lr=0.3, weight_decay=0.2)


def turned_round(parameters: list[Any], optimizer: Any) -> Any:
    optimizer.param_groups[0]["maximize"] = True


def another_group(parameters: list[Any], optimizer: Any) -> Any:
    more = torch.ones(3, requires_grad=True)
    more.grad = torch.ones(3)
    parameters.append(more)
    optimizer.add_param_group({"params": [more], "lr": 0.5})


def part_of_state(parameter: Any, optimizer: Any) -> Any:
    """A tensor of its state in its shape; the parameter itself where there is none."""
    shown = [each for each in optimizer.state.get(parameter, {}).values() if isinstance(each, torch.Tensor)]
    return next((each for each in shown if each.shape == parameter.shape), parameter.detach())


def gradient_of_memory_that_is_written(parameters: list[Any], optimizer: Any) -> Any:
    parameters[0].grad = parameters[0].detach()
    parameters[3].grad = parameters[3].detach().view(1, 5)


def gradient_that_is_state(parameters: list[Any], optimizer: Any) -> Any:
    parameters[1].grad = part_of_state(parameters[1], optimizer)


def parameter_that_is_state(parameters: list[Any], optimizer: Any) -> Any:
    parameters[1].data = part_of_state(parameters[1], optimizer)


def parameters_that_share(parameters: list[Any], optimizer: Any) -> Any:
    parameters[1].data = parameters[0].data[1]


def not_a_number(parameters: list[Any], optimizer: Any) -> Any:
    parameters[1].grad[0] = float("nan")


MEDDLING = [
    nothing,
    gradient_of_memory_that_is_written,
    gradient_that_is_state,
    parameter_that_is_state,
    parameters_that_share,
    not_a_number,
    without_gradient,
    other_memory,
    held_state,
    loaded,
    another_count,
    forgotten_state,
    other_settings,
    turned_round,
    another_group,
]


def trained(make: Make, meddle: Meddling) -> list[Any]:
    random = np.random.default_rng(3)

    def drawn(shape: tuple[int, ...]) -> Any:
        return torch.from_numpy(np.asarray(random.standard_normal(shape), np.float32))

    parameters = [drawn(shape).requires_grad_() for shape in SHAPES]
    optimizer = make(parameters)
    kept = None
    for step in range(6):
        for parameter, shape in zip(parameters, SHAPES, strict=False):
            parameter.grad = drawn(shape)
        if step == 3:
            kept = meddle(parameters, optimizer)
        optimizer.step()
    for array, tensor in kept or ():  # what somebody held is still the tensor's own memory
        assert np.shares_memory(array, tensor.numpy())
    states = [(name, each) for p in parameters for name, each in optimizer.state.get(p, {}).items()]
    moved = [(each.detach().numpy().tobytes(), each._version) for each in parameters]
    return moved + [
        (name, each.numpy().tobytes(), each._version) if isinstance(each, torch.Tensor) else (name, each)
        for name, each in states
    ]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_together_is_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make = OPTIMIZERS[name]
    together = [trained(make, meddle) for meddle in MEDDLING]
    monkeypatch.setattr(Optimizer, "_preparations", 0)
    for meddle, found in zip(MEDDLING, together, strict=True):
        assert trained(make, meddle) == found, meddle


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_small_parameters_are_moved_together_from_the_second_step_on(name: str) -> None:
    parameters = [torch.ones(shape, requires_grad=True) for shape in SHAPES]
    optimizer = OPTIMIZERS[name](parameters)
    for _ in range(2):
        for each in parameters:
            each.grad = torch.ones(each.shape)
        optimizer.step()
    without_state = "decay" in name and name.startswith("SGD")
    assert isinstance(optimizer._bunches, ByBunches) != without_state
    assert "_bunches" not in optimizer.__getstate__()
    assert "_bunches" not in vars(deepcopy(optimizer))


def test_gradients_that_are_cleared_are_gone() -> None:
    parameters = [torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)]
    optimizer = torch.optim.Adam(parameters)
    for _ in range(3):
        sum(each.sum() for each in parameters).backward()
        optimizer.step()
        optimizer.zero_grad()
    assert all(pair[1] is None for pair in optimizer._bunches._pairs)


def test_an_optimizer_of_a_users_own_is_asked_for_each_parameter() -> None:
    moved = []

    class Told(torch.optim.Adam):
        def update(self, parameter: Any, gradient: Any, state: Any, group: Any) -> int:
            moved.append(parameter.shape)
            return super().update(parameter, gradient, state, group)

    parameters = [torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)]
    optimizer = Told(parameters)
    for _ in range(3):
        for each in parameters:
            each.grad = torch.ones(each.shape)
        optimizer.step()
    assert moved == [(2,), (3,)] * 3


def test_adagrad_has_a_state_for_a_parameter_that_came_later() -> None:
    first, second = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    optimizer = torch.optim.Adagrad([first], 0.1, initial_accumulator_value=0.5)
    optimizer.add_param_group({"params": [second]})
    first.grad, second.grad = torch.ones(2), torch.ones(2)
    optimizer.step()
    assert optimizer.state[second]["sum"].tolist() == [1.5, 1.5]
    assert second.tolist() == first.tolist()
