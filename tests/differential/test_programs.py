"""Random programs of operations, views and in-place changes, in PyTorch and in the engine: the same values, errors,
versions, strides, grad_fn names, graphs and gradients."""

from __future__ import annotations

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


@pytest.mark.oracle
@settings(max_examples=250, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(step, min_size=1, max_size=8), kinds)
def test_programs(program: list[Step], kind: int) -> None:
    compare(program, kind)


@pytest.mark.oracle
@pytest.mark.slow
@settings(max_examples=3000, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(step, min_size=2, max_size=10), kinds)
def test_many_programs(program: list[Step], kind: int) -> None:
    compare(program, kind)


@pytest.mark.oracle
@pytest.mark.parametrize("number", range(len(STEPS)))
@pytest.mark.parametrize("kind", [0, *(pytest.param(kind, marks=pytest.mark.slow) for kind in (1, 2, 3))])
def test_every_step(kind: int, number: int) -> None:
    """Each step on a result that requires grad, on a view of it and on the tensors that a kind of pool adds."""
    for first in (4, 6, 7, 8):
        compare([(len(PURE), 4, 0, 0), (number, first, 1, 0)], kind)
    compare([(len(PURE) + 8, 4, 0, 0), (number, -1, 5, 0), (len(STEPS) - 1, 4, 0, 0)], kind)


def compare(program: list[Step], kind: int) -> None:
    theirs = execute(oracle.torch(), program, kind)
    ours = execute(engine, program, kind)
    assert len(ours) == len(theirs), (ours, theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert near(a, b), f"{a}\nPyTorch: {b}"
