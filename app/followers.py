"""Who follows which run in this process, and what they are told: the latest, not all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.news import topic_of
from app.views import Happening


@dataclass(eq=False, slots=True)
class Follower:
    """Someone who follows a run. A slow one misses what is old by the time they listen."""

    run: str
    latest: Happening | None = None
    dismissed: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> AsyncIterator[Happening]:
        """What happens, until the run is gone or the server ends."""
        while True:
            await self.news.wait()
            self.news.clear()
            happening, self.latest = self.latest, None
            if happening is not None:
                yield happening
            if self.dismissed or (happening is not None and happening.kind == "gone"):
                return

    async def wait(self, seconds: float) -> None:
        """Until something happens, or for so long."""
        try:
            async with asyncio.timeout(seconds):
                await self.news.wait()
        except TimeoutError:
            pass
        self.news.clear()


class Followers:
    """Followers by the topic of their run (see app/news.py)."""

    def __init__(self) -> None:
        self._by_topic: dict[str, set[Follower]] = {}

    def __len__(self) -> int:
        return sum(len(followers) for followers in self._by_topic.values())

    def count(self, run: str) -> int:
        """Those of `run` (a drive id)."""
        return len(self._by_topic.get(topic_of(run), ()))

    @contextmanager
    def following(self, run: str) -> Iterator[Follower]:
        """A follower of `run` (a drive id) inside the block."""
        topic = topic_of(run)
        follower = Follower(run)
        self._by_topic.setdefault(topic, set()).add(follower)
        try:
            yield follower
        finally:
            followers = self._by_topic[topic]
            followers.discard(follower)
            if not followers:
                del self._by_topic[topic]

    def runs(self) -> list[str]:
        """The runs that somebody follows."""
        return [next(iter(followers)).run for followers in self._by_topic.values()]

    def tell(self, topic: str, happening: Happening) -> None:
        """Tell all who follow the run of that topic."""
        for follower in self._by_topic.get(topic, ()):
            follower.latest = happening
            follower.news.set()

    def dismiss(self) -> None:
        """Let nobody wait for news any more."""
        for followers in self._by_topic.values():
            for follower in followers:
                follower.dismissed = True
                follower.news.set()
