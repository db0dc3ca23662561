"""The use cases: create a run, command it, look at it, fork it, check a scenario. No web here.

Ids: a *drive id* drives, a *view id* only looks, and "scenario:SLUG" is the shared recording of a scenario, which
only looks as well. Every method raises errors of app/errors.py.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from app import __version__, errors, library, wire
from app.execution import Execution, new_stamp, stamped
from app.followers import Followers
from app.naming import etag, fingerprint, new_id
from app.settings import Settings
from app.store import Kept, KeyRecord, Store
from app.views import CheckView, CommandView, Happening, ProgressView, Role, RunView, ScenarioView
from engine.run import Command

if TYPE_CHECKING:
    from app.drawing.page import Page

log = logging.getLogger("gradflow.runs")

SHARED = "scenario:"
ENGINE = f"gradient-flow {__version__}, numpy {np.__version__}"
READY_BYTES = 32 * 1024 * 1024
"""Looks at shared recordings, which never change, are kept ready up to this size."""
LONGEST_LIST = 10_000


@dataclass(slots=True)
class Active:
    """A command that is being executed. `target` is the run that it changes: another one once it has forked."""

    task: asyncio.Task[CommandView]
    since: float
    asked: str
    key: str | None
    target: Kept | None = None
    progress: ProgressView | None = None


class Runs:
    """The service behind pages and REST. One per server process; its methods may be called concurrently."""

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

    # ------------------------------------------------------------------ making

    async def create(
        self, *, source: str | None = None, scenario: str | None = None, seed: int | None = None
    ) -> RunView:
        """A new run of a script or of a scenario; everything before its training loop is executed.

        Raises BadSource, TooLarge, NotFound (scenario), TooMany."""
        if scenario is not None:
            source = self.scenario(scenario).source
        if source is None:
            raise errors.BadCommand("a run needs a `source` or a `scenario`")
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
        kept, _ = await self._settled(run_id)
        copy, facts = await self._fork(kept, moment)
        return self._view(copy, copy.id, "drive", facts)

    async def _fork(self, kept: Kept, moment: int) -> tuple[Kept, wire.Facts]:
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
        )
        await asyncio.to_thread(self.store.create, copy, given)
        return copy, forked.facts

    async def delete(self, run_id: str) -> None:
        """Forget a run. Raises ReadOnly unless it is a drive id."""
        kept = await self._drive(run_id)
        if kept.id in self._active:
            self.execution.pool.stop(kept.id)
        await asyncio.to_thread(self.store.delete, kept.id)
        self.execution.forget(kept.id)
        self._tell(kept, "gone", "finished")

    # ------------------------------------------------------------------ commanding

    async def command(
        self,
        run_id: str,
        command: Command,
        *,
        at: int | None = None,
        if_match: str | None = None,
        key: str | None = None,
        wait: float | None = None,
    ) -> CommandView:
        """Execute a command. `at` a moment before the last forks: the answer names the new run. `if_match` refuses
        (Stale) when the run's etag is another. `key` makes a repeated request answer the same without executing again.
        After `wait` seconds (None: as the settings say) the answer is `running` and the command goes on.
        `Command("stop")` ends a running one.

        Raises NotFound, ReadOnly, Busy, Stale, KeyReused, BadCommand, TooMany, Crashed."""
        if command.do == "stop":
            return await self._stop(run_id)
        asked = fingerprint(command, at)
        while (active := self._active.get(run_id)) is not None:
            if key is not None and active.key == key:
                if active.asked != asked:
                    raise _key_reused()
                break  # the same request again: it waits for the same answer
            # Commands of a run are executed in the order in which they came, unless one is long.
            patience = self.settings.long_after - (time.monotonic() - active.since)
            if patience <= 0 or not (await asyncio.wait({active.task}, timeout=patience))[0]:
                raise errors.Busy("another command of this run is running", "wait for it, or stop it")
        if active is None:
            task = asyncio.create_task(self._execute(run_id, command, at, if_match, asked, key))
            active = self._active[run_id] = Active(task, time.monotonic(), asked, key)
            task.add_done_callback(lambda task: self._ended(run_id, task))
        return await self._wait_for(active, run_id, self.settings.long_after if wait is None else wait)

    async def _execute(
        self, run_id: str, command: Command, at: int | None, if_match: str | None, asked: str, key: str | None
    ) -> CommandView:
        kept = original = await self._drive(run_id)
        if key is not None:
            seen = await asyncio.to_thread(self.store.key, kept.id, key)
            if seen is not None:
                if seen.request != asked:
                    raise _key_reused()
                return await self._answer_again(seen)
        if if_match is not None and if_match != etag(kept):
            raise errors.Stale("the run has moved on since the state that If-Match names", "look at it again")
        if at is not None and at > kept.last:
            raise errors.BadCommand(f"there is no moment {at}; the last is {kept.last}")
        active = self._active[run_id]
        if at is not None and at < kept.last:
            kept, _ = await self._fork(kept, at)
        active.target = kept

        def progress(done: int, of: int) -> None:
            active.progress = ProgressView(done, of)
            self._tell(kept, "progress", "running", active.progress)

        stamp = new_stamp()
        done = await self.execution.execute(kept, command, stamp, progress)
        view = CommandView(
            run=kept.id,
            forked=kept is not original,
            first=done.first,
            last=done.last,
            state=done.facts.state,
            etag=etag(kept),
            stopped=done.stopped,
            note=done.note,
            moment=done.moment,
        )
        if done.recorded is None and not done.reset:
            return view
        given = () if done.recorded is None else (wire.Recorded(done.recorded, done.reached, done.digest, stamp),)
        before = 0 if done.reset else kept.commands
        after = replace(kept, stamp=stamp, commands=before + len(given), last=done.reached)
        view = replace(view, etag=etag(after))
        row = None if key is None else (original.id, KeyRecord(key, asked, _to_store(view)))
        if not await asyncio.to_thread(self.store.append, kept, after, given, row):
            self.execution.forget(kept.id)
            raise errors.Busy("the run was changed by another server, or deleted, meanwhile", "look at it again")
        self._tell(after, "moment", done.facts.state)
        return view

    def _ended(self, run_id: str, task: asyncio.Task[CommandView]) -> None:
        active = self._active.pop(run_id)
        if task.cancelled() or (error := task.exception()) is None:
            return
        # Whoever asked may have gone, or been told "it goes on": followers hear of it, and the log of a bug.
        if not isinstance(error, errors.RunError):
            log.error("a command failed", exc_info=error)
        if active.target is not None:
            note = error.message if isinstance(error, errors.RunError) else "the server failed at this command"
            self._tell(active.target, "refused", "ready", note=note)

    async def _wait_for(self, active: Active, run_id: str, seconds: float) -> CommandView:
        done, _ = await asyncio.wait({active.task}, timeout=seconds)
        if done:
            return active.task.result()
        target = active.target
        return CommandView(
            run=target.id if target else run_id,
            forked=target is not None and target.id != run_id,
            first=target.last + 1 if target else 0,
            last=target.last if target else 0,
            state="running",
            etag=etag(target) if target else "",
            running=True,
            progress=active.progress,
        )

    async def _stop(self, run_id: str) -> CommandView:
        kept = await self._drive(run_id)
        active = self._active.get(run_id)
        if active is None:
            facts = await self.execution.facts(kept)
            return CommandView(
                run=kept.id,
                forked=False,
                first=kept.last + 1,
                last=kept.last,
                state=facts.state,
                etag=etag(kept),
                note="nothing was running",
                moment=await self.moment(run_id, kept.last),
            )
        # Said again and again: the command may be on its way to a worker, or waiting for the run to be rebuilt there.
        until = time.monotonic() + self.settings.long_after
        while not active.task.done() and time.monotonic() < until:
            self.execution.pool.stop(active.target.id if active.target else run_id)
            await asyncio.wait({active.task}, timeout=0.1)
        return await self._wait_for(active, run_id, 0)

    async def _answer_again(self, seen: KeyRecord) -> CommandView:
        """The answer that was given to this Idempotency-Key, with its moment."""
        answer = seen.answer
        kept, _ = await self._find(answer["run"])
        looked = await self.execution.look(kept, "moment", answer["reached"])
        values = {name: value for name, value in answer.items() if name != "reached"}
        return CommandView(**values, moment=looked.body)

    async def breakpoints(self, run_id: str, lines: Sequence[int]) -> RunView:
        """Set the lines before which `run` and `finish` pause. Raises BadCommand when a line is not in the script."""
        kept = await self._drive(run_id)
        last = kept.source.count("\n") + 1
        for line in lines:
            if not 1 <= line <= last:
                raise errors.BadCommand(f"line {line} is not in the script, which has {last} lines")
        await asyncio.to_thread(self.store.set_breakpoints, kept.id, sorted(set(lines)))
        return await self.info(run_id)

    # ------------------------------------------------------------------ looking

    async def info(self, run_id: str) -> RunView:
        """A run through any of its ids, or "scenario:SLUG" (the shared recording; nothing is stored)."""
        kept, role = await self._settled(run_id)
        facts = await self.execution.facts(kept)
        return self._view(kept, run_id, role, facts)

    async def etag(self, run_id: str) -> str:
        """The run's etag, from the store alone. Raises NotFound."""
        return etag((await self._find(run_id))[0])

    async def moment(self, run_id: str, number: int) -> bytes:
        """One moment whole, as JSON."""
        return (await self._look(run_id, "moment", number)).body

    async def moments(self, run_id: str, first: int, last: int) -> tuple[bytes, int | None]:
        """Moments `first`..`last` as a JSON list, and the number to go on from when the list was cut."""
        looked = await self._look(run_id, "moments", first, last=min(last, first + LONGEST_LIST))
        return looked.body, looked.following

    async def page(self, run_id: str, number: int, event: int | None = None) -> Page:
        """What the debugger draws at a cursor. Raises NotFound when there is no such moment or event."""
        from app.drawing.page import Page

        return msgspec.msgpack.decode((await self._look(run_id, "page", number, event=event)).body, type=Page)

    async def picture(self, run_id: str, number: int, form: str) -> bytes:
        """The graph of a moment: `form` is "svg", "json" or "dot"."""
        forms: Mapping[str, wire.What] = {"svg": "svg", "json": "json", "dot": "dot"}
        if form not in forms:
            raise errors.NotFound(f"there is no picture in the form {form!r}", f"there are {', '.join(forms)}")
        return (await self._look(run_id, forms[form], number)).body

    async def tensor(self, run_id: str, number: int, name: str, form: str = "json") -> bytes:
        """A tensor's full values and `.grad` (`form` "json"), or its values as .npy ("npy")."""
        return (await self._look(run_id, "npy" if form == "npy" else "tensor", number, name=name)).body

    async def transcript(self, run_id: str) -> str:
        """The program executed so far."""
        return (await self._look(run_id, "transcript")).body.decode()

    async def trace(self, run_id: str) -> AsyncIterator[bytes]:
        """The trace, in pieces of NDJSON lines, as far as the run has come now."""
        kept, _ = await self._settled(run_id)
        last = (await self.execution.facts(kept)).last
        following: int | None = 0
        while following is not None:
            looked = await self.execution.look(kept, "trace", following, last=last)
            yield looked.body
            following = looked.following

    async def follow(self, run_id: str, seen: str | None = None) -> AsyncIterator[Happening]:
        """What happens to a run from now on: the newest state first unless it is `seen` (an etag), then progress
        and new moments; a slow follower gets the latest, not all."""
        kept, role = await self._find(run_id)
        if role == "shared":
            kept = replace(kept, last=(await self.execution.facts(kept)).last)
        with self._followers.following(kept.id) as follower:
            active = self._active.get(kept.id)
            if active is not None and active.progress is not None:
                yield Happening("progress", etag(kept), kept.last, "running", active.progress)
            elif etag(kept) != seen:
                state = "running" if active is not None else (await self.execution.facts(kept)).state
                yield Happening("moment", etag(kept), kept.last, state)
            async for happening in follower.listen():
                yield happening

    async def check(self, scenario: Mapping[str, Any]) -> CheckView:
        """Execute a scripted scenario ({"source" or "scenario", "commands", "expect"}) and say what held."""
        slug = scenario.get("scenario")
        source = self.scenario(str(slug)).source if slug is not None else scenario.get("source")
        if not isinstance(source, str):
            raise errors.BadCommand("a scripted scenario needs a `source` or a `scenario`")
        self._measure(source)
        return (await self.execution.check(source, msgspec.json.encode(dict(scenario)))).check

    # ------------------------------------------------------------------ inside

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


def _key_reused() -> errors.KeyReused:
    return errors.KeyReused("this Idempotency-Key came with another command before", "use a new key for each command")


def _to_store(view: CommandView) -> dict[str, Any]:
    names = ("run", "forked", "first", "last", "state", "etag", "stopped", "note")
    reached = int(view.etag.partition("-")[0])
    return {name: getattr(view, name) for name in names} | {"reached": reached}
