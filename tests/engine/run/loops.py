"""Long training loops with much that has a state of its own, for the tests of checkpoints."""

from __future__ import annotations

HEAD = "import torch\nfrom torch import nn\n\ntorch.manual_seed(0)\n"
W = HEAD + "w = torch.tensor([1.0, 2.0], requires_grad=True)\n"
OPTIMIZE = "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"

DROPOUT = f"""{HEAD}
net = nn.Sequential(nn.Linear(2, 6), nn.BatchNorm1d(6), nn.Dropout(0.3), nn.Linear(6, 1))
opt = torch.optim.RMSprop(net.parameters(), lr=0.01, momentum=0.9)
plan = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: 0.99 ** k)
x = torch.randn(16, 2)
seen = {{"best": 1e9}}
def track(limit=[0]):
    def note(v):
        limit[0] += 1
        seen["best"] = min(seen["best"], v)
        return limit[0]
    return note
note = track()
for i in range(60):
    loss = net(x).pow(2).mean()
{OPTIMIZE}    plan.step()
    n = note(loss.item())
    if i % 9 == 0:
        print(n, seen)
"""
CLASSES = f"""import random
import numpy as np
from dataclasses import dataclass
{HEAD}
@dataclass
class Config:
    lr: float = 0.1
    seen: int = 0
class Base(nn.Module):
    made = 0
    def __init__(self):
        super().__init__()
        Base.made += 1
class Net(Base):
    def __init__(self, n):
        super().__init__()
        self.layer = nn.Linear(2, n)
        self.register_buffer("count", torch.zeros(1))
        self.history = []
    @property
    def size(self):
        return len(self.history)
    def forward(self, x):
        self.count += 1
        self.history.append(random.random())
        return torch.tanh(self.layer(x)).sum()
config = Config()
net = Net(3)
opt = torch.optim.Adam(net.parameters(), lr=config.lr)
rng = np.random.default_rng(3)
g = torch.Generator().manual_seed(5)
for i in range(60):
    config.seen += 1
    x = torch.tensor(rng.normal(size=(4, 2)), dtype=torch.float32) + torch.randn(4, 2, generator=g)
    loss = net(x) + np.random.rand()
{OPTIMIZE}    if i % 11 == 0:
        print(net.size, net.history[-1], Base.made, config, isinstance(net, Base), random.choice([1, 2, 3]))
"""
GENERATORS = f"""{W}
def batches(data):
    state = 0
    while True:
        for part in data:
            state += 1
            yield state, part
opt = torch.optim.Adagrad([w], lr=0.1)
stream = batches([1.0, 2.0, 3.0])
names = {{"a": 1, "b": 2}}
for k, (i, name) in enumerate(zip(range(60), [*"abc"] * 20)):
    n, part = next(stream)
    loss = (w * part - n % 3).pow(2).sum()
{OPTIMIZE}    names[name] = names.get(name, 0) + n
print(names)
"""
VIEWS = f"""{W}
opt = torch.optim.SGD([w], lr=0.01, momentum=0.9, nesterov=True)
table = torch.zeros(4, 3)
row, column, flat = table[1], table.t()[2], table.numpy()
for i in range(60):
    loss = ((w - row[:2]) ** 2).sum()
{OPTIMIZE}    row += 0.01
    column.mul_(0.9)
    flat[1, 0] += 0.5
    if i % 13 == 0:
        print(table[1], column, row._version)
"""
LBFGS = f"""{W}
opt = torch.optim.LBFGS([w], lr=0.1, max_iter=3)
for i in range(60):
    def closure():
        opt.zero_grad()
        loss = ((w - 0.5) ** 4).sum()
        loss.backward()
        return loss
    last = opt.step(closure)
"""
HOOKS = f"""{W}
opt = torch.optim.SGD([w], lr=0.01)
kept = []
handle = w.register_hook(lambda g: g * 0.5)
w.register_post_accumulate_grad_hook(lambda p: kept.append(float(p.sum())))
for i in range(60):
    mid = w * 2
    mid.retain_grad()
    loss = (mid ** 2).sum()
{OPTIMIZE}"""
BFLOAT16 = f"""{HEAD}
net = nn.Sequential(nn.Linear(2, 6), nn.ReLU(), nn.Linear(6, 3)).bfloat16()
opt = torch.optim.AdamW(net.parameters(), lr=0.01)
x, y = torch.randn(16, 2, dtype=torch.bfloat16), torch.arange(16) % 3
wide = nn.Linear(2, 1)
for i in range(60):
    loss = nn.functional.cross_entropy(net(x), y)
{OPTIMIZE}    with torch.autocast("cpu"):
        out = wide(x.float())
    if i % 9 == 0:
        print(i, loss.dtype, out.dtype, net[0].weight.grad.dtype, x[:1])
"""
TWO_LOOPS = f"""{W}
opt = torch.optim.SGD([w], lr=0.05)
for epoch in range(6):
    total = 0.0
    for i in range(12):
        opt.zero_grad()
        loss = (w * w).sum() * (i + 1) / 9
        loss.backward()
        opt.step()
        total += loss.item()
    print(epoch, total)
"""
CONTAINERS = f"""from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
{W}
Pair = namedtuple("Pair", "a b")
class Table(dict):
    def best(self):
        return max(self.values())
class Stack(list):
    pass
table, stack, last = Table(), Stack(), deque(maxlen=5)
counts, order, groups, seen = Counter(), OrderedDict(), defaultdict(list), set()
opt = torch.optim.SGD([w], lr=0.01)
for i, pair in enumerate(map(lambda k: Pair(k, [k]), range(60))):
    loss = (w * w).sum()
{OPTIMIZE}    table[i % 4] = loss.item()
    stack.append(pair)
    last.append((i, stack))
    counts[i % 3] += 1
    order[i] = pair.b
    groups["even" if i % 2 == 0 else "odd"].append(pair)
    seen.add(f"n{{i % 7}}")
    if i % 10 == 5:
        order.move_to_end(i - 1)
        print(table.best(), len(last[0][1]), counts.most_common(1), list(order)[-1], len(groups["odd"]), sorted(seen))
"""
FILES = f"""import csv, json, os, pickle
{W}
opt = torch.optim.SGD([w], lr=0.01)
log = open("log.txt", "w")
rows = csv.writer(open("rows.csv", "w", newline=""))
os.makedirs("kept", exist_ok=True)
best = 1e9
for i in range(60):
    loss = (w * w).sum()
{OPTIMIZE}    print(i, loss.item(), file=log)
    rows.writerow([i, loss.item()])
    with open("last.json", "w") as f:
        json.dump({{"i": i}}, f)
    with open("kept/w.pkl", "wb") as f:
        pickle.dump([w.detach().clone(), f"{{i}}"], f)
    if loss.item() < best and i % 7 == 0:
        best = loss.item()
        torch.save({{"w": w}}, f"kept/{{i}}.pt")
    seen = len(open("log.txt").readlines()), pickle.load(open("kept/w.pkl", "rb"))[1], sorted(os.listdir("kept"))[-1]
"""
OBJECTS = f"""import numpy as np
{W}
opt = torch.optim.SGD([w], lr=0.01)
memory = np.zeros(5, dtype=object)
recent = memory[1:3]
for i in range(60):
    loss = (w * (1 + i % 3)).pow(2).sum()
{OPTIMIZE}    memory[i % 5] = (i, w.detach().clone())
    kinds = memory == 0, recent.dtype == object, isinstance(memory, np.ndarray)
    if i % 9 == 0:
        print(memory, recent[0])
"""
PACKAGES = f"""import sys
import wandb
from loguru import logger
from omegaconf import OmegaConf
from prettytable import PrettyTable
from rich.console import Console
from torchmetrics import MeanMetric
{W}
config = OmegaConf.create({{"lr": 0.1, "last": {{"loss": None}}, "shown": "${{last.loss}}"}})
wandb.init(config=dict(lr=config.lr))
logger.remove()
logger.add(sys.stdout, format="{{message}}")
table, console, mean = PrettyTable(["step", "loss"]), Console(), MeanMetric()
near = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2))
opt = torch.optim.Adam([w], lr=config.lr)
for i in range(60):
    loss = torch.sparse.mm(near, w.unsqueeze(1)).pow(2).sum()
{OPTIMIZE}    config.last.loss = loss.item()
    mean.update(loss.item())
    wandb.log({{"loss": loss.item()}})
    table.add_row([i, f"{{loss.item():.3f}}"])
    if i % 9 == 0:
        logger.info("step {{}}: {{:.3f}}", i, config.shown)
        console.print(table[-1:], f"[b]{{mean.compute().item():.3f}}[/b]", wandb.run.summary["loss"] == config.shown)
"""
LOOPS = {
    "files": FILES,
    "dropout and a closure": DROPOUT,
    "classes": CLASSES,
    "generators": GENERATORS,
    "views": VIEWS,
    "LBFGS": LBFGS,
    "hooks and retained gradients": HOOKS,
    "bfloat16": BFLOAT16,
    "two loops": TWO_LOOPS,
    "containers": CONTAINERS,
    "arrays of objects": OBJECTS,
    "packages": PACKAGES,
}
