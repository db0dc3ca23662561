"""The optimizers' lines: each line's value follows from its numbers, and the last one is what the engine computed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine import optim
from engine.run import Command, Run
from engine.tracing import events as ev
from engine.tracing.events import ParameterUpdated
from engine.tracing.formulas import FORMULAS, update_lines
from tests.engine.tracing.watched import Watched


@pytest.mark.parametrize(
    "settings",
    [
        "SGD([w], lr=0.1)",
        "SGD([w], lr=0.1, momentum=0.9)",
        "SGD([w], lr=0.1, momentum=0.9, dampening=0.5, weight_decay=0.01)",
        "SGD([w], lr=0.1, momentum=0.9, nesterov=True)",
        "SGD([w], lr=0.1, maximize=True)",
        "Adam([w], lr=0.1)",
        "Adam([w], lr=0.1, weight_decay=0.1, amsgrad=True)",
        "AdamW([w], lr=0.1, weight_decay=0.1)",
    ],
)
def test_the_lines_lead_to_the_new_value(settings: str) -> None:
    do = Watched()
    do("w = torch.tensor([1.5, 7.0], requires_grad=True)", 1)
    do(f"opt = torch.optim.{settings}", 2)
    for _ in range(3):
        do("loss = ((w - 3) ** 2).sum()", 3)
        do("loss.backward()", 4)
        (update,) = do("opt.step()", 5).events
        assert isinstance(update, ev.ParameterUpdated)
        assert update.optimizer == "opt"
        assert update.lines[-1].left == "w[0]"
        known = {line.left: line.value for line in update.lines}
        assert update.lines[-1].value == pytest.approx(float(update.after[0]))
        if "momentum" in settings:
            assert known["buf"] == pytest.approx(float(update.state_after["momentum_buffer"][0]), rel=1e-5)
        if "Adam" in settings:
            assert known["m"] == pytest.approx(float(update.state_after["exp_avg"][0]), rel=1e-5)
            lr, eps = 0.1, 1e-8
            start = float(update.before[0])
            if "AdamW" in settings:
                start *= 1 - 0.1 * 0.1
            (corrected,) = (line.text for line in update.lines if line.left == "v̂")
            assert corrected.startswith("v_max / " if "amsgrad" in settings else "v / ")
            assert start - lr * known["m̂"] / (math.sqrt(known["v̂"]) + eps) == pytest.approx(known["w[0]"], rel=1e-5)


def test_plain_sgd_reads_as_on_the_page() -> None:
    lines = update_lines(
        "SGD",
        "w",
        {"lr": 0.05, "momentum": 0},
        np.float32(1.5).reshape(()),
        np.float32(-8).reshape(()),
        np.float32(1.9).reshape(()),
        {},
        {},
    )
    assert [(line.left, line.text) for line in lines] == [("w", "w − lr × grad = 1.5 − 0.05 × (−8)")]
    assert lines[0].value == pytest.approx(1.9)


def test_an_optimizer_without_formulas_tells_the_change() -> None:
    one = np.ones((2, 2), np.float32)
    (line,) = update_lines("LBFGS", "w", {"lr": 0.1}, one, one, one * 0.5, {}, {})
    assert (line.left, line.text, line.value) == ("w[0, 0]", "w[0, 0] + change = 1 + (−0.5)", 0.5)
    assert update_lines("SGD", "w", {}, np.zeros(0), np.zeros(0), np.zeros(0), {}, {}) == ()


SETTINGS = {
    "SGD": ["lr=0.1", "lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01", "lr=0.1, momentum=0.9, dampening=0.2"],
    "Adam": ["lr=0.1", "lr=0.1, amsgrad=True, weight_decay=0.1", "lr=0.1, maximize=True"],
    "AdamW": ["lr=0.1"],
    "NAdam": ["lr=0.1", "lr=0.1, weight_decay=0.1, decoupled_weight_decay=True"],
    "RAdam": ["lr=0.1", "lr=0.1, betas=(0.9, 0.5)", "lr=0.1, weight_decay=0.1"],
    "Adamax": ["lr=0.1", "lr=0.1, weight_decay=0.1"],
    "Adagrad": ["lr=0.1", "lr=0.1, lr_decay=0.1, initial_accumulator_value=0.2"],
    "Adadelta": ["lr=0.5", "lr=0.5, weight_decay=0.1"],
    "RMSprop": ["lr=0.1", "lr=0.1, alpha=0.6, centered=True, momentum=0.9", "lr=0.1, momentum=0.5"],
    "Rprop": ["lr=0.1", "lr=0.4"],
    "ASGD": ["lr=0.1", "lr=0.1, t0=0, lambd=0.1"],
}
SCRIPT = """import torch
w = torch.tensor([[1.5, -0.7], [0.3, 2.0]], requires_grad=True)
opt = torch.optim.{optimizer}([w], {settings})
for i in range(7):
    opt.zero_grad()
    loss = ((w - 0.5) ** 2 * torch.tensor([[1.0, 2.0], [3.0, 0.5]])).sum()
    loss.backward()
    opt.step()
"""


def worth(text: str) -> float:
    """What the numbers on the right of a line come to."""
    plain = text.rsplit(" = ", 1)[1].replace("×", "*").replace("−", "-").replace("²", "**2")
    return float(eval(plain, {"__builtins__": {}, "max": max}))


@pytest.mark.parametrize(("optimizer", "settings"), [(name, one) for name, all in SETTINGS.items() for one in all])
def test_every_line_of_every_optimizer_comes_to_its_value(optimizer: str, settings: str) -> None:
    run = Run(SCRIPT.format(optimizer=optimizer, settings=settings))
    run.begin()
    run.execute(Command("run", times=7))
    steps = [run.moment(n) for n in range(run.last + 1) if run.moment(n).do == "step"]
    assert len(steps) == 7
    for moment in steps:
        (event,) = moment.events
        assert isinstance(event, ParameterUpdated)
        group = moment.optimizers[0].groups[0]
        for entry in range(4):
            lines = update_lines(
                optimizer,
                "w",
                group,
                event.before,
                event.grad,
                event.after,
                event.state_before,
                event.state_after,
                entry,
            )
            place = f"w[{entry // 2}, {entry % 2}]"
            results = [line for line in lines if line.left == place]
            assert results[-1].value == pytest.approx(float(event.after.flat[entry]))
            for line in lines:
                if " = " in line.text:
                    assert worth(line.text) == pytest.approx(line.value, rel=2e-3, abs=1e-3), line


def test_every_optimizer_has_lines_of_its_own() -> None:
    shown = {name: getattr(optim, name) for name in dir(optim)}
    ours = {name for name, one in shown.items() if isinstance(one, type) and issubclass(one, optim.Optimizer)}
    whole = {"LBFGS", "Adafactor", "Muon", "SparseAdam"}  # one entry alone tells nothing, or none is dense
    assert ours - set(FORMULAS) == {"Optimizer", *whole}
    assert set(SETTINGS) == set(FORMULAS)
