"""A moment of a run as a page: plain frozen records of texts, numbers for coordinates, and nothing else.

`draw_page` is pure and runs where the run lives; what it gives can be sent as MessagePack and printed by a template
as it stands. Every number on the page is formatted here, from the trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from app.drawing import cells, labels, numbers
from app.drawing.by_hand import draw_update, is_update
from app.drawing.chart import Chart, SeriesLike, draw_charts, loss_text, state_of
from app.drawing.following import Followed, follow
from app.drawing.formula import Formula, draw_formula
from app.drawing.listing import PhaseLike, Place, ScriptLine, WarningLike, draw_script
from app.drawing.markup import Picture, draw_picture
from app.drawing.plots import PlotBox, draw_plots
from app.drawing.rewind import Seen, see
from app.drawing.scene import draw_scene, element_id
from app.drawing.telling import tell_event
from app.drawing.timeline import Timeline, draw_timeline
from app.drawing.variables import TensorRow, VariableRow, list_tensors, list_variables
from app.drawing.view import pin_text, read_view
from engine.script.plots import Plot
from engine.tracing.moments import Failure, Moment, OptimizerState, Summary

KEYS = {"zero_grad": "Z", "forward": "F", "backward": "B", "step": "S"}
PLACES = 9
"""Buttons that a digit presses."""
HIDDEN_SETTINGS = frozenset({"params", "foreach", "fused", "capturable", "differentiable"})


class OfLosses(SeriesLike, Protocol):
    """The series of one run."""

    @property
    def blind(self) -> bool: ...


class Drawable(Protocol):
    """What is needed of engine.run.Run."""

    source: str

    @property
    def seed(self) -> int | None: ...
    @property
    def phases(self) -> Sequence[PhaseLike]: ...
    @property
    def warnings(self) -> Sequence[WarningLike]: ...
    @property
    def state(self) -> str: ...
    @property
    def last(self) -> int: ...
    def moment(self, number: int) -> Moment: ...
    def summaries(self) -> Sequence[Summary]: ...
    def series(self) -> OfLosses: ...
    def output(self, number: int) -> list[tuple[bool, str]]: ...
    def plots(self, number: int) -> Sequence[tuple[int, Plot]]: ...


@dataclass(frozen=True)
class StateRow:
    """One entry of an optimizer's state for a parameter."""

    name: str
    figure: cells.Figure


@dataclass(frozen=True)
class ParameterRow:
    """One parameter: value, `.grad`, where step() would move it, and the optimizer's state. `node` is the element
    of its node in the picture ("": it has none); `held` is False when no optimizer holds it. A name that is too long
    for one line is told on two: `module` ("generator.", "" for a short name), `label` ("weight")."""

    id: str
    node: str
    name: str
    module: str
    label: str
    value: cells.Figure
    grad: cells.Figure
    after: cells.Figure | None
    moves: bool
    state: tuple[StateRow, ...]
    held: bool
    current: bool


@dataclass(frozen=True)
class OptimizerLine:
    """An optimizer in one line: `opt`, `SGD`, `lr 0.05 · momentum 0.9`."""

    name: str
    type: str
    settings: str


@dataclass(frozen=True)
class PhaseButton:
    """A phase as a button: its own code, its key (the letter of its kind; its place among the buttons when another of
    the kind has that), and whether it is the usual next press."""

    id: str
    do: str
    code: str
    key: str
    usual: bool


@dataclass(frozen=True)
class OfferButton:
    """A way on: a label and the commands it stands for, as JSON."""

    label: str
    commands: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Sentence:
    """What happened. `lead` is the call in front, `rest` the words after it; `do` colours the lead; `culprit` is the
    moment to look at."""

    lead: str
    rest: str
    do: str
    failed: bool
    offers: tuple[OfferButton, ...]
    culprit: int | None = None


@dataclass(frozen=True)
class ErrorBox:
    """Python's or PyTorch's own message for a failed statement, with what usually helps. `line` is 0 where a statement
    failed that a person typed. `excerpt` is the line, and below it what of it failed, underlined."""

    type: str
    message: str
    line: int
    suggestion: str
    excerpt: str


@dataclass(frozen=True)
class FindingRow:
    """Something the diagnosis noticed, of which kind, and the moment that proves it; `fresh` when it is this one.
    `line` is the one to look at (0: none)."""

    kind: str
    text: str
    moment: int
    fresh: bool
    line: int


