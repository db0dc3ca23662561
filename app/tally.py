"""What servers over one database tell each other of the requests that they have counted, so that limits hold for all of
them together: once a second, what came in since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from app.news import topic_of

TOGETHER = 150
"""Counts in one message: the database takes 8,000 bytes."""
MOST = 10_000
"""Counts that are kept for the others; above that (nobody hears of them) all are dropped."""


class Tally:
    """Counts by the name of a limit and a topic, which gives neither an address nor a run away. `heard` is told what
    another server counted."""

    def __init__(self, shared: bool) -> None:
        self.shared = shared
        self.heard: Callable[[str, str, int], None] = lambda limit, topic, count: None
        self._fresh: Counter[str] = Counter()

    def topic(self, key: str) -> str:
        """The name under which servers talk of an address or a run."""
        return topic_of(key) if self.shared else key

    def add(self, limit: str, topic: str) -> None:
        """One more request was counted here."""
        if not self.shared:
            return
        if len(self._fresh) > MOST:
            self._fresh.clear()
        self._fresh[f"{limit}:{topic}"] += 1

    def to_tell(self) -> Iterator[dict[str, int]]:
        """What other servers do not know yet, message by message."""
        fresh, self._fresh = list(self._fresh.items()), Counter()
        for start in range(0, len(fresh), TOGETHER):
            yield dict(fresh[start : start + TOGETHER])

    def hear(self, counts: Mapping[str, int]) -> None:
        """Another server says what it has counted since it spoke last."""
        for name, count in counts.items():
            limit, _, topic = name.partition(":")
            self.heard(limit, topic, count)
