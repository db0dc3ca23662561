"""torch.jit: scripted and traced models and functions look as in PyTorch, and are saved as they are there."""

from __future__ import annotations

import pytest

from tests.engine.script.compare import in_interpreter

MODEL = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.drop, self.k = nn.Linear(2, 2), nn.Dropout(0.5), 3
    def forward(self, x):
        return self.drop(self.one(x))

n = Net()
x = torch.ones(1, 2)
"""

PARTS = """Net(
  original_name=Net
  (one): Linear(original_name=Linear)
  (drop): Dropout(original_name=Dropout)
)
TopLevelTracedModule True True
"""
SCRIPTED = """RecursiveScriptModule(
  original_name=Net
  (one): RecursiveScriptModule(original_name=Linear)
  (drop): RecursiveScriptModule(original_name=Dropout)
)
"""

CASES = {
    "a traced model": (
        (
            "t = torch.jit.trace(n, x, check_trace=False)\n"
            "print(t)\nprint(type(t).__name__, isinstance(t, nn.Module), t.training)"
        ),
        PARTS,
    ),
    "a scripted model": ("print(torch.jit.script(n))", SCRIPTED),
    "names of the model's own": ("print(torch.jit.script(n).k)", "3\n"),
    "the parameters are the model's": (
        (
            "s = torch.jit.script(n)\n"
            "print([name for name, _ in s.named_parameters()], s.one.weight is n.one.weight, list(s.state_dict()))"
        ),
        "['one.weight', 'one.bias'] True ['one.weight', 'one.bias']\n",
    ),
    "it has a mode of its own": (
        (
            "s = torch.jit.script(n)\ns.eval()\n"
            "print(torch.equal(s(x), n.one(x)), s.training, n.training, n.drop.training)"
        ),
        "True False True True\n",
    ),
    "a model is saved and loaded": (
        (
            "t = torch.jit.trace(n.eval(), x)\nt.save('a.pt')\ntorch.jit.save(t, 'b.pt')\n"
            "a, b = torch.jit.load('a.pt'), torch.jit.load('b.pt')\n"
            "print(torch.equal(a(x), n(x)), torch.equal(b(x), n(x)), type(a).__name__, type(b).__name__)"
        ),
        "True True RecursiveScriptModule RecursiveScriptModule\n",
    ),
    "functions": (
        (
            "@torch.jit.script\ndef f(x):\n    return -x\n"
            "f.save('f.pt')\nprint(type(f).__name__, f.name, f(torch.ones(1)))"
        ),
        "ScriptFunction f tensor([-1.])\n",
    ),
    "how often tracing calls": (
        (
            "def f(x):\n    print('called')\n    return x * torch.rand(1)\n"
            "torch.manual_seed(0)\ndrawn = torch.rand(5)\n"
            "torch.manual_seed(0)\ntorch.jit.trace(f, x)\nprint(torch.rand(1) == drawn[4])\n"
            "torch.manual_seed(0)\ntorch.jit.trace(f, (x,), check_trace=False)\nprint(torch.rand(1) == drawn[1])"
        ),
        "called\n" * 3 + "tensor([True])\ncalled\ntensor([True])\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_jit(name: str) -> None:
    source, printed = CASES[name]
    ending = in_interpreter(MODEL + source)
    assert ending.type is None, ending
    assert ending.stdout == printed
