"""Claims: a command is stored before it is executed, so that it is executed once and by one server, whatever ends
meanwhile. At most one claim a run: it is the run's lock as well.

A server says every second or so that it still executes its claims (`renew`). One that says nothing any more has ended;
its claims are taken up by the others, or by itself when it comes back (`adopt`).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import sqlalchemy as sa

from app.store.base import Base, Undo, plain, to_kept
from app.store.records import Claim, Kept, KeyRecord
from app.store.tables import claims, commands, runs
from app.wire import Recorded, read_command

LEASE = 8.0
"""Seconds for which a claim is its server's without being renewed."""
OWN = tuple(column.name for column in claims.c if column.name not in ("accepted", "until"))


@dataclass(frozen=True, slots=True)
class Claimed:
    """The run is ours until the claim is done."""

    run: Kept


@dataclass(frozen=True, slots=True)
class Occupied:
    """Another command of the run is being executed; `same`: it came with the Idempotency-Key that was asked for."""

    run: Kept
    claim: Claim
    same: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The Idempotency-Key was answered before."""

    key: KeyRecord


class Claims(Base):
    """The store's part about commands."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        # What every look and every press asks is put together once: that takes longer than the database's answer.
        own = [claims.c[name].label(f"claim_{name}") for name in (*OWN, "accepted", "until")]
        busy = sa.select(runs, *own, self.now(sa.bindparam("here", type_=sa.Float)).label("now"))
        found = sa.or_(runs.c.id == sa.bindparam("any_id"), runs.c.view_id == sa.bindparam("any_id"))
        self._busy = busy.outerjoin(claims, claims.c.run_id == runs.c.id).where(found)
        self._locked = sa.select(runs).where(found).with_for_update()
        here = self.now(sa.bindparam("here", type_=sa.Float))
        self._of_run = self._question(here).where(claims.c.run_id == sa.bindparam("its_run"))
        self._claiming = sa.insert(claims).values(accepted=here, until=here + sa.bindparam("lease"))
        its_run, its_token = claims.c.run_id == sa.bindparam("its_run"), claims.c.token == sa.bindparam("its_token")
        self._ending = sa.delete(claims).where(its_run, its_token)
        its_stamp = runs.c.stamp == sa.bindparam("its_stamp")
        self._moving = sa.update(runs).where(runs.c.id == sa.bindparam("its_run"), its_stamp)

    def busy(self, any_id: str) -> tuple[Kept, Claim | None] | None:
        """The run of that drive id or view id, and the command of it that is being executed."""
        asked = {"any_id": plain(any_id), "here": time.time()}
        with self.reader.connect() as connection:
            row = connection.execute(self._busy, asked).mappings().first()
        if row is None:
            return None
        kept = self.used(to_kept(row))
        if row["claim_run_id"] is None:
            return kept, None
        values = {name: row[f"claim_{name}"] for name in OWN}
        age, left = row["now"] - row["claim_accepted"], row["claim_until"] - row["now"]
        return kept, _claim(values | {"age": age, "left": left})

    def claim(self, wanted: Claim, etags: Collection[str] | None = None) -> Claimed | Occupied | Answered | None:
        """Claim the run `wanted.run_id` for a command; None when there is no such run. Through its view id, and in a
        state that none of the `etags` names, a run is told as Claimed, but is not: it is for the caller to see."""
        with self.writing() as connection:
            # Locked, so that of two servers the second sees what the first has claimed.
            asked = {"any_id": plain(wanted.run_id)}
            row = connection.execute(self._locked, asked).mappings().first()
            if row is None:
                return None
            run = to_kept(row)
            if wanted.key is not None:
                answered = self.read_key(connection, run.id, wanted.key)
                if answered is not None:
                    return Answered(answered)
                same = self._read(
                    connection, self._question().where(claims.c.asked == run.id, claims.c.key == wanted.key)
                )
                if same is not None:
                    return Occupied(run, same, same=True)
            other = self._read(connection, self._of_run, {"its_run": run.id, "here": time.time()})
            if other is not None:
                return Occupied(run, other)
            if run.id == wanted.run_id and (etags is None or run.etag in etags):
                connection.execute(self._claiming, _row(wanted) | {"here": time.time(), "lease": LEASE})
        return Claimed(run)

    def append(
        self,
        token: str,
        before: Kept,
        after: Kept,
        given: Sequence[Recorded],
        key: tuple[str, KeyRecord] | None = None,
        news: bytes = b"",
    ) -> bool:
        """The claim is done: store what led from `before` to `after`, further commands, or all that there are when the
        run was started over (`after.commands` is not more then). `key` is (the run that was asked, the key). False, and
        nothing is stored, when the claim has gone to another server or the run is gone."""
        values = {"stamp": after.stamp, "commands": after.commands, "last": after.last, "used": time.time()}
        moved = {"its_run": before.id, "its_stamp": before.stamp, **values}
        first = after.commands - len(given)
        try:
            with self.writing() as connection:
                changed = connection.execute(self._moving, moved).rowcount
                if changed != 1 or not self._done(connection, before.id, token):
                    raise Undo
                if first < before.commands:
                    gone = sa.delete(commands).where(commands.c.run_id == before.id, commands.c.position >= first)
                    connection.execute(gone)
                self.insert_commands(connection, before.id, first, given)
                if key is not None:
                    self.insert_key(connection, *key)
                self.notify(connection, news)
        except Undo:
            return False
        return True

    def branch(self, token: str, asked: str, copy: Kept, given: Sequence[Recorded]) -> bool:
        """A claimed command forks: store the new run, and let the claim be on it instead. False when the claim has
        gone to another server or the run is gone."""
        moved = sa.update(claims).where(claims.c.run_id == asked, claims.c.token == token)
        try:
            with self.writing() as connection:
                self.insert(connection, copy, given)
                if connection.execute(moved.values(run_id=copy.id, at=None)).rowcount != 1:
                    raise Undo
        except Undo:
            return False
        return True

    def release(self, run_id: str, token: str, news: bytes = b"") -> None:
        """The claim is done, and left nothing to store."""
        with self.writing() as connection:
            self._done(connection, run_id, token)
            self.notify(connection, news)

    def renew(self, progress: Iterable[tuple[str, int, int]]) -> list[str]:
        """These claims, as (token, done, of), go on. The tokens of those that somebody asked to stop."""
        told = list(progress)
        if not told:
            return []
        tokens = [token for token, _, _ in told]
        row = sa.update(claims).where(claims.c.token == sa.bindparam("its_token"))
        row = row.values(until=self.now() + LEASE, done=sa.bindparam("its_done"), of=sa.bindparam("its_of"))
        with self.writing() as connection:
            connection.execute(row, [{"its_token": t, "its_done": done, "its_of": of} for t, done, of in told])
            asked = sa.select(claims.c.token).where(claims.c.token.in_(tokens), claims.c.stop)
            return list(connection.execute(asked).scalars())

    def others(self, tokens: Collection[str]) -> list[Claim]:
        """Claims beside these, whether or not somebody executes them."""
        with self.reader.connect() as connection:
            rows = connection.execute(self._question().where(claims.c.token.not_in(tokens))).mappings().all()
        return [_claim(row) for row in rows]

    def adopt(self, claim: Claim, server: str, token: str) -> Claim | None:
        """Take up a claim whose server has ended; None when it is done, or somebody else was faster."""
        values: dict[str, Any] = {"server": server, "token": token, "accepted": self.now(), "until": self.now() + LEASE}
        values |= {"tries": claim.tries + 1, "stop": False}
        with self.writing() as connection:
            taken = sa.update(claims).where(claims.c.token == claim.token).values(values)
            if connection.execute(taken).rowcount != 1:
                return None
        return replace(claim, server=server, token=token, tries=claim.tries + 1, stop=False, age=0.0, left=LEASE)

    def hand_over(self, tokens: Iterable[str]) -> None:
        """This server ends: let others take these claims up now, as if nobody had tried."""
        with self.writing() as connection:
            gone = sa.update(claims).where(claims.c.token.in_(list(tokens)))
            connection.execute(gone.values(until=0.0, server="", tries=claims.c.tries - 1))

    def ask_to_stop(self, run_id: str, news: bytes = b"") -> None:
        """Have whoever executes the run's claim stop it."""
        with self.writing() as connection:
            connection.execute(sa.update(claims).where(claims.c.run_id == run_id).values(stop=True))
            self.notify(connection, news)

    def now(self, here: sa.ColumnElement[float] | None = None) -> sa.ColumnElement[float]:
        """The database's clock, in seconds since 1970: servers need not agree about the time. Of a database that only
        this machine uses, `here`: this machine's."""
        if self.shared:
            return sa.cast(sa.func.extract("epoch", sa.func.clock_timestamp()), sa.Float)
        return sa.literal(time.time(), sa.Float) if here is None else here

    # ------------------------------------------------------------------ inside

    def _question(self, here: sa.ColumnElement[float] | None = None) -> sa.Select[Any]:
        now = self.now(here)
        age, left = (now - claims.c.accepted).label("age"), (claims.c.until - now).label("left")
        return sa.select(*(claims.c[name] for name in OWN), age, left)

    def _read(
        self, connection: sa.Connection, question: sa.Select[Any], asked: dict[str, Any] | None = None
    ) -> Claim | None:
        row = connection.execute(question, asked).mappings().first()
        return None if row is None else _claim(row)

    def _done(self, connection: sa.Connection, run_id: str, token: str) -> bool:
        return connection.execute(self._ending, {"its_run": run_id, "its_token": token}).rowcount == 1


def _row(claim: Claim) -> dict[str, Any]:
    return {name: getattr(claim, name) for name in OWN} | {"command": msgspec.to_builtins(claim.command)}


def _claim(row: Any) -> Claim:
    values = {name: row[name] for name in (*OWN, "age", "left")}
    return Claim(**values | {"command": read_command(row["command"]), "stop": bool(values["stop"])})
