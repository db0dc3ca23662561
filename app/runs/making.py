"""Making runs, forking them, forgetting them."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from app import errors, wire
from app.naming import new_id
from app.runs.core import ENGINE
from app.runs.execution import TOO_LARGE, new_stamp, stamped
from app.runs.looking import Looking
from app.store import Kept
from app.views import RunView
from engine.errors import SourceError
from engine.script.reading.notebook import as_script


def program_in(text: str) -> str:
    """`text`, or the program in it when it is a notebook. Raises BadSource for a broken notebook, TooLarge."""
    try:
        return as_script(text)
    except SourceError as error:
        if error.kind in TOO_LARGE:
            raise errors.TooLarge(error.message, error.suggestion, line=error.line) from None
        raise errors.BadSource(error.message, error.suggestion, line=error.line, kind=error.kind) from None


class Making(Looking):
    async def create(
        self, *, source: str | None = None, scenario: str | None = None, seed: int | None = None
    ) -> RunView:
        """A new run of a script or of a scenario; everything before its training loop is executed.

        Raises BadSource, TooLarge, NotFound (scenario), TooMany."""
        if scenario is not None:
            source = self.scenario(scenario).source
        if source is None:
            raise errors.BadCommand("a run needs a `source` or a `scenario`")
        source = await asyncio.to_thread(program_in, source)
        self._measure(source)
        now = time.time()
        kept = Kept(new_id(), new_id(), source, scenario, seed, ENGINE, now, now, None, new_stamp(), 0, 0)
        loaded = await self.execution.begin(kept)
        given = stamped(loaded.given, loaded.digest, kept.stamp)
        kept = replace(kept, last=loaded.facts.last, commands=len(given))
        await asyncio.to_thread(self.store.create, kept, given)
        return self._view(kept, kept.id, "drive", loaded.facts)

    async def fork(self, run_id: str, moment: int) -> RunView:
        """A new run that shares the past up to `moment`. Any id that can look can be forked from."""
        kept = (await self._settled(run_id)).kept
        copy, given, facts = await self._fork(kept, moment)
        await asyncio.to_thread(self.store.create, copy, given)
        return self._view(copy, copy.id, "drive", facts)

    async def _fork(self, kept: Kept, moment: int) -> tuple[Kept, tuple[wire.Recorded, ...], wire.Facts]:
        """A new run that shares the past up to `moment`: it is held by a worker, and still has to be stored."""
        now = time.time()
        name, stamp = new_id(), new_stamp()
        forked = await self.execution.fork(kept, moment, name, stamp)
        given = stamped(forked.commands, forked.digest, stamp)
        copy = replace(
            kept,
            id=name,
            view_id=new_id(),
            created=now,
            used=now,
            parent=kept.view_id,
            stamp=stamp,
            commands=len(given),
            last=forked.facts.last,
            pinned=False,
        )
        return copy, given, forked.facts

    async def delete(self, run_id: str) -> None:
        """Forget a run. Raises ReadOnly unless it is a drive id."""
        kept = await self._drive(run_id)
        await asyncio.to_thread(self.store.delete, kept.id, self._news(kept, "gone", "finished"))
        self.execution.pool.stop(kept.id)
        self.execution.forget(kept.id)
        self._tell(kept, "gone", "finished")

    async def pin(self, run_id: str, pinned: bool) -> RunView:
        """Whether the run stays though nobody uses it. Raises ReadOnly unless it is a drive id."""
        kept = await self._drive(run_id)
        await asyncio.to_thread(self.store.set_pinned, kept.id, pinned)
        return await self.info(run_id)
