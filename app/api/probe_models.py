"""What the routes of probing.py take and give. Numbers that JSON does not know are the strings "nan", "inf", "-inf"."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from app.api.models import SOURCE_OR_SCENARIO, LossOut, Number, Taken, Whole
from app.api.moment_models import ErrorOut, FindingOut, Given

FORGOTTEN = """import torch

w = torch.tensor(1.5, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.05)
for i in range(20):
    loss = (w * 2 - 5) ** 2
    loss.backward()
    opt.step()
"""


class DiagnoseIn(Taken):
    """A script to look at."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"source": FORGOTTEN}, {"scenario": "gradients-add-up", "costs": False}]}
        | SOURCE_OR_SCENARIO
    )

    source: str | None = Field(None, description="A PyTorch script.")
    scenario: str | None = Field(None, max_length=200, description="The slug of a scenario.")
    seed: Annotated[Whole, Field(ge=-(2**63), lt=2**63)] | None = None
    iterations: Whole = Field(30, ge=1, le=200, description="How many iterations of the training loop are executed.")
    costs: bool = Field(True, description="Whether to execute the mended scripts as well.")

    @model_validator(mode="after")
    def one_of_both(self) -> DiagnoseIn:
        if (self.source is None) == (self.scenario is None):
            raise ValueError("give either `source` or `scenario`")
        return self


class MendOut(Given):
    """A change that mends a fault: what it is in a few words, and the whole script with it."""

    label: str = Field(examples=["opt.zero_grad() before line 7"])
    source: str


class LossAtOut(Given):
    """A loss, and the iteration that computed it."""

    iteration: int
    value: Number


class WeightOut(Given):
    """A parameter of one element at the end."""

    name: str
    value: Number


class SideOut(Given):
    """One of the two runs of a comparison."""

    losses: list[LossAtOut]
    last: Number | None
    weights: list[WeightOut]
    error: str | None


class CostOut(Given):
    """The script as written beside the mended one: the same seed, as many iterations."""

    text: str = Field(examples=["After 20 iterations: loss = 12.4 as written, 0.003 mended."])
    root: str
    iterations: int
    written: SideOut
    mended: SideOut


class JudgedOut(FindingOut):
    """A finding with what mends it and what it costs; `reason` says why one of them is missing."""

    mend: MendOut | None
    cost: CostOut | None
    reason: str


class DiagnosisOut(Given):
    """What goes wrong in a script. `complete`: its program came to its end. `error`: it failed."""

    findings: list[JudgedOut]
    iterations: int
    complete: bool
    error: ErrorOut | None


class LinkOut(Given):
    """One step back: what happened, where (moment, event, line), and which number it is about."""

    text: str
    moment: int
    event: int | None
    line: int | None
    name: str
    field: Literal["value", "grad", "passing"]
    index: list[int]
    value: Number | None


class WhyOut(Given):
    """Where a number came from, the latest step first. `complete`: the chain goes back to where it began."""

    name: str
    field: Literal["value", "grad", "passing"]
    index: list[int]
    moment: int
    value: Number | None
    text: str
    links: list[LinkOut]
    complete: bool


class NudgeIn(Taken):
    """Which entry of which leaf to move, and by how much."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "w", "delta": 0.01}]})

    name: str = Field(max_length=300)
    index: list[Whole] | None = Field(None, max_length=64, description="The first entry, when it is left out.")
    delta: float | int = 0.01


class NudgeOut(Given):
    """The real change of the loss beside what `.grad` foretold. Numbers are null where `reason` says why."""

    name: str
    index: list[int]
    delta: Number
    value: Number
    grad: Number | None
    loss: Number | None
    loss_after: Number | None
    change: Number | None
    foretold: Number | None
    text: str
    reason: str


class DataPointOut(Given):
    """A row of the data and its class."""

    x: Number
    y: Number
    label: int | None


class BoundaryOut(Given):
    """What a classifier of two inputs says on a grid: `values[row][column]` at `y[row]`, `x[column]`."""

    reason: str
    model: str
    kind: Literal["", "probability", "class", "value"]
    classes: int
    x: list[Number]
    y: list[Number]
    values: list[list[Number]]
    points: list[DataPointOut]


class PathPointOut(Given):
    """Where the two parameters were when a loss was computed."""

    moment: int
    x: Number
    y: Number
    loss: Number | None


class SurfaceOut(Given):
    """The loss over two parameters: `values[row][column]` at `y[row]`, `x[column]`."""

    reason: str
    root: str
    names: list[str]
    x: list[Number]
    y: list[Number]
    values: list[list[Number]]
    path: list[PathPointOut]


class LossesOut(Given):
    """The losses of one name on which backward is called. `moment` is where the pass through the loop began."""

    name: str = Field(examples=["loss_D"])
    losses: list[LossOut]


class VariantOut(Given):
    """A script to compare with. Its lines have the numbers of the original's."""

    id: str = Field(examples=["without-zero-grad"])
    label: str
    source: str
