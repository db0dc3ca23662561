"""What hooks of modules are given."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.differential import oracle


def told_to_hooks(torch: Any) -> list[Any]:
    """Of the backward hook of a module whose input does not require grad."""
    torch.manual_seed(0)
    told: list[Any] = []
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))

    def hook(module: Any, grads_in: Any, grads_out: Any) -> None:
        told.append([type(module).__name__, [g is None for g in grads_in], [list(g.shape) for g in grads_out]])

    model[0].register_full_backward_hook(hook)
    model(torch.ones(5, 3)).sum().backward()
    return told


@pytest.mark.filterwarnings("ignore")
def test_a_first_layer_has_no_gradient_of_its_input() -> None:
    assert told_to_hooks(engine) == oracle.answer("hooks", "first layer", told_to_hooks)
