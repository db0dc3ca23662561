"""The graph in parts: what becomes a part, what is open, and that the picture stays whole whatever is opened."""

from __future__ import annotations

import pathlib
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import app
from app.drawing.grouping import Group, Parts, group, groups_in, nodes_in
from app.drawing.page import draw_page
from app.drawing.rewind import Seen, see
from app.drawing.scene import Scene, draw_scene
from app.drawing.view import Area, View
from engine.run import Command, Run
from engine.tracing.moments import Graph, GraphEdge, GraphNode, ModuleCall
from tests.app.drawing.scripts import CHAIN, DEEP, HAND, LINES, SHARED, SMALL, UNET, pressed


def parts(run: Run) -> Parts:
    graph = run.moment(run.last).graph
    return group(graph.nodes, graph.edges)


def labels(run: Run) -> dict[str, Group]:
    return {part.label: part for part in groups_in(parts(run).members)}


def scene(run: Run, view: View | None = None, event: int | None = None) -> Scene:
    moment = run.moment(run.last)
    return draw_scene(see(moment, event), backward_now=True, view=view, script=run.source.splitlines())


def test_modules_are_parts_and_equal_blocks_are_one() -> None:
    found = labels(pressed(DEEP))
    assert found["model"].type == "Net"
    repeat = found["model.blocks.0–11"]
    assert (repeat.kind, repeat.count, repeat.type) == ("repeat", 12, "Block")
    assert len(repeat.members) == 12
    assert {part.label for part in found["model.blocks.3"].members if isinstance(part, Group)} == {
        "model.blocks.3.fc",
        "model.blocks.3.norm",
    }


def test_parameters_stand_in_their_module_and_inputs_outside() -> None:
    members = parts(pressed(DEEP)).members
    assert {"leaf:x", "leaf:y"} <= set(members)
    assert {id for id in labels(pressed(DEEP))["model.head"].members if isinstance(id, str)} >= {
        "leaf:model.head.weight",
        "leaf:model.head.bias",
    }


def test_calls_of_one_module_are_parts_of_their_own_and_share_its_parameters() -> None:
    repeats = [part for part in groups_in(parts(pressed(SHARED)).members) if part.kind == "repeat"]
    assert len(repeats) == 1
    assert (repeats[0].label, repeats[0].type) == ("cell", "LSTMCell")
    own = {member for member in repeats[0].members if isinstance(member, str)}
    assert own == {f"leaf:cell.{name}" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")}


@pytest.mark.parametrize(
    ("model", "called"),
    [
        ("nn.Sequential(*[m for _ in range(3) for m in (nn.Linear(2, 2), nn.ReLU())])", "model.0–5"),
        ("Net()", "model.layers.0–3 + act"),
    ],
)
def test_repeated_layers_are_called_after_their_modules(model: str, called: str) -> None:
    run = pressed(LAYERS.replace("MODEL", model))
    (repeat,) = (part for part in groups_in(parts(run).members) if part.kind == "repeat")
    assert (repeat.label, repeat.type) == (called, "Linear → ReLU")
    assert scene(run).summary


LAYERS = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(2, 2) for _ in range(4))
        self.act = nn.ReLU()
    def forward(self, x):
        for layer in self.layers:
            x = self.act(layer(x))
        return x
model = MODEL
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(10):
    opt.zero_grad()
    loss = model(torch.ones(3, 2)).sum()
    loss.backward()
    opt.step()
"""


def test_a_thousand_operations_are_a_handful_of_boxes() -> None:
    run = pressed(CHAIN)
    assert len(run.moment(run.last).graph.nodes) > 1000
    drawn = scene(run)
    assert len(drawn.nodes) + len(drawn.parts) < 10
    (part,) = (part for part in drawn.parts if not part.open)
    assert part.title.endswith("× 500")
    assert max(len(one.members) for one in groups_in(parts(run).members)) <= 25


@pytest.mark.parametrize(
    ("source", "least", "widest"),
    [
        (UNET, 30, 2300),
        (HAND, 60, 2300),
        (DEEP, 100, 3500),
        (CHAIN.replace("500", "120"), 240, 4500),
        pytest.param(CHAIN, 1000, 8000, marks=pytest.mark.slow),
    ],
)
def test_all_of_a_large_picture_is_no_thin_strip(source: str, least: int, widest: int) -> None:
    drawn = scene(pressed(source), View(opened=frozenset({"*"})))
    assert len(drawn.nodes) > least
    assert 0.4 < drawn.least_width / drawn.least_height < 2.5
    assert drawn.least_width < widest


def test_what_nearly_fits_in_one_go_is_not_in_rows() -> None:
    assert scene(pressed(LINES)).least_height < 450


def test_a_tall_picture_stays_one_when_a_step_goes_into_its_parts() -> None:
    source = (pathlib.Path(app.__file__).parent / "scenarios/rnn-through-time.py").read_text()
    run = pressed(source)
    assert scene(run).deeper
    assert all(scene(run, event=number).deeper for number in range(1, len(run.moment(run.last).events)))


def test_without_modules_the_lines_are_parts() -> None:
    drawn = scene(pressed(LINES))
    closed = {part.label: part for part in drawn.parts if not part.open}
    assert {"h", "g", "out", "mse", "reg"} <= set(closed)
    assert closed["h"].whole.startswith("h = torch.tanh(x @ w1.t() + b1)")
    assert "loss" in {box.name for box in drawn.nodes}  # what backward() starts from is never hidden


PENALISED = """import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(8, 2), torch.randn(8, 1)
for i in range(10):
    opt.zero_grad()
    loss = ((model(x) - y) ** 2).mean() + 1e-3 * sum(p.pow(2).sum() for p in model.parameters())
    loss.backward()
    opt.step()
