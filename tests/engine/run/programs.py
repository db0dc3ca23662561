"""Scripts and commands for the tests of runs."""

from __future__ import annotations

from hypothesis import strategies as st

from app.library import scenarios
from engine.run import Command, Run

NESTED = """\
import torch

torch.manual_seed(3)
w = torch.randn(2, requires_grad=True)
data = [(torch.tensor([1.0, 2.0]), torch.tensor(1.0)), (torch.tensor([0.0, 1.0]), torch.tensor(-1.0))]
opt = torch.optim.Adam([w], lr=0.1)
for epoch in range(3):
    total = 0.0
    for x, y in data:
        opt.zero_grad()
        pred = (w * x).sum()
        loss = (pred - y) ** 2
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"epoch {epoch}: {total:.4f}")
print("done")
"""

ACCUMULATING = """\
import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1, momentum=0.5)
step = 0
while step < 8:
    x = torch.tensor([float(step), 1.0])
    loss = ((w * x).sum() - 1.0) ** 2 / 2
    loss.backward()
    if step % 2 == 1:
        opt.step()
        opt.zero_grad()
    step += 1
print(w.tolist())
"""

BY_HAND = """\
import torch

w = torch.tensor(2.0, requires_grad=True)
for k in range(5):
    y = w ** 3 + w
    y.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad.zero_()
    print(k, round(w.item(), 5))
"""

IN_A_FUNCTION = """\
import torch

w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)


def train(n):
    for k in range(n):
        opt.zero_grad()
        loss = (w - 1) ** 2
        loss.backward()
        opt.step()
        print(k, f"{loss.item():.4f}")
    return n


n = train(4)
print("trained", n)
"""

NO_LOOP = """\
import torch

w = torch.tensor(2.0, requires_grad=True)
y = w * 3
y.backward()
print(w.grad)
"""

TWO_OPTIMIZERS = """\
import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(1)
G = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
D = nn.Sequential(nn.Linear(1, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))
opt_g = optim.Adam(G.parameters(), lr=0.01)
opt_d = optim.Adam(D.parameters(), lr=0.01)
bce = nn.BCEWithLogitsLoss()
for step in range(5):
    real = torch.randn(8, 1) + 3
    noise = torch.randn(8, 2)
    fake = G(noise)
    opt_d.zero_grad()
    d_loss = bce(D(real), torch.ones(8, 1)) + bce(D(fake.detach()), torch.zeros(8, 1))
    d_loss.backward()
    opt_d.step()
    opt_g.zero_grad()
    g_loss = bce(D(fake), torch.ones(8, 1))
    g_loss.backward()
    opt_g.step()
    print(f"{step} D {d_loss.item():.4f} G {g_loss.item():.4f}")
"""

BATCHES = """\
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import TensorDataset, DataLoader

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self, hidden=6):
        super().__init__()
        self.fc1 = nn.Linear(3, hidden)
        self.fc2 = nn.Linear(hidden, 2)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        return self.fc2(x)


X = torch.randn(12, 3)
y = (X.sum(1) > 0).long()
loader = DataLoader(TensorDataset(X, y), batch_size=4, shuffle=True)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
for epoch in range(3):
    running = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        out = model(xb)
        loss = F.cross_entropy(out, yb)
        loss.backward()
        optimizer.step()
        running += loss.item()
    scheduler.step()
    print(f"epoch {epoch}: {running / len(loader):.4f} lr {scheduler.get_last_lr()[0]:.4f}")
"""

BREAKING = """\
import torch

w = torch.ones(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(10):
    opt.zero_grad()
    loss = (w ** 2).sum()
    if i == 1:
        print("skipped")
        continue
    if loss.item() < 1.5:
        print("enough")
        break
    loss.backward()
    opt.step()
else:
    print("never")
print(i, f"{loss.item():.4f}")
"""

HELPER = """\
import torch

w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)


def train_step(k):
    opt.zero_grad()
    loss = (w - k) ** 2
    print("before", k)
    loss.backward()
    opt.step()
    return loss.item()


for k in range(5):
    value = train_step(k)
    print(k, round(value, 4))
print("over")
"""

METHODS = """\
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(2, 2)

    def forward(self, x):
        h = self.a(x)
        print("h", round(h.sum().item(), 4))
        return h.relu().sum()


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.seen = 0

    def step(self, x):
        self.opt.zero_grad()
        loss = self.net(x)
        loss.backward()
        self.opt.step()
        self.seen += 1
        return loss.item()


trainer = Trainer(Net())
for k in range(4):
    value = trainer.step(torch.ones(2) * k)
    print(k, round(value, 4))
print(trainer.seen)
"""

