"""Links that carry a run: what goes in comes out, and what is damaged is said."""

from __future__ import annotations

import base64
import html
import quopri
import re
import zlib
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from app.errors import BadCommand, TooLarge
from app.permalink import Program, from_fragment, to_fragment
from engine.run import Command

SIZE = 100_000
COMMANDS = st.one_of(
    st.sampled_from(["zero_grad", "forward", "backward", "step", "finish"]).map(Command),
    st.integers(1, 500).map(lambda times: Command("run", times=times)),
    st.text(min_size=1).filter(str.strip).map(lambda text: Command("statement", statement=text)),
)
PROGRAMS = st.builds(
    Program,
    st.text(max_size=300),
    st.none(),
    st.lists(COMMANDS, max_size=6).map(tuple),
    st.none() | st.integers(0, 2**64 - 1),
    st.none() | st.integers(0, 999),
    st.none() | st.integers(0, 99),
    st.just("") | st.text("0123456789abcdef", min_size=12, max_size=12),
)


@settings(derandomize=True)
@given(PROGRAMS)
def test_a_program_comes_out_as_it_went_in(program: Program) -> None:
    fragment = to_fragment(program)
    assert re.fullmatch(r"gf1=[A-Za-z0-9_-]*z", fragment)  # nothing that mail or Markdown would change
    assert from_fragment(fragment, SIZE) == program
    assert from_fragment(f"#{fragment}", SIZE) == program


HANDED_ON = [
    ("whole", "{link}"),
    ("in brackets", "({link})"),
    ("Markdown", "[the run]({link})."),
    ("Markdown autolink", "<{link}>"),
    ("at the end of a sentence", "See {link}."),
    ("in quotation marks", "“{link}”,"),
    ("spaces around", "  {link}\n"),
    ("text behind", "{link}\nRegards"),
]


@pytest.mark.parametrize(("name", "form"), HANDED_ON, ids=[name for name, _ in HANDED_ON])
@settings(derandomize=True, max_examples=40)
@given(program=PROGRAMS)
def test_a_link_survives_what_is_written_around_it(name: str, form: str, program: Program) -> None:
    assert from_fragment(form.format(link=f"https://example.org/open#{to_fragment(program)}"), SIZE) == program


BREAKS = ("\u2060", "<wbr>", "<wbr/>", "%3Cwbr%3E", "%E2%80%8B", "%25C2%25AD", "&shy;", "&#8203;", "\ufeff")
"""What is put into long words so that they can be broken, and what becomes of that in an address."""


@settings(derandomize=True, max_examples=60)
@given(PROGRAMS, st.integers(20, 90))
def test_a_link_survives_mail(program: Program, width: int) -> None:
    fragment = to_fragment(program)
    lines = [fragment[at : at + width] for at in range(0, len(fragment), width)]
    for joint in ("\n", "\r\n", "=\r\n", " \n", "\n> ", "\n    ", "\u200b", "\u00ad", *BREAKS):
        assert from_fragment(joint.join(lines), SIZE) == program
    assert from_fragment(quopri.encodestring(fragment.encode()).decode(), SIZE) == program  # the source of a mail
    assert from_fragment(quote(fragment, safe=""), SIZE) == program
    assert from_fragment(quote(quote(fragment, safe=""), safe=""), SIZE) == program
    assert from_fragment(fragment.replace("_", "\\_"), SIZE) == program
    assert from_fragment(fragment.replace("-", "\u2011"), SIZE) == program
    assert from_fragment(fragment.replace("=", "%3d"), SIZE) == program
    # As word processors join hyphens.
    assert from_fragment(fragment.replace("---", "—").replace("--", "–"), SIZE) == program
    # As Markdown prints it, and as HTML does.
    printed = MarkdownIt("gfm-like", {"typographer": True}).enable(["replacements", "smartquotes"])
    shown = re.sub("<[^>]*>", "", html.unescape(printed.disable("linkify").render(f"gf1 link: {fragment}")))
    assert from_fragment(shown, SIZE) == program


def test_a_link_with_two_hundred_presses_is_short_enough_for_mail() -> None:
    rounds = ("zero_grad", "forward", "backward", "step")
    program = Program(None, "gradients-add-up", tuple(Command(rounds[n % 4]) for n in range(200)))
    assert len(to_fragment(program)) < 300
    assert from_fragment(to_fragment(program), SIZE) == program


def test_a_scenario_is_carried_by_name() -> None:
    program = Program(None, "gradients-add-up", (Command("forward"),), moment=6)
    assert len(to_fragment(program)) < 120
    assert from_fragment(to_fragment(program), SIZE) == program


def packed(text: str) -> str:
    packer = zlib.compressobj(9, wbits=-15)
    body = packer.compress(text.encode()) + packer.flush()
    return "gf1=" + base64.urlsafe_b64encode(body).decode().rstrip("=") + "z"


@pytest.mark.parametrize(
    ("fragment", "part"),
    [
        ("", "begins with gf1="),
        ("m=12", "begins with gf1="),
        ("gf2=q1YqVrJSMlSyUlCqBQAz", "version 2 of its format; this server knows version 1"),
        ("gf1=", "damaged"),
        ("gf1=!!!z", "damaged"),
        (to_fragment(Program("x = 1\n" * 50, None))[:-6], "damaged"),
        (packed("{}"), "either a script or the name"),
        (packed('{"source": "x", "scenario": "y"}'), "either a script or the name"),
        (packed('{"source": 1}'), "damaged"),
        (packed('{"source": "x", "more": 1}'), "damaged"),
        (packed('{"source": "x", "commands": [{"do": "fly"}]}'), "damaged"),
        (packed("[" * 5000), "damaged"),
    ],
)
def test_a_damaged_link_is_said(fragment: str, part: str) -> None:
    with pytest.raises(BadCommand, match=part):
        from_fragment(fragment, SIZE)


def test_a_link_that_unpacks_to_too_much_is_refused() -> None:
    with pytest.raises(TooLarge, match="more than 100,000 bytes"):
        from_fragment(packed('{"source": "' + "x" * 10_000_000 + '"}'), SIZE)
    many = ", ".join(['{"do": "step"}'] * 10_001)
    with pytest.raises(TooLarge, match="10,001 commands"):
        from_fragment(packed(f'{{"source": "x", "commands": [{many}]}}'), 10**9)
