"""What is outside the subset is named with its line before anything runs; what is inside is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.script.check import find_unsupported
from engine.script.source import read_script

SCENARIOS = sorted((Path(__file__).parents[3] / "app" / "scenarios").glob("*.py"))


@pytest.mark.parametrize(
    ("source", "name", "line"),
    [
        ("import wandb\n", "wandb", 1),
        ("x = 1\nfrom torchvision import datasets\n", "torchvision", 2),
        ("import torch\nx = torch.onez(3)\n", "torch.onez", 2),
        ("from torch import nn\nm = nn.Linaer(1, 1)\n", "nn.Linaer", 2),
        ("from torch.nn import Linaer\n", "torch.nn.Linaer", 1),
        ("import torch.nn.functional as F\n\nF.reluu(1)\n", "F.reluu", 3),
        ("with open('x') as f:\n    pass\n", "open", 1),
        ("x = eval('1')\n", "eval", 1),
        ("x = ().__reduce_ex__()\n", "__reduce_ex__", 1),
        ("async def f():\n    pass\n", "async functions", 1),
        ("def f(opt):\n    opt.zero_grad\n    opt.step()\n", "opt.zero_grad", 2),
    ],
)
def test_outside(source: str, name: str, line: int) -> None:
    (found,) = find_unsupported(read_script(source))
    assert (found.name, found.line) == (name, line)
    assert found.suggestion


@pytest.mark.parametrize(
    "source",
    [
        "import torch, math, random\nfrom torch import nn, optim\nprint(torch.cuda.is_available(), nn.Linear)\n",
        "def open(x):\n    return x\nopen(1)\n",
        "torch = 5\ntorch.anything\n",
        "class A:\n    def __init__(self):\n        super().__init__()\nprint(A().__class__.__name__)\n",
    ],
)
def test_inside(source: str) -> None:
    assert find_unsupported(read_script(source)) == ()


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios_are_inside(path: Path) -> None:
    assert find_unsupported(read_script(path.read_text())) == ()


def test_the_suggestion_is_a_name_that_exists() -> None:
    (found,) = find_unsupported(read_script("import torch\ntorch.zeross(3)\n"))
    assert found.suggestion == "Did you mean zeros?"
    assert (found.column, found.end_column) == (1, 13)
