"""Training loops in the ways that people write them: each is replayed, and is what it would be."""

from __future__ import annotations

import pytest

from tests.engine.replay.test_replay import held_against_eager

START = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
X, Y = torch.randn(12, 3), torch.rand(12, 1)
model = nn.Sequential(nn.Linear(3, 8), nn.{activation}, nn.Linear(8, 1))
criterion = nn.{loss}
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
history = []
"""
MANUAL = """
import torch
torch.manual_seed(0)
x = torch.linspace(-3, 3, 50)
y = torch.sin(x)
a, b, c = (torch.randn((), requires_grad=True) for _ in range(3))
for t in range(30):
    y_pred = a + b * x + c * x ** 2
    loss = (y_pred - y).pow(2).mean()
    if t % 10 == 9:
        print(t, loss.item())
    loss.backward()
    with torch.no_grad():
        a -= 0.01 * a.grad
        b -= 0.01 * b.grad
        c -= 0.01 * c.grad
        {clear}
print(a.item(), b.item(), c.item())
"""
STEP = """
def train_step(model, x, y):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    {clip}
    optimizer.step()
    return loss.item()
for epoch in range(15):
    value = train_step(model, X, Y)
    if epoch % 5 == 0:
        print(f"{{epoch}}: {{value:.6f}}", {extra})
"""
WHOLE = """
def train(model, x, y, epochs, lr=0.05):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = torch.zeros(epochs)
    for epoch in range(epochs):
        pred = model(x)
        loss = criterion(pred, y)
        losses[epoch] = loss.item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            history.append(((pred > 0.5) == (y > 0.5)).float().mean().item())
    return losses
def main():
    print(train(model, X, Y, 12)[-1], train(model, X, Y, 12, 0.01))
if __name__ == "__main__":
    main()
"""
LOADER = """
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(X, Y), batch_size=5, shuffle=True)
def evaluate():
    model.eval()
    with torch.no_grad():
        return sum(criterion(model(x), y).item() for x, y in loader)
for epoch in range(8):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * x.size(0)
    print(epoch, total / len(loader.dataset), evaluate())
"""
ADDED = """
for i in range(24):
    k = i % 3
    x, y = X[k * 4 : k * 4 + 4], Y[k * 4 : k * 4 + 4]
    loss = criterion(model(x), y) / 3
    loss.backward()
    if (i + 1) % 3 == 0:
        optimizer.step()
        optimizer.zero_grad()
