"""What is answered at once for plain tensors is left to the library's statements for everything else."""

from __future__ import annotations

from typing import Any

import pytest

import engine as torch
from engine.ops import likely

NAN = float("nan")


class Marked(torch.Tensor):
    pass


@pytest.mark.parametrize(
    ("values", "kind", "inside"),
    [
        ([0.0, 1.0], "share", True),
        ([0.0, 1.1], "share", False),
        ([-0.1, 1.0], "share", False),
        ([0.5, NAN], "share", False),
        ([1e30, -1e30], "real", True),
        ([1.0, NAN], "real", False),
        ([0.0, 1.0], "positive", False),
        ([1e-45, 1.0], "positive", True),
        ([0.0, 1.0], "nonnegative", True),
        ([0.0, -1.0], "nonnegative", False),
        ([0, 1], "boolean", True),
        ([0.0, 0.5], "boolean", False),
        ([0, 2], "count", True),
        ([0.0, 2.0], "count", True),
        ([0.5, 2.0], "count", False),
        ([0, -3], "count", False),
        ([0.5], None, False),
        ([0.5], [], False),
        ([0.5], "what a script says", False),
    ],
)
def test_values_of_a_kind(values: list[float], kind: Any, inside: bool) -> None:
    assert likely.within(torch.tensor(values), kind) is inside


@pytest.mark.parametrize(
    ("value", "batch", "inside"),
    [
        (torch.zeros(2), (2,), True),
        (torch.zeros(()), (2,), True),
        (torch.zeros(3), (2,), False),
        (torch.zeros(1), (2,), False),
        (torch.zeros(2).as_subclass(Marked), (2,), False),
        (torch.zeros(2, dtype=torch.bfloat16), (2,), False),
        (0.0, (2,), False),
    ],
)
def test_only_plain_tensors_of_the_sizes_that_are_drawn(value: Any, batch: tuple[int, ...], inside: bool) -> None:
    assert likely.within(value, "real", torch.Size(batch), torch.Size()) is inside
    assert not likely.within(value, "real", list(batch), ())


@pytest.mark.parametrize(
    "odd", [torch.ones(2).as_subclass(Marked), [0.5, 0.5], torch.tensor([1, 1]), torch.tensor(1.0), None]
)
def test_what_is_left_to_the_library(odd: Any) -> None:
    plain, one, batch = torch.tensor([0.5, 0.5]), torch.tensor(1), torch.Size()
    assert [likely.shares(odd, None), likely.shares(None, odd), likely.shares(plain, plain)] == [None] * 3
    if not isinstance(odd, torch.Tensor) or type(odd) is Marked or not odd.dim():
        assert [likely.drawn(odd), likely.together((plain, odd)), likely.share_of(one, odd)] == [None] * 3
    assert [likely.together([plain]), likely.together(()), likely.share_of(torch.tensor([1]), plain)] == [None] * 3
    assert not any(
        likely.numbers(*each)
        for each in ((odd, 2, batch), (one, 2.0, batch), (one, 2, ()), (one.double(), 2, batch), (one, 1, batch))
    )
    assert likely.numbers(one, 2, batch)


@pytest.mark.parametrize(
    ("given", "fine"), [([1.0, 3.0], True), ([1.0, NAN], False), ([-1.0, 3.0], False), ([0.0, 0.0], False)]
)
def test_shares_that_cannot_be(given: list[float], fine: bool) -> None:
    shares, logits = likely.shares(torch.tensor(given), None), likely.shares(None, torch.tensor([given]))
    assert shares is not None
    assert logits is not None
    assert shares[1:] == (torch.Size(), 2, fine)
    assert logits[1:] == (torch.Size([1]), 2, NAN not in given)
