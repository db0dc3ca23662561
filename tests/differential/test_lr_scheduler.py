"""Every learning rate scheduler against PyTorch: each rate to the last digit, state and warnings."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.differential import oracle
from tests.differential.optim_programs import schedule

# fmt: off
MAKERS: dict[str, Any] = {
    "step": lambda L, o: L.StepLR(o, 3),
    "step, gamma": lambda L, o: L.StepLR(o, step_size=2, gamma=0.7),
    "milestones": lambda L, o: L.MultiStepLR(o, [2, 5, 5, 7], gamma=0.3),
    "constant": lambda L, o: L.ConstantLR(o),
    "constant, total": lambda L, o: L.ConstantLR(o, factor=0.7, total_iters=3),
    "constant, wrong": lambda L, o: L.ConstantLR(o, factor=2),
    "linear": lambda L, o: L.LinearLR(o),
    "linear, down": lambda L, o: L.LinearLR(o, start_factor=1.0, end_factor=0.1, total_iters=7),
    "linear, wrong start": lambda L, o: L.LinearLR(o, start_factor=0),
    "linear, wrong end": lambda L, o: L.LinearLR(o, end_factor=1.5),
    "exponential": lambda L, o: L.ExponentialLR(o, 0.93),
    "polynomial": lambda L, o: L.PolynomialLR(o),
    "polynomial, power": lambda L, o: L.PolynomialLR(o, total_iters=8, power=2.5),
    "cosine": lambda L, o: L.CosineAnnealingLR(o, 5),
    "cosine, min": lambda L, o: L.CosineAnnealingLR(o, T_max=4, eta_min=0.01),
    "restarts": lambda L, o: L.CosineAnnealingWarmRestarts(o, 3),
    "restarts, longer": lambda L, o: L.CosineAnnealingWarmRestarts(o, 2, T_mult=2, eta_min=0.001),
    "restarts, wrong": lambda L, o: L.CosineAnnealingWarmRestarts(o, 0),
    "lambda": lambda L, o: L.LambdaLR(o, lambda e: 0.95 ** e),
    "lambdas": lambda L, o: L.LambdaLR(o, [lambda e: 0.95 ** e, lambda e: 1 / (e + 1)]),
    "multiplicative": lambda L, o: L.MultiplicativeLR(o, lambda e: 0.9 + 0.01 * e),
    "plateau": lambda L, o: L.ReduceLROnPlateau(o, patience=1),
    "plateau, max": lambda L, o: L.ReduceLROnPlateau(o, "max", 0.5, 0, 0.1, "abs", 2, [0.01, 0.02]),
    "plateau, wrong mode": lambda L, o: L.ReduceLROnPlateau(o, threshold_mode="x"),
    "plateau, wrong min": lambda L, o: L.ReduceLROnPlateau(o, min_lr=[0.1]),
    "one cycle": lambda L, o: L.OneCycleLR(o, 1.0, total_steps=12),
    "one cycle, linear": lambda L, o: L.OneCycleLR(
        o, [1.0, 2.0], epochs=3, steps_per_epoch=5, anneal_strategy="linear"),
    "one cycle, three": lambda L, o: L.OneCycleLR(o, 1.0, total_steps=13, three_phase=True, pct_start=0.4),
    "one cycle, no momentum": lambda L, o: L.OneCycleLR(o, 1.0, total_steps=13, cycle_momentum=False),
    "one cycle, too short": lambda L, o: L.OneCycleLR(o, 1.0, total_steps=5),
    "one cycle, wrong": lambda L, o: L.OneCycleLR(o, 1.0, total_steps=10, pct_start=2),
    "one cycle, strategy": lambda L, o: L.OneCycleLR(o, 1.0, total_steps=10, anneal_strategy="x"),
    "one cycle, steps": lambda L, o: L.OneCycleLR(o, 1.0, total_steps=0),
    "one cycle, epochs": lambda L, o: L.OneCycleLR(o, 1.0, epochs=2, steps_per_epoch=-1),
    "cyclic": lambda L, o: L.CyclicLR(o, 0.01, 0.1, step_size_up=4),
    "cyclic, down": lambda L, o: L.CyclicLR(o, 0.01, 0.1, step_size_up=2, step_size_down=5, mode="triangular2"),
    "cyclic, range": lambda L, o: L.CyclicLR(o, [0.01, 0.02], [0.1, 0.2], 3, mode="exp_range", gamma=0.9),
    "cyclic, own": lambda L, o: L.CyclicLR(o, 0.01, 0.1, 3, scale_fn=lambda x: 0.5, scale_mode="iterations"),
    "cyclic, wrong": lambda L, o: L.CyclicLR(o, 0.01, 0.1, mode="x"),
    "cyclic, lengths": lambda L, o: L.CyclicLR(o, [0.01], 0.1),
    "sequential": lambda L, o: L.SequentialLR(o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)], [3]),
    "warm-up": lambda L, o: L.SequentialLR(
        o, [L.LinearLR(o, 0.1, total_iters=3), L.CosineAnnealingLR(o, 5), L.StepLR(o, 2)], milestones=[3, 7]),
    "sequential, wrong": lambda L, o: L.SequentialLR(o, [L.ConstantLR(o)], [3]),
    "sequential, plateau": lambda L, o: L.SequentialLR(o, [L.ConstantLR(o), L.ReduceLROnPlateau(o)], [3]),
    "chained": lambda L, o: L.ChainedScheduler([L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)]),
    "chained, empty": lambda L, o: L.ChainedScheduler([]),
    "resumed": lambda L, o: L.StepLR(o, 2, last_epoch=3),
    "no optimizer": lambda L, o: L.StepLR(3, 2),
}
# fmt: on
METRICS = [1.0, 0.9, 0.9, 0.9, 0.9, 0.2, 0.2, 0.2, 0.2, 0.2, 0.1, 0.3]


@pytest.mark.parametrize("name", MAKERS)
def test_scheduler(name: str) -> None:
    metrics = METRICS if name.startswith("plateau") else None
    theirs = oracle.answer("lr_scheduler", name, lambda torch: schedule(torch, MAKERS[name], len(METRICS), metrics))
    assert schedule(engine, MAKERS[name], len(METRICS), metrics) == theirs


@pytest.mark.parametrize("name", ["step", "warm-up", "lambda", "one cycle", "cyclic", "chained", "restarts, longer"])
def test_state_moves_to_a_new_scheduler(name: str) -> None:
    """Half-way through, state_dict() and load_state_dict() lose nothing."""

    def rates(scheduler: Any, optimizer: Any, count: int) -> list[Any]:
        found = []
        for _ in range(count):
            optimizer.step()
            scheduler.step()
            found.append([group["lr"] for group in optimizer.param_groups])
        return found

    def made() -> tuple[Any, Any]:
        w = [engine.zeros(1, requires_grad=True) for _ in range(2)]
        optimizer = engine.optim.SGD([{"params": w[:1]}, {"params": w[1:]}], lr=0.1, momentum=0.9)
        return MAKERS[name](engine.optim.lr_scheduler, optimizer), optimizer

    whole = rates(*made(), 10)
    scheduler, optimizer = made()
    assert rates(scheduler, optimizer, 5) == whole[:5]
    again, another = made()
    another.load_state_dict(optimizer.state_dict())
    again.load_state_dict(scheduler.state_dict())
    assert rates(again, another, 5) == whole[5:]
