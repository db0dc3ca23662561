"""What a run holds of graphs whose numbers take much memory."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

from engine.run import Command, Run, aside
from engine.run.foretell import foretell
from engine.run.session import Session
from engine.run.shelf import Shelf
from engine.script.frames import current
from engine.script.limits import Limits
from engine.script.reading.source import read_script
from engine.tracing import recorder

SOURCE = """
import torch
torch.manual_seed(0)
w = torch.randn(64, 64, requires_grad=True)
x = torch.randn(32, 64)
for i in range(4):
    h = x @ w
    y = h.reshape(64, 32).t()
    z = torch.relu_(h) * 2
    loss = (y * z.t().reshape(32, 64)).mean() + z.relu().pow(2).mean()
    loss.backward()
"""

TWO_TIMES = """
import torch
w = torch.ones(32, 64, requires_grad=True)
y = (h := w * torch.arange(64.)).mul_(2).view(64, 32).transpose(0, 1)
"""


def executed(times: int, count: int = 0) -> Run:
    run = Run(SOURCE)
    run.execute(Command("run", times=times))
    if count:
        run.execute(Command("next", times=count))
    return run


def test_what_is_handed_on_is_held_once() -> None:
    run = executed(1)
    graph = run.moment(run.last).graph
    arrived = {node.id: node.passing for node in graph.nodes}
    handed = [(edge.gradient, arrived[edge.source]) for edge in graph.edges]
    large = [(a, b) for a, b in handed if a is not None and b is not None and a.nbytes > 4096]
    assert any(np.shares_memory(a, b) for a, b in large)
    for a, b in large:
        assert not a.flags.writeable
        assert not np.shares_memory(a, b) or a.tobytes() == b.tobytes()


def test_a_view_shows_the_numbers_of_its_time() -> None:
    run = Run(TWO_TIMES)
    run.execute(Command("finish"))
    one, two = run.moment(run.last).graph.nodes[-2:]
    assert [one.grad_fn, two.grad_fn] == ["ViewBackward0", "TransposeBackward0"]
    assert one.value is not None
    assert two.value is not None
    assert np.shares_memory(one.value, two.value)
    assert two.value.tobytes() == one.value.T.tobytes()
    first = run._session.recorder.operations["op:4.0"].value
    assert not np.shares_memory(one.value, first)
    assert one.value.tobytes() == (first * 2).tobytes()


def told(run: Run) -> list[Any]:
    moments = [run.moment(number) for number in range(run.last + 1)]
    return [(m.explanation, [shown(t) for t in m.tensors], [shown(node) for node in m.graph.nodes]) for m in moments]


def shown(one: Any) -> Any:
    return one.name, *(None if each is None else each.tobytes() for each in (one.value, one.grad))


def test_a_graph_that_is_over_leaves_its_numbers_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    light = executed(3)
    monkeypatch.setattr(recorder, "HEAVY", 0)
    heavy = executed(3)
    assert heavy.digest() == light.digest()
    assert told(heavy) == told(light)


def test_what_is_replaced_goes_while_the_next_graph_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "HEAVY", 0)
    for retain, left in ("", True), ("retain_graph=True", False):
        run = Run(SOURCE.replace("backward()", f"backward({retain})"))
        run.execute(Command("run", times=2))
        before = dict(run._session.recorder.operations)
        run.execute(Command("next", times=2))
        new = run._session.recorder.operations
        replaced = [one for name, one in before.items() if one is not new[name]]
        assert [(one.left, one.passing is None) for one in replaced if one.word == "mm"] == [(left, left)]


def test_a_moment_larger_than_the_shelf_goes_before_the_next_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = executed(2, count=3)
    monkeypatch.setattr(Shelf.__init__, "__defaults__", (1000,))
    small = executed(2)
    kept: list[bool] = []
    step = Session._part_with_last

    def parting(session: Session) -> None:
        step(session)
        kept.append(session.shelf.get(session.last) is not None)

    monkeypatch.setattr(Session, "_part_with_last", parting)
    for _ in range(3):
        small.execute(Command("next"))
        assert small.moment(small.last).graph.nodes
    assert kept == [False, False, False]
    assert small.digest() == whole.digest()
    assert told(small) == told(whole)


def test_what_is_executed_aside_goes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "MUCH", -1)
    machine = current.machine = executed(0)._session.interpreter.machine
    gc.collect()
    before = sum(type(each) is Session for each in gc.get_objects())
    graph = foretell(read_script(SOURCE, Limits()), 0, Limits())
    assert graph.nodes
    assert sum(type(each) is Session for each in gc.get_objects()) == before
    assert current.machine is machine
