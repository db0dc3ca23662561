"""Iterations one after the other of a loop in which nothing happens but what is on its tape: forward, backward, a step
of an optimizer, gradients cleared. Nobody can look in between, so that what only somebody who looks could tell (names,
counters, `.grad`s that go and come back, and the loss) is done once, at the end; the arithmetic is the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.optim.bunches import Home
from engine.replay.calls import Call
from engine.replay.homes import at_home, leave
from engine.replay.statement import Statement
from engine.replay.unread import split

if TYPE_CHECKING:
    from engine.script.executing.machine import Machine
    from engine.script.frames import Frame, Run


def can_chain(statements: Sequence[Statement]) -> bool:
    """Whether an iteration that has just been replayed is the same as those that follow: no inputs that vary, nothing
    that is asked on the way, gradients cleared before they come, one step that is prepared."""
    kinds = [each.text.kind for each in statements]
    if kinds.count("clear") != 1 or kinds.count("step") != 1 or kinds.count("backward") != 1:
        return False
    if kinds.index("backward") < kinds.index("clear") < kinds.index("step"):
        return False
    for each in statements:
        if each.checks or any(external.copy is not None for external in each.externals):
            return False
        if each.text.kind == "clear" and each.owner is None:
            return False
        if each.text.kind == "step" and (each.step is None or not each.step.fits):
            return False
    cleared = {leaf for each in statements for leaf in each.leaves}
    return all(leaf in cleared for each in statements for leaf, _ in each.gradients)


Parts = tuple[list[Call], list[Call], list[Home]]
"""The calls of an iteration, those that its last one alone needs after them, and the homes of what they change, if they
read and write it there."""


def divided(statements: Sequence[Statement]) -> Parts:
    """The parts of iterations, all of which step as the last one did."""
    (step,) = [each.step for each in statements if each.step is not None]
    gradients = [pair[1]._array for each in statements for pair in each.gradients]
    calls, at_last = split([call for each in statements for call in each.calls], gradients, step.changes())
    homes = step.homes()
    there = at_home(calls, homes) if homes else None
    return (calls, at_last, []) if there is None else (there, at_last, homes)


def chain(
    statements: Sequence[Statement],
    parts: Parts,
    machine: Machine,
    run: Sequence[Run],
    path: Sequence[int],
    frame: Frame,
    cost: int,
) -> tuple[int, int]:
    """Replay iterations until the loop ends or the budgets are to be looked at, from the position before the first
    statement on. `parts` are what `divided` makes of them; `path` is the way through the loop's header, which is
    executed after each and with it takes `cost` steps. Where to go on, and how many iterations that were."""
    (step,) = [each.step for each in statements if each.step is not None]
    each, at_last, homes = parts
    calls = [*each, *step.moves(bool(homes))]
    header = [(at, run[at], then) for at, then in pairwise(path)]
    first = pc = statements[0].first
    count = 0
    try:
        while pc == first and machine.left > cost:
            for function, arguments in calls:
                function(*arguments)
            machine.left -= cost
            count += 1
            for at, instruction, then in header:
                frame.pc = at
                pc = instruction(frame)
                if pc != then:
                    break
    finally:  # a budget may end it anywhere
        if count:
            leave(homes)
            for function, arguments in at_last:
                function(*arguments)
        step.count(count)
    return pc, count
