"""Every optimizer against PyTorch: values, versions, state_dict and text after some steps, with the settings that
PyTorch's own developers test (optim_db) and with random ones."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import oracle
from tests.differential.optim_programs import same, train

KINDS = [
    *("SGD", "Adam", "AdamW", "NAdam", "RAdam", "Adamax", "Adagrad", "Adadelta", "RMSprop", "Rprop", "ASGD", "LBFGS"),
    *("Adafactor", "Muon"),
]
TOLERANCE = {"float32": 2e-6, "float64": 1e-12}
COARSE = {"Muon": 0.03}  # computed in bfloat16, whose sums depend on the processor
LEFT_OUT = {"capturable", "differentiable"}  # for other devices; for gradients through a step


def database(torch: Any, kind: str) -> list[dict[str, Any]]:
    """The settings of optim_db for an optimizer on the CPU."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_optimizers import optim_db

    (info,) = [each for each in optim_db if each.optim_cls.__name__ == kind]
    found = [each.kwargs for each in info.optim_inputs_func(device="cpu")]
    return [each for each in found if not any(each.get(name) for name in LEFT_OUT)]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("kind", KINDS)
def test_settings_of_the_database(kind: str, dtype: str) -> None:
    def ask(torch: Any) -> list[Any]:
        return [[oracle.encode(each), train(torch, kind, each, dtype)] for each in database(torch, kind)]

    cases = oracle.answer("optim", f"{kind} {dtype}", ask)
    assert cases
    for encoded, theirs in cases:
        ours = train(engine, kind, oracle.decode(encoded, engine), dtype)
        if kind == "LBFGS":  # near the minimum what it remembers is differences of nearly equal numbers
            assert not same(ours["values"], theirs["values"], 1e-4 if dtype == "float32" else 1e-9), encoded
            assert not same(ours["losses"], theirs["losses"], 1e-4), encoded
            assert ours["text"] == theirs["text"]
        else:
            assert not same(ours, theirs, COARSE.get(kind, TOLERANCE[dtype])), encoded


Draw = Callable[[random.Random], Any]


def number(low: float, high: float) -> Draw:
    """Now and then one of the ends."""
    return lambda rng: rng.choice([low, high]) if rng.random() < 0.15 else rng.uniform(low, high)


def either(*each: Draw) -> Draw:
    return lambda rng: rng.choice(each)(rng)


def both(*each: Draw) -> Draw:
    return lambda rng: tuple(part(rng) for part in each)


def nothing(rng: random.Random) -> int:
    return 0


def flag(rng: random.Random) -> bool:
    return rng.random() < 0.5


betas = both(number(0, 0.99), number(0, 0.999))
decay = either(nothing, number(0, 0.5))
# fmt: off
SETTINGS: dict[str, dict[str, Draw]] = {
    "SGD": {"momentum": either(nothing, number(0, 0.99)), "dampening": number(0, 1), "weight_decay": decay,
            "nesterov": flag, "maximize": flag},
    "Adam": {"betas": betas, "eps": number(1e-9, 1e-2), "weight_decay": decay, "amsgrad": flag, "maximize": flag,
             "decoupled_weight_decay": flag},
    "AdamW": {"betas": betas, "eps": number(1e-9, 1e-2), "weight_decay": decay, "amsgrad": flag, "maximize": flag},
    "NAdam": {"betas": betas, "weight_decay": decay, "momentum_decay": number(0, 0.1), "decoupled_weight_decay": flag,
              "maximize": flag},
    "RAdam": {"betas": betas, "weight_decay": decay, "decoupled_weight_decay": flag, "maximize": flag},
    "Adamax": {"betas": betas, "weight_decay": decay, "maximize": flag},
    "Adagrad": {"lr_decay": number(0, 1), "weight_decay": decay, "initial_accumulator_value": number(0, 1),
                "maximize": flag},
    "Adadelta": {"rho": number(0, 1), "eps": number(1e-8, 1e-2), "weight_decay": decay, "maximize": flag},
    "RMSprop": {"alpha": number(0.5, 0.99), "eps": number(1e-6, 1e-2), "weight_decay": decay,
                "momentum": either(nothing, number(0, 0.99)), "centered": flag, "maximize": flag},
    "Rprop": {"etas": both(number(0.1, 0.9), number(1.1, 2)), "maximize": flag},
    "ASGD": {"lambd": number(0, 0.1), "alpha": number(0, 1), "t0": number(0, 10), "weight_decay": decay,
             "maximize": flag},
    "Adafactor": {"beta2_decay": number(-1, 0), "d": number(1, 3), "weight_decay": decay, "maximize": flag},
    "Muon": {"weight_decay": decay, "momentum": number(0, 0.99), "nesterov": flag,
             "adjust_lr_fn": lambda rng: rng.choice([None, "original", "match_rms_adamw"])},
    "LBFGS": {"max_iter": lambda rng: rng.randint(1, 8), "history_size": lambda rng: rng.randint(1, 5),
              "line_search_fn": lambda rng: rng.choice([None, "strong_wolfe"])},
}
# fmt: on


def drawn(kind: str, count: int) -> list[dict[str, Any]]:
    """Settings at random, the same on every machine."""
    rng = random.Random(kind)
    known = {"lr": (lambda rng: 0.1) if kind == "LBFGS" else number(0, 1), **SETTINGS[kind]}
    return [{name: draw(rng) for name, draw in known.items() if flag(rng)} for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
def test_drawn_settings(kind: str) -> None:
    def ask(torch: Any) -> list[Any]:
        return [[oracle.encode(each), train(torch, kind, each, "float64")] for each in drawn(kind, 10)]

    for encoded, theirs in oracle.answer("optim_drawn", kind, ask):
        ours = train(engine, kind, oracle.decode(encoded, engine), "float64")
        assert not same(ours, theirs, COARSE.get(kind, 1e-7)), encoded


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_many_drawn_settings(kind: str) -> None:
    for given in drawn(kind, 150):
        theirs = train(oracle.torch(), kind, given, "float64")
        ours = train(engine, kind, given, "float64")
        assert not same(ours, theirs, COARSE.get(kind, 1e-7)), given


@pytest.mark.parametrize("kind", KINDS)
def test_state_moves_to_a_new_optimizer(kind: str) -> None:
    """Training in one go, and with state_dict() and load_state_dict() in the middle, is the same."""
    from tests.differential.optim_programs import _closure, parameters

    def steps(optimizer: Any, params: list[Any], count: int) -> None:
        for _ in range(count):
            closure = _closure(engine, optimizer, params)
            closure()
            optimizer.step(closure)

    whole = parameters(engine, "float64", kind)
    one = getattr(engine.optim, kind)(whole, lr=0.05)
    steps(one, whole, 6)
    halves = parameters(engine, "float64", kind)
    first = getattr(engine.optim, kind)(halves, lr=0.05)
    steps(first, halves, 3)
    second = getattr(engine.optim, kind)(halves, lr=0.9)
    second.load_state_dict(first.state_dict())
    steps(second, halves, 3)
    for a, b in zip(whole, halves, strict=True):  # as in PyTorch, counters come back in the parameter's dtype
        assert np.allclose(a.detach().numpy(), b.detach().numpy(), 1e-6, 1e-6)
    assert repr(one) == repr(second)
