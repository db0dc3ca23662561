"""What all use cases stand on: the store, the workers, the library, who follows which run; finding a run by its id."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app import __version__, errors, library, wire
from app.execution import Execution
from app.followers import Followers
from app.naming import etag
from app.settings import Settings
from app.store import Kept, Store
from app.views import CommandView, Happening, ProgressView, Role, RunView, ScenarioView

log = logging.getLogger("gradflow.runs")

SHARED = "scenario:"
ENGINE = f"gradient-flow {__version__}, numpy {np.__version__}"
READY_BYTES = 32 * 1024 * 1024
"""Looks at shared recordings, which never change, are kept ready up to this size."""


@dataclass(slots=True)
class Active:
    """A command that is being executed. `target` is the run that it changes: another one once it has forked."""

    task: asyncio.Task[CommandView]
    since: float
    asked: str
    key: str | None
    target: Kept | None = None
    progress: ProgressView | None = None


class Core:
    """One per server process; its methods may be called concurrently."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.store_url)
        self.execution = Execution(settings, self.store)
        self._library = _views(library.with_folder(settings.scenarios_dir))
        self._active: dict[str, Active] = {}
        self._followers = Followers()
        self._shared_looks: dict[tuple[object, ...], wire.Looked] = {}
        self._shared_bytes = 0

    def start(self) -> None:
        """Start the workers now (otherwise the first request does)."""
        self.execution.pool.start()

    def dismiss(self) -> None:
        """The server is about to end: let nobody wait for news."""
        self._followers.dismiss()

    async def close(self) -> None:
        """Stop what is running, store what it reached, end the workers."""
        self.dismiss()
        tasks = [active.task for active in self._active.values()]
        if tasks:
            for active in self._active.values():
                if active.target is not None:
                    self.execution.pool.stop(active.target.id)
            await asyncio.wait(tasks, timeout=self.settings.drain_seconds)
        await self.execution.pool.close()
        await asyncio.to_thread(self.store.close)

    @property
    def running(self) -> int:
        """Commands that are being executed."""
        return len(self._active)

    @property
    def followers(self) -> int:
        """Followers of all runs."""
        return len(self._followers)

    async def ready(self) -> bool:
        """The store answers and a worker has started."""
        self.start()
        return self.execution.pool.ready and await asyncio.to_thread(self.store.alive)

    # ------------------------------------------------------------------ the library

    def scenarios(self) -> tuple[ScenarioView, ...]:
        """The library, in its order."""
        return tuple(self._library.values())

    def scenario(self, slug: str) -> ScenarioView:
        """Raises NotFound."""
        found = self._library.get(slug)
        if found is None:
            raise errors.NotFound(f"there is no scenario {slug!r}", "GET /api/v1/scenarios lists them")
        return found

    # ------------------------------------------------------------------ for the use cases

    def _measure(self, source: str) -> None:
        try:
            size = len(source.encode())
        except UnicodeEncodeError:
            raise errors.BadSource("the text has half a character in it (a lone surrogate)", line=1) from None
        if size > self.settings.source_bytes:
            raise errors.TooLarge(f"the script has {size:,} bytes; the limit is {self.settings.source_bytes:,}")

    async def _find(self, run_id: str) -> tuple[Kept, Role]:
        if run_id.startswith(SHARED):
            scenario = self.scenario(run_id.removeprefix(SHARED))
            stamp = hashlib.sha256(scenario.source.encode()).hexdigest()[:16]
            return Kept(run_id, run_id, scenario.source, scenario.slug, None, ENGINE, 0, 0, None, stamp, 0, 0), "shared"
        kept = await asyncio.to_thread(self.store.find, run_id) if 0 < len(run_id) <= 64 else None
        if kept is None:
            raise errors.NotFound("there is no such run", "it may have been deleted, or the link is incomplete")
        return kept, "drive" if secrets.compare_digest(run_id.encode(), kept.id.encode()) else "view"

    async def _drive(self, run_id: str) -> Kept:
        kept, role = await self._find(run_id)
        if role == "shared":
            raise errors.ReadOnly("this is the recording that everybody sees", "make a run of your own of it")
        if role == "view":
            raise errors.ReadOnly("this link only looks", "fork the run, and drive your own")
        return kept

    async def _settled(self, run_id: str) -> tuple[Kept, Role]:
        """The run as it is after a command that is being executed now, unless that one is long."""
        kept, role = await self._find(run_id)
        active = self._active.get(kept.id)
        if active is not None:
            patience = self.settings.long_after - (time.monotonic() - active.since)
            if patience > 0:
                await asyncio.wait({active.task}, timeout=patience)
                kept, role = await self._find(run_id)
        return kept, role

    async def _look(
        self, run_id: str, what: wire.What, moment: int = 0, *, last: int = 0, event: int | None = None, name: str = ""
    ) -> wire.Looked:
        kept, role = await self._settled(run_id)
        if role != "shared":
            return await self.execution.look(kept, what, moment, last=last, event=event, name=name)
        question = (kept.id, what, moment, last, event, name)
        found = self._shared_looks.get(question)
        if found is None:
            found = await self.execution.look(kept, what, moment, last=last, event=event, name=name)
            self._shared_bytes += len(found.body)
            if self._shared_bytes > READY_BYTES:
                self._shared_looks.clear()
                self._shared_bytes = len(found.body)
            self._shared_looks[question] = found
        return found

    def _view(self, kept: Kept, run_id: str, role: Role, facts: wire.Facts) -> RunView:
        running = kept.id in self._active
        return RunView(
            id=run_id,
            role=role,
            drive_id=kept.id if role == "drive" else None,
            view_id=None if role == "shared" else kept.view_id,
            scenario=kept.scenario,
            source=kept.source,
            seed=facts.seed,
            state="running" if running else facts.state,
            etag=etag(kept),
            last=facts.last,
            phases=facts.phases,
            usual_next=facts.usual_next,
            losses=facts.losses,
            warnings=facts.warnings,
            breakpoints=kept.breakpoints,
            parent=kept.parent,
            created=kept.created,
            differs=facts.differs,
        )

    def _tell(self, kept: Kept, kind: Any, state: Any, progress: ProgressView | None = None, note: str = "") -> None:
        self._followers.tell(kept.id, Happening(kind, etag(kept), kept.last, state, progress, note))


def _views(scenarios: Mapping[str, library.Scenario]) -> dict[str, ScenarioView]:
    return {
        slug: ScenarioView(slug, s.title, s.summary, s.level, s.minutes, "\n\n".join(s.lesson), s.source)
        for slug, s in scenarios.items()
    }
