"""What an answer brings of a picture: only what the page has not got."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from app.drawing.markup import Picture, Piece
from app.drawing.page import draw_page
from app.pages.changes import LAYERS, LINE, Sent
from engine.run import Command, Run


def piece(id: str, text: str) -> Piece:
    return id, f'<g id="{id}">{text}</g>', 0, 0, 10, 10


def line(id: str, title: str, way: str = "C20.0 2.0 30.0 2.0 30.0 9.0L", ends: str = "3.0 4.0") -> Piece:
    """A line as app/drawing/markup.py prints it: its way is long."""
    path = f'{LINE}{ends}{way * 9}{ends}" stroke-width="1.5"/>'
    return id, f'<g class="edge" id="{id}"><title>{title}~</title>{path}<path class="head" d="M1 2"/></g>', 0, 0, 10, 10


def told(sent: Sent, picture: Picture, shown: str | None) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(sent.changes(picture, shown))
    return answer


class Page:
    """What static/js/brought.js does with answers."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, list[Any]]] = {}
        self.token = ""

    def take(self, answer: dict[str, Any]) -> dict[str, list[Any]]:
        before = self.kept[answer["had"]] if answer["had"] else {}
        picture = {}
        for name in LAYERS:
            old = {one[0]: one for one in before.get(name, [])}
            picture[name] = [old[one] if isinstance(one, str) else self.join(one, old) for one in answer[name]]
        self.token = answer["token"]
        self.kept[self.token] = picture
        return picture

    @staticmethod
    def join(told: list[Any], old: dict[str, list[Any]]) -> list[Any]:
        id, markup, *place = told
        if isinstance(markup, str):
            return told
        lengths = [one or old[id][6][index] for index, one in enumerate(markup)]
        return [id, "".join(lengths), *place, lengths]


def whole(picture: Picture) -> dict[str, list[Any]]:
    return {name: [list(one) for one in getattr(picture, name)] for name in LAYERS}


def test_where_a_line_goes_is_brought_once() -> None:
    sent, page = Sent(), Page()
    pictures = [
        Picture(lines=(line("a", "3 flows", ends="3.0 4.0"), line("b", "same"))),
        Picture(lines=(line("a", "4 flows", ends="5.0 4.0"), line("b", "same"))),
        Picture(lines=(line("a", "4 flows"), line("b", "other"))),
        Picture(lines=(line("a", "goes elsewhere", way="C1.0 2.0 3.0 4.0 5.0 6.0"),)),
    ]
    answers = []
    for picture in pictures:
        answers.append(told(sent, picture, page.token))
        kept = page.take(answers[-1])
        assert [one[:6] for one in kept["lines"]] == whole(picture)["lines"]
    way = answers[0]["lines"][0][1][1]
    assert len(way) > 100
    assert [answer["lines"][0][1][1] for answer in answers[1:3]] == [0, 0]
    assert answers[1]["lines"][1] == "b"
    assert answers[2]["lines"][1][1][1] == 0  # it is known though the line did not come with the last answer
    assert answers[3]["lines"][0][1][1] not in (0, way)
    assert isinstance(told(sent, pictures[0], None)["lines"][0][1], str)  # nobody asks on: it stands in one piece


GRIDS = """import torch

w = torch.linspace(-1, 1, 12).reshape(3, 4).requires_grad_()
optimizer = torch.optim.SGD([w], lr=0.1)

for i in range(3):
    optimizer.zero_grad()
    h = w.tanh()
    loss = (h ** 2).sum()
    loss.backward()
    optimizer.step()
"""


def test_cells_and_numbers_of_a_drawn_tensor_are_brought_once() -> None:
    """What a box is called and how it is marked changes at each press; what is drawn in it stays."""
    run = Run(GRIDS)
    run.begin()
    sent, page = Sent(), Page()
    tanh = []
    for do in ("forward", "backward", "step"):
        run.execute(Command(do))
        picture = draw_page(run, run.last).picture
        answer = told(sent, picture, page.token)
        assert [one[:6] for one in page.take(answer)["nodes"]] == whole(picture)["nodes"]
        tanh.append(next(one[1] for one in answer["nodes"] if "TanhBackward0" in "".join(filter(None, one[1]))))
    forward, backward, step = tanh
    assert "|" in forward[1]
    assert "<path" in forward[3]
    assert [backward[1], backward[3]] == [0, 0]  # its value stands, and what passed is new
    assert "|" in backward[5]
    assert all(step[index] == 0 for index in (1, 3, 5, 7))
    assert "stale" in step[0]


