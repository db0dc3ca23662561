"""What REST takes and gives: pydantic models with examples, and how views become them."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from app import views
from app.encode import number
from engine.run.conditions import MOST_CHARACTERS, MOST_HITS

Do = Literal[
    "zero_grad",
    "forward",
    "backward",
    "step",
    "next",
    "into",
    "out",
    "run",
    "finish",
    "to_line",
    "skip",
    "statement",
    "stop",
    "reset",
]
Number = float | Literal["nan", "inf", "-inf"]
Nested = Any
"""A number, or lists of lists of numbers; non-finite numbers are the strings "nan", "inf", "-inf"."""

SCRIPT = "import torch\n\nw = torch.tensor(1.0, requires_grad=True)\nloss = (w * 3 - 9) ** 2\nloss.backward()\n"


Whole = Annotated[int, BeforeValidator(lambda value: int(value) if _is_whole(value) else value)]
"""An integer as JSON knows it: 3.0 is one as well."""

SOURCE_OR_SCENARIO: dict[str, Any] = {
    "oneOf": [
        {"required": ["source"], "properties": {"source": {"type": "string"}, "scenario": {"type": "null"}}},
        {"required": ["scenario"], "properties": {"scenario": {"type": "string"}, "source": {"type": "null"}}},
    ]
}


def _is_whole(value: object) -> bool:
    return isinstance(value, float) and value.is_integer()


class Taken(BaseModel):
    """A request. Exact types, and no names that are not known: a slip is said, not ignored."""

    model_config = ConfigDict(strict=True, extra="forbid")


class RunIn(Taken):
    """A new run: of a script, or of a scenario of the library."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"scenario": "gradients-add-up"}, {"source": SCRIPT, "seed": 0}]}
        | SOURCE_OR_SCENARIO
    )

    source: str | None = Field(None, description="A PyTorch script.")
    scenario: str | None = Field(None, max_length=200, description="The slug of a scenario.")
    seed: Annotated[Whole, Field(ge=-(2**63), lt=2**63)] | None = Field(
        None, description="What an unseeded script is seeded with."
    )

    @model_validator(mode="after")
    def one_of_both(self) -> RunIn:
        if (self.source is None) == (self.scenario is None):
            raise ValueError("give either `source` or `scenario`")
        return self


def _needs(do: str, name: str, kind: str) -> dict[str, Any]:
    """The schema's way to say that the command `do` needs the field `name`."""
    field: dict[str, Any] = {"type": kind} | ({"pattern": r"\S"} if kind == "string" else {})
    return {
        "if": {"properties": {"do": {"const": do}}, "required": ["do"]},
        "then": {"required": [name], "properties": {name: field}},
    }


NEEDS_LINE = _needs("to_line", "line", "integer")
NEEDS_STATEMENT = _needs("statement", "statement", "string")


class CommandIn(Taken):
    """A command."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"do": "forward"},
                {"do": "run", "times": 100},
                {"do": "statement", "statement": "print(w.grad)"},
                {"do": "backward", "at": 3},
            ],
            "allOf": [NEEDS_LINE, NEEDS_STATEMENT],
        }
    )

    do: Do = Field(description="A phase to press, a way to move, or what to do with the run.")
    times: Whole = Field(1, ge=1, le=1_000_000, description="How many statements (next, into) or iterations (run).")
    line: Whole | None = Field(None, ge=1, le=2**31, description="to_line: the line before which to pause.")
    statement: str | None = Field(None, max_length=10_000, description="statement: what to execute.")
    phase: str | None = Field(None, max_length=100, description="Which phase, when there are several of a kind.")
    at: Whole | None = Field(None, ge=0, le=2**31, description="The moment to act from; one before the last forks.")


class ConditionIn(Taken):
    """A line before which commands pause only now and then."""

    line: Whole = Field(ge=1, le=2**31)
    when: str = Field("", max_length=MOST_CHARACTERS, description="An expression of the script's; where it is true.")
    hits: Whole = Field(1, ge=1, le=MOST_HITS, description="The how many-th time of a command that it is true.")


class BreakpointsIn(Taken):
    """The lines before which `run` and `finish` pause: all of them."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"lines": [7]}, {"conditions": [{"line": 7, "when": "loss > 3"}]}],
            "minProperties": 1,
        }
    )

    lines: list[Annotated[Whole, Field(ge=1, le=2**31)]] = Field([], max_length=1000)
    conditions: list[ConditionIn] = Field([], max_length=1000)

    @model_validator(mode="after")
    def one_at_least(self) -> BreakpointsIn:
        if not self.model_fields_set:
            raise ValueError("give `lines`, `conditions` or both; no lines at all take all away")
        return self


