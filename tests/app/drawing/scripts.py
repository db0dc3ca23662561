"""Scripts whose graphs are large enough to need parts."""

from __future__ import annotations

from functools import cache

from engine.run import Command, Run

DEEP = """import torch
from torch import nn
torch.manual_seed(0)

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x):
        return x + torch.relu(self.norm(self.fc(x)))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 4)
        self.blocks = nn.ModuleList([Block() for _ in range(12)])
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        x = torch.relu(self.head(x))
        for block in self.blocks:
            x = block(x)
        return self.out(x)

model = Net()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
x, y = torch.randn(6, 3), torch.randn(6, 1)
for epoch in range(20):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
"""

CHAIN = """import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
def long(y):
    for k in range(500):
        y = y * 1.001
        y = torch.tanh(y)
    return y
for i in range(5):
    opt.zero_grad()
    loss = (long(w) - 2) ** 2
    loss.backward()
    opt.step()
"""

HAND = (
    """import torch
torch.manual_seed(0)
"""
    + "".join(
        f"w{n}, b{n} = (torch.randn(8, 8) * 0.4).requires_grad_(), torch.zeros(8, requires_grad=True)\n"
        for n in range(12)
    )
    + f"""opt = torch.optim.SGD([{", ".join(f"w{n}, b{n}" for n in range(12))}], lr=0.01)
x, y = torch.randn(4, 8), torch.randn(4, 8)
for step in range(5):
    opt.zero_grad()
    h0 = torch.relu(x @ w0 + b0)
"""
    + "".join(
        f"    z{n} = h{n - 1} @ w{n} + b{n}\n    h{n} = torch.{'relu' if n % 3 else 'tanh'}(z{n})\n"
        for n in range(1, 12)
    )
    + """    loss = ((h11 - y) ** 2).mean()
    loss.backward()
    opt.step()
"""
)
"""Twelve layers without a module, each with parameters of its own."""

UNET = """import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1 = nn.Conv2d(1, 2, 3, padding=1)
        self.down2 = nn.Conv2d(2, 4, 3, padding=1)
        self.down3 = nn.Conv2d(4, 8, 3, padding=1)
        self.up3 = nn.Conv2d(8, 4, 3, padding=1)
        self.up2 = nn.Conv2d(8, 2, 3, padding=1)
        self.up1 = nn.Conv2d(4, 2, 3, padding=1)
        self.out = nn.Conv2d(2, 1, 1)

    def forward(self, x):
        a = F.relu(self.down1(x))
        b = F.relu(self.down2(F.max_pool2d(a, 2)))
        c = F.relu(self.down3(F.max_pool2d(b, 2)))
        u = F.interpolate(F.relu(self.up3(c)), scale_factor=2)
        u = F.relu(self.up2(torch.cat([u, b], 1)))
        u = F.interpolate(u, scale_factor=2)
        return self.out(F.relu(self.up1(torch.cat([u, a], 1))))

net = Net()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x, y = torch.randn(1, 1, 16, 16), torch.rand(1, 1, 16, 16)
for step in range(5):
    opt.zero_grad()
    loss = F.mse_loss(net(x)[:, :, ::2, ::2], y[:, :, ::2, ::2])
    loss.backward()
    opt.step()
"""

SHARED = """import torch
from torch import nn
torch.manual_seed(0)
cell = nn.LSTMCell(2, 3)
seq = torch.randn(10, 2, 2)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
def unroll():
    h = c = torch.zeros(2, 3)
    for t in range(10):
        h, c = cell(seq[t], (h, c))
    return h
for i in range(5):
    opt.zero_grad()
    loss = unroll().sum()
    loss.backward()
    opt.step()
"""

LINES = """import torch
torch.manual_seed(0)
w1 = torch.randn(4, 3, requires_grad=True)
b1 = torch.zeros(4, requires_grad=True)
w2 = torch.randn(2, 4, requires_grad=True)
x, y = torch.randn(5, 3), torch.randn(5, 2)
opt = torch.optim.SGD([w1, b1, w2], lr=0.05)
for i in range(10):
    opt.zero_grad()
    h = torch.tanh(x @ w1.t() + b1)
    g = torch.sigmoid(h * h + h - 1)
    out = torch.relu(g @ w2.t()) * 2
    mse = ((out - y) ** 2).mean()
    reg = (w1 ** 2).sum() + (w2 ** 2).sum()
    loss = mse + 0.01 * reg
    loss.backward()
    opt.step()
"""

SMALL = """import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(4, 2), torch.randn(4, 1)
for i in range(5):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
"""


@cache
def pressed(source: str) -> Run:
    """A run of `source` after its first zero_grad, forward and backward."""
    run = Run(source, seed=0)
    run.begin()
    for do in ("zero_grad", "forward", "backward"):
        run.execute(Command(do))  # type: ignore[arg-type]
        assert run.moment(run.last).error is None
    return run
