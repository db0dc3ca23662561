"""Markdown as HTML: lesson cards and the documentation. Raw HTML in it is shown as text."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound


@dataclass(frozen=True)
class Document:
    """A page of the documentation. `sections` are its headings of the second level, as (anchor, text)."""

    title: str
    summary: str
    html: Markup
    sections: tuple[tuple[str, str], ...]


def _highlighted(code: str, language: str, _: object) -> str:
    try:
        return str(highlight(code, get_lexer_by_name(language), HtmlFormatter(nowrap=True, classprefix="hl-")))
    except ClassNotFound:
        return ""


_reader = MarkdownIt("commonmark", {"html": False, "typographer": False, "highlight": _highlighted}).enable("table")


@lru_cache(maxsize=1024)
def to_html(text: str) -> Markup:
    """A text with paragraphs."""
    return Markup(_reader.render(text))  # noqa: S704 (raw HTML is off: all text is escaped)


@lru_cache(maxsize=1024)
def inline_html(text: str) -> Markup:
    """One line, without a paragraph around it."""
    return Markup(_reader.renderInline(text))  # noqa: S704


def read_document(text: str, folder: Path) -> Document:
    """A page of docs/, which is `folder`: its headings get anchors, links between pages lead to /learn, and pictures
    have their size, so that nothing moves when they come."""
    tokens = _reader.parse(text)
    title = summary = ""
    sections: list[tuple[str, str]] = []
    for token, after in pairwise(tokens):
        if token.type == "heading_open":
            anchor = re.sub(r"[^a-z0-9]+", "-", after.content.lower()).strip("-")
            token.attrSet("id", anchor)
            if token.tag == "h1":
                title = title or _plain(after)
            elif token.tag == "h2":
                sections.append((anchor, _plain(after)))
        elif token.type == "paragraph_open" and not summary:
            summary = _plain(after)
        for child in token.children or ():
            _relink(child, folder)
    html = _reader.renderer.render(tokens, _reader.options, {})
    return Document(title, summary[:300], Markup(_scrolling(html)), tuple(sections))  # noqa: S704


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))


def _relink(token: Token, folder: Path) -> None:
    if token.type == "link_open":
        address = str(token.attrGet("href") or "")
        page = re.fullmatch(r"(?:docs/)?([a-z-]+)\.md(#.*)?", address)
        if page:
            token.attrSet("href", f"/learn/{page[1]}{page[2] or ''}")
        elif not re.match(r"https://|/|#", address):  # another file of the repository: its text stays
            token.attrs.pop("href", None)
    elif token.type == "image":
        address = str(token.attrGet("src") or "")
        if address.startswith("images/"):
            token.attrSet("src", f"/learn/{address}")
            if address.endswith(".png"):
                width, height = _size_of_png(folder / address)
                token.attrSet("width", str(width))
                token.attrSet("height", str(height))


def _size_of_png(file: Path) -> tuple[int, int]:
    """In pixels, from the header: https://www.w3.org/TR/png-3/#11IHDR."""
    with file.open("rb") as stream:
        width, height = struct.unpack(">16x2I", stream.read(24))
    return width, height


def _scrolling(html: str) -> str:
    """What may be too wide for a phone scrolls by itself, also by keyboard."""
    html = html.replace("<table>", '<div class="wide-content" tabindex="0"><table>').replace(
        "</table>", "</table></div>"
    )
    return html.replace("<pre>", '<pre tabindex="0">')