class ForkIn(Taken):
    """Where the new run leaves the old one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"moment": 3}]})

    moment: Whole = Field(ge=0, le=2**31)


class CheckCommandIn(Taken):
    """A command of a scripted scenario: as for a run, without `at` and `stop`."""

    model_config = ConfigDict(json_schema_extra={"allOf": [NEEDS_LINE, NEEDS_STATEMENT]})

    do: Do
    times: Whole = Field(1, ge=1, le=1_000_000)
    line: Whole | None = Field(None, ge=1, le=2**31)
    statement: str | None = Field(None, max_length=10_000)
    phase: str | None = Field(None, max_length=100)


class ExpectIn(Taken):
    """One expectation: a tensor's values, an error, printed text, or a finding, after `after` commands."""

    after: Whole | None = Field(
        None, ge=0, le=2**31, description="How many commands were given; the last one if left out."
    )
    tensor: str | None = Field(None, description='A tensor or a `.grad`, as "w.grad".')
    equals: Any = Field(None, description='Number or nested lists ("nan", "inf", "-inf"); null: there is none.')
    tolerance: float | int = Field(1e-6, ge=0, description="Relative and absolute.")
    error: str | None = Field(None, description="A part of the error's text; null: there is none.")
    stdout: str | None = Field(None, description="A part of what was printed so far.")
    finding: str | None = Field(None, description="The kind of a finding.")


class CheckIn(Taken):
    """A scripted scenario."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "scenario": "gradients-add-up",
                    "commands": [{"do": "forward"}, {"do": "backward"}],
                    "expect": [{"after": 2, "tensor": "w.grad", "equals": -8.0, "tolerance": 1e-6}],
                }
            ]
        }
        | SOURCE_OR_SCENARIO
    )

    source: str | None = None
    scenario: str | None = Field(None, max_length=200)
    seed: Annotated[Whole, Field(ge=-(2**63), lt=2**63)] | None = None
    commands: list[CheckCommandIn | Do] = Field(
        [], max_length=10_000, description="A bare word is the command of that name."
    )
    expect: list[ExpectIn] = Field([], max_length=10_000)

    @model_validator(mode="after")
    def one_of_both(self) -> CheckIn:
        if (self.source is None) == (self.scenario is None):
            raise ValueError("give either `source` or `scenario`")
        return self


# ---------------------------------------------------------------------- answers


class ParityOut(BaseModel):
    """A scenario's receipt: identical, within 1e-6, or same (within 1e-4 or one unit of the last printed digit); the
    versions of PyTorch, NumPy and Gradient Flow, and the day."""

    result: str
    torch: str
    numpy: str
    version: str
    date: str


class ScenarioOut(BaseModel):
    """A scenario in the library's list."""

    slug: str
    title: str
    summary: str
    level: str
    minutes: int
    parity: ParityOut | None = Field(description="How what it prints compares with what PyTorch prints.")
    links: dict[str, str]


class CardOut(BaseModel):
    """A card of a lesson: a text in Markdown, its presses (commands of a run), what on the page it is about, and
    perhaps a question (`POST .../cards/{number}/prediction` answers)."""

    number: int
    title: str
    text: str
    commands: list[dict[str, Any]]
    look: list[str]
    question: str
    choices: list[str]


class WholeScenarioOut(ScenarioOut):
    """A scenario with its script and its lesson: as Markdown, and card by card."""

    source: str
    lesson: str
    cards: list[CardOut]


class PhaseOut(BaseModel):
    """A phase of the training loop: a button."""

    id: str
    do: Literal["zero_grad", "forward", "backward", "step"]
    lines: list[tuple[int, int]] = Field(description="First and last line of each piece.")
    text: str
    enabled: bool
    usual_next: bool = Field(description="What would usually be pressed next.")


class LossOut(BaseModel):
    """A computed loss."""

    moment: int
    iteration: int
    value: Number


class WarningOut(BaseModel):
    """A name outside the supported subset: it raises when it is reached."""

    line: int
    column: int | None
    end_column: int | None
    name: str
    message: str
    suggestion: str


class CursorOut(BaseModel):
    """Where a new viewer starts: the last moment."""

    moment: int
    event: int | None


class ConditionOut(BaseModel):
    line: int
    when: str
    hits: int


