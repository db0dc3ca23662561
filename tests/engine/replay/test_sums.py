"""Sums as calls that are made beforehand round as those of the engine do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.ops.summing import add_up
from engine.replay.sums import columns, total

KINDS = ["float32", "float64"]


def _drawn(*shape: int, kind: str) -> np.ndarray[Any, Any]:
    return np.random.RandomState(sum(shape)).randn(*shape).astype(kind)


def _values(x: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """What is prepared serves all values, also zeros whose sign a sum forgets."""
    return [x[::-1] * 3, np.full_like(x, -0.0)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_sum_of_all(kind: str) -> None:
    prepared = 0
    for size in (*range(1, 200), 255, 256, 511, 513, 1000, 2047, 2048, 5000):
        x = _drawn(size, kind=kind)
        calls, out = total(x)
        prepared += calls[0][0] is not add_up
        for values in _values(x):
            x[...] = values
            for function, arguments in calls:
                function(*arguments)
            assert out.shape == ()
            assert out.tobytes() == add_up(x).tobytes(), size
    assert prepared > 100


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [1, 2, 3, 4, 5, 8, 9, 16, 31, 32, 33, 50, 64, 100])
def test_the_sums_of_columns(width: int, kind: str) -> None:
    prepared = 0
    for rows in (*range(1, 40), 60, 64, 68, 99, 100, 128, 255, 256, 300):
        x, out = _drawn(rows, width, kind=kind), np.empty(width, kind)
        calls = columns(x, out)
        prepared += calls[0][0] is not add_up
        for values in _values(x):
            x[...] = values
            for function, arguments in calls:
                function(*arguments)
            assert out.tobytes() == add_up(x, 0).tobytes(), rows
    assert prepared > 1


def test_columns_that_are_not_dense_are_summed_as_the_engine_does() -> None:
    x, out = _drawn(16, 100, kind="float32").T, np.empty(16, np.float32)
    for function, arguments in columns(x, out):
        function(*arguments)
    assert out.tobytes() == add_up(x, 0).tobytes()
