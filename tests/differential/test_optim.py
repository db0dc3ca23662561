"""Every optimizer against PyTorch: values, versions, state_dict and text after some steps, with the settings that
PyTorch's own developers test (optim_db) and with random ones."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from tests.differential import oracle
from tests.differential.optim_programs import same, train

KINDS = ["SGD", "Adam", "AdamW", "NAdam", "RAdam", "Adamax", "Adagrad", "Adadelta", "RMSprop", "Rprop", "ASGD", "LBFGS"]
TOLERANCE = {"float32": 2e-6, "float64": 1e-12}
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
            assert not same(ours, theirs, TOLERANCE[dtype]), encoded


def number(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False)


betas = st.tuples(number(0, 0.99), number(0, 0.999))
flag = st.booleans()
decay = st.one_of(st.just(0), number(0, 0.5))
# fmt: off
SETTINGS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "SGD": {"momentum": st.one_of(st.just(0), number(0, 0.99)), "dampening": number(0, 1), "weight_decay": decay,
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
                "momentum": st.one_of(st.just(0), number(0, 0.99)), "centered": flag, "maximize": flag},
    "Rprop": {"etas": st.tuples(number(0.1, 0.9), number(1.1, 2)), "maximize": flag},
    "ASGD": {"lambd": number(0, 0.1), "alpha": number(0, 1), "t0": number(0, 10), "weight_decay": decay,
             "maximize": flag},
    "LBFGS": {"max_iter": st.integers(1, 8), "history_size": st.integers(1, 5),
              "line_search_fn": st.sampled_from([None, "strong_wolfe"])},
}
# fmt: on


@pytest.mark.oracle
@pytest.mark.parametrize("kind", KINDS)
def test_random_settings(kind: str) -> None:
    torch = oracle.torch()

    @settings(max_examples=25, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.fixed_dictionaries({}, optional={"lr": number(0, 1), **SETTINGS[kind]}))
    def check(given: dict[str, Any]) -> None:
        if kind == "LBFGS":
            given["lr"] = 0.1
        theirs = train(torch, kind, given, "float64")
        ours = train(engine, kind, given, "float64")
        assert not same(ours, theirs, 1e-7)

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_state_moves_to_a_new_optimizer(kind: str) -> None:
    """Training in one go, and with state_dict() and load_state_dict() in the middle, is the same."""
    from tests.differential.optim_programs import _closure, parameters

    def steps(optimizer: Any, params: list[Any], count: int) -> None:
        for _ in range(count):
            closure = _closure(engine, optimizer, params)
            closure()
            optimizer.step(closure)

    whole = parameters(engine, "float64")
    one = getattr(engine.optim, kind)(whole, lr=0.05)
    steps(one, whole, 6)
    halves = parameters(engine, "float64")
    first = getattr(engine.optim, kind)(halves, lr=0.05)
    steps(first, halves, 3)
    second = getattr(engine.optim, kind)(halves, lr=0.9)
    second.load_state_dict(first.state_dict())
    steps(second, halves, 3)
    for a, b in zip(whole, halves, strict=True):  # as in PyTorch, counters come back in the parameter's dtype
        assert np.allclose(a.detach().numpy(), b.detach().numpy(), 1e-6, 1e-6)
    assert repr(one) == repr(second)
