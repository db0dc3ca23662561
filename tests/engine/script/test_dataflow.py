"""Which variable each line of a loop without autograd computes from which others: read in the text."""

from __future__ import annotations

import ast

import pytest

from engine.script.reading import dataflow
from engine.script.reading.source import read_script

NET = """import numpy as np
class Net:
    def __init__(self):
        self.W = np.ones((2, 1))
        self.lr = 0.1
    def forward(self, x):
        self.x = x
        self.z = x @ self.W
        return self.z * 2
    def backward(self, grad):
        g = grad * 2
        self.dW = self.x.T @ g
    def step(self):
        self.W -= self.lr * self.dW
net = Net()
X, y = np.ones((3, 2)), np.zeros((3, 1))
for epoch in range(3):
    pred = net.forward(X)
    loss = ((pred - y) ** 2).mean()
    grad = pred - y
    net.backward(grad)
    net.step()
"""
PLAIN = """import numpy as np
def act(z):
    return np.tanh(z + shift)
x, shift, w, v = np.ones(3), 1.0, 0.5, 0.1
for i in range(3):
    h = act(w * x)
    loss = (h ** 2).mean()
    dw = (h * x).mean()
    {update}
"""


def lines(text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.do, one.name, one.reads) for one in read_script(text).made]


def test_methods_of_the_scripts_own_are_followed() -> None:
    assert lines(NET) == [
        ("forward", "net.x", ("X",)),
        ("forward", "net.z", ("X", "net.W")),
        ("forward", "pred", ("net.z",)),
        ("forward", "loss", ("pred", "y")),
        ("backward", "grad", ("pred", "y")),
        ("backward", "net.dW", ("net.x.T", "grad")),
        ("step", "net.W", ("net.lr", "net.dW")),
    ]


AT_ONCE = """import numpy as np
class Net:
    def forward(self, x):
        self.z = x @ self.W
        return self.z
    def backward(self, x, y, out):
        self.delta = y - out
        self.dW += x.T @ self.delta
        self.W += x.T @ self.delta
    def train(self, x, y):
        out = self.forward(x)
        self.backward(x, y, out)
net = Net()
for i in range(3):
    net.train(X, y)
"""


def test_a_backward_that_moves_the_weights_is_a_step_for_them() -> None:
    assert [(do, name) for do, name, _ in lines(AT_ONCE)] == [
        ("forward", "net.z"),
        ("forward", "out"),
        ("backward", "net.delta"),
        ("backward", "net.dW"),
        ("step", "net.W"),
    ]


@pytest.mark.parametrize("update", ["w -= 0.1 * dw", "w = w - 0.1 * dw"])
def test_functions_of_the_scripts_own_are_looked_into(update: str) -> None:
    found = {name: set(reads) for _, name, reads in lines(PLAIN.format(update=update))}
    assert {"w", "x", "shift"} <= found["h"]
    assert found["loss"] == {"h"}
    assert "dw" in found["w"]


def test_a_script_of_pytorchs_own_phases_is_not_read_so() -> None:
    assert read_script(NET.replace("import numpy as np", "import torch, numpy as np")).made == ()


def test_of_a_loop_of_very_many_variables_there_is_no_picture() -> None:
    many = "\n    ".join(f"h{i} = w * x" for i in range(dataflow.MOST_MADE))
    script = read_script(PLAIN.format(update="w -= 0.1 * dw").replace("h = act(w * x)", f"h = act(w * x)\n    {many}"))
    assert script.by_hand
    assert script.made == ()


def test_a_long_function_that_is_called_often_is_not_read_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    plain = dataflow.plain

    def counted(body: list[ast.stmt]) -> list[ast.stmt]:
        found = plain(body)
        read.append(len(found))
        return found

    monkeypatch.setattr(dataflow, "plain", counted)
    long = "    pass\n" * 1000 + "    return np.tanh"
    text = PLAIN.format(update="w -= 0.1 * dw").replace("    return np.tanh", long)
    assert read_script(text.replace("act(w * x)", f"sum([{', '.join(['act(w * x)'] * 300)}])")).by_hand
    assert sum(each for each in read if each > 1000) < 3 * dataflow.MOST  # of 300 calls that would be 300,000


def test_calls_that_call_themselves_end() -> None:
    calls = " + ".join(["act(z)"] * 40)
    text = PLAIN.format(update="w -= 0.1 * dw").replace("np.tanh(z + shift)", calls)
    assert [name for _, name, _ in lines(text)] == ["h", "loss", "dw", "w"]
