"""Breakpoints inside of functions: a run stops there wherever it can be suspended, and says so where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.run import Command, Run

SCRIPTS = {
    (head := part.partition("\n")[0].removeprefix("# "))[: head.index(":")]: (head[head.index(":") + 2 :], part)
    for part in (Path(__file__).parent / "breakpoints.txt").read_text().split("# ----\n")
}
"""name -> (how often a run stops at the line that ends with "here", or who called what it stands in; the script)"""
STOPPED = {name: (int(end), source) for name, (end, source) in SCRIPTS.items() if end.isdigit()}
PASSED = {name: SCRIPTS[name] for name in SCRIPTS if name not in STOPPED}


PRESSED = """import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(1, 1)
    def forward(self, x):
        h = self.l(x)
        return h * 2
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(40):
    opt.zero_grad()
    loss = (net(torch.ones(2, 1)) ** 2).mean()
    loss.backward()
    opt.step()
print(loss.item())
"""


def here(source: str) -> int:
    return next(number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# here"))


def to_the_end(source: str, command: Command) -> tuple[Run, int, list[str]]:
    """The run, how often it stopped at its breakpoint, and what it said."""
    run, stops, notes = Run(source), 0, []
    run.breakpoints = {here(source)}
    for _ in range(20):
        notes.append(run.execute(command).note)
        assert run.moment(run.last).error is None, run.moment(run.last).error
        if run.moment(run.last).next_line is None:
            break
        stops += run.moment(run.last).next_line == here(source)
    again = Run.replay(source, run.seed, run.commands)
    assert (again.last, again.digest()) == (run.last, run.digest())
    plain = Run(source)
    plain.execute(Command("finish"))
    assert plain.printed(plain.last, 1000) == run.printed(run.last, 1000)
    return run, stops, [note for note in notes if note]


@pytest.mark.parametrize("name", STOPPED)
def test_a_run_stops_in_calls_inside_of_expressions(name: str) -> None:
    wanted, source = STOPPED[name]
    run, stops, notes = to_the_end(source, Command("finish"))
    assert (stops, notes) == (wanted, [])
    other = Run(source)
    other.execute(Command("to_line", line=here(source)))
    assert other.moment(other.last).next_line == here(source)
    assert run.transcript().count("# here") == source.count("# here")


@pytest.mark.parametrize("name", PASSED)
def test_what_cannot_be_stopped_at_is_said_behind_it(name: str) -> None:
    words, source = PASSED[name]
    _, stops, notes = to_the_end(source, Command("finish"))
    assert stops == 0
    assert notes
    assert all(note.startswith(f"Line {here(source)} ran inside of line ") and words in note for note in notes)


def test_next_and_presses_stop_inside_and_go_on() -> None:
    source = PRESSED
    run = Run(source)
    run.breakpoints = {8}
    for _ in range(2):
        run.execute(Command("forward"))
        assert run.moment(run.last).next_line == 8
        run.execute(Command("backward"))
        assert (run.moment(run.last).do, run.moment(run.last).next_line) == ("backward", 15)
        run.execute(Command("step"))
    run.execute(Command("next", times=3))
    assert run.moment(run.last).next_line == 8
    run.execute(Command("out"))
    assert run.moment(run.last).next_line == 14
    run.execute(Command("run", times=30))
    assert run.moment(run.last).next_line == 8
    middle = run.last - 1
    assert [each.digest() for each in (run.fork(middle), run.fork(run.last))] == [
        Run.replay(source, run.seed, run.commands, until=middle).digest(),
        Run.replay(source, run.seed, run.commands).digest(),
    ]
    run.breakpoints = set()
    run.execute(Command("finish"))
    plain = Run(source)
    plain.execute(Command("finish"))
    assert run.printed(run.last, 100) == plain.printed(plain.last, 100)


def test_a_line_without_a_statement_is_the_next_one() -> None:
    source = "z = 0\ntry:\n    x = [\n        1,\n    ]\n\nfinally:\n    # a comment\n    y = 2\n"
    for line, wanted in ((2, 3), (4, 9), (6, 9), (8, 9)):
        run = Run(source)
        outcome = run.execute(Command("to_line", line=line))
        assert run.moment(run.last).next_line == wanted
        assert outcome.note == f"No statement begins at line {line}: the next one begins at line {wanted}."
        run = Run(source)
        run.breakpoints = {line}
        run.execute(Command("finish"))
        assert run.moment(run.last).next_line == wanted
