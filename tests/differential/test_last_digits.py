"""Values and gradients that are PyTorch's to the last bit: how it orders factors, where it adds up with 64 bits, and
where its processor multiplies and adds in one instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import oracle

Case = Callable[[Any, Any, Any], Any]  # torch, numbers of both signs, numbers between 0 and 1 -> a tensor

CASES: dict[str, tuple[Case, Case | None]] = {
    # a function, and one of its steps that libraries round differently: only elements where that is equal are compared
    "tanh": (lambda t, x, p: t.tanh(x), lambda t, x, p: t.tanh(x)),
    "bce": (lambda t, x, p: t.nn.functional.binary_cross_entropy(p, (x > 0).float()), None),
    "bce weighed": (lambda t, x, p: t.nn.functional.binary_cross_entropy(p, (x > 0).float(), p.detach()), None),
    "logits": (
        lambda t, x, p: t.nn.functional.binary_cross_entropy_with_logits(x, (p > 0.5).float()),
        lambda t, x, p: t.sigmoid(x),
    ),
    "logits weighed": (
        lambda t, x, p: t.nn.functional.binary_cross_entropy_with_logits(x, (p > 0.5).float(), p.detach() + 1),
        lambda t, x, p: t.sigmoid(x),
    ),
    "logits heavy": (
        lambda t, x, p: t.nn.functional.binary_cross_entropy_with_logits(
            x, (p > 0.5).float(), pos_weight=p.detach() + 1
        ),
        lambda t, x, p: t.sigmoid(x),
    ),
    "silu": (lambda t, x, p: t.nn.functional.silu(x), lambda t, x, p: t.sigmoid(x)),
    "softplus": (lambda t, x, p: t.nn.functional.softplus(x), lambda t, x, p: t.exp(x)),
    "logsigmoid": (lambda t, x, p: t.nn.functional.logsigmoid(x), lambda t, x, p: t.sigmoid(x.abs())),
    "erf": (lambda t, x, p: t.erf(x), lambda t, x, p: t.exp(-x * x)),
    "rsqrt": (lambda t, x, p: t.rsqrt(p.detach().round() + x.abs()), None),
    "var": (lambda t, x, p: x.var(), None),
    "var of rows": (lambda t, x, p: x.reshape(-1, 10).var(1), None),
    "var of columns": (lambda t, x, p: x.reshape(-1, 10).var(0, unbiased=False), None),
    "std": (lambda t, x, p: x.std(), None),
    "std of rows": (lambda t, x, p: x.reshape(-1, 10).std(1), None),
    "standardized": (lambda t, x, p: (x - x.mean()) / x.std(), None),
    "cumsum": (lambda t, x, p: x.cumsum(0), None),
    "cumsum of columns": (lambda t, x, p: x.reshape(-1, 10).cumsum(0), None),
    "cumprod": (lambda t, x, p: (p + 0.5).cumprod(0), None),
    "matrix_exp": (lambda t, x, p: t.linalg.matrix_exp(4 * x.reshape(-1, 2, 2)), None),
    "layer_norm of one": (lambda t, x, p: t.nn.functional.layer_norm(x.reshape(-1, 1), (1,), p.detach()[:1]), None),
    "prod": (lambda t, x, p: (p.reshape(-1, 5) + 0.5).prod(0), None),
}

VALUES: dict[str, Case] = {  # held by their values alone
    "batch_norm of rows": lambda t, x, p: _normalised(t, x.reshape(12, 5), p),
    "batch_norm of images": lambda t, x, p: _normalised(t, x.reshape(2, 5, 3, 2), p),
    "batch_norm's gradients": lambda t, x, p: _of_norm(t, x.reshape(12, 5), p),
    "batch_norm's gradients in registers": lambda t, x, p: _of_norm(t, x.reshape(6, 10), p),
}


def _of_norm(t: Any, x: Any, p: Any) -> Any:
    count = x.shape[1]
    x, weight, bias = (each.clone().requires_grad_() for each in (x, p[:count], p[-count:]))
    t.nn.functional.batch_norm(x, None, None, weight, bias, True).backward(p.reshape(x.shape) - 0.3)
    return t.cat([each.grad.reshape(-1) for each in (x, weight, bias)])


def _normalised(t: Any, x: Any, p: Any) -> Any:
    norm = t.nn.BatchNorm1d(5) if x.ndim == 2 else t.nn.BatchNorm2d(5)
    with t.no_grad():
        norm.weight.copy_(p[:5])
        norm.bias.copy_(x.reshape(-1)[:5])
        parts = [norm(x), norm.running_mean.clone(), norm.running_var.clone(), norm.eval()(x)]
    return t.cat([each.reshape(-1) for each in parts])


SHARES = {"softplus": 0.1, "logsigmoid": 0.1}  # of elements that may differ: no step of it can be asked for


def computed(torch: Any, name: str) -> dict[str, Any]:
    """The value and the gradients of a case as lists of floats."""
    function, step = CASES[name]
    random = np.random.RandomState(len(name))
    x = torch.tensor(random.randn(60).astype(np.float32), requires_grad=True)
    p = torch.tensor((random.rand(60) * 0.98 + 0.01).astype(np.float32), requires_grad=True)
    value = function(torch, x, p)
    value.backward(torch.tensor(random.randn(*value.shape).astype(np.float32)) if value.ndim else None)
    found = {"value": value.detach(), "x": x.grad, "p": p.grad, "given": None if step is None else step(torch, x, p)}
    return {key: None if each is None else each.detach().reshape(-1).tolist() for key, each in found.items()}


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_pytorchs_to_the_bit(name: str) -> None:
    theirs = oracle.answer("last_digits", name, lambda torch: computed(torch, name))
    ours = computed(engine, name)
    same = np.ones(60, np.bool_)
    if theirs["given"] is not None:
        same = np.array(theirs["given"]) == np.array(ours["given"])
        assert same.mean() > 0.8
    else:
        assert name.startswith(("bce", "rsqrt")) or ours["value"] == theirs["value"]
    for key in ("x", "p"):
        assert (ours[key] is None) == (theirs[key] is None)
        if ours[key] is not None:
            different = np.array(ours[key]) != np.array(theirs[key])
            assert (different & same).mean() <= SHARES.get(name, 0)


@pytest.mark.parametrize("name", VALUES)
def test_values_are_pytorchs_to_the_bit(name: str) -> None:
    def values(torch: Any) -> list[float]:
        random = np.random.RandomState(len(name))
        x = torch.tensor(random.randn(60).astype(np.float32))
        p = torch.tensor((random.rand(60) * 0.98 + 0.01).astype(np.float32))
        found: list[float] = VALUES[name](torch, x, p).tolist()
        return found

    assert values(engine) == oracle.answer("last_digits", name, values)
