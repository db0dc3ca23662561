"""Functions of single elements, as the C library has them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import engine as torch
from engine.ops import clib, rounded

NOT_NEAREST = float.fromhex("0x1.860b9cp+0")
"""Of a number whose exponential lies between two, close to the middle: the C library gives the farther one."""


def test_exp_is_the_c_librarys_and_not_the_nearest() -> None:
    x = np.array([NOT_NEAREST, 1.0], np.float32)
    assert [float(each).hex() for each in clib.exp(x)] == ["0x1.25ae9c0000000p+2", "0x1.5bf0a80000000p+1"]
    assert float(rounded.exp(x)[0]).hex() == "0x1.25ae9a0000000p+2"
    assert float(torch.sigmoid(torch.tensor([-NOT_NEAREST, 0.0]))[0]).hex() == "0x1.6e72c60000000p-3"


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 0.0, 88.0, 89.0, -87.5, -103.0, -104.0, 1e-40])
def test_exp_where_it_ends(value: float) -> None:
    x = np.array([1.0, value], np.float32)
    with np.errstate(all="ignore"):
        found, nearest = clib.exp(x), rounded.exp(x)
    np.testing.assert_array_equal(found, nearest)
