"""Sizes that may be told one by one may be told by name too, all at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import engine as torch
from engine import Tensor

CASES: list[tuple[Callable[[Tensor], Tensor], tuple[int, ...]]] = [
    (lambda t: t.view(size=(2, 3)), (2, 3)),
    (lambda t: t.view(size=torch.Size([3, 2])), (3, 2)),
    (lambda t: t.view(dtype=torch.int32), (6,)),
    (lambda t: t.reshape(shape=(-1, 2)), (3, 2)),
    (lambda t: torch.reshape(input=t, shape=[2, 3]), (2, 3)),
    (lambda t: t.expand(size=(4, 6)), (4, 6)),
    (lambda t: t.view(2, 3).permute(dims=(1, 0)), (3, 2)),
    (lambda t: t.repeat(repeats=(2, 1)), (2, 6)),
    (lambda t: t.clone().resize_(size=(2, 2)), (2, 2)),
]


@pytest.mark.parametrize(("made", "shape"), CASES)
def test_sizes_by_name(made: Callable[[Tensor], Tensor], shape: tuple[int, ...]) -> None:
    assert tuple(made(torch.arange(6.0)).shape) == shape


def test_sizes_by_name_are_no_number_and_stand_alone() -> None:
    t = torch.arange(6.0)
    with pytest.raises(TypeError, match=r"view\(\) received an invalid combination of arguments - got \(size=int, \)"):
        t.view(size=6)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match=r"view\(\) received an invalid combination"):
        t.view(6, size=(6,))  # type: ignore[attr-defined]