"""


def test_a_penalty_on_parameters_is_a_part_and_leaves_them_in_their_modules() -> None:
    run = pressed(PENALISED)
    drawn = scene(run)
    (penalty,) = (part for part in drawn.parts if part.label == "penalty")
    assert not penalty.open
    assert penalty.detail == "13 operations"
    nodes = {node.name: node for node in run.moment(run.last).graph.nodes if node.kind == "leaf" and node.name}
    held = sum(float((node.value**2).sum()) for name, node in nodes.items() if name.startswith("model."))  # type: ignore[operator]
    assert float(penalty.fields[0].figure.exact) == pytest.approx(1e-3 * held, rel=1e-5)
    assert {box.title for box in drawn.nodes} & {"x", "y"}
    assert not [box for box in drawn.nodes if box.title.startswith("model.")]
    assert drawn.least_width <= 720  # it does not scroll in a window of 1440
    inside = scene(run, View(opened=frozenset({penalty.part})))
    assert sum(box.kind == "op" for box in inside.nodes) >= 13


TWO_LAYERS = PENALISED.replace(
    "((model(x) - y) ** 2).mean() + 1e-3 * sum(p.pow(2).sum() for p in model.parameters())",
    "nn.functional.mse_loss(model(x), y)",
)


def test_a_network_of_two_layers_is_seen_whole_in_a_window_of_1440() -> None:
    drawn = scene(pressed(TWO_LAYERS))
    assert {part.label for part in drawn.parts if part.open} == {"model"}
    assert drawn.least_width <= 720
    assert drawn.least_height <= 584


LADDER = """import torch
a = [torch.tensor(1.0, requires_grad=True) for _ in range(6)]
b = [torch.tensor(1.0, requires_grad=True) for _ in range(6)]
opt = torch.optim.SGD([*a, *b], lr=0.1)
for i in range(3):
    opt.zero_grad()
    s = r = torch.tensor(1.0)
    for rung in range({rungs}):
        s = torch.sigmoid(a[rung] * s)
        r = torch.relu(b[rung] * r)
    loss = (s - 2) ** 2 + (r - 2) ** 2
    loss.backward()
    opt.step()
