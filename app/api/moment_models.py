"""The models of a moment, for the OpenAPI document. app/encode.py writes the JSON itself, in the worker; a test holds
the one against the other."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.api.models import Do, Nested, Number


class Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SummaryOut(Given):
    """What is said of an array of more than 1,000 elements. Figures are of its finite elements."""

    shape: list[int]
    elements: int
    finite: int
    norm: Number | None = None
    min: float | None = None
    max: float | None = None
    mean: Number | None = None


class TensorOut(Given):
    """A named tensor."""

    name: str = Field(examples=["w"])
    shape: list[int]
    dtype: str = Field(examples=["float32"])
    requires_grad: bool
    is_leaf: bool
    is_parameter: bool
    grad_fn: str | None
    node: str | None = Field(description="Its node in the graph.")
    data: Nested = Field(description="Nested lists, or null beside a `summary`.")
    grad: Nested = Field(description="Nested lists or null.")
    summary: SummaryOut | None = None
    grad_summary: SummaryOut | None = None


class WholeTensorOut(TensorOut):
    """A tensor with all of its values."""

    version: int


class ModuleCallOut(Given):
    """A module's forward that was running; `first` is the first operation that it recorded."""

    module: str
    type: str
    first: str


class NodeOut(Given):
    """A leaf, an operation, or an output of the graph. Arrays are nested lists or {"summary": ...}."""

    id: str
    kind: Literal["leaf", "op", "output"]
    name: str
    operation: str
    operands: list[str]
    grad_fn: str | None
    line: int | None
    shape: list[int]
    dtype: str
    requires_grad: bool
    state: Literal["ghost", "live", "stale", "freed"]
    value: Nested = None
    grad: Nested = None
    passing: Nested = Field(None, description="The gradient that flowed through in the last backward: not a `.grad`.")
    contributions: list[Nested] = Field([], description="What each backward added to `.grad` since it was cleared.")
    module: str | None = None
    calls: list[ModuleCallOut] = Field([], description="The modules whose forward computed it, from the outermost in.")
    role: Literal["data", "weight", "forward", "backward"] | None = Field(
        None,
        description="What a variable is for in a loop that works its gradients out itself; nothing is recorded there.",
    )
    change: Nested = Field(None, description="By how much the last step of such a loop moved a weight.")
    freed: bool = Field(False, description="Of a stale operation: a backward has freed its saved tensors as well.")


class EdgeOut(Given):
    """`source` is operand number `slot` of `target`."""

    source: str
    target: str
    slot: int
    gradient: Nested = None


class GraphOut(Given):
    """The computation graph, nodes in order of computation."""

    nodes: list[NodeOut]
    edges: list[EdgeOut]


class ParameterOut(Given):
    """What an optimizer holds for a parameter. `after_step`: where step() would move it now."""

    name: str
    group: int
    state: dict[str, Any]
    after_step: Nested


class OptimizerOut(Given):
    """An optimizer."""

    name: str
    type: str
    groups: list[dict[str, Any]]
    parameters: list[ParameterOut]


class VariableOut(Given):
    """Any other variable: its type and its repr, shortened."""

    name: str
    type: str
    text: str


class WarnedOut(Given):
    """A warning that the statement raised."""

    category: str
    text: str
    line: int


class ErrorOut(Given):
    """The script's own error. `limit` names the budget, if it was one."""

    type: str
    message: str
    line: int
    column: int | None
    end_column: int | None
    suggestion: str
    limit: str | None


class OfferOut(Given):
    """A way on from here."""

    label: str
    commands: list[dict[str, Any]]


class FindingOut(Given):
    """Something the diagnosis noticed."""

    kind: str
    text: str
    moment: int
    line: int | None
    cause: int | None = Field(description="The line to look at, where it is another one than `line`.")
    names: list[str] = Field(description="The tensors that it is about.")


class SeriesOut(Given):
    """One thing drawn. `x` and `y` are of one length; `z` is the matrix of an image or contour, the other edge of a
    filled area, the widths of bars, or the values that colour points."""

    kind: Literal["line", "scatter", "bar", "barh", "image", "contour", "fill", "horizontal", "vertical", "text", "pie"]
    x: Nested = None
    y: Nested = None
    z: Nested = None
    label: str
    color: str
    names: list[str]
    points: int = Field(description="How many there were before some were left out.")


class PlotOut(Given):
    """One panel of a figure: panel `cell`, from 0, of a grid of `rows` x `columns`."""

    figure: int
    rows: int
    columns: int
    cell: int
    heading: str
    title: str
    x_label: str
    y_label: str
    x_limits: list[Number] | None
    y_limits: list[Number] | None
    x_scale: Literal["linear", "log"]
    y_scale: Literal["linear", "log"]
    legend: bool
    shown: bool
    series: list[SeriesOut]


class MomentOut(Given):
    """The state after one executed statement; complete in itself."""

    number: int
    statement: str
    line: int | None
    end_line: int | None
    next_line: int | None
    phase: str | None
    do: Literal["zero_grad", "forward", "backward", "step"] | None
    free: bool
    iteration: int | None
    loss: Number | None
    events: list[dict[str, Any]]
    tensors: list[TensorOut]
    graph: GraphOut
    optimizers: list[OptimizerOut]
    variables: list[VariableOut]
    stdout: str
    stderr: str
    plots: list[PlotOut]
    warnings: list[WarnedOut]
    error: ErrorOut | None
    explanation: str
    offers: list[OfferOut]
    culprit: int | None
    findings: list[FindingOut]


class CommandOut(Given):
    """What a command did: moments `first`..`last` were made (none, when first > last); `moment` is the last one."""

    run: str = Field(description="The run that it changed: a new one, when it forked.")
    forked: bool
    first: int
    last: int
    stopped: bool
    note: str
    state: Literal["ready", "finished", "failed", "running"]
    etag: str
    moment: MomentOut
    links: dict[str, str]


__all__ = ["CommandOut", "Do", "GraphOut", "MomentOut", "WholeTensorOut"]
