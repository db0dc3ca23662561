"""The store. Every test is made for any backend: SQLite, and the PostgreSQL that GRADFLOW_TEST_POSTGRESQL names."""

from __future__ import annotations

import dataclasses
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store import Kept, KeyRecord, Store
from app.wire import Recorded
from engine.run import Command

POSTGRESQL = os.environ.get("GRADFLOW_TEST_POSTGRESQL", "")


@pytest.fixture(params=["sqlite", "postgresql"] if POSTGRESQL else ["sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'new' / 'runs.sqlite3'}" if request.param == "sqlite" else POSTGRESQL)
    for name in ("drive", "other", "old"):
        opened.delete(name)
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


def test_a_run_is_found_by_both_ids(store: Store) -> None:
    run = kept(seed=-(2**63), breakpoints=(1, 5), scenario="slug")
    store.create(run, [recorded("a")])
    assert store.find("drive") == store.find("drive-view") == run
    assert store.find("other") is None
    assert store.commands("drive") == (recorded("a"),)


def test_commands_keep_their_order(store: Store) -> None:
    run = kept()
    store.create(run)
    rows = [recorded(f"s{number}", reached=number) for number in range(12)]
    for row in rows:
        assert store.append(run, after(run, row), [row])
        run = after(run, row)
    assert store.commands("drive") == tuple(rows)
    found = store.find("drive")
    assert found is not None
    assert (found.stamp, found.commands, found.last) == ("s11", 12, 11)


def test_a_command_on_an_old_state_is_not_stored(store: Store) -> None:
    run = kept()
    store.create(run)
    first, second = recorded("a"), recorded("b")
    assert store.append(run, after(run, first), [first])
    assert not store.append(run, after(run, second), [second], ("drive", KeyRecord("k", "hash", {})))
    assert store.commands("drive") == (first,)
    assert store.key("drive", "k") is None


def test_only_one_of_many_at_once_is_stored(store: Store) -> None:
    run = kept()
    store.create(run)
    stored: list[bool] = []

    def append(number: int) -> None:
        row = recorded(f"t{number}")
        stored.append(store.append(run, after(run, row), [row]))

    threads = [threading.Thread(target=append, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(stored) == [False] * 7 + [True]
    assert len(store.commands("drive")) == 1


def test_starting_over_leaves_no_command(store: Store) -> None:
    run = kept()
    store.create(run)
    for stamp in ("a", "b"):
        assert store.append(run, after(run, recorded(stamp)), [recorded(stamp)])
        run = after(run, recorded(stamp))
    over = dataclasses.replace(run, stamp="c", commands=0, last=2)
    assert store.append(run, over, [])
    found = store.find("drive")
    assert found is not None
    assert (store.commands("drive"), found.stamp, found.commands, found.last) == ((), "c", 0, 2)
    cut = dataclasses.replace(over, stamp="d", commands=1, last=1)
    assert store.append(over, cut, [recorded("d", "begin", 1)])
    assert [row.command.do for row in store.commands("drive")] == ["begin"]


def test_a_key_is_stored_with_its_command(store: Store) -> None:
    run, row = kept(), recorded("a")
    store.create(run)
    key = KeyRecord("k", "hash", {"run": "drive", "first": 4})
    assert store.append(run, after(run, row), [row], ("drive", key))
    assert store.key("drive", "k") == key
    assert store.key("drive-view", "k") is None


def test_nothing_is_left_of_a_deleted_run(store: Store) -> None:
    run, row = kept(), recorded("a")
    store.create(run)
    store.append(run, after(run, row), [row], ("drive", KeyRecord("k", "hash", {})))
    store.create(kept("other"))
    store.delete("drive")
    assert (store.find("drive"), store.commands("drive"), store.key("drive", "k")) == (None, (), None)
    assert store.find("other") is not None
    assert not store.append(after(run, row), after(run, recorded("b")), [recorded("b")])


def test_use_is_noted_now_and_then(store: Store) -> None:
    store.create(kept("old", used=1000.0, created=1000.0))
    store.find("old")
    found = store.find("old")
    assert found is not None
    assert found.used > time.time() - 60


def test_what_is_stored_is_there_after_opening_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'runs.sqlite3'}"
    first = Store(url)
    first.create(kept(), [recorded("a")])
    first.close()
    second = Store(url)
    assert second.commands("drive") == (recorded("a"),)
    assert second.alive()
    second.close()
