"""Replayed loops are what they would be: the same text printed, and the same state to the bit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import nn, optim, replay, warn
from engine.autograd import grad_mode
from engine.random import default_generator
from engine.replay.loop import Loop
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.reading.source import read_script
from engine.tensor import Tensor

SCENARIOS = sorted((Path(__file__).parents[3] / "app" / "scenarios").glob("*.py"))


def executed(source: str, loops: list[Loop] | None = None) -> tuple[str, Interpreter, Any]:
    """What a script printed, its interpreter and how it ended; replayed where `loops` is given, which gets them."""
    printed: list[str] = []
    default_generator.manual_seed(67280421310721)
    interpreter = Interpreter(
        read_script(source, Limits()),
        limits=Limits(),
        write=printed.append,
        warn=lambda *warned: printed.append(str(warned)),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grad_mode, "enabled", True)  # and back, whatever the script does
        patch.setattr(warn, "sink", lambda *warned: printed.append(str(warned)))
        failed = interpreter.run() if loops is None else replay.run(interpreter, loops)
    ended = None if failed is None else (failed.type, failed.message, failed.line)
    return "".join(printed), interpreter, ended


def described(tensor: Tensor | None) -> Any:
    if tensor is None:
        return None
    return (tensor._array.tobytes(), tensor._array.shape, str(tensor.dtype), tensor._count(), tensor._needs)


def state_of(interpreter: Interpreter) -> dict[str, Any]:
    """Leaves, their gradients, optimizers and the stream of random numbers."""
    found: dict[str, Any] = {"random": default_generator.get_bytes()}
    for name, value in interpreter.globals.items():
        if isinstance(value, nn.Module):
            for path, parameter in value.named_parameters():
                found[f"{name}.{path}"] = described(parameter), described(parameter._grad)
        elif isinstance(value, Tensor) and value._node is None:
            found[name] = described(value), described(value._grad)
        elif isinstance(value, optim.Optimizer):
            for number, state in enumerate(value.state.values()):
                for key, kept in state.items():
                    found[f"{name}[{number}].{key}"] = described(kept) if isinstance(kept, Tensor) else kept
    return found


def held_against_eager(source: str) -> list[Loop]:
    """Execute a script as always and replayed, and compare; the loops that were watched."""
    loops: list[Loop] = []
    expected, eager, ended = executed(source)
    state = state_of(eager)
    got, other, also = executed(source, loops)
    assert got == expected
    assert also == ended
    assert state_of(other) == state
    return loops


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenarios(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    held_against_eager(source.replace("range(500)", "range(12)"))


START = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed({seed})
X, Y = torch.randn({rows}, 3), torch.randn({rows}, 2)
labels = torch.randint(0, 2, ({rows},))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two, self.scale = nn.Linear(3, 5), nn.Linear(5, 2), 0.5
    def forward(self, x):
        h = F.relu(self.one(x))
        return self.two(h) * self.scale
w = torch.randn(3, 2, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
model = {model}
criterion = nn.MSELoss(reduction="{reduction}")
parameters = [w, b] + list(model.parameters())
optimizer = torch.optim.{optimizer}
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)
losses, kept, flag = [], [], True
"""
NORMED = [
    "nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(0.3), nn.Linear(4, 2))",
    "nn.Sequential(nn.Unflatten(1, (1, 3)), nn.Conv1d(1, 2, 2), nn.Flatten(), nn.LayerNorm(4), nn.Linear(4, 2))",
]
FORWARDS = [
    "    pred = F.dropout(model(x), 0.2)\n    loss = F.huber_loss(pred, y) + F.smooth_l1_loss(pred * w.sum(), y)\n",
    "    pred, h = model(x), torch.cat((x @ w, x), 1)\n    loss = criterion(pred, y) + h.mean(dim=1).sum()\n",
    "    pred = model(x)\n    loss = criterion(pred, y)\n",
    "    loss = ((x @ w + b - y) ** 2).mean()\n",
    "    pred = torch.tanh(x @ w) * 2 - b\n    loss = (pred - y).pow(2).sum() / 7\n",
    "    loss = F.cross_entropy(model(x) + x @ w, c)\n",
    "    pred = torch.sigmoid(x @ w + b)\n    loss = criterion(pred, y) + 0.01 * (w * w).sum()\n",
    "    u, v = model(x).chunk(2, 1)\n    loss = (u * v - y[:, :1]).pow(2).mean() + (x @ w)[:, -1].mean() + b[0]\n",
    "    loss = criterion(model(x), y) + 0.1 * sum(p.pow(2).sum() for p in model.parameters())\n",
    "    pred = model(x)\n    if flag:\n        pred = pred * w.sum()\n    loss = criterion(pred, y)\n",
    "    h = x @ w + b\n    for _ in range(3):\n        h = torch.tanh(h * 0.5)\n    loss = h.exp().mean()\n",
]
OPTIMIZERS = [
    "SGD(parameters, lr=0.05)",
    "SGD(parameters, lr=0.02, momentum=0.9)",
    "SGD(parameters, lr=0.02, momentum=0.9, nesterov=True, weight_decay=0.1)",
    "Adam(parameters, lr=0.01)",
    "AdamW(parameters, amsgrad=True)",
    "RMSprop(parameters)",
]
RESTS = [
    "",
    "    losses.append(loss.item())\n",
    "    if step % 3 == 0:\n        print(step, loss, loss.item())\n",
    "    kept.append(w.grad)\n",
    "    if step == 6:\n        kept.append(w.grad)\n",
    "    old = w.grad\n",
    "    scheduler.step()\n",
    "    model.train(step % 2 == 0)\n",
    "    if loss.item() < 0.5:\n        break\n",
    "    losses.append(loss)\n",
    "    if step == 7:\n        continue\n",
    "    flag = step < 8\n",
]


