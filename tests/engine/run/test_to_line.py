"""Run to a line that stands in a function."""

from __future__ import annotations

import pytest

from engine.run import Command, Run

INSIDE = """import torch
class Net(torch.nn.Module):
    @torch.no_grad()
    def forward(self, x):
        y = x * 2
        return y
def evaluate(m):
    out = m(torch.ones(1))
    return out
w = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
net = Net()
for i in range(60):
    opt.zero_grad()
    loss = (w * w).sum()
    loss.backward()
    opt.step()
score = evaluate(net)
"""


@pytest.mark.parametrize(("line", "depth"), [(6, 2), (9, 1)])
def test_run_to_a_line_of_a_function_enters_the_calls_that_lead_there(line: int, depth: int) -> None:
    run = Run(INSIDE)
    run.execute(Command("to_line", line=line))
    assert run.moment(run.last).next_line == line
    assert run._session.depth == depth
    fork, again = run.fork(run.last), Run.replay(INSIDE, run.seed, run.commands)
    for each in (run, fork, again):
        each.execute(Command("out"))
        each.execute(Command("finish"))
    assert run.digest() == fork.digest() == again.digest()
    assert run.moment(run.last).error is None
