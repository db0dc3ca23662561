"""What all use cases stand on: the store, the workers, the library, who follows which run; finding a run by its id."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from app import __version__, errors, library, wire
from app.followers import Followers
from app.news import News, pack, server_name, topic_of
from app.runs.execution import Execution
from app.settings import Settings
from app.store import Claim, Kept, Store
from app.tally import Tally
from app.teaching.lessons import card_views
from app.views import CommandView, Happening, ProgressView, Role, RunView, ScenarioView
from engine.run import Command

log = logging.getLogger("gradflow.runs")

SHARED = "scenario:"
ENGINE = f"gradient-flow {__version__}, numpy {np.__version__}"
READY_BYTES = 32 * 1024 * 1024
"""Looks at shared recordings, which never change, are kept ready up to this size."""


DAY = 86_400.0
POLL = 0.1
"""Seconds between two looks at a run that another server is changing, in case nobody tells."""


@dataclass(eq=False, slots=True)
class Active:
    """A command that this server executes, or waits to. `run` is the run that it changes: another one once it has
    forked. `left` is set when the run that was asked is free again. `accepted` is set when the command has been claimed
    and has forked, if it has to: from then on it is not lost. `target` is the run as it was then.
    `promised`: somebody was told that it goes on. `bare`: the answer has no moment. Who presses and sees `sight`
    (None: nobody looks) has the page `drawn` while what was done is stored: in `became`, as these facts tell it."""

    command: Command
    at: int | None
    asked: str
    key: str | None
    token: str
    run: str
    since: float = field(default_factory=time.monotonic)
    left: asyncio.Event = field(default_factory=asyncio.Event)
    accepted: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[CommandView] | None = None
    target: Kept | None = None
    progress: ProgressView | None = None
    told: float = 0.0
    promised: bool = False
    bare: bool = False
    sight: str | None = None
    drawn: asyncio.Task[bytes] | None = None
    became: tuple[Kept, wire.Facts] | None = None


class Seen(NamedTuple):
    """A run as it was found through an id, and the command of it that is being executed, here or elsewhere."""

    kept: Kept
    role: Role
    claim: Claim | None


class Core:
    """One per server process; its methods may be called concurrently."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.server = server_name()
        self.store = Store(settings.store_url)
        self.execution = Execution(settings, self.store)
        self._lessons = library.with_folder(settings.scenarios_dir, settings.source_bytes)
        self._library = _views(self._lessons)
        self._active: dict[str, Active] = {}
        self._adopted: dict[str, Active] = {}
        self._to_release: dict[str, str] = {}  # claims (token, run) that the store could not be told are done
        self._beside: set[asyncio.Task[Any]] = set()
        self._followers = Followers()
        self.tally = Tally(self.store.shared)
        self._shared_looks: dict[tuple[object, ...], wire.Looked] = {}
        self._shared_bytes = 0

    def dismiss(self) -> None:
        """The server is about to end: let nobody wait for news."""
        self._followers.dismiss()

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do that beside everything else, as long as the server lives."""
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    @property
    def running(self) -> int:
        """Commands that are being executed."""
        return len(self._active) + len(self._adopted)

    @property
    def followers(self) -> int:
        """Followers of all runs."""
        return len(self._followers)

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

    async def _see(self, run_id: str) -> Seen:
        """Raises NotFound."""
        if run_id.startswith(SHARED):
            scenario = self.scenario(run_id.removeprefix(SHARED))
            stamp = hashlib.sha256(scenario.source.encode()).hexdigest()[:16]
            kept = Kept(run_id, run_id, scenario.source, scenario.slug, None, ENGINE, 0, 0, None, stamp, 0, 0)
            return Seen(kept, "shared", None)
        found = await asyncio.to_thread(self.store.busy, run_id) if 0 < len(run_id) <= 64 else None
        if found is None:
            raise no_such_run()
        kept, claim = found
        return Seen(kept, "drive" if secrets.compare_digest(run_id.encode(), kept.id.encode()) else "view", claim)

    async def _find(self, run_id: str) -> tuple[Kept, Role]:
        """The run of a drive id, a view id or "scenario:SLUG". Raises NotFound."""
        return (await self._see(run_id))[:2]

    async def _drive(self, run_id: str) -> Kept:
        kept, role = await self._find(run_id)
        only_drives(role)
        return kept

    async def _settled(self, run_id: str) -> Seen:
        """The run as it is after a command that is being executed now, unless that one is long."""
        seen = await self._see(run_id)
        active = self._active.get(seen.kept.id)
        if active is not None:
            await left(active, self.settings.long_after - (time.monotonic() - active.since))
            seen = await self._see(run_id)
        if seen.claim is not None:
            await self._freed(seen.kept.id, self.settings.long_after - seen.claim.age)
            seen = await self._see(run_id)
        return seen

    async def _freed(self, run: str, seconds: float) -> None:
        """Until no command of `run` (a drive id) is executed anywhere, or for so long."""
        until = time.monotonic() + seconds
        with self._followers.following(run) as follower:
            while (patience := until - time.monotonic()) > 0:
                await follower.wait(min(POLL, patience))
                found = await asyncio.to_thread(self.store.busy, run)
                if found is None or found[1] is None:
                    return

    async def _look(
        self, run_id: str, what: wire.What, moment: int = 0, *, last: int = 0, event: int | None = None, name: str = ""
    ) -> wire.Looked:
        return await self._look_at(await self._settled(run_id), what, moment, last=last, event=event, name=name)

    async def _look_at(
        self, seen: Seen, what: wire.What, moment: int = 0, *, last: int = 0, event: int | None = None, name: str = ""
    ) -> wire.Looked:
        kept, role, _ = seen
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

    def _view(self, kept: Kept, run_id: str, role: Role, facts: wire.Facts, running: bool = False) -> RunView:
        days = self.settings.expire_days
        return RunView(
            id=run_id,
            role=role,
            drive_id=kept.id if role == "drive" else None,
            view_id=None if role == "shared" else kept.view_id,
            scenario=kept.scenario,
            source=kept.source,
            seed=facts.seed,
            state="running" if running else facts.state,
            etag=kept.etag,
            last=facts.last,
            phases=facts.phases,
            usual_next=facts.usual_next,
            losses=facts.losses,
            warnings=facts.warnings,
            breakpoints=kept.breakpoints,
            parent=kept.parent,
            created=kept.created,
            differs=facts.differs,
            pinned=kept.pinned,
            expires=None if kept.pinned or not days or role == "shared" else kept.used + days * DAY,
        )

    def _tell(self, kept: Kept, kind: Any, state: Any, progress: ProgressView | None = None, note: str = "") -> None:
        """Tell this server's followers of the run; `_news` is for those of the others."""
        happening = Happening(kind, kept.etag, kept.last, state, progress, note)
        self._followers.tell(topic_of(kept.id), happening)

    def _news(self, kept: Kept, kind: Any, state: Any, progress: ProgressView | None = None, note: str = "") -> bytes:
        """What `_tell` says, for other servers; b"" when there can be none."""
        if not self.store.shared:
            return b""
        happening = Happening(kind, kept.etag, kept.last, state, progress, note)
        return pack(News(self.server, topic_of(kept.id), happening))


async def left(active: Active, seconds: float) -> bool:
    """Until the run that was asked is free of the command; False when that has not come within so long."""
    if active.task is not None and active.task.done():
        seconds = 1.0  # it has ended, which the loop is about to tell
    try:
        async with asyncio.timeout(max(seconds, 0)):
            await active.left.wait()
    except TimeoutError:
        return False
    return True


def only_drives(role: Role) -> None:
    """Raises ReadOnly unless the run was found by its drive id."""
    if role == "shared":
        raise errors.ReadOnly("this is the recording that everybody sees", "make a run of your own of it")
    if role == "view":
        raise errors.ReadOnly("this link only looks", "fork the run, and drive your own")


def no_such_run() -> errors.NotFound:
    return errors.NotFound("there is no such run", "it may have been deleted, or the link is incomplete")


def _views(scenarios: Mapping[str, library.Scenario]) -> dict[str, ScenarioView]:
    return {
        slug: ScenarioView(
            slug,
            s.title,
            s.summary,
            s.level,
            s.minutes,
            "\n\n".join(s.lesson),
            s.source,
            card_views(s.cards),
            s.receipt,
            s.topics,
        )
        for slug, s in scenarios.items()
    }
