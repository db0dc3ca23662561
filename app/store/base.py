"""The store: SQLAlchemy Core, synchronous. Called from a thread by app/runs.py; several threads and several servers
may use it at once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from app.store.tables import commands, keys, metadata, runs
from app.wire import Recorded

USED_EVERY = 3600.0
"""A run's time of use is written at most this often (seconds)."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A run as it is stored. `last` is the number of its last moment, `commands` how many there are."""

    id: str
    view_id: str
    source: str
    scenario: str | None
    seed: int | None
    engine: str
    created: float
    used: float
    parent: str | None
    stamp: str
    commands: int
    last: int
    breakpoints: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """An Idempotency-Key: a hash of the request that it came with, and the answer."""

    key: str
    request: str
    answer: dict[str, Any]


class Store:
    """Runs, their commands, and idempotency keys."""

    def __init__(self, url: str) -> None:
        """Open the database and make its tables when they are missing. Raises SQLAlchemyError or OSError."""
        made = sa.make_url(url)
        if made.get_backend_name() == "sqlite" and made.database:
            Path(made.database).expanduser().parent.mkdir(parents=True, exist_ok=True)
        self.engine = sa.create_engine(made, pool_pre_ping=made.get_backend_name() != "sqlite")
        if made.get_backend_name() == "sqlite":
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
        metadata.create_all(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    def alive(self) -> bool:
        """The database answers."""
        try:
            with self.engine.connect() as connection:
                connection.execute(sa.select(1))
        except SQLAlchemyError:
            return False
        return True

    def create(self, run: Kept, given: Sequence[Recorded] = (), key: tuple[str, KeyRecord] | None = None) -> None:
        """Store a new run with its commands; `key` is (the run that was asked, the key)."""
        now = time.time()
        values = {name: getattr(run, name) for name in Kept.__slots__} | {"breakpoints": list(run.breakpoints)}
        with self.engine.begin() as connection:
            connection.execute(sa.insert(runs), values)
            if given:
                connection.execute(
                    sa.insert(commands),
                    [_command_row(run.id, position, recorded, now) for position, recorded in enumerate(given)],
                )
            if key is not None:
                connection.execute(sa.insert(keys), _key_row(key[0], key[1], now))

    def find(self, any_id: str) -> Kept | None:
        """The run of that drive id or view id."""
        question = sa.select(runs).where(sa.or_(runs.c.id == any_id, runs.c.view_id == any_id))
        now = time.time()
        with self.engine.begin() as connection:
            row = connection.execute(question).mappings().first()
            if row is None:
                return None
            if now - row["used"] > USED_EVERY:
                connection.execute(sa.update(runs).where(runs.c.id == row["id"]).values(used=now))
        return Kept(**{**row, "breakpoints": tuple(row["breakpoints"])})

    def commands(self, run_id: str) -> tuple[Recorded, ...]:
        """The run's commands in order."""
        question = sa.select(commands).where(commands.c.run_id == run_id).order_by(commands.c.position)
        with self.engine.connect() as connection:
            rows = connection.execute(question).mappings().all()
        names = ("command", "reached", "digest", "stamp")
        return msgspec.convert([{name: row[name] for name in names} for row in rows], tuple[Recorded, ...])

    def append(
        self, before: Kept, after: Kept, given: Sequence[Recorded], key: tuple[str, KeyRecord] | None = None
    ) -> bool:
        """Store what led from `before` to `after`: further commands, or all that there are when the run was started
        over (`after.commands` is not more then). `key` as in `create`. False, and nothing is stored, when the run has
        moved on since `before` or is gone."""
        now = time.time()
        moved = (
            sa.update(runs)
            .where(runs.c.id == before.id, runs.c.stamp == before.stamp)
            .values(stamp=after.stamp, commands=after.commands, last=after.last, used=now)
        )
        first = after.commands - len(given)
        with self.engine.begin() as connection:
            if connection.execute(moved).rowcount != 1:
                return False
            if first < before.commands:
                gone = sa.delete(commands).where(commands.c.run_id == before.id, commands.c.position >= first)
                connection.execute(gone)
            if given:
                rows = [_command_row(before.id, first + number, one, now) for number, one in enumerate(given)]
                connection.execute(sa.insert(commands), rows)
            if key is not None:
                connection.execute(sa.insert(keys), _key_row(key[0], key[1], now))
        return True

    def key(self, run_id: str, key: str) -> KeyRecord | None:
        """What was answered to that Idempotency-Key of that run."""
        question = sa.select(keys).where(keys.c.run_id == run_id, keys.c.key == key)
        with self.engine.connect() as connection:
            row = connection.execute(question).mappings().first()
        return None if row is None else KeyRecord(row["key"], row["request"], row["answer"])

    def set_breakpoints(self, run_id: str, lines: Sequence[int]) -> None:
        with self.engine.begin() as connection:
            connection.execute(sa.update(runs).where(runs.c.id == run_id).values(breakpoints=list(lines)))

    def delete(self, run_id: str) -> None:
        """Forget a run, its commands and its keys."""
        with self.engine.begin() as connection:
            for table, column in ((keys, keys.c.run_id), (commands, commands.c.run_id), (runs, runs.c.id)):
                connection.execute(sa.delete(table).where(column == run_id))


def _command_row(run_id: str, position: int, recorded: Recorded, now: float) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "position": position,
        "command": msgspec.to_builtins(recorded.command),
        "reached": recorded.reached,
        "digest": recorded.digest,
        "stamp": recorded.stamp,
        "given": now,
    }


def _key_row(run_id: str, key: KeyRecord, now: float) -> dict[str, Any]:
    return {"run_id": run_id, "key": key.key, "request": key.request, "answer": key.answer, "given": now}


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """WAL: readers do not wait for writers. A commit survives the process's end at any moment."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
