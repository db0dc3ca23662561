"""Products with a single row or column on a tape: the numbers of the product that is not on one, also where some of
them are infinite or none."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ops import gemm, intel
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
    if how is None:
        pytest.skip("NumPy's library makes it")
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


@pytest.mark.skipif(not intel.IN_ORDER, reason="the order of additions of Intel's processors")
def test_small_ones_are_calls_of_numpy() -> None:
    a, v = np.ones((100, 16), np.float32), np.ones((1, 16), np.float32)
    g, out = np.ones((1, 100), np.float32), np.empty((100, 1), np.float32)
    for x, y, result in ((a, v.T, out), (g, a, np.empty_like(v))):
        how = gemm.plan(x, y)
        assert how is not None
        assert all(function is not gemm.product for function, _ in gemm.calls(how, x, y, result))
