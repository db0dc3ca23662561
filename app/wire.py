"""What the server and its workers say to each other: typed messages, MessagePack, each behind its length.

Never pickles: a worker executes other people's scripts, so nothing that it says is trusted beyond these types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from app.views import CheckView, PhaseView, State, WarningView, Worked
from engine.run import Breakpoint, Command

LENGTH = 4
"""Bytes of the big-endian length before each message."""
LARGEST = 256 * 1024 * 1024
"""A message above this many bytes is not read: its sender is broken."""
PIPE = 1 << 20
"""Bytes that are on their way at once: a page of hundreds of boxes."""


class Recorded(msgspec.Struct, frozen=True):
    """An accepted command as it is stored: the moment that it reached, the digest of the state there, and the stamp
    that the run had from then on."""

    command: Command
    reached: int
    digest: str
    stamp: str


class Limited(msgspec.Struct, frozen=True):
    """The budgets of a script that settings can change; the others are the engine's own."""

    time: float
    memory: int
    source_bytes: int


# ------------------------------------------------------------------ server -> worker
#
# `number` pairs a request with its answers. `stamp` names the state of the run that the request is about: a worker
# that holds another one answers Missing, and gets the run by Load.


class Load(msgspec.Struct, tag=True, frozen=True):
    """Hold this run from now on: build it by replay, unless it is held already. `new`: it is only being made, so that a
    beginning that is cut short is its beginning. `lenient`: the commands are those of another script's run, to be given
    as far as they fit."""

    number: int
    run: str
    stamp: str
    source: str
    seed: int | None
    limits: Limited
    commands: tuple[Recorded, ...] = ()
    new: bool = False
    lenient: bool = False


class Execute(msgspec.Struct, tag=True, frozen=True):
    """Execute a command; the run's stamp is `becomes` afterwards. `bare`: nobody will read the last moment, so that the
    answer has none."""

    number: int
    run: str
    stamp: str
    becomes: str
    command: Command
    breakpoints: tuple[Breakpoint, ...] = ()
    bare: bool = False


class Fork(msgspec.Struct, tag=True, frozen=True):
    """Hold a copy of the run as it was at `moment` under a second name."""

    number: int
    run: str
    stamp: str
    moment: int
    copy: str
    becomes: str


What = Literal[
    "facts", "outline", "series", "moment", "moments", "trace", "page", "svg", "json", "dot", "tensor", "npy",
    "transcript", "export"
]  # fmt: skip


class Look(msgspec.Struct, tag=True, frozen=True):
    """Describe a run without changing it. "moments" and "trace" answer from `moment` to `last` as far as one answer
    may hold."""

    number: int
    run: str
    stamp: str
    what: What
    moment: int = 0
    last: int = 0
    event: int | None = None
    name: str = ""  # of a tensor; for a page what its viewer has chosen to see; of a picture "light" or "dark"
    short: bool = False  # whether a trace is told short (see app.short)


class Retell(msgspec.Struct, tag=True, frozen=True):
    """Compute the moments `first`..`last` of a run again, and send them in pieces of the trace while that goes on."""

    number: int
    run: str
    source: str
    seed: int | None
    limits: Limited
    commands: tuple[Recorded, ...]
    first: int
    last: int
    short: bool = False


Probing = Literal["findings", "why", "nudge", "boundary", "surface", "losses"]


class Probe(msgspec.Struct, tag=True, frozen=True):
    """Answer a question about a run by trying something on a copy of it; `given` is JSON (app/worker/probing.py)."""

    number: int
    run: str
    stamp: str
    what: Probing
    moment: int
    given: bytes
    limits: Limited


class Diagnose(msgspec.Struct, tag=True, frozen=True):
    """Look for faults in a script, of which no run is held."""

    number: int
    run: str
    source: str
    seed: int | None
    iterations: int
    costs: bool
    limits: Limited


class Check(msgspec.Struct, tag=True, frozen=True):
    """Execute a scripted scenario; `scenario` is its JSON."""

    number: int
    run: str
    source: str
    scenario: bytes
    limits: Limited


class Teach(msgspec.Struct, tag=True, frozen=True):
    """Work out the cards of a lesson; `cards` are the texts of its markdown cells."""

    number: int
    run: str
    source: str
    cards: tuple[str, ...]
    limits: Limited


class Forget(msgspec.Struct, tag=True, frozen=True):
    """Drop a run. Has no answer."""

    number: int
    run: str


class Stop(msgspec.Struct, tag=True, frozen=True):
    """Stop the request `number` as soon as its script is between two statements. Has no answer of its own."""

    number: int


