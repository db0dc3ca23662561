"""A product and a sum are rounded once where there are few elements, as PyTorch does in one instruction: in SGD, and in
the operations that do both."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

import engine
from engine.ops import processor, rounded
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


AVERAGES: dict[str, dict[str, Any]] = {
    "Adam": {},
    "NAdam": {"betas": (0.3, 0.9)},
    "RAdam": {},
    "Adamax": {"weight_decay": 0.1},
    "RMSprop": {"centered": True},
    "Adadelta": {},
    "Adagrad": {},
}


def averaged(torch: Any, name: str, size: int) -> dict[str, str]:
    """What an optimizer has averaged after some steps, as bits. Not what roots went into: those are rounded otherwise
    by some processors' libraries."""
    random = np.random.RandomState(size)
    p = torch.tensor(random.randn(size).astype(np.float32), requires_grad=True)
    optimizer = getattr(torch.optim, name)([p], **AVERAGES[name])
    for _ in range(20):
        p.grad = torch.tensor(random.randn(size).astype(np.float32))
        optimizer.step()
    kept = {key: value for key, value in optimizer.state[p].items() if key not in ("step", "mu_product", "acc_delta")}
    return {key: hashlib.sha256(value.numpy().tobytes()).hexdigest()[:12] for key, value in kept.items()}


@pytest.mark.parametrize("name", AVERAGES)
def test_averages_of_gradients_are_pytorchs_to_the_bit(name: str) -> None:
    wanted = oracle.answer(
        "rounding", f"averages {name}", lambda torch: [averaged(torch, name, n) for n in (1, 7, 500)]
    )
    assert [averaged(engine, name, n) for n in (1, 7, 500)] == wanted


CHANGES: dict[str, Any] = {
    "add": lambda a, b, c: a.add_(b, alpha=0.3),
    "sub": lambda a, b, c: a.sub_(b, alpha=0.01),
    "addcmul": lambda a, b, c: a.addcmul_(b, c, value=0.3),
    "addcdiv": lambda a, b, c: a.addcdiv_(b, c, value=-0.3),
    "lerp": lambda a, b, c: a.lerp_(b, 0.1),
    "lerp_back": lambda a, b, c: a.lerp(b, 0.7),
    "lerp_tensor": lambda a, b, c: a.lerp(b, c),
}


def changed(torch: Any, name: str, kind: str) -> str:
    random = np.random.RandomState(5)
    operands = [torch.tensor(random.randn(1000).astype(kind)) for _ in range(3)]
    return hashlib.sha256(CHANGES[name](*operands).numpy().tobytes()).hexdigest()


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", CHANGES)
def test_a_sum_and_its_product_are_rounded_once(name: str, kind: str) -> None:
    wanted = oracle.answer("rounding", f"{name} {kind}", lambda torch: changed(torch, name, kind))
    assert changed(engine, name, kind) == wanted


OF_ONE = "exp expm1 log log1p log2 log10 sin cos tan tanh sinh cosh atan sigmoid"


def _last_bits(torch: Any) -> dict[str, list[int]]:
    """Results, as their bits: functions of one tensor, powers, and softmax forth and back."""
    drawn = np.random.RandomState(5)
    x, y = drawn.rand(100).astype(np.float32) * 4 + 0.01, drawn.randn(20, 5).astype(np.float32)
    found = {name: getattr(torch, name)(torch.tensor(x)) for name in OF_ONE.split(" ")}
    found |= {f"** {n}": torch.tensor(x) ** n for n in (4, 1.5)}
    for name in ("softmax", "log_softmax"):
        given = torch.tensor(y, requires_grad=True)
        out = getattr(torch, name)(given, 1)
        (out * torch.tensor(y[::-1].copy())).sum().backward()
        found |= {name: out.detach(), f"{name} back": given.grad}
    return {name: value.numpy().view(np.int32).reshape(-1).tolist() for name, value in found.items()}


def test_most_results_are_pytorchs_to_the_last_bit() -> None:
    theirs, ours = oracle.answer("rounding", "last bits", _last_bits), _last_bits(engine)
    for name, wanted in theirs.items():
        alike = np.mean(np.array(ours[name]) == np.array(wanted))
        assert alike > 0.75, (name, alike)


def _of_a_bias(torch: Any) -> list[str]:
    drawn, found = np.random.RandomState(7), []
    for rows, out in ((4, 1), (20, 1), (500, 1), (32, 5), (64, 16), (100, 40)):
        x, g = (torch.tensor(drawn.randn(rows, n).astype(np.float32)) for n in (2, out))
        bias = torch.zeros(out, requires_grad=True)
        torch.nn.functional.linear(x, torch.ones(out, 2), bias).backward(g)
        found.append(bias.grad.numpy().tobytes().hex())
    return found


def test_the_gradient_of_a_bias_is_added_up_as_pytorchs_to_the_bit() -> None:
    assert _of_a_bias(engine) == oracle.answer("rounding", "of a bias", _of_a_bias)


@pytest.mark.parametrize("layer", ["linear", "linear without bias", "mm"])
@pytest.mark.parametrize("rows", [2, 20, 100, 380])
def test_the_gradient_of_a_weight_that_is_one_number_is_added_up_in_turn(
    layer: str, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As PyTorch's library does: on AMD's processors each product is rounded first, on others with AVX-512 it is not.
    On the rest it goes other ways: PyTorch is not asked."""
    monkeypatch.setattr(processor, "THREADS", 1)
    x, g = np.random.RandomState(rows).randn(2, rows, 1).astype(np.float32)
    weight, bias = engine.ones(1, 1, requires_grad=True), engine.zeros(1)
    given = engine.tensor(x)
    if layer == "mm":
        out = given @ weight
    else:
        out = engine.nn.functional.linear(given, weight, bias if layer == "linear" else None)
    out.backward(engine.tensor(g))
    total = np.float32(0)
    for one, other in zip(x.ravel().astype(np.float64), g.ravel().astype(np.float64), strict=True):
        total = np.float32(total + (np.float32(one * other) if processor.AMD else one * other))
    assert weight.grad.item() == total


def _exponents_slope(torch: Any) -> Any:
    exponent = torch.tensor([2.0], requires_grad=True)
    (torch.tensor([1e19]) ** exponent).backward(torch.tensor([1e-3]))
    return exponent.grad


IN_TURN: dict[str, Any] = {
    "addbmm": lambda torch: torch.full((1, 2), 2.0**24).addbmm(torch.ones(3, 1, 1), torch.ones(3, 1, 2)),
    "exponent": _exponents_slope,
    "log_ndtr": lambda torch: torch.special.log_ndtr(torch.tensor([-19.75, -8.25, -5.5])),
}
"""Operations of which another order, or a wider number on the way, gives another result."""


@pytest.mark.parametrize("name", IN_TURN)
def test_the_order_is_pytorchs(name: str) -> None:
    wanted = oracle.answer("rounding", f"order {name}", lambda torch: oracle.encode(IN_TURN[name](torch).tolist()))
    assert oracle.encode(IN_TURN[name](engine).tolist()) == wanted


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_one_minus_a_square_is_a_product_taken_off(kind: str) -> None:
    for shape in ((), (10,), (3, 4), (70_000,)):
        x = np.asarray(np.tanh(np.random.RandomState(5).randn(*shape))).astype(kind)
        wanted = np.asarray(rounded.minus_product(np.ones((), kind), x, x))
        assert np.asarray(rounded.one_minus_square(x)).tobytes() == wanted.tobytes(), shape
