"""A run as a link carries it, and a run made of such a link."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from app import errors, wire
from app.naming import new_id
from app.permalink import Program
from app.runs.core import ENGINE
from app.runs.execution import new_stamp, stamped
from app.runs.making import Making
from app.store import Kept
from app.views import RunView


class Sharing(Making):
    async def program(self, run_id: str, moment: int | None = None, event: int | None = None) -> Program:
        """The run's script or scenario, seed and commands, with a cursor. Raises NotFound."""
        kept = (await self._settled(run_id)).kept
        rows = (await asyncio.to_thread(self.store.commands, kept.id))[: kept.commands]
        return Program(
            None if kept.scenario else kept.source,
            kept.scenario,
            tuple(row.command for row in rows),
            kept.seed,
            moment,
            event,
            rows[-1].digest if rows else "",
        )

    async def export(self, run_id: str, ending: str, moment: int) -> bytes:
        """A file of the run (`ending` without its dot, as app/export/formats.py has them). Raises NotFound, TooMany."""
        return (await self._look(run_id, "export", moment, name=ending)).body

    async def open(self, program: Program) -> tuple[RunView, int, bool]:
        """A new run of what a link carries, how many of its commands did not fit, and whether it came to the state that
        it came to where the link was made. Raises BadSource, TooLarge,
        NotFound (the scenario), TooMany."""
        source = program.source
        if program.scenario is not None:
            source = self.scenario(program.scenario).source
        if source is None:
            raise errors.BadCommand("the link holds no script")
        self._measure(source)
        now = time.time()
        kept = Kept(
            new_id(), new_id(), source, program.scenario, program.seed, ENGINE, now, now, None, new_stamp(), 0, 0
        )
        given = tuple(wire.Recorded(command, 0, "", "") for command in program.commands)
        loaded = await self.execution.repeat(kept, given)
        rows = stamped(loaded.given, loaded.digest, kept.stamp)
        kept = replace(kept, last=loaded.facts.last, commands=len(rows))
        await asyncio.to_thread(self.store.create, kept, rows)
        wanted = sum(command.do != "begin" for command in program.commands)
        done = sum(command.do != "begin" for command, _ in loaded.given)
        same = loaded.digest.startswith(program.digest)
        return self._view(kept, kept.id, "drive", loaded.facts), max(wanted - done, 0), same
