"""The layout's promises: no overlaps, no edge behind a box, every edge ends at its boxes."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.drawing.layout import Box, Direction, Frame, Layout, Place, Tree, boxes_in, lay_out

Edges = tuple[tuple[str, str], ...]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[tuple[Box, ...], Edges]:
    """Small graphs in topological order, with boxes of many sizes, some with a caption below the frame."""
    count = draw(st.integers(1, 14))
    boxes = []
    for number in range(count):
        port = draw(st.sampled_from([24.0, 62.0, 90.0]))
        boxes.append(
            Box(
                f"n{number}",
                draw(st.sampled_from([40.0, 118.0, 120.0])),
                port + draw(st.sampled_from([0.0, 14.0])),
                port,
            )
        )
    edges = []
    for target in range(1, count):
        sources = draw(st.lists(st.integers(0, target - 1), max_size=3))
        edges += [(f"n{source}", f"n{target}") for source in sources]
    return tuple(boxes), tuple(edges)


@st.composite
def nested(draw: st.DrawFn) -> tuple[tuple[Tree, ...], tuple[Box, ...], Edges]:
    """The same with neighbours in frames, up to three deep."""
    boxes, edges = draw(graphs())
    trees: list[Tree] = list(boxes)
    for depth in range(draw(st.integers(0, 3))):
        first = draw(st.integers(0, len(trees) - 1))
        last = draw(st.integers(first + 1, len(trees)))
        name_width = draw(st.sampled_from([0.0, 400.0]))
        trees[first:last] = [Frame(f"frame{depth}", tuple(trees[first:last]), name_width)]
    return tuple(trees), boxes, edges


def frames_in(trees: tuple[Tree, ...]) -> dict[str, Frame]:
    found = {}
    for tree in trees:
        if isinstance(tree, Frame):
            found[tree.id] = tree
            found |= frames_in(tree.members)
    return found


def are_apart(a: Place, b: Place) -> bool:
    return (
        a.x + a.width < b.x + 0.01
        or b.x + b.width < a.x + 0.01
        or a.y + a.height < b.y + 0.01
        or b.y + b.height < a.y + 0.01
    )


def points_along(layout: Layout, edge: int) -> list[tuple[float, float]]:
    points = layout.routes[edge].points
    found = []
    for start in range(0, len(points) - 1, 3):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[start : start + 4]
        for step in range(21):
            t = step / 20
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            found.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return found


@pytest.mark.parametrize(("direction", "widest"), [("right", math.inf), ("down", math.inf), ("right", 420.0)])
@settings(max_examples=120, derandomize=True, deadline=None)
@given(graph=nested())
def test_promises(direction: Direction, widest: float, graph: tuple[tuple[Tree, ...], tuple[Box, ...], Edges]) -> None:
    trees, boxes, edges = graph
    layout = lay_out(trees, edges, direction, widest=widest)
    ids = [box.id for box in boxes]
    for index, one in enumerate(ids):
        a = layout.places[one]
        assert a.x > -0.01
        assert a.y > -0.01
        assert a.x + a.width < layout.width + 0.01
        assert a.y + a.height < layout.height + 0.01
        for other in ids[index + 1 :]:
            assert are_apart(a, layout.places[other]), f"{one} and {other} overlap"
    for id, frame in frames_in(trees).items():
        place, within = layout.places[id], set(boxes_in(frame))
        for box in ids:
            b = layout.places[box]
            if box not in within:
                assert are_apart(place, b), f"{box} is not of {id} but in it"
                continue
            assert place.x < b.x
            assert place.y + 20 < b.y  # below the name
            assert b.x + b.width < place.x + place.width
            assert b.y + b.height < place.y + place.height
    frames = {box.id: box.port for box in boxes}
    for number, (source, target) in enumerate(edges):
        start, end = layout.places[source], layout.places[target]
        first, last = layout.routes[number].points[0], layout.routes[number].points[-1]
        if direction == "right":
            assert first[0] == pytest.approx(start.x + start.width)
            assert start.y <= first[1] <= start.y + frames[source]
            assert last[0] == pytest.approx(end.x)
            assert end.y <= last[1] <= end.y + frames[target]
        else:
            assert first[1] == pytest.approx(start.y + frames[source])
            assert last[1] == pytest.approx(end.y)
            assert end.x <= last[0] <= end.x + end.width
        foreign = [frame for frame in frames_in(trees).values() if not {source, target} & set(boxes_in(frame))]
        behind = [*(set(ids) - {source, target}), *(frame.id for frame in foreign)]
        for x, y in points_along(layout, number):
            for other in behind:
                box = layout.places[other]
                inside = box.x + 1 < x < box.x + box.width - 1 and box.y + 1 < y < box.y + box.height - 1
                assert not inside, f"{source} -> {target} runs behind {other}"


def chain(length: int) -> tuple[tuple[Box, ...], Edges]:
    boxes = tuple(Box(f"n{number}", 120, 76, 62) for number in range(length))
    return boxes, tuple((f"n{number}", f"n{number + 1}") for number in range(length - 1))


def test_what_is_too_wide_is_broken_into_rows() -> None:
    boxes, edges = chain(7)
    layout = lay_out(boxes, edges, widest=708)
    assert layout.width <= 708
    assert len({place.y for place in layout.places.values()}) == 2
    first, *_, last = layout.routes[3].points  # from the last of the first row to the first of the second
    assert last[0] < first[0]
    assert last[1] > first[1]
    assert {layout.places[f"n{number}"].y for number in range(4)} == {layout.places["n0"].y}


def test_a_leaf_stands_beside_its_consumer() -> None:
    boxes, edges = chain(5)
    layout = lay_out((Box("leaf", 118, 86, 86), *boxes), (*edges, ("leaf", "n4")))
    assert layout.places["leaf"].x == pytest.approx(layout.places["n3"].x, abs=2)


def test_a_chain_is_a_straight_line() -> None:
    layout = lay_out(*chain(6))
    assert len({round(place.y, 3) for place in layout.places.values()}) == 1


def test_what_is_computed_in_turn_is_a_straight_line_beside_its_parameters() -> None:
    boxes, edges = chain(8)
    leaves = [(f"{name}{number}", f"n{number}") for number in range(1, 8) for name in ("w", "b")]
    layout = lay_out((*(Box(leaf, 118, 110, 110) for leaf, _ in leaves), *boxes), (*leaves, *edges))
    heights = [layout.places[box.id].y for box in boxes[1:]]
    assert max(heights) - min(heights) < 5


def test_what_is_far_apart_in_one_row_is_not_in_the_one_before() -> None:
    """Two computations, and beside their ends alone much that stands between them."""
    chains = {name: [Box(f"{name}{number}", 120, 76, 62) for number in range(8)] for name in "ab"}
    edges = [(f"{name}{number}", f"{name}{number + 1}") for name in "ab" for number in range(7)]
    between = [Box(f"m{number}", 118, 110, 110) for number in range(5)]
    edges += [("a0", "sum"), ("b0", "sum"), *((box.id, "sum") for box in between)]
    edges += [(id, "end") for id in ("sum", "a7", "b7")]
    first, second = chains.values()
    boxes = (first[0], second[0], *between, *first[1:], *second[1:])
    places = lay_out((*boxes, Box("sum", 120, 76, 62), Box("end", 120, 76, 62)), tuple(edges), widest=708).places
    assert places["a0"].y < places["a4"].y < places["a7"].y
    assert places["b7"].y - places["a7"].y > 300
    assert places["b4"].y - places["a4"].y < 200


def test_down_is_right_turned() -> None:
    boxes, edges = chain(4)
    down = lay_out(boxes, edges, "down")
    assert len({round(place.x, 3) for place in down.places.values()}) == 1
    assert down.places["n0"].y < down.places["n3"].y


def test_a_parameter_used_often_leaves_as_one_trunk() -> None:
    boxes, edges = chain(6)
    layout = lay_out((Box("w", 118, 86, 86), *boxes), (*edges, *((("w", f"n{number}")) for number in (1, 3, 5))))
    routes = layout.routes[-3:]
    assert {route.points[0] for route in routes} == {routes[0].points[0]}
    assert routes[1].points[:7] == routes[2].points[:7]


def test_nothing_is_drawn_for_nothing() -> None:
    assert lay_out((), ()).places == {}


def test_three_hundred_nodes_are_quick() -> None:
    boxes, edges = chain(300)
    extra = tuple((f"n{number}", f"n{number + 7}") for number in range(0, 290, 3))
    lay_out.cache_clear()
    began = time.process_time()
    lay_out(boxes, edges + extra)
    assert time.process_time() - began < 2


def test_lines_from_everywhere_to_everywhere_are_quick() -> None:
    """Led around all that is between, they would have half a million points to pass."""
    boxes, edges = chain(400)
    edges += tuple((f"n{a}", f"n{b}") for b in range(400) for a in range(0, b - 1, 20))
    lay_out.cache_clear()
    began = time.process_time()
    made = lay_out(boxes, edges, widest=2000.0)
    assert time.process_time() - began < 4
    for (source, target), route in zip(edges, made.routes, strict=True):
        start, end = made.places[source], made.places[target]
        assert route.points[0][0] == pytest.approx(start.x + start.width)
        assert route.points[-1][0] == pytest.approx(end.x)
