"""What the use cases in app/runs/ answer: small frozen records of plain values.

They carry no web types, and of the engine's only breakpoints, so that pages, REST and the command line can all use
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from engine.run import Breakpoint

Role = Literal["drive", "view", "shared"]
State = Literal["ready", "running", "finished", "failed"]


@dataclass(frozen=True, slots=True)
class PhaseView:
    """One phase button. `lines` are inclusive spans; `text` is the phase's own code in one line."""

    id: str
    do: Literal["zero_grad", "forward", "backward", "step"]
    lines: tuple[tuple[int, int], ...]
    text: str
    enabled: bool = True
    usual_next: bool = False


@dataclass(frozen=True, slots=True)
class WarningView:
    """A name outside the supported subset. Lines and columns count from 1."""

    line: int
    column: int | None
    end_column: int | None
    name: str
    message: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as seen through one id.

    `id` is the id that was asked for. `role` says what it may do: "drive" commands and looks, "view" looks,
    "shared" is the recording behind a scenario ("scenario:SLUG": looks). `drive_id` is None unless it was given.
    `etag` changes with every command. `last` is the number of the last moment. `losses` holds
    (moment, iteration, loss). `parent` is the view id of the run that this one was forked from, if any.
    `created` is in seconds since 1970, UTC. `differs`: rebuilding the run did not give the state that was stored (an
    engine of another version): to be said wherever its numbers are shown. `expires`: when it will be forgotten unless
    somebody uses it (None: never; `pinned` runs never are)."""

    id: str
    role: Role
    drive_id: str | None
    view_id: str | None
    scenario: str | None
    source: str
    seed: int | None
    state: State
    etag: str
    last: int
    phases: tuple[PhaseView, ...]
    usual_next: str | None
    losses: tuple[tuple[int, int, float], ...]
    warnings: tuple[WarningView, ...]
    breakpoints: tuple[Breakpoint, ...] = ()
    parent: str | None = None
    created: float = 0.0
    differs: bool = False
    pinned: bool = False
    expires: float | None = None

    @property
    def busy(self) -> bool:
        """A command is being executed now."""
        return self.state == "running"

    @property
    def number_of_moments(self) -> int:
        return self.last + 1


@dataclass(frozen=True, slots=True)
class ProgressView:
    """How far a long command is: `done` of `asked` iterations (or statements)."""

    done: int
    asked: int


@dataclass(frozen=True, slots=True)
class CommandView:
    """What a command did.

    `run` is the drive id of the run that it changed: a new one when the command forked (`forked`). Moments
    `first`..`last` were made (first > last: none). `stopped`: cut short by a person or a limit; `note` says so in
    words. `running`: it takes long and goes on; then `first`..`last` are what was there before, `progress` says how
    far it is, and Runs.follow tells the rest. `moment` is the last moment as JSON (b"" while running, and when nobody
    wanted it)."""

    run: str
    forked: bool
    first: int
    last: int
    state: State
    etag: str
    stopped: bool = False
    note: str = ""
    running: bool = False
    progress: ProgressView | None = None
    moment: bytes = b""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that a follower of a run is told: "progress" (done, asked), "moment" (`last` is the newest now),
    "refused" (a command that had been going on came to nothing; `note` says why), "gone" (the run was deleted). `id`
    is the run's etag at that time."""

    kind: Literal["progress", "moment", "refused", "gone"]
    id: str
    last: int
    state: State
    progress: ProgressView | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class CardView:
    """A card of a lesson. `text` is Markdown; `commands` are its presses, as commands of the contract; `look` names
    what on the page it is about; `question` is "" when nothing is asked, `choices` empty when a number is typed."""

    number: int
    title: str
    text: str
    commands: tuple[dict[str, Any], ...] = ()
    look: tuple[str, ...] = ()
    question: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GradeView:
    """What a learner is told of a prediction. `answer` and `because` are "" until they are to be shown; `slip` counts
    the card's likely mistakes from 0 (None: another one, or none)."""

    right: bool
    feedback: str
    answer: str = ""
    because: str = ""
    slip: int | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """A card, worked out: the last moment before its presses and after them; for a prediction the answer's text and
    the slips' texts, in the order of the card's slips."""

    before: int
    after: int
    answer: str = ""
    slips: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassCard:
    """How the predictions of a card went: `right` of them, and each mistake's feedback with how often it was made."""

    number: int
    title: str
    right: int
    mistakes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ClassView:
    """What a presenter sees of those who follow: how many there are now, and how their predictions went."""

    followers: int
    cards: tuple[ClassCard, ...]


@dataclass(frozen=True, slots=True)
class ParityView:
    """How what a scenario prints here compared with what PyTorch prints (`result` as in app/parity.py): with which
    versions of PyTorch, NumPy and Gradient Flow, on which day."""

    result: str
    torch: str
    numpy: str
    version: str
    date: str


@dataclass(frozen=True, slots=True)
class ScenarioView:
    """A script that ships with the app. `lesson` is Markdown; `minutes` how long the lesson takes; `topics` what it is
    about (app/library.py); `cards` are what the lesson says, card by card; `parity` says how what it prints compared
    with PyTorch ("identical", "within 1e-6", "same"), the version of PyTorch, and the day (None: nobody has looked)."""

    slug: str
    title: str
    summary: str
    level: str
    minutes: int
    lesson: str
    source: str
    cards: tuple[CardView, ...] = ()
    parity: ParityView | None = None
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectationView:
    """One expectation of a scripted scenario: what it says in words, and whether it held."""

    after: int
    what: str
    passed: bool
    got: Any  # numbers and nested lists for a tensor (None for a .grad that is None), else a text
    wanted: Any


@dataclass(frozen=True, slots=True)
class CheckView:
    """A scripted scenario's results, in the order of its expectations. `error`: it could not be executed to its end
    (a command that was refused)."""

    passed: bool
    results: tuple[ExpectationView, ...]
    error: str = ""
