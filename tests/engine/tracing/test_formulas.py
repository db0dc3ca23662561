"""The optimizers' lines: each line's value follows from its numbers, and the last one is what the engine computed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.tracing import events as ev
from engine.tracing.formulas import update_lines
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
    (line,) = update_lines("RMSprop", "w", {"lr": 0.1}, one, one, one * 0.5, {}, {})
    assert (line.left, line.text, line.value) == ("w[0, 0]", "w[0, 0] + change = 1 + (−0.5)", 0.5)
    assert update_lines("SGD", "w", {}, np.zeros(0), np.zeros(0), np.zeros(0), {}, {}) == ()