Request = Load | Execute | Fork | Look | Retell | Probe | Diagnose | Check | Teach | Forget | Stop

# ------------------------------------------------------------------ worker -> server


class Facts(msgspec.Struct, frozen=True):
    """What RunView needs to know from the run itself. `differs`: the replay did not reach the stored digest."""

    state: State
    last: int
    seed: int | None
    phases: tuple[PhaseView, ...]
    usual_next: str | None
    losses: tuple[tuple[int, int, float], ...]
    warnings: tuple[WarningView, ...]
    differs: bool = False


class Loaded(msgspec.Struct, tag=True, frozen=True):
    """`given` is what a new run has to be stored with: nothing, unless its beginning was cut short or it repeats the
    commands of another."""

    number: int
    facts: Facts
    given: tuple[tuple[Command, int], ...] = ()
    digest: str = ""


class Executed(msgspec.Struct, tag=True, frozen=True):
    """`recorded` is the command as the run counts it among its commands, so as it has to be stored (None: it left no
    trace); it comes after all others, or in their place when the run was `reset`. `moment` is the last moment as
    JSON (b"" when asked for a bare answer). `seconds` of the processor's time were spent."""

    number: int
    reset: bool
    recorded: Command | None
    first: int
    last: int
    reached: int
    stopped: bool
    note: str
    digest: str
    facts: Facts
    moment: bytes
    seconds: float


class Forked(msgspec.Struct, tag=True, frozen=True):
    """`commands` of the copy, each with the moment it reached; the last one has the copy's digest."""

    number: int
    commands: tuple[tuple[Command, int], ...]
    digest: str
    facts: Facts


class Looked(msgspec.Struct, tag=True, frozen=True):
    """`following` is the moment to ask for next, if the answer was cut. `gone`: a trace was cut there because moments
    are not kept any more, from there up to before `gone`: they have to be told again."""

    number: int
    body: bytes
    following: int | None = None
    gone: int | None = None


class Piece(msgspec.Struct, tag=True, frozen=True):
    """A part of what was asked for, before its answer."""

    number: int
    body: bytes


class Checked(msgspec.Struct, tag=True, frozen=True):
    number: int
    check: CheckView


class Taught(msgspec.Struct, tag=True, frozen=True):
    """Every card of a lesson, worked out."""

    number: int
    worked: tuple[Worked, ...]


class Missing(msgspec.Struct, tag=True, frozen=True):
    """The worker does not hold the run in that state."""

    number: int


class Refused(msgspec.Struct, tag=True, frozen=True):
    """`kind` is the name of an error in app/errors.py."""

    number: int
    kind: Literal["NotFound", "BadSource", "BadCommand", "TooLarge", "TooMany", "Broken"]
    message: str
    suggestion: str = ""
    line: int = 1
    column: int | None = None
    error: str = "SyntaxError"
    text: str = ""


class Told(msgspec.Struct, tag=True, frozen=True):
    """A command's progress, now and then, before its answer."""

    number: int
    done: int
    asked: int


class Ready(msgspec.Struct, tag=True, frozen=True):
    """The worker's first message: it has everything imported."""

    number: int = 0


Answer = Loaded | Executed | Forked | Looked | Checked | Taught | Missing | Refused | Told | Piece | Ready


def read_command(values: object) -> Command:
    """A command from what msgspec made of it. Raises msgspec.ValidationError."""
    return msgspec.convert(values, Command)


_encoder = msgspec.msgpack.Encoder()
_requests: msgspec.msgpack.Decoder[Request] = msgspec.msgpack.Decoder(Request)
_answers: msgspec.msgpack.Decoder[Answer] = msgspec.msgpack.Decoder(Answer)


def pack(message: Request | Answer) -> bytes:
    """A message with its length in front."""
    body = _encoder.encode(message)
    return len(body).to_bytes(LENGTH, "big") + body


def unpack_request(body: bytes) -> Request:
    """Raises msgspec.DecodeError (a ValueError) when the bytes are no request."""
    return _requests.decode(body)


def unpack_answer(body: bytes) -> Answer:
    """Raises msgspec.DecodeError (a ValueError) when the bytes are no answer."""
    return _answers.decode(body)


def kept_breakpoints(breakpoints: Sequence[Breakpoint]) -> list[Any]:
    """As they are stored: lines; those that do not always stop, with when they do."""
    return [each.line if each.is_plain else [each.line, each.when, each.hits] for each in breakpoints]


def breakpoints_of(kept: Sequence[Any]) -> tuple[Breakpoint, ...]:
    """What `kept_breakpoints` gave."""
    return tuple(Breakpoint(*each) if isinstance(each, list) else Breakpoint(each) for each in kept)
