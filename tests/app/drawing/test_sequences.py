"""All 64 sequences of three presses end in a page that can be drawn, sent and read, at every event on the way."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from pathlib import Path

import msgspec
import pytest

from app.drawing.page import Page, draw_page
from engine.run import Command, Run

SOURCE = Path("app/scenarios/gradients-add-up.py")
PLACES = re.compile(r'data-node="([^"]+)".*?<rect class="frame" x="([^"]+)" y="([^"]+)"')
PHASES = ("zero_grad", "forward", "backward", "step")


@cache
def begun() -> Run:
    run = Run((Path(__file__).parents[3] / SOURCE).read_text(encoding="utf-8"))
    run.begin()
    return run


@pytest.mark.parametrize("presses", list(product(PHASES, repeat=3)), ids="-".join)
def test_three_presses(presses: tuple[str, ...]) -> None:
    run = begun().fork(begun().last)
    first = run.last
    places = set()
    for press in presses:
        run.execute(Command(press))
    for number in range(first, run.last + 1):
        for event in (None, *range(len(run.moment(number).events) + 1)):
            page = draw_page(run, number, event)
            assert msgspec.msgpack.decode(msgspec.msgpack.encode(page), type=Page) == page
            assert page.sentence.lead + page.sentence.rest
            assert sum(line.here for line in page.script) == 1
            assert sum(button.usual for button in page.phases) == 1
            places.add(tuple(PLACES.findall(page.picture.body)))
    assert len(places) == 1, "the picture moved"
    failed = run.moment(run.last).error
    if presses[-1] in ("zero_grad", "forward"):
        assert failed is None
    if presses == ("forward", "forward", "backward"):
        assert page.parameters[0].grad.text == "−8.0000"
