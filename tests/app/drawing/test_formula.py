"""Formulas of real runs: every card of many operations is well-formed and says what the trace says."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from app.drawing.formula import Formula, draw_formula
from app.drawing.page import draw_page
from app.drawing.view import Pin
from app.library import scenario
from engine.run import Command, Run

SCRIPT = """import torch
from torch import nn
torch.manual_seed(0)
w = torch.tensor({value}, requires_grad=True)
x = torch.tensor({other})
opt = torch.optim.SGD([w], lr=0.1)
for i in range(3):
    opt.zero_grad()
    loss = {loss}
    loss.backward()
    opt.step()
"""
MATRIX = "[[1.0, -2.0], [0.5, 3.0]]"
SCALARS = [
    "w * x",
    "w / x",
    "x / w",
    "w + x",
    "w - x",
    "x - w",
    "w ** 2",
    "w ** 3 * x",
    "(w * x - 1) ** 2",
    "-w",
    "torch.exp(w)",
    "torch.log(w)",
    "torch.sqrt(w)",
    "torch.sigmoid(w)",
    "torch.tanh(w * x)",
    "torch.relu(w)",
    "torch.sin(w) * torch.cos(w)",
    "w * w",
    "2 * w + 1",
]
MATRICES = [
    "(w @ x).sum()",
    "(x @ w.t()).mean()",
    "nn.functional.linear(x, w).sum()",
    "((w - x) ** 2).mean()",
    "nn.functional.mse_loss(w, x)",
    "torch.relu(w * x).sum()",
    "nn.functional.softmax(w, dim=1).max()",
    "w.view(4).sum()",
]


def cards(loss: str, value: str, other: str) -> list[Formula]:
    run = Run(SCRIPT.format(loss=loss, value=value, other=other))
    run.begin()
    found = []
    for do in ("zero_grad", "forward", "backward", "step"):
        run.execute(Command(do))
        moment = run.moment(run.last)
        assert moment.error is None, moment.error
        for event in [None, *range(len(moment.events) + 1)]:
            page = draw_page(run, run.last, event)
            if page.formula:
                found.append(page.formula)
    return found


def check(formulas: list[Formula]) -> None:
    assert formulas
    for formula in formulas:
        assert formula.rows
        for row in formula.rows:
            assert row.text
            if row.mathml:
                assert any(one.tag.endswith("math") for one in ET.fromstring(row.mathml).iter())
                assert "□" not in row.mathml
                assert "&#x025A1;" not in row.mathml


@pytest.mark.parametrize("loss", SCALARS)
def test_scalars(loss: str) -> None:
    formulas = cards(loss, "1.5", "2.0")
    check(formulas)
    assert any("×" in row.text and "local" in row.text for formula in formulas for row in formula.rows)


@pytest.mark.parametrize("loss", MATRICES)
def test_matrices(loss: str) -> None:
    check(cards(loss, MATRIX, MATRIX))


def test_the_gradient_of_a_weight_is_written_as_in_the_books() -> None:
    rows = [row.mathml for formula in cards("nn.functional.linear(x, w).sum()", MATRIX, MATRIX) for row in formula.rows]
    assert any("<msup><mi>G</mi><mrow><mo>&#x022A4;</mo></mrow></msup><mi>x</mi>" in row for row in rows)


@pytest.mark.parametrize(
    ("loss", "entry"),
    [
        ("nn.functional.linear(x, w).sum()", "entry [0, 0]: 1.0×1.0 + 1.0×0.5 = 1.5"),
        ("(w @ x).sum()", "entry [0, 0]: 1.0×1.0 + 1.0×(−2.0) = −1.0"),
        ("(x @ w).sum()", "entry [0, 0]: 1.0×1.0 + 1.0×0.5 = 1.5"),
    ],
)
def test_one_entry_of_a_matrix_is_worked_out(loss: str, entry: str) -> None:
    assert entry in [row.text for formula in cards(loss, MATRIX, MATRIX) for row in formula.rows]


@pytest.mark.parametrize(
    ("loss", "entry"),
    [
        ("(w @ x).sum()", "entry [0, 1]: w · x = 1 × (−2) + (−2) × 3 = −8"),
        ("(x * w + 1).sum()", "entry [0, 0]: mul[0, 0] + 1 = 1 + 1 = 2"),
        ("torch.relu(w * x).sum()", "entry [0, 1]: w[0, 1] × x[0, 1] = (−2) × (−2) = 4"),
        ("(w + 0).t().sum()", "entry [0, 0]: t of add (4 numbers from −2 to 3) = 1"),
        ("w.mean()", "= mean of w (4 numbers from −2 to 3) = 0.625"),
    ],
)
def test_inside_of_a_forward_one_entry_is_worked_out(loss: str, entry: str) -> None:
    run = Run(SCRIPT.format(loss=loss, value=MATRIX, other=MATRIX))
    run.begin()
    run.execute(Command("forward"))
    moment = run.moment(run.last)
    pin = Pin(moment.events[0].node, (0, 1)) if "relu" in loss else None
    told = [draw_formula(moment, event, pin) for event in range(1, len(moment.events) + 1)]
    assert entry in [row.text for formula in told if formula for row in formula.rows]
    whole = draw_formula(moment, None)
    assert whole is not None
    assert not any(row.text.startswith("entry") for row in whole.rows)


def test_a_leaf_used_twice_gets_two_contributions() -> None:
    rows = [row.text for formula in cards("w * w", "1.5", "2.0") for row in formula.rows]
    assert "used 2 times: 1.5 + 1.5" in rows


def test_a_name_with_an_underscore_is_written_as_in_the_script() -> None:
    run = Run(SCRIPT.format(loss="w * x", value="1.5", other="2.0").replace("loss", "loss_a"))
    run.begin()
    run.execute(Command("forward"))
    run.execute(Command("backward"))
    formula = draw_page(run, run.last).formula
    assert formula is not None
    assert any("<mtext>loss_a</mtext>" in row.mathml for row in formula.rows)


def test_of_two_losses_a_formula_names_the_one_that_went_backward() -> None:
    run = Run(scenario("two-heads").source)
    run.begin()
    for phase in ("forward", "forward-2", "backward", "backward-2"):
        run.execute(Command(phase.partition("-")[0], phase=phase))
    for number, loss in ((run.last - 1, "loss_a"), (run.last, "loss_b")):
        formula = draw_page(run, number).formula
        assert formula is not None
        assert f"<mtext>{loss}</mtext>" in formula.rows[0].mathml


def test_adam_is_worked_out() -> None:
    run = Run(SCRIPT.format(loss="w * x", value="1.5", other="2.0").replace("SGD([w], lr=0.1)", "Adam([w], lr=0.1)"))
    run.begin()
    for do in ("forward", "backward", "step"):
        run.execute(Command(do))
    formula = draw_page(run, run.last).formula
    assert formula is not None
    told = " ".join(row.text for row in formula.rows)
    assert "β₁ × m" in told
    assert "√v̂" in told
    assert formula.rows[-1].text == "w: was 1.5, now 1.4"


def test_long_names_are_cut_in_formulas() -> None:
    name = "the_weights_of_the_first_layer_of_the_encoder"
    run = Run(
        f"import torch\n{name} = torch.ones(2, requires_grad=True)\nloss = ({name} * {name}).sum()\nloss.backward()\n"
        f"torch.optim.SGD([{name}], lr=0.1).step()\n"
    )
    run.begin()
    run.execute(Command("finish"))
    backward, step = run.moment(run.last - 1), run.moment(run.last)
    for event in range(1, len(backward.events) + 1):
        card = draw_formula(backward, event)
        assert card is not None
        assert name not in "".join(row.mathml for row in card.rows)
    card, told = draw_formula(step, 1), draw_formula(backward, None)
    assert card is not None
    assert told is not None
    assert card.rows[0].text == "…_layer_of_the_encoder[0] = …_layer_of_the_encoder[0] − lr × grad"
    assert told.title == f"backward() · {name}", "not the word statement, in a script without a loop"


def test_leaves_of_one_name_after_another_are_not_one_that_is_used_often() -> None:
    run = Run(
        "import torch\nlosses = []\nfor i in range(3):\n    w = torch.ones(2, requires_grad=True)\n"
        "    losses.append((w * (i + 1.0)).sum())\nloss = sum(losses)\nloss.backward()\n"
    )
    run.begin()
    run.execute(Command("finish"))
    added = [i for i, event in enumerate(run.moment(run.last).events) if event.kind == "accumulate"]
    assert len(added) == 3
    for cursor in added:
        formula = draw_page(run, run.last, cursor + 1).formula
        assert formula is not None
        assert not any("used" in row.text for row in formula.rows)
