"""The training loop and its phases, found in the text of scripts as people write them."""

from __future__ import annotations

import pytest

from engine.run import Command, Run
from engine.script.reading.source import read_script

SETUP = """\
import torch
from torch import nn
model = nn.Linear(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
X, Y = torch.randn(8, 1), torch.randn(8, 1)
"""
MANUAL = """\
import torch
w = torch.tensor(1.0, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
X, Y = torch.randn(8), torch.randn(8)
"""
CASES = {
    "plain": (
        SETUP,
        """\
for i in range(3):
    out = model(X)
    loss = criterion(out, Y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
""",
        [("forward", [2, 3]), ("zero_grad", [4]), ("backward", [5]), ("step", [6])],
    ),
    "batch lines stay plain": (
        SETUP,
        """\
for epoch in range(2):
    for i in range(4):
        idx = torch.randint(8, (2,))
        xb, yb = X[idx], Y[idx]
        loss = criterion(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
""",
        [("forward", [5]), ("zero_grad", [6]), ("backward", [7]), ("step", [8])],
    ),
    "by hand in no_grad": (
        MANUAL,
        """\
for i in range(3):
    pred = w * X + b
    loss = ((pred - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad.zero_()
    b.grad = None
""",
        [("forward", [2, 3]), ("backward", [4]), ("step", [5, 6, 7]), ("zero_grad", [8, 9])],
    ),
    "by functions of the script": (
        MANUAL
        + """\
@torch.no_grad()
def sgd(params, lr):
    for p in params:
        p -= lr * p.grad
        p.grad.zero_()
def predict(x):
    return w * x + b
""",
        """\
for i in range(3):
    loss = ((predict(X) - Y) ** 2).mean()
    loss.backward()
    sgd([w, b], 0.1)
    predict(X)
""",
        [("forward", [2]), ("backward", [3]), ("step", [4])],
    ),
    "by hand through data": (
        MANUAL,
        """\
for x, y in zip(X, Y):
    l = (w * x - y) ** 2
    l.backward()
    w.data = w.data - 0.01 * w.grad.data
    w.grad.data.zero_()
""",
        [("forward", [2]), ("backward", [3]), ("step", [4]), ("zero_grad", [5])],
    ),
    "loss in one statement": (
        SETUP,
        """\
for i in range(3):
    opt.zero_grad()
    criterion(model(X), Y).backward()
    opt.step()
""",
        [("zero_grad", [2]), ("backward", [3]), ("step", [4])],
    ),
    "gradient accumulation": (
        SETUP,
        """\
for i in range(8):
    loss = criterion(model(X[i]), Y[i]) / 4
    loss.backward()
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
""",
        [("forward", [2]), ("backward", [3]), ("step", [5]), ("zero_grad", [6])],
    ),
    "inside a function": (
        SETUP,
        """\
def train(n):
    for i in range(n):
        opt.zero_grad()
        loss = criterion(model(X), Y)
        loss.backward()
        opt.step()
train(3)
""",
        [("zero_grad", [3]), ("forward", [4]), ("backward", [5]), ("step", [6])],
    ),
    "scheduler is not an optimizer": (
        SETUP,
        """\
scheduler = torch.optim.lr_scheduler.StepLR(opt, 1)
for i in range(3):
    loss = criterion(model(X), Y)
    loss.backward()
    opt.step()
    opt.zero_grad()
    scheduler.step()
""",
        [("forward", [3]), ("backward", [4]), ("step", [5]), ("zero_grad", [6])],
    ),
    "while": (
        SETUP,
        """\
loss = None
while loss is None or loss.item() > 0.1:
    loss = criterion(model(X), Y)
    loss.backward()
    opt.step()
    model.zero_grad()
""",
        [("forward", [3]), ("backward", [4]), ("step", [5]), ("zero_grad", [6])],
    ),
}
GAN = """\
import torch
from torch import nn
G, D = nn.Linear(2, 2), nn.Linear(2, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for step in range(3):
    real = torch.randn(4, 2)
    noise = torch.randn(4, 2)
    fake = G(noise)
    loss_d = D(fake.detach()).mean() - D(real).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    loss_g = -D(fake).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
"""


@pytest.mark.parametrize("case", CASES)
def test_phases(case: str) -> None:
    setup, loop, expected = CASES[case]
    before = setup.count("\n")
    script = read_script(setup + loop)
    found = [
        (phase.id, [line - before for first, last in phase.lines for line in range(first, last + 1)])
        for phase in script.phases
    ]
    assert found == expected