@dataclass(frozen=True)
class Page:
    """Everything that the debugger shows at a cursor. `event` is None when the whole statement is seen, else how many
    of its `events` are done. `beat` alternates between moments, so that an animation starts anew. `no_loss`: nothing in
    the script is known to be a loss; `by_hand`: it works its gradients out itself. `grown` is another text whenever the
    charts' rows, of which there are `rows`, are others."""

    number: int
    last: int
    event: int | None
    events: int
    beat: int
    state: str
    do: str
    iteration: int | None
    script: tuple[ScriptLine, ...]
    picture: Picture
    sight: str
    followed: Followed | None
    parameters: tuple[ParameterRow, ...]
    optimizers: tuple[OptimizerLine, ...]
    formula: Formula | None
    charts: tuple[Chart, ...]
    loss: str
    no_loss: bool
    by_hand: bool
    rows: int
    grown: str
    sentence: Sentence
    phases: tuple[PhaseButton, ...]
    timeline: Timeline
    error: ErrorBox | None
    output: tuple[tuple[bool, str], ...]
    """What the script has written: whether to stderr, and the text."""
    plots: tuple[PlotBox, ...]
    warnings: tuple[str, ...]
    findings: tuple[FindingRow, ...]
    variables: tuple[VariableRow, ...]
    tensors: tuple[TensorRow, ...]
    seed: str


def draw_page(run: Drawable, number: int, event: int | None = None, sight: str = "") -> Page:
    """Draw moment `number` of `run` with `event` of its events done (None: all of them). An event beyond the last is
    taken as the last. `sight` is what the viewer chose to see (view.py). Raises IndexError when there is no such
    moment."""
    moment = run.moment(number)
    if event is not None:
        event = max(0, min(event, len(moment.events)))
        if not moment.events:
            event = None
    seen = see(moment, event)
    view = read_view(sight)
    lines = run.source.splitlines()
    backward_now = moment.do == "backward" and moment.error is None
    scene = draw_scene(seen, backward_now=backward_now, view=view, script=lines, did=moment.do or "")
    usual = moment.usual_next
    charts = draw_charts(run.series(), number)
    box = _error_box(moment, lines)
    halfway = event is not None and event < len(moment.events)
    parameters = _parameters(moment, seen, {box.node for box in scene.nodes}, inside=halfway)
    return Page(
        number=number,
        last=run.last,
        event=event,
        events=len(moment.events),
        beat=(number + (event or 0)) % 2,
        state=run.state,
        do=moment.do or "",
        iteration=moment.iteration or None,
        script=draw_script(
            run.source,
            run.phases,
            run.warnings,
            ran=_ran(moment),
            next_line=moment.next_line,
            failure=None if box is None or not box.line or moment.error is None else _place(moment.error),
        ),
        picture=draw_picture(scene, f"?m={number}&" + ("" if event is None else f"e={event}&")),
        sight=view.text(),
        followed=follow(seen.graph, view.pin, pin_text(view.pin) if view.pin else ""),
        parameters=parameters,
        optimizers=tuple(_optimizer(one) for one in moment.optimizers),
        formula=draw_formula(moment, event, view.pin) or _update_by_hand(run, moment),
        charts=charts,
        loss=loss_text(charts),
        no_loss=run.series().blind,
        by_hand=any(node.role for node in moment.graph.nodes),
        rows=len(run.series().rows),
        grown=state_of(run.series()),
        sentence=_sentence(moment, event),
        phases=_buttons(run.phases, usual),
        timeline=draw_timeline(run.summaries(), number, lines),
        error=box,
        findings=tuple(
            FindingRow(one.kind, one.text, one.moment, one.moment == number, one.cause or one.line or 0)
            for one in moment.findings
        ),
        output=tuple(run.output(number)),
        plots=draw_plots(run.plots(number)),
        warnings=tuple(f"{one.category}: {one.text}" for one in moment.warnings),
        variables=list_variables(moment),
        tensors=list_tensors(moment, seen, [row.name for row in parameters]),
        seed="" if run.seed is None else str(run.seed),
    )


def _update_by_hand(run: Drawable, moment: Moment) -> Formula | None:
    if moment.do != "step" or moment.events or not is_update(moment.statement):
        return None
    return draw_update(moment, run.moment(moment.number - 1))


def _ran(moment: Moment) -> tuple[int, int] | None:
    if moment.line is None:
        return None
    return moment.line, moment.end_line or moment.line


def _error_box(moment: Moment, lines: Sequence[str]) -> ErrorBox | None:
    failure = moment.error
    if failure is None:
        return None
    typed = moment.statement.splitlines() if moment.free else []
    inside = failure.line <= len(typed)  # of what was typed; a function that it calls stands further down
    text = (typed if inside else lines)[failure.line - 1 : failure.line]
    excerpt = _underlined(text[0], failure) if text else ""
    return ErrorBox(failure.type, failure.message, 0 if inside else failure.line, failure.suggestion, excerpt)


