"""Random indices: what they read, what assigning through them writes, and both gradients."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.differential import oracle

Index = tuple[Any, ...]


@st.composite
def parts(draw: st.DrawFn, size: int, common: tuple[int, ...]) -> Any:
    """One part of an index for a dimension of this size; index arrays broadcast with the shape `common`."""
    kind = draw(st.sampled_from(["int", "slice", "slice", "array", "mask", "full"]))
    if kind == "int":
        return draw(st.integers(-size - 1, size))
    if kind == "full":
        return slice(None)
    if kind == "slice":
        end = st.none() | st.integers(-size - 2, size + 2)
        return slice(draw(end), draw(end), draw(st.none() | st.integers(1, 3)))
    if kind == "mask":
        return np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)), bool)
    shape = tuple(draw(st.sampled_from([1, n])) for n in common)
    count = int(np.prod(shape))
    numbers = st.lists(st.integers(-size, max(size - 1, 0)), min_size=count, max_size=count)
    return np.array(draw(numbers), np.int64).reshape(shape)


@st.composite
def indexed_shapes(draw: st.DrawFn) -> tuple[tuple[int, ...], Index]:
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=4)))
    common = tuple(draw(st.lists(st.integers(1, 3), max_size=2)))
    used = shape[: draw(st.integers(0, len(shape)))]
    index: list[Any] = [draw(parts(size, common)) for size in used]
    for extra in draw(st.lists(st.sampled_from([None, True, False]), max_size=2)):
        index.insert(draw(st.integers(0, len(index))), extra)
    if draw(st.booleans()):
        index.append(Ellipsis)
    return shape, tuple(index)


def in_terms_of(torch: Any, index: Index) -> Index:
    return tuple(torch.from_numpy(part.copy()) if isinstance(part, np.ndarray) else part for part in index)


def outcome(torch: Any, shape: tuple[int, ...], index: Index, value: str) -> list[Any]:
    """What reading and assigning give, with gradients; or the error."""
    start = np.arange(1.0, 1 + np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)
    leaf = torch.from_numpy(start.copy()).requires_grad_()
    given = in_terms_of(torch, index)
    try:
        read = (leaf * 1)[given]
        weights = torch.arange(1.0, 1.0 + read.numel()).reshape(read.shape)
        (read * weights).sum().backward()
        found = [read.tolist(), tuple(read.shape), leaf.grad.tolist(), type(read.grad_fn).__name__]
        target, source = leaf.detach() * 2, torch.tensor(7.0, requires_grad=True)
        target = target + 0 * leaf
        if value == "number":
            target[given] = 7.0
        elif value == "tensor":
            target[given] = source
        else:
            target[given] = source * weights
        (target * torch.arange(1.0, 1.0 + target.numel()).reshape(target.shape)).sum().backward()
        grad = None if source.grad is None else source.grad.item()
        return [*found, target.tolist(), leaf.grad.tolist(), grad, type(target.grad_fn).__name__]
    except Exception as error:
        return [type(error).__name__, str(error)]


VALUES = ["number", "tensor", "shaped"]


def drawn_part(rng: random.Random, size: int, common: tuple[int, ...]) -> Any:
    """What `parts` draws, the same on every machine."""
    match rng.choice(["int", "slice", "slice", "array", "mask", "full"]):
        case "int":
            return rng.randint(-size - 1, size)
        case "full":
            return slice(None)
        case "slice":
            start, stop = (rng.choice([None, rng.randint(-size - 2, size + 2)]) for _ in range(2))
            return slice(start, stop, rng.choice([None, 1, 2, 3]))
        case "mask":
            return np.array([rng.random() < 0.5 for _ in range(size)], bool)
    shape = [rng.choice([1, n]) for n in common]
    numbers = [rng.randint(-size, size - 1) for _ in range(int(np.prod(shape)))]
    return np.array(numbers, np.int64).reshape(shape)


def drawn(rng: random.Random) -> tuple[tuple[int, ...], Index]:
    shape = tuple(rng.randint(1, 4) for _ in range(rng.randint(0, 4)))
    common = tuple(rng.randint(1, 3) for _ in range(rng.randint(0, 2)))
    index = [drawn_part(rng, size, common) for size in shape[: rng.randint(0, len(shape))]]
    for _ in range(rng.randint(0, 2)):
        index.insert(rng.randint(0, len(index)), rng.choice([None, True, False]))
    return shape, (*index, Ellipsis) if rng.random() < 0.5 else tuple(index)


def alike(ours: list[Any], theirs: list[Any], index: Index, value: str) -> bool:
    """Which of several values assigned to one place stays is not defined: not compared for index arrays."""
    if value == "shaped" and any(isinstance(part, np.ndarray) and part.dtype != bool for part in index):
        return ours[:4] == theirs[:4]
    return ours == theirs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", VALUES)
def test_drawn_indices(value: str) -> None:
    def ask(torch: Any) -> list[Any]:
        rng = random.Random(value)
        cases = [drawn(rng) for _ in range(120)]
        return [[oracle.encode(case), oracle.encode(outcome(torch, *case, value))] for case in cases]

    for case, theirs in oracle.answer("indexing", value, ask):
        shape, index = oracle.decode(case, engine)
        ours = outcome(engine, shape, index, value)
        assert alike(ours, oracle.decode(theirs, engine), index, value), (shape, index)


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@settings(max_examples=1000, derandomize=True, deadline=None)
@given(indexed_shapes(), st.sampled_from(VALUES))
def test_any_index(case: tuple[tuple[int, ...], Index], value: str) -> None:
    shape, index = case
    theirs = outcome(oracle.torch(), shape, index, value)
    ours = outcome(engine, shape, index, value)
    assert alike(ours, theirs, index, value), (ours, theirs)