print(model[0].weight, loss)
"""
TRAINER = """
class Trainer:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.opt = torch.optim.SGD(model.parameters(), lr=0.05)
        self.schedule = torch.optim.lr_scheduler.StepLR(self.opt, 4)
    def step(self, x, y):
        self.opt.zero_grad()
        loss = criterion(self.model(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()
    def fit(self, x, y, epochs):
        for epoch in range(epochs):
            self.losses.append(self.step(x, y))
            self.schedule.step()
trainer = Trainer(model)
trainer.fit(X, Y, 15)
print(trainer.losses)
"""
TWO_TRAINERS = """
class Trainer:
    def __init__(self, model, lr):
        self.model, self.opt, self.scale = model, torch.optim.SGD(model.parameters(), lr=lr), 1.0
    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.scale * ((self.model(x) - y) ** 2).mean()
        loss.backward()
        self.opt.step()
        return loss
one = Trainer(model, 0.1)
other = Trainer(nn.Sequential(nn.BatchNorm1d(3), nn.Linear(3, 1)), 0.2)
norm = other.model[0]
for i in range(40):
    print(one.step(X, Y), other.step(X, Y) if i % 3 == 0 else None)
    print(norm.running_mean, norm.num_batches_tracked._version)
    if i == 20:
        one.scale = 2.0
    if i == 25:
        one.model = nn.Linear(3, 1)
    if i in (30, 33):
        norm.train(i == 33)
        norm.momentum = 0.5
    if i == 36:
        norm.register_forward_hook(lambda m, given, out: out * 2)
"""
ITSELF = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(3, 2), nn.Linear(2, 3)
        self.opt = torch.optim.Adam(self.parameters(), lr=0.05)
    def encode(self, x):
        return torch.tanh(self.encoder(x))
    def forward(self, x):
        z = self.encode(x)
        return self.decoder(z), z
    def fit(self, x, epochs):
        for epoch in range(epochs):
            made, z = self(x)
            loss = F.mse_loss(made, x) + 0.1 * (z ** 2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if epoch % 4 == 0:
                print(epoch, loss.item(), z.abs().max().item())
model = Net()
model.fit(X, 15)
"""
SQUEEZED = """
wanted = Y.squeeze(-1).round()
for epoch in range(15):
    logits = model(X).squeeze(-1)
    loss = F.binary_cross_entropy_with_logits(logits, wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(((logits > 0) == (Y.squeeze(-1) > 0.5)).float().mean().item(), logits)
"""
ONE_BY_ONE = """
for epoch in range(3):
    for x, y in zip(X, Y):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
print(loss)
"""
BARE = """
for _ in range(60):
    {before}
    loss = criterion(model(X), Y)
    loss.backward()
    {between}
    optimizer.step()
    {after}
print(loss, model[0].weight, model[0].weight.grad, model[0].weight._version, optimizer.state_dict())
"""
CLEAR = "optimizer.zero_grad()"


def begun(activation: str = "ReLU()", loss: str = "MSELoss()") -> str:
    return START.format(activation=activation, loss=loss)


SCRIPTS = {
    "by hand": MANUAL.format(clear="a.grad = b.grad = c.grad = None"),
    "by hand, to zero": MANUAL.format(clear="a.grad.zero_(); b.grad.zero_(); c.grad.zero_()"),
    "a step": begun() + STEP.format(clip="pass", extra="value"),
    "clipped": begun() + STEP.format(clip="nn.utils.clip_grad_norm_(model.parameters(), 0.1)", extra="model[0].bias"),
    "clipped each": begun() + STEP.format(clip="nn.utils.clip_grad_value_(model.parameters(), 0.01)", extra="Y[0]"),
    "dropout": begun("Dropout(0.3)") + STEP.format(clip="pass", extra="torch.rand(1)"),
    "a function": begun() + WHOLE,
    "classes": begun("LeakyReLU(0.1)", "BCEWithLogitsLoss()") + WHOLE,
    "batches": begun("Tanh()") + LOADER,
    "a trainer": begun() + TRAINER,
    "two trainers": begun() + TWO_TRAINERS,
    "a module that trains itself": begun() + ITSELF,
    "squeezed": begun() + SQUEEZED,
    "one by one": begun() + ONE_BY_ONE,
    "added up": begun("Sigmoid()") + ADDED,
    "bare": begun() + BARE.format(before=CLEAR, between="", after=""),
    "bare, cleared after": begun() + BARE.format(before="", between="", after=CLEAR),
    "bare, cleared between": begun() + BARE.format(before="", between=CLEAR, after=""),
    "bare, never cleared": begun() + BARE.format(before="", between="", after=""),
    "bare, a rate": begun("Linear(8, 8)").replace("history", "rate = torch.optim.lr_scheduler.StepLR(optimizer, 9)\nh")
    + BARE.format(before=CLEAR, between="", after="rate.step()"),
}


@pytest.mark.parametrize("source", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_it_is_replayed(source: str) -> None:
    (loop, *_) = held_against_eager(source)
    assert loop.tally.replayed > 3


REFUSED = {
    "what a module holds prints": """
def say(x):
    print("here")
    return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.say = nn.Linear(3, 1), say
    def forward(self, x):
        return self.say(self.fc(x))
model = Net()
""",
    "what forward prints": """
def say(x):
    print("here")
    return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
    def forward(self, x):
        return say(self.fc(x))
model = Net()
""",
    "a number of the program's": """
factor = torch.ones(1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)
    def forward(self, x):
        return self.fc(x) * factor
model = Net()
""",
    "a method that is replaced": "model.forward = lambda x: x.sum(1, keepdim=True) * model[0].bias.sum()\n",
    "a function that is replaced": "F.mse_loss = lambda a, b, reduction: print('no') or ((a - b) ** 2).sum()\n",
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED.keys())
def test_it_is_not_replayed(change: str) -> None:
    source = begun() + change + "optimizer = torch.optim.SGD(model.parameters(), lr=0.05)\n"
    for loop in held_against_eager(source + STEP.format(clip="pass", extra="value")):
        assert loop.tally.replayed == 0


def test_what_goes_back_finds_what_it_read() -> None:
    source = (
        begun()
        + """
for i in range(14):
    x = X * 1
    optimizer.zero_grad()
    x = torch.tanh(model(x))
    x = torch.tanh(x * 2)
    loss = (x ** 2).mean()
    loss.backward()
    if i % 4 == 3:
        history.append(model[0].weight.grad)  # which cannot be used again
    optimizer.step()
    print(x.sum().item())
print(history)
"""
    )
    (loop,) = held_against_eager(source)
    assert loop.tally.replayed > 3


def test_random_numbers_go_back_with_an_iteration() -> None:
    source = begun("Dropout(0.4)").replace("nn.Linear(8, 1))", "nn.Linear(8, 1), nn.Dropout(0.1))")
    source += """
for i in range(20):
    optimizer.zero_grad()
    pred = model(X)
    loss = criterion(pred, Y)
    loss.backward()
    if i == 5:
        history.append(model[0].weight.grad)
    optimizer.step()
    print(loss.item(), torch.rand(1))
"""
    (loop,) = held_against_eager(source)
    assert loop.tally.missed == 3  # until it is recorded anew, in arrays that nobody holds


def test_a_probability_that_is_none_is_told_as_always() -> None:
    source = """
import torch
w = torch.tensor([0.2, 0.4], requires_grad=True)
y = torch.tensor([1.0, 0.0])
optimizer = torch.optim.SGD([w], lr=0.05)
for i in range(100):
    optimizer.zero_grad()
    p = w * 1.0
    loss = torch.nn.functional.binary_cross_entropy(p, y, reduction="sum")
    loss.backward()
    optimizer.step()
print(w)
"""
    (loop,) = held_against_eager(source)
    assert loop.tally.replayed > 3


def test_a_gradient_that_is_kept_is_not_written_to_where_another_takes_its_place() -> None:
    source = begun()
    source += """
weight = model[0].weight
for i in range(14):
    optimizer.zero_grad()
    weight.grad = torch.ones(8, 3) if i % 3 == 0 else None
    loss = criterion(model(X), Y)
    loss.backward()
    optimizer.step()
    history.append(weight.grad)
print(history)
"""
    held_against_eager(source)


def test_velocities_that_an_iteration_as_always_moved_are_used() -> None:
    source = begun()
    source += """
for i in range(14):
    x, y = (X[:5], Y[:5]) if i % 4 == 3 else (X, Y)
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
print(loss, model[0].weight)
"""
    (loop,) = held_against_eager(source)
    assert loop.tally.replayed > 3
