"""Who follows which run in this process, and what they are told: the latest, not all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from app.views import Happening


@dataclass(eq=False, slots=True)
class Follower:
    """Someone who follows a run. A slow one misses what is old by the time they listen."""

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


class Followers:
    """Followers by the drive id of the run."""

    def __init__(self) -> None:
        self._by_run: dict[str, set[Follower]] = {}

    def __len__(self) -> int:
        return sum(len(followers) for followers in self._by_run.values())

    @contextmanager
    def following(self, run: str) -> Iterator[Follower]:
        """A follower of `run` inside the block."""
        follower = Follower()
        self._by_run.setdefault(run, set()).add(follower)
        try:
            yield follower
        finally:
            followers = self._by_run[run]
            followers.discard(follower)
            if not followers:
                del self._by_run[run]

    def tell(self, run: str, happening: Happening) -> None:
        """Tell all who follow `run`."""
        for follower in self._by_run.get(run, ()):
            follower.latest = happening
            follower.news.set()

    def dismiss(self) -> None:
        """Let nobody wait for news any more."""
        for followers in self._by_run.values():
            for follower in followers:
                follower.dismissed = True
                follower.news.set()
