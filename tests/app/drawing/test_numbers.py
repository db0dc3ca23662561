"""How numbers are written."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.drawing import numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0000"),
        (-16.0, "−16.0000"),
        (1 / 3, "0.3333"),
        (1.24e-5, "1.24e−5"),
        (-0.0, "−0.0000"),
        (12345.678, "12345.68"),
        (999999.0, "999999.0"),
        (1e6, "1.00e6"),
        (math.inf, "inf"),
        (-math.inf, "−inf"),
        (math.nan, "nan"),
        (np.float32(2.5), "2.5000"),
        (np.int64(-3), "−3"),
        (True, "True"),
    ],
)
def test_number(value: float, text: str) -> None:
    assert numbers.number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-4.0, "−4.0"),
        (0.5, "0.5"),
        (0.0, "0.0"),
        (0.05, "0.05"),
        (1 / 3, "0.3333"),
        (1e-5, "1e−5"),
        (123456.0, "1.235e5"),
        (7, "7"),
        (math.nan, "nan"),
    ],
)
def test_short(value: float, text: str) -> None:
    assert numbers.short(value) == text


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_exact_reads_back(value: float) -> None:
    single = np.float32(value)
    assert np.float32(numbers.exact(single)) == single


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_has_room_in_a_card(value: float) -> None:
    assert len(numbers.number(value)) <= 10


@given(st.floats(min_value=1e-30, max_value=1e30))
def test_a_nice_limit_reaches_and_is_not_far(value: float) -> None:
    limit = numbers.nice_limit(value)
    assert value <= limit * (1 + 1e-6)
    assert limit <= 2.5 * value * (1 + 1e-6)


def test_shapes() -> None:
    assert numbers.shape_text((8, 2)) == "8 × 2"
    assert numbers.shape_text(()) == ""


def test_signed() -> None:
    assert numbers.signed(0.8) == "+0.8"
    assert numbers.signed(-0.4) == "−0.4"
