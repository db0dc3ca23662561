"""Phases with other phases between their statements: what is pressed in the shown order works, and repeats whole."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.run import Command, Run
from tests.engine.run.programs import printed

GAN = """\
import torch
from torch import nn
torch.manual_seed(0)
generator = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
discriminator = nn.Sequential(nn.Linear(2, 1), nn.Dropout(0.5))
opt_g = torch.optim.Adam(generator.parameters())
opt_d = torch.optim.Adam(discriminator.parameters())
criterion = nn.BCEWithLogitsLoss()
ones, zeros = torch.ones(4, 1), torch.zeros(4, 1)
for step in range(3):
    real = torch.randn(4, 2)
    fake = generator(torch.randn(4, 2))

    opt_d.zero_grad()
    loss_d = criterion(discriminator(real), ones) + criterion(discriminator(fake.detach()), zeros)
    loss_d.backward()
    opt_d.step()

    opt_g.zero_grad()
    loss_g = criterion(discriminator(fake), ones)
    loss_g.backward()
    opt_g.step()
    print(step, loss_d.item(), loss_g.item())
"""
BETWEEN = """\
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(2, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
X, Y = torch.randn(8, 2), torch.randn(8, 1)
for i in range(4):
    out = model(X)
    wide = out.size(0) * 2
    opt.zero_grad()
    if i < 3:
        diff = out - Y[:wide]
    else:
        diff = out
    loss = (diff ** 2).sum() / wide
    loss.backward()
    opt.step()
    print(loss.item())
"""


def pressed(run: Run, phase: str) -> list[tuple[int | None, str | None]]:
    """(line, phase) of the moments of one press."""
    do = next(each.do for each in run.phases if each.id == phase)
    outcome = run.execute(Command(do, phase=phase))
    moments = [run.moment(n) for n in range(outcome.first, outcome.last + 1)]
    assert all(m.error is None for m in moments), [m.error for m in moments]
    return [(m.line, m.phase) for m in moments]


def test_the_buttons_stand_in_the_order_in_which_they_end() -> None:
    run = Run(GAN)
    assert [(phase.id, phase.lines) for phase in run.phases][:3] == [
        ("zero_grad", ((14, 14),)),
        ("forward", ((12, 12), (15, 15))),
        ("backward", ((16, 16),)),
    ]


def test_what_is_pressed_in_the_shown_order_is_the_program() -> None:
    for source in (GAN, BETWEEN):
        straight = Run(source)
        straight.execute(Command("finish"))
        run = Run(source)
        run.begin()
        while run.moment(run.last).iteration != 3 or run.usual_next != run.phases[0].id:
            assert run.usual_next is not None
            pressed(run, run.usual_next)
        run.execute(Command("finish"))
        assert printed(run) == printed(straight)


def test_a_part_before_the_pressed_phase_is_begun_and_its_rest_is_the_next_press() -> None:
    run = Run(GAN)
    run.begin()
    assert pressed(run, "zero_grad")[-2:] == [(12, "forward"), (14, "zero_grad")]
    assert run.usual_next == "forward"
    assert pressed(run, "forward") == [(15, "forward")]
    assert pressed(run, "forward") == [(12, "forward"), (15, "forward")]
    assert pressed(run, "zero_grad") == [(14, "zero_grad")]
    assert run.usual_next == "backward"
    assert pressed(run, "forward") == [(12, "forward"), (15, "forward")]


def test_what_was_skipped_is_fetched() -> None:
    run = Run(BETWEEN)
    run.begin()
    run.execute(Command("next"))
    run.execute(Command("skip", times=2))
    pressed(run, "zero_grad")
    lines = [line for line, _ in pressed(run, "forward")]
    assert lines == [8, 9, 11, 12, 15]
    assert pressed(run, "backward") == [(16, "backward")]
    assert Run.replay(run.source, run.seed, run.commands).digest() == run.digest()


@settings(max_examples=15, derandomize=True, deadline=None)
@given(st.lists(st.integers(0, 7), min_size=1, max_size=12))
def test_a_forward_always_works_whatever_was_pressed_before(order: list[int]) -> None:
    run = Run(GAN)
    run.begin()
    for k in order:
        phase = run.phases[k]
        outcome = run.execute(Command(phase.do, phase=phase.id))
        moment = run.moment(outcome.last)
        if phase.id in ("forward", "zero_grad", "step"):
            assert moment.error is None, (order, moment.error)


LBFGS = """\
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(1, 1)
opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3)
X = torch.randn(8, 1)
Y = 3 * X + 1
for i in range(3):
    def closure():
        opt.zero_grad()
        out = model(X)
        loss = ((out - Y) ** 2).mean()
        loss.backward()
        return loss
    loss = opt.step(closure)
    print(i, loss.item())
"""


def test_the_phases_inside_a_closure_are_buttons() -> None:
    run = Run(LBFGS)
    run.begin()
    assert [(phase.id, phase.lines[0][0]) for phase in run.phases] == [
        ("zero_grad", 10),
        ("forward", 11),
        ("backward", 13),
        ("step", 15),
    ]
    assert run.usual_next == "step", "it calls the others"
    for phase, line in (("zero_grad", 10), ("forward", 12), ("backward", 13)):
        assert pressed(run, phase)[-1] == (line, phase)
        assert run.moment(run.last).next_line == 15
    assert pressed(run, "step") == [(15, "step")]
    assert pressed(run, "forward")[-2:] == [(11, "forward"), (12, "forward")]
    assert run.moment(run.last).iteration == 2
    run.execute(Command("finish"))
    assert pressed(run, "forward") == [(11, "forward"), (12, "forward")], "after the loop, on what it left behind"
    again = Run(run.transcript())
    again.execute(Command("finish"))
    assert printed(again) == printed(run)


def test_a_closure_before_the_loop_and_inside_a_function() -> None:
    head, loop = LBFGS.split("for i")
    body = [line[4:] for line in loop.split("\n")[1:7]]
    before = head + "\n".join(body) + "\nfor i" + loop.split("\n")[0] + "\n" + "\n".join(loop.split("\n")[7:])
    within = head + "def train():\n    " + ("for i" + loop).rstrip().replace("\n", "\n    ") + "\ntrain()\n"
    straight = Run(LBFGS)
    straight.execute(Command("finish"))
    for source in (before, within):
        run = Run(source)
        run.begin()
        for phase in ("zero_grad", "forward", "backward", "step"):
            pressed(run, phase)
        run.execute(Command("finish"))
        assert printed(run) == printed(straight)
