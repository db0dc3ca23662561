"""LaTeX as the HTML of a card: MathML, broken into lines where it may be, which MathML itself never is."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from latex2mathml.converter import convert

_SIGNED = re.compile(r"(</mo>|<mi>:</mi>|<mrow>)<mo>&#x02212;</mo><mn>")
"""A minus sign that belongs to its number, which MathML would otherwise set as a subtraction."""
COLON = '<mo lspace="0" rspace=".35em">:</mo>'
_WORDS = re.compile(r"\\text\{([^{}]* [^{}]*)\}")
"""Words in a formula, of more than one."""
LONG_WORDS = 20
"""Letters from which they may be broken into lines, which MathML never is."""


def equation(left: str, right: str) -> str:
    """One that may be broken before its sign."""
    return f'<span class="words">{_mathml(left)} {typeset(f"= {right}")}</span>'


def went(name: str, before: str, after: str) -> str:
    """ "name: before after", which may be broken between these."""
    return f'<span class="words">{_mathml(rf"{name} :")} {_mathml(before)} {_mathml(after)}</span>'


def typeset(latex: str) -> str:
    """MathML; where it has many words, pieces of it between words that can be broken into lines."""
    parts = _WORDS.split(latex)  # what is no words, words, ...
    if sum(map(len, parts[1::2])) < LONG_WORDS or any(part.count("{") != part.count("}") for part in parts[::2]):
        return _mathml(latex)
    pieces = [
        escape(part) if number % 2 else _mathml(part) if part.strip() else "" for number, part in enumerate(parts)
    ]
    return f'<span class="words">{" ".join(piece for piece in pieces if piece)}</span>'


@lru_cache(maxsize=4096)
def _mathml(latex: str) -> str:
    return _SIGNED.sub(r"\1<mn>&#x02212;", str(convert(latex))).replace("<mi>:</mi>", COLON)
