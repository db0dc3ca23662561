"""What is outside the subset is named with its line before anything runs; what is inside is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.script.check import find_unsupported
from engine.script.interpreter import Interpreter
from engine.script.reading.source import read_script

SCENARIOS = sorted((Path(__file__).parents[3] / "app" / "scenarios").glob("*.py"))


@pytest.mark.parametrize(
    ("source", "name", "line"),
    [
        ("import mlflow\n", "mlflow", 1),
        ("x = 1\nfrom torchaudio import datasets\n", "torchaudio", 2),
        ("from torchvision import datasets\n\ndatasets.MNIST('data')\n", "datasets.MNIST", 3),
        ("from torchvision.datasets import MNIST\nMNIST('data')\n", "torchvision.datasets.MNIST", 1),
        ("import torch\nx = torch.onez(3)\n", "torch.onez", 2),
        ("from torch import nn\nm = nn.Linaer(1, 1)\n", "nn.Linaer", 2),
        ("from torch.nn import Linaer\n", "torch.nn.Linaer", 1),
        ("from torch import nn\nclass A:\n    def f(self):\n        self.Linaer = nn.Linaer(1, 1)\n", "nn.Linaer", 4),
        ("import torch.nn.functional as F\n\nF.reluu(1)\n", "F.reluu", 3),
        ("with open('x') as f:\n    pass\n", "open", 1),
        ("x = eval('1')\n", "eval", 1),
        ("import numpy as np\nm = np.matrix([[1]])\n", "np.matrix", 2),
        ("x = ().__reduce_ex__()\n", "__reduce_ex__", 1),
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


LEFT_OVER = """import torch
import torchaudio, imageio.v2 as Image
import matplotlib.nothing, linecache
from torchaudio import datasets, transforms as T
from sklearn.model_selection import train_test_split, nothing_of_the_sort
from plotly import graph_objects as _Graph
def f():
    import mlflow
print(torch.ones(2), train_test_split([1, 2], shuffle=False, test_size=1))
"""


def test_a_library_that_is_imported_and_not_used_is_passed_over() -> None:
    """What public scripts have left over from an earlier version; elsewhere it is installed."""
    ran = Interpreter(read_script(LEFT_OVER + "f()\n"))
    assert ran.run() is None
    assert "T" not in ran.namespace()
    assert "train_test_split" in ran.namespace()
    found = find_unsupported(read_script(LEFT_OVER))
    assert [each.line for each in found] == [2, 2, 3, 3, 4, 5, 6, 8]
    assert {each.suggestion for each in found} == {"Nothing uses it: the import is passed over."}


def test_parts_of_torch_that_are_not_here_are_passed_over_too() -> None:
    ran = Interpreter(read_script("from torch import nn, ops, optim\nfrom torch.fx import symbolic_trace\nprint(nn)\n"))
    assert ran.run() is None
    assert "optim" in ran.namespace()
    assert "ops" not in ran.namespace()


@pytest.mark.parametrize(
    "left",
    [
        "from turtle import forward\nclass Net:\n    def forward(self, x):\n        return x\n",
        "import numpy.ma as ma\n",
        "from numpy.core.fromnumeric import shape\n",
        "from torch._decomp.decompositions import softmax_backward\n",
        "from torch.utils import model_zoo\n",
        "import torch.utils.model_zoo as model_zoo\n",
    ],
)
def test_what_an_editor_adds_by_itself_is_passed_over(left: str) -> None:
    assert Interpreter(read_script(left)).run() is None


@pytest.mark.parametrize(
    "used",
    [
        "import torchaudio\ntorchaudio.datasets\n",
        "from imageio import Image\ndef f():\n    return Image\n",
        "import gym as g\ndef f():\n    global g\n    g = 1\n",
        "from torchaudio import *\n",
        "import torchaudio\nprint('torchaudio' in globals())\n",
        "try:\n    import mlflow\nfinally:\n    pass\n",
        "class A:\n    import mlflow\n",
        "import tochvision\n",
        "from torch import ops\nops.aten\n",
        "from torch import opts\n",
        "import socketserver\n",
        "import numpy.ma as ma\nma.array([1])\n",
        "import numpy.maa as ma\n",
        "from torch.utils import model_zo\n",
        "from torch.nn import Linaer\n",
        "from .models import Net\n",
        "from sklearn.svm import SVC\nSVC()\n",
    ],
)
def test_what_is_used_caught_or_misspelt_is_still_missing(used: str) -> None:
    failed = Interpreter(read_script(used)).run()
    assert failed is not None
    assert failed.type in ("ModuleNotFoundError", "ImportError")


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios_are_inside(path: Path) -> None:
    assert find_unsupported(read_script(path.read_text())) == ()


def test_the_suggestion_is_a_name_that_exists() -> None:
    (found,) = find_unsupported(read_script("import torch\ntorch.zeross(3)\n"))
    assert found.suggestion == "Did you mean zeros?"
    assert (found.column, found.end_column) == (1, 13)
