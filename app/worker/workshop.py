"""What a worker does with a request: builds runs, gives them commands, describes them. No pipes here."""

from __future__ import annotations

import dataclasses
import gc
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import msgspec

from app import check, encode, pictures, wire
from app.errors import BadCommand
from app.export.formats import on_server
from app.short import writer_of
from app.teaching.grading import work_out
from app.teaching.lessons import LessonError, read_cards
from app.views import PhaseView, WarningView
from app.worker import probing
from engine.errors import CommandError, SourceError, StopRun
from engine.run import Command, Progress, Run, ShouldStop
from engine.run.repeating import repeat
from engine.script.limits import Limits
from engine.script.limits.memory import exceeds, give_back
from engine.script.values.attributes import forget_scripts
from engine.tracing.moments import Moment

ANSWER_BYTES = 4 * 1024 * 1024
PIECE_BYTES = 256 * 1024
ANSWER_SECONDS = 0.5
"""A list of moments is cut after this many bytes, or when old ones take that long to compute again; the rest is asked
for in the next request."""


@dataclasses.dataclass(slots=True)
class Held:
    """A run in memory, and the stamp of the state that it is in."""

    run: Run
    stamp: str
    differs: bool = False
    used: float = dataclasses.field(default_factory=time.monotonic)


Send = Callable[[wire.Answer], None]


class NoSuchThing(Exception):
    """A moment, an event or a tensor that does not exist."""


