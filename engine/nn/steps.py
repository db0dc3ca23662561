"""The steps of recurrent layers, made of linear, chunk, sigmoid and tanh, as PyTorch records them (its LSTM is one
operation where oneDNN computes it)."""

from __future__ import annotations

from typing import Any

from engine.nn import functional as F
from engine.nn import packed
from engine.ops.joins import stack
from engine.ops.pointwise import sigmoid_apart
from engine.tensor import Tensor

GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "GRU": 3, "LSTM": 4}


def step(mode: str, x: Tensor, state: tuple[Tensor, ...], weights: dict[str, Any]) -> tuple[Tensor, ...]:
    """One step: `x` is the input's part of the gates already."""
    h = state[0]
    gates = F.linear(h, weights["weight_hh"], weights["bias_hh"])
    if mode == "GRU":
        r, z, n = x.chunk(3, 1)
        r_h, z_h, n_h = gates.chunk(3, 1)
        r, z = sigmoid_apart(r_h + r), sigmoid_apart(z_h + z)  # sums that PyTorch writes into its gates
        n = (n + n_h * r).tanh()
        return ((h - n) * z + n,)
    if mode == "LSTM":
        i, f, g, o = (gates + x).chunk(4, 1)
        c = f.sigmoid() * state[1] + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        if weights.get("weight_hr") is not None:
            h = F.linear(h, weights["weight_hr"])
        return h, c
    total = gates + x
    return (total.tanh() if mode == "RNN_TANH" else F.relu(total),)


def walk(
    mode: str,
    gates: Tensor,
    state: tuple[Tensor, ...],
    weights: dict[str, Any],
    reverse: bool,
    sizes: list[int] | None,
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """All steps over `gates` (T, N, G), or packed (rows, G) with the `sizes` of the steps: the states h of all of them
    and the last states."""
    if sizes is not None:
        return packed.walk(gates, sizes, state, lambda x, s: step(mode, x, s, weights), reverse)
    parts = gates.unbind(0)
    outputs = []
    for x in reversed(parts) if reverse else parts:
        state = step(mode, x, state, weights)
        outputs.append(state[0])
    if reverse:
        outputs.reverse()
    return stack(outputs, 0), state