BY_HAND = {
    "gradients with names": (
        """\
for t in range(3):
    h = X.mm(w1)
    pred = h.clamp(min=0).mm(w2)
    loss = (pred - Y).pow(2).sum().item()
    print(loss)
    grad_pred = 2.0 * (pred - Y)
    grad_w2 = h.t().mm(grad_pred)
    grad_h = grad_pred.mm(w2.t())
    grad_h[h < 0] = 0
    w1 -= 0.1 * grad_h
    w2 = w2 - 0.1 * grad_w2
""",
        [("forward", [2, 3, 4]), ("backward", [6, 7, 8, 9]), ("step", [10, 11])],
        "loss",
    ),
    "a class with a backward of its own": (
        """\
class Adaline:
    def forward(self, x):
        return x @ self.weights + self.bias
    def backward(self, x, yhat, y):
        return -(x.t() @ (yhat - y)), -(yhat - y).sum()
def train(model, x, y, lr):
    for epoch in range(3):
        yhat = model.forward(x)
        nw, nb = model.backward(x, yhat, y)
        model.weights += lr * nw
        model.bias += lr * nb
train(Adaline(), X, Y, 0.1)
""",
        [("forward", [8]), ("backward", [9]), ("step", [10, 11])],
        None,
    ),
    "the gradient within the step": (
        """\
class Model:
    def fit(self, X, y):
        for i in range(3):
            errors = y - X @ self.w
            self.w[1:] += self.eta * X.T @ errors
            self.costs.append((errors ** 2).sum())
Model().fit(X, Y)
""",
        [("forward", [4]), ("step", [5])],
        None,
    ),
    "methods that say what they do": (
        """\
class Net:
    def feedforward(self, x): self.out = x @ self.w
    def backprop(self, y): self.dw = self.x.T @ (self.out - y)
    def update(self, lr): self.w -= lr * self.dw
net = Net()
for epoch in range(3):
    net.feedforward(X)
    error = np.mean((net.out - Y) ** 2)
    net.backprop(Y)
    net.update(0.1)
    print(net.out)
""",
        [("forward", [7, 8]), ("backward", [9]), ("step", [10])],
        None,
    ),
    "functions of a course": (
        """def forward_propagation(X, p): return p["w"] @ X, X
def backward_propagation(p, cache, Y): return {"dw": 1}
def update_parameters(p, grads): return {"w": p["w"] - 0.1 * grads["dw"]}
for i in range(3):
    A, cache = forward_propagation(X, parameters)
    cost = compute_cost(A, Y)
    grads = backward_propagation(parameters, cache, Y)
    parameters = update_parameters(parameters, grads)
""",
        [("forward", [5, 6]), ("backward", [7]), ("step", [8])],
        "cost",
    ),
    "layers in turn, there and back": (
        """class Dense:
    def forward(self, x): return self.w @ x
    def backward(self, grad, lr):
        self.w -= lr * grad @ self.x.T
        return self.w.T @ grad
for epoch in range(3):
    output = X
    for layer in layers:
        output = layer.forward(output)
    grad = output - Y
    for layer in reversed(layers):
        grad = layer.backward(grad, 0.1)
""",
        [("forward", [7, 8, 9]), ("backward", [10, 11, 12])],
        None,
    ),
    "a method that the loop calls": (
        """class Net:
    def forward(self, x): return x @ self.w
    def backward(self, x, y, o): self.w += x.T @ (y - o)
    def train(self, x, y):
        o = self.forward(x)
        self.backward(x, y, o)
net = Net()
for i in range(3):
    net.train(X, Y)
""",
        [("forward", [5]), ("backward", [6])],
        None,
    ),
    "what is called so and is not the script's own": (
        """def update(frame): return frame
for i in range(3):
    page.back()
    image = ImageChops.gradient(i)
    update(image)
""",
        [],
        None,
    ),
    "counters, averages and motion are no steps": (
        """\
for i in range(3):
    loss = f(X)
    total += loss * len(X)
    average = average + 0.1 * loss
    speed = speed + 0.5 * force(place)
    place = place + 0.5 * speed
""",
        [],
        None,
    ),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_gradients_that_the_script_works_out_itself(case: str) -> None:
    text, expected, loss = BY_HAND[case]
    script = read_script(text)
    found = [
        (phase.do, [line for first, last in phase.lines for line in range(first, last + 1)]) for phase in script.phases
    ]
    assert (found, script.root, script.by_hand) == (expected, loss, bool(expected))


def test_presses_without_autograd() -> None:
    run = Run(
        """\
import torch
x, y, w, lr = torch.tensor([1.0, 2.0]), torch.tensor([2.0, 4.0]), torch.zeros(1), 0.1
for i in range(3):
    loss = ((w * x - y) ** 2).mean()
    grad_w = (2 * (w * x - y) * x).mean()
    w = w - lr * grad_w
"""
    )
    run.begin()
    told = []
    for do in ("forward", "backward", "step"):
        run.execute(Command(do))
        told.append(run.moment(run.last).explanation)
    assert [(one.lead, one.text) for one in told] == [
        ("forward", "forward: loss = 10."),
        ("backward", "backward: grad_w = −10. The script works this gradient out itself: no .grad has changed."),
        ("step", "step: w went from 0 to 1."),
    ]
    assert [list(row.values.values()) for row in run.series().rows] == [[10.0]]


def test_two_of_each() -> None:
    script = read_script(GAN)
    assert [phase.id for phase in script.phases] == [
        "forward",
        "zero_grad",
        "backward",
        "step",
        "forward-2",
        "zero_grad-2",
        "backward-2",
        "step-2",
    ]
    assert script.root == "loss_d"


def test_no_loop() -> None:
    script = read_script("import torch\nx = torch.ones(1, requires_grad=True)\nx.sum().backward()\n")
    assert script.loop is None
    assert script.phases == ()


def test_cells() -> None:
    script = read_script("import torch\n# %% Data\nx = 1\n# %% [markdown] About\n# Some *text*\n# more\n# %%\ny = 2\n")
    assert [(cell.title, cell.kind, cell.line, cell.end_line, cell.text) for cell in script.cells] == [
        ("", "code", 1, 1, "import torch"),
        ("Data", "code", 2, 3, "x = 1"),
        ("About", "markdown", 4, 6, "Some *text*\nmore"),
        ("", "code", 7, 9, "y = 2"),
    ]


THROUGH = {
    "a helper": (
        """\
def train_step(x, y):
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
for i in range(3):
    print(train_step(X, Y))
    value = train_step(X, Y)
""",
        8,
    ),
    "a helper whose losses are collected": (
        """\
def train_step(x, y):
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
total = 0.0
for i in range(3):
    total += train_step(X, Y) / 3
""",
        9,
    ),
    "a helper in what is asked": (
        """\
def train_step(x, y):
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
    return loss.item()
for i in range(3):
    if train_step(X, Y) < 0.1:
        break
""",
        8,
    ),
    "a decorated helper": (
        """\
@torch.enable_grad()
def train_step(x, y):
    opt.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    opt.step()
with torch.no_grad():
    for i in range(3):
        train_step(X, Y)
""",
        9,
    ),
    "methods": (
        """\
class Trainer:
    def __init__(self):
        self.model, self.opt = model, opt
    def step(self, x, y):
        self.opt.zero_grad()
        loss = criterion(self.model(x), y)
        loss.backward()
        self.opt.step()
    def fit(self, n):
        for i in range(n):
            self.step(X, Y)
Trainer().fit(2)
""",
        11,
    ),
}


@pytest.mark.parametrize("case", THROUGH)
def test_phases_behind_calls(case: str) -> None:
    text, called_at = THROUGH[case]
    script = read_script(SETUP + text)
    before = SETUP.count("\n")
    assert [phase.id for phase in script.phases] == ["zero_grad", "forward", "backward", "step"]
    assert [call.lineno - before for call, _ in script.reach.chain] == [called_at]
    run = Run(SETUP + text)
    run.begin()
    assert run.moment(run.last).next_line == script.loop.lineno
    for do in ("zero_grad", "forward", "backward", "step", "forward", "backward"):
        run.execute(Command(do))
        moment = run.moment(run.last)
        assert (moment.do, moment.error) == (do, None)
    assert moment.iteration == 2  # step, then forward: the function is called anew
    run.execute(Command("backward", times=1))
    assert run.moment(run.last).error is not None  # twice
    assert Run.replay(run.source, run.seed, run.commands).digest() == run.digest()
