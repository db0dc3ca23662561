"""Short expressions, one per line in expressions/*.txt: what they print, or the error that they raise, is PyTorch's."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import oracle

FOLDER = Path(__file__).parent / "expressions"
EXPRESSIONS = [
    (path.stem, line) for path in sorted(FOLDER.glob("*.txt")) for line in path.read_text("utf-8").splitlines()
]


def names(torch: Any) -> dict[str, Any]:
    """What an expression may use: x (2 x 3 x 4, ascending), y (the same, made from a leaf), v, i, and setv."""
    leaf = torch.arange(24.0).reshape(2, 3, 4).clone().requires_grad_()

    def setv(tensor: Any, index: Any, value: Any) -> Any:
        """A copy of the tensor after tensor[index] = value."""
        copy = tensor.clone()
        copy[index] = value
        return copy

    return {
        "torch": torch,
        "np": np,
        "Variable": torch.autograd.Variable,
        "x": torch.arange(24.0).reshape(2, 3, 4),
        "xg": leaf,
        "y": leaf * 1,
        "v": torch.arange(5.0),
        "i": torch.tensor,
        "setv": setv,
    }


def outcome(torch: Any, expression: str) -> list[str]:
    """["value", its repr] or [type, message]; addresses are left out, and what a message says of PyTorch's build."""
    torch.manual_seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = ["value", repr(eval(expression, names(torch)))]
        except Exception as error:
            found = [type(error).__name__, str(error)]
    text = re.sub(r" at 0x[0-9a-f]+", "", found[1])
    return [found[0], text.partition(", but expected one of:")[0]]


@pytest.mark.parametrize(("file", "expression"), EXPRESSIONS)
def test_expression(file: str, expression: str) -> None:
    theirs = oracle.answer(f"expressions/{file}", expression, lambda torch: outcome(torch, expression))
    assert outcome(engine, expression) == theirs
