"""What holds whatever is pressed: random commands on several scripts."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import CommandError
from engine.run import Command, Run
from engine.script.limits import Limits
from tests.engine.run.programs import SOURCES, commands, printed

FEW = settings(max_examples=30, deadline=None)


def play(source: str, given_commands: list[Command]) -> tuple[Run, list[tuple[int, str]]]:
    """The run, and (last moment, digest) after begin and after each command."""
    run = Run(source)
    run.begin()
    states = [(run.last, run.digest())]
    for command in given_commands:
        before = run.last
        try:
            outcome = run.execute(command)
        except CommandError:
            assert run.last == before
            assert run.digest() == states[-1][1], "a refused command changes nothing"
            continue
        assert outcome.first == before + 1
        assert outcome.last == run.last
        assert not outcome.stopped
        states.append((run.last, run.digest()))
    return run, states


@FEW
@given(st.sampled_from(sorted(SOURCES)), commands)
def test_moments_are_whole_and_replay_gives_the_same(name: str, given_commands: list[Command]) -> None:
    run, _ = play(SOURCES[name], given_commands)
    for number in range(run.last + 1):
        moment = run.moment(number)
        assert moment.number == number == run.summaries()[number].number
        ids = [node.id for node in moment.graph.nodes]
        assert len(set(ids)) == len(ids)
        place = {id_: i for i, id_ in enumerate(ids)}
        for edge in moment.graph.edges:
            assert place[edge.source] < place[edge.target], "nodes are in order of computation"
        assert sum(node.kind == "output" for node in moment.graph.nodes) <= max(1, len(ids))
        for node in moment.graph.nodes:
            assert (node.value is None) == (node.state == "ghost")
        for tensor in moment.tensors:
            assert not tensor.value.flags.writeable
            assert tensor.node is None or tensor.node in place
        if "“" not in moment.explanation.text:
            assert 1 <= len(re.split(r"(?<=[.!?…]) ", moment.explanation.text)) <= 2, moment.explanation.text
        assert moment.explanation.text.startswith(moment.explanation.lead)
    again = Run.replay(SOURCES[name], run.seed, run.commands)
    assert again.digest() == run.digest()
    assert again.last == run.last
    assert printed(again) == printed(run)


@FEW
@given(st.sampled_from(sorted(SOURCES)), commands, st.data())
def test_a_fork_is_the_past(name: str, given_commands: list[Command], data: st.DataObject) -> None:
    run, states = play(SOURCES[name], given_commands)
    last, digest = data.draw(st.sampled_from(states))
    fork = run.fork(last)
    assert fork.last == last
    assert fork.digest() == digest
    anywhere = data.draw(st.integers(0, run.last))
    fork = run.fork(anywhere)
    assert fork.last == anywhere
    mine, theirs = run.moment(anywhere), fork.moment(anywhere)
    assert mine.explanation == theirs.explanation
    assert [t.name for t in mine.tensors] == [t.name for t in theirs.tensors]
    assert all(
        np.array_equal(a.value, b.value, equal_nan=True) for a, b in zip(mine.tensors, theirs.tensors, strict=True)
    )
    again = Run.replay(fork.source, fork.seed, fork.commands)
    assert (again.last, again.digest()) == (fork.last, fork.digest())
    fork.execute(Command("next")) if fork.moment(fork.last).next_line is not None else None


def test_runs_take_turns_without_disturbing_each_other() -> None:
    source = (
        "import torch\nw = torch.zeros(2, requires_grad=True)\nfor i in range(5):\n    x = torch.randn(2)\n"
        "    loss = ((w - x) ** 2).sum()\n    loss.backward()\n    print(x.tolist())\n"
    )
    alone = Run(source)
    alone.execute(Command("run", times=4))
    one, two = Run(source), Run(source, seed=5)
    for _ in range(4):
        one.execute(Command("run"))
        two.execute(Command("run"))
    assert printed(one) == printed(alone)
    assert printed(two) != printed(alone)
    assert one.digest() != two.digest()


def test_a_stop_between_statements_is_written_down_and_replays() -> None:
    run = Run(SOURCES["gradients-add-up"])
    run.begin()
    left = iter(range(9))
    outcome = run.execute(Command("run", times=10), should_stop=lambda: next(left, None) is None)
    assert outcome.stopped
    assert run.commands[-1][0].until == run.last
    again = Run.replay(run.source, run.seed, run.commands)
    assert (again.last, again.digest()) == (run.last, run.digest())


def test_a_stop_inside_a_statement_takes_it_back() -> None:
    source = (
        "w = 0\ndef spin():\n    global w\n    while True:\n        w += 1\nfor i in range(3):\n    w += 10\n"
        "    loss.backward()\n"
    )
    run = Run(source)
    run.execute(Command("statement", statement="w = 5"))
    before = run.digest()
    asked = iter(range(3))
    outcome = run.execute(Command("statement", statement="spin()"), should_stop=lambda: next(asked, None) is None)
    assert outcome.stopped
    assert outcome.first > outcome.last
    assert run.digest() == before
    assert run.execute(Command("statement", statement="w")).last == run.last
    assert run.moment(run.last).explanation.text == "w gives 5."


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"do": "jump"}, "Unknown command"),
        ({"do": "next", "times": 0}, "times"),
        ({"do": "next", "times": True}, "times"),
        ({"do": "to_line"}, "needs a line"),
        ({"do": "statement", "statement": "  "}, "needs a statement"),
        ({"do": "next", "speed": 3}, "Unknown part"),
        ({"do": "forward", "phase": 3}, "phase"),
    ],
)
def test_commands_that_do_not_fit_are_refused(values: dict, part: str) -> None:
    with pytest.raises(CommandError, match=part):
        Command.from_dict(values)


def test_commands_go_to_dictionaries_and_back() -> None:
    for command in (
        Command("next", times=3),
        Command("forward", phase="forward-2"),
        Command("to_line", line=3),
        Command("statement", statement="x = 1", until=9),
    ):
        assert Command.from_dict(command.to_dict()) == command


@pytest.mark.parametrize(
    ("command", "part"),
    [
        (Command("step", phase="step-9"), "no phase step-9"),
        (Command("to_line", line=999), "No statement begins at line 999, or behind it"),
        (Command("out"), "Nothing to step out of"),
        (Command("statement", statement="if"), "invalid syntax"),
    ],
)
def test_impossible_commands_leave_the_run_as_it_was(command: Command, part: str) -> None:
    run = Run(SOURCES["gradients-add-up"])
    run.begin()
    before = run.digest(), list(run.commands)
    with pytest.raises(CommandError, match=part):
        run.execute(command)
    assert (run.digest(), run.commands) == before


def test_a_time_limit_is_written_down_and_replays_without_a_clock() -> None:
    source = "w = 0\ndef spin():\n    global w\n    while True:\n        w += 1\n"
    run = Run(source, limits=Limits(time=0.2))
    run.execute(Command("next", times=2))
    before = run.last
    run.execute(Command("statement", statement="spin()"))
    moment = run.moment(run.last)
    assert run.last == before + 1
    assert moment.error is not None
    assert (moment.error.type, moment.error.limit) == ("LimitExceeded", "time")
    assert run.state == "failed"
    assert (moment.statement, moment.line) == ("spin()", None)
    assert [variable.text for variable in moment.variables] == ["0"], "what it had done is taken back"
    assert run.commands[-1][0].limit == "time"
    again = Run.replay(source, run.seed, run.commands)
    assert (again.last, again.digest()) == (run.last, run.digest())
    assert again.moment(again.last).error == moment.error
    run.execute(Command("statement", statement="w"))
    assert run.moment(run.last).explanation.text == "w gives 0."


def test_a_breakpoint_is_written_down_as_where_it_came() -> None:
    run = Run(SOURCES["gradients-add-up"])
    run.begin()
    run.breakpoints = {19}
    run.execute(Command("run", times=3))
    assert run.moment(run.last).next_line == 19
    assert run.moment(run.last).iteration == 1
    run.execute(Command("finish"))
    assert (run.moment(run.last).next_line, run.moment(run.last).iteration) == (19, 2)
    again = Run.replay(run.source, run.seed, run.commands)
    assert (again.last, again.digest()) == (run.last, run.digest())


def test_starting_over_is_a_fresh_run() -> None:
    run = Run(SOURCES["linear-regression"])
    run.begin()
    fresh = run.digest(), run.last
    run.execute(Command("run", times=3))
    outcome = run.execute(Command("reset"))
    assert (outcome.first, outcome.last) == (0, run.last)
    assert (run.digest(), run.last) == fresh
    assert run.commands == []
    assert run.begin().first > run.last, "it has begun already"
