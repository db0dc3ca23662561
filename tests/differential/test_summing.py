"""Sums are added up in PyTorch's order: to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.ops.summing import add_up, in_calls
from tests.differential import oracle

SIZES = [64, 65, 71, 100, 127, 255, 256, 511, 512, 513, 1000, 2047, 2048, 5000, 8191, 20_000, 32_767]


def _drawn(size: int, kind: str) -> np.ndarray[Any, Any]:
    return np.random.RandomState(size).randn(size).astype(kind)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_whole_sums_are_pytorchs_to_the_bit(kind: str) -> None:
    def ask(torch: Any) -> list[str]:
        torch.set_num_threads(1)
        return [float(torch.tensor(_drawn(size, kind)).sum()).hex() for size in SIZES]

    wanted = oracle.answer("summing", kind, ask)
    assert [float(add_up(_drawn(size, kind))).hex() for size in SIZES] == wanted
    assert [float(np.add.reduce(_drawn(size, kind))).hex() for size in SIZES] != wanted, "NumPy's order is another"


def test_the_rest_is_numpys() -> None:
    x = _drawn(600, "float32").reshape(20, 30)
    np.testing.assert_array_equal(add_up(x, axis=0), np.add.reduce(x, axis=0))
    np.testing.assert_array_equal(add_up(x.T, axis=(0, 1)), np.add.reduce(x.T, axis=(0, 1)))
    assert add_up(x, axis=(0, 1), keepdims=True).shape == (1, 1)
    assert add_up(np.arange(100), axis=None) == 4950
    out = np.empty((), np.float32)
    assert add_up(x, None, None, out) is out
    assert out == add_up(x)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_sums_in_calls_are_the_same_to_the_bit(kind: str) -> None:
    prepared = 0
    for size in (*range(60, 200), *SIZES):
        x, out = _drawn(size, kind), np.empty((), kind)
        calls = in_calls(x, out)
        if calls is None:
            continue
        prepared += 1
        x[...] = x[::-1] * 3  # what is prepared serves all values
        for function, arguments in calls:
            function(*arguments)
        assert float(out).hex() == float(add_up(x)).hex(), size
    assert prepared > 100
