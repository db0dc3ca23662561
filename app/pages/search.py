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
    "a", "about", "against", "an", "and", "are", "between", "can", "difference", "do", "does", "explain", "for", "from",
    "get", "how", "i", "in", "is", "it", "learn", "me", "my", "of", "on", "or", "please", "show", "tell", "that", "the",
    "this", "to", "use", "versus", "vs", "what", "when", "where", "which", "who", "why", "with", "work", "works", "you",
))  # fmt: skip
"""Words of a question that say nothing of what it is about."""
SAME = {"0": "zero", "zeros": "zero", "grad": ".grad", "grads": ".grad"}
"""Words of a question, and what is written for them here."""
ENDINGS = ("ations", "ation", "ing", "ies", "ed", "es", "e", "s")
"""What words of six letters and more may lack elsewhere: who asks what explodes is told of exploding."""
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
    words = _words(search)
    found: list[tuple[int, ScenarioView]] = []
    for one in scenarios:
        if (search.level and one.level != search.level) or (search.topic and search.topic not in one.topics):
            continue
        places = _places(words, one)
        if None not in places:
            found.append((max((at for at in places if at is not None), default=0), one))
    told = [pair for pair in found if pair[0] < SOURCE]
    return [one for _, one in sorted(told or found, key=lambda pair: pair[0])]


def find_nearest(scenarios: Sequence[ScenarioView], search: Search) -> list[ScenarioView]:
    """Those with the most of the words, at least half of them, in what is told of them: for a question that none fits
    as a whole."""
    words = _words(search)
    within = find(scenarios, Search("", search.level, search.topic))
    places = [[at for at in _places(words, one) if at is not None and at < SOURCE] for one in within]
    most = max(map(len, places), default=0)
    if len(words) < 2 or 2 * most < len(words):
        return []
    nearest = [(sum(at), one) for at, one in zip(places, within, strict=True) if len(at) == most]
    return [one for _, one in sorted(nearest, key=lambda pair: pair[0])]


def _words(search: Search) -> list[str]:
    words = [word.strip("?!.,;:()") for word in search.words.casefold().split()]
    words = [word for word in words if word and word not in COMMON] or words
    return [SAME.get(word) or _stem(word) for word in words]


def _stem(word: str) -> str:
    if len(word) < 6 or word.endswith("ss"):
        return word
    return next((word.removesuffix(end) for end in ENDINGS if word.endswith(end)), word)


def _places(words: Sequence[str], one: ScenarioView) -> list[int | None]:
    """Where each of the words stands first: 0 for the title, then the summary, the lesson, the script."""
    texts = [text.casefold() for text in (one.title, one.summary, one.lesson, one.source)]
    return [next((at for at, text in enumerate(texts) if word in text), None) for word in words]
