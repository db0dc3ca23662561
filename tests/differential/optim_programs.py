"""Training a few small tensors with an optimizer (and a scheduler), in PyTorch or in the engine: what comes of it."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from tests.differential import oracle

STEPS = 6


def parameters(torch: Any, dtype: str, kind: str = "") -> list[Any]:
    """Small tensors for an optimizer of this `kind`: Muon's are matrices."""
    made = np.random.RandomState(0)
    shapes: list[tuple[int, ...]] = [(3, 2), (2, 2), (2, 5)] if kind == "Muon" else [(3,), (2, 2), ()]
    return [torch.from_numpy(np.asarray(made.standard_normal(s)).astype(dtype)).requires_grad_() for s in shapes]


def train(torch: Any, kind: str, settings: dict[str, Any], dtype: str, steps: int = STEPS) -> dict[str, Any]:
    """Values, versions, state_dict and text after some steps with given gradients (with a closure for LBFGS)."""
    params = parameters(torch, dtype, kind)
    try:
        optimizer = getattr(torch.optim, kind)(params, **settings)
    except Exception as error:
        return {"error": [type(error).__name__, str(error)]}
    given = np.random.RandomState(1)
    losses = []
    for i in range(steps):
        if kind == "LBFGS":
            losses.append(float(optimizer.step(_closure(torch, optimizer, params)).detach()))
            continue
        for k, p in enumerate(params):
            g = np.asarray(given.standard_normal(tuple(p.shape))).astype(dtype)
            p.grad = (
                None if (i, k) in ((0, 1), (3, 0)) else torch.from_numpy(np.asarray(0 * g if (i, k) == (4, 2) else g))
            )
        optimizer.step()
    return {
        "values": [oracle.encode(p) for p in params],
        "versions": [p._version for p in params],
        "state": oracle.encode(optimizer.state_dict()),
        "text": repr(optimizer),
        "losses": losses,
    }


def _closure(torch: Any, optimizer: Any, params: list[Any]) -> Any:
    def closure() -> Any:
        optimizer.zero_grad()
        loss = sum(((p - 1) ** 2 * (k + 1)).sum() for k, p in enumerate(params)) + torch.exp(params[0]).sum()
        loss.backward()
        return loss

    return closure


def schedule(torch: Any, make: Any, steps: int, metrics: list[float] | None = None) -> dict[str, Any]:
    """The rates (and momenta) that a scheduler sets, its state, and what it warns of."""
    params = parameters(torch, "float32")
    optimizer = torch.optim.SGD([{"params": params[:1]}, {"params": params[1:], "lr": 0.5}], lr=0.1, momentum=0.9)
    told = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            scheduler = make(torch.optim.lr_scheduler, optimizer)
            rates = [[g["lr"] for g in optimizer.param_groups]]
            for i in range(steps):
                optimizer.step()
                scheduler.step(*([metrics[i]] if metrics else []))
                rates.append(
                    [g["lr"] for g in optimizer.param_groups] + [g["momentum"] for g in optimizer.param_groups]
                )
        except Exception as error:
            return {"error": [type(error).__name__, str(error)]}
        told = [str(each.message) for each in caught]
    state = {k: str(v) for k, v in scheduler.state_dict().items()}
    return {"rates": rates, "last": scheduler.get_last_lr(), "state": state, "warnings": told}


def same(ours: Any, theirs: Any, tolerance: float) -> str:
    """Where two encoded answers differ, "" where they do not; numbers agree within a relative tolerance."""
    if isinstance(theirs, dict) and "tensor" in theirs and isinstance(ours, dict) and "tensor" in ours:
        a, b = oracle.unpack(ours["tensor"]), oracle.unpack(theirs["tensor"])
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"{a.dtype}{a.shape} for {b.dtype}{b.shape}"
        return "" if np.allclose(a, b, tolerance, tolerance, equal_nan=True) else f"{a.tolist()} for {b.tolist()}"
    if isinstance(theirs, dict) and isinstance(ours, dict) and list(ours) == list(theirs):
        return "; ".join(f"{k}: {w}" for k in theirs if (w := same(ours[k], theirs[k], tolerance)))
    if isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        return "; ".join(
            f"{i}: {w}" for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if (w := same(a, b, tolerance))
        )
    if isinstance(theirs, float) and isinstance(ours, float):
        near = math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=tolerance)
        return "" if near or (math.isnan(ours) and math.isnan(theirs)) else f"{ours!r} for {theirs!r}"
    return "" if ours == theirs and type(ours) is type(theirs) else f"{ours!r} for {theirs!r}"
