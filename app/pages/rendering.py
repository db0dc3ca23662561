"""Templates, with the addresses of assets in them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from app.assets import asset
from app.pages.changes import sent
from app.pages.markdown import inline_html, to_html
from app.pages.text import ENGLISH
from app.places import find_folder
from app.views import GradeView

environment = Environment(
    loader=FileSystemLoader(find_folder("templates")),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    lstrip_blocks=True,
    auto_reload=False,  # else every use of a template asks the disk whether it has changed
)


def inline_code(text: str) -> Markup:
    """Words in `backticks` as code; all else escaped."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 (escaped just before)


@lru_cache(maxsize=8192)
def _piece(name: str, one: Hashable, stops: Hashable) -> Markup:
    """A template of a piece of the page that is a matter of `one` and `stops` alone: most are as they were a press ago,
    and there are hundreds of them."""
    return Markup(render(name, one=one, stops=stops).strip())  # noqa: S704 (a template escapes)


def pieces(name: str, ones: Iterable[Any], stops: Mapping[int, Hashable] | None = None) -> list[tuple[str, Markup]]:
    """The template called `name` for each of `ones`, with its id; `stops` are the breakpoints, by the lines that `ones`
    are then."""
    return [(one.id, _piece(name, one, stops.get(one.number) if stops else None)) for one in ones]


environment.filters["inline_code"] = inline_code
environment.filters["markdown"] = to_html
environment.filters["inline_markdown"] = inline_html
environment.globals["asset"] = asset
environment.globals["pieces"] = pieces
environment.globals["t"] = ENGLISH
environment.globals["nonce"] = ""
environment.globals["shown"] = None
environment.globals["moving"] = False
environment.globals["answer_to"] = sent.answer


def render(name: str, **values: Any) -> str:
    """A template as text."""
    return environment.get_template(name).render(**values)


async def render_aside(name: str, **values: Any) -> str:
    """The same in a thread: a page with a large picture would hold up everybody else's answers."""
    return await asyncio.to_thread(render, name, **values)


def render_told(told: GradeView) -> str:
    """What a prediction is told, as HTML."""
    said = {"feedback": inline_html(told.feedback), "because": inline_html(told.because)}
    return render("told.html", told=told, **said).strip()
