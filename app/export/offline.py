"""A run as one HTML file that needs no server: the page itself, with every view that it can ask for packed into it.

The file holds the same page, style sheets and script as the server gives; static/src/offline.js answers the page's
requests from what is packed. What is not packed (a press that was not foreseen) is answered with a sentence.
"""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from app.assets import STYLES, content
from app.drawing.page import draw_page
from app.export.asking import Asked, asked
from app.export.packing import Packer, compress
from app.export.repeated import Pieces
from app.export.states import State, packed_states
from app.pages.cards import LessonCard, lesson_cards
from app.pages.place import Place
from app.pages.rendering import render
from app.teaching.grading import work_out
from app.teaching.lessons import Card, card_views, commands_up_to
from engine.errors import CommandError
from engine.run import Breakpoint, Command, Run

Watch = Callable[[], None]
"""Called before each view; raises whatever is to end the work."""

BASE = "x/0"
"""The address that every view is drawn for: the script puts the state's number in its place, and the moment's own
number in the place of a "~"."""
MOST_BYTES = 300_000
"""Views of events are left out, from the end on, where the file would grow above this size."""
MOST_MOMENTS = 300
"""Of a longer run those around the one that the page opens at."""
MOST_STATES = 6_000
DEPTH = 6
"""How many presses are foreseen, from the start of the training loop."""
SMALL = 12
"""Boxes in the graph up to which presses are foreseen."""
MEASURED = 100_000
"""Characters of new text after which it is seen how large the file has become: 8 to 20 kB of it."""
FORESEEN_BYTES = 100_000
"""What is left for them of MOST_BYTES."""
WITH_EVENTS = 3
"""Presses up to which one can also look inside of the foreseen statements."""


@dataclass(slots=True)
class View:
    """What the templates ask of a RunView."""

    role: str = "shared"
    parent: str | None = None
    breakpoints: tuple[Breakpoint, ...] = ()


class Recording:
    """Collects states and their views."""

    def __init__(self, title: str, lesson: tuple[LessonCard, ...] = (), watch: Watch | None = None) -> None:
        self.watch = watch
        self.place = Place("offline", BASE, "", title, "", "", lesson=lesson)
        self.predictions: dict[int, Asked] = {}
        self.packer = Packer()
        self.pieces = Pieces()
        self.states: list[State] = []

    def state(self, run: Run, parent: int | None) -> int:
        self.states.append(State(parent, run.last))
        return len(self.states) - 1

    def look(self, number: int, run: Run, moment: int, event: int | None = None, near: int | None = None) -> int:
        """Draw a view of a state and keep it; `near` is the number of a similar one. The views of a moment's events
        follow that of the whole moment, in their order."""
        if self.watch is not None:
            self.watch()
        page = draw_page(run, moment, event)
        text = render(
            "main.html",
            place=self.place,
            view=View(),
            page=page,
            revision="0",
            notice="",
            progress=None,
            answer_to=lambda shown: self.pieces.answer(page),
        )
        # Where a press is given is known from what the page shows (static/js/requests.js).
        view = self.packer.add(re.sub(rf"({BASE}(?:/moments/|\?m=)){moment}\b", r"\1~", text), near)
        self.states[number].looks.setdefault(moment, []).append(view)
        return view


