"""The card of a weight that a script moves itself: its own line, and the numbers of one entry."""

from __future__ import annotations

import pytest

from app.drawing.page import draw_page
from engine.run import Command, Run

AUTOGRAD = """import torch
w = torch.tensor({start}, requires_grad=True)
lr = 0.25
for i in range(3):
    loss = (w * w).sum()
    loss.backward()
    {step}
"""
ARRAYS = """import numpy as np
x, y, w = np.array([1.0, 2.0]), 3.0, np.zeros(2)
for i in range(3):
    loss = (w @ x - y) ** 2
    grad_w = 2 * (w @ x - y) * x
    {step}
"""
NO_GRAD = "with torch.no_grad():\n        "
OF_TWO = "all 2 entries so: the change has norm "


def rows(source: str) -> tuple[str, list[str]] | None:
    """The card after one iteration, at the last moment of its step that has one."""
    run = Run(source)
    run.begin()
    for do in ("forward", "backward", "step"):
        before = run.last
        run.execute(Command(do))
    pages = [draw_page(run, number) for number in range(before + 1, run.last + 1)]
    cards = [page.formula for page in pages if page.formula is not None]
    return (cards[-1].title, [row.text for row in cards[-1].rows]) if cards else None


@pytest.mark.parametrize(
    ("start", "step", "expected"),
    [
        ("-3.0", NO_GRAD + "w -= lr * w.grad", ["w = w − lr × w.grad", "= −3.0 − 0.25 × (−6.0) = −1.5"]),
        ("2.0", "w.data = w.data - lr * w.grad.data", ["w = w − lr × w.grad", "= 2.0 − 0.25 × 4.0 = 1.0"]),
        ("2.0", NO_GRAD + "w.sub_(lr * w.grad)", ["w = w − lr × w.grad", "= 2.0 − 0.25 × 4.0 = 1.0"]),
        ("2.0", "w.data.add_(w.grad, alpha=-lr)", ["w = w + (−lr × w.grad)", "= 2.0 + (−0.25 × 4.0) = 1.0"]),
        ("2.0", "w.data -= lr * (w.grad + 2 * w.data)", ["w = w − lr × (w.grad + 2 × w)",
                                                         "= 2.0 − 0.25 × (4.0 + 2 × 2.0) = 0.0"]),
        ("[0.0, 2.0]", "for p in [w]:\n        p.data -= lr * p.grad",
         ["p[1] = p[1] − lr × p.grad[1]", "= 2.0 − 0.25 × 4.0 = 1.0", OF_TWO + "1.0"]),
    ],
)  # fmt: skip
def test_steps_by_hand_of_what_autograd_computed(start: str, step: str, expected: list[str]) -> None:
    assert rows(AUTOGRAD.format(start=start, step=step)) == ("step · w", expected)


@pytest.mark.parametrize("step", ["w -= 0.1 * grad_w", "w = w - 0.1 * grad_w"])
def test_steps_of_arrays(step: str) -> None:
    told = ["w[0] = w[0] − 0.1 × grad_w[0]", "= 0.0 − 0.1 × (−6.0) = 0.6", OF_TWO + "1.3416"]
    assert rows(ARRAYS.format(step=step)) == ("step · w", told)


def test_what_cannot_be_told_entry_by_entry_has_no_card() -> None:
    assert rows(AUTOGRAD.format(start="2.0", step=NO_GRAD + "w -= lr * torch.sign(w.grad)")) is None
