"""What a viewer chose to see, as a text that travels."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.drawing.view import Area, Pin, View, near_word, read_view

PARTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=12)
PINS = st.none() | st.builds(Pin, PARTS, st.lists(st.integers(0, 40), max_size=3).map(tuple))
VIEWS = st.builds(View, st.frozensets(PARTS, max_size=5), st.frozensets(PARTS, max_size=5), PINS)


@settings(derandomize=True, deadline=None)
@given(view=VIEWS)
def test_a_view_reads_back(view: View) -> None:
    assert read_view(view.text()) == view


@settings(derandomize=True, deadline=None)
@given(text=st.text(max_size=200))
def test_nothing_from_outside_breaks_it(text: str) -> None:
    read_view(read_view(text).text())


def test_what_is_near_the_window_is_read_and_not_kept() -> None:
    view = read_view("+model ~-160,0,1440,1280,160")
    assert (view.near, view.margin) == (Area(-160, 0, 1440, 1280), 160)
    assert view.text() == "+model"
    assert near_word("0,0,10,10,5") == "~0,0,10,10,5"
    assert read_view("~0,0,10,10").near == Area(0, 0, 10, 10)  # without a margin
    for wrong in ("", "0,0,10", "10,0,0,10,5", "0,0,nan,10", "0,0,99999999999,10", "a,b,c,d", "0,0,10,10,-5"):
        assert near_word(wrong) == ""
        assert read_view(f"~{wrong}").near is None
    assert near_word("0,0,10,10 +x") == ""


def test_opening_and_closing_answer_each_other() -> None:
    view = View().opening("a").closing("b")
    assert view.is_open("a", by_default=False)
    assert not view.is_open("b", by_default=True)
    assert view.is_open("c", by_default=True)
    assert view.opening("b").is_open("b", by_default=False)
    assert view.opening("*").closing("a").is_open("z", by_default=False)
    assert not view.opening("*").closing("a").is_open("a", by_default=True)
    assert not view.closing("*").is_open("c", by_default=True)


def test_a_pin_is_taken_away_by_nothing() -> None:
    assert View().pinning("leaf:w[0,2]").pin == Pin("leaf:w", (0, 2))
    assert View().pinning("leaf:w[0,2]").pinning("").pin is None
    assert View().pinning("leaf:w[0,-1]").pin is None
