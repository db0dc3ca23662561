"""What a worker answers, without its process."""

from __future__ import annotations

import functools
import json
from typing import Any

import msgspec
import pytest

from app import wire
from app.worker.workshop import Workshop
from engine.run import Command, Run, session
from engine.run.shelf import Shelf

LIMITS = wire.Limited(60.0, 1 << 30, 256 * 1024)
SCRIPT = """import torch
w = torch.ones(50, requires_grad=True)
for i in range(40):
    loss = (w * i).sum()
    loss.backward()
"""


def ask(workshop: Workshop, request: wire.Request, *, stop_after: int = 10**9) -> tuple[Any, list[bytes]]:
    """The answer, and what was sent before it. Somebody asks to stop after so many looks."""
    sent: list[bytes] = []
    looks = iter(range(10**9))

    def send(answer: wire.Answer) -> None:
        assert isinstance(answer, wire.Piece)
        sent.append(answer.body)

    return workshop.answer(request, lambda: next(looks) >= stop_after, lambda *_: None, send), sent


@pytest.fixture
def small_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs keep few of their moments."""
    monkeypatch.setattr(session, "Shelf", functools.partial(Shelf, 100_000))


def finished(workshop: Workshop) -> wire.Executed:
    ask(workshop, wire.Load(1, "run", "a", SCRIPT, None, LIMITS))
    answer, _ = ask(workshop, wire.Execute(2, "run", "a", "b", Command("finish")))
    assert isinstance(answer, wire.Executed)
    return answer


def test_old_moments_are_told_again_by_one_replay(small_shelf: None, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop = Workshop()
    last = finished(workshop).last
    cut, _ = ask(workshop, wire.Look(3, "run", "b", "trace", 0, last))
    assert (cut.body, cut.following) == (b"", 0)
    assert 50 < cut.gone <= last
    replays = []
    replay = Run.replay.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(Run, "replay", classmethod(lambda *a, **k: replays.append(1) or replay(*a, **k)))
    given = (wire.Recorded(Command("finish"), last, "", "b"),)
    told = wire.Retell(4, "other", SCRIPT, None, LIMITS, given, 0, cut.gone - 1)
    answer, pieces = ask(workshop, told)
    assert (answer, len(replays)) == (wire.Looked(4, b""), 1)
    kept, _ = ask(workshop, wire.Look(5, "run", "b", "trace", cut.gone, last))
    moments = [json.loads(line) for line in (b"".join(pieces) + kept.body).splitlines()]
    assert [moment["number"] for moment in moments] == list(range(last + 1))
    one, _ = ask(workshop, wire.Look(6, "run", "b", "moment", 7))
    assert moments[7] == json.loads(one.body)


def test_a_list_of_old_moments_takes_one_replay(small_shelf: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.worker.workshop.ANSWER_SECONDS", 100.0)  # on a slow machine too
    workshop = Workshop()
    finished(workshop)
    replays = []
    replay = Run.replay.__func__  # type: ignore[attr-defined]
    monkeypatch.setattr(Run, "replay", classmethod(lambda *a, **k: replays.append(1) or replay(*a, **k)))
    some, _ = ask(workshop, wire.Look(3, "run", "b", "moments", 2, 60))
    assert [moment["number"] for moment in json.loads(some.body)] == list(range(2, 61))
    assert (some.following, len(replays)) == (None, 1)


@pytest.mark.parametrize("what", ["load", "fork", "old moment", "retell"])
def test_a_replay_can_be_stopped(small_shelf: None, what: str) -> None:
    workshop = Workshop()
    last = finished(workshop).last
    given = (wire.Recorded(Command("finish"), last, "", "b"),)
    requests: dict[str, wire.Request] = {
        "load": wire.Load(3, "again", "b", SCRIPT, None, LIMITS, given),
        "fork": wire.Fork(3, "run", "b", 60, "copy", "c"),
        "old moment": wire.Look(3, "run", "b", "moment", 60),
        "retell": wire.Retell(3, "other", SCRIPT, None, LIMITS, given, 0, 60),
    }
    answer, _ = ask(workshop, requests[what], stop_after=5)
    assert isinstance(answer, wire.Refused)
    assert answer.kind == "TooMany"
    still, _ = ask(workshop, wire.Look(4, "run", "b", "moment", 60))
    assert msgspec.json.decode(still.body)["number"] == 60


def test_a_run_is_never_held_with_less_than_it_has_been() -> None:
    """Somebody stops a command while the run, of which nothing but the beginning has been executed, is built anew."""
    workshop = Workshop()
    whole, _ = ask(workshop, wire.Load(1, "elsewhere", "a", SCRIPT, None, LIMITS))
    refused, _ = ask(workshop, wire.Load(2, "run", "a", SCRIPT, None, LIMITS), stop_after=1)
    assert isinstance(refused, wire.Refused)
    assert isinstance(ask(workshop, wire.Execute(3, "run", "a", "b", Command("next")))[0], wire.Missing)
    again, _ = ask(workshop, wire.Load(4, "run", "a", SCRIPT, None, LIMITS))
    assert again.digest == whole.digest
    made, _ = ask(workshop, wire.Load(5, "made", "a", SCRIPT, None, LIMITS, new=True), stop_after=1)
    assert made.digest != whole.digest
    assert [command.do for command, _ in made.given] == ["begin"]


def loaded(workshop: Workshop, stamp: str, given: list[wire.Recorded]) -> wire.Loaded:
    answer, _ = ask(workshop, wire.Load(1, "run", stamp, SCRIPT, None, LIMITS, tuple(given)))
    assert isinstance(answer, wire.Loaded)
    return answer


def test_what_a_run_was_given_elsewhere_is_all_that_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    here, elsewhere = Workshop(), Workshop()
    for workshop in (here, elsewhere):
        loaded(workshop, "0", [])
    given: list[wire.Recorded] = []
    commands = (Command("forward"), Command("run", times=3), Command("statement", statement="w.grad"), Command("next"))
    for number, command in enumerate(commands):
        answer, _ = ask(elsewhere, wire.Execute(2, "run", str(number), str(number + 1), command))
        given.append(wire.Recorded(answer.recorded, answer.reached, answer.digest, str(number + 1)))
    with monkeypatch.context() as patch:
        patch.setattr(Run, "replay", None)
        for known in (1, 4):
            assert loaded(here, str(known), given[:known]).digest == given[known - 1].digest
    told = [
        ask(workshop, wire.Look(3, "run", "4", "moment", given[-1].reached))[0].body for workshop in (here, elsewhere)
    ]
    assert told[0] == told[1]


def test_a_run_that_went_another_way_is_built_anew() -> None:
    here, elsewhere = Workshop(), Workshop()
    for workshop in (here, elsewhere):
        loaded(workshop, "0", [])
    ask(here, wire.Execute(2, "run", "0", "lost", Command("next")))
    answer, _ = ask(elsewhere, wire.Execute(2, "run", "0", "1", Command("run", times=2)))
    given = [wire.Recorded(answer.recorded, answer.reached, answer.digest, "1")]
    assert loaded(here, "1", given).digest == answer.digest