"""


def test_many_leaves_of_one_part_stand_inside_of_it() -> None:
    run = pressed(LADDER.format(rungs=6))
    drawn = scene(run)
    (ladder,) = (part for part in drawn.parts if part.label.endswith("× 6"))
    assert not ladder.open
    assert "a[5]" in ladder.names.split("|")
    assert "12 parameters" in ladder.spoken
    assert not [box for box in drawn.nodes if box.name.startswith("a[")]
    assert drawn.least_height <= 584  # twelve cards in a row had made it 1,349 high
    everything = scene(run, View(opened=frozenset({"*"})))
    assert {f"{name}[{n}]" for name in "ab" for n in range(6)} <= {box.name for box in everything.nodes}


def test_parameters_of_many_lines_stand_in_them_so_that_the_whole_is_seen() -> None:
    run = pressed(HAND)
    drawn = scene(run)
    assert [box.node for box in drawn.nodes if box.node.startswith("leaf:")] == ["leaf:x", "leaf:y"]
    assert drawn.least_width <= 720
    assert drawn.least_height <= 584
    assert "leaf:w10" in labels(run)["line 38"].members


def test_a_few_leaves_stand_where_they_can_be_seen() -> None:
    drawn = scene(pressed(LADDER.format(rungs=3).replace("b[rung]", "b[0]")))
    assert {"a[0]", "a[1]", "a[2]", "b[0]"} <= {box.name for box in drawn.nodes}


@pytest.mark.parametrize(
    "loss",
    [
        "(1 - w) ** 2 + 100 * (v - w ** 2) ** 2 + (w * v * w * v).exp()",  # of parameters, and nothing else
        "(w * x).exp() * v * 2 + (0.1 * w ** 2) + (x * w).tanh() + (x * v).sigmoid()",  # short
    ],
)
def test_what_only_looks_like_a_penalty_is_none(loss: str) -> None:
    source = PENALISED.split("model = ")[0] + (
        "w, v = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)\n"
        "x = torch.randn(4)\nopt = torch.optim.SGD([w, v], lr=0.1)\n"
        f"for i in range(3):\n    opt.zero_grad()\n    loss = ({loss}).sum()\n    loss.backward()\n    opt.step()\n"
    )
    assert not [part for part in groups_in(parts(pressed(source)).members) if part.kind == "penalty"]


def test_far_from_the_window_there_are_no_numbers_but_around_where_the_page_will_scroll() -> None:
    run = pressed(CHAIN)
    everything = View(opened=frozenset({"*"}))
    whole = {box.id: box for box in scene(run, everything).nodes}
    window = Area(-100, -100, 900, 700)
    drawn = scene(run, replace(everything, near=window))
    assert [box.id for box in drawn.nodes] == list(whole)
    near = [box for box in drawn.nodes if not box.far]
    assert 2 < len(near) < len(whole) / 4
    assert all(box == whole[box.id] for box in near)
    for box in drawn.nodes:
        if box.far:
            assert not window.meets(box.x, box.y, box.width, box.height)
            assert (box.fields, box.ledger, box.x, box.y) == ((), (), whole[box.id].x, whole[box.id].y)
    lines = {line.id: line for line in scene(run, everything).lines}
    assert all(line == lines[line.id] for line in drawn.lines)
    assert len(drawn.lines) < len(lines) / 4
    assert drawn.count == len(lines)  # how large a picture is does not depend on the window
    moment = run.moment(run.last)
    seen, far_off = see(moment, None), replace(everything, near=window)
    forward = draw_scene(seen, backward_now=False, view=far_off, did="forward")
    assert [box.kind for box in forward.nodes if not box.far][-1] == "output"
    assert len(forward.near) == 2
    assert draw_scene(seen, backward_now=False, view=far_off, did="zero_grad").near == ((-100, -100, 900, 700),)


def test_a_line_is_there_where_a_piece_of_it_is_near() -> None:
    """A line round the end of a row lies in a rectangle as wide as that, and runs beside most of it."""
    run = pressed(CHAIN)
    everything = View(opened=frozenset({"*"}))
    whole = scene(run, everything)
    left, top, width, height = (float(one) for one in whole.view.split())
    spared = 0
    for share in (0.1, 0.5, 0.9):
        x, y = left + share * width, top + share * height
        window = Area(x - 100, y - 100, x + 100, y + 100)
        drawn = {line.id for line in scene(run, replace(everything, near=window)).lines}
        for line in whole.lines:
            points = [map(float, point) for point in re.findall(r"(-?[\d.]+) (-?[\d.]+)", line.path)]
            is_seen = any(window.meets(across, down, 0, 0) for across, down in points)
            assert line.id in drawn or not is_seen
            spared += window.meets(*line.place) and line.id not in drawn
    assert spared


def test_the_window_moves_no_farther_than_what_is_to_be_seen_asks() -> None:
    window, within = Area(0, 0, 100, 100), Area(-10, -10, 1000, 1000)
    assert window.showing(Area(20, 20, 40, 40), within) == window
    assert window.showing(Area(20, 500, 40, 520), within) == Area(0, 460, 100, 560)
    assert window.showing(Area(980, 980, 990, 990), within) == Area(900, 900, 1000, 1000)
    assert window.showing(Area(900, 50, 950, 60), Area(0, 0, 90, 1000)) == window  # nothing scrolls that way


def test_a_small_network_is_all_open_and_a_deep_one_shows_its_modules() -> None:
    assert all(part.open for part in scene(pressed(SMALL)).parts)
    deep = scene(pressed(DEEP))
    assert len(deep.nodes) + len([part for part in deep.parts if not part.open]) <= 14
    assert "blocks × 12" in {part.label for part in deep.parts if not part.open}


def test_a_closed_part_tells_what_leaves_it_and_its_gradients() -> None:
    run = pressed(DEEP)
    part = next(part for part in scene(run).parts if part.label == "blocks × 12")
    nodes = {node.id: node for node in run.moment(run.last).graph.nodes}
    inside = list(nodes_in(labels(run)["model.blocks.0–11"]))
    grads = [nodes[id].grad for id in inside if nodes[id].kind == "leaf"]
    told = float(part.told.removeprefix("norm "))
    assert told == pytest.approx(np.sqrt(sum((grad**2).sum() for grad in grads)), rel=1e-3)  # type: ignore[operator]
    assert [field.tone for field in part.fields] == ["value", "passing"]


def test_the_part_of_the_event_at_the_cursor_opens() -> None:
    run = pressed(DEEP)
    moment = run.moment(run.last)
    for event in range(1, len(moment.events) + 1, 7):
        drawn = scene(run, View(closed=frozenset({"*"})), event)
        assert [box for box in drawn.nodes if box.current], f"the cursor is lost at event {event}"


def test_opening_and_closing() -> None:
    run = pressed(DEEP)
    everything = scene(run, View().opening("*"))
    assert len(everything.nodes) == len(run.moment(run.last).graph.nodes)
    assert all(part.open for part in everything.parts)
    closed = scene(run, View().opening("*").closing("*"))
    assert {part.label for part in closed.parts} == {"model"}
    model = closed.parts[0].part
    one = scene(run, View().closing("*").opening(model))
    assert [part.label for part in one.parts if part.open] == ["model"]


def test_the_picture_does_not_move_from_one_iteration_to_the_next() -> None:
    run = Run(DEEP, seed=0)
    run.begin()
    run.execute(Command("run", times=3))
    places = set()
    for number in range(run.last - 12, run.last + 1):
        page = draw_page(run, number)
        places.add(tuple(re.findall(r'(data-(?:node|part)="[^"]*").*?<rect class="frame"([^>]*)>', page.picture.body)))
    assert len(places) == 1


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs in order of computation, their operations in nested module calls (some twice in a row), leaves between."""
    nodes: list[GraphNode] = []
    edges: list[GraphEdge] = []
    calls: list[ModuleCall] = []
    blank = GraphNode("", "op", "", "mul", (), "MulBackward0", 1, (), "float32", True, "live", np.float32(1))
    for number in range(draw(st.integers(2, 30))):
        move = draw(st.sampled_from(["in", "out", "stay", "stay", "again"]))
        if move in ("out", "again") and calls:
            gone = calls.pop()
            if move == "again":
                calls.append(replace(gone, first=f"op:{number}"))
        elif move == "in" and len(calls) < 3:
            name = f"{calls[-1].module}." if calls else ""
            calls.append(ModuleCall(f"{name}m{draw(st.integers(0, 2))}", "Module", f"op:{number}"))
        sources = [node.id for node in nodes]
        if not sources or draw(st.integers(0, 3)) == 0:
            owner = calls[-1].module + "." if calls and draw(st.booleans()) else ""
            nodes.append(replace(blank, id=f"leaf:{number}", kind="leaf", name=f"{owner}w{number}", operation=""))
            sources.append(f"leaf:{number}")
        picked = draw(st.lists(st.sampled_from(sources), min_size=1, max_size=3))
        line = draw(st.integers(1, 4))
        nodes.append(replace(blank, id=f"op:{number}", line=line, calls=tuple(calls)))
        edges += [GraphEdge(source, f"op:{number}", slot) for slot, source in enumerate(picked)]
    return Graph(tuple(nodes), tuple(edges))


