"""Arguments beyond all sizes: PyTorch's answers, at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine as torch
from engine.nn import functional as F
from engine.ops import blas

INFINITY = math.inf


def test_derivatives_of_digamma_beyond_all_numbers() -> None:
    x = torch.tensor([0.5, 1.0, 1.5, 3.0])
    assert torch.polygamma(171, x.double()).tolist() == [INFINITY] * 4
    np.testing.assert_array_equal(torch.polygamma(1_000_000, x)._array, [-INFINITY, -INFINITY, math.nan, math.nan])


@pytest.mark.parametrize("decimals", [400, -400, 10**12])
def test_rounding_to_more_digits_than_there_are(decimals: int) -> None:
    assert all(math.isnan(each) for each in torch.round(torch.tensor([0.0, 1.5]), decimals=decimals).tolist())


def test_steps_beyond_the_picture_take_its_first_window() -> None:
    x, step = torch.arange(25.0).reshape(1, 1, 5, 5), 2**62
    assert F.conv2d(x, torch.ones(1, 1, 2, 2), stride=step).tolist() == [[[[12.0]]]]
    assert F.unfold(x, 2, stride=step).tolist() == [[[0.0], [1.0], [5.0], [6.0]]]
    assert F.max_pool1d(x[0], 2, stride=step).tolist() == [[[1.0], [6.0], [11.0], [16.0], [21.0]]]


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 3), (0, 2), (2, 0), (5, 5)])
@pytest.mark.parametrize("offset", [-6, -2, -1, 0, 1, 3, 7])
def test_indices_of_triangles(rows: int, columns: int, offset: int) -> None:
    below = np.tri(rows, columns, offset, dtype=bool)
    above = ~np.tri(rows, columns, offset - 1, dtype=bool)
    np.testing.assert_array_equal(torch.tril_indices(rows, columns, offset)._array, np.array(np.nonzero(below)))
    np.testing.assert_array_equal(torch.triu_indices(rows, columns, offset)._array, np.array(np.nonzero(above)))


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.float16, torch.int64])
def test_large_products_are_made_in_portions(kind: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    """No call of NumPy can be ended: what takes long is several."""
    a, b = torch.randint(-3, 4, (3, 40, 30), dtype=kind), torch.randint(-3, 4, (3, 30, 20), dtype=kind)
    whole, flat, wide = a @ b, a[0] @ b[0], F.linear(a[0], b[0].t())
    calls = []

    def counted(*args, **kwargs):
        calls.append(args)
        return multiply(*args, **kwargs)

    multiply = np.matmul
    monkeypatch.setattr(np, "matmul", counted)
    for name in ("MANY", "MANY_FLOATS"):
        monkeypatch.setattr(f"engine.ops.blas.{name}", 1000)
    monkeypatch.setattr("engine.ops.blas.WIDE", 0)
    assert torch.equal(a @ b, whole)
    before = len(calls)
    assert torch.equal(a[0] @ b[0], flat)
    between = len(calls)
    assert torch.equal(F.linear(a[0], b[0].t()), wide)
    assert min(before, between - before, len(calls) - between) > 2


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    ("batch", "turned"), [(3, False), (4, True), (40, True), (70, False), (300, False), (301, False)]
)
def test_a_large_weight_is_multiplied_from_its_own_side(kind: torch.dtype, batch: int, turned: bool) -> None:
    """The numbers are whole, so that every order of sums gives the same."""
    x, weight, bias = (torch.randint(-3, 4, size).to(kind) for size in ((batch, 200), (300, 200), (300,)))
    assert blas.turned(x._array, weight._array.T) is turned
    assert not blas.turned(x._array, weight.t().contiguous()._array)
    expected = np.matmul(x.numpy(), weight.numpy().T)
    for got in (F.linear(x, weight), x @ weight.t(), torch.mm(x, weight.T), F.linear(x, weight, bias) - bias):
        assert got.is_contiguous()
        np.testing.assert_array_equal(got.numpy(), expected)
