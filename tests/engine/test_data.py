"""Batches that a DataLoader takes in one go are what its items make one by one."""

from __future__ import annotations

from typing import Any

import pytest

import engine as torch
from engine.data import DataLoader, Subset, TensorDataset
from engine.data.datasets import taken_together
from engine.data.loader import default_collate

X = torch.arange(42.0).reshape(7, 2, 3)
LABELS = torch.tensor([3, 1, 2, 0, 1, 2, 3])
WHOLE = TensorDataset(X, X.transpose(1, 2), LABELS, X[:, 0, 0] > 9)


def plain(dataset: Any, numbers: list[Any]) -> Any:
    return default_collate([dataset[i] for i in numbers])


@pytest.mark.parametrize(
    "dataset", [WHOLE, Subset(WHOLE, [6, 0, 3, 3]), Subset(Subset(WHOLE, [5, 4, 3, 2]), [1, 0, 3])]
)
def test_taken_together(dataset: Any) -> None:
    numbers = [2, 0, 1, 2]
    taken = taken_together(dataset, numbers)
    assert taken is not None
    for one, other in zip(taken, plain(dataset, numbers), strict=True):
        assert one.dtype == other.dtype
        assert one.stride() == other.stride()
        assert one.tolist() == other.tolist()
        assert one._base is None


@pytest.mark.parametrize(
    ("dataset", "numbers"),
    [
        (WHOLE, [0, 7]),
        (WHOLE, [-1]),
        (WHOLE, [torch.tensor(1)]),
        (Subset(WHOLE, [1, 9]), [0, 1]),
        (Subset(WHOLE, torch.tensor([1, 2])), [0]),
        (TensorDataset(torch.ones(3, requires_grad=True)), [0]),
        ([1.0, 2.0], [0]),
    ],
)
def test_what_may_be_something_else_is_taken_one_by_one(dataset: Any, numbers: list[Any]) -> None:
    assert taken_together(dataset, numbers) is None


def test_a_loader_of_many() -> None:
    loader = DataLoader(WHOLE, batch_size=3)
    expected = [plain(WHOLE, numbers) for numbers in ([0, 1, 2], [3, 4, 5], [6])]
    assert [[t.tolist() for t in batch] for batch in loader] == [[t.tolist() for t in batch] for batch in expected]


def test_workers_that_stay_draw_their_seed_once() -> None:
    def after(draws: int, **given: Any) -> tuple[list[Any], float]:
        torch.manual_seed(5)
        loader = DataLoader(range(6), batch_size=2, **given)
        passes = [[batch.tolist() for batch in loader] for _ in range(2)]
        drawn = torch.rand(()).item()
        torch.manual_seed(5)
        for _ in range(draws):
            torch.default_generator.random(())
        assert torch.rand(()).item() == drawn
        return passes, drawn

    order = [[0, 1], [2, 3], [4, 5]]
    assert after(2, num_workers=2)[0] == after(1, num_workers=2, persistent_workers=True)[0] == [order, order]
