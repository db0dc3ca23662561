"""The variables of a script that have no place elsewhere on the page: what is not a tensor, and tensors that stand
neither in the picture nor among the parameters (data, masks, weights that are moved without autograd)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.drawing import cells, numbers
from app.drawing.labels import tail
from app.drawing.rewind import Seen
from app.drawing.scene import element_id
from engine.tracing.moments import Moment, TensorState

SHORT, LONGEST = 8, 24
"""Letters of a name that leave room for a second tensor beside it, and those for which there is room at all."""
MOST = 16
"""Tensors that are listed: those that the script's own names reach before those inside of modules."""


@dataclass(frozen=True)
class VariableRow:
    name: str
    type: str
    text: str


@dataclass(frozen=True)
class TensorRow:
    """A tensor, drawn as what it is; `caption` tells its dtype and shape, `label` its name, as far as there is room.
    `long`: no room is left beside it for another."""

    id: str
    name: str
    label: str
    long: bool
    figure: cells.Figure
    caption: str


def list_variables(moment: Moment) -> tuple[VariableRow, ...]:
    """What is not a tensor, and not in the picture either."""
    drawn = {node.name for node in moment.graph.nodes if node.role}
    return tuple(VariableRow(one.name, one.type, one.text) for one in moment.variables if one.name not in drawn)


def list_tensors(moment: Moment, seen: Seen, listed: Sequence[str]) -> tuple[TensorRow, ...]:
    """The tensors outside of the picture and of the parameters that are `listed`, at most `MOST`."""
    drawn = {node.id for node in seen.graph.nodes}
    elsewhere = {*listed, *(node.name for node in seen.graph.nodes if node.role)}
    rest = [one for one in moment.tensors if one.node not in drawn and one.name not in elsewhere]
    rest.sort(key=_is_inside)
    return tuple(_row(one, seen) for one in rest[:MOST])


def _is_inside(tensor: TensorState) -> bool:
    """Whether it is a buffer of a module, or an entry of a list; names of the script's own objects are not."""
    return tensor.name.count(".") > 1 or "[" in tensor.name


def _row(tensor: TensorState, seen: Seen) -> TensorRow:
    value = seen.values.get(tensor.name, (tensor.value, None))[0]
    figure = cells.figure(value, value.shape, limit=numbers.nice_limit(cells.largest(value)))
    caption = f"{tensor.dtype} {numbers.shape_text(value.shape)}".strip()
    name = tensor.name
    return TensorRow(element_id("tensor", name), name, tail(name, LONGEST), len(name) > SHORT, figure, caption)
