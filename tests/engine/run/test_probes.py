"""Probes: what they compute is what the script would compute, and nothing of the run changes."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from app.library import scenario
from engine.errors import StopRun
from engine.run import Command, Run, probes
from engine.run.boundary import boundary
from engine.run.probes import nudge, surface
from tests.engine.tracing.diagnosis.corpus import CORRECT


def after(source: str, *commands: Command | str) -> Run:
    run = Run(source)
    run.begin()
    for command in commands:
        run.execute(Command(command) if isinstance(command, str) else command)
    return run


SCALAR = scenario("gradients-add-up").source
LINE = scenario("linear-regression").source
MOONS = scenario("two-moons").source


def test_a_nudge_beside_what_the_gradient_foretold() -> None:
    run = after(SCALAR, "zero_grad", "forward", "backward")
    before = run.digest()
    told = nudge(run, run.last, "w")
    # (2w - 5)^2: 4 at 1.5, 3.9204 at 1.51; the slope is -8
    assert (told.loss, told.loss_after) == (4.0, pytest.approx(3.9204))
    assert told.change == pytest.approx(-0.0796, rel=1e-4)
    assert told.foretold == pytest.approx(-0.08, rel=1e-4)
    assert told.text == (
        "Moving w from 1.5 to 1.51 changes loss from 4 to 3.9204: −0.0796. w.grad = −8 foretold −0.08."
    )
    assert run.digest() == before
    assert nudge(run, run.last, "w") == told


def test_a_gradient_that_is_not_of_this_point_says_so() -> None:
    run = after(SCALAR, "forward", "backward", "forward", "backward")
    assert nudge(run, run.last, "w").text.endswith("foretold −0.16, being the sum of 2 backwards.")
    run.execute(Command("step"))
    assert nudge(run, run.last, "w").text.endswith("for the value that w had before step().")
    run.execute(Command("zero_grad"))
    told = nudge(run, run.last, "w")
    assert (told.grad, told.foretold) == (None, None)
    assert told.text.endswith("w.grad is None: it foretells nothing.")


def test_a_nudge_of_an_earlier_moment() -> None:
    run = after(SCALAR, "zero_grad", "forward", "backward")
    then = run.last
    told = nudge(run, then, "w")
    run.execute(Command("run", times=3))
    assert nudge(run, then, "w") == told


def test_nothing_to_nudge() -> None:
    run = after(SCALAR)
    told = nudge(run, run.last, "w")
    assert told.reason == "No forward has run up to this moment: there is no loss to look at."
    assert told.loss is None
    run.execute(Command("forward"))
    with pytest.raises(KeyError, match="there is no leaf 'loss'"):
        nudge(run, run.last, "loss")
    with pytest.raises(IndexError):
        nudge(run, run.last, "w", (0,))
    with pytest.raises(ValueError, match="other than 0"):
        nudge(run, run.last, "w", delta=0.0)
    assert nudge(run, run.last, "w", delta=1e-12).reason == "1e−12 is too little to change 1.5 in float32."


SMOOTH = [
    "plateau scheduler and validation",  # dropout: the same random numbers for both
    "tanh autoencoder with five layers",
    "RNN with a hidden state carried on, detached",
    "everything in main()",
    "fine-tuning with batch normalization at rest",
    "truncated backpropagation with a cell, hidden.data",
    "variational autoencoder",
    "attention with a mask of minus infinity",
]


@pytest.mark.parametrize("name", SMOOTH)
def test_small_nudges_agree_with_the_gradient(name: str) -> None:
    run = after(CORRECT[name], Command("run", times=1))
    while run.moment(run.last).do != "backward":
        run.execute(Command("next"))
    before = run.digest()
    grads = {
        t.name: t.grad for t in run.moment(run.last).tensors if t.grad is not None and t.grad.size and t.is_parameter
    }
    name_, grad = max(grads.items(), key=lambda each: float(np.abs(each[1]).max()))
    place = tuple(int(i) for i in np.unravel_index(int(np.argmax(np.abs(grad))), grad.shape))
    told = nudge(run, run.last, name_, place, delta=1e-3)
    assert told.reason == ""
    assert told.change == pytest.approx(told.foretold, rel=0.08, abs=3e-6)
    assert run.digest() == before


def test_the_surface_of_two_parameters() -> None:
    run = after(LINE, Command("run", times=5))
    before = run.digest()
    told = surface(run, run.last, grid=9)
    assert told.reason == ""
    assert (told.root, told.names) == ("loss", ("model.weight", "model.bias"))
    x = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    wanted = [[np.mean((w * x + b - (3 * x + 1)) ** 2) for w in told.x] for b in told.y]
    assert np.allclose(told.values, wanted, rtol=1e-4)
    assert [point.loss for point in told.path[:-1]] == [value for _, _, value in run.losses()]
    assert told.path[-1].moment == run.last
    assert told.path[-1].loss is None
    weights = {t.name: t.value for t in run.moment(run.last).tensors}
    assert told.path[-1].x == pytest.approx(float(weights["model.weight"][0, 0]))
    assert told.x[0] < min(p.x for p in told.path) < max(p.x for p in told.path) < told.x[-1]
    assert run.digest() == before


def test_two_entries_of_one_tensor() -> None:
    run = after(CORRECT["a loss that rises before it falls"], Command("run", times=4))
    told = surface(run, run.last, grid=5)
    assert told.names == ("x[0]", "x[1]")
    x, y = told.x[1], told.y[2]
    assert told.values[2][1] == pytest.approx((1 - x) ** 2 + 100 * (y - x**2) ** 2, rel=1e-3)


def test_a_surface_is_whole_however_much_else_the_machine_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds pass that are not of this process: none of them counts."""
    slow = SimpleNamespace(monotonic=count(step=10).__next__, process_time=lambda: 0.0)
    monkeypatch.setattr(probes, "time", slow)
    run = after(LINE, "zero_grad", "forward")
    told = surface(run, run.last, grid=7)
    assert told.reason == ""
    assert len(told.values) == 7


