"""Products with a single row or column on a tape: the numbers of the product that is not on one, also where some of
them are infinite or none."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ops import gemm, intel_vectors
from engine.replay.unread import written

SHAPES = [(1, 100, 16), (1, 8, 32), (1, 300, 16), (1, 9, 20)]
SHAPES += [(100, 16, 1), (8, 17, 1), (4, 3, 1), (7, 16, 1), (12, 40, 1)]


@pytest.mark.parametrize("wrong", [None, np.inf, -np.inf, np.nan, 3e38])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_numbers(shape: tuple[int, int, int], turned: bool, wrong: float | None) -> None:
    rows, inner, columns = shape
    random = np.random.default_rng(rows * inner + columns)
    a = random.standard_normal((rows, inner)).astype(np.float32)
    b = random.standard_normal((columns, inner)).astype(np.float32).T if turned else None
    b = random.standard_normal((inner, columns)).astype(np.float32) if b is None else b
    out = np.empty((rows, columns), np.float32)
    how = gemm.plan(a, b)
    calls = gemm.calls(how, a, b, out)
    assert all(written(call) is call[1][-1] or written(call) is call[0].__self__ for call in calls)
    for _ in range(2):  # with other numbers the second time
        a += 1
        if wrong is not None:
            a[-1, inner // 2] = wrong
        with np.errstate(all="ignore"):
            for function, arguments in calls:
                function(*arguments)
            expected = gemm.product(a, b)
        np.testing.assert_array_equal(out, expected)


def test_small_ones_are_calls_of_numpy() -> None:
    random = np.random.default_rng(0)
    a = random.standard_normal((100, 16)).astype(np.float32)
    v, g = (random.standard_normal(count).astype(np.float32) for count in a.shape[::-1])
    rows, columns = np.empty(100, np.float32), np.empty(16, np.float32)
    for calls in (intel_vectors.by_vector_calls(a, v, rows), intel_vectors.by_columns_calls(a, g, columns)):
        assert calls is not None
        for function, arguments in calls:
            function(*arguments)
    np.testing.assert_array_equal(rows, intel_vectors.by_vector(a, v))
    np.testing.assert_array_equal(columns, intel_vectors.by_columns(a, g))