@st.composite
def scripts(draw: Any) -> str:
    """A training loop, with whatever else people put into them."""
    model = draw(st.sampled_from(["Net()", "nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))", *NORMED]))
    optimizer = draw(st.sampled_from(OPTIMIZERS))
    text = START.format(
        seed=draw(st.integers(0, 9)),
        rows=draw(st.sampled_from([4, 5])),
        model=model,
        reduction=draw(st.sampled_from(["mean", "sum"])),
        optimizer=optimizer,
    )
    batches = draw(
        st.sampled_from(["X, Y, labels", "X[step % 2:], Y[step % 2:], labels[step % 2:]", "X + step, Y, labels"])
    )
    header = draw(st.sampled_from(["for step in range(11):\n", "for epoch in range(3):\n  for step in range(5):\n"]))
    body = f"    x, y, c = {batches}\n"
    clear = "    optimizer.zero_grad()\n"
    before = draw(st.booleans())
    body += clear if before else ""
    body += draw(st.sampled_from(FORWARDS))
    body += draw(st.sampled_from(RESTS))
    body += "" if before else clear
    body += "    loss.backward()\n"
    body += draw(st.sampled_from(RESTS))
    body += "    optimizer.step()\n"
    body += draw(st.sampled_from(RESTS))
    if header.count("for") == 2:
        body = "".join(f"  {line}\n" for line in body.splitlines())
        body += draw(st.sampled_from(["", "  if epoch == 1:\n      b.requires_grad_(False)\n", "  print(w.grad)\n"]))
    return text + header + body + "print(losses[-3:], kept[-3:], w, w.grad)\n"


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(scripts())
def test_loops_as_people_write_them(source: str) -> None:
    held_against_eager(source)


PLAIN = """
import torch
w = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
x = torch.tensor([1.0, 2.0])
{before}
for step in range(10):
    optimizer.zero_grad()
    loss = ((w * x - 1) ** 2).mean()
    loss.backward()
    optimizer.step()
    {rest}
print(w)
"""


def test_a_plain_loop_is_replayed() -> None:
    (loop,) = held_against_eager(PLAIN.format(before="", rest="print(loss.item())"))
    assert loop.mode == "replay"
    assert loop.tally.missed == 0


@pytest.mark.parametrize(
    ("before", "rest"),
    [
        ("w.register_hook(lambda g: g * 2)", ""),
        ("x = torch.tensor([1.0, 2.0], requires_grad=True) * 2", ""),
        ("", "globals()"),
    ],
)
def test_what_is_not_replayed_is_as_always(before: str, rest: str) -> None:
    for loop in held_against_eager(PLAIN.format(before=before, rest=rest or "pass")):
        assert loop.mode != "replay"


@pytest.mark.parametrize(
    "change",
    [
        "w.grad.data = torch.full_like(w, 9.0)",
        "w.grad.set_(torch.full_like(w, 9.0))",
        "w.grad.resize_(1); w.grad.resize_(w.shape)",
        "w.grad.mine = 1",
        "w.grad.requires_grad_()",
        "w.grad.grad = torch.ones_like(w)",
    ],
)
def test_a_gradient_that_was_changed_is_not_the_next_one(change: str) -> None:
    """What the tape fills again was given other memory, or something of the script's own."""
    told = "if w.grad is not None: print(hasattr(w.grad, 'mine'), w.grad.requires_grad, w.grad.grad, w.grad)"
    rest = f"print(loss.item())\n    {told}\n    {change}"
    held_against_eager(PLAIN.format(before="", rest=rest))
    held_against_eager(PLAIN.format(before="k = 0", rest=f"{rest.partition(change)[0]}k += 1\n    if k == 8: {change}"))


