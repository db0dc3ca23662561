"""Generators as objects: seeds, states, copies."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as torch
from engine import Tensor, random
from engine.random import Generator


def test_the_seed_decides() -> None:
    first = Generator().manual_seed(3).normal((40,))
    assert np.array_equal(first, Generator().manual_seed(3).normal((40,)))
    assert not np.array_equal(first, Generator().manual_seed(4).normal((40,)))


def test_a_negative_seed_counts_from_the_end() -> None:
    assert Generator().manual_seed(-1).initial_seed() == 2**64 - 1


def test_seed_starts_over_somewhere_else() -> None:
    generator = Generator()
    seed = generator.seed()
    assert generator.initial_seed() == seed
    assert np.array_equal(generator.uniform((5,)), Generator().manual_seed(seed).uniform((5,)))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
@given(drawn=st.integers(0, 1300), normals=st.integers(0, 3))
def test_a_copy_goes_on_by_itself(again, drawn: int, normals: int) -> None:
    generator = Generator().manual_seed(9)
    generator.uniform((drawn,))
    generator.normal((normals,))
    twin = again(generator)
    expected = [generator.normal((3,)), generator.randint(0, 100, (700,)), generator.normal((17,))]
    found = [twin.normal((3,)), twin.randint(0, 100, (700,)), twin.normal((17,))]
    assert all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))
    assert twin.get_bytes() == generator.get_bytes()
    assert twin.initial_seed() == 9


def test_set_state_goes_back() -> None:
    generator = Generator().manual_seed(1)
    generator.normal((5,))
    state = generator.get_bytes()
    first = generator.normal((5,))
    generator.set_bytes(state)
    assert np.array_equal(generator.normal((5,)), first)


def test_only_the_cpu() -> None:
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        Generator("cuda")


def test_manual_seed_of_the_default_generator() -> None:
    before = random.default_generator.get_bytes()
    try:
        assert random.manual_seed(5) is random.default_generator
        assert np.array_equal(random.default_generator.uniform((3,)), Generator().manual_seed(5).uniform((3,)))
    finally:
        random.default_generator.set_bytes(before)


@given(low=st.floats(-1e3, 1e3, width=32), width=st.floats(0.0009765625, 1e3, width=32), seed=st.integers(0, 2**32))
def test_uniform_stays_within_its_bounds(low: float, width: float, seed: int) -> None:
    drawn = Generator().manual_seed(seed).uniform((50,), low, low + width)
    assert (drawn >= np.float32(low)).all()
    assert (drawn < np.float32(low + width)).all() or np.float32(low) == np.float32(low + width)


@given(st.integers(0, 200), st.integers(0, 2**32))
def test_a_permutation_holds_every_number_once(size: int, seed: int) -> None:
    assert sorted(Generator().manual_seed(seed).randperm(size).tolist()) == list(range(size))


@pytest.mark.parametrize("part", [lambda h: h.chunk(2, 1)[0], lambda h: h[:, ::2], lambda h: h[:, :2].expand(1, 16, 2)])
def test_what_is_drawn_like_a_part_is_drawn_as_one_piece(part: Callable[[Tensor], Tensor]) -> None:
    torch.manual_seed(0)
    drawn = torch.randn_like(part(torch.randn(16, 4)))
    assert drawn.is_contiguous()
    assert drawn.flatten()[:5].tolist() == pytest.approx([-0.5692, 0.9200, 1.1108, 1.2899, -1.4782], abs=1e-4)
