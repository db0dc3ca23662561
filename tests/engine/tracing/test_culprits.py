"""A failure names the statement that made it fail, and the moment to look at."""

from __future__ import annotations

import pytest

from engine.run import Command, Run

HEAD = """import torch
w = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
x = torch.ones(2)
for i in range(3):
"""
CASES = [
    (
        "loss = (w * w).sum()\nwith torch.no_grad():\n    w += 1\nloss.backward()",
        (8, "w was changed in place at line 8, moment 8: w += 1."),
    ),
    ("h = torch.exp(w)\nh += 1\nh.sum().backward()", (7, "h was changed in place at line 7, moment 7: h += 1.")),
    ("loss = (w * w).sum()\nloss.backward()\nloss.backward()", (7, "the backward() at line 7, moment 7 freed this")),
    ("y = w.detach() * x\nloss = y.sum()\nloss.backward()", (6, "y left the graph at line 6, moment 6: .detach().")),
    (
        "with torch.no_grad():\n    loss = (w * x).sum()\nloss.backward()",
        (7, "loss was computed under no_grad() at line 7, moment 7."),
    ),
    (
        "@torch.no_grad()\ndef f():\n    return (w * x).sum()\nloss = f()\nloss.backward()",
        (7, "loss was computed under the no_grad() of f() at line 9, moment 7."),
    ),
    ("loss = (x * x).sum()\nloss.backward()", (6, "loss was computed at line 6, moment 6 from nothing that requires")),
    ("w.data -= 0.1 * w.grad", (None, "no backward() has run yet.")),
    (
        "(w * x).sum().backward()\nopt.zero_grad()\nw.data -= 0.1 * w.grad",
        (7, "it was cleared at line 7, moment 7: opt.zero_grad()."),
    ),
    ("v = w * 2\nv.sum().backward()\nv.grad.sum()", (6, "v is not a leaf: it was computed at line 6, moment 6;")),
    (
        "(w * w).sum().backward()\nw = w - w.grad\n(w * w).sum().backward()\nw.grad.sum()",
        (7, "w is not a leaf: it was computed at line 7, moment 7;"),
    ),
    ("x.sum()\nx.grad.sum()", (4, "x does not require grad since it was made at line 4, moment 4.")),
    ("v = w * 2\ntorch.optim.SGD([v], lr=1.0)", (6, "v was computed at line 6, moment 6: v = w * 2.")),
    (
        "p = torch.log(-w).sigmoid()\ntorch.nn.functional.binary_cross_entropy(p, x)",
        (6, "p holds NaN since line 6, moment 6."),
    ),
]


@pytest.mark.parametrize(("body", "expected"), CASES, ids=[expected[1][:40] for _, expected in CASES])
def test_the_moment_and_the_sentence(body: str, expected: tuple[int | None, str]) -> None:
    run = Run(HEAD + "".join(f"    {line}\n" for line in body.split("\n")))
    run.execute(Command("finish"))
    failed = run.moment(run.last)
    assert failed.error is not None
    moment, words = expected
    assert words in failed.explanation.text
    assert failed.explanation.text.count(". ") <= 1, "it is told in two sentences"
    assert failed.explanation.culprit == moment


def test_a_line_that_failed_for_itself_has_no_culprit() -> None:
    run = Run("import torch\nx = torch.ones(2)\ntorch.ones(3) + x\n")
    run.execute(Command("finish"))
    assert run.moment(run.last).explanation.culprit is None


CARRYING = """import torch
w = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
x, h = torch.ones(2), torch.ones(2)
start = torch.exp(w)
box = torch.nn.Module()
box.h = x
for i in range(3):
"""
ACROSS = [
    (
        "h = torch.tanh(h * w)\n(x * w * w).sum().backward()\nif i != 1:\n    h.sum().backward()",
        (
            12,
            "depends on h (iteration 1, line 9, moment 9), and the backward() at line 12, moment 12 freed",
            "h.detach()",
        ),
    ),
    (
        "loss = (w * w).sum()\nh = h + loss\nh.sum().backward()",
        (11, "on h (iteration 1, line 10, moment 10), and the backward() at line 11, moment 11 freed", "with .item()"),
    ),
    (
        "loss = (start * i).sum()\nloss.backward()",
        (10, "on start (line 5, moment 5), and the backward() at line 10, moment 10 freed", "inside of the loop"),
    ),
    (
        "box.h = torch.exp(w) * box.h\nbox.h.sum().backward()",
        (10, "on box.h (iteration 1, line 9, moment 9), and the backward() at line 10, moment 10", "= box.h.detach()"),
    ),
    (
        "h = h * w\nh.sum().backward(retain_graph=True)\nopt.step()",
        (
            15,
            "on h (iteration 2, line 9, moment 13), and the step() at line 11, moment 15 has changed",
            "h = h.detach()",
        ),
    ),
    (
        "y = torch.exp(w)\ny.sum().backward()\n(y * 2).sum().backward()",
        (10, "comes to y (line 9, moment 9) again, and the backward() at line 10, moment 10 freed", "y.detach(), or"),
    ),
    (
        "g = torch.autograd.grad(start.sum(), w)\nstart.sum().backward()",
        (9, "on start (line 5, moment 5), and the autograd.grad() at line 9, moment 9 freed", "inside of the loop"),
    ),
]


@pytest.mark.parametrize(("body", "expected"), ACROSS, ids=[expected[1][:40] for _, expected in ACROSS])
def test_what_was_spent_in_an_earlier_iteration(body: str, expected: tuple[int, str, str]) -> None:
    source = CARRYING + "".join(f"    {line}\n" for line in body.split("\n"))
    run, steps = Run(source), Run(source)
    run.execute(Command("finish"))
    failed = run.moment(run.last)
    assert failed.error is not None
    moment, words, advice = expected
    assert words in failed.explanation.text
    assert advice in failed.error.suggestion
    assert failed.explanation.text.count(". ") <= 1, "it is told in two sentences"
    assert failed.explanation.culprit == moment
    steps.execute(Command("next", times=run.last))
    assert steps.moment(run.last).explanation == failed.explanation
    for offer in failed.explanation.offers:
        (first, *others) = offer.commands
        fork = run.fork(first["at"])
        for values in (first, *others):
            fork.execute(Command.from_dict({key: value for key, value in values.items() if key != "at"}))
        assert fork.moment(fork.last).error is None
