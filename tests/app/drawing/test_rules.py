"""Every operation of the engine has a formula, and those that work entry by entry come to the engine's own gradient."""

from __future__ import annotations

import importlib
import math
import pkgutil
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from latex2mathml.converter import convert

import engine.ops
from app.drawing import derivatives
from app.drawing.derivatives import Operand
from app.drawing.formula import draw_formula
from app.drawing.pointwise import POINTWISE
from app.drawing.view import Pin
from app.drawing.whole import WHOLE
from engine.autograd.graph import Node
from engine.run import Command, Run
from tests.app.drawing.scripts import CHAIN, DEEP, LINES, pressed


def operations() -> list[str]:
    """The words of all nodes that the engine can record."""
    for module in pkgutil.iter_modules(engine.ops.__path__):
        importlib.import_module(f"engine.ops.{module.name}")
    found, todo = set(), [Node]
    while todo:
        for one in todo.pop().__subclasses__():
            todo.append(one)
            if one.__module__.startswith("engine.") and one.operation:
                found.add(one.operation)
    return sorted(found)


def test_there_are_many() -> None:
    assert len(operations()) > 150


@pytest.mark.parametrize("operation", operations())
def test_every_operation_has_a_formula(operation: str) -> None:
    tensor = np.ones((2, 3), np.float32)
    operands = [Operand(name, tensor, (2, 3)) for name in ("a", "b", "c")]
    for count in (1, 2, 3):
        for slot in range(count):
            rule = derivatives.local(operation, slot, operands[:count], Operand("y", tensor, (2, 3)))
            for latex in (rule.symbols, rule.product):
                assert "@" not in latex
                text = str(convert(latex))
                ET.fromstring(text)
                assert "\\" not in text, "a command of LaTeX that is not known"
            assert rule.product, "no word on how the gradient goes on"


def test_the_common_ones_have_a_rule_of_their_own() -> None:
    known = set(POINTWISE) | set(WHOLE) | set(derivatives._PAIRS) | set(derivatives._MATRICES) | {"sum", "mean"}
    assert len(known & set(operations())) >= 120


# ---------------------------------------------------------------------- the numbers

CALLS = {
    "silu": "F.silu",
    "gelu": "F.gelu",
    "softplus": "F.softplus",
    "logsigmoid": "F.logsigmoid",
    "relu": "torch.relu",
}
NAMES = {r"\pi": str(math.pi), r"\cdot": "*", r"\times": "*", r"\,": "*", r"\Phi": "Phi", r"\varphi": "phi"}


def number_of(latex: str) -> float:
    """What a local derivative with numbers in it comes to."""
    text = latex
    while True:
        before = text
        text = re.sub(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
        text = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", text)
        text = re.sub(r"\^\{([^{}]*)\}", r"**(\1)", text)
        text = re.sub(r"\\operatorname\{(\w+)\}", r"\1", text)
        if text == before:
            break
    for name, meant in NAMES.items():
        text = text.replace(name, meant)
    text = re.sub(r"\\ln ([\d.]+)", r"log(\1)", text)
    text = re.sub(r"\\(sigma|cos|sin|cosh|sinh)", r"\1", text)
    text = text.replace("^", "**")
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text)
    text = re.sub(r"([\d.)])\s*(?=[a-zA-Z(])", r"\1*", text)  # what stands side by side is multiplied
    known = {name: getattr(math, name) for name in ("sqrt", "log", "cos", "sin", "cosh", "sinh")}
    known |= {
        "e": math.e,
        "abs": abs,
        "sigma": lambda x: 1 / (1 + math.exp(-x)),
        "sign": lambda x: math.copysign(1, x),
        "Phi": lambda x: (1 + math.erf(x / math.sqrt(2))) / 2,
        "phi": lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
    }
    return float(eval(text, {"__builtins__": {}}, known))


SMOOTH = [
    *("abs", "neg", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal"),
    *("sin", "cos", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "sigmoid", "logsigmoid"),
    *("softplus", "silu", "gelu", "relu", "erf", "erfc", "logit", "deg2rad", "rad2deg", "floor", "round"),
]


@pytest.mark.parametrize("operation", SMOOTH)
def test_the_local_derivative_comes_to_the_engines_gradient(operation: str) -> None:
    call = CALLS.get(operation, f"torch.{operation}")
    run = Run(
        "import torch\nimport torch.nn.functional as F\nw = torch.tensor(0.62, requires_grad=True)\n"
        f"y = {call}(w)\n(3 * y).backward()\n"
    )
    run.begin()
    run.execute(Command("finish"))
    moment = run.moment(run.last)
    assert moment.error is None
    leaf = next(node for node in moment.graph.nodes if node.kind == "leaf")
    node = next(node for node in moment.graph.nodes if node.operation == operation)
    rule = derivatives.local(operation, 0, [Operand("w", leaf.value, ())], Operand("y", node.value, ()))
    assert leaf.grad is not None
    assert 3 * number_of(rule.worked) == pytest.approx(float(leaf.grad), rel=2e-3, abs=2e-3), rule.worked


# ---------------------------------------------------------------------- cards of real runs


@pytest.mark.parametrize("source", [DEEP, LINES], ids=["modules", "lines"])
def test_every_event_of_a_backward_has_a_card_with_numbers(source: str) -> None:
    run = pressed(source)
    moment = run.moment(run.last)
    for event in range(1, len(moment.events) + 1):
        card = draw_formula(moment, event)
        assert card is not None
        assert card.rows
        assert any(re.search(r"\d", row.text) for row in card.rows), card


def test_a_thousand_operations_in_a_row_have_cards_too() -> None:
    run = pressed(CHAIN)
    for number in (run.last, run.last - 1):
        for event in (None, 1, 500):
            card = draw_formula(run.moment(number), event)
            assert card is not None
            assert max(len(row.mathml) for row in card.rows) < 4000


def test_the_followed_entry_is_worked_out() -> None:
    run = pressed(DEEP)
    moment = run.moment(run.last)
    weight = "leaf:model.out.weight"
    event = next(n for n, one in enumerate(moment.events, start=1) if getattr(one, "leaf", "") == weight)
    grad = next(node.grad for node in moment.graph.nodes if node.id == weight)
    assert grad is not None
    for column in range(4):
        card = draw_formula(moment, event, Pin(weight, (0, column)))
        assert card is not None
        assert card.followed == f"entry [0, {column}]"
        (row,) = (row for row in card.rows if row.text.startswith("entry"))
        assert row.text.startswith(f"entry [0, {column}]: ")
        told = float(row.text.rsplit(" = ", 1)[1].replace("−", "-"))
        assert told == pytest.approx(float(grad[0, column]), abs=1e-4)
        assert len(card.moves) == (1 if column in (0, 3) else 2)


def test_a_step_works_out_the_followed_entry() -> None:
    run = pressed(DEEP).fork(pressed(DEEP).last)
    run.execute(Command("step"))
    moment = run.moment(run.last)
    event = next(n for n, one in enumerate(moment.events, start=1) if getattr(one, "name", "") == "model.head.weight")
    card = draw_formula(moment, event, Pin("leaf:model.head.weight", (2, 1)))
    assert card is not None
    text = " ".join(row.text for row in card.rows)
    assert "weight[2, 1] = " in text
    assert "β₁" in text