class Workshop:
    """Runs by id, the least recently used first: at most `runs`, none that nobody has used for `idle` seconds, and
    fewer when the process holds more than `resident` bytes. All can be built again from the store."""

    def __init__(self, runs: int = 64, resident: int = 1 << 30, idle: float = 900.0) -> None:
        self.runs = runs
        self.resident = resident
        self.idle = idle
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._page = pictures.import_page()

    def answer(
        self, request: wire.Request, should_stop: ShouldStop, progress: Progress, send: Send
    ) -> wire.Answer | None:
        """Do what is asked; `send` takes what is told before the answer. Exceptions other than those of the script are
        bugs."""
        number = request.number
        try:
            match request:
                case wire.Load():
                    return self._load(request, should_stop)
                case wire.Execute():
                    return self._execute(request, should_stop, progress)
                case wire.Look():
                    return self._look(request, should_stop)
                case wire.Fork():
                    return self._fork(request, should_stop)
                case wire.Retell():
                    return _retell(request, should_stop, send)
                case wire.Probe():
                    return self._probe(request, should_stop)
                case wire.Diagnose():
                    body = probing.diagnosis(request, read_limits(request.limits), should_stop)
                    return wire.Looked(number, body)
                case wire.Check():
                    return self._check(request, should_stop)
                case wire.Teach():
                    return self._teach(request, should_stop)
                case wire.Forget():
                    self.forget(request.run)
            return None
        except SourceError as error:
            return wire.Refused(
                number, "BadSource", error.message, error.suggestion, error.line, error.column, error.kind, error.text
            )
        except CommandError as error:
            return wire.Refused(number, "BadCommand", error.message, error.suggestion)
        except BadCommand as error:
            return wire.Refused(number, "BadCommand", error.message, error.suggestion)
        except NoSuchThing as error:
            return wire.Refused(number, "NotFound", str(error))
        except StopRun:
            if isinstance(request, wire.Load):
                told = "building the run anew was stopped, or took longer than the server allows", "ask once more"
            else:
                told = "the script took longer than the server allows", "ask for less at once"
            return wire.Refused(number, "TooMany", *told)

    def forget(self, run: str) -> None:
        self._held.pop(run, None)

    # ------------------------------------------------------------------ holding

    def _find(self, run: str, stamp: str) -> Held | None:
        held = self._held.get(run)
        if held is None or held.stamp != stamp:
            return None
        self._held.move_to_end(run)
        held.used = time.monotonic()
        return held

    def evict(self) -> None:
        """Forget the runs that nobody uses, and give their memory back to the system."""
        before = len(self._held)
        while self._held and time.monotonic() - next(iter(self._held.values())).used > self.idle:
            self._held.popitem(last=False)
        if len(self._held) < before:
            forget_scripts()
            gc.collect()
            give_back()

    def _hold(self, name: str, held: Held) -> None:
        self._held[name] = held
        self._held.move_to_end(name)
        held.used = time.monotonic()
        self.evict()
        while len(self._held) > 1 and (len(self._held) > self.runs or exceeds(self.resident, 0)):
            self._held.popitem(last=False)

    def _load(self, request: wire.Load, should_stop: ShouldStop) -> wire.Answer:
        held = self._find(request.run, request.stamp) or self._caught_up(request, should_stop)
        if held is None:
            limits = read_limits(request.limits)
            given = [(recorded.command, recorded.reached) for recorded in request.commands]
            if request.lenient:
                run = repeat(request.source, request.seed, given, limits, should_stop)
                held = Held(run, request.stamp)
            elif given:
                run = replay(request.source, request.seed, given, limits, should_stop)
                held = Held(run, request.stamp, differs=run.digest() != request.commands[-1].digest)
            else:
                run = Run(request.source, seed=request.seed, limits=limits)
                if run.begin(should_stop).stopped and not request.new:
                    raise StopRun  # less than what the run has been
                held = Held(run, request.stamp)
        self._hold(request.run, held)
        return wire.Loaded(request.number, facts(held), tuple(held.run.commands), held.run.digest())

    def _caught_up(self, request: wire.Load, should_stop: ShouldStop) -> Held | None:
        """The run as it was here, given what it has been given elsewhere since. None when it has to be built anew: it
        was not here, or it went another way."""
        held = self._held.pop(request.run, None)
        if held is None or request.lenient:
            return None
        known, run = len(held.run.commands), held.run
        missing = request.commands[known:]
        if not missing or missing[0].command.do == "begin":
            return None
        if known and request.commands[known - 1].stamp != held.stamp:
            return None
        run.breakpoints, run.conditions = set(), {}
        try:
            for recorded in missing:
                run.execute(recorded.command, should_stop)
        except CommandError:
            return None
        if (run.last, run.digest()) != (missing[-1].reached, missing[-1].digest):
            return None
        held.stamp = request.stamp
        return held

    # ------------------------------------------------------------------ doing

    def _execute(self, request: wire.Execute, should_stop: ShouldStop, progress: Progress) -> wire.Answer:
        held = self._find(request.run, request.stamp)
        if held is None:
            return wire.Missing(request.number)
        run = held.run
        given = 0 if request.command.do == "reset" else len(run.commands)
        run.breakpoints = {each.line for each in request.breakpoints}
        run.conditions = {each.line: each for each in request.breakpoints if not each.is_plain}
        began = time.thread_time()
        outcome = run.execute(request.command, should_stop, progress)
        # A reset leaves no command behind, or the beginning that was cut short.
        recorded = run.commands[-1][0] if len(run.commands) > given else None
        if recorded is not None or request.command.do == "reset":
            held.stamp = request.becomes
        self._hold(request.run, held)  # it may have grown: others make room
        return wire.Executed(
            request.number,
            request.command.do == "reset",
            recorded,
            outcome.first,
            outcome.last,
            run.last,
            outcome.stopped,
            outcome.note,
            run.digest(),
            facts(held),
            b"" if request.bare else encode.moment_json(run.moment(run.last)),
            time.thread_time() - began,
        )

    def _fork(self, request: wire.Fork, should_stop: ShouldStop) -> wire.Answer:
        held = self._find(request.run, request.stamp)
        if held is None:
            return wire.Missing(request.number)
        if not 0 <= request.moment <= held.run.last:  # said in a body, not in an address
            raise BadCommand(f"there is no moment {request.moment}; the last is {held.run.last}")
        held.run.give_up = should_stop
        copy = Held(held.run.fork(request.moment), request.becomes)
        self._hold(request.copy, copy)
        return wire.Forked(request.number, tuple(copy.run.commands), copy.run.digest(), facts(copy))

    def _probe(self, request: wire.Probe, should_stop: ShouldStop) -> wire.Answer:
        held = self._find(request.run, request.stamp)
        if held is None:
            return wire.Missing(request.number)
        if not 0 <= request.moment <= held.run.last:
            raise NoSuchThing(f"there is no moment {request.moment}; the last is {held.run.last}")
        held.run.give_up = should_stop
        try:
            body = probing.answer(held.run, request, read_limits(request.limits), should_stop)
        except KeyError as error:
            raise NoSuchThing(str(error.args[0])) from None
        except IndexError as error:
            if request.what == "why":  # an address: what it names is not there
                raise NoSuchThing(str(error)) from None
            raise BadCommand(str(error)) from None
        except ValueError as error:
            raise BadCommand(str(error)) from None
        return wire.Looked(request.number, body)

    def _check(self, request: wire.Check, should_stop: ShouldStop) -> wire.Answer:
        scenario: dict[str, Any] = msgspec.json.decode(request.scenario)
        commands = check.read_commands(scenario.get("commands", []))
        expectations = check.read_expectations(scenario.get("expect", []), len(commands))
        run = Run(request.source, seed=scenario.get("seed"), limits=read_limits(request.limits))
        if run.begin(should_stop).stopped:
            raise StopRun  # commands would only go on with the beginning
        return wire.Checked(request.number, check.check(run, commands, expectations, should_stop))

    def _teach(self, request: wire.Teach, should_stop: ShouldStop) -> wire.Answer:
        limits = read_limits(request.limits)
        try:
            cards = read_cards(request.cards)
            return wire.Taught(request.number, work_out(lambda: Run(request.source, limits=limits), cards, should_stop))
        except LessonError as error:
            raise BadCommand(str(error)) from error

    # ------------------------------------------------------------------ looking

    def _look(self, request: wire.Look, should_stop: ShouldStop) -> wire.Answer:
        held = self._find(request.run, request.stamp)
        if held is None:
            return wire.Missing(request.number)
        run = held.run
        run.give_up = should_stop
        match request.what:
            case "facts":
                return wire.Loaded(request.number, facts(held))
            case "transcript":
                return wire.Looked(request.number, run.transcript().encode())
            case "outline":
                return wire.Looked(request.number, msgspec.msgpack.encode(list(run.summaries())))
            case "series":
                return wire.Looked(request.number, encode.encode(pictures.series(run)))
            case "moments":
                return _several(run, request)
            case "trace":
                return _trace(run, request)
        if not 0 <= request.moment <= run.last:
            raise NoSuchThing(f"there is no moment {request.moment}; the last is {run.last}")
        if request.what == "page":
            if self._page is None:
                raise NoSuchThing("this server draws no pages")
            page = self._page(run, request.moment, request.event, request.name)
            return wire.Looked(request.number, msgspec.msgpack.encode(page))
        moment = run.moment(request.moment)
        match request.what:
            case "moment":
                body = encode.moment_json(moment)
            case "json":
                body = encode.encode(encode.graph_dict(moment.graph))
            case "dot":
                body = pictures.dot(moment.graph).encode()
            case "export":
                body = on_server(run, request.name, request.moment, should_stop)
            case "svg":
                body = pictures.svg(run, request.moment, dark=request.name == "dark").encode()
            case _:
                body = _tensor(moment, request.name, request.what)
        return wire.Looked(request.number, body)