def _underlined(line: str, failure: Failure) -> str:
    """A line without its indentation and, below, what of it failed."""
    if failure.column is None:
        return line.strip()
    indent = len(line) - len(line.lstrip())
    last = failure.end_column - 1 if failure.end_column is not None else len(line.rstrip())
    first = failure.column - 1
    return f"{line.strip()}\n{' ' * (first - indent)}{'^' * max(last - first, 1)}"


def _place(failure: Failure) -> Place:
    return Place(failure.line, failure.column, failure.end_column)


def _sentence(moment: Moment, event: int | None) -> Sentence:
    if event is not None:
        lead = moment.explanation.lead or moment.do or "inside"
        return Sentence(
            f"{lead} {event}/{len(moment.events)}", ": " + tell_event(moment, event), moment.do or "", False, ()
        )
    told = moment.explanation
    lead = told.lead if told.lead and told.text.startswith(told.lead) else ""
    offers = tuple(OfferButton(offer.label, offer.commands) for offer in told.offers)
    return Sentence(lead, told.text[len(lead) :], moment.do or "", moment.error is not None, offers, told.culprit)


def _buttons(phases: Sequence[PhaseLike], usual: str | None) -> tuple[PhaseButton, ...]:
    seen: set[str] = set()
    buttons = []
    for place, phase in enumerate(phases, 1):
        key = KEYS[phase.do] if phase.do not in seen else str(place) if place <= PLACES else ""
        buttons.append(PhaseButton(phase.id, phase.do, phase.text, key, phase.id == usual))
        seen.add(phase.do)
    return tuple(buttons)


# ---------------------------------------------------------------------- parameters


def _parameters(moment: Moment, seen: Seen, drawn: set[str], *, inside: bool) -> tuple[ParameterRow, ...]:
    """What optimizers hold, then other leaves that require grad. `drawn` are the nodes in the picture.
    `inside`: the statement is half done, so that what
    step() would do is not known yet."""
    nodes = {tensor.name: tensor.node or "" for tensor in moment.tensors}
    held = {one.name: one for optimizer in moment.optimizers for one in optimizer.parameters}
    names = [
        *held,
        *(
            tensor.name
            for tensor in moment.tensors
            if tensor.is_leaf and tensor.requires_grad and tensor.name not in held
        ),
    ]
    names = [name for name in dict.fromkeys(names) if name in seen.values]
    value_limit = numbers.nice_limit(max((cells.largest(seen.values[name][0]) for name in names), default=0.0))
    grad_limit = numbers.nice_limit(max((cells.largest(seen.values[name][1]) for name in names), default=0.0))
    rows = []
    for name in names:
        value, grad = seen.values[name]
        node = nodes.get(name, "")
        state = held.get(name)
        after = None if state is None or inside else state.after_step
        rows.append(
            ParameterRow(
                element_id("parameter", name),
                element_id("node", node) if node in drawn else "",
                name,
                *labels.two_lines(name),
                cells.figure(value, value.shape, limit=value_limit, fresh=node in seen.fresh_value),
                cells.figure(grad, value.shape, limit=grad_limit, fresh=node in seen.fresh_grad),
                None if after is None else cells.figure(after, after.shape, limit=value_limit),
                after is not None and not np.array_equal(after, value, equal_nan=True),
                tuple(StateRow(key, _state_figure(entry)) for key, entry in (state.state if state else {}).items()),
                state is not None or not moment.optimizers,
                seen.current == node and bool(node),
            )
        )
    return tuple(rows)


def _state_figure(entry: Any) -> cells.Figure:
    if entry is None:
        return cells.figure(None, ())
    array = np.asarray(entry)
    if array.dtype.kind not in "fiub":
        return cells.Figure("number", str(entry))
    if array.dtype.kind == "f" and array.size == 1 and float(array.reshape(-1)[0]).is_integer() and not array.shape:
        whole = array.reshape(-1)[0]
        text = numbers.short(whole).removesuffix(".0")
        return cells.Figure("number", text, numbers.exact(whole), numbers.sign(whole))
    return cells.figure(array, array.shape, limit=numbers.nice_limit(cells.largest(array)))


def _optimizer(one: OptimizerState) -> OptimizerLine:
    """Only the settings that differ from zero, None and False: those that do something; not what AdamW always is."""
    settings = one.groups[0] if one.groups else {}
    hidden = HIDDEN_SETTINGS | ({"decoupled_weight_decay"} if one.type == "AdamW" else set())
    told = [
        f"{key} {_setting(value)}"
        for key, value in settings.items()
        if key not in hidden and value not in (0, None, False)
    ]
    more = f" · {len(one.groups)} groups" if len(one.groups) > 1 else ""
    return OptimizerLine(one.name, one.type, " · ".join(told) + more)


def _setting(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        return str(value)
    return f"{value:g}"
