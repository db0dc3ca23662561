"""What a server does beside answering: keeps its claims, takes up those of servers that have ended, passes on what
happens elsewhere, forgets what nobody uses; and its beginning and end."""

from __future__ import annotations

import asyncio
import time

from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.away import reason
from app.news import News, pack, topic_of, unpack
from app.runs.commanding import Commanding
from app.runs.core import DAY, Active, log
from app.runs.execution import new_stamp
from app.store import Claim
from app.store.listening import listen
from app.views import CommandView

BEAT = 1.0
"""Seconds between two looks at the claims."""
SWEEP = 600.0
"""Seconds between two times that unused runs are forgotten."""
TRIES = 20
"""Servers that may end at a command before it is given up: many, for it may only have waited there for its turn."""


class Keeping(Commanding):
    def start(self) -> None:
        """Start the workers and what is done beside answering (otherwise the first request starts the workers)."""
        self.execution.pool.start()
        if not self._beside:
            self._later(self._keep())
            if self.store.shared:
                self._later(self._listen())

    async def ready(self) -> bool:
        """The store answers and a worker has started."""
        self.execution.pool.start()
        return self.execution.pool.ready and await asyncio.to_thread(self.store.alive)

    async def close(self) -> None:
        """Let running commands come to their end for a while; what does not is for another server to go on with, or
        for this one when it comes back. End the workers."""
        self.dismiss()
        active = [*self._active.values(), *self._adopted.values()]
        tasks = {one.task for one in active if one.task is not None}
        if tasks:
            await asyncio.wait(tasks, timeout=self.settings.drain_seconds)
        for task in [*tasks, *self._beside]:
            task.cancel()
        await asyncio.gather(*tasks, *self._beside, return_exceptions=True)
        try:
            await asyncio.to_thread(self.store.hand_over, [one.token for one in active])
        except SQLAlchemyError as error:
            log.error("the store does not answer: %s", reason(error))
        await self.execution.pool.close()
        await asyncio.to_thread(self.store.close)

    # ------------------------------------------------------------------ claims

    async def _keep(self) -> None:
        swept = 0.0
        complained = False
        while True:
            try:
                await self._beat()
                if time.monotonic() - swept > SWEEP or not swept:
                    swept = time.monotonic()
                    await self._sweep()
                complained = False
            except SQLAlchemyError as error:
                if not complained:
                    log.error("the store does not answer: %s", reason(error))
                complained = True
            await asyncio.sleep(BEAT)

    async def _beat(self) -> None:
        for token, run in list(self._to_release.items()):
            await asyncio.to_thread(self.store.release, run, token)
            del self._to_release[token]
        active = {one.token: one for one in (*self._active.values(), *self._adopted.values())}
        told = [
            (token, one.progress.done if one.progress else 0, one.progress.asked if one.progress else 0)
            for token, one in active.items()
            if one.target is not None
        ]
        if told:
            for token in await asyncio.to_thread(self.store.renew, told):
                self.execution.pool.stop(active[token].run)
        for claim in await asyncio.to_thread(self.store.others, list(active)):
            if self._lost(claim):
                await self._adopt(claim)
        if self.store.shared:
            for counts in self._followers.to_tell():
                await asyncio.to_thread(self.store.tell, pack(News(self.server, followers=counts)))
            for counts in self.tally.to_tell():
                await asyncio.to_thread(self.store.tell, pack(News(self.server, counted=counts)))

    async def _adopt(self, claim: Claim) -> None:
        """Go on with a command whose server has ended, or could not store what came of it."""
        token = new_stamp()
        mine = await asyncio.to_thread(self.store.adopt, claim, self.server, token)
        if mine is None:
            return
        active = Active(mine.command, mine.at, mine.request, mine.key, token, mine.run_id, promised=True)
        self._adopted[token] = active
        active.task = asyncio.create_task(self._take_up(active, mine))
        active.task.add_done_callback(lambda task: self._ended(active, task))

    async def _take_up(self, active: Active, claim: Claim) -> CommandView:
        kept, _ = await self._find(claim.run_id)
        active.target = kept
        if claim.tries > TRIES:
            note = f"{claim.tries} servers ended at this command: it is given up"
            news = self._news(kept, "refused", "ready", note=note)
            await asyncio.to_thread(self.store.release, kept.id, claim.token, news)
            raise errors.Crashed(note)
        return await self._go_on(active, kept, claim.asked)

    async def _sweep(self) -> None:
        """Forget runs that nobody has used for long, and answers to keys of yesterday."""
        days = self.settings.expire_days
        before = time.time() - days * DAY if days else 0.0
        gone = await asyncio.to_thread(self.store.expire, before, time.time() - DAY)
        if gone:
            log.info("%d unused runs were forgotten", gone)

    # ------------------------------------------------------------------ news of other servers

    async def _listen(self) -> None:
        async for body in listen(self.settings.store_url):
            if body is None:
                await self._catch_up()
                continue
            news = unpack(body)
            if news is None or news.server == self.server:
                continue
            if news.followers:
                self._followers.hear(news.server, news.followers)
            self.tally.hear(news.counted)
            if news.happening is not None:
                self._followers.tell(news.topic, news.happening)
            gone = news.happening is not None and news.happening.kind == "gone"
            if news.stop or gone:
                for run in [run for run in self._active if topic_of(run) == news.topic]:
                    self.execution.pool.stop(run)

    async def _catch_up(self) -> None:
        """News may have been missed: tell every follower how their run is now."""
        for run in self._followers.runs():
            try:
                kept, _, claim = await self._see(run)
                state = "running" if claim is not None else (await self.execution.facts(kept)).state
                self._tell(kept, "moment", state)
            except errors.RunError:
                continue
