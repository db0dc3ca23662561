"""Steps of optimizers, taken for several parameters at once, are those that are taken one by one."""

from __future__ import annotations

import pytest

from tests.engine.replay.test_replay import held_against_eager

SOURCE = """
import torch
torch.manual_seed(0)
shapes = [(), (3,), (4, 5), (64, 65), (1, 7), (2,)]
one, two = ([torch.randn(shape, requires_grad=True) for shape in shapes] for _ in range(2))
two[2] = torch.randn(5, 4).t().requires_grad_()
optimizer = torch.optim.{optimizer}
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)
a, b, c, d, e, unused = one
f, g, h, i, j, _ = two
for step in range(9):
    optimizer.zero_grad()
    loss = (a * f).sum() + (b * g).tanh().sum() + (c * h).tanh().sum() + (d * i).tanh().mean() + (e * j * a).sum()
    loss.backward()
    optimizer.step()
    {rest}
print(one, two)
"""
OPTIMIZERS = {
    "Adam(one + two, lr=0.01)": True,
    "Adam([{'params': one, 'lr': 0.1}, {'params': two, 'weight_decay': 0.1, 'amsgrad': True}])": True,
    "AdamW(one[:2] + two)": True,
    "Adamax(one + two)": True,
    "NAdam(one + two)": True,
    "RAdam(one + two)": True,
    "RMSprop(one + two, momentum=0.9, centered=True)": True,
    "Adagrad(one + two)": True,
    "Adadelta(one + two)": True,
    "Rprop(one + two)": True,
    "ASGD(one + two)": True,
    "SGD(one + two, momentum=0.9, weight_decay=0.1, nesterov=True)": True,
    "SGD(one + two, weight_decay=0.1)": True,
    "Adam(one + two, maximize=True)": False,
    "Adafactor(one + two)": False,
}
RESTS = [
    "",
    "scheduler.step()",
    "if step == 5: optimizer.param_groups[0]['lr'] = 0.5",
    "if step == 5: kept = [part.numpy() for s in optimizer.state.values() for part in s.values()]",
    "if step == 5: next(iter(optimizer.state.values()))['step'].mul_(2)",
    "if step == 5: optimizer.load_state_dict(optimizer.state_dict())",
    "if step == 5: b.data = b.data * 2",
]


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_each_optimizer(optimizer: str) -> None:
    (loop,) = held_against_eager(SOURCE.format(optimizer=optimizer, rest=""))
    (step,) = [each.step for each in loop._place.statements if each.step is not None]
    assert loop.tally.replayed == 6
    assert step.fits == OPTIMIZERS[optimizer]


@pytest.mark.parametrize("rest", RESTS)
def test_what_else_happens(rest: str) -> None:
    held_against_eager(SOURCE.format(optimizer="Adam(one + two, lr=0.01)", rest=rest))


def test_iterations_one_after_the_other() -> None:
    source = SOURCE.format(optimizer="AdamW(one + two)", rest="").replace("range(9)", "range(40)")
    (loop,) = held_against_eager(source)
    assert loop.tally.replayed == 37
