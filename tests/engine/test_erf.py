"""The error function of many numbers at once is that of one, rounded to 32 bits, where the way of PyTorch's library is
not known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.ops import vml
from engine.ops.erf import erf_array


@pytest.mark.parametrize("scale", [1e-30, 1e-3, 0.5, 1.5, 6.0])
def test_it_is_rounded_once(scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vml, "IN_STEPS", False)
    x = (np.random.default_rng(0).standard_normal(40_000) * scale).astype(np.float32)
    assert np.array_equal(erf_array(x), np.array([math.erf(each) for each in x.tolist()], np.float32))


def test_zeros_keep_their_sign_and_what_is_no_number_is_none() -> None:
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 3.9999] * 20, np.float32).reshape(20, 7)[::2]
    found = erf_array(x)
    assert found.dtype == np.float32
    assert found.shape == x.shape
    assert np.array_equal(np.signbit(found[0]), [False, True, False, True, np.signbit(found[0, 4]), False, False])
    assert np.array_equal(found[0], np.array([0, 0, 1, -1, np.nan, 1e-45, 1], np.float32), equal_nan=True)
