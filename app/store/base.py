"""The store: SQLAlchemy Core, synchronous. Called from a thread by app/runs; several threads and several servers may
use it at once."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from app.store.connecting import connect, reader
from app.store.records import Kept, KeyRecord
from app.store.tables import claims, commands, keys, predictions, runs
from app.wire import Recorded, breakpoints_of, kept_breakpoints

if TYPE_CHECKING:
    from engine.run import Breakpoint

USED_EVERY = 3600.0
"""A run's time of use is written at most this often (seconds)."""
BATCH = 200
"""Runs that are deleted in one transaction: whoever writes meanwhile waits no longer than that takes."""
CHANNEL = "gradflow"
"""The PostgreSQL channel on which servers tell each other what happens."""


class Undo(Exception):
    """Ends a transaction that came to nothing."""


class Base:
    """Runs, their commands, and the answers to idempotency keys. `url` is SQLAlchemy's; opening brings the tables to
    today's version. Raises SQLAlchemyError, OSError, RuntimeError (a database of a newer version)."""

    def __init__(self, url: str) -> None:
        self.engine = connect(url)
        self.reader = reader(self.engine)
        self.shared = self.engine.dialect.name == "postgresql"
        # SQLite lets one write at a time. Waiting here is in order and ends at once; waiting there is polling.
        self._lock: contextlib.AbstractContextManager[Any] = (
            contextlib.nullcontext() if self.shared else threading.Lock()
        )

    def close(self) -> None:
        """What a thread has borrowed at this moment is closed when it is given back."""
        sa.event.listen(self.engine, "checkin", lambda _, record: record.invalidate())
        self.engine.dispose()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that writes; an exception (Undo, say) leaves nothing of it."""
        with self._lock, self.engine.begin() as connection:
            yield connection

    def alive(self) -> bool:
        """The database answers."""
        try:
            with self.reader.connect() as connection:
                connection.execute(sa.select(1))
        except SQLAlchemyError:
            return False
        return True

    def tell(self, news: bytes) -> None:
        """Tell all servers (see listening.py)."""
        if self.shared:
            with self.reader.connect() as connection:
                self.notify(connection, news)

    def notify(self, connection: sa.Connection, news: bytes) -> None:
        """Tell all servers when the transaction of `connection` ends well; b"": nothing."""
        if self.shared and news:
            connection.execute(sa.select(sa.func.pg_notify(CHANNEL, news.decode())))

    # ------------------------------------------------------------------ runs

    def create(self, run: Kept, given: Sequence[Recorded] = ()) -> None:
        """Store a new run with its commands."""
        with self.writing() as connection:
            self.insert(connection, run, given)

    def insert(self, connection: sa.Connection, run: Kept, given: Sequence[Recorded]) -> None:
        """`create`, as a part of a transaction."""
        values = {field.name: getattr(run, field.name) for field in fields(Kept)}
        connection.execute(sa.insert(runs), values | {"breakpoints": kept_breakpoints(run.breakpoints)})
        self.insert_commands(connection, run.id, 0, given)

    def insert_commands(self, connection: sa.Connection, run_id: str, first: int, given: Sequence[Recorded]) -> None:
        """Commands of a run, the first at position `first`."""
        if given:
            now = time.time()
            rows = [_command_row(run_id, first + number, recorded, now) for number, recorded in enumerate(given)]
            connection.execute(sa.insert(commands), rows)

    def find(self, any_id: str) -> Kept | None:
        """The run of that drive id or view id."""
        with self.reader.connect() as connection:
            row = connection.execute(sa.select(runs).where(of_id(any_id))).mappings().first()
        return None if row is None else self.used(to_kept(row))

    def used(self, kept: Kept) -> Kept:
        """The same run; somebody looked at it, which is written down now and then."""
        if time.time() - kept.used > USED_EVERY:
            with self.writing() as connection:
                connection.execute(sa.update(runs).where(runs.c.id == kept.id).values(used=time.time()))
        return kept

    def commands(self, run_id: str) -> tuple[Recorded, ...]:
        """The run's commands in order."""
        question = sa.select(commands).where(commands.c.run_id == run_id).order_by(commands.c.position)
        with self.reader.connect() as connection:
            rows = connection.execute(question).mappings().all()
        names = ("command", "reached", "digest", "stamp")
        return msgspec.convert([{name: row[name] for name in names} for row in rows], tuple[Recorded, ...])

    def key(self, run_id: str, key: str) -> KeyRecord | None:
        """What was answered to that Idempotency-Key of that run."""
        with self.reader.connect() as connection:
            return self.read_key(connection, run_id, key)

    def read_key(self, connection: sa.Connection, run_id: str, key: str) -> KeyRecord | None:
        """`key`, as a part of a transaction."""
        question = sa.select(keys).where(keys.c.run_id == run_id, keys.c.key == key)
        row = connection.execute(question).mappings().first()
        return None if row is None else KeyRecord(row["key"], row["request"], row["answer"])

    def insert_key(self, connection: sa.Connection, run_id: str, key: KeyRecord) -> None:
        """An answer to an Idempotency-Key of that run."""
        values = {"run_id": run_id, "key": key.key, "request": key.request, "answer": key.answer, "given": time.time()}
        connection.execute(sa.insert(keys), values)

    def set_breakpoints(self, run_id: str, breakpoints: Sequence[Breakpoint]) -> None:
        values = {"breakpoints": kept_breakpoints(breakpoints)}
        with self.writing() as connection:
            connection.execute(sa.update(runs).where(runs.c.id == run_id).values(values))

    def set_pinned(self, run_id: str, pinned: bool) -> None:
        """Whether the run stays though nobody uses it."""
        with self.writing() as connection:
            connection.execute(sa.update(runs).where(runs.c.id == run_id).values(pinned=pinned))

    def count_prediction(self, any_id: str, card: int, told: str) -> None:
        """One more prediction of a card by somebody who follows that run; `told` is what a wrong one was told ("": it
        was right). Nothing, when there is no such run."""
        insert = postgresql.insert if self.shared else sqlite.insert
        # IntegrityError: the run was deleted meanwhile.
        with contextlib.suppress(IntegrityError), self.writing() as connection:
            run_id = connection.execute(sa.select(runs.c.id).where(of_id(any_id))).scalar()
            if run_id is None:
                return
            row = insert(predictions).values(run_id=run_id, card=card, told=told[:500], count=1)
            connection.execute(
                row.on_conflict_do_update(
                    index_elements=["run_id", "card", "told"], set_={"count": predictions.c.count + 1}
                )
            )

    def predictions(self, run_id: str) -> list[tuple[int, str, int]]:
        """How often a prediction of a card was told what: (card, told, count), most frequent first."""
        question = sa.select(predictions.c.card, predictions.c.told, predictions.c.count)
        question = question.where(predictions.c.run_id == run_id)
        question = question.order_by(predictions.c.card, predictions.c.count.desc(), predictions.c.told)
        with self.reader.connect() as connection:
            return [(row["card"], row["told"], row["count"]) for row in connection.execute(question).mappings()]

    def delete(self, run_id: str, news: bytes = b"") -> None:
        """Forget a run, and with it its commands, its keys, its claim and what was predicted."""
        with self.writing() as connection:
            connection.execute(sa.delete(runs).where(runs.c.id == run_id))
            self.notify(connection, news)

    def expire(self, unused_since: float, keys_before: float) -> int:
        """Forget runs that nobody has used since then, unless they are pinned or busy, and keys that are older than
        `keys_before`. How many runs."""
        stale = [
            runs.c.used < unused_since,
            runs.c.pinned.is_(False),
            ~sa.exists().where(claims.c.run_id == runs.c.id),
        ]
        gone, found = 0, BATCH
        while found == BATCH:
            with self.writing() as connection:
                some = list(connection.execute(sa.select(runs.c.id).where(*stale).limit(BATCH)).scalars())
                # Asked again: somebody may have come back to one of them meanwhile.
                gone += connection.execute(sa.delete(runs).where(runs.c.id.in_(some), *stale)).rowcount
            found = len(some)
        with self.writing() as connection:
            connection.execute(sa.delete(keys).where(keys.c.given < keys_before))
        return gone


def of_id(any_id: str) -> sa.ColumnElement[bool]:
    """The run has that drive id or that view id."""
    return sa.or_(runs.c.id == plain(any_id), runs.c.view_id == plain(any_id))


def plain(any_id: str) -> str:
    """An id without what PostgreSQL does not take, and no id has."""
    return any_id.replace("\0", "\ufffd")


def to_kept(row: sa.RowMapping) -> Kept:
    """A run from its row."""
    values = {field.name: row[field.name] for field in fields(Kept)}
    return Kept(**{**values, "breakpoints": breakpoints_of(row["breakpoints"])})


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