@settings(max_examples=60, derandomize=True, deadline=None)
@given(graph=graphs(), data=st.data())
def test_whatever_is_open_the_picture_is_whole(graph: Graph, data: st.DataObject) -> None:
    tree = group(graph.nodes, graph.edges)
    inside = [id for member in tree.members for id in nodes_in(member)]
    assert sorted(inside) == sorted(node.id for node in graph.nodes)  # each node once
    ids = [part.id for part in groups_in(tree.members)]
    assert len(set(ids)) == len(ids)
    opened = frozenset(data.draw(st.lists(st.sampled_from(ids)))) if ids else frozenset()
    nothing: frozenset[str] = frozenset()
    seen = Seen(graph, {}, None, nothing, nothing, nothing, nothing)
    drawn = draw_scene(seen, backward_now=False, view=View(opened=opened, closed=frozenset({"*"})))
    boxes = {box.node for box in drawn.nodes} | {part.part for part in drawn.parts if not part.open}
    assert all(line.source in boxes and line.target in boxes for line in drawn.lines)
    places = {box.node: box for box in drawn.nodes} | {part.part: part for part in drawn.parts}
    for line in drawn.lines:  # the flow has one direction, but for rows, which are read as text is
        source, target = places[line.source], places[line.target]
        below = source.y + source.height < target.y
        assert below if drawn.deeper else below or source.x + source.width < target.x
