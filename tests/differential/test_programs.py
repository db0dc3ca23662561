"""Random programs of operations, views and in-place changes, in PyTorch and in the engine: the same values, errors,
versions, strides, grad_fn names, graphs and gradients."""

from __future__ import annotations

import inspect
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from tests.differential import oracle
from tests.differential.programs import CHANGES, MODES, PURE, STEPS, VIEWS, Step, execute, near

step = st.tuples(
    st.one_of(
        st.integers(0, len(PURE) - 1),
        st.integers(len(PURE), len(PURE) + len(VIEWS) - 1),
        st.integers(len(STEPS) - len(CHANGES), len(STEPS) - 1),
    ),
    st.integers(0, 13),
    st.integers(0, 13),
    st.integers(0, len(MODES) - 1),
)
kinds = st.integers(0, 3)


def drawn(kind: int) -> list[list[Step]]:
    """Programs for `make test`, the same on every machine."""
    rng = random.Random(kind)
    families = [(0, len(PURE)), (len(PURE), len(PURE) + len(VIEWS)), (len(PURE) + len(VIEWS), len(STEPS))]
    return [
        [
            (rng.randrange(*rng.choice(families)), rng.randrange(14), rng.randrange(14), rng.randrange(len(MODES)))
            for _ in range(rng.randint(1, 8))
        ]
        for _ in range(75)
    ]


@pytest.mark.parametrize("kind", range(4))
def test_programs(kind: int) -> None:
    """What is recorded names its steps by their text: programs stay what they are when steps are added."""

    def ask(torch: Any) -> list[Any]:
        return [
            [[[written(number), *rest] for number, *rest in program], oracle.encode(execute(torch, program, kind))]
            for program in drawn(kind)
        ]

    steps = {written(number): number for number in range(len(STEPS))}
    for program, theirs in oracle.answer("programs", f"drawn {kind}", ask):
        compare([(steps[text], *rest) for text, *rest in program], kind, oracle.decode(theirs, engine))


@pytest.mark.oracle
@pytest.mark.slow
@settings(max_examples=3000, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(step, min_size=2, max_size=10), kinds)
def test_many_programs(program: list[Step], kind: int) -> None:
    compare(program, kind, execute(oracle.torch(), program, kind))


@pytest.mark.parametrize("number", range(len(STEPS)))
@pytest.mark.parametrize(
    "kind", [0, *(pytest.param(kind, marks=[pytest.mark.slow, pytest.mark.oracle]) for kind in (1, 2, 3))]
)
def test_every_step(kind: int, number: int) -> None:
    """Each step on a result that requires grad, on a view of it and on the tensors that a kind of pool adds."""
    programs = [[(len(PURE), 4, 0, 0), (number, first, 1, 0)] for first in (4, 6, 7, 8)]
    programs.append([(len(PURE) + 8, 4, 0, 0), (number, -1, 5, 0), (len(STEPS) - 1, 4, 0, 0)])

    def ask(torch: Any) -> list[Any]:
        return [oracle.encode(execute(torch, program, kind)) for program in programs]

    answers = oracle.answer("programs", f"{written(number)} {kind}", ask)
    for program, theirs in zip(programs, answers, strict=True):
        compare(program, kind, oracle.decode(theirs, engine))


def written(number: int) -> str:
    """A step as it is written."""
    return inspect.getsource(STEPS[number]).strip().removeprefix("lambda t, a, b: ").removesuffix(",")


def compare(program: list[Step], kind: int, theirs: list[Any]) -> None:
    ours = execute(engine, program, kind)
    assert len(ours) == len(theirs), (ours, theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert near(a, b), f"{a}\nPyTorch: {b}"
