"""Which calls of a tape only the last iteration of a loop needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.ops.prepared import put
from engine.replay.calls import direct
from engine.replay.unread import split

Array = np.ndarray[Any, Any]
Call = tuple[Any, tuple[Any, ...]]


def iteration() -> tuple[list[Call], dict[str, Array]]:
    """Half a square's way to its minimum: the loss is read by nobody."""
    names = ("weight", "x", "difference", "square", "total", "loss", "gradient")
    arrays = {name: np.linspace(1, 2, 6, dtype=np.float32).reshape(2, 3) for name in names}
    arrays["total"], arrays["loss"] = np.zeros(3, np.float32), np.zeros((), np.float32)
    weight, x, difference, square, total, loss, gradient = arrays.values()
    calls: list[Call] = [
        (np.subtract, (weight, x, difference)),
        (np.multiply, (difference, difference, square)),
        (np.add.reduce, (square, 0, None, total)),
        (put, (total[2:].reshape(()), loss)),
        (np.add, (difference, difference, gradient)),
    ]
    return direct(calls), arrays


def test_what_only_a_reader_would_see_is_computed_last() -> None:
    calls, arrays = iteration()
    needed, late = split(calls, [arrays["gradient"]], [arrays["weight"]])
    assert (needed, late) == ([calls[0], calls[4]], calls[1:4])


def parameter_read(calls: list[Call], arrays: dict[str, Array]) -> None:
    """As a penalty does: the step moves it before the loop is left."""
    calls[1] = (np.multiply, (arrays["weight"], arrays["difference"], arrays["square"]))


def overwritten(calls: list[Call], arrays: dict[str, Array]) -> None:
    """What the loss is made of is another's place later."""
    calls.append((np.negative, (arrays["x"], arrays["difference"][:, :])))


def unknown(calls: list[Call], arrays: dict[str, Array]) -> None:
    calls.insert(1, (lambda array: None, (arrays["x"],)))


def loss_read(calls: list[Call], arrays: dict[str, Array]) -> None:
    """The gradient takes the loss itself."""
    calls[4] = (np.multiply, (arrays["difference"], arrays["loss"], arrays["gradient"]))


@pytest.mark.parametrize(("change", "late"), [(parameter_read, 2), (overwritten, 2), (unknown, 0), (loss_read, 0)])
def test_what_would_not_be_there_any_more_is_computed_each_time(change: Any, late: int) -> None:
    calls, arrays = iteration()
    change(calls, arrays)
    needed, found = split(calls, [arrays["gradient"]], [arrays["weight"]])
    assert len(found) == late
    assert sorted(map(id, [*needed, *found])) == sorted(map(id, calls))
