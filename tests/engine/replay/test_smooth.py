"""Loops with functions that the engine computes itself are replayed, and are what they would be."""

from __future__ import annotations

import pytest

from tests.engine.replay.test_replay import held_against_eager

LOOP = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(1)
X, Y = torch.randn(6, 3), torch.randn(6, 2)
model = nn.Sequential(nn.Linear(3, 4), {layer}, nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for step in range(8):
    optimizer.zero_grad()
    pred = model(X)
    loss = {loss}
    loss.backward()
    optimizer.step()
    print(step, loss.item())
"""
LAYERS = ["nn.GELU()", "nn.GELU('tanh')", "nn.ELU(0.5)", "nn.SiLU()", "nn.Softplus(2.0)", "nn.Softmax(dim=1)"]
LOSSES = [
    "pred.sub(Y).pow(2).mean() + torch.nn.functional.relu(pred).sum()",
    "((pred - Y) ** 2).mean().sqrt()",
    "(torch.sin(pred) * torch.cos(Y) - Y).abs().sum()",
    "F.gelu(pred - Y).pow(2).mean()",
    "(F.softmax(pred, dim=0) * Y).sum() + F.elu(pred).mean() + F.silu(pred).mean() + F.softplus(pred).mean()",
]


@pytest.mark.parametrize(
    ("layer", "loss"),
    [(layer, "((pred - Y) ** 2).mean()") for layer in LAYERS] + [("nn.ReLU()", loss) for loss in LOSSES],
)
def test_smooth_functions_are_replayed(layer: str, loss: str) -> None:
    (loop,) = held_against_eager(LOOP.format(layer=layer, loss=loss))
    assert loop.tally.replayed


def test_what_only_looks_like_it_is_not_replayed() -> None:
    (loop,) = held_against_eager(LOOP.format(layer="nn.SELU()", loss="((pred - Y) ** 2).mean()"))
    assert not loop.tally.replayed
