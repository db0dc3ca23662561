"""A twin of a run is what a replay of its commands comes to, and neither knows of the other."""

from __future__ import annotations

import pytest

from app.encode import moment_json
from app.library import scenarios
from engine.run import Command, Run
from engine.run import run as of_run
from engine.run.checkpoints import LISTS, OF_THE_RECORDER, SESSION
from engine.run.sharing import Refused
from engine.run.twins import twin
from tests.engine.run.loops import HEAD, LOOPS, OPTIMIZE, W

PRESSES = ("forward", "backward", "backward", "step", "zero_grad", "forward", "step", "zero_grad", "backward")
INSIDE = f"""{HEAD}
def train(w, opt, note=[]):
    loss = (w * 2).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    note.append(loss.item())
    return note
w = torch.tensor([1.0, 2.0], requires_grad=True)
view = w.detach()[:1]
opt = torch.optim.SGD([w], lr=0.1, momentum=0.9)
for i in range(5):
    note = train(w, opt)
    print(i, note, view)
"""


def replayed(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A fork of the run's end as it is made where nothing can be copied."""

    def refuse(run: Run) -> Run:
        raise Refused("all")

    with monkeypatch.context() as patch:
        patch.setattr(of_run, "twin", refuse)
        return run.fork(run.last)


def assert_equal(one: Run, other: Run) -> None:
    assert (one.last, one.digest(), one.state, one.usual_next) == (
        other.last,
        other.digest(),
        other.state,
        other.usual_next,
    )
    assert one.transcript() == other.transcript()
    assert list(one.summaries()) == list(other.summaries())
    assert repr(one.series().rows) == repr(other.series().rows)
    assert one.printed(one.last) == other.printed(other.last)
    assert pressed(one) == pressed(other)
    for number in {one.last, one.last - 1, max(one.last - 4, 0)}:
        assert moment_json(one.moment(number)) == moment_json(other.moment(number))


def pressed(run: Run) -> list[tuple[str, int]]:
    """What was pressed, and the moment that it came to (a fork by replay tells of its beginning, too)."""
    return [(command.do, end) for command, end in run.commands if command.do != "begin"]


def press_on(run: Run, presses: tuple[str, ...]) -> None:
    for do in presses:
        if any(phase.do == do for phase in run.phases):
            run.execute(Command(do))
    run.execute(Command("statement", statement="1 + 1"))
    if run._session.position is not None:
        run.execute(Command("next"))


def compare(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run.digest(), run.last
    copy, again = twin(run), replayed(run, monkeypatch)
    assert_equal(copy, again)
    press_on(copy, PRESSES[::-1])
    assert (run.digest(), run.last) == before
    press_on(again, PRESSES[::-1])
    assert_equal(copy, again)
    second = twin(copy)
    press_on(copy, PRESSES[:3])
    press_on(second, PRESSES[:3])
    assert_equal(copy, second)


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n == "classes" else [pytest.mark.slow]) for n in LOOPS])
def test_twins_of_loops_with_much_state(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(LOOPS[name])
    run.execute(Command("run", times=3))
    compare(run, monkeypatch)
    assert run.moment(run.last).number == run.last


@pytest.mark.parametrize("made", range(len(PRESSES)))
def test_twins_between_any_two_presses(made: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(f"{W}opt = torch.optim.Adam([w], lr=0.1)\nfor i in range(9):\n    loss = (w * w).sum()\n{OPTIMIZE}")
    run.begin()
    for do in PRESSES[:made]:
        run.execute(Command(do))
    compare(run, monkeypatch)


def test_a_twin_is_inside_of_the_same_function(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(INSIDE)
    run.begin()
    for do in ("into", "next", "into", "next", "next"):
        run.execute(Command(do))
        compare(run, monkeypatch)


def test_what_a_free_statement_has_defined_is_replayed() -> None:
    run = Run(f"{W}opt = torch.optim.SGD([w], lr=0.1)\nfor i in range(9):\n    loss = (w * w).sum()\n{OPTIMIZE}")
    run.execute(Command("run", times=2))
    run.execute(Command("statement", statement="f = lambda: w"))
    with pytest.raises(Refused):
        twin(run)
    fork = run.fork(run.last)
    fork.execute(Command("statement", statement="f().data.zero_()"))
    assert fork.digest() != run.digest()


def test_nothing_of_a_session_is_shared_by_oversight() -> None:
    """Whoever gives a session or its parts an attribute says here whether twins share it."""
    run = Run(INSIDE)
    run.begin()
    session = run._session
    shared = {"script", "limits", "units", "_called_at", "coming", "_top", "phases", "_told"}
    own = {"interpreter", "recorder", "shelf", "diagnosis", "series", "draws_from", "exhausted", "made", "loop_depth"}
    assert set(vars(session)) == shared | own | set(LISTS) | set(SESSION)
    assert set(vars(session.series)) == {
        "_seen",
        "_numbers",
        "curves",
        "rows",
        "_roots",
        "roots",
        "_expressions",
        "_lines",
    }
    of_the_run = {
        "source",
        "seed",
        "_limits",
        "_script",
        "_unsupported",
        "_foretold",
        "_begun",
        "_executing",
        "_more_time",
    }
    made = {
        "breakpoints",
        "conditions",
        "commands",
        "_past",
        "_world",
        "_control",
        "_checkpoints",
        "_session",
        "_pace",
        "_stepper",
    }
    assert set(vars(run)) == of_the_run | made
    run.give_up = lambda: True
    assert twin(run).give_up is None
    assert set(OF_THE_RECORDER) <= set(vars(session.recorder))


@pytest.mark.slow
@pytest.mark.parametrize("slug", scenarios())
def test_twins_of_scenarios(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(scenarios()[slug].source)
    run.begin()
    if not run.phases:
        run.execute(Command("next", times=4))
    for phase in run.phases:
        run.execute(Command(phase.do, phase=phase.id))
    if slug == "all-orders":
        with pytest.raises(Refused, match="permutations"):
            twin(run)
    else:
        compare(run, monkeypatch)
