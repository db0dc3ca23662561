"""The scenarios: scripts that ship with the app (and those of a teacher's own folder), as data.

A scenario is a `.py` file in percent-cell format. Its first cell, `# %% [markdown]`, says what it is:

    # %% [markdown]
    # # Gradients add up
    # level: start here
    # minutes: 5
    # order: 1
    #
    # One paragraph that the gallery shows.
    #
    # More paragraphs: the lesson. Later markdown cells belong to it too.
"""

from __future__ import annotations

import re
from pathlib import Path

from app.views import ScenarioView

SHIPPED = Path(__file__).parent / "scenarios"
_SETTING = re.compile(r"(level|minutes|order|slug):\s*(.*)", re.IGNORECASE)


def read_library(extra: Path | None = None) -> tuple[ScenarioView, ...]:
    """Every scenario by its `order`, then its title. One in `extra` hides the shipped one of the same slug."""
    found: dict[str, tuple[float, ScenarioView]] = {}
    for folder in (SHIPPED, extra):
        if folder is not None and folder.is_dir():
            for path in sorted(folder.glob("*.py")):
                if not path.name.startswith("_"):
                    order, scenario = read_scenario(path.stem, path.read_text(encoding="utf-8"))
                    found[scenario.slug] = (order, scenario)
    return tuple(scenario for _, scenario in sorted(found.values(), key=lambda row: (row[0], row[1].title)))


def read_scenario(name: str, source: str) -> tuple[float, ScenarioView]:
    """A scenario and its place in the library. Whatever the first cell leaves out has a default."""
    cells = _markdown_cells(source)
    head = cells[0].splitlines() if cells else []
    slug = name.replace("_", "-")
    title = slug.replace("-", " ").capitalize()
    settings: dict[str, str] = {}
    rest: list[str] = []
    for line in head:
        if line.startswith("# ") and not rest:
            title = line[2:].strip()
        elif not "".join(rest).strip() and (found := _SETTING.fullmatch(line.strip())):
            settings[found[1].lower()] = found[2].strip()
        else:
            rest.append(line)
    summary, _, lesson = "\n".join(rest).strip().partition("\n\n")
    lesson = "\n\n".join(part for part in (lesson.strip(), *cells[1:]) if part)
    scenario = ScenarioView(
        slug=settings.get("slug") or slug,
        title=title,
        summary=" ".join(summary.split()),
        level=settings.get("level", ""),
        minutes=_number(settings.get("minutes"), 5),
        lesson=lesson,
        source=source,
    )
    return _number(settings.get("order"), 1000), scenario


def find(library: tuple[ScenarioView, ...], slug: str) -> ScenarioView | None:
    """The scenario of that slug."""
    return next((scenario for scenario in library if scenario.slug == slug), None)


def _markdown_cells(source: str) -> list[str]:
    """The text of each markdown cell, without the comment signs."""
    cells: list[str] = []
    lines: list[str] | None = None
    for line in source.splitlines():
        if line.startswith("# %%"):
            if lines is not None:
                cells.append("\n".join(lines).strip())
            lines = [] if "[markdown]" in line else None
        elif lines is not None:
            if line.startswith("#"):
                lines.append(line[2:] if line.startswith("# ") else line[1:])
            elif line.strip():
                cells.append("\n".join(lines).strip())
                lines = None
    if lines is not None:
        cells.append("\n".join(lines).strip())
    return cells


def _number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdigit() else otherwise


