"""Two runs in step: which moments belong together, and what is marked as different."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.drawing.chart import chart_data
from app.drawing.compare import align, both_charts, changes, compare
from app.drawing.page import draw_page
from engine.run import Command, Run
from engine.run.repeating import repeat
from engine.tracing.moments import Summary
from tests.app.drawing import moments

SCRIPT = """import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(4):
    opt.zero_grad()
    loss = (w - 3) ** 2
    loss.backward()
    opt.step()
"""


def finished(source: str) -> Run:
    run = Run(source)
    run.begin()
    run.execute(Command("finish"))
    return run


def summary(number: int, line: int, iteration: int) -> Summary:
    return Summary(number, line, None, None, iteration, False, None)


def test_the_same_statements_stay_together() -> None:
    a, b = finished(SCRIPT), finished(SCRIPT.replace("    opt.zero_grad()\n", ""))
    pairs = align(a.summaries(), b.summaries())
    assert pairs[-1] == (a.last, b.last)
    for here, there in pairs:
        one, two = a.moment(here), b.moment(there)
        assert one.iteration == two.iteration
        if one.do == "step":
            assert two.do == "step"


@settings(derandomize=True, max_examples=80, deadline=None)
@given(*[st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), min_size=1, max_size=40)] * 2)
def test_every_moment_is_seen_once_in_order(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    sides = [[summary(index, line, step) for index, (line, step) in enumerate(side)] for side in (a, b)]
    pairs = align(*sides)
    for side, own in enumerate(sides):
        seen = [pair[side] for pair in pairs]
        assert seen == sorted(seen)
        assert set(seen) == set(range(len(own)))
    assert len(set(pairs)) == len(pairs)


def test_a_very_long_iteration_is_matched_by_place() -> None:
    sides = [[summary(index, index % 7, 1) for index in range(count)] for count in (900, 1000)]
    assert align(*sides)[-1] == (899, 999)


def test_places_in_which_scripts_differ() -> None:
    (change,) = changes(SCRIPT, SCRIPT.replace("lr=0.1", "lr=0.5"))
    assert change.line == 3
    assert "lr=0.1" in change.a[0]
    assert "lr=0.5" in change.b[0]
    assert changes(SCRIPT, SCRIPT) == ()


def test_what_differs_is_marked_and_told() -> None:
    story = moments.story()
    tensors = tuple(replace(one, grad=np.float32(-3.0)) if one.name == "b" else one for one in story[-1].tensors)
    graph = replace(
        story[-1].graph,
        nodes=tuple(
            replace(one, grad=np.array(-3.0, np.float32)) if one.name == "b" else one for one in story[-1].graph.nodes
        ),
    )
    other = [*story[:-1], replace(story[-1], tensors=tensors, graph=graph)]
    a, b = draw_page(moments.FakeRun(story), 11), draw_page(moments.FakeRun(other), 11)
    compared = compare(a, b)
    assert compared.text == "Different here: b.grad."
    assert [row.name for row in compared.rows if row.differs] == ["b"]
    assert [graph.count('class="differs node') for graph in compared.graphs] == [1, 1]
    assert 'id="a-' in compared.graphs[0]
    assert 'id="a-' not in compared.graphs[1]
    assert "tabindex" not in compared.graphs[0]


def test_nothing_differs() -> None:
    page = draw_page(moments.FakeRun(), 11)
    compared = compare(page, page)
    assert compared.text.startswith("Every parameter")
    assert "differs" not in compared.graphs[0]


def test_both_losses_on_one_axis() -> None:
    a, b = finished(SCRIPT), finished(SCRIPT.replace("lr=0.1", "lr=0.6"))
    pairs = align(a.summaries(), b.summaries())
    charts = both_charts(chart_data(a.series()), chart_data(b.series()), ("A", "B"), pairs, len(pairs) - 1)
    loss = charts[0]
    assert [curve.name for curve in loss.curves] == ["loss A", "loss B"]
    assert [point.moment for point in loss.points] == [pairs.index(pair) for pair in pairs if a.moment(pair[0]).loss]


def test_commands_are_repeated_while_they_fit() -> None:
    run = Run(SCRIPT)
    run.begin()
    for do in ("zero_grad", "forward", "backward", "step"):
        run.execute(Command(do))
    run.execute(Command("run", times=2))
    without = repeat(SCRIPT.replace("    opt.zero_grad()\n", ""), None, run.commands)
    assert [command.do for command, _ in without.commands] == ["forward", "backward", "step", "run"]
    assert without.moment(without.last).iteration == run.moment(run.last).iteration
    run.execute(Command("to_line", line=8))
    shorter = repeat(SCRIPT.replace("    opt.step()\n", ""), None, run.commands)
    assert [command.do for command, _ in shorter.commands][-1] == "run"  # line 8 is not there any more
