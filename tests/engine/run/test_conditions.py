"""Breakpoints with conditions: where they stop, that a run never notices that one was evaluated, and what is said of
one that cannot be."""

from __future__ import annotations

import pytest

from engine.errors import SourceError
from engine.run import Command, Run
from engine.run.conditions import MOST_CHARACTERS, Breakpoint, require_condition
from tests.selection import some

LOOP = """import torch
import random
torch.manual_seed(0)
net = torch.nn.Linear(1, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
seen, calls = [], [0]
models = frozenset([net])
def bump():
    calls[0] += 1
    seen.append(calls[0])
    return calls[0]
for i in range(40):
    x = torch.rand(4, 1)
    loss = ((net(x) - 3) ** 2).mean()
    loss.backward()
    opt.step()  # here
    opt.zero_grad()
print(loss.item(), torch.rand(1), random.random(), seen, calls)
"""
HERE = 16

CALLS = """import torch
def scaled(x):
    y = x * 2
    return y  # here
def last(values):
    return sorted(values, key=lambda v: scaled(v))[-1]
total = 0
for i in range(30):
    total += scaled(i)
    top = last([i, 1, 2])
print(total, top)
"""
INSIDE = 4


def conditional(source: str, line: int, when: str, hits: int = 1) -> Run:
    run = Run(source)
    run.breakpoints, run.conditions = {line}, {line: Breakpoint(line, when, hits)}
    return run


def iterations(run: Run, command: Command, line: int) -> list[int | None]:
    """Those in which commands of this kind stopped at the line, one after the other."""
    stops = []
    for _ in range(10):
        run.execute(command)
        if run.moment(run.last).next_line != line:
            break
        stops.append(run.moment(run.last).iteration)
    return stops


def same_as_undisturbed(run: Run) -> bool:
    """Whether the run, brought to its end, is one without breakpoints; and is made again by its commands."""
    run.breakpoints, run.conditions = set(), {}
    run.execute(Command("finish"))
    plain = Run(run.source)
    plain.execute(Command("finish"))
    again = Run.replay(run.source, run.seed, run.commands)
    return plain.digest() == run.digest() == again.digest()


@pytest.mark.parametrize(
    ("when", "hits", "stops"),
    [
        ("i == 30", 1, [31]),
        ("i in (0, 1, 30)", 1, [1, 2, 31]),
        ("i % 5 == 0", 3, [11, 26]),
        ("", 15, [15, 30]),
        ("net.weight.grad.abs().max() > 1e9", 1, []),
        ("torch.is_grad_enabled() and i > 37", 1, [39, 40]),
        ("(lambda n: n == 9)(i)  # a comment", 1, [10]),
        ("any(i == n for n in (3, 4))", 2, [5]),
    ],
)
def test_a_run_stops_where_a_condition_is_true(when: str, hits: int, stops: list[int]) -> None:
    run = conditional(LOOP, HERE, when, hits)
    assert iterations(run, Command("finish"), HERE) == stops
    assert same_as_undisturbed(run)


@pytest.mark.parametrize("command", [Command("run", times=100), Command("next", times=1000)])
def test_commands_that_pause_at_breakpoints_ask_their_conditions(command: Command) -> None:
    assert iterations(conditional(LOOP, HERE, "i % 25 == 3"), command, HERE) == [4, 29]


@pytest.mark.parametrize(
    "when",
    some(
        [
            "bump() < 0",
            "seen.append(i)",
            "torch.manual_seed(7) is None or torch.rand(3).sum() < 0",
            "random.seed(1) or random.random() < 0",
            "net.weight.data.zero_().sum() > 0",
            "opt.step() or opt.zero_grad()",
            "loss.backward()",
            "setattr(net, 'bias', None)",
            "torch.set_grad_enabled(False) is None",
            "[globals().update(i=0), print('printed')] == 0",
            "(i := 1000) < 0",
            "open('file', 'w').write('x') < 0",
            "net.register_forward_hook(lambda *_: 0 / 0) is None",
            "next(iter(seen), None)",
        ],
        2,
    ),
)
def test_whatever_a_condition_does_the_run_does_not_notice(when: str) -> None:
    run = conditional(LOOP, HERE, when)
    assert iterations(run, Command("finish"), HERE) == []
    assert same_as_undisturbed(run)


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (
            "nothing > 3",
            "could not be told 40 times, at first after moment 12: NameError: name 'nothing' is not defined.",
        ),
        ("1 / (i - 7) > 3", "could not be told after moment 54: ZeroDivisionError: division by zero."),
        ("len(models) > 3", "it is tried on a copy, and there is none of a frozenset of what may change."),
        ("torch.rand(2, 2) > 0.5", "RuntimeError: Boolean value of Tensor with more than one value is ambiguous."),
        ("len([0] * 10**9) > 3", "could not be told after moment 12: LimitExceeded: "),
    ],
)
def test_a_condition_that_cannot_be_told_is_said_and_stops_nothing(when: str, said: str) -> None:
    run = conditional(LOOP, HERE, when)
    note = run.execute(Command("finish")).note
    assert run.moment(run.last).next_line is None
    assert f"The condition of the breakpoint at line {HERE} " in note
    assert said in note
    assert note.endswith(" The run went on.")
    assert same_as_undisturbed(run)


def test_what_is_said_of_a_condition_stands_behind_what_a_command_says() -> None:
    note = conditional(LOOP, HERE, "nothing").execute(Command("run", times=2)).note
    assert note.startswith("2 iterations ran: loss went from ")
    assert "NameError" in note
    note = conditional(LOOP, HERE, "i == 1").execute(Command("run", times=9)).note
    assert note == f"Stopped at the breakpoint at line {HERE}."


def test_conditions_in_functions_see_their_variables() -> None:
    run = conditional(CALLS, INSIDE, "x == 20 and y == 40")
    run.execute(Command("finish"))
    moment = run.moment(run.last)
    assert moment.next_line == INSIDE
    assert {each.name: each.text for each in moment.variables}["i"] == "20"
    note = run.execute(Command("finish")).note  # in a key function, where a run cannot stop
    assert note.startswith(f"Line {INSIDE} ran inside of line ")
    run.execute(Command("finish"))
    assert run.moment(run.last).next_line is None


def test_running_to_a_line_does_not_ask_its_condition() -> None:
    run = conditional(LOOP, HERE, "False")
    run.execute(Command("to_line", line=HERE))
    assert (run.moment(run.last).next_line, run.moment(run.last).iteration) == (HERE, 1)


def test_forks_and_old_moments_of_a_run_that_a_condition_stopped() -> None:
    run = conditional(CALLS, INSIDE, "x == 20")
    run.execute(Command("finish"))
    middle = run.last - 9
    assert run.fork(middle).digest() == Run.replay(CALLS, run.seed, run.commands, until=middle).digest()
    assert Command.from_dict(run.commands[-1][0].to_dict()) == run.commands[-1][0]


@pytest.mark.parametrize(
    "text", ["", "a =", "x = 3", "if x: pass", "a; b", "(yield)", "await x", "a) or (b", "x" * (MOST_CHARACTERS + 1)]
)
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(SourceError):
        require_condition(text)
