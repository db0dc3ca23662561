from __future__ import annotations

import math

import numpy as np
import pytest

from engine.tracing.wording import count, factor, listed, norm, number, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (-16, "−16"),
        (1.9000000953674316, "1.9"),
        (0.16000008, "0.16"),
        (0.00640001, "0.0064"),
        (0.012345678, "0.01235"),
        (1e-5, "1e−5"),
        (-1.23456e-7, "−1.235e−7"),
        (123456.78901, "123456.789"),
        (1e8, "1e8"),
        (2.5e20, "2.5e20"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "−inf"),
        (True, "True"),
        ("fast", "fast"),
        (None, "None"),
        (0.1, "0.1"),
        (0.0999999, "0.1"),
        (99999.99999, "100000"),
    ],
)
def test_numbers_read_as_on_the_page(value: object, text: str) -> None:
    assert number(value) == text


def test_numbers_inside_formulas() -> None:
    assert factor(-8) == "(−8)"
    assert factor(8) == "8"
    assert signed(0.4) == "+0.4"
    assert signed(-0.4) == "−0.4"


def test_lists() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(["a", "b", "c", "d"]) == "a, b and 2 more"
    assert count(1, "step") == "one step"
    assert count(3, "step") == "3 steps"


def test_norm_does_not_overflow_in_float32() -> None:
    assert norm(np.array([3e30, 4e30], np.float32)) == pytest.approx(5e30)