def test_no_surface() -> None:
    run = after(SCALAR, "forward")
    assert surface(run, run.last).reason == (
        "A loss surface needs exactly two numbers that are trained; this script has 1."
    )
    run = after(LINE)
    assert surface(run, run.last).reason == "No forward has run up to this moment: there is no loss to look at."


def test_the_decision_boundary() -> None:
    run = after(MOONS, Command("run", times=60))
    before = run.digest()
    told = boundary(run, run.last, grid=12)
    assert (told.reason, told.model, told.kind, told.classes) == ("", "model", "probability", 2)
    assert len(told.points) == 80
    assert sorted({point.label for point in told.points}, key=str) == [0, 1]
    values = {t.name: t.value.astype(float) for t in run.moment(run.last).tensors}
    x = np.array([[told.x[3], told.y[7]]])
    hidden = np.tanh(x @ values["model.0.weight"].T + values["model.0.bias"])
    logit = (hidden @ values["model.2.weight"].T + values["model.2.bias"]).item()
    assert told.values[7][3] == pytest.approx(1 / (1 + np.exp(-logit)), rel=1e-4)
    right = [
        (told.values[np.argmin(np.abs(np.array(told.y) - p.y))][np.argmin(np.abs(np.array(told.x) - p.x))] > 0.5)
        == p.label
        for p in told.points
    ]
    assert np.mean(right) > 0.75
    assert run.digest() == before


def test_boundaries_of_other_classifiers() -> None:
    run = after(CORRECT["evaluation loop between epochs, DataLoader"], Command("run", times=3))
    told = boundary(run, run.last, grid=8)
    assert (told.reason, told.kind, told.classes, len(told.points)) == ("", "probability", 2, 60)
    run = after(CORRECT["everything in main()"], Command("run", times=3))
    told = boundary(run, run.last, grid=8)
    assert (told.reason, told.model, told.kind, len(told.points)) == ("", "net", "probability", 4)
    three = CORRECT["everything in main()"].replace(
        "self.fc2 = nn.Linear(hidden, 1)", "self.fc2 = nn.Linear(hidden, 3)"
    )
    three = three.replace("nn.BCELoss()", "nn.MSELoss()").replace("criterion(output, Y)", "criterion(output[:, :1], Y)")
    run = after(three, Command("run", times=3))
    told = boundary(run, run.last, grid=8)
    assert (told.kind, told.classes) == ("class", 3)
    assert {value for row in told.values for value in row} <= {0.0, 1.0, 2.0}