@pytest.mark.parametrize("velocity", ["resize_(2, 1)", "double()", "data.zero_()", "reshape(-1)[:1]"])
def test_a_velocity_that_was_changed_is_stepped_with_as_always(velocity: str) -> None:
    state = f"optimizer.state[w]['momentum_buffer'] = optimizer.state[w]['momentum_buffer'].{velocity}"
    plain = PLAIN.format(before="k = 0", rest=f"k += 1\n    if k == 6: {state}")
    held_against_eager(plain.replace("tensor(1.0,", "ones(1, 2,").replace("lr=0.1", "lr=0.1, momentum=0.9"))


@pytest.mark.parametrize("factor", ["x", "w"])
@pytest.mark.parametrize("times", [3, 12])
def test_a_loop_whose_first_statement_only_names_a_leaf_is_replayed(factor: str, times: int) -> None:
    source = PLAIN.format(before="", rest="").replace("optimizer.zero_grad()\n", "w.grad = None\n    h = w\n")
    chain = f"    for _ in range({times}):\n        h = torch.tanh(h * {factor})\n"
    source = source.replace("    loss = ", chain + "    loss = ")
    (loop,) = held_against_eager(source.replace("(w * x - 1)", "(h - 1)") + "print(h)\n")
    assert loop.mode == "replay"
    assert loop.tally.missed == 0


def test_a_loop_that_sets_the_mode_of_its_model_is_replayed() -> None:
    source = PLAIN.format(before="x = x.reshape(1, 2)", rest="model.eval()").replace("w * x", "model(x) * w")
    source = source.replace("optimizer.zero_grad()", "model.train()\n    optimizer.zero_grad()")
    source = source.replace("optimizer = ", "model = torch.nn.Linear(2, 1)\noptimizer = ")
    (loop,) = held_against_eager(source.replace("[w]", "[w, *model.parameters()]") + "print(model.training)\n")
    assert loop.mode == "replay"
    assert loop.tally.missed == 0


def test_a_loop_that_drops_out_is_not_replayed() -> None:
    source = PLAIN.format(before="model = torch.nn.Dropout(0.5)", rest="model.eval()").replace("w * x", "model(x) * w")
    for loop in held_against_eager(source.replace("optimizer.zero_grad()", "model.train()\n    optimizer.zero_grad()")):
        assert loop.mode != "replay"


def test_parameters_of_all_sizes_move_as_the_engine_moves_them() -> None:
    source = """
import torch
torch.manual_seed(0)
shapes = [(), (3,), (4, 5), (64, 65), (1, 7)]
groups = [[torch.randn(shape, requires_grad=True) for shape in shapes] for _ in range(2)]
groups[1][2] = torch.randn(5, 4).t().requires_grad_()
optimizer = torch.optim.SGD([{"params": groups[0], "momentum": 0.9}, {"params": groups[1]}], lr=0.01)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
a, b, c, d, e = groups[0]
f, g, h, i, j = groups[1]
for step in range(9):
    optimizer.zero_grad()
    loss = (a * f).sum() + (b * g).tanh().sum() + (c * h).tanh().sum() + (d * i).tanh().mean() + (e * j * a).sum()
    loss.backward()
    optimizer.step()
    scheduler.step()
print(groups)
"""
    (loop,) = held_against_eager(source)
    assert loop.mode == "replay"
    assert loop.tally.missed == 0


def test_a_gradient_that_the_script_keeps_is_not_written_over() -> None:
    printed, _, _ = executed(
        PLAIN.format(before="kept = []", rest="kept.append(w.grad)").replace("print(w)", "print(kept)"), []
    )
    assert len(set(printed.split("tensor("))) == 11
    assert np.isfinite(float(printed.split("tensor(")[1].split(")")[0]))


@pytest.mark.parametrize("change", ["y.zero_()", "y[0] = 1", "torch.no_grad()(y.fill_)(2)"])
@pytest.mark.parametrize("loss", ["cross_entropy(x @ w, y)", "nll_loss(torch.log_softmax(x @ w, 1), y)"])
def test_targets_that_change_before_backward_are_noticed(loss: str, change: str) -> None:
    source = f"""
import torch
torch.manual_seed(0)
x, y, w = torch.randn(4, 3), torch.tensor([0, 2, 1, 1]), torch.randn(3, 3, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
def change(step):
    if step == 9:
        {change}
def train(step, between):
    optimizer.zero_grad()
    loss = torch.nn.functional.{loss}
    if between:
        change(step)
    loss.backward()
    optimizer.step()
    return loss.item()
for step in range(12):
    {{body}}
"""
    held_against_eager(source.format(body="change(step)\n    print(train(step, False))"))
    _, _, ended = executed(source.format(body="print(train(step, True))"), [])
    assert ended is not None
    assert "[torch.LongTensor [4]] is at version 1; expected version 0 instead" in ended[1]
