"""Giving commands: one at a time and in order, once for each Idempotency-Key, forking where they act on the past."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app import errors, wire
from app.execution import new_stamp
from app.naming import etag, fingerprint
from app.runs.core import Active, log
from app.runs.looking import Looking
from app.runs.making import Making
from app.store import KeyRecord
from app.views import CommandView, ProgressView, RunView
from engine.run import Command


class Commanding(Making, Looking):
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


def _key_reused() -> errors.KeyReused:
    return errors.KeyReused("this Idempotency-Key came with another command before", "use a new key for each command")


def _to_store(view: CommandView) -> dict[str, Any]:
    names = ("run", "forked", "first", "last", "state", "etag", "stopped", "note")
    reached = int(view.etag.partition("-")[0])
    return {name: getattr(view, name) for name in names} | {"reached": reached}
