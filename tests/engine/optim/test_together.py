"""Small parameters are moved by the same calls: the numbers are those of parameters moved one by one, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import engine as torch
from engine.optim import SGD
from engine.optim.together import Together, bring_together, parts, room, side_by_side

SHAPES = [(3, 4), (4,), (), (1, 5), (64, 64)]

Meddling = Callable[[list[Any], SGD], Any]


def nothing(parameters: list[Any], optimizer: SGD) -> Any:
    return None


def without_gradient(parameters: list[Any], optimizer: SGD) -> Any:
    parameters[1].grad = None


def other_memory(parameters: list[Any], optimizer: SGD) -> Any:
    parameters[0].data = parameters[0].detach().clone()


def held_buffer(parameters: list[Any], optimizer: SGD) -> Any:
    return [each["momentum_buffer"].numpy() for each in optimizer.state.values()]


def loaded(parameters: list[Any], optimizer: SGD) -> Any:
    optimizer.load_state_dict(deepcopy(optimizer.state_dict()))


def scaled_buffer(parameters: list[Any], optimizer: SGD) -> Any:
    for each in optimizer.state.values():
        each["momentum_buffer"].mul_(0.5)


def forgotten_buffer(parameters: list[Any], optimizer: SGD) -> Any:
    del optimizer.state[parameters[2]]


def other_rate(parameters: list[Any], optimizer: SGD) -> Any:
    optimizer.param_groups[0].update(lr=0.3, momentum=0.5)


MEDDLING = [
    nothing,
    without_gradient,
    other_memory,
    held_buffer,
    loaded,
    scaled_buffer,
    forgotten_buffer,
    other_rate,
]


def trained(meddle: Meddling, at: int) -> list[Any]:
    random = np.random.default_rng(3)
    parameters = [torch.tensor(random.standard_normal(shape).tolist(), requires_grad=True) for shape in SHAPES]
    optimizer = SGD(parameters, 0.1, momentum=0.9)
    kept = None
    for step in range(7):
        for parameter, shape in zip(parameters, SHAPES, strict=True):
            parameter.grad = torch.tensor(random.standard_normal(shape).tolist())
        if step == at:
            kept = meddle(parameters, optimizer)
        optimizer.step()
    states = [optimizer.state[each]["momentum_buffer"] for each in parameters]
    if kept is not None:  # what somebody held is still the buffer's own memory
        assert all(np.shares_memory(mine, each.numpy()) for mine, each in zip(kept, states, strict=True))
    return [(each.detach().numpy().tobytes(), each._version) for each in (*parameters, *states)]


@pytest.mark.parametrize("at", [1, 2, 4])
@pytest.mark.parametrize("meddle", MEDDLING)
def test_together_is_one_by_one(meddle: Meddling, at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    together = trained(meddle, at)
    monkeypatch.setattr(SGD, "_attempts", 0)
    assert trained(meddle, at) == together


def test_a_group_of_small_parameters_is_moved_together() -> None:
    parameters = [torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)]
    optimizer = SGD(parameters, 0.1, momentum=0.9)
    for _ in range(2):
        for each in parameters:
            each.grad = torch.ones(each.shape[0])
        optimizer.step()
    assert isinstance(optimizer._together, Together)
    another = deepcopy(optimizer)
    for each in another.param_groups[0]["params"]:
        each.grad = torch.ones(each.shape[0])
    another.step()
    optimizer.step()
    mine, theirs = (each.state[each.param_groups[0]["params"][0]]["momentum_buffer"] for each in (optimizer, another))
    assert mine.tolist() == theirs.tolist()
    assert not np.shares_memory(mine.numpy(), theirs.numpy())


def test_arrays_side_by_side() -> None:
    shapes: list[tuple[int, ...]] = [(2, 3), (), (3,)]
    flat = np.arange(room(shapes), dtype=np.float32)
    whole = parts(flat, shapes)
    assert [each.tolist() for each in whole] == [[[0, 1, 2], [3, 4, 5]], 8, [12, 13, 14]]  # each at a multiple of four
    assert side_by_side(whole) is flat
    assert side_by_side(whole[::-1]) is None
    assert side_by_side(whole[:2]) is None  # not all of it
    assert side_by_side([np.zeros(3, np.float32)]) is None


def test_arrays_that_somebody_holds_stay_where_they_are() -> None:
    buffers = [torch.ones(2), torch.ones(3)]
    held = buffers[1].numpy()
    assert bring_together(buffers) is None
    assert buffers[1]._array is held.base
    del held
    flat = bring_together(buffers)
    assert flat is not None
    assert flat.tolist() == [1, 1, 0, 0, 1, 1, 1, 0]
    assert bring_together(buffers) is flat
