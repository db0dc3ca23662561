"""Optimizers work through large arrays in blocks: the numbers are those of whole arrays, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

import engine as torch
from engine.optim import blocks

OPTIMIZERS = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01},
    "Nesterov": {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    "Adam": {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True},
    "AdamW": {"lr": 0.1},
    "NAdam": {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True},
    "RAdam": {"lr": 0.1, "weight_decay": 0.1},
    "Adamax": {"lr": 0.1, "weight_decay": 0.1},
    "Adagrad": {"lr": 0.1, "weight_decay": 0.1},
    "Adadelta": {"lr": 0.1, "weight_decay": 0.1},
    "RMSprop": {"lr": 0.1, "weight_decay": 0.1, "momentum": 0.9, "centered": True},
}


def trained(name: str, transposed: bool) -> list[np.ndarray]:
    """A parameter and its state after eight steps along the same gradients."""
    random = np.random.default_rng(0)
    start = random.standard_normal((7, 11)).astype(np.float32)
    parameter = torch.nn.Parameter(torch.tensor(start.tolist()))
    if transposed:
        parameter = torch.nn.Parameter(torch.tensor(start.T.tolist()).t())
    optimizer = getattr(torch.optim, "SGD" if name == "Nesterov" else name)([parameter], **OPTIMIZERS[name])
    for _ in range(8):
        parameter.grad = torch.tensor(random.standard_normal((7, 11)).astype(np.float32).tolist())
        optimizer.step()
    state = optimizer.state[parameter]
    return [parameter.detach().numpy(), *(value.numpy() for value in state.values())]


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("transposed", [False, True])
def test_blocks_change_no_bit(name: str, transposed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trained(name, transposed)
    monkeypatch.setattr(blocks, "BLOCK", 10)
    for expected, got in zip(whole, trained(name, transposed), strict=True):
        assert np.array_equal(expected, got)
