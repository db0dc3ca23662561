"""Choosing among the elements of two arrays, as NumPy's where does."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ops import either

SIZE = 3 * either._MANY // 64
RANDOM = np.random.default_rng(0)


def some(kind: type[np.generic], *shape: int) -> np.ndarray:
    """Numbers, and what has bits of its own: both zeros, both infinities, nan."""
    numbers = RANDOM.standard_normal(shape).astype(kind)
    odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], kind)
    return np.where(RANDOM.random(shape) < 0.2, RANDOM.choice(odd, shape), numbers)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    ("a", "b"),
    [((SIZE, 64), (SIZE, 64)), ((), (SIZE, 64)), ((SIZE, 64), ()), ((SIZE, 64), (64,)), ((2, SIZE, 64), (SIZE, 64)),
     ((SIZE, 1), (1, 64))],
)  # fmt: skip
def test_what_is_picked_is_what_numpy_picks_bit_by_bit(
    kind: type[np.generic], a: tuple[int, ...], b: tuple[int, ...]
) -> None:
    condition = RANDOM.random((SIZE, 64)) < 0.5
    one, other = some(kind, *a), some(kind, *b)
    got, wanted = either.picked(condition, one, other), np.where(condition, one, other)
    assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype)
    assert got.tobytes() == wanted.tobytes()


def test_arrays_that_lie_otherwise_and_of_two_kinds() -> None:
    condition = RANDOM.random((64, SIZE)).T < 0.5
    for one, other in [
        (some(np.float32, 64, SIZE).T, some(np.float32, SIZE, 128)[:, ::2]),
        (some(np.float32, SIZE, 64), some(np.float64, SIZE, 64)),
    ]:
        got, wanted = either.picked(condition, one, other), np.where(condition, one, other)
        assert got.dtype == wanted.dtype
        assert got.tobytes() == wanted.tobytes()
