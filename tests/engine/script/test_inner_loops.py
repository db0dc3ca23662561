"""Forwards that are made of loops, branches and lists: one button, and pressing it again begins anew."""

from __future__ import annotations

from engine.run import Command, Run
from engine.script.reading.source import read_script

THROUGH_TIME = """
import torch

cell, out = torch.nn.RNNCell(1, 4), torch.nn.Linear(4, 1)
opt = torch.optim.SGD([*cell.parameters(), *out.parameters()], lr=0.1)
xs = torch.randn(5, 1, 1)
for e in range(3):
    h = torch.zeros(1, 4)
    loss = 0
    for t in range(5):
        h = cell(xs[t], h)
        loss = loss + (out(h) - 1).pow(2).sum()
    opt.zero_grad(); loss.backward(); opt.step()
"""

GATHERED = """
import torch

w = torch.tensor(1.0, requires_grad=True)
for e in range(3):
    batch = torch.randn(3)
    outs = []
    for x in batch:
        outs.append(w * x)
    if e > 1:
        loss = torch.stack(outs).sum()
    else:
        loss = torch.stack(outs).mean()
    print(loss.item())
    loss.backward()
"""


def forward_lines(source: str) -> tuple[tuple[int, int], ...]:
    return next(phase.lines for phase in read_script(source).phases if phase.do == "forward")


def test_a_loop_that_computes_the_loss_belongs_to_forward_with_what_it_starts_from() -> None:
    assert forward_lines(THROUGH_TIME) == ((8, 12),)


def test_lists_that_are_filled_and_branches_belong_to_forward_and_data_do_not() -> None:
    assert forward_lines(GATHERED) == ((7, 13),)


def test_statements_on_one_line_have_their_own_text() -> None:
    texts = [phase.text for phase in read_script(THROUGH_TIME).phases]
    assert texts == ["h = torch.zeros(1, 4) …", "opt.zero_grad()", "loss.backward()", "opt.step()"]


def test_forward_again_gives_the_same_loss_and_says_so() -> None:
    for source in (THROUGH_TIME, GATHERED):
        run = Run(source)
        run.begin()
        run.execute(Command("forward"))
        first = run.losses()[-1][2]
        said = run.moment(run.last).explanation.text
        assert said.startswith("forward computed loss = "), said
        run.execute(Command("forward"))
        assert run.losses()[-1][2] == first
        assert " again: " in run.moment(run.last).explanation.text
