"""Chains of products taken together are what they are one by one, to the bit; what cannot be is left as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.replay import tape
from engine.replay.products import LONG, joined
from tests.engine.replay.test_replay import held_against_eager

Array = np.ndarray[Any, Any]
Calls = list[tuple[Any, tuple[Any, ...]]]
SHAPE = (2, 5)


def chain(slopes: Array, factor: Array, start: Array, length: int) -> Calls:
    """What the backward of a chain of small tanh and products is: slopes are multiplied where they are."""
    calls: Calls = []
    g = start
    for i in reversed(range(length)):
        slope = slopes[i, ...]
        calls.append((np.multiply, (g, slope, slope)))
        calls.append((np.multiply, (slope, factor, np.empty(SHAPE, slopes.dtype))))
        g = calls[-1][1][2]
    return calls


def run(calls: Calls) -> None:
    for function, arguments in calls:
        function(*arguments)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("special", [1.0, np.inf, np.nan, 0.0, 1e30])
def test_joined_products_are_the_same(kind: type[np.floating], special: float) -> None:
    random = np.random.default_rng(0)
    drawn = random.standard_normal((40, *SHAPE)).astype(kind)
    drawn[17, 1, 2] *= special
    factor, start = random.standard_normal(SHAPE).astype(kind), random.standard_normal(SHAPE).astype(kind)
    results = []
    for join in (list, joined):
        slopes = drawn.copy()
        calls = chain(slopes, factor, start, len(slopes))
        result = calls[-1][1][2]
        calls = join(calls)
        for _ in range(2):  # as often as one likes
            slopes[...] = drawn
            run(calls)
            results.append(result.tobytes())
    assert len(calls) < 8
    assert len(set(results)) == 1


def read_later(calls: Calls, slopes: Array) -> None:
    calls.append((np.negative, (slopes[3], np.empty(SHAPE, slopes.dtype))))


def factor_of_the_chain(calls: Calls, slopes: Array) -> None:
    first = calls[0][1][2]
    calls[9] = (np.multiply, (calls[8][1][2], first, calls[9][1][2]))


def other_shapes(calls: Calls, slopes: Array) -> None:
    calls[9] = (np.multiply, (calls[8][1][2], np.ones(5, slopes.dtype), calls[9][1][2]))


def scattered(calls: Calls, slopes: Array) -> None:
    for at, (function, (g, _, out)) in enumerate(calls):
        calls[at] = (function, (g, np.ones(SHAPE, slopes.dtype), out))


@pytest.mark.parametrize("change", [read_later, factor_of_the_chain, other_shapes, scattered])
def test_other_chains_are_left_alone(change: Callable[[Calls, Array], None]) -> None:
    slopes = np.ones((20, *SHAPE), np.float32)
    calls = chain(slopes, np.ones(SHAPE, np.float32), np.ones(SHAPE, np.float32), 20)
    change(calls, slopes)
    assert joined(calls) == calls


def test_short_chains_are_left_alone() -> None:
    slopes = np.ones((LONG // 2 - 1, *SHAPE), np.float32)
    calls = chain(slopes, np.ones(SHAPE, np.float32), np.ones(SHAPE, np.float32), len(slopes))
    assert joined(calls) == calls


CHAIN = """
import torch
leaf = torch.linspace(-1, 1, 10, requires_grad=True)
a, b = torch.linspace(0.9, 1.1, 10), torch.linspace(-0.1, 0.1, 10)
for step in range(9):
    leaf.grad = None
    x = leaf
    for _ in range(20):
        x = torch.tanh(x * a + b)
    loss = (x * x).sum()
    loss.backward()
    if step == 5:
        a.mul_(1.5)
    print(loss.item(), leaf.grad.sum().item(), x)
"""


def test_a_loop_of_many_small_functions_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = []

    def counted(calls: Calls) -> Calls:
        few = joined(calls)
        lengths.append((len(calls), len(few)))
        return few

    monkeypatch.setattr(tape, "joined", counted)
    (loop,) = held_against_eager(CHAIN)
    assert loop.tally.replayed
    assert any(few < calls // 2 for calls, few in lengths)
