"""Expectations of scripted scenarios."""

from __future__ import annotations

import pytest

from app.check import check, read_commands, read_expectations
from app.errors import BadCommand
from app.views import CheckView
from engine.run import Run

SOURCE = """import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
n = torch.tensor([float("nan"), float("inf")])
for i in range(3):
    loss = (w * w).sum()
    loss.backward()
    print("loss", loss.item())
"""


def judge(commands: list[object], *expect: dict[str, object]) -> CheckView:
    given = read_commands(commands)
    run = Run(SOURCE)
    run.begin()
    return check(run, given, read_expectations(list(expect), len(given)))


@pytest.mark.parametrize(
    ("expect", "passed"),
    [
        ({"tensor": "w", "equals": [1.0, 2.0]}, True),
        ({"tensor": "w.data", "equals": [1, 2]}, True),
        ({"tensor": "w", "equals": [1.0, 2.1]}, False),
        ({"tensor": "w", "equals": [1.0, 2.1], "tolerance": 0.1}, True),
        ({"tensor": "w", "equals": [[1.0, 2.0]]}, False),
        ({"tensor": "w", "equals": None}, False),
        ({"tensor": "w", "equals": "text"}, False),
        ({"tensor": "w", "equals": 10**400}, False),
        ({"tensor": "w.grad", "equals": [2.0, 4.0]}, True),
        ({"tensor": "loss", "equals": 5}, True),
        ({"tensor": "loss", "equals": [5]}, True),
        ({"tensor": "n", "equals": ["nan", "inf"]}, True),
        ({"tensor": "n", "equals": ["nan", "-inf"]}, False),
        ({"after": 0, "tensor": "w.grad", "equals": None}, True),
        ({"after": 1, "tensor": "w.grad", "equals": None}, True),
        ({"after": 1, "tensor": "loss.grad", "equals": None}, True),
        ({"tensor": "nothing", "equals": None}, False),
        ({"tensor": "nothing.grad", "equals": None}, False),
        ({"error": None}, True),
        ({"error": "anything"}, False),
        ({"stdout": ""}, True),
        ({"stdout": "loss"}, False),
        ({"finding": "missing-zero-grad"}, False),
    ],
)
def test_one_expectation(expect: dict[str, object], passed: bool) -> None:
    view = judge(["forward", "backward"], expect)
    assert (view.passed, view.results[0].passed) == (passed, passed)


def test_printed_text_adds_up_and_errors_belong_to_their_command() -> None:
    view = judge(
        [{"do": "run", "times": 2}, "backward", "backward", "forward"],
        {"after": 1, "stdout": "loss 5.0\nloss 5.0\n"},
        {"after": 2, "error": "second time"},
        {"after": 3, "error": "RuntimeError"},
        {"after": 4, "error": None},
    )
    assert [row.passed for row in view.results] == [True, True, True, True]


def test_a_refused_command_fails_what_comes_after() -> None:
    view = judge(["forward", "step"], {"after": 1, "error": None}, {"after": 2, "error": None})
    assert [row.passed for row in view.results] == [True, False]
    assert view.error.startswith("command 2 (step)")
    assert not view.passed


def test_no_expectation_and_no_refusal_passes() -> None:
    assert judge(["forward"]).passed


@pytest.mark.parametrize("rows", ["forward", {"do": "forward"}, [1], [None], 5])
def test_commands_have_to_be_a_list_of_commands(rows: object) -> None:
    with pytest.raises(BadCommand):
        read_commands(rows)