def test_only_what_differs_is_brought() -> None:
    sent = Sent()
    first = told(sent, Picture(nodes=(piece("a", "1"), piece("b", "1"))), "")
    second = told(sent, Picture(nodes=(piece("b", "1"), piece("a", "2"))), first["token"])
    assert first["had"] == ""
    assert second["had"] == first["token"]
    assert second["nodes"] == ["b", list(piece("a", "2"))]


def test_an_unknown_picture_brings_everything() -> None:
    picture = Picture(nodes=(piece("a", "1"),))
    assert told(Sent(), picture, "feed") == told(Sent(), picture, "")


def test_nothing_ends_the_script_that_it_stands_in() -> None:
    assert "<" not in Sent().changes(Picture(nodes=(piece("a", "</script><!--"),)), "")


def test_lines_and_panels_come_when_they_are_others() -> None:
    sent = Sent()

    def give(shown: str | None, line: str, panel: str) -> tuple[str, dict[str, Any]]:
        answer = sent.answer(shown)
        text = answer.items("listing", [("line-1", Markup("<li>same</li>")), ("line-2", Markup(line))])
        text += answer.panel("div", "charts", lambda: Markup(panel))
        return text, json.loads(answer.data(Picture()))

    text, first = give("", "<li>1</li>", "<div>1</div>")
    assert text == '<div id="charts" data-same></div>'
    assert first["lists"] == {"listing": [["line-1", "<li>same</li>"], ["line-2", "<li>1</li>"]]}
    assert first["panels"] == {"charts": "<div>1</div>"}
    _, second = give(first["token"], "<li>2</li>", "<div>1</div>")
    assert second["lists"] == {"listing": ["line-1", ["line-2", "<li>2</li>"]]}
    assert second["panels"] == {"charts": None}
    text, whole = give(None, "<li>2</li>", "<div>1</div>")
    assert text == "<li>same</li><li>2</li><div>1</div>"
    assert whole["lists"] == whole["panels"] == {}
    assert give("", "<li></li>", " ")[0] == " "  # a panel that is not there


def test_nobody_who_asks_on_nothing_kept() -> None:
    sent = Sent()
    picture = Picture(nodes=(piece("a", "1"),))
    assert told(sent, picture, None)["token"] == ""
    assert told(sent, picture, "")["token"] != ""


def test_the_oldest_are_forgotten() -> None:
    sent = Sent(most=3)
    pictures = [Picture(nodes=(piece("a", str(n)), piece("b", "same"))) for n in range(3)]
    tokens = [told(sent, picture, "")["token"] for picture in pictures]
    assert told(sent, pictures[0], tokens[0])["had"] == ""
    assert told(sent, pictures[0], tokens[2])["had"] in ("", tokens[2])
    latest = told(sent, pictures[1], "")["token"]
    assert told(sent, pictures[1], latest)["nodes"] == ["a", "b"]


pieces = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["1", "2", "<&>"]), max_size=6).map(
    lambda found: tuple(piece(id, text) for id, text in found.items())
)
ways = st.sampled_from(["C20.0 2.0 30.0 2.0 30.0 9.0", "L1.0 2.0 ", "L1.0 2.0C3.0 4.0 5.0 6.0 7.0 8.0", ""])
ends = st.sampled_from(["1.0 2.0", "3.0 2.0"])
lines = st.dictionaries(st.sampled_from("uvw"), st.tuples(st.sampled_from("12~"), ways, ends), max_size=3).map(
    lambda found: tuple(line(id, *how) for id, how in found.items())
)
drawn = st.builds(lambda lines, nodes: Picture(lines=lines, nodes=nodes), lines, pieces)


@settings(derandomize=True, max_examples=60)
@given(st.lists(st.tuples(drawn, st.integers(0, 3)), min_size=1, max_size=8), st.integers(1, 40))
def test_a_page_ends_with_the_whole_picture_whichever_one_it_said_it_has(
    steps: list[tuple[Picture, int]], most: int
) -> None:
    sent, page = Sent(most), Page()
    for picture, back in steps:
        shown = ["", *page.kept][-1 - min(back, len(page.kept))]
        taken = page.take(told(sent, picture, shown))
        assert {name: [one[:6] for one in layer] for name, layer in taken.items()} == whole(picture)
