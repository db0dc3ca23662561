"""Loops that do more than compute and read: whatever they change, a replayed iteration is what it would be."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.replay.test_replay import held_against_eager

START = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(3)
X, Y = torch.randn(6, 3), torch.randn(6, 2)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(3, 4), nn.Linear(4, 2)
        self.shift = torch.zeros(3)
        self.register_buffer("factor", torch.ones(4))
    def forward(self, x):
        h = F.relu(self.one(x + self.shift))
        return self.two(h * (self.factor * 2))
model = Net()
w = torch.randn(2, requires_grad=True)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD([*model.parameters(), w], lr=0.05, momentum={momentum})
kept, counts = [], {{}}
def note(value):
    kept.append(value)
def scale(value):
    return value * w
"""
LOOP = """
x, y = X, Y
for step in range(12):
    {first}
    optimizer.zero_grad()
    {second}
    pred = scale(model(x))
    loss = criterion(pred, y)
    {third}
    loss.backward()
    {fourth}
    optimizer.step()
    {fifth}
print(kept, w, w.grad, model.one.weight, pred, loss)
"""
CALLED = """
def train(model, x, y, optimizer, step):
    {first}
    optimizer.zero_grad()
    {second}
    pred = scale(model(x))
    loss = criterion(pred, y)
    {third}
    loss.backward()
    {fourth}
    optimizer.step()
    {fifth}
    return pred, loss
x, y = X, Y
for step in range(12):
    pred, loss = train(model, x, y, optimizer, step)
    {outside}
print(kept, w, w.grad, model.one.weight, pred, loss)
"""
METHODS = """
class Trainer:
    def __init__(self):
        self.model, self.optimizer, self.loss = model, optimizer, None
        self.criterion, self.x, self.y = criterion, X, Y
    def train(self, step):
        {first}
        self.optimizer.zero_grad()
        {second}
        x, y = self.x, self.y
        pred = scale(self.model(x))
        loss = self.criterion(pred, y)
        {third}
        loss.backward()
        {fourth}
        self.optimizer.step()
        {fifth}
        return pred, loss
trainer = Trainer()
self = trainer
for step in range(12):
    pred, loss = trainer.train(step)
    {outside}
print(kept, w, w.grad, trainer.model.one.weight, pred, loss)
"""
READS = ["pass", "kept.append(loss.item())", "print(step, loss.item())", "kept.append(loss)"]
CHANGES = [
    "pass",
    "x = X[: 3 + step % 2] if step > 5 else X; y = Y[: len(x)]",
    "note(w.grad)",
    "kept.append(None if w.grad is None else w.grad.sum().item())",
    "w.requires_grad_(step != 6)",
    "model.one.weight.requires_grad = step % 4 != 3",
    "model.two = nn.Linear(4, 2) if step == 7 else model.two",
    "criterion.reduction = 'sum' if step == 8 else 'mean'",
    "X[0, 0] = step",
    "X.mul_(1.01)",
    "w.data = w.data * 0.9",
    "w.data.mul_(0.9)",
    "optimizer.param_groups[0]['lr'] = 0.1 / (step + 1)",
    "optimizer.param_groups[0]['momentum'] = 0.5 if step > 6 else 0.9",
    "optimizer.param_groups[0]['weight_decay'] = 0.1 * (step > 5)",
    "optimizer.state[w].clear() if step == 6 else None",
    "counts[step] = w.register_hook(lambda g: g * 2) if step == 5 else None",
    "model.register_forward_hook(lambda m, a, out: out * 2) if step == 6 else None",
    "counts[step] = model.one.register_forward_pre_hook(lambda m, a: print('in')) if step == 9 else None",
    "torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.grad is not None], 0.1)",
    "torch.set_grad_enabled(step != 7)",
    "w.grad = None",
    "w.grad = torch.ones(2) if step % 3 == 0 else None",
    "w.grad is not None and w.grad.zero_()",
    "model.train(step % 3 > 0)",
    "model.double().float()",
    "y = y.clone()",
    "del kept[:]",
    "criterion = nn.L1Loss() if step == 7 else nn.MSELoss()",
    "optimizer = torch.optim.SGD([*model.parameters(), w], lr=0.02) if step == 6 else optimizer",
    "scale.factor = step",
    "model.shift = model.shift + 1",
    "model.shift.mul_(0.9)",
    "model.factor.add_(0.1)",
    "model.two.bias.requires_grad_(False).mul_(0.9)",
    "model.two.bias.data = model.two.bias.requires_grad_(False).data * 0.9",
    "assert step < 9, 'far enough'",
]
OWN = [
    "self.x, self.y = X[: 3 + step % 2], Y[: 3 + step % 2]",
    "self.x = X * 1",
    "self.model = Net() if step == 6 else self.model",
    "self.criterion = nn.L1Loss() if step == 7 else nn.MSELoss()",
    "self.optimizer = torch.optim.SGD([*model.parameters(), w], lr=0.02) if step == 6 else self.optimizer",
    "self.optimizer.param_groups[0]['lr'] = 0.1 / (step + 1)",
    "self.loss = step",
]
"""Changes that are the method's own."""


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """A loop, or a function that is called, with one thing or two that change something."""
    how = draw(st.sampled_from([LOOP, CALLED, METHODS]))
    changes = CHANGES + OWN if how is METHODS else CHANGES
    places = ["first", "second", "fourth", "fifth", "outside"]
    given = dict.fromkeys(places, "pass")
    for place in draw(st.lists(st.sampled_from(places), min_size=1, max_size=2)):
        given[place] = draw(st.sampled_from(changes))
    given["third"] = draw(st.sampled_from(READS))
    text = START.format(momentum=draw(st.sampled_from([0, 0.9])))
    return text + how.format(**given)


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(scripts())
def test_loops_that_change_things(source: str) -> None:
    held_against_eager(source)


@pytest.mark.slow
@settings(max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(scripts())
def test_many_loops_that_change_things(source: str) -> None:
    held_against_eager(source)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["first", "second", "fourth", "fifth", "outside"])
@pytest.mark.parametrize("change", CHANGES + OWN)
def test_each_change_at_each_place(change: str, place: str) -> None:
    given = {**dict.fromkeys(("first", "second", "third", "fourth", "fifth", "outside"), "pass"), place: change}
    others = () if change in OWN else (CALLED,) if place == "outside" else (CALLED, LOOP)
    for loop in (METHODS, *others):
        held_against_eager(START.format(momentum=0.9) + loop.format(**given))


REPLACED = """
import torch
import torch.nn.functional as F
seen = []
def counted(x):
    seen.append(1)
    return x * 1
def put(place):
    place.relu = counted
{before}
w = torch.ones(3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.01)
for step in range(20):
    optimizer.zero_grad()
    loss = F.relu(w * 2).sum()
    loss.backward()
    optimizer.step()
print(seen)
"""


@pytest.mark.parametrize("before", ["F.relu = counted", "put(F)", "pass"])
def test_a_function_that_the_script_put_in_a_module_is_called_each_time(before: str) -> None:
    loops = held_against_eager(REPLACED.format(before=before))
    assert any(loop.mode == "replay" for loop in loops) == (before == "pass")
