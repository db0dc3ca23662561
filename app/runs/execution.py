"""Has a worker do something with a stored run: sends the run along when the worker does not hold it, and tries again
when the worker dies. Between app/runs/ (who may do what) and app/workers/pool.py (which process, for how long)."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeVar

from app import errors, wire
from app.settings import Settings
from app.store import Kept, Store
from app.workers.jobs import OWN_DEATH, Missed, Progress, Sizes, WorkerDied
from app.workers.pool import Pool, Worker
from engine.run import Command

A = TypeVar("A", wire.Loaded, wire.Executed, wire.Forked, wire.Looked, wire.Checked, wire.Taught)
TRIES = 20
TOO_LARGE = ("SourceTooLarge", "SourceTooDeep")
"""What a script that has more than its limit is refused as, not as one that cannot be read."""
SLOW = 0.2
"""Seconds of the processor's time; a run whose last command took more is not executed beside others' presses."""
REMEMBERED = 1000
"""Runs of which it is remembered what they are in their latest states ..."""
STREAMS = 2
STREAM_SECONDS = 900.0
LOSSES = 2000
"""... unless they have more losses than that."""


def new_stamp() -> str:
    """A name for a state of a run that nothing else has."""
    return secrets.token_hex(8)


class Execution:
    """The workers as one machine in which every stored run is always at hand."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self._facts: OrderedDict[str, tuple[str, wire.Facts]] = OrderedDict()
        self._streams = 0
        self.limits = wire.Limited(settings.run_time, settings.run_memory, settings.source_bytes)
        self.pool = Pool(
            Sizes(
                workers=settings.workers,
                long_workers=settings.long_workers,
                queue=settings.queue,
                long_after=settings.long_after,
                grace=settings.grace_seconds,
                memory=settings.worker_memory,
                resident=settings.worker_resident,
                runs=settings.worker_runs,
                idle=settings.idle_seconds,
            )
        )

    async def begin(self, kept: Kept) -> wire.Loaded:
        """Build a run that has no commands yet."""
        answer = await self._ask(
            kept,
            wire.Loaded,
            lambda number: wire.Load(number, kept.id, kept.stamp, kept.source, kept.seed, self.limits, new=True),
            self.settings.command_seconds,
        )
        self._remember(kept.id, kept.stamp, answer.facts)
        return answer

    async def repeat(self, kept: Kept, given: Sequence[wire.Recorded]) -> wire.Loaded:
        """Build a run of a new script that is given the commands of another's, as far as they fit."""
        answer = await self._ask(
            kept,
            wire.Loaded,
            lambda number: wire.Load(
                number, kept.id, kept.stamp, kept.source, kept.seed, self.limits, tuple(given), new=True, lenient=True
            ),
            self.settings.command_seconds,
        )
        self._remember(kept.id, kept.stamp, answer.facts)
        return answer

    async def facts(self, kept: Kept) -> wire.Facts:
        """What is known of the run in that state: from memory, so that a look at a run that is busy does not wait."""
        stamp, known = self._facts.get(kept.id, ("", None))
        if known is None or stamp != kept.stamp:
            answer = await self._ask(
                kept,
                wire.Loaded,
                lambda number: wire.Look(number, kept.id, kept.stamp, "facts"),
                self.settings.command_seconds,
            )
            known = answer.facts
            self._remember(kept.id, kept.stamp, known)
        return known

    def _remember(self, run: str, stamp: str, facts: wire.Facts) -> None:
        self._facts.pop(run, None)
        if len(facts.losses) <= LOSSES:
            self._facts[run] = (stamp, facts)
        if len(self._facts) > REMEMBERED:
            self._facts.popitem(last=False)

    async def look(
        self,
        kept: Kept,
        what: wire.What,
        moment: int = 0,
        *,
        last: int = 0,
        event: int | None = None,
        name: str = "",
        short: bool = False,
    ) -> wire.Looked:
        """Describe the run. Raises NotFound when there is no such moment, event or tensor."""
        return await self._ask(
            kept,
            wire.Looked,
            lambda number: wire.Look(number, kept.id, kept.stamp, what, moment, last, event, name, short),
            self.settings.command_seconds,
        )

    async def draw(self, kept: Kept, moment: int, sight: str) -> bytes:
        """The page of a run that was just brought into this state, which need not be stored yet; b"" when the worker
        does not hold it any more, or cannot draw it: then it is to be looked at when it is stored."""
        request = wire.Look(self.pool.number(), kept.id, kept.stamp, "page", moment, name=sight)
        try:
            answer = await self.pool.ask(kept.id, request, self.settings.command_seconds)
        except (errors.RunError, WorkerDied, Missed):
            return b""
        return answer.body if isinstance(answer, wire.Looked) else b""

    async def retell(self, kept: Kept, first: int, last: int, short: bool = False) -> AsyncIterator[bytes]:
        """Moments that are not kept any more, as pieces of the trace, computed while they are sent. At most STREAMS at
        once: each holds a process for as long as its reader takes."""
        if self._streams >= STREAMS:
            raise errors.TooMany("others read old moments just now", "try again in a moment", retry_after=10)
        self._streams += 1
        try:
            given = (await asyncio.to_thread(self.store.commands, kept.id))[: kept.commands]
            name = f"trace:{new_stamp()}"
            told = kept.source, kept.seed, self.limits, given, first, last, short
            request = wire.Retell(self.pool.number(), name, *told)
            async for body in self.pool.stream(name, request, STREAM_SECONDS):
                yield body
        finally:
            self._streams -= 1

    async def execute(
        self, kept: Kept, command: Command, becomes: str, progress: Progress | None = None, *, bare: bool = False
    ) -> wire.Executed:
        """Give the run a command. The worker then holds it as `becomes`; it is for the caller to store that. `bare`:
        the answer has no moment."""
        answer = await self._ask(
            kept,
            wire.Executed,
            lambda number: wire.Execute(number, kept.id, kept.stamp, becomes, command, kept.breakpoints, bare),
            self.settings.command_seconds,
            progress,
        )
        self._remember(kept.id, becomes, answer.facts)
        self.pool.expect_long(kept.id, answer.seconds > SLOW)
        return answer

    async def fork(self, kept: Kept, moment: int, copy: str, becomes: str) -> wire.Forked:
        """Hold a second run that shares this one's past."""
        answer = await self._ask(
            kept,
            wire.Forked,
            lambda number: wire.Fork(number, kept.id, kept.stamp, moment, copy, becomes),
            self.settings.command_seconds,
        )
        self.pool.settle(copy, kept.id)
        self._remember(copy, becomes, answer.facts)
        return answer

    async def probe(self, kept: Kept, what: wire.Probing, moment: int, given: bytes) -> bytes:
        """Try something on a copy of the run. Raises NotFound, BadCommand."""
        answer = await self._ask(
            kept,
            wire.Looked,
            lambda number: wire.Probe(number, kept.id, kept.stamp, what, moment, given, self.limits),
            self.settings.command_seconds,
        )
        return answer.body

    async def diagnose(self, source: str, seed: int | None, iterations: int, costs: bool) -> bytes:
        """Look for faults in a script."""
        run = f"diagnose:{new_stamp()}"
        kept = Kept(run, run, source, None, seed, "", 0.0, 0.0, None, "", 0, 0)
        try:
            answer = await self._ask(
                kept,
                wire.Looked,
                lambda number: wire.Diagnose(number, run, source, seed, iterations, costs, self.limits),
                self.settings.command_seconds,
            )
        finally:
            self.pool.leave(run)
        return answer.body

    async def check(self, source: str, scenario: bytes) -> wire.Checked:
        """Execute a scripted scenario on a run that is forgotten afterwards."""
        run = f"check:{new_stamp()}"
        kept = Kept(run, run, source, None, None, "", 0.0, 0.0, None, "", 0, 0)
        try:
            return await self._ask(
                kept,
                wire.Checked,
                lambda number: wire.Check(number, run, source, scenario, self.limits),
                self.settings.command_seconds,
            )
        finally:
            self.pool.leave(run)

    async def teach(self, source: str, cards: tuple[str, ...], own: bool) -> wire.Taught:
        """Work out a lesson on a run that is forgotten afterwards. One of the server's may take what a run that is
        rebuilt may, a visitor's `own` what a command may."""
        run = f"lesson:{new_stamp()}"
        kept = Kept(run, run, source, None, None, "", 0.0, 0.0, None, "", 0, 0)
        try:
            return await self._ask(
                kept,
                wire.Taught,
                lambda number: wire.Teach(number, run, source, cards, self.limits),
                self.settings.command_seconds if own else self.settings.rebuild_seconds,
            )
        finally:
            self.pool.leave(run)

    def forget(self, run: str) -> None:
        """Drop what is in memory of a run, here and in the workers."""
        self.pool.forget(run)
        self._facts.pop(run, None)

    async def _ask(
        self,
        kept: Kept,
        kind: type[A],
        request: Callable[[int], wire.Request],
        seconds: float,
        progress: Progress | None = None,
    ) -> A:
        deaths = 0
        near: Worker | None = None
        for _ in range(TRIES):
            try:
                if near is not None:
                    await self._load(kept, near)
                answer = await self.pool.ask(kept.id, request(self.pool.number()), seconds, progress, near)
            except Missed as missed:
                near = missed.worker
                continue
            except WorkerDied as died:
                near = None
                # Whoever kills processes may do so often; one that ends by itself will do so again.
                deaths += 1 if died.outside else OWN_DEATH
                if deaths >= 2 * OWN_DEATH:
                    raise errors.Crashed(
                        "the process that executed this ended, twice (memory is the usual reason)",
                        "the run is as it was before; ask for less at once",
                    ) from None
                # Others may have been ended at the same time: hear of it before one of them is asked.
                await asyncio.sleep(0.05)
                continue
            if isinstance(answer, kind):
                return answer
            raise refusal(answer)
        raise errors.TooMany("the workers are too busy to hold this run", "try again in a moment", retry_after=2)

    async def _load(self, kept: Kept, near: Worker) -> None:
        """Have the worker `near` hold the run in the state that `kept` names."""
        given: tuple[wire.Recorded, ...] = ()
        if kept.commands:
            # A command stored since `kept` was read belongs to a later state.
            given = (await asyncio.to_thread(self.store.commands, kept.id))[: kept.commands]
        request = wire.Load(self.pool.number(), kept.id, kept.stamp, kept.source, kept.seed, self.limits, given)
        answer = await self.pool.ask(kept.id, request, self.settings.rebuild_seconds, None, near)
        if not isinstance(answer, wire.Loaded):
            raise refusal(answer)
        self._remember(kept.id, kept.stamp, answer.facts)


def refusal(answer: wire.Answer) -> errors.RunError:
    """The error that a worker's refusal stands for."""
    if not isinstance(answer, wire.Refused):
        return errors.Crashed("a worker gave an answer to another question")
    if answer.kind == "BadSource" and answer.error in TOO_LARGE:
        return errors.TooLarge(answer.message, answer.suggestion, line=answer.line)
    if answer.kind == "BadSource":
        return errors.BadSource(
            answer.message,
            answer.suggestion,
            line=answer.line,
            column=answer.column,
            kind=answer.error,
            text=answer.text,
        )
    kind: type[errors.RunError] = getattr(errors, answer.kind)
    return kind(answer.message, answer.suggestion)


def stamped(given: Sequence[tuple[Command, int]], digest: str, becomes: str) -> tuple[wire.Recorded, ...]:
    """Commands as they are stored. Only the last one's digest is known here, and only that one is compared."""
    rows = [wire.Recorded(command, reached, "", new_stamp()) for command, reached in given]
    if rows:
        rows[-1] = wire.Recorded(rows[-1].command, rows[-1].reached, digest, becomes)
    return tuple(rows)