class RunOut(BaseModel):
    """A run. With a view id, `id` is that id, and the drive id is not told."""

    id: str
    role: Literal["drive", "view", "shared"]
    view_id: str | None
    scenario: str | None
    source: str
    seed: int | None
    state: Literal["ready", "running", "finished", "failed"]
    cursor: CursorOut
    number_of_moments: int
    phases: list[PhaseOut]
    usual_next: str | None
    losses: list[LossOut]
    warnings: list[WarningOut]
    breakpoints: list[int]
    conditions: list[ConditionOut] = Field(description="Of breakpoints that do not stop every time.")
    parent: str | None = Field(description="View id of the run that this one was forked from.")
    created: dt.datetime | None
    differs: bool = Field(description="Rebuilding the run did not give the state that was stored.")
    pinned: bool = Field(description="It stays, though nobody uses it.")
    expires: dt.datetime | None = Field(description="When it will be forgotten, unless somebody uses it.")
    links: dict[str, str]


class ProgressOut(BaseModel):
    """How far a long command is."""

    done: int
    asked: int


class RunningOut(BaseModel):
    """202: the command goes on. Follow `links.events`."""

    run: str
    forked: bool
    state: Literal["running"]
    progress: ProgressOut | None
    links: dict[str, str]


class CheckResultOut(BaseModel):
    """One expectation."""

    after: int
    what: str
    passed: bool
    got: Any
    wanted: Any


class CheckOut(BaseModel):
    """What held of a scripted scenario. `error`: a command was refused, so it could not be executed to its end."""

    passed: bool
    results: list[CheckResultOut]
    error: str


def run_links(root: str, run_id: str) -> dict[str, str]:
    """Addresses below `root` (/api/v1) that belong to a run."""
    own = f"{root}/runs/{run_id}"
    names = ("commands", "moments", "events", "breakpoints", "fork", "pin")
    return (
        {"self": own}
        | {name: f"{own}/{name}" for name in names}
        | {
            "trace": f"{own}/trace.ndjson",
            "transcript": f"{own}/transcript.py",
        }
    )


def run_out(view: views.RunView, root: str) -> RunOut:
    """A run as REST gives it."""
    links = run_links(root, view.id)
    if view.view_id is not None:
        links["view"] = f"{root}/runs/{view.view_id}"
    created = dt.datetime.fromtimestamp(view.created, dt.UTC) if view.created else None
    expires = None if view.expires is None else dt.datetime.fromtimestamp(view.expires, dt.UTC)
    return RunOut(
        id=view.id,
        role=view.role,
        view_id=view.view_id,
        scenario=view.scenario,
        source=view.source,
        seed=view.seed,
        state=view.state,
        cursor=CursorOut(moment=view.last, event=None),
        number_of_moments=view.number_of_moments,
        phases=[
            PhaseOut(id=p.id, do=p.do, lines=list(p.lines), text=p.text, enabled=p.enabled, usual_next=p.usual_next)
            for p in view.phases
        ],
        usual_next=view.usual_next,
        losses=[
            LossOut.model_construct(moment=moment, iteration=iteration, value=number(value))
            for moment, iteration, value in view.losses
        ],
        warnings=[
            WarningOut(
                line=w.line,
                column=w.column,
                end_column=w.end_column,
                name=w.name,
                message=w.message,
                suggestion=w.suggestion,
            )
            for w in view.warnings
        ],
        breakpoints=[each.line for each in view.breakpoints],
        conditions=[
            ConditionOut(line=each.line, when=each.when, hits=each.hits)
            for each in view.breakpoints
            if not each.is_plain
        ],
        parent=view.parent,
        created=created,
        differs=view.differs,
        pinned=view.pinned,
        expires=expires,
        links=links,
    )


def scenario_out(view: views.ScenarioView, root: str) -> ScenarioOut:
    return ScenarioOut(
        slug=view.slug,
        title=view.title,
        summary=view.summary,
        level=view.level,
        minutes=view.minutes,
        parity=ParityOut(**dataclasses.asdict(view.parity)) if view.parity else None,
        links={"self": f"{root}/scenarios/{view.slug}", "page": f"/s/{view.slug}"},
    )


def whole_scenario_out(view: views.ScenarioView, root: str) -> WholeScenarioOut:
    return WholeScenarioOut(
        **scenario_out(view, root).model_dump(),
        source=view.source,
        lesson=view.lesson,
        cards=[
            CardOut(
                number=card.number,
                title=card.title,
                text=card.text,
                commands=list(card.commands),
                look=list(card.look),
                question=card.question,
                choices=list(card.choices),
            )
            for card in view.cards
        ],
    )
