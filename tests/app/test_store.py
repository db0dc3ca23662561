"""The store. Every test is made for both backends: SQLite and PostgreSQL."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.store import LEASE, Answered, Claim, Claimed, Kept, KeyRecord, Occupied, Store
from app.wire import Recorded
from engine.run import Breakpoint, Command


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'new' / 'runs.sqlite3'}"
    else:
        url = request.getfixturevalue("postgresql").new_database().replace("://", "+psycopg://")
    opened = Store(url)
    yield opened
    opened.close()


def kept(name: str = "drive", **more: object) -> Kept:
    now = time.time()
    run = Kept(name, f"{name}-view", "x = 1\n", None, 0, "engine", now, now, None, "s0", 0, 3)
    return dataclasses.replace(run, **more)  # type: ignore[arg-type]


def recorded(stamp: str, do: str = "next", reached: int = 4) -> Recorded:
    return Recorded(Command(do, statement="ü\n"), reached, "digest", stamp)


def after(before: Kept, row: Recorded) -> Kept:
    return dataclasses.replace(before, stamp=row.stamp, commands=before.commands + 1, last=row.reached)


def wanted(run: str = "drive", token: str = "t", **more: Any) -> Claim:
    return Claim(run, token, "server", run, "hash", Command("next", statement="ü"), **more)


def append(store: Store, before: Kept, then: Kept, *rows: Recorded, key: KeyRecord | None = None) -> bool:
    """Claim the run and store what came of it."""
    token = then.stamp
    assert isinstance(store.claim(wanted(before.id, token)), Claimed)
    return store.append(token, before, then, rows, None if key is None else (before.id, key))


def test_a_run_is_found_by_both_ids(store: Store) -> None:
    run = kept(seed=-(2**63), breakpoints=(Breakpoint(1), Breakpoint(5, "loss > 3", 2)), scenario="slug")
    store.create(run, [recorded("a")])
    assert store.find("drive") == store.find("drive-view") == run
    assert store.find("other") is None
    assert store.commands("drive") == (recorded("a"),)


def test_commands_keep_their_order(store: Store) -> None:
    run = kept()
    store.create(run)
    rows = [recorded(f"s{number}", reached=number) for number in range(12)]
    for row in rows:
        assert append(store, run, after(run, row), row)
        run = after(run, row)
    assert store.commands("drive") == tuple(rows)
    found = store.find("drive")
    assert found is not None
    assert (found.stamp, found.commands, found.last) == ("s11", 12, 11)


def test_a_command_is_stored_only_by_who_claimed_the_run(store: Store) -> None:
    run = kept()
    store.create(run)
    row = recorded("a")
    assert store.claim(wanted(token="mine")) == Claimed(run)
    assert not store.append("other", run, after(run, row), [row], ("drive", KeyRecord("k", "hash", {})))
    assert (store.commands("drive"), store.key("drive", "k")) == ((), None)
    assert store.append("mine", run, after(run, row), [row])
    assert not store.append("mine", run, after(run, row), [row])
    assert store.commands("drive") == (row,)


def test_only_one_of_many_at_once_claims_a_run(store: Store) -> None:
    store.create(kept())
    found: list[object] = []

    def claim(number: int) -> None:
        found.append(store.claim(wanted(token=f"t{number}")))

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(type(one).__name__ for one in found) == ["Claimed"] + ["Occupied"] * 7


def test_an_occupied_run_says_by_what(store: Store) -> None:
    store.create(kept())
    store.create(kept("other"))
    first = wanted(token="a", key="k", at=2)
    assert isinstance(store.claim(first), Claimed)
    second = store.claim(wanted(token="b"))
    assert isinstance(second, Occupied)
    told = dataclasses.replace(second.claim, age=0.0, left=0.0)
    assert (told, second.same) == (first, False)
    assert 0 <= second.claim.age < 2
    assert LEASE - 2 < second.claim.left <= LEASE
    same = store.claim(wanted(token="c", key="k"))
    assert isinstance(same, Occupied)
    assert same.same
    assert isinstance(store.claim(wanted("other", key="k")), Claimed)
    assert store.claim(wanted("nothing")) is None
    busy = store.busy("drive-view")
    assert busy is not None
    assert busy[1] is not None
    assert busy[1].token == "a"
    store.release("drive", "a")
    assert store.busy("drive") == (kept_in(store, "drive"), None)


def kept_in(store: Store, run: str) -> Kept:
    found = store.find(run)
    assert found is not None
    return found


def test_only_the_named_state_is_claimed_and_only_by_the_drive_id(store: Store) -> None:
    run = kept()
    store.create(run)
    for another in ("3-older", "4-s0"):
        assert store.claim(wanted(), etags=[another]) == Claimed(run)
    assert store.claim(wanted("drive-view")) == Claimed(run)
    assert store.busy("drive") == (run, None)
    assert store.claim(wanted(), etags=["3-s0", "1-s0"]) == Claimed(run)
    assert store.busy("drive") != (run, None)


def test_a_fork_takes_the_claim_with_it(store: Store) -> None:
    run, copy, row = kept(), kept("other"), recorded("a")
    store.create(run)
    store.claim(wanted(token="t", key="k", at=1))
    assert store.branch("t", "drive", copy, [row])
    assert store.busy("drive") == (run, None)
    same = store.claim(wanted(token="again", key="k"))
    assert isinstance(same, Occupied)
    assert (same.same, same.claim.run_id, same.claim.at) == (True, "other", None)
    assert not store.branch("t", "drive", kept("third"), [])
    assert store.find("third") is None
    then = dataclasses.replace(copy, commands=1)
    assert store.append("t", then, after(then, recorded("b")), [recorded("b")], ("drive", KeyRecord("k", "hash", {})))
    assert store.commands("other") == (row, recorded("b"))
    assert isinstance(store.claim(wanted(key="k")), Answered)


def test_claims_of_a_server_that_ended_are_taken_up_once(store: Store) -> None:
    store.create(kept())
    store.claim(wanted(token="t"))
    assert store.others(["t"]) == []
    [claim] = store.others(["mine"])
    assert store.renew([("t", 3, 10), ("nothing", 0, 0)]) == []
    [renewed] = store.others(["mine"])
    assert (renewed.done, renewed.of) == (3, 10)
    mine = store.adopt(claim, "another", "u")
    assert mine is not None
    assert (mine.token, mine.tries, mine.command) == ("u", 1, claim.command)
    assert store.adopt(claim, "third", "v") is None
    assert store.others(["u"]) == []
    store.ask_to_stop("drive")
    assert store.renew([("u", 0, 0)]) == ["u"]
    store.hand_over(["u"])
    [given] = store.others(["mine"])
    assert (given.server, given.tries) == ("", 0)
    assert given.left < 0


def test_starting_over_leaves_no_command(store: Store) -> None:
    run = kept()
    store.create(run)
    for stamp in ("a", "b"):
        assert append(store, run, after(run, recorded(stamp)), recorded(stamp))
        run = after(run, recorded(stamp))
    over = dataclasses.replace(run, stamp="c", commands=0, last=2)
    assert append(store, run, over)
    found = store.find("drive")
    assert found is not None
    assert (store.commands("drive"), found.stamp, found.commands, found.last) == ((), "c", 0, 2)
    cut = dataclasses.replace(over, stamp="d", commands=1, last=1)
    assert append(store, over, cut, recorded("d", "begin", 1))
    assert [row.command.do for row in store.commands("drive")] == ["begin"]


def test_a_key_is_stored_with_its_command(store: Store) -> None:
    run, row = kept(), recorded("a")
    store.create(run)
    key = KeyRecord("k", "hash", {"run": "drive", "first": 4})
    assert append(store, run, after(run, row), row, key=key)
    assert store.key("drive", "k") == key
    assert store.key("drive-view", "k") is None


def test_nothing_is_left_of_a_deleted_run(store: Store) -> None:
    run, row = kept(), recorded("a")
    store.create(run)
    append(store, run, after(run, row), row, key=KeyRecord("k", "hash", {}))
    store.claim(wanted(token="t"))
    store.create(kept("other"))
    store.delete("drive")
    assert (store.find("drive"), store.commands("drive"), store.key("drive", "k")) == (None, (), None)
    assert store.find("other") is not None
    assert not store.append("t", after(run, row), after(run, recorded("b")), [recorded("b")])


def test_use_is_noted_now_and_then(store: Store) -> None:
    store.create(kept("old", used=1000.0, created=1000.0))
    store.find("old")
    found = store.find("old")
    assert found is not None
    assert found.used > time.time() - 60


def test_unused_runs_are_forgotten_but_not_pinned_or_busy_ones(store: Store) -> None:
    long_ago = time.time() - 40 * 86_400
    for number in range(250):
        store.create(kept(f"old{number}", used=long_ago), [recorded("a")])
    for name in ("pinned", "busy", "young"):
        store.create(kept(name, used=time.time() if name == "young" else long_ago))
    store.set_pinned("pinned", True)
    store.claim(wanted("busy", token="b"))
    append(store, kept("young"), after(kept("young"), recorded("y")), recorded("y"), key=KeyRecord("k", "hash", {}))
    assert store.expire(time.time() - 30 * 86_400, time.time() - 86_400) == 250
    assert [name for name in ("old0", "old249", "pinned", "busy", "young") if store.find(name)] == [
        "pinned",
        "busy",
        "young",
    ]
    assert store.commands("old0") == ()
    assert store.key("young", "k") is not None
    assert store.expire(0.0, time.time() + 1) == 0
    assert store.key("young", "k") is None


def test_a_pin_is_kept(store: Store) -> None:
    store.create(kept())
    store.set_pinned("drive", True)
    assert kept_in(store, "drive").pinned is True
    store.set_pinned("drive", False)
    assert kept_in(store, "drive").pinned is False


def test_what_is_stored_is_there_after_opening_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.sqlite3'}"
    first = Store(url)
    first.create(kept(), [recorded("a")])
    first.close()
    second = Store(url)
    assert second.commands("drive") == (recorded("a"),)
    assert second.alive()
    second.close()


def test_the_folder_of_a_database_is_its_owners(tmp_path: Path) -> None:
    Store(f"sqlite:///{tmp_path / 'new' / 'runs.sqlite3'}").close()
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_predictions_are_counted_for_the_run_that_is_followed(store: Store) -> None:
    store.create(kept())
    for card, told in ((2, "The sign."), (1, ""), (2, "The sign."), (2, "")):
        store.count_prediction("drive-view", card, told)
    store.count_prediction("nobody", 1, "")
    assert store.predictions("drive") == [(1, "", 1), (2, "The sign.", 2), (2, "", 1)]
    store.delete("drive")
    assert store.predictions("drive") == []


def test_predictions_are_counted_by_many_at_once(store: Store) -> None:
    store.create(kept())
    threads = [threading.Thread(target=store.count_prediction, args=("drive", 1, "Not quite.")) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.predictions("drive") == [(1, "Not quite.", 12)]