def _several(run: Run, request: wire.Look) -> wire.Answer:
    """Moments as a JSON list. Old ones are computed again, by one replay for all that the answer holds."""
    pieces = _Pieces()
    run.retell(request.moment, request.last, pieces.take)
    following = request.moment + len(pieces.bodies)
    body = b"[" + b",".join(pieces.bodies) + b"]"
    return wire.Looked(request.number, body, following if following <= min(request.last, run.last) else None)


def _trace(run: Run, request: wire.Look) -> wire.Answer:
    """Moments a line, as far as they are kept."""
    pieces = _Pieces(writer_of(request.short))
    number, last = request.moment, min(request.last, run.last)
    while number <= last and run.kept(number) and pieces.take(run.moment(number)):
        number += 1
    number = request.moment + len(pieces.bodies)
    body = b"".join(piece + b"\n" for piece in pieces.bodies)
    if number > last:
        return wire.Looked(request.number, body)
    if run.kept(number):
        return wire.Looked(request.number, body, number)
    gone = next((later for later in range(number, last) if run.kept(later)), last + 1)
    return wire.Looked(request.number, body, number, gone)


class _Pieces:
    """Moments as JSON, until they are enough for one answer."""

    def __init__(self, write: Callable[[Moment], bytes] = encode.moment_json) -> None:
        self.write = write
        self.bodies: list[bytes] = []
        self.size = 0
        self.enough = time.monotonic() + ANSWER_SECONDS

    def take(self, moment: Moment) -> bool:
        self.bodies.append(self.write(moment))
        self.size += len(self.bodies[-1])
        return self.size < ANSWER_BYTES and time.monotonic() < self.enough