POINTS = """import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
Q = torch.randn(30, 2)
label = (Q[:, 0] > 0).long()
"""
OTHER_CLASSIFIERS = {
    "two heads, the second tells the classes": (
        """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(2, 6)
        self.value = nn.Linear(6, 3)
        self.kind = nn.Linear(6, 2)
    def forward(self, x):
        h = self.trunk(x).relu()
        return self.value(h), self.kind(h)
net = Net()
for i in range(5):
    value, kind = net(Q)
    loss = value.pow(2).mean() + F.cross_entropy(kind, label)
    loss.backward()
""",
        "net[1]",
        "net(x)[1]",
    ),
    "heads in a dictionary": (
        """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = nn.Linear(2, 2)
    def forward(self, x):
        return {"twice": x.repeat(1, 2), "kind": self.kind(x)}
net = Net()
for i in range(5):
    loss = F.cross_entropy(net(Q)["kind"], label)
    loss.backward()
""",
        "net['kind']",
        "net(x)['kind']",
    ),
    "a trunk and heads that are modules of their own": (
        """trunk = nn.Sequential(nn.Linear(2, 6), nn.ReLU())
head = nn.Linear(6, 2)
for i in range(5):
    h = trunk(Q)
    logits = head(h)
    loss = F.cross_entropy(logits, label)
    loss.backward()
""",
        "logits",
        "head(trunk(x))",
    ),
    "tensors without a module": (
        """A = torch.randn(2, 5, requires_grad=True)
B = torch.randn(5, 1, dtype=torch.float32, requires_grad=True)
for i in range(5):
    p = torch.sigmoid(torch.tanh(Q @ A) @ B)
    loss = F.binary_cross_entropy(p, label.float().reshape(-1, 1))
    loss.backward()
""",
        "p",
        "torch.sigmoid(torch.tanh(x @ A) @ B)",
    ),
    "probabilities of two classes, in double precision": (
        """net = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.5), nn.Linear(4, 2), nn.Softmax(dim=1)).double()
Q = Q.double()
for i in range(5):
    loss = F.nll_loss(net(Q).log(), label)
    loss.backward()
""",
        "net",
        "net.eval()(x)",
    ),
}


@pytest.mark.parametrize("name", OTHER_CLASSIFIERS)
def test_boundaries_of_classifiers_of_other_shapes(name: str) -> None:
    source, called, expression = OTHER_CLASSIFIERS[name]
    run = after(POINTS + source, "forward", "backward")
    before = run.digest()
    told = boundary(run, run.last, grid=8)
    assert run.digest() == before
    assert (told.reason, told.model, told.kind, told.classes) == ("", called, "probability", 2)
    run.execute(Command("statement", statement=f"x = torch.tensor([[{told.x[2]}, {told.y[5]}]]).to(Q.dtype)"))
    run.execute(Command("statement", statement=f"answer = {expression}"))
    given = next(t.value for t in run.moment(run.last).tensors if t.name == "answer").reshape(-1)
    if expression.startswith(("torch.sigmoid", "net.eval")):
        wanted = given[-1]
    else:
        wanted = 1 / (1 + np.exp(given[0] - given[1]))
    assert told.values[5][2] == pytest.approx(float(wanted), rel=1e-4)


def test_no_boundary() -> None:
    run = after(SCALAR)
    assert boundary(run, run.last).reason == "There is no module that takes two inputs."
    run = after(CORRECT["zero_grad at the end of the iteration"], Command("run", times=1))
    assert boundary(run, run.last).reason == "The targets are no classes: there is no boundary between them."
    run = after("import torch\nclass M(torch.nn.Module):\n    def __getattr__(self, name): raise SystemExit\nm = M()\n")
    assert boundary(run, run.last).reason == "There is no module that takes two inputs."


def test_a_probe_of_a_long_run_can_be_stopped() -> None:
    run = after(SCALAR, Command("run", times=15))
    asked = 0

    def enough() -> bool:
        nonlocal asked
        asked += 1
        return asked > 20

    run.give_up = enough
    with pytest.raises(StopRun):
        nudge(run, run.last, "w")
    run.give_up = None
    assert nudge(run, run.last, "w").reason == ""
