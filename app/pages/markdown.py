"""Markdown as HTML: lesson cards and the documentation. Raw HTML in it is shown as text."""

from __future__ import annotations

from functools import lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup

_reader = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")


@lru_cache(maxsize=1024)
def to_html(text: str) -> Markup:
    """A text with paragraphs."""
    return Markup(_reader.render(text))  # noqa: S704 (raw HTML is off: all text is escaped)


@lru_cache(maxsize=1024)
def inline_html(text: str) -> Markup:
    """One line, without a paragraph around it."""
    return Markup(_reader.renderInline(text))  # noqa: S704
