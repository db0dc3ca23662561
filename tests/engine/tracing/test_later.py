"""Fields that are worked out when somebody reads them."""

from __future__ import annotations

import copy
import dataclasses

import numpy as np
import pytest

from engine.run import Command, Run
from engine.tracing.events import ParameterUpdated
from engine.tracing.later import Later, later, standing, worked_out
from engine.tracing.optimizers import PROBE_ELEMENTS
from tests.engine.run.programs import SOURCES


@worked_out("b")
@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    a: int
    b: int = 7


def test_a_field_is_made_once_when_it_is_read() -> None:
    asked: list[int] = []

    def make() -> int:
        asked.append(1)
        return 3

    pair = Pair(1, later(make))
    assert not asked
    assert type(standing(pair, "b")) is Later
    assert pair.b == 3
    assert pair.b == 3
    assert asked == [1]
    assert standing(pair, "b") == 3
    assert Pair(1).b == 7
    assert pair == Pair(1, 3)
    assert repr(pair) == "Pair(a=1, b=3)"
    assert copy.copy(pair) == dataclasses.replace(pair) == pair
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair.b = 4  # type: ignore[misc]


def test_what_is_made_later_does_not_depend_on_when() -> None:
    """Read at once, or when the run is somewhere else."""
    at_once, afterwards = Run(SOURCES["linear-regression"]), Run(SOURCES["linear-regression"])
    seen = []
    for _ in range(40):
        at_once.execute(Command("next"))
        afterwards.execute(Command("next"))
        seen.append(told(at_once, at_once.last))
    moments = [afterwards.moment(number) for number in range(afterwards.last + 1)]
    held = [parameter for moment in moments for optimizer in moment.optimizers for parameter in optimizer.parameters]
    assert any(type(standing(parameter, "after_step")) is Later for parameter in held)
    assert seen == [told(afterwards, at_once.last - 39 + number) for number in range(40)]
    assert any(after for _, after in seen)
    assert any(lines for lines, _ in seen)


def told(run: Run, number: int) -> tuple[list[object], list[object]]:
    moment = run.moment(number)
    lines: list[object] = [event.lines for event in moment.events if isinstance(event, ParameterUpdated)]
    after = [p.after_step for optimizer in moment.optimizers for p in optimizer.parameters]
    return lines, [None if a is None else (a.shape, a.tobytes()) for a in after]


def test_an_optimizer_in_which_nothing_changes_is_told_once() -> None:
    run = Run("import torch\nw = torch.ones(2, requires_grad=True)\nopt = torch.optim.SGD([w], lr=1.0)\nx = 1\ny = 2\n")
    run.execute(Command("finish"))
    before, after = run.moment(run.last - 1), run.moment(run.last)
    assert before.optimizers[0] is after.optimizers[0]
    assert before.optimizers[0].parameters[0].after_step is before.tensors[0].value  # no .grad: it would stay


@pytest.mark.parametrize("elements", [PROBE_ELEMENTS, PROBE_ELEMENTS + 1])
def test_large_optimizers_are_not_foretold(elements: int) -> None:
    text = (
        f"import torch\nw = torch.zeros({elements}, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.5)\n"
        "w.sum().backward()\n"
    )
    run = Run(text)
    run.execute(Command("finish"))
    after = run.moment(run.last).optimizers[0].parameters[0].after_step
    assert (after is None) == (elements > PROBE_ELEMENTS)
    assert after is None or np.array_equal(after, np.full(elements, -0.5))