def _retell(request: wire.Retell, should_stop: ShouldStop, send: Send) -> wire.Answer:
    """Send moments while they are computed, on a run that is forgotten afterwards."""
    lines: list[bytes] = []
    size = 0
    write = writer_of(request.short)

    def flush() -> None:
        nonlocal size
        send(wire.Piece(request.number, b"".join(lines)))
        lines.clear()
        size = 0

    def made(moment: Moment) -> None:
        nonlocal size
        if moment.number < request.first:
            return
        lines.append(write(moment) + b"\n")
        size += len(lines[-1])
        if size >= PIECE_BYTES:
            flush()

    given = [(recorded.command, recorded.reached) for recorded in request.commands]
    limits = read_limits(request.limits)
    replay(request.source, request.seed, given, limits, should_stop, made, request.first, request.last)
    flush()
    return wire.Looked(request.number, b"")


def replay(
    source: str,
    seed: int | None,
    given: list[tuple[Command, int]],
    limits: Limits,
    should_stop: ShouldStop,
    made: Callable[[Moment], None] = lambda _: None,
    draws_from: int | None = None,
    until: int | None = None,
) -> Run:
    """Run.replay, which ends with StopRun when somebody asks."""

    def patience() -> None:
        if should_stop():
            raise StopRun

    return Run.replay(source, seed, given, limits, until, draws_from, made, patience=patience)


def _tensor(moment: Moment, name: str, form: str) -> bytes:
    named = {tensor.name: tensor for tensor in moment.tensors}
    if name in named:
        tensor = named[name]
        return encode.tensor_json(tensor) if form == "json" or form == "tensor" else encode.tensor_npy(tensor.value)
    owner, _, attribute = name.rpartition(".")
    if form == "npy" and attribute == "grad" and owner in named:
        grad = named[owner].grad
        if grad is None:
            raise NoSuchThing(f"{name} is None at moment {moment.number}")
        return encode.tensor_npy(grad)
    raise NoSuchThing(f"there is no tensor {name!r} at moment {moment.number}; there are {', '.join(named) or 'none'}")


def facts(held: Held) -> wire.Facts:
    """What RunView says of the run itself."""
    run = held.run
    usual = run.usual_next
    return wire.Facts(
        state=run.state,
        last=run.last,
        seed=run.seed,
        phases=tuple(
            PhaseView(phase.id, phase.do, tuple(phase.lines), phase.text, usual_next=phase.id == usual)
            for phase in run.phases
        ),
        usual_next=usual,
        losses=tuple(run.losses()),
        warnings=tuple(
            WarningView(w.line, w.column, w.end_column, w.name, w.message, w.suggestion) for w in run.warnings
        ),
        differs=held.differs,
    )


def read_limits(limited: wire.Limited) -> Limits:
    """The engine's budgets, with those that the server's settings change."""
    return dataclasses.replace(Limits(), time=limited.time, memory=limited.memory, source_bytes=limited.source_bytes)
