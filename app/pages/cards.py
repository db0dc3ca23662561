"""A lesson's cards, for the template."""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.views import CardView


@dataclass(frozen=True)
class LessonCard:
    """A card for the template. `commands` is JSON: all presses from the start of the run to the end of the card."""

    card: CardView
    commands: str


def lesson_cards(cards: tuple[CardView, ...]) -> tuple[LessonCard, ...]:
    """The cards of a lesson, each with the presses that lead to its end."""
    given: list[dict[str, object]] = []
    found = []
    for card in cards:
        for command in card.commands:
            if command["do"] == "reset":
                given.clear()
            else:
                given.append(dict(command))
        found.append(LessonCard(card, json.dumps([{"do": "reset"}, *given]) if card.commands else ""))
    return tuple(found)
