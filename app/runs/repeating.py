"""A run of another script with the commands of this one: after an edit, and to compare."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from app.naming import new_id
from app.runs.execution import new_stamp, stamped
from app.runs.making import Making
from app.store import Kept
from app.views import RunView


class Repeating(Making):
    async def repeat(self, run_id: str, source: str) -> tuple[RunView, int]:
        """A new run of `source`, with the seed of the run `run_id` and its commands as far as they fit; and how many
        of them did not. Any id that can look can be repeated. Raises BadSource, TooLarge, NotFound, TooMany."""
        self._measure(source)
        settled = await self._settled(run_id)
        original = settled.kept
        given = (await asyncio.to_thread(self.store.commands, original.id))[: original.commands]
        now = time.time()
        kept = Kept(
            new_id(),
            new_id(),
            source,
            original.scenario if source == original.source else None,
            original.seed,
            original.engine,
            now,
            now,
            original.view_id if settled.role != "shared" else None,
            new_stamp(),
            0,
            0,
        )
        loaded = await self.execution.repeat(kept, given)
        rows = stamped(loaded.given, loaded.digest, kept.stamp)
        kept = replace(kept, last=loaded.facts.last, commands=len(rows))
        await asyncio.to_thread(self.store.create, kept, rows)
        wanted = sum(one.command.do != "begin" for one in given)
        done = sum(command.do != "begin" for command, _ in loaded.given)
        return self._view(kept, kept.id, "drive", loaded.facts), max(wanted - done, 0)
