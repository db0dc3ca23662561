"""A page from moments made by hand: what is shown at a cursor, and that it can be sent."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from app.drawing.page import Page, ParameterRow, draw_page
from app.drawing.rewind import see
from app.drawing.scene import Line, NodeBox, Scene, draw_scene
from app.drawing.svg import draw_svg
from engine.run import Command, Run
from engine.run.series import Row, Series
from engine.tracing.events import ParameterSkipped
from engine.tracing.moments import Failure, Summary
from tests.app.drawing import moments

RUN = moments.FakeRun()
BACKWARD = 11  # the second backward of the story
FORWARD = 8
ZERO_GRAD = 7


def scene(page: Page, run: moments.FakeRun = RUN) -> Scene:
    """The scene that a page of `run` prints."""
    moment = run.moment(page.number)
    return draw_scene(see(moment, page.event), backward_now=moment.do == "backward" and moment.error is None)


def node(page: Page, name: str, run: moments.FakeRun = RUN) -> NodeBox:
    return next(box for box in scene(page, run).nodes if name in (box.name, box.title))


def text(page: Page, name: str, tone: str, run: moments.FakeRun = RUN) -> str:
    return next(field.figure.text for field in node(page, name, run).fields if field.tone == tone)


def line(page: Page, source: str, target: str) -> Line:
    return next(one for one in scene(page).lines if (one.source, one.target) == (source, target))


def parameter(page: Page, name: str) -> ParameterRow:
    return next(row for row in page.parameters if row.name == name)


@pytest.mark.parametrize("number", range(len(RUN.moments)))
def test_a_page_can_be_sent(number: int) -> None:
    page = draw_page(RUN, number)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(page), type=Page) == page


def test_the_whole_statement() -> None:
    page = draw_page(RUN, BACKWARD)
    assert text(page, "w", "value") == "1.5000"
    assert text(page, "w", "grad") == "−16.0000"
    assert text(page, "x", "grad") == "None"
    assert text(page, "w * x", "passing") == "−4.0000"
    assert node(page, "w").ledger_text == "−8 + −8"
    assert len(node(page, "w").ledger) == 2
    assert parameter(page, "w").after is not None
    assert parameter(page, "w").after.text == "2.3000"  # type: ignore[union-attr]
    assert page.sentence.lead == "backward()"
    assert page.sentence.offers[0].commands == ({"do": "step"},)
    assert [button.usual for button in page.phases] == [False, False, False, True]
    assert [one.number for one in page.script if one.here] == [10]
    assert [one.number for one in page.script if one.next] == [11]


STEPPED = """import torch
w = torch.tensor(1.5, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(3):
    loss = (w * 2.0) ** 2
    loss.backward()
    opt.step()
"""


def test_after_a_step_the_graph_is_out_of_date_and_freed() -> None:
    run = Run(STEPPED)
    run.begin()
    for do in ("forward", "backward", "step"):
        run.execute(Command(do))
    drawn = draw_scene(see(run.moment(run.last), None), backward_now=False)
    assert [box.mood for box in drawn.nodes if box.kind != "leaf"] == ["stale freed", "stale freed"]
    assert (drawn.stale, drawn.freed) == (True, True), "the legend has words for both"
    assert drawn.nodes[-1].spoken.endswith("its saved tensors are freed, computed from values that have changed since")


def test_half_a_backward() -> None:
    page = draw_page(RUN, BACKWARD, 4)  # b has its gradient, w has not
    assert text(page, "b", "grad") == "−8.0000"
    assert text(page, "w", "grad") == "−8.0000"
    assert parameter(page, "w").grad.text == "−8.0000"
    assert len(node(page, "w").ledger) == 1
    assert text(page, "w * x", "passing") == "None"
    assert text(page, "+ b", "passing") == "−4.0000"
    assert node(page, "w").ahead
    assert node(page, "b").current
    assert not node(page, "b").ahead
    assert line(page, "leaf:b", "op:9.1").flow == "backward"
    assert line(page, "leaf:w", "op:9.0").flow == ""
    assert parameter(page, "w").after is None
    assert "b.grad held −4: plus −4 makes −8" in page.sentence.rest
    assert page.formula is not None
    assert page.formula.title == "inside backward() · 4 of 6 · b"


def test_before_the_first_event() -> None:
    page = draw_page(RUN, BACKWARD, 0)
    assert text(page, "w", "grad") == "−8.0000"
    assert all(line.flow == "" for line in scene(page).lines)
    assert page.formula is None


def test_events_beyond_the_last_are_the_last() -> None:
    assert draw_page(RUN, BACKWARD, 99) == draw_page(RUN, BACKWARD, 6)


def test_a_moment_without_events_has_no_inside() -> None:
    assert draw_page(RUN, 2, 1).event is None


def test_half_a_forward_leaves_ghosts() -> None:
    page = draw_page(RUN, FORWARD, 2)
    assert [box.mood for box in scene(page).nodes if box.kind != "leaf"] == ["live", "live", "ghost", "ghost"]


def test_the_layout_does_not_move() -> None:
    places = {tuple((box.x, box.y) for box in scene(draw_page(RUN, number)).nodes) for number in range(3, 12)}
    assert len(places) == 1


def test_edges_grow_with_the_gradient() -> None:
    page = draw_page(RUN, BACKWARD)
    assert line(page, "leaf:w", "op:9.0").width > line(page, "op:9.0", "op:9.1").width > 1.5


def test_formula_of_a_node_and_of_a_sum() -> None:
    formula = draw_page(RUN, BACKWARD, 6).formula
    assert formula is not None
    assert formula.rows[-1].text == "w.grad: −8.0 + −8.0 = −16.0"
    assert formula.rows[-2].text == "= −4.0 × local = −8.0"
    for row in formula.rows:
        assert any(one.tag.endswith("math") for one in ET.fromstring(row.mathml).iter())
        assert "style=" not in row.mathml


def test_none_to_none_is_told() -> None:
    formula = draw_page(RUN, ZERO_GRAD).formula
    assert formula is not None
    assert formula.rows[0].text == "w.grad: was None already, now None"


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("AdamW([w], lr=0.1)", "lr 0.1 · betas (0.9, 0.999) · eps 1e-08 · weight_decay 0.01"),
        ("SGD([w], lr=0.1, maximize=True)", "lr 0.1 · maximize True"),
    ],
)
def test_of_an_optimizer_what_does_something_is_told(made: str, told: str) -> None:
    run = Run(f"import torch\nw = torch.ones(1, requires_grad=True)\nopt = torch.optim.{made}\n")
    run.begin()
    while run.moment(run.last).next_line is not None:
        run.execute(Command("next"))
    assert [one.settings for one in draw_page(run, run.last).optimizers] == [told]


def test_a_step_shows_the_optimizers_own_line() -> None:
    story = moments.story()
    event = moments.step_event()
    story.append(replace(story[-1], number=12, do="step", events=(event, ParameterSkipped("leaf:b", "b", "SGD"))))
    run = moments.FakeRun(story)
    formula = draw_page(run, 12, 1).formula
    assert formula is not None
    assert [row.text for row in formula.rows[:2]] == ["w = w - lr * grad", "= 1.5 - 0.05 * -16 = 2.3"]
    assert text(draw_page(run, 12, 0), "w", "value", run) == "1.5000"
    assert "stays where it is" in draw_page(run, 12, 2).sentence.rest


def test_an_error_marks_its_line() -> None:
    story = moments.story()
    failure = Failure("RuntimeError", "Trying to backward through the graph a second time", 10, suggestion="Press F.")
    story.append(replace(story[-1], number=12, events=(), error=failure))
    page = draw_page(moments.FakeRun(story), 12)
    assert page.error is not None
    assert [one.number for one in page.script if one.error] == [10]
    assert page.sentence.failed
    assert page.timeline.ticks[-1].failed


def drawn_after(source: str, *typed: str) -> Page:
    """The page of a run's last moment, once it has gone to its end and statements have been typed."""
    run = Run(source)
    run.execute(Command("finish"))
    for statement in typed:
        run.execute(Command("statement", statement=statement))
    return draw_page(run, run.last)


def test_what_failed_is_underlined_in_the_line_and_below_the_message() -> None:
    page = drawn_after("def f(x):\n    return 1 + x / 0\nf(2)\n")
    assert page.error is not None
    assert (page.error.line, page.error.excerpt) == (2, "return 1 + x / 0\n           ^^^^^")
    assert "".join(w.text for w in page.script[1].words if w.style.endswith("at-fault")) == "x / 0"
    assert "".join(w.text for w in page.script[1].words) == "    return 1 + x / 0"


def test_a_typed_statement_that_fails_is_no_line_of_the_script() -> None:
    page = drawn_after("def f(x):\n    return x / 0\n", "missing + 1")
    assert page.error is not None
    assert (page.error.line, page.error.excerpt) == (0, "missing + 1\n^^^^^^^")
    assert not any(line.error for line in page.script)
    page = drawn_after("def f(x):\n    return x / 0\n", "f(2)")
    assert page.error is not None
    assert page.error.line == 2
    assert [line.number for line in page.script if line.error] == [2]


def test_names_that_markup_could_trip_over() -> None:
    story = moments.story()
    graph = story[-1].graph
    nodes = tuple(replace(one, name="<b>&\\frac{1}") if one.name == "w" else one for one in graph.nodes)
    story.append(replace(story[-1], number=12, graph=replace(graph, nodes=nodes)))
    run = moments.FakeRun(story)
    for event in range(7):
        formula = draw_page(run, 12, event).formula
        for row in formula.rows if formula else ():
            assert "<b>" not in row.mathml
            if row.mathml:
                ET.fromstring(row.mathml)
    ET.fromstring(draw_svg(run, 12))


def test_the_picture_as_a_file() -> None:
    root = ET.fromstring(draw_svg(RUN, BACKWARD))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert {one.get("data-name") for one in root.iter() if one.get("data-kind") == "leaf"} == {"w", "b", "x", "target"}


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_as_a_file_needs_nothing_else(dark: bool) -> None:
    text = draw_svg(RUN, BACKWARD, dark)
    assert "var(" not in text
    assert "$" not in text
    assert ('fill="#14161b"' in text) is dark
    assert "brief" not in text  # short names, which pages show from afar only
    for one in ET.fromstring(text).iter():
        for name, value in one.attrib.items():
            # Nothing is fetched, and no link leads into a page that is not there.
            assert not name.endswith("href"), value
            assert "url(" not in value or "url(#" in value


def test_thousands_of_moments_are_compressed() -> None:
    run = moments.FakeRun()
    many = [Summary(number, 9, "forward", "forward", number, number == 777, 1 / (number + 1)) for number in range(5000)]
    run.summaries = lambda: many  # type: ignore[method-assign]
    series = Series(())
    series.curves.append(("loss", "loss"))
    series.rows += [Row(one.number, one.iteration, {("loss", "loss"): one.loss or 0.0}) for one in many]
    run.series = lambda: series  # type: ignore[method-assign]
    page = draw_page(run, 11)
    assert len(page.timeline.ticks) <= 160
    assert page.timeline.ticks[0].first == 0
    assert page.timeline.ticks[-1].last == 4999
    assert [tick.failed for tick in page.timeline.ticks].count(True) == 1
    assert [tick.current for tick in page.timeline.ticks].count(True) == 1
    assert page.charts[0].curves[0].path.count("L") < 260


def test_a_matrix_is_drawn_and_told() -> None:
    story = moments.story()
    value, grad = np.ones((30, 4), np.float32), np.full((30, 4), -2, np.float32)
    graph = story[-1].graph
    nodes = tuple(
        replace(one, shape=(30, 4), value=value, grad=grad) if one.name == "w" else one for one in graph.nodes
    )
    story.append(replace(story[-1], number=12, graph=replace(graph, nodes=nodes)))
    run = moments.FakeRun(story)
    page = draw_page(run, 12)
    kinds = {field.figure.kind for field in node(page, "w", run).fields}
    assert kinds == {"cells"}
    assert page.picture.scale == "values ±1.0 · gradients ±2.0"
    assert "shape (30, 4)" in node(page, "w", run).spoken


def test_an_operation_whose_result_nobody_holds_is_told_without_its_picture() -> None:
    run = Run(
        "import torch\nw = torch.tensor(2.0, requires_grad=True)\nloss = w * 3\nfor i in range(2):\n"
        "    loss = w * 3\n    print((loss / 5).item())\n    (loss / 4).backward()\n"
    )
    run.begin()
    run.execute(Command("forward"))
    run.execute(Command("next"))
    told = draw_page(run, run.last, 1).sentence.rest
    assert told.endswith(
        "What is computed from loss is recorded as DivBackward0. No variable holds it: it is not drawn."
    )
    run.execute(Command("backward"))
    assert draw_page(run, run.last, 1).sentence.rest.endswith(
        "loss / 4 = 1.5. It is recorded as DivBackward0 for a later backward."
    )


BESIDE = """import torch
x = torch.tensor([1.0, 2.0])
w = torch.ones(2, requires_grad=True)
for i in range(2):
    loss = (w * w).sum()
    loss.backward()
    seen = torch.zeros(1)
    norm = -w.grad.sum()
"""


def test_tensors_outside_of_the_graph_are_variables() -> None:
    run = Run(BESIDE)
    run.execute(Command("finish"))
    rows = {row.name: row for row in draw_page(run, run.last).tensors}
    assert [(name, row.figure.kind, row.figure.text) for name, row in rows.items()] == [
        ("x", "cells", "2 tensor, norm 2.2361"),
        ("seen", "number", "0.0000"),
        ("norm", "number", "−8.0000"),
    ]
    assert rows["x"].caption == "float32 2"


def test_what_is_in_the_picture_or_a_parameter_is_no_variable() -> None:
    run = Run(
        "import torch\nw, y, z = torch.ones(2, requires_grad=True), torch.ones(2), torch.ones(3)\nloss = (w * y).sum()"
    )
    run.begin()
    run.execute(Command("finish"))
    assert [row.name for row in draw_page(run, run.last).tensors] == ["z"]
