"""No view in other strides shows what lies beside the array."""

from __future__ import annotations

import numpy as np
import pytest

import engine as torch
from engine.ops.within import seen


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((12,), (8,)), ((3, 4), (0, 24)), ((0, 99), (8, 8)), ((1, 1), (999, -999)), ((2, 5), (16, 16))],
)
def test_what_is_inside_is_seen(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    assert seen(np.arange(12.0).reshape(3, 4), shape, strides).shape == shape


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((13,), (8,)), ((2,), (-8,)), ((2, 2), (88, 8)), ((5,), (24,)), ((-1,), (8,)), ((2,), (2**62,))],
)
def test_what_is_outside_is_refused(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    with pytest.raises(RuntimeError, match="beyond the memory"):
        seen(np.arange(12.0).reshape(3, 4), shape, strides)
    with pytest.raises(RuntimeError, match="beyond the memory"):
        seen(np.zeros(0), (1,), (8,))


def test_an_array_that_runs_backwards() -> None:
    x = np.arange(4.0)[::-1]
    assert seen(x, (4,), (-8,)).tolist() == [3, 2, 1, 0]
    with pytest.raises(RuntimeError, match="beyond the memory"):
        seen(x, (2,), (8,))


@pytest.mark.parametrize(
    "wrong",
    [{"dilation": -1}, {"dilation": 0}, {"stride": -1}, {"padding": -1}, {"kernel_size": -2}, {"dilation": (1, -3000)}],
)
def test_windows_that_lie_nowhere(wrong: dict[str, int]) -> None:
    given = {"kernel_size": 2, **wrong}
    with pytest.raises(RuntimeError, match=r"should be (greater than zero|non-negative), but got"):
        torch.nn.functional.unfold(torch.ones(1, 1, 5, 5), **given)
    with pytest.raises(RuntimeError, match=r"should be (greater than zero|non-negative), but got"):
        torch.nn.functional.fold(torch.ones(1, 4, 16), (5, 5), **given)
