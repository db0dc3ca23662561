"""Who follows which run in this process, and what they are told: the latest, not all. And how many follow it on other
servers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.news import topic_of
from app.views import Happening

REPEAT = 5.0
"""Seconds after which a server tells the others again how many follow there: they may have begun since."""
HEARD = 3 * REPEAT
"""Seconds for which that holds: a server that ends does not take it back."""
TOGETHER = 150
"""Topics in one message: the database takes 8,000 bytes."""


@dataclass(eq=False, slots=True)
class Follower:
    """Someone who follows a run. A slow one misses what is old by the time they listen. `counted`: a person, not a
    request that waits for its turn."""

    run: str
    counted: bool = False
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
        self._elsewhere: dict[str, dict[str, tuple[int, float]]] = {}
        self._told: dict[str, int] = {}
        self._repeated = 0.0

    def __len__(self) -> int:
        """The people who follow any run here."""
        return sum(self._here().values())

    def count(self, run: str) -> int:
        """The people who follow `run` (a drive id), here and on other servers."""
        topic, now = topic_of(run), time.monotonic()
        elsewhere = self._elsewhere.get(topic, {})
        return self._here().get(topic, 0) + sum(count for count, until in elsewhere.values() if until > now)

    def _here(self) -> dict[str, int]:
        counts = {topic: sum(follower.counted for follower in followers) for topic, followers in self._by_topic.items()}
        return {topic: count for topic, count in counts.items() if count}

    def to_tell(self) -> Iterator[dict[str, int]]:
        """What other servers do not know yet, or should hear again: how many follow each topic here, message by
        message."""
        here, now = self._here(), time.monotonic()
        if now - self._repeated > REPEAT:
            self._repeated = now
            changed = dict(here)
        else:
            changed = {topic: count for topic, count in here.items() if self._told.get(topic) != count}
        changed |= dict.fromkeys(self._told.keys() - here.keys(), 0)
        self._told = here
        topics = list(changed)
        for start in range(0, len(topics), TOGETHER):
            yield {topic: changed[topic] for topic in topics[start : start + TOGETHER]}

    def hear(self, server: str, counts: Mapping[str, int]) -> None:
        """Another server says how many follow there."""
        now = time.monotonic()
        for topic, count in counts.items():
            self._elsewhere.setdefault(topic, {})[server] = count, now + HEARD
        for topic in list(self._elsewhere):
            living = {name: told for name, told in self._elsewhere[topic].items() if told[0] and told[1] > now}
            if living:
                self._elsewhere[topic] = living
            else:
                del self._elsewhere[topic]

    @contextmanager
    def following(self, run: str, *, counted: bool = False) -> Iterator[Follower]:
        """A follower of `run` (a drive id) inside the block."""
        topic = topic_of(run)
        follower = Follower(run, counted)
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
