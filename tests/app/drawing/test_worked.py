"""One entry of each contribution is worked out, and comes to the number in the trace."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from app.drawing.formula import draw_formula
from app.drawing.worked import worked_entry
from engine.run import Command, Run
from engine.tracing.events import GradientComputed
from engine.tracing.moments import Moment

BEGIN = """import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.randn(2, 3, requires_grad=True)
z = torch.rand(2, 3, requires_grad=True)
r = torch.randn(3, requires_grad=True)
im = torch.randn(2, 2, 5, 6, requires_grad=True)
k = torch.randn(3, 2, 3, 3, requires_grad=True)
k1 = torch.randn(2, 1, 2, 2, requires_grad=True)
kb = torch.randn(3, requires_grad=True)
W = torch.randn(4, 3, requires_grad=True)
Wb = torch.randn(4, requires_grad=True)
many = torch.randn(2, 3, 3, requires_grad=True)
t = torch.tensor([2, 0])
"""
CALLS = [
    *("x + r", "x - r", "r - z", "x * r", "x / z", "r / z", "x / 2", "2 / z", "x ** 3", "z ** r", "1 - x"),
    *("x.sum(0)", "x.sum(1, keepdim=True)", "x.mean(1)", "x.var(1)", "x.std(0)", "x.norm(dim=1)", "z.prod(1)"),
    *("x.max(1).values", "x.amax(0)", "x.logsumexp(1)", "x.cumsum(1)", "torch.maximum(x, z)", "x.clamp(0, 1)"),
    *("x @ W.t()", "x @ r", "F.linear(x, W, Wb)", "torch.bmm(many, many)", "many @ W.t()", "torch.addmm(Wb, x, W.t())"),
    *("x.reshape(3, 2)", "many.permute(2, 0, 1)", "r.expand(2, 3)", "x[:, 1:]", "x[t % 2]", "torch.cat([x, z], 1)"),
    *("torch.stack([x, z])", "x.flip(0)", "torch.where(x > 0, x, z)", "x.masked_fill(x > 0, 0.)", "x.sort(1).values"),
    *("F.softmax(x, 1)", "F.log_softmax(x, 0)", "F.cross_entropy(x, t)", "F.mse_loss(x, z)", "F.huber_loss(x, z)"),
    *("F.binary_cross_entropy(z, torch.ones(2, 3))", "F.binary_cross_entropy_with_logits(x, torch.ones(2, 3))"),
    *("F.conv2d(im, k, kb)", "F.conv2d(im, k, kb, stride=2, padding=1)", "F.conv2d(im, k, padding=2, dilation=2)"),
    *("F.conv2d(im, k1, groups=2)", "F.conv1d(many, torch.ones(2, 3, 2, requires_grad=True), stride=(1,))"),
    *("F.max_pool2d(im, 2)", "F.avg_pool2d(im, (1, 2))", "F.adaptive_avg_pool2d(im, 1)", "nn.BatchNorm2d(2)(im)"),
    *("nn.BatchNorm2d(2).eval()(im)", "nn.LayerNorm(3)(x)", "nn.GroupNorm(1, 2)(im)", "nn.Embedding(5, 3)(t)"),
    *(
        "F.dropout(x, 0.5)",
        "torch.lerp(x, z, torch.tensor(0.3))",
        "torch.addcmul(x, z, z)",
        "torch.linalg.inv(many)[0]",
    ),
    *("torch.outer(r, r)", "torch.linalg.det(x @ x.t())", "torch.linalg.solve(x @ x.t(), z)", "torch.atan2(x, z)"),
]
KNOWN = ["torch.linalg.inv(many)[0]"]
"""Of many matrices at once the entry is told, not worked out."""


@cache
def moments() -> dict[str, Moment]:
    calls = "".join(
        f"y = {call}\n(y * torch.linspace(0.5, 1.5, y.numel()).view_as(y)).sum().backward()\n" for call in CALLS
    )
    run = Run(BEGIN + calls)
    run.begin()
    run.execute(Command("finish"))
    walks = [moment for moment in map(run.moment, range(run.last + 1)) if moment.do == "backward" or moment.events]
    backwards = [moment for moment in walks if any(isinstance(event, GradientComputed) for event in moment.events)]
    assert len(backwards) == len(CALLS)
    return dict(zip(CALLS, backwards, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("call", [call for call in CALLS if call not in KNOWN])
def test_an_entry_of_each_contribution_is_worked_out(call: str) -> None:
    moment = moments()[call]
    for number, event in enumerate(moment.events, start=1):
        if not isinstance(event, GradientComputed):
            continue
        card = draw_formula(moment, number)
        assert card is not None
        sent = [array for _, array in event.contributions if array is not None and array.size > 1]
        told = [row.text for row in card.rows if row.text.startswith("entry ")]
        assert len(told) == len(sent)
        for text, array in zip(told, sent, strict=True):
            place = tuple(int(part) for part in re.findall(r"\d+", text.partition("]")[0]))
            result = float(re.split(r" = |: ", text)[-1].replace("−", "-"))
            assert result == pytest.approx(float(array[place]), rel=1e-3, abs=1e-3)
            as_it_came = event.grad_fn.startswith(("Sum", "Add", "Sub"))
            assert as_it_came or re.search("[×/+=]|from|not", text.partition("]")[2]), text


def test_what_comes_to_another_number_is_not_told() -> None:
    x, w = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]])
    g, sent = np.array([[2.0]]), np.array([[6.0, 8.0]])
    found = worked_entry("linear", 0, [x, w], x @ w.T, g, sent, (0, 1))
    assert found is not None
    assert (found.text, found.value) == ("2.0×4.0", 8.0)
    assert worked_entry("linear", 0, [x, w + 1], x @ w.T, g, sent, (0, 1)) is None
    assert worked_entry("add", 0, [x], x, g, np.zeros((0,)), (0,)) is None


@pytest.mark.slow
def test_every_entry_of_a_convolution_is_the_sum_that_is_told() -> None:
    events = moments()["F.conv2d(im, k, kb, stride=2, padding=1)"].events
    moment = moments()["F.conv2d(im, k, kb, stride=2, padding=1)"]
    (event,) = (one for one in events if isinstance(one, GradientComputed) and one.grad_fn.startswith("Conv"))
    nodes = {node.id: node for node in moment.graph.nodes}
    node = nodes[event.node]
    values = [nodes[id].value for id, _ in event.contributions]
    weight = event.contributions[1][1]
    assert weight is not None
    for place in np.ndindex(3, 2, 3, 3):
        found = worked_entry("convolution", 1, values, node.value, event.upstream, weight, place)
        assert found is not None
        assert found.value == pytest.approx(float(weight[place]), rel=1e-4, abs=1e-5)
