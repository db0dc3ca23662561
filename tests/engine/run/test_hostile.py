"""Scripts that bend what the recorder reads: looking at them neither fails nor runs their code."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import encode, pictures
from engine.errors import CommandError
from engine.run import Command, Run
from engine.script.limits import Limits

CASES = {
    "a module whose walk never ends": """
from torch import nn
class M(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(1, 1)
    def named_modules(self, *a, **k):
        while True: pass
    def named_parameters(self, *a, **k):
        raise ValueError("boo")
    def __len__(self):
        raise ValueError("x")
m = M()
""",
    "containers that hold themselves": """
l = []
l.append(l)
d = {}
d["d"] = d
deep = []
for k in range(300):
    deep = [deep]
big = [[0] * 1000 for _ in range(200)]
n = 10 ** 300
s = "x" * 100000
""",
    "an optimizer full of junk": """
import torch
w = torch.tensor(1.0, requires_grad=True)
o = torch.optim.SGD([w], lr=0.1)
o.param_groups[0]["lr"] = "fast"
o.param_groups[0]["x"] = [1]
o.state[w]["junk"] = [w]
o.param_groups.append(3)
w.grad = torch.tensor(1.0)
""",
    "an optimizer without parameters": """
import torch
w = torch.tensor(1.0, requires_grad=True)
o = torch.optim.SGD([w], lr=0.1)
o.param_groups[0].pop("params")
o.state = 3
""",
    "an optimizer with impossible settings": """
import torch
w = torch.tensor(1.0, requires_grad=True)
o = torch.optim.Adam([w], lr=0.1)
o.param_groups[0]["betas"] = (1.0, -2.0)
for i in range(2):
    loss = w * w
    loss.backward()
    o.step()
""",
    "an optimizer without groups": """
import torch
o = torch.optim.SGD([torch.tensor(1.0, requires_grad=True)], lr=0.1)
o.param_groups = None
""",
    "a module without its dictionaries": """
from torch import nn
m = nn.Linear(1, 1)
m._parameters["weight"] = 3
m._modules = 5
""",
    "a hook that fails": """
import torch
w = torch.tensor(1.0, requires_grad=True)
def h(g):
    raise ValueError("hook")
w.register_hook(h)
for i in range(2):
    loss = w * w
    loss.backward()
""",
    "numbers of many digits in an optimizer": """
import torch
w = torch.tensor(1.0, requires_grad=True)
o = torch.optim.SGD([w], lr=1)
inside = (1,)
for i in range(60):
    inside = (inside, inside)
o.param_groups[0]["x"] = inside
o.state[w] = {"a": 10**30, "b": 10**400}
for i in range(3):
    loss = w * w
    loss.backward()
    o.param_groups[0]["lr"] = (1, 10**30, 10**30000)[i]
""",
    "half characters": """
import torch, warnings
import matplotlib.pyplot as plt
m = torch.nn.Module()
m.add_module("\\ud800", torch.nn.Linear(1, 1))
m.register_parameter("\\udcff", torch.nn.Parameter(torch.ones(1)))
o = torch.optim.SGD(m.parameters(), lr=1)
o.param_groups[0]["\\ud800"] = "\\ud800"
plt.plot([1, 2], label="\\ud800")
plt.title("\\ud800")
warnings.warn("\\ud800")
for i in range(2):
    loss = (m._modules["\\ud800"](torch.ones(1)) * getattr(m, "\\udcff")).sum()
    loss.backward()
raise ValueError("\\ud800")
""",
    "a message of millions": """
for i in range(2):
    x = i
raise SystemExit("a" * 5_000_000)
""",
    "tensors that change their shape": """
import torch
w = torch.tensor([1.0, float("nan"), float("inf")], requires_grad=True)
for i in range(2):
    loss = (w * w).sum()
    loss.backward()
    del w.grad
    w.data = torch.zeros(2, 2)
""",
    "tensors of nothing": """
import torch
w = torch.zeros(0, 3, requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
for i in range(2):
    loss = (w * w).sum()
    loss.backward()
    opt.step()
    opt.zero_grad()
""",
    "a loss that is not a number": """
import torch
w = torch.ones(3, requires_grad=True)
for i in range(3):
    loss = w * 2
    loss.backward(torch.ones(3))
    loss = None
""",
    "views changed in place": """
import torch
w = torch.ones(3, requires_grad=True)
for i in range(3):
    h = w * 2
    h[0] = 5.0
    h += 1
    v = h.view(3, 1)
    v.mul_(2)
    loss = h.sum()
    loss.backward()
""",
}
BENT = (Path(__file__).parent / "hostile.txt").read_text().split("---\n")
"""What the script's objects, names, errors and plots say when they are looked at."""


@pytest.mark.parametrize("source", BENT, ids=range(len(BENT)))
def test_what_is_looked_at_is_not_asked(source: str) -> None:
    run = Run(source, limits=Limits(time=5))
    for word in ("next", "into", "finish"):
        try:
            run.execute(Command(word))
        except CommandError:
            pass
    assert run.last > 0
    page = pictures.import_page()
    assert page is not None
    for number in (run.last, run.last - 1):
        assert encode.moment_json(run.moment(number))
        assert page(run, number, None, "")


@pytest.mark.parametrize("name", sorted(CASES))
def test_a_run_survives(name: str) -> None:
    run = Run(CASES[name], limits=Limits(time=5))
    run.execute(Command("finish"))
    if name == "a hook that fails":
        error = run.moment(run.last).error
        assert error is not None
        assert (error.type, error.message) == ("ValueError", "hook")
    for word in ("forward", "backward", "backward", "step", "next"):
        try:
            run.execute(Command(word))
        except CommandError:
            pass
    assert run.last > 2
    assert run.transcript()
    assert encode.moment_json(run.moment(run.last))
    assert Run.replay(run.source, run.seed, run.commands).digest() == run.digest()
