"""skip: the way round a statement that always fails."""

from __future__ import annotations

import pytest

from engine.errors import CommandError
from engine.run import Command, Run

SOURCE = """import torch
w = torch.tensor(1.0, requires_grad=True)
data = open("data.csv")
for i in range(2):
    loss = (w * 2) ** 2
    loss.backward()
print("end")
"""


def test_a_line_before_the_loop_that_fails_is_passed_over() -> None:
    run = Run(SOURCE)
    run.begin()
    failed = run.moment(run.last)
    assert failed.error is not None
    assert failed.explanation.offers[0].commands == ({"do": "skip"},)
    outcome = run.execute(Command.from_dict({"do": "skip"}))
    moment = run.moment(outcome.last)
    assert (moment.line, moment.next_line, moment.error, moment.events) == (3, 4, None, ())
    assert moment.explanation.text.startswith("Line 3 was passed over")
    run.execute(Command("finish"))
    assert run.state == "finished"
    again = Run.replay(run.source, run.seed, run.commands)
    assert again.digest() == run.digest()
    assert run.transcript().count("open(") == 1  # where it failed, inside try


def test_a_first_line_that_is_passed_over_is_not_in_the_transcript() -> None:
    run = Run("# about it\nimport torch\nx = 1\nprint(torch.ones(x))\n")
    run.begin()
    again = run.fork(0)
    again.execute(Command("skip"))
    again.execute(Command("finish"))
    assert "import torch" not in again.transcript()
    run.execute(Command("finish"))
    assert run.transcript().startswith("# about it\nimport torch\nx = 1\n")


def test_fork_just_after_a_skip() -> None:
    run = Run(SOURCE)
    run.begin()
    run.execute(Command("skip"))
    fork = run.fork(run.last)
    assert fork.digest() == run.digest()
    assert fork.moment(fork.last).next_line == 4


def test_the_loop_itself_and_several() -> None:
    run = Run("x = 1\nfor i in range(3):\n    x += i\nprint(x)\ny = 2\n")
    run.execute(Command("next"))
    run.execute(Command("skip", times=2))
    run.execute(Command("finish"))
    assert "".join(run.moment(n).stdout for n in range(run.last + 1)) == ""
    with pytest.raises(CommandError):
        run.execute(Command("skip"))
