"""What a script writes to stdout and stderr: kept apart in a moment, in its order on the page."""

from __future__ import annotations

from engine.run import Command, Run
from engine.run.output import last_lines
from engine.script.limits import Limits

SOURCE = """
import logging, sys, torch
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=None)
log = logging.getLogger("train")
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(6):
    opt.zero_grad()
    loss = w**2
    loss.backward()
    opt.step()
    print(i, end=" ", file=sys.stderr); print("loss", round(loss.item(), 3)); log.info("step %d", i)
"""


def _finished(source: str, limits: Limits | None = None) -> Run:
    run = Run(source, limits=limits or Limits())
    run.begin()
    run.execute(Command("finish"))
    return run


def test_a_moment_keeps_both_apart() -> None:
    run = _finished("import sys\nfor i in range(2):\n    print('a', file=sys.stderr) or print('b')\n")
    assert [(m.stdout, m.stderr) for m in map(run.moment, range(run.last + 1)) if m.stdout] == [("b\n", "a\n")] * 2


def test_the_order_is_the_script_s() -> None:
    run = _finished(SOURCE)
    assert "".join(text for _, text in run.output(run.last)).startswith("0 loss 1.0\nINFO step 0\n1 loss 0.64\n")
    assert run.output(run.last, 2) == [(True, "5 "), (False, "loss 0.107\n"), (True, "INFO step 5\n")]
    assert run.printed(run.last, 2) == "loss 0.168\nloss 0.107\n"


def test_loops_that_run_at_once_and_their_replay_write_the_same() -> None:
    stepped, at_once = Run(SOURCE), Run(SOURCE)
    for run in (stepped, at_once):
        run.begin()
    while stepped.state != "finished":
        stepped.execute(Command("next"))
    at_once.execute(Command("run", times=6))
    assert at_once.output(at_once.last) == stepped.output(stepped.last)
    fork = at_once.fork(at_once.last)
    assert fork.output(fork.last) == at_once.output(at_once.last)
    assert fork.digest() == at_once.digest()


def test_it_counts_as_what_is_printed() -> None:
    run = _finished(
        "import sys\nfor i in range(100):\n    print('x' * 100, file=sys.stderr)\n", Limits(output_bytes=2_000)
    )
    error = run.moment(run.last).error
    assert error is not None
    assert (error.limit, error.line) == ("output_bytes", 3)


def test_half_a_character_is_shown_escaped() -> None:
    run = _finished("import sys\nprint('\\ud800', file=sys.stderr)\n")
    assert run.output(run.last) == [(True, "\\ud800\n")]


def test_the_last_lines_of_both() -> None:
    printed = [(1, False, "a\nb"), (2, True, "c\n"), (3, True, "d\ne\n"), (4, False, "f")]
    assert last_lines(printed, 4, 3, (False, True)) == [(True, "d\ne\n"), (False, "f")]
    assert last_lines(printed, 2, 9, (False, True)) == [(False, "a\nb"), (True, "c\n")]
    assert last_lines(printed, 4, 1, (False, True)) == [(False, "f")]
    assert last_lines(printed, 4, 9, (False,)) == [(False, "a\nbf")]
    assert last_lines([], 4, 9, (False, True)) == []