def export(
    run: Run,
    title: str,
    *,
    start: int | None = None,
    depth: int | None = None,
    cards: tuple[Card, ...] = (),
    watch: Watch | None = None,
) -> str:
    """The file's text. `run` is the recorded run; the page opens at moment `start` (None: where its training loop
    begins, or the end when it has none). `depth` presses are foreseen (None: DEPTH for a small scenario, else
    none). The presses and predictions of `cards` work in the page too."""
    begin = _begin(run)
    opens = begin if start is None and begin is not None else run.last if start is None else start
    recording = Recording(title, lesson_cards(card_views(cards)), watch)
    recorded = recording.state(run, None)
    first = max(min(opens - MOST_MOMENTS // 3, run.last + 1 - MOST_MOMENTS), 0)
    moments = range(first, min(first + MOST_MOMENTS, run.last + 1))
    for moment in moments:
        recording.look(recorded, run, moment)
    presses = 0 if begin is None else _depth(run, depth)
    _look_inside_all(recording, run, moments, MOST_BYTES - _fixed() - (FORESEEN_BYTES if presses else 0))
    if begin is not None and presses:
        _foresee(recording, run, begin, presses)
    _teach(recording, run, cards)
    return _file(recording, opens)


def _begin(run: Run) -> int | None:
    """The moment at which the training loop is about to start."""
    if not run.phases:
        return None
    return next((s.number - 1 for s in run.summaries() if (s.iteration or 0) > 0 and s.number > 0), None)


def _depth(run: Run, asked: int | None) -> int:
    if asked is None:
        asked = DEPTH if len(run.moment(run.last).graph.nodes) <= SMALL else 0
    states, depth = 1, 0
    while depth < asked and states + len(run.phases) ** (depth + 1) <= MOST_STATES:
        depth += 1
        states += len(run.phases) ** depth
    return depth


def _foresee(recording: Recording, run: Run, begin: int, depth: int) -> None:
    """Every press of the phases, and every press after that."""
    root = recording.state(run, 0)
    start = run.fork(begin)
    recording.states[root].last = begin
    view = recording.look(root, start, begin)
    recording.states[0].presses[f"at {begin}"] = root
    _press_all(recording, start, root, view, depth, 0)


def _press_all(recording: Recording, run: Run, state: int, seen: int, depth: int, made: int) -> None:
    """`seen` is the view of the state. The run is at the state, and is taken for the last press from there."""
    last, now = run.last, run.moment(run.last)
    for phase in run.phases:
        after = run if phase is run.phases[-1] else run.fork(last)
        try:
            after.execute(Command(phase.do, phase=phase.id))
        except CommandError:
            continue
        child = recording.state(after, state)
        view = recording.look(child, after, after.last, near=seen)
        if made < WITH_EVENTS:
            _look_inside(recording, after, child, after.last, view)
        presses = recording.states[state].presses
        presses[phase.id] = child
        if len(phase.statements) == 1 and phase.lines[0][0] == now.next_line:
            presses["next"] = child  # the next statement is all that this phase is
        if made + 1 < depth:
            _press_all(recording, after, child, view, depth, made + 1)


def _teach(recording: Recording, run: Run, cards: tuple[Card, ...]) -> None:
    """The lesson: where the presses of each card lead, and what its prediction is told."""
    worked = work_out(lambda: Run(run.source, seed=run.seed, like=run), cards)
    for number, (card, shown, known) in enumerate(zip(cards, recording.place.lesson, worked, strict=True), start=1):
        if shown.commands and shown.commands not in recording.states[0].presses:
            after = Run(run.source, seed=run.seed, like=run)
            for command in commands_up_to(cards, number - 1):
                after.execute(command)
            state = recording.state(after, 0)
            view = recording.look(state, after, after.last)
            _look_inside(recording, after, state, after.last, view)
            recording.states[0].presses[shown.commands] = state
        if card.prediction is not None:
            recording.predictions[number] = asked(card.prediction, known)


def _look_inside(
    recording: Recording, run: Run, state: int, moment: int, seen: int, is_full: Callable[[], bool] = lambda: False
) -> None:
    """The views of a moment's events, until the file is full."""
    events = len(run.moment(moment).events)
    for event in range(events + 1) if events else ():
        if is_full():
            return
        seen = recording.look(state, run, moment, event, seen)


def _look_inside_all(recording: Recording, run: Run, moments: range, most: int) -> None:
    """The views of all events of the recorded run, as long as they take no more than about `most` bytes."""
    measured, full = 0, False

    def is_full() -> bool:
        nonlocal measured, full
        if not full and recording.packer.characters > measured + MEASURED:
            measured = recording.packer.characters
            full = len(_packed(recording)) * (1 + MEASURED / measured) > most  # with what comes until it is seen again
        return full

    for moment in moments:
        if is_full():
            return
        _look_inside(recording, run, 0, moment, recording.states[0].looks[moment][0], is_full)


def _packed(recording: Recording) -> str:
    return compress(
        {
            "views": recording.packer.packed(),
            "states": packed_states(recording.states),
            "predictions": recording.predictions,
        }
    )


def _fixed() -> int:
    """Bytes of the file beside the views, about."""
    return len(_styles()) + len(_script()) + 12_000


@lru_cache(maxsize=1)
def _styles() -> str:
    """Without comments and indentation, and without the fonts, which would be files of their own: the system's take
    their place."""
    return _gzipped(re.sub(rb"@font-face\s*{[^}]*}|/\*.*?\*/|(?<=\n)\s+", b"", content(STYLES), flags=re.DOTALL))


@lru_cache(maxsize=1)
def _script() -> str:
    return _gzipped(content("dist/offline.js"))


def _gzipped(text: bytes) -> str:
    return base64.b64encode(gzip.compress(text, 9, mtime=0)).decode()


def _file(recording: Recording, opens: int) -> str:
    return render(
        "offline.html",
        title=recording.place.title,
        opens=opens,
        styles=_styles(),
        script=_script(),
        data=_packed(recording),
    )
