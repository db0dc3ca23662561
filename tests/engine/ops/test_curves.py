"""Special functions where PyTorch's own samples do not go."""

from __future__ import annotations

import math

import pytest

import engine as torch


@pytest.mark.parametrize("a", [2e6, 1e9, 1e14])
def test_incomplete_gammas_of_large_numbers_are_quick_and_go_from_one_to_zero(a: float) -> None:
    spread = math.sqrt(a)
    x = torch.tensor([0.0, a / 2, a - 3 * spread, a, a + 3 * spread, 2 * a, math.inf], dtype=torch.float64)
    above = torch.igammac(torch.full_like(x, a), x).tolist()
    normal = [1.0, 1.0, 0.99865, 0.5, 0.00135, 0.0, 0.0]  # what the distribution tends to
    assert above == pytest.approx(normal, abs=1e-4 + 1 / spread)
    assert torch.igamma(torch.full_like(x, a), x).tolist() == pytest.approx([1 - p for p in above], abs=1e-15)


def test_incomplete_gammas_of_numbers_that_have_no_neighbours() -> None:
    x = torch.tensor([1.0, 5e29, 1e30, 2e30], dtype=torch.float64)
    assert torch.igamma(torch.full_like(x, 1e30), x).tolist() == pytest.approx([0, 0, 0.5, 1])


def test_both_ways_to_compute_incomplete_gammas_meet() -> None:
    x = torch.tensor([1e6 + d * 1e3 for d in (-4, -2, -0.5, 0, 1, 3)], dtype=torch.float64)
    near = torch.igammac(torch.full_like(x, 1e6), x)
    far = torch.igammac(torch.full_like(x, 1e6 + 1e-3), x)
    assert near.tolist() == pytest.approx(far.tolist(), rel=1e-5, abs=1e-9)


def test_borders_of_the_incomplete_gammas() -> None:
    nan, inf = math.nan, math.inf
    a = torch.tensor([nan, nan, inf, 0.0, -1.0, inf, nan])
    x = torch.tensor([inf, 0.0, nan, 0.0, 1.0, inf, 1.0])
    assert str(torch.igamma(a, x)) == "tensor([1., 0., 0., nan, nan, nan, nan])"
