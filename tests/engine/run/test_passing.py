"""Long commands: what nobody watched is what it would have been, had it been watched."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest

from app.encode import moment_json
from engine.run import Command, Run
from engine.script.limits import Limits
from engine.tracing.moments import Moment
from tests.selection import some

HEAD = "import torch\nfrom torch import nn\n\ntorch.manual_seed(0)\n"
MLP = (
    HEAD + "x, y = torch.randn(20, 2), torch.randn(20, 1)\n"
    "model = nn.Sequential(nn.Linear(2, 5), nn.Tanh(), nn.Linear(5, 1))\n"
    "opt = torch.optim.{optimizer}\n"
)
STEP = "    opt.zero_grad()\n    loss = ((model(x) - y) ** 2).mean()\n    loss.backward()\n    opt.step()\n"
W = HEAD + "w = torch.tensor([1.0, 2.0], requires_grad=True)\n"

SCRIPTS = {
    "plain": MLP.format(optimizer="SGD(model.parameters(), lr=0.05, momentum=0.9)") + "for i in range(60):\n" + STEP,
    "prints and a scheduler": MLP.format(optimizer="Adam(model.parameters(), lr=0.05)")
    + "losses = []\nsteps = torch.optim.lr_scheduler.StepLR(opt, 10)\nfor i in range(60):\n"
    + STEP
    + "    steps.step()\n    losses.append(loss.item())\n    if i % 10 == 3:\n        print(i, losses[-1])\n",
    "batches, and a look at the end of each epoch": HEAD + "data = torch.utils.data.TensorDataset(torch.randn(24, 2),"
    " torch.randn(24, 1))\nloader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)\n"
    "model = nn.Sequential(nn.Linear(2, 5), nn.Dropout(0.2), nn.Linear(5, 1))\n"
    "opt = torch.optim.AdamW(model.parameters(), lr=0.01)\nfor epoch in range(20):\n    model.train()\n"
    "    for xb, yb in loader:\n        opt.zero_grad()\n        loss = nn.functional.mse_loss(model(xb), yb)\n"
    "        loss.backward()\n        opt.step()\n    model.eval()\n    with torch.no_grad():\n"
    "        held = nn.functional.mse_loss(model(data.tensors[0]), data.tensors[1])\n    print(epoch, held.item())\n",
    "a loop in a function": MLP.format(optimizer="SGD(model.parameters(), lr=0.05)")
    + "def train(times):\n    for i in range(times):\n"
    + "".join(f"    {line}\n" for line in STEP.splitlines())
    + "    return loss\nlast = train(60)\nprint(last.item())\n",
    "helpers": MLP.format(optimizer="SGD(model.parameters(), lr=0.05)")
    + "def step(x, y):\n    loss = ((model(x) - y) ** 2).mean()\n    opt.zero_grad()\n    loss.backward()\n"
    "    opt.step()\n    return loss.item()\nfor i in range(60):\n    last = step(x, y)\nprint(last)\n",
    "by hand": W + "for i in range(60):\n    loss = ((w - 0.5) ** 2).sum()\n    loss.backward()\n"
    "    with torch.no_grad():\n        w -= 0.05 * w.grad\n    w.grad = None\n",
    "made anew": W + "for i in range(60):\n    loss = ((w - 0.5) ** 2).sum()\n    loss.backward()\n"
    "    w = (w - 0.05 * w.grad).detach().requires_grad_()\n",
    "gradients add up": W + "opt = torch.optim.SGD([w], lr=0.01)\nfor i in range(60):\n    loss = (w * i).sum() / 9\n"
    "    loss.backward()\n    if i % 4 == 3:\n        opt.step()\n        opt.zero_grad()\n",
    "losses that keep their graphs": W + "opt = torch.optim.SGD([w], lr=0.01)\nkept = []\nfor i in range(60):\n"
    "    loss = (w * w).sum()\n    opt.zero_grad()\n    loss.backward()\n    opt.step()\n    kept.append(loss)\n",
    "a state that is carried on": W + "opt = torch.optim.SGD([w], lr=0.01)\nh = torch.zeros(2)\nfor i in range(70):\n"
    "    h = torch.tanh(h + w)\n    loss = h.sum()\n    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"
    "    h = h.detach()\n",
    "a recurrent network over batches that differ": HEAD + "model = nn.LSTM(2, 3, 2, batch_first=True)\n"
    "opt = torch.optim.SGD(model.parameters(), lr=0.1)\nfor i in range(60):\n    x = torch.randn(4, 5, 2)\n"
    "    h0 = torch.zeros(2, 4, 3)\n    out, (h, c) = model(x, (h0, h0))\n    loss = (out**2).mean() + (c**2).mean()\n"
    "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n",
    "now and then something else": W
    + "opt = torch.optim.SGD([w], lr=0.01)\nheld = torch.zeros(2)\nfor i in range(60):\n"
    "    loss = (w * w).sum()\n    opt.zero_grad()\n    loss.backward()\n    opt.step()\n    if i % 31 == 28:\n"
    "        held = w * 2\n    elif i % 7 == 3:\n        print(w.sum().item())\n",
    "an error": W
    + "opt = torch.optim.SGD([w], lr=0.01)\nfor i in range(60):\n    loss = (w * w).sum() / (i - 40 or 1)\n"
    "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n    [0] * 60 if i < 40 else [][i]\n",
    "errors that are caught": W + "opt = torch.optim.SGD([w], lr=0.01)\nfor i in range(45):\n    try:\n        [][i]\n"
    "    except IndexError:\n        pass\n    loss = (w * w).sum()\n    opt.zero_grad()\n    loss.backward()\n"
    "    opt.step()\n",
    "an early end": W + "opt = torch.optim.SGD([w], lr=0.01)\nfor i in range(60):\n    loss = (w * w).sum()\n"
    "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n    if i == 35:\n        break\nprint('over')\n",
    "nan": W + "opt = torch.optim.SGD([w], lr=0.01)\nfor i in range(60):\n"
    "    loss = (w * (float('nan') if i == 30 else 1)).sum()\n    opt.zero_grad()\n    loss.backward()\n"
    "    opt.step()\n",
    "nan in a gradient": W + "opt = torch.optim.SGD([w], lr=0.01)\nfor i in range(60):\n"
    "    loss = (w * (0 if i == 30 else 1)).abs().sqrt().sum()\n    opt.zero_grad()\n    loss.backward()\n"
    "    opt.step()\n",
    "too large a rate": W + "opt = torch.optim.SGD([w], lr=0.1)\nfor i in range(60):\n"
    "    k = 1.0 if i < 30 else 16.0\n    loss = (w * w).sum() * k\n    opt.zero_grad()\n    loss.backward()\n"
    "    opt.step()\n",
    "two optimizers": HEAD
    + "a, b = nn.Linear(2, 2), nn.Linear(2, 1)\nslow = torch.optim.SGD(b.parameters(), lr=0.01)\n"
    "adam = torch.optim.Adam(a.parameters(), lr=0.01)\nfor i in range(60):\n    loss = b(a(torch.ones(3, 2))).mean()\n"
    "    slow.zero_grad()\n    adam.zero_grad()\n    loss.backward()\n    slow.step()\n    adam.step()\n",
    "another optimizer": W + "opt = torch.optim.SGD([w], lr=0.1)\nfor i in range(60):\n    if i % 40 in (1, 27):\n"
    "        opt = torch.optim.SGD([w], lr=0.1 / (i + 1))\n    loss = (w * w).sum()\n    opt.zero_grad()\n"
    "    loss.backward()\n    opt.step()\n",
}


LONG = {"prints and a scheduler", "batches, and a look at the end of each epoch", "made anew", "another optimizer"}
LONG |= {
    "nan in a gradient",
    "a loop in a function",
    "losses that keep their graphs",
    "errors that are caught",
    "by hand",
    "a recurrent network over batches that differ",
}


def named(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in names]


def pair(source: str, *commands: Command) -> tuple[Run, Run]:
    """A run, and one in which everything is watched."""
    runs = Run(source), Run(source)
    runs[1]._pace.windows = ((0, math.inf),)
    for command in commands:
        for run in runs:
            run.execute(command)
    return runs


def assert_alike(run: Run, watched: Run, *moments: int) -> None:
    assert (run.last, run.digest()) == (watched.last, watched.digest())
    assert repr(list(run.summaries())) == repr(list(watched.summaries()))
    assert run.series().curves == watched.series().curves
    assert repr(run.series().rows) == repr(watched.series().rows)
    assert run._session.printed == watched._session.printed
    assert run.transcript() == watched.transcript()
    assert (run.state, run.usual_next) == (watched.state, watched.usual_next)
    for number in {run.last, *moments}:
        assert moment_json(run.moment(number)) == moment_json(watched.moment(number)), number


def unwatched(run: Run) -> list[int]:
    return [number for number in range(run.last + 1) if not run.kept(number)]


@pytest.mark.parametrize("name", named(SCRIPTS))
def test_a_long_command_comes_to_the_same(name: str) -> None:
    run, watched = pair(SCRIPTS[name], Command("run", times=45))
    gone = unwatched(run)
    assert_alike(run, watched, *gone[:: max(1, len(gone) // 2)])
    for each in (run, watched):  # and so does what comes after it
        each.execute(Command("run", times=2))
        each.execute(Command("next")) if each.state == "ready" else None
    assert_alike(run, watched)


@pytest.mark.parametrize(
    "name", named(["plain", "batches, and a look at the end of each epoch", "a loop in a function"])
)
@pytest.mark.parametrize(
    "command", [Command("finish"), Command("next", times=203), Command("to_line", line=8)], ids=lambda c: c.do
)
def test_other_long_commands_come_to_the_same(name: str, command: Command) -> None:
    run, watched = pair(SCRIPTS[name], Command("run", times=9), command)
    gone = unwatched(run)
    if command.do != "to_line":
        assert gone
    assert_alike(run, watched, *gone[:1])


def test_most_iterations_of_a_long_command_pass() -> None:
    run = Run(SCRIPTS["plain"])
    run.execute(Command("run", times=55))
    assert len(unwatched(run)) > 0.6 * run.last
    few = Run(SCRIPTS["plain"])
    for _ in range(3):
        few.execute(Command("run", times=20))
    assert unwatched(few) == []


def test_a_breakpoint_is_kept_to() -> None:
    source = SCRIPTS["now and then something else"]
    line = source[: source.index("held = w * 2")].count("\n") + 1
    runs = pair(source)
    for run in runs:
        run.breakpoints = {line}
        run.execute(Command("run", times=50))
    assert runs[0].moment(runs[0].last).next_line == line
    assert_alike(*runs)


@pytest.mark.parametrize("after", [40, 43])
def test_a_command_can_be_stopped_anywhere(after: int) -> None:
    source = SCRIPTS["plain"]
    run = Run(source)
    asked = iter(range(after))
    outcome = run.execute(Command("run", times=55), should_stop=lambda: next(asked, None) is None)
    assert outcome.stopped
    assert unwatched(run)
    assert run.commands[-1][0].until == run.last == outcome.last
    watched = Run.replay(source, run.seed, run.commands, draws_from=0)
    assert_alike(run, watched)
    again = Run.replay(source, run.seed, run.commands)
    assert_alike(again, watched)


@pytest.mark.parametrize("number", some([57, 0, 101, 250, 104], 3))
def test_any_moment_can_be_gone_back_to_and_forked(number: int) -> None:
    run, watched = pair(SCRIPTS["plain"], Command("run", times=55))
    assert moment_json(run.moment(number)) == moment_json(watched.moment(number))
    assert_alike(run.fork(number), watched.fork(number))
    told: list[int] = []

    def take(moment: Moment) -> bool:
        told.append(moment.number)
        return True

    run.retell(number, number + 9, take)
    assert told == list(range(number, min(number + 9, run.last) + 1))


@pytest.mark.parametrize("name", ["plain", "nan", "an early end"])
def test_progress_goes_on_and_never_back(name: str) -> None:
    told: list[int] = []
    Run(SCRIPTS[name]).execute(Command("run", times=55), progress=lambda done, _: told.append(done))
    assert told == sorted(set(told))
    assert len(told) > 30


@pytest.mark.parametrize("statement", ["    spin(i)\n", "    if i == 30:\n        spin(i)\n"])
def test_a_limit_of_the_machine_is_written_down_and_replays(statement: str) -> None:
    source = "def spin(i):\n    while i == 30:\n        pass\n" + SCRIPTS["plain"] + statement
    run = Run(source, limits=Limits(time=1.0))
    run.execute(Command("run", times=55))
    error = run.moment(run.last).error
    assert error is not None
    assert error.limit == "time"
    again = Run.replay(source, run.seed, run.commands)
    assert (again.last, again.digest()) == (run.last, run.digest())
    assert again.moment(again.last).error == error
