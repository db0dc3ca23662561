"""Iterations of which nothing is seen in between: parameters and gradients lie elsewhere meanwhile, and sums of several
layers are taken together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.ops.summing import add_up
from engine.optim.bunches import Home
from engine.replay.calls import direct
from engine.replay.chain import divided
from engine.replay.columns import gathered, side_by_side
from engine.replay.homes import at_home, leave
from engine.replay.sums import of_columns
from engine.tensor import Tensor
from tests.engine.replay.test_replay import held_against_eager

Array = np.ndarray[Any, Any]

LOOP = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(70, 2), torch.randn(70, 1)
model = nn.Sequential(nn.Linear(2, 9), nn.ReLU(), nn.Linear(9, 9), nn.ReLU(), nn.Linear(9, 1))
criterion = nn.MSELoss()
parameters = list(model.parameters())
loss = torch.tensor(9.0)
optimizer = torch.optim.{optimizer}
{loop}:
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item(), [p.grad.sum().item() for p in parameters])
"""
COUNTED = "for _ in range(150)"
OPTIMIZERS = {
    "momentum": "SGD(parameters, lr=0.01, momentum=0.9)",
    "plain": "SGD(parameters, lr=0.01)",
    "Adam": "Adam(parameters, lr=0.01)",
    "two groups, one of a single number": (
        "SGD([dict(params=parameters[:-1]), dict(params=parameters[-1:], lr=0.1)], lr=0.01, momentum=0.9)"
    ),
    "one that has not all": "Adam(parameters[:3], lr=0.01)",
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS.values(), ids=OPTIMIZERS)
def test_iterations_one_after_the_other(optimizer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_homes: list[bool] = []

    def watched(statements: Any) -> Any:
        parts = divided(statements)
        at_homes.append(bool(parts[2]))
        return parts

    monkeypatch.setattr("engine.replay.play.divided", watched)
    (loop,) = held_against_eager(LOOP.format(optimizer=optimizer, loop=COUNTED))
    assert loop.tally.replayed > 140
    assert at_homes == ([] if optimizer == OPTIMIZERS["one that has not all"] else [True])


@pytest.mark.parametrize(
    "seen", ["loss.item() > 0.8", "parameters[-1].item() == 0 or parameters[-1].grad.item() > 0.01"]
)
def test_the_test_of_a_loop_sees_each_iteration(seen: str) -> None:
    first = "parameters[-1].data.zero_()\nwhile "
    (loop,) = held_against_eager(LOOP.format(optimizer=OPTIMIZERS["momentum"], loop=first + seen))
    assert loop.tally.replayed > 5


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("rows", [5, 16, 63, 64, 67, 70, 128, 130, 200, 255])
def test_sums_side_by_side_are_those_of_each(rows: int, kind: str) -> None:
    random = np.random.RandomState(rows)
    matrices = [(np.empty((rows, width), kind), np.empty(width, kind)) for width in (2, 3, 9, 15)]
    calls = side_by_side(matrices)
    for times in (1.0, 1e5, -0.0):
        for x, _ in matrices:
            x[...] = random.randn(*x.shape) * times if times else times
        for function, arguments in calls:
            function(*arguments)
        for x, out in matrices:
            assert out.tobytes() == add_up(x, 0).tobytes()


def backward() -> tuple[list[Any], list[Array]]:
    """The calls of two layers, and what they take."""
    arrays = [np.ones((70, 3), np.float32), np.empty(3, np.float32), np.ones((70, 9), np.float32)]
    arrays += [np.empty(9, np.float32), np.ones((3, 9), np.float32)]
    g, out, h, other, product = arrays
    return [(of_columns, (g, out)), (g.T.dot, (h, product)), (of_columns, (h, other))], arrays


LATER: dict[str, Any] = {
    "nothing else": lambda g, out, h, other, product: None,
    "the matrix is read": lambda g, out, h, other, product: (np.negative, (g, np.empty_like(g))),
    "the matrix is overwritten": lambda g, out, h, other, product: (np.negative, (g, g)),
    "the sum is read": lambda g, out, h, other, product: (np.negative, (out, product[0, :3])),
    "the sum is overwritten": lambda g, out, h, other, product: (np.negative, (product[0, :3], out)),
    "nobody knows": lambda g, out, h, other, product: (lambda x: None, (h,)),
}


@pytest.mark.parametrize("name", LATER)
def test_a_sum_waits_where_nothing_in_between_minds(name: str) -> None:
    calls, arrays = backward()
    extra = LATER[name](*arrays)
    calls += [] if extra is None else [extra]
    waits = [function == np.add.reduce for function, _ in gathered(calls)].index(True) > 1
    assert waits == (name in ("nothing else", "the matrix is read"))


def test_calls_at_home_take_views_of_the_places() -> None:
    weight, gradient = np.arange(6, dtype=np.float32).reshape(2, 3), np.zeros((2, 3), np.float32)
    flat = np.arange(12, dtype=np.float32)
    pair = [Tensor._wrap(weight), Tensor._wrap(gradient)]
    homes: list[Home] = [(pair, flat[:6].reshape(2, 3), flat[6:].reshape(2, 3))]
    x, out = np.ones((4, 3), np.float32), np.empty((4, 2), np.float32)
    calls = direct([(x.dot, (weight.T, out)), (weight[1].dot, (weight[0], np.empty((), np.float32)))])
    calls += direct([(np.copyto, (gradient[:, :2], weight[:, 1:]))])
    there = at_home(calls, homes)
    assert there is not None
    weight[...] = np.nan
    for function, arguments in there:
        function(*arguments)
    assert out[0].tolist() == [3.0, 12.0]
    assert there[1][1][1] == 14.0
    leave(homes)
    assert weight.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert gradient.tolist() == [[1, 2, 8], [4, 5, 11]]


UNKNOWN: dict[str, Any] = {
    "a function of which nothing is known": lambda whole: (lambda x: None, (whole,)),
    "a tensor": lambda whole: (np.negative, (Tensor._wrap(whole[:2]), np.empty(2, np.float32))),
    "a view that shows more": lambda whole: (np.negative, (whole[1:], np.empty(3, np.float32))),
}


@pytest.mark.parametrize("call", UNKNOWN.values(), ids=UNKNOWN)
def test_what_may_mean_something_else_stays_where_it_is(call: Any) -> None:
    whole, gradient, place = np.arange(4, dtype=np.float32), np.zeros(2, np.float32), np.zeros(2, np.float32)
    homes: list[Home] = [([Tensor._wrap(whole[:2]), Tensor._wrap(gradient)], place, place.copy())]
    assert at_home([(np.negative, (whole[2:], np.empty(2, np.float32)))], homes) is not None
    assert at_home([call(whole)], homes) is None
