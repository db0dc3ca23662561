"""Finding a scenario: by words, by level, by what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.library import TOPICS
from app.pages.text import ENGLISH
from app.views import ScenarioView

LEVELS = ("beginner", "intermediate", "advanced")
LONGEST = 100
"""Characters of a search that are read."""
COMMON = frozenset((
    "a", "about", "an", "and", "are", "can", "do", "does", "explain", "for", "from", "get", "how", "i", "in", "is",
    "it", "learn", "me", "of", "on", "or", "please", "show", "tell", "that", "the", "this", "to", "use", "what", "when",
    "where", "which", "who", "why", "with", "work", "works", "you",
))  # fmt: skip
"""Words of a question that say nothing of what it is about."""
SOURCE = 3
"""Where scripts are among the texts that are looked through."""


@dataclass(frozen=True)
class Search:
    """What was asked for: "" where nothing was. A level or topic that does not exist counts as not asked for."""

    words: str = ""
    level: str = ""
    topic: str = ""

    @property
    def asked(self) -> bool:
        return bool(self.words or self.level or self.topic)

    @property
    def topics(self) -> tuple[tuple[str, str], ...]:
        """(value, name) of each topic, for a list to choose from."""
        return tuple((topic, ENGLISH.topics[topic]) for topic in TOPICS)

    @property
    def levels(self) -> tuple[str, ...]:
        return LEVELS


def read_search(words: str, level: str, topic: str) -> Search:
    return Search(" ".join(words[:LONGEST].split()), level if level in LEVELS else "", topic if topic in TOPICS else "")


def find(scenarios: Sequence[ScenarioView], search: Search) -> list[ScenarioView]:
    """Those that fit, in their order; with words, those with all of them in the title first, then in the summary, then
    in the lesson. Scripts are only looked through for words that nothing else has."""
    words = [word.strip("?!.,;:()") for word in search.words.casefold().split()]
    words = [word for word in words if word and word not in COMMON] or words
    found: list[tuple[int, ScenarioView]] = []
    for one in scenarios:
        if (search.level and one.level != search.level) or (search.topic and search.topic not in one.topics):
            continue
        texts = (one.title, one.summary, one.lesson, one.source)
        places = [next((at for at, text in enumerate(texts) if word in text.casefold()), None) for word in words]
        if None not in places:
            found.append((max((at for at in places if at is not None), default=0), one))
    told = [pair for pair in found if pair[0] < SOURCE]
    return [one for _, one in sorted(told or found, key=lambda pair: pair[0])]
