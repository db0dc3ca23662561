"""The five workloads, as numbers: inputs, targets and initial parameters, the same for every contender.

An iteration of each but W4 is zero_grad, forward, backward, step. Everything is float32.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

CHAIN = 333  # W4: so often x = tanh(x * a + b), then one sum: 1,000 operations


@dataclass(frozen=True)
class Workload:
    """What a contender is given. `parameters`: weight, bias, weight, bias ... with weights of shape [out, in]."""

    name: str
    title: str
    goal: float
    """Our time for it, relative to PyTorch's, is to be at most this."""
    parameters: list[np.ndarray]
    x: np.ndarray
    y: np.ndarray
    loss: str
    optimizer: str
    settings: dict[str, float] = field(default_factory=dict)

    def copies(self) -> list[np.ndarray]:
        """The initial parameters, to be changed."""
        return [parameter.copy() for parameter in self.parameters]


def network(random: np.random.Generator, *sizes: int) -> list[np.ndarray]:
    """Parameters of a multi-layer perceptron with these layer sizes."""
    parameters = []
    for inputs, outputs in pairwise(sizes):
        bound = inputs**-0.5
        parameters.append(random.uniform(-bound, bound, (outputs, inputs)).astype(np.float32))
        parameters.append(random.uniform(-bound, bound, outputs).astype(np.float32))
    return parameters


def workloads() -> list[Workload]:
    random = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return random.standard_normal(shape).astype(np.float32)

    return [
        Workload(
            "W1", "2000-200-20, batch 128, MSE (sum), Adam", 0.95,
            network(random, 2000, 200, 20), normal(128, 2000), normal(128, 20), "mse_sum", "adam", {"lr": 1e-3},
        ),
        Workload(
            "W2", "y = w*x + b, squared error, SGD", 0.18,
            [np.array(1, np.float32), np.array(0, np.float32)],
            np.array(2, np.float32), np.array(5, np.float32), "line", "sgd", {"lr": 1e-3},
        ),
        Workload(
            "W3", "2-16-16-1, batch 100, MSE, SGD with momentum", 0.22,
            network(random, 2, 16, 16, 1), normal(100, 2), normal(100, 1), "mse", "sgd", {"lr": 1e-2, "momentum": 0.9},
        ),
        Workload(
            "W4", "a chain of 1,000 element-wise operations on 10 elements, forward and backward", 0.65,
            [np.linspace(-1, 1, 10, dtype=np.float32)],
            np.linspace(0.9, 1.1, 10, dtype=np.float32), np.linspace(-0.1, 0.1, 10, dtype=np.float32), "chain", "none",
        ),
        Workload(
            "W5", "784-512-256-10, batch 64, cross entropy, AdamW", 0.92,
            network(random, 784, 512, 256, 10), normal(64, 784), random.integers(0, 10, 64), "cross_entropy", "adamw",
            {"lr": 1e-3, "weight_decay": 1e-2},
        ),
    ]  # fmt: skip
