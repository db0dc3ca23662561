"""Networks as people build them, trained in shuffled batches of which the last is smaller: normalisations with running
statistics, convolutions, pools, embeddings, dropout. Each is replayed, and is what it would be."""

from __future__ import annotations

import pytest

from tests.engine.replay.test_replay import held_against_eager

LOOP = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(1)
X, Y = {data}, torch.randint(0, 3, (22,))
loader = DataLoader(TensorDataset(X, Y), batch_size=5, shuffle=True)
{network}
criterion = nn.CrossEntropyLoss({loss})
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(4):
    model.train()
    total, correct = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(x)
        correct += (out.argmax(dim=1) == y).sum().item()
    model.eval()
    with torch.no_grad():
        print(epoch, total, correct, norm, criterion(model(X), Y).item())
print([*model.state_dict().values()], [each._version for each in model.buffers()], torch.rand(1))
"""
IMAGES, ROWS, WORDS = "torch.randn(22, 2, 6, 6)", "torch.randn(22, 4)", "torch.randint(0, 7, (22, 3))"
TIMES = "torch.randn(22, 5, 4)"
MODULE = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {parts}
    def helper(self, x):
        return x * 2
    def forward(self, x):
        {forward}
model = Net()
"""


def net(parts: str, forward: str) -> str:
    return MODULE.format(parts=parts, forward=forward)


SMALL = """
features = [nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 4, 2, stride=2)]
model = nn.Sequential(*features, nn.AvgPool2d(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(4, 3))
"""
NETWORKS = {
    "batch norm": (ROWS, "model = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 3))", ""),
    "batch norm, averaged": (ROWS, "model = nn.Sequential(nn.BatchNorm1d(4, momentum=None), nn.Linear(4, 3))", ""),
    "a small network of convolutions": (IMAGES, SMALL, ""),
    "written out": (
        IMAGES,
        net(
            "self.conv, self.fc = nn.Conv2d(2, 3, 3), nn.Linear(12, 3)",
            "x = F.max_pool2d(F.relu(self.conv(x)), 2)\n        x = x.view(x.size(0), -1)\n"
            "        x = F.dropout(x, p=0.3, training=self.training)\n        return F.log_softmax(self.fc(x), dim=1)",
        ),
        "",
    ),
    "flattened first": (
        IMAGES,
        net("self.fc = nn.Linear(72, 3)", "x = x.view(x.shape[0], -1)\n        return self.helper(self.fc(x))"),
        "",
    ),
    "words": (
        WORDS,
        net("self.words, self.fc = nn.Embedding(7, 5), nn.Linear(5, 3)", "return self.fc(self.words(x).mean(dim=1))"),
        "",
    ),
    "a list of layers": (
        ROWS,
        net(
            "self.layers = nn.ModuleList([nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 3)])",
            "for layer in self.layers[:-1]:\n            x = torch.tanh(layer(x))\n        return self.layers[-1](x)",
        ),
        "",
    ),
    "noise": (
        ROWS,
        net("self.fc = nn.Linear(4, 3)", "h = self.fc(x)\n        return h + torch.randn_like(h) * torch.exp(h / 9)"),
        "",
    ),
    "an LSTM": (
        TIMES,
        net(
            "self.rnn, self.fc = nn.LSTM(4, 3, 2, batch_first=True), nn.Linear(3, 3)",
            "h0, c0 = torch.zeros(2, x.size(0), 3), torch.zeros(2, x.size(0), 3)\n"
            "        out, _ = self.rnn(x, (h0, c0))\n        return self.fc(out[:, -1, :])",
        ),
        "",
    ),
    "a GRU, both ways, some of it dropped": (
        TIMES,
        net(
            "self.rnn, self.fc = nn.GRU(4, 3, 2, dropout=0.3, bidirectional=True), nn.Linear(6, 3)",
            "out, h = self.rnn(x.transpose(0, 1))\n        return self.fc(out[-1]) + h[0]",
        ),
        "",
    ),
    "cells": (
        ROWS,
        net(
            "self.one, self.two, self.three = nn.RNNCell(4, 3), nn.LSTMCell(3, 3), nn.GRUCell(3, 3)",
            "h, c = self.two(self.one(x))\n        return self.three(self.two(h, (h, c))[0])",
        ),
        "",
    ),
    "attention": (
        TIMES,
        net(
            "self.all, self.fc = nn.Linear(4, 12), nn.Linear(4, 3)",
            "q, k, v = self.all(x).chunk(3, dim=-1)\n"
            "        a = F.softmax(q @ k.transpose(-2, -1) * 4 ** -0.5, dim=-1)\n"
            "        return self.fc((a @ v).permute(0, 2, 1).mean(dim=2))",
        ),
        "",
    ),
    "conditions": (
        ROWS,
        net(
            "self.deep, self.norm, self.one, self.two = 2, None, nn.Linear(4, 4), nn.Linear(4, 3)",
            "if self.deep > 1 and x.dim() == 2:\n            x = torch.relu(self.one(x))\n"
            "        if self.norm is not None:\n            x = self.norm(x)\n"
            "        elif self.training:\n            x = x * 2\n        return self.two(x)",
        ),
        "",
    ),
    "smoothed labels": (ROWS, "model = nn.Linear(4, 3)", "label_smoothing=0.2"),
    "weights of classes": (ROWS, "model = nn.Linear(4, 3)", "weight=torch.tensor([1.0, 2.0, 0.5])"),
    "a class that is ignored": (ROWS, "model = nn.Linear(4, 3)", "ignore_index=1"),
}


@pytest.mark.parametrize(("data", "network", "loss"), NETWORKS.values(), ids=NETWORKS.keys())
def test_it_is_replayed(data: str, network: str, loss: str) -> None:
    (loop,) = held_against_eager(LOOP.format(data=data, network=network, loss=loss))
    assert loop.tally.replayed > 9, loop.tally
