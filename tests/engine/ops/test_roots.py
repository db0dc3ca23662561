"""Square roots of what is not an ordinary number, alone and among others."""

from __future__ import annotations

import math

import pytest

import engine as torch

SPECIAL = {0.0: 0.0, math.inf: math.inf, 2.0**-140: 2.0**-70, 4.0: 2.0}


@pytest.mark.parametrize("value", [*SPECIAL, -1.0, math.nan])
def test_the_root_of_one_number_is_that_among_others(value: float) -> None:
    wanted = SPECIAL.get(value, math.nan)
    alone, among = torch.tensor(value).sqrt(), torch.tensor([4.0, value, 9.0]).sqrt()
    assert alone.shape == ()
    assert alone.item() == pytest.approx(wanted, nan_ok=True, rel=1e-7, abs=0)
    assert among.tolist() == pytest.approx([2.0, wanted, 3.0], nan_ok=True, rel=1e-7, abs=0)


def test_the_slope_of_the_root_of_nothing() -> None:
    x = torch.tensor(0.0, requires_grad=True)
    x.sqrt().backward()
    assert x.grad is not None
    assert x.grad.item() == math.inf
