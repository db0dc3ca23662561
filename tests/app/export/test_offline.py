"""How large an offline page becomes, and that lessons which start over are in it."""

from __future__ import annotations

import pytest

from app.export.offline import MOST_BYTES, export
from app.export.repeated import Pieces
from app.pages.changes import Answer, Sent
from app.teaching.lessons import read_cards
from engine.run import Command, Run

FIFTY_NODES = """import torch
weights = [torch.tensor(0.5 + 0.1 * k, requires_grad=True) for k in range(16)]
opt = torch.optim.SGD(weights, lr=0.1)
for i in range(100):
    opt.zero_grad()
    h = torch.tensor(1.0)
    for layer in range(16):
        h = torch.tanh(weights[layer] * h)
    loss = (h - 2) ** 2
    loss.backward()
    opt.step()
"""
SMALL = """import torch
w = torch.tensor(1.0, requires_grad=True)
for i in range(5):
    loss = (w - 3) ** 2
    loss.backward()
"""
LESSON = (
    "## One\ndo: forward, backward\npredict: w.grad?\nanswer: w.grad.item()",
    "## Two\ndo: reset\ndo: forward\npredict: w.grad?\nchoices: None | -4.0\nanswer: w.grad",
)


@pytest.mark.slow
def test_two_hundred_moments_of_fifty_nodes_stay_small() -> None:
    run = Run(FIFTY_NODES)
    run.begin()
    while run.last < 199:
        run.execute(Command("run"))
    assert len(run.moment(run.last - 3).graph.nodes) >= 50
    assert len(export(run, "Fifty").encode()) < MOST_BYTES


def test_a_lesson_that_starts_over_is_in_the_page() -> None:
    run = Run(SMALL)
    run.begin()
    run.execute(Command("run"))
    page = export(run, "Lesson", cards=read_cards(LESSON), depth=0)
    assert "<!doctype html>" in page


def test_pieces_that_are_made_once_are_those_that_would_be_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(SMALL)
    run.begin()
    run.execute(Command("run", times=2))
    page = export(run, "Lesson", cards=read_cards(LESSON), depth=3)
    monkeypatch.setattr(Pieces, "answer", lambda self, page: Answer(Sent(), None, {}))
    assert export(run, "Lesson", cards=read_cards(LESSON), depth=3) == page
