"""Batches that are picked where they are used, `model(X[ix])`: replayed, and what they would be."""

from __future__ import annotations

import pytest

from tests.engine.replay.test_replay import held_against_eager

START = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(3)
X, y, w = torch.randn(60, 3), torch.randint(0, 4, (60,)), torch.randn(60, 4)
columns = y.clone().view(-1, 1)
tokens = torch.randint(0, 4, (61,))
model = nn.Sequential(nn.Linear(3, 5), nn.Dropout(0.2), nn.Tanh(), nn.Linear(5, 4))
table = nn.Embedding(4, 4)
optimizer = torch.optim.Adam([*model.parameters(), *table.parameters()], lr=0.05)
class Data:
    pass
data = Data()
data.X, data.y = X, y
kept, limit, perm = [], 1e9, torch.randperm(60)
def shifted(x):
    return x + X[8:16]
"""
LOOP = """
for i in range(0, 60, 4):
    ix, jx, b = perm[i:i + 4], perm[(i + 4) % 56:(i + 4) % 56 + 4], 4
    {before}
    optimizer.zero_grad()
    out = {out}
    loss = {loss}
    loss.backward()
    optimizer.step()
    {after}
print(kept, [p for p in model.parameters()], table.weight, loss, out)
"""
OUT, LOSS = "model(X[ix])", "F.cross_entropy(out, y[ix])"
REPLAYED = {
    "classes in a column": ("model(X[ix])", "F.cross_entropy(out, columns[ix].view(-1))"),
    "classes in a row": ("model(X[i:i + b])", "F.cross_entropy(out, columns[i:i + b].view(-1))"),
    "by indices": (OUT, LOSS),
    "by slices": ("model(X[i:i + b])", "F.cross_entropy(out, y[i:i + b])"),
    "one after the other": ("model(X[i])", "((out - w[i]) ** 2).sum()"),
    "the last first": ("model(X[-i - b:60 - i])", "F.cross_entropy(out, y[-i - b:60 - i])"),
    "of an object's": ("model(data.X[ix])", "F.cross_entropy(out, data.y[ix])"),
    "the next of each": ("table(tokens[i:i + 4])", "F.cross_entropy(out, tokens[i + 1:i + 5])"),
    "twice": ("model(X[ix]) * model(X[jx]) + model(X[ix])", LOSS),
    "in another shape": ("model(X[ix].view(2, 2, 3)).view(4, 4)", LOSS),
    "a column": ("model(X[ix])", "((out.sum(1) - w[ix, 2]) ** 2).mean()"),
}
AS_ALWAYS = {
    "a part of a slice": ("model(X[i:i + b][:4])", LOSS),
    "columns": ("model(X[i:i + b, 0:3])", LOSS),
    "the same and a part that stays": ("model(X[i:i + b]) + model(X[8:12])", LOSS),
    "with what a function reads": ("model(shifted(X[i % 48:i % 48 + 8]))[:4]", LOSS),
    "of numpy": ("model(torch.from_numpy(X.numpy()[i:i + b]))", LOSS),
    "in a row": ("model(X[i:i + b].reshape(-1).view(4, 3))", LOSS),
    "a mask": ("model(X[y == 1])[:4]", LOSS),
}
CHANGES = {
    "in place": "X.mul_(0.9)",
    "another": "X = X * 0.5 if i == 32 else X",
    "a gradient": "_ = X.requires_grad_() if i == 32 else 0",
    "a list": "X = list(X) if i == 32 else X",
    "another kind": "X = X.double().float() if i < 20 else X.double()",
    "beyond": "perm = perm + 50 if i == 32 else perm",
    "before": "perm = perm - 60 if i == 32 else perm",
    "fewer": "perm = perm[:42] if i == 32 else perm",
    "classes that do not count": "y[40] = -100",
    "a mask": "ix = (torch.arange(60) // 4 == i // 4) if i > 24 else ix",
    "no number": "i = i + 0.5 if i > 24 else i",
    "one place": "jx = ix if i < 24 else jx",
    "kept": "kept.append(X[ix])",
    "a huge number": "b = b + 4 - 4 if i < 24 else 10 ** 30",
}


@pytest.mark.parametrize(("out", "loss"), REPLAYED.values(), ids=REPLAYED)
def test_it_is_replayed(out: str, loss: str) -> None:
    (loop,) = held_against_eager(
        START + LOOP.format(before="pass", out=out, loss=loss, after="kept.append(loss.item())")
    )
    assert loop.tally.replayed >= 11, loop.tally


@pytest.mark.parametrize(("out", "loss"), AS_ALWAYS.values(), ids=AS_ALWAYS)
def test_it_is_as_always(out: str, loss: str) -> None:
    held_against_eager(START + LOOP.format(before="pass", out=out, loss=loss, after="kept.append(loss.item())"))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("out", [OUT, "model(X[i:i + b] * 2)", "model(X[ix]) * model(X[jx])"])
@pytest.mark.parametrize("where", ["before", "after"])
def test_whatever_changes(out: str, change: str, where: str) -> None:
    others = {"before": "pass", "after": "pass", where: change}
    held_against_eager(START + LOOP.format(out=out, loss=LOSS, **others))


@pytest.mark.parametrize(("out", "loss"), list(REPLAYED.values())[:5])
def test_a_function_with_batches_of_its_own(out: str, loss: str) -> None:
    called = f"""
def train(model, X, y, w, perm, b):
    total = 0
    for i in range(0, 60, b):
        ix = perm[i:i + b]
        out = {out}
        loss = {loss}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total
for epoch in range(3):
    perm = torch.randperm(60)
    print(train(model, X, y, w, perm, 8 if {loss!r}[0] == "F" else 4))
"""
    (loop,) = held_against_eager(START + called)
    assert loop.tally.replayed >= 10, loop.tally
