"""SGD rounds lr * gradient and its difference once where parameters are small, as PyTorch does in one instruction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import oracle

SETTINGS: list[dict[str, Any]] = [
    {"lr": 0.01},
    {"lr": 0.01, "momentum": 0.9},
    {"lr": 0.01, "momentum": 0.9, "nesterov": True},
    {"lr": 0.01, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.1},
]


def stepped(torch: Any, settings: dict[str, Any], size: int) -> bytes:
    random = np.random.RandomState(size)
    p = torch.tensor(random.randn(size).astype(np.float32), requires_grad=True)
    optimizer = torch.optim.SGD([p], **settings)
    for _ in range(20):
        p.grad = torch.tensor(random.randn(size).astype(np.float32))
        optimizer.step()
    return bytes(p.detach().numpy().tobytes())


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: "-".join(settings))
def test_sgd_is_pytorchs_to_the_bit(settings: dict[str, Any]) -> None:
    def ask(torch: Any) -> list[str]:
        return [stepped(torch, settings, size).hex() for size in (1, 7, 100)]

    wanted = oracle.answer("rounding", "-".join(settings), ask)
    assert [stepped(engine, settings, size).hex() for size in (1, 7, 100)] == wanted
