"""Many views packed small come out as they went in."""

from __future__ import annotations

import base64
import gzip
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from app.export.packing import PIECE, Packer, compress, edits, pieces_of, unpack
from app.export.states import State, packed_states, unpack_states

PIECES = st.sampled_from(["<p>", "</p>", "one\n", "two", '"\\u003cg\\u003e', "\n", "> >", "\0", ""])
TEXTS = st.lists(st.lists(PIECES, max_size=12).map("".join), min_size=1, max_size=8)


@settings(derandomize=True)
@given(TEXTS)
def test_a_text_is_cut_behind_tags_and_lines(texts: list[str]) -> None:
    for text in texts:
        assert pieces_of(text) == PIECE.findall(text)


@settings(derandomize=True)
@given(TEXTS, st.data())
def test_views_come_out_as_they_went_in(texts: list[str], data: st.DataObject) -> None:
    packer = Packer()
    numbers = []
    for text in texts:
        base = data.draw(st.none() | st.integers(-1, len(packer) - 1))
        numbers.append(packer.add(text, base))
    unpacked = unpack(packer.packed())
    assert [unpacked[number] for number in numbers] == texts
    assert len(unpacked) == len(set(texts))


@settings(derandomize=True)
@given(st.lists(st.integers(0, 5)), st.lists(st.integers(0, 5)))
def test_edits_make_one_list_of_another(before: list[int], after: list[int]) -> None:
    made = list(before)
    for start, count, numbers in reversed(edits(before, after)):
        made[start : start + count] = numbers
    assert made == after


def test_the_same_is_packed_the_same() -> None:
    packed = compress({"pieces": ["a"]})
    assert packed == compress({"pieces": ["a"]})
    assert json.loads(gzip.decompress(base64.b64decode(packed))) == {"pieces": ["a"]}


STATES = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 3), st.lists(st.lists(st.integers(0, 99), min_size=1), max_size=3)),
    min_size=1,
    max_size=8,
)


@settings(derandomize=True)
@given(STATES, st.data())
def test_states_come_out_as_they_went_in(drawn: list[tuple[int, int, list[list[int]]]], data: st.DataObject) -> None:
    states = []
    for number, (last, before, seen) in enumerate(drawn):
        parent = data.draw(st.integers(0, number - 1)) if number else None
        first = last - before
        states.append(State(parent, last, dict(enumerate(seen, start=first)) if seen else {}))
        if parent is not None:
            states[parent].presses[data.draw(st.sampled_from(["step", "next", "at 5"]))] = number
    packed = json.loads(json.dumps(packed_states(states)))
    assert unpack_states(packed) == states