DECORATED = """\
import torch

torch.manual_seed(1)
w = torch.randn(2, requires_grad=True)
x = torch.tensor([1.0, 2.0])


@torch.no_grad()
def update(rate):
    for p in [w]:
        p -= rate * p.grad
        p.grad.zero_()


@torch.inference_mode()
@torch.no_grad
def evaluate(k, deeper=True):
    y = (w * x).sum()
    if deeper:
        evaluate(k, False)
    if k == 2:
        raise ValueError("two")
    print(k, y.requires_grad, torch.is_grad_enabled())
    return y.item()


class Trainer:
    @torch.enable_grad()
    def train_step(self, k):
        loss = ((w * x).sum() - k) ** 2
        loss.backward()
        print("grad", w.grad.tolist())
        return loss


t = Trainer()
with torch.no_grad():
    for k in range(4):
        loss = t.train_step(k)
        update(0.1)
        try:
            value = evaluate(k)
        except ValueError as error:
            print(error)
        print(value, torch.is_grad_enabled())
print(w.tolist(), torch.is_grad_enabled())
"""

NOTED = """\
import torch

kept = []
w = torch.tensor([1.0, -2.0], requires_grad=True)
w.best, w.rate = None, 0.1
hooks = torch.autograd.graph.saved_tensors_hooks(lambda x: (kept.append(x.numel()), x)[1], lambda x: x)
for step in range(6):
    with hooks:
        loss = (w * w).exp().mean()
    loss.backward()
    with torch.no_grad():
        w -= w.rate * w.grad
    w.grad = None
    w.rate *= 0.9
    w.best = loss.detach() if w.best is None or loss < w.best else w.best
    print(step, w.rate, w.best, kept)
"""

LEFT_EARLY = """\
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
def batches(n):
    try:
        for i in range(n):
            yield torch.full((2,), float(i))
    finally:
        print("closed", n)
def first(n):
    for b in batches(n):
        if b[0] > 0:
            return b
for step in range(4):
    x = first(step + 3)
    opt.zero_grad()
    loss = ((w - x) ** 2).sum()
    loss.backward()
    opt.step()
    try:
        if loss > 1:
            raise ExceptionGroup("large", [ValueError(step)])
    except* ValueError as group:
        print(step, group.exceptions)
print("end")
"""

AWAITING = """\
import asyncio
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
async def load(i):
    await asyncio.sleep(0.01 * (3 - i % 3))
    return torch.full((2,), float(i))
async def stream(n):
    for i in range(n):
        yield await load(i)
async def total(n):
    return sum([x async for x in stream(n)])
for epoch in range(3):
    x = asyncio.run(total(epoch + 2))
    opt.zero_grad()
    loss = ((w - x) ** 2).sum()
    loss.backward()
    opt.step()
    print(epoch, loss.item())
"""

SPARSE_TABLE = """\
import torch
import torch.nn as nn

torch.manual_seed(2)
w = torch.ones(2, requires_grad=True)
words = nn.Embedding(5, 2, sparse=True)
opt = torch.optim.SparseAdam(words.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = ((words(torch.tensor([i, 1, 1])) * w).sum(1) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    print(i, loss.item(), words.weight.grad._nnz())
"""

SOURCES = {
    "left-early": LEFT_EARLY,
    "awaiting": AWAITING,
    # The network at full size has tests of its own: thousands of its moments would fill these.
    **{slug: scenario.source for slug, scenario in scenarios().items() if slug != "tutorial-mlp"},
    "nested": NESTED,
    "accumulating": ACCUMULATING,
    "by-hand": BY_HAND,
    "in-a-function": IN_A_FUNCTION,
    "no-loop": NO_LOOP,
    "two-optimizers": TWO_OPTIMIZERS,
    "batches": BATCHES,
    "breaking": BREAKING,
    "helper": HELPER,
    "methods": METHODS,
    "decorated": DECORATED,
    "noted": NOTED,
    "sparse-table": SPARSE_TABLE,
}

presses = st.sampled_from(["zero_grad", "forward", "backward", "step"]).map(Command)
others = st.one_of(
    st.sampled_from(
        [
            Command("next"),
            Command("next", times=3),
            Command("into"),
            Command("out"),
            Command("skip"),
            Command("run"),
            Command("run", times=2),
        ]
    ),
    st.sampled_from(
        [
            "w.grad",
            "w = w + 0",
            "loss.backward(retain_graph=True)",
            "1 / 0",
            "q = 3",
            "print('hello')",
            "opt.zero_grad(set_to_none=False)",
        ]
    ).map(lambda text: Command("statement", statement=text)),
)
commands = st.lists(st.one_of(presses, presses, presses, others), max_size=9)


def printed(run: Run) -> str:
    """All that a run printed, with its errors as the transcript prints them."""
    if not any(summary.failed for summary in run.summaries()):
        return run.printed(run.last, 1_000_000)  # without computing again the moments that are not kept
    text = ""
    for number in range(run.last + 1):
        moment = run.moment(number)
        text += moment.stdout
        if moment.error is not None:
            text += f"{moment.error.type}: {moment.error.message}\n"
    return text
