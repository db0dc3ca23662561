"""Giving commands: one at a time and in order, once for each Idempotency-Key, forking where they act on the past.

A command is claimed in the store before it is executed (app/store/claims.py): the claim is the run's lock among all
servers, and what another one goes on with if this one ends.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app import errors, wire
from app.away import AWAY, reason
from app.naming import fingerprint
from app.news import News, has_ended, pack, topic_of
from app.runs.core import SHARED, Active, left, log, no_such_run, only_drives
from app.runs.execution import new_stamp
from app.runs.making import Making
from app.store import LEASE, Answered, Claim, Kept, KeyRecord, Occupied
from app.views import CommandView, ProgressView, RunView
from engine.errors import SourceError
from engine.run import Breakpoint, Command
from engine.run.conditions import require_condition
from engine.script.reading.source import as_read
from engine.script.reading.ways import stops_for

TELL_EVERY = 0.25
"""Seconds between two messages about a command's progress to other servers."""
SILENCE = 3.0
"""Seconds without a word after which a server is suspected to have ended: its claim is waited for, not refused."""


class Commanding(Making):
    async def command(
        self,
        run_id: str,
        command: Command,
        *,
        at: int | None = None,
        if_match: Sequence[str] | None = None,
        key: str | None = None,
        wait: float | None = None,
        bare: bool = False,
    ) -> CommandView:
        """Execute a command. `at` a moment before the last forks: the answer names the new run. `if_match` refuses
        (Stale) when the run's etag is none of these. `key` makes a repeated request answer the same without executing
        again. After `wait` seconds (None: as the settings say) the answer is `running` and the command goes on.
        `bare`: the answer has no `moment`, which takes long to tell when nobody reads it.
        `Command("stop")` ends a running one.

        Raises NotFound, ReadOnly, Busy, Stale, KeyReused, BadCommand, TooMany, Unavailable, Crashed."""
        if command.do == "stop":
            return await self._stop(run_id, bare=bare)
        active = await self._give(run_id, command, at, if_match, key, bare=bare)
        return await self._wait_for(active, self.settings.long_after if wait is None else wait)

    async def _give(
        self,
        run_id: str,
        command: Command,
        at: int | None,
        if_match: Sequence[str] | None = None,
        key: str | None = None,
        *,
        bare: bool = False,
        sight: str | None = None,
    ) -> Active:
        """Have it executed as soon as those are done that came before. Raises Busy, KeyReused."""
        asked = fingerprint(command, at)
        while (active := self._active.get(run_id)) is not None:
            if key is not None and active.key == key:
                if active.asked != asked:
                    raise _key_reused()
                break  # the same request again: it waits for the same answer
            # Commands of a run are executed in the order in which they came, unless one is long.
            if not await left(active, self.settings.long_after - (time.monotonic() - active.since)):
                raise _busy()
        if active is None:
            active = Active(command, at, asked, key, new_stamp(), run_id, bare=bare, sight=sight)
            self._active[run_id] = active
            active.task = asyncio.create_task(self._execute(active, if_match))
            active.task.add_done_callback(lambda task: self._ended(active, task))
        return active

    async def _execute(self, active: Active, if_match: Sequence[str] | None) -> CommandView:
        """Claim the run, then do what the command asks."""
        patience = self.settings.long_after
        while True:
            if active.run.startswith(SHARED):
                only_drives("shared")
            found = await asyncio.to_thread(self.store.claim, self._wanted(active), if_match)
            if found is None:
                raise no_such_run()
            if isinstance(found, Answered):
                if found.key.request != active.asked:
                    raise _key_reused()
                return await self._answer_again(found.key)
            if found.run.id != active.run:
                only_drives("view")
            if not isinstance(found, Occupied):
                if if_match is not None and found.run.etag not in if_match:
                    raise errors.Stale("the run has moved on since the state that If-Match names", "look at it again")
                return await self._go_on(active, found.run, active.run)
            other = found.claim
            if found.same:
                if other.request != active.asked:
                    raise _key_reused()
                active.target = found.run
                active.accepted.set()
            elif not (other.age < patience or other.left < LEASE - SILENCE or self._lost(other)):
                raise _busy()
            await self._freed(other.run_id, patience)

    def _wanted(self, active: Active) -> Claim:
        return Claim(
            run_id=active.run,
            token=active.token,
            server=self.server,
            asked=active.run,
            request=active.asked,
            command=active.command,
            key=active.key,
            at=active.at,
        )

    def _lost(self, claim: Claim) -> bool:
        """Whether nobody executes that claim any more."""
        return claim.left < 0 or has_ended(claim.server, self.server)

    async def _go_on(self, active: Active, kept: Kept, asked: str) -> CommandView:
        """Do what a claimed command asks, and store it. `kept` is the run that it is on, `asked` the one that was
        asked: another one when it had forked already."""
        at = active.at
        active.target = kept
        try:
            if at is not None and at > kept.last:
                raise errors.BadCommand(f"there is no moment {at}; the last is {kept.last}")
            if at is not None and at < kept.last:
                kept = await self._branch(active, kept, at)
            active.accepted.set()
            return await self._carry_out(active, kept, asked)
        except AWAY:
            raise  # what becomes of the claim is said in _ended
        except errors.RunError as error:
            if _comes_again(active, error):
                raise
            news = self._news(kept, "refused", "ready", note=error.message)
            await asyncio.to_thread(self.store.release, active.run, active.token, news)
            raise
        except Exception:
            await asyncio.to_thread(self.store.release, active.run, active.token)
            raise

    async def _branch(self, active: Active, kept: Kept, at: int) -> Kept:
        """Fork: from now on the command is the new run's, and the one that was asked is free."""
        copy, given, _ = await self._fork(kept, at)
        if not await asyncio.to_thread(self.store.branch, active.token, kept.id, copy, given):
            raise await self._overtaken(kept)
        active.target = copy
        if self._active.get(active.run) is active:
            del self._active[active.run]
            self._active[copy.id] = active
        active.run = copy.id
        active.left.set()
        active.left = asyncio.Event()
        return copy

    async def _carry_out(self, active: Active, kept: Kept, asked: str) -> CommandView:
        def progress(done: int, of: int) -> None:
            active.progress = ProgressView(done, of)
            self._tell(kept, "progress", "running", active.progress)
            if self.store.shared and time.monotonic() - active.told > TELL_EVERY:
                active.told = time.monotonic()
                news = self._news(kept, "progress", "running", active.progress)
                self._later(asyncio.to_thread(self.store.tell, news))

        stamp = new_stamp()
        done = await self.execution.execute(kept, active.command, stamp, progress, bare=active.bare)
        view = CommandView(
            run=kept.id,
            forked=kept.id != asked,
            first=done.first,
            last=done.last,
            state=done.facts.state,
            etag=kept.etag,
            stopped=done.stopped,
            note=done.note,
            moment=done.moment,
        )
        same = done.recorded is None and not done.reset
        given = () if done.recorded is None else (wire.Recorded(done.recorded, done.reached, done.digest, stamp),)
        before = 0 if done.reset else kept.commands
        after = kept if same else replace(kept, stamp=stamp, commands=before + len(given), last=done.reached)
        if active.sight is not None:
            active.became = after, done.facts
            active.drawn = asyncio.create_task(self.execution.draw(after, done.last, active.sight))
        if same:
            await asyncio.to_thread(self.store.release, kept.id, active.token)
            return view
        view = replace(view, etag=after.etag)
        row = None if active.key is None else (asked, KeyRecord(active.key, active.asked, _to_store(view)))
        news = self._news(after, "moment", done.facts.state)
        if not await asyncio.to_thread(self.store.append, active.token, kept, after, given, row, news):
            self.execution.forget(kept.id)
            raise await self._overtaken(kept)
        self._tell(after, "moment", done.facts.state)
        return view

    async def _overtaken(self, kept: Kept) -> errors.RunError:
        """Why a claim of ours is not ours any more."""
        if await asyncio.to_thread(self.store.busy, kept.id) is None:
            return no_such_run()
        return errors.Busy("this server was slow, and another one executes the command", "look at the run again")

    def _ended(self, active: Active, task: asyncio.Task[CommandView]) -> None:
        if self._active.get(active.run) is active:
            del self._active[active.run]
        self._adopted.pop(active.token, None)
        active.left.set()
        if task.cancelled() or (error := task.exception()) is None:
            return
        # Whoever asked may have gone, or been told "it goes on": followers hear of it, and the log of a bug.
        if isinstance(error, AWAY):
            log.error("the store does not answer: %s", reason(error))
            if not active.promised:
                self._to_release[active.token] = active.run  # who was told that it failed must not see it done later
        elif not isinstance(error, errors.RunError):
            log.error("a command failed", exc_info=error)
        if _comes_again(active, error):
            return  # the claim stays, and is taken up
        if active.target is not None:
            note = error.message if isinstance(error, errors.RunError) else "the server failed at this command"
            self._tell(active.target, "refused", "ready", note=note)

    async def _wait_for(self, active: Active, seconds: float) -> CommandView:
        """The answer, or that it goes on: which is said only when it will not be lost."""
        task, asked = active.task, active.run
        assert task is not None
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if not done and not active.accepted.is_set():
            accepted = asyncio.create_task(active.accepted.wait())
            await asyncio.wait((task, accepted), return_when=asyncio.FIRST_COMPLETED)
            accepted.cancel()
        if task.done():
            return task.result()
        target = active.target
        assert target is not None
        active.promised = True
        return CommandView(
            run=target.id,
            forked=target.id != asked,
            first=target.last + 1,
            last=target.last,
            state="running",
            etag=target.etag,
            running=True,
            progress=active.progress,
        )

    async def _stop(self, run_id: str, *, bare: bool) -> CommandView:
        seen = await self._see(run_id)
        kept = seen.kept
        only_drives(seen.role)
        active = self._active.get(run_id)
        if seen.claim is not None and (active is None or active.token != seen.claim.token):
            active = self._adopted.get(seen.claim.token)  # or another server's, for which `active` waits
        if active is not None and active.task is not None:
            # Said again and again: the command may be on its way to a worker, or waiting for the run to be rebuilt.
            until = time.monotonic() + self.settings.long_after
            while not active.task.done() and time.monotonic() < until:
                self.execution.pool.stop(active.run)
                await asyncio.wait({active.task}, timeout=0.1)
            answer = await self._wait_for(active, 0)
            if bare or not active.bare or answer.running:
                return answer
            kept, _ = await self._find(answer.run)  # who gave the command wanted no moment, who stops it does
            return replace(answer, moment=(await self.execution.look(kept, "moment", answer.last)).body)
        if seen.claim is None:
            return await self._as_it_is(run_id, kept, kept, note="nothing was running")
        news = pack(News(self.server, topic_of(kept.id), stop=True))
        await asyncio.to_thread(self.store.ask_to_stop, kept.id, news)
        await self._freed(kept.id, self.settings.long_after)
        return await self._as_it_is(run_id, kept, (await self._see(run_id)).kept)

    async def _as_it_is(self, run_id: str, before: Kept, now: Kept, note: str = "") -> CommandView:
        """What came of a command that another server executed; `before` is the run as it was."""
        if now.stamp == before.stamp and not note:
            return CommandView(now.id, False, now.last + 1, now.last, "running", now.etag, running=True)
        facts = await self.execution.facts(now)
        moment = await self.execution.look(now, "moment", now.last)
        return CommandView(
            run=now.id,
            forked=False,
            first=before.last + 1,
            last=now.last,
            state=facts.state,
            etag=now.etag,
            stopped=now.stamp != before.stamp,
            note=note,
            moment=moment.body,
        )

    async def _answer_again(self, seen: KeyRecord) -> CommandView:
        """The answer that was given to this Idempotency-Key, with its moment."""
        answer = seen.answer
        kept, _ = await self._find(answer["run"])
        looked = await self.execution.look(kept, "moment", answer["reached"])
        values = {name: value for name, value in answer.items() if name != "reached"}
        return CommandView(**values, moment=looked.body)

    async def breakpoints(self, run_id: str, wanted: Sequence[Breakpoint]) -> RunView:
        """Set where commands pause: all of it, the last word of a line counts. A line at which no statement begins
        moves to the next one. Raises BadCommand when a line is not in the script, or behind its last statement, and
        when a condition is none."""
        kept = await self._drive(run_id)
        last = as_read(kept.source).count("\n") + 1
        lines = [each.line for each in wanted]
        for line in lines:
            if not 1 <= line <= last:
                raise errors.BadCommand(f"line {line} is not in the script, which has {last} lines")
        found = await asyncio.to_thread(stops_for, kept.source, lines)
        behind = [line for line in lines if line not in found]
        if behind:
            raise errors.BadCommand(f"no statement begins at line {behind[0]}, or behind it")
        set_at = {found[each.line]: replace(each, line=found[each.line]) for each in wanted}
        for each in set_at.values():
            if each.when:
                try:
                    await asyncio.to_thread(require_condition, each.when)
                except SourceError as error:
                    raise errors.BadCommand(
                        f"the condition of line {each.line} is none: {error.message}", error.suggestion
                    ) from None
        await asyncio.to_thread(self.store.set_breakpoints, kept.id, [set_at[line] for line in sorted(set_at)])
        return await self.info(run_id)


def _comes_again(active: Active, error: BaseException) -> bool:
    """Whether a command that came to this is executed again: somebody was told that it goes on."""
    return active.promised and isinstance(error, (*AWAY, errors.Unavailable))


def _busy() -> errors.Busy:
    return errors.Busy("another command of this run is running", "wait for it, or stop it")


def _key_reused() -> errors.KeyReused:
    return errors.KeyReused("this Idempotency-Key came with another command before", "use a new key for each command")


def _to_store(view: CommandView) -> dict[str, Any]:
    names = ("run", "forked", "first", "last", "state", "etag", "stopped", "note")
    reached = int(view.etag.partition("-")[0])
    return {name: getattr(view, name) for name in names} | {"reached": reached}
