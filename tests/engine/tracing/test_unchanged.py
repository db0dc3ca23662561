"""What has not changed from one moment to the next is told by the same objects, and says the same as told anew."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

from engine.run import Command, Run
from engine.tracing.moments import Moment
from engine.tracing.recorder import Parts, Recorder, Told
from tests.engine.run.programs import SOURCES

BY_HAND = """import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.1, momentum=0.9)
for i in range(3):
    loss = ((w * 2 + b) ** 2).sum()
    loss.backward()
    kept = i
    w.data[0] = 5.0
    w.grad.zero_()
    kept = -i
    w.grad = torch.ones(2)
    b.grad = None
    opt.step()
    opt.param_groups[0]["lr"] = 0.5
    opt.state[w]["momentum_buffer"].mul_(2)
    other, w2 = loss, w
    del loss
    y = w.detach()
    y.requires_grad_()
    y.mul_(1)
    w = w.detach().clone().requires_grad_()
    h = (w * y).relu()
    h.retain_grad()
    h.sum().backward()
    h.detach_()
    h = None
    w = w2
"""
UNSEEN = """import torch
w = torch.ones(2, requires_grad=True)
def make():
    c = torch.ones(2)
    def use(x):
        return x * c
    def change():
        c.add_(1)
    return use, change
use, change = make()
loss = use(w).sum()
change()
pass
"""
ZEROS = """import torch
w = torch.ones(2, requires_grad=True)
loss = (w * 2).sum()
(w * 0).sum().backward()
(w * 0).sum().backward()
loss.backward()
"""
CARRIED = """import torch
w = torch.tensor(0.5, requires_grad=True)
h = torch.tensor(1.0)
total = 0.0
for i in range(4):
    h = torch.tanh(w * h)
    pass
    total = total + h
    pass
total.backward()
x = torch.ones(3)
x = torch.ones(3)
v = x[0:2]
x[0] = 7
x.requires_grad_()
pass
"""


@pytest.mark.parametrize(
    "source", [BY_HAND, UNSEEN, ZEROS, CARRIED, SOURCES["two-moons"], SOURCES["linear-regression"]]
)
def test_it_says_the_same_as_told_anew(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stepped() -> Run:
        run = Run(source)
        run.begin()
        for _ in range(90):
            if run.state == "finished":
                break
            run.execute(Command("next"))
        return run

    again = stepped()
    take = Recorder.take

    def anew(self: Recorder, *given: Any) -> Parts:
        self._told = Told()
        return take(self, *given)

    monkeypatch.setattr(Recorder, "take", anew)
    told = stepped()
    assert told.last == again.last
    for number in range(told.last + 1):
        assert spelled(again.moment(number)) == spelled(told.moment(number)), again.moment(number).statement


def spelled(value: Any) -> Any:
    """A moment as plain values, to be compared."""
    if isinstance(value, np.ndarray):
        return value.shape, str(value.dtype), value.tobytes()
    if dataclasses.is_dataclass(value):
        return [spelled(getattr(value, each.name)) for each in dataclasses.fields(value)]
    if isinstance(value, dict):
        return [(key, spelled(entry)) for key, entry in value.items()]
    return [spelled(entry) for entry in value] if isinstance(value, (list, tuple)) else value


def test_where_nothing_happens_nothing_is_told_anew() -> None:
    run = Run(BY_HAND)
    run.execute(Command("run", times=1))
    moments = [run.moment(number) for number in range(run.last + 1)]
    for before, here in itertools.pairwise(moments):
        if here.statement.startswith("kept"):
            assert all(a is b for a, b in zip(parts(here), parts(before), strict=True))
    at = {moment.statement: place for place, moment in enumerate(moments)}
    assert nodes(moments[at["b.grad = None"]])["leaf:w"] is nodes(moments[at["b.grad = None"] - 1])["leaf:w"]
    assert nodes(moments[at["b.grad = None"]])["leaf:b"] is not nodes(moments[at["b.grad = None"] - 1])["leaf:b"]


def parts(moment: Moment) -> tuple[Any, ...]:
    return moment.graph, moment.tensors, moment.optimizers


def nodes(moment: Moment) -> dict[str, Any]:
    return {node.id: node for node in moment.graph.nodes}
