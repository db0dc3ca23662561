"""Lesson cards: what the markdown cells of a scenario say, and which presses and predictions belong to them.

A card is one `# %% [markdown]` cell: a `## heading`, a text in Markdown, and lines that begin with one of these words
(a line that begins with two spaces goes on with the one before):

    do: zero_grad, forward, run 10     the presses of this card, after those of the cards before it
    do: statement w.grad.zero_()       a free statement takes the whole line
    look: w.grad, step                 what on the page the card is about: tensors, phases, `line 12`, panels
    predict: What is w.grad now?       asked before the presses are made
    answer: w.grad.item()              an expression: its value after the presses is the answer
    choices: None | 0 | -8             the answer is one of these texts (a number is typed otherwise)
    tolerance: 0.01                    how far a typed number may be off (default: one per cent, and at least 0.005)
    slip: -w.grad.item() -> The sign.  another expression: whoever types its value is told the sentence
    because: Why the answer is so.     shown with the answer

The answer and the slips are computed by executing the script: a lesson holds no number that could become wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from app.views import CardView
from engine.errors import CommandError
from engine.run import Command

WORDS = ("do", "look", "predict", "answer", "choices", "tolerance", "slip", "because")
PANELS = ("loss", "formula", "optimizer", "timeline", "output", "variables", "explanation")
"""What `look:` may name beside tensors, phases and lines (static/js/lesson.js has where they are)."""
COUNTED = {"run": "times", "next": "times", "into": "times", "skip": "times", "out": "times", "to_line": "line"}
LEAST_TOLERANCE = 0.005
RELATIVE_TOLERANCE = 0.01


class LessonError(ValueError):
    """A card that does not follow the format; the message says which card and what is wrong."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A likely mistake: the expression whose value it gives, and what to say to whoever makes it."""

    expression: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Prediction:
    """A question asked before the card's presses are made. `tolerance` is absolute; None stands for one per cent of the
    answer, and at least LEAST_TOLERANCE."""

    question: str
    answer: str
    choices: tuple[str, ...] = ()
    tolerance: float | None = None
    slips: tuple[Slip, ...] = ()
    because: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One card. `text` is Markdown; `commands` the presses; `look` names what on the page it is about."""

    title: str
    text: str
    commands: tuple[Command, ...] = ()
    look: tuple[str, ...] = ()
    prediction: Prediction | None = None

    @property
    def starts_over(self) -> bool:
        """The card's presses begin from the start of the run."""
        return bool(self.commands) and self.commands[0].do == "reset"


def read_cards(texts: tuple[str, ...] | list[str]) -> tuple[Card, ...]:
    """The cards of a lesson, from the texts of its markdown cells. Raises LessonError."""
    return tuple(_read_card(number, text) for number, text in enumerate(texts, start=1))


def commands_up_to(cards: tuple[Card, ...], number: int) -> tuple[Command, ...]:
    """All presses that lead to the end of card `number` (counted from 0), from the start of a run."""
    given: list[Command] = []
    for card in cards[: number + 1]:
        for command in card.commands:
            if command.do == "reset":
                given.clear()
            else:
                given.append(command)
    return tuple(given)


def card_views(cards: tuple[Card, ...]) -> tuple[CardView, ...]:
    """What may be shown of the cards: all but the answers."""
    return tuple(
        CardView(
            number,
            card.title,
            card.text,
            tuple(command.to_dict() for command in card.commands),
            card.look,
            card.prediction.question if card.prediction else "",
            card.prediction.choices if card.prediction else (),
        )
        for number, card in enumerate(cards, start=1)
    )


def _read_card(number: int, text: str) -> Card:
    prose: list[str] = []
    said: list[tuple[str, str]] = []
    for line in text.splitlines():
        word, colon, rest = line.partition(":")
        if colon and word in WORDS:
            said.append((word, rest.strip()))
        elif line.startswith("  ") and said:
            said[-1] = (said[-1][0], f"{said[-1][1]} {line.strip()}")
        else:
            prose.append(line)
            if line.strip() and said:
                raise LessonError(
                    f"card {number}: {line.strip()!r} comes after `{said[-1][0]}:`. The text comes first; a line that"
                    " goes on with the one before begins with two spaces."
                )
    body = "\n".join(prose).strip()
    title = re.match(r"## +(.+)\n?", body)
    if title is None:
        raise LessonError(f"card {number}: a card begins with a `## heading`.")
    commands: list[Command] = []
    for word, rest in said:
        if word == "do":
            commands.extend(_read_presses(number, rest))
    look = tuple(part.strip() for word, rest in said if word == "look" for part in rest.split(",") if part.strip())
    return Card(title[1].strip(), body[title.end() :].strip(), tuple(commands), look, _read_prediction(number, said))


def _read_presses(number: int, text: str) -> list[Command]:
    presses = [text] if text.startswith("statement ") else [part.strip() for part in text.split(",")]
    return [_read_press(number, press) for press in presses if press]


def _read_press(number: int, press: str) -> Command:
    word, _, rest = press.partition(" ")
    rest = rest.strip()
    values: dict[str, Any] = {"do": word}
    if word == "statement":
        values["statement"] = rest
    elif rest and word in COUNTED and rest.isdigit():
        values[COUNTED[word]] = int(rest)
    elif rest:
        values["phase"] = rest
    try:
        return Command.from_dict(values)
    except CommandError as error:
        raise LessonError(f"card {number}: `do: {press}`: {error}") from error


def _read_prediction(number: int, said: list[tuple[str, str]]) -> Prediction | None:
    once: dict[str, str] = {}
    for word, rest in said:
        if word in ("predict", "answer", "choices", "tolerance", "because"):
            if word in once:
                raise LessonError(f"card {number}: there are two `{word}:` lines.")
            once[word] = rest
    slips = [_read_slip(number, rest) for word, rest in said if word == "slip"]
    if "predict" not in once:
        left = [word for word in ("answer", "choices", "tolerance", "because") if word in once] + ["slip"] * len(slips)
        if left:
            raise LessonError(f"card {number}: `{left[0]}:` belongs to a `predict:` line, and there is none.")
        return None
    if "answer" not in once:
        raise LessonError(f"card {number}: `predict:` needs an `answer:`, an expression whose value is the answer.")
    tolerance = None
    if "tolerance" in once:
        try:
            tolerance = float(once["tolerance"])
        except ValueError:
            raise LessonError(f"card {number}: tolerance must be a number, not {once['tolerance']!r}.") from None
    choices = tuple(part.strip() for part in once.get("choices", "").split("|") if part.strip())
    if "choices" in once and len(choices) < 2:
        raise LessonError(f"card {number}: choices need two texts or more, with | between.")
    return Prediction(once["predict"], once["answer"], choices, tolerance, tuple(slips), once.get("because", ""))


def _read_slip(number: int, text: str) -> Slip:
    expression, arrow, sentence = text.partition(" -> ")
    if not arrow or not sentence.strip():
        raise LessonError(f"card {number}: a slip is `expression -> sentence`, not {text!r}.")
    return Slip(expression.strip(), sentence.strip())
