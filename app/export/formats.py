"""What a run can be exported as: by the ending of the file's name, a function that gives its bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app import encode, pictures
from app.export.offline import Watch, export
from app.export.scorm import package
from app.library import ScenarioError, read_scenario
from app.teaching.lessons import Card
from engine.errors import Stopped
from engine.run import Command, Run
from engine.tracing.moments import Moment


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written: a run, a title, a moment (None: the last, or for pages where they open), a number of
    foreseen presses (None: as fits), the cards of a lesson. `watch` may end the work (app/export/offline.py)."""

    run: Run
    title: str
    moment: int | None = None
    depth: int | None = None
    cards: tuple[Card, ...] = ()
    watch: Watch | None = None

    @property
    def number(self) -> int:
        return self.run.last if self.moment is None else self.moment


FORESEEN_ON_SERVER = 2
ITERATIONS_ON_SERVER = 10

Writer = Callable[[Wanted], bytes]


def cards_of(path: Path, source: str) -> tuple[Card, ...]:
    """The lesson of a scenario; none of any other script."""
    try:
        return read_scenario(path.stem, source).cards
    except ScenarioError:
        return ()


def on_server(run: Run, ending: str, moment: int, should_stop: Callable[[], bool]) -> bytes:
    """A file for somebody who waits for it: few presses are foreseen. Raises KeyError (no such ending), Stopped."""

    def watch() -> None:
        if should_stop():
            raise Stopped("the export took too long")

    write = FORMATS[f".{ending}"]
    if not run.commands and run.phases:  # nobody has pressed anything: a file of that would be empty
        run = run.fork(run.last)
        run.execute(Command("run", times=ITERATIONS_ON_SERVER), should_stop)
    path = Path("script.py")
    return write(Wanted(run, title_of(path, run.source), moment, FORESEEN_ON_SERVER, cards_of(path, run.source), watch))


def title_of(path: Path, source: str) -> str:
    """The title of a scenario, or the name of a script's file."""
    try:
        return read_scenario(path.stem, source).title
    except ScenarioError:
        return path.name


def offline_page(wanted: Wanted) -> bytes:
    """The debugger as one HTML file."""
    return _page(wanted).encode()


def _page(wanted: Wanted) -> str:
    return export(
        wanted.run, wanted.title, start=wanted.moment, depth=wanted.depth, cards=wanted.cards, watch=wanted.watch
    )


def scorm(wanted: Wanted) -> bytes:
    """The same in a package that an LMS takes."""
    return package(_page(wanted), wanted.title)


def transcript(wanted: Wanted) -> bytes:
    """The program executed so far."""
    return wanted.run.transcript().encode()


def notebook(wanted: Wanted) -> bytes:
    """The program executed so far as a Jupyter notebook: a heading and one cell."""
    return notebook_of(wanted.run.transcript(), wanted.title)


def notebook_of(program: str, title: str) -> bytes:
    """A program as a notebook (nbformat 4.5)."""
    cells = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": [f"# {title}"]},
        {
            "cell_type": "code",
            "id": "program",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": program.splitlines(keepends=True),
        },
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
    return (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode()


def svg(wanted: Wanted) -> bytes:
    """The graph as a picture."""
    return pictures.svg(wanted.run, wanted.number).encode()


class NotInstalled(RuntimeError):
    """A format needs a package that is not there; the message says which."""


def png(wanted: Wanted) -> bytes:
    """The graph as a picture of pixels, twice as large as the SVG, on white. Raises NotInstalled."""
    try:
        import resvg_py
    except ImportError:
        raise NotInstalled("a .png needs resvg_py (pip install 'gradient-flow[png]'); an .svg needs nothing") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg(wanted).decode(), zoom=2, background="white"))


def dot(wanted: Wanted) -> bytes:
    """The graph for Graphviz."""
    return pictures.dot(wanted.run.moment(wanted.number).graph).encode()


def table(wanted: Wanted) -> bytes:
    """Losses, gradient norms and learning rates of every pass, as CSV with a heading line."""
    return table_of(wanted.run)


def table_of(run: Run) -> bytes:
    """One row for each pass: moment, iteration, then a column for each loss, norm and learning rate."""
    series = run.series()
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    words = {"loss": "", "norm": "gradient norm ", "rate": "learning rate "}
    rows.writerow(["moment", "iteration", *(f"{words[kind]}{name}" for kind, name in series.curves)])
    for row in series.rows:
        rows.writerow([row.moment, row.iteration, *(row.values.get(curve, "") for curve in series.curves)])
    return text.getvalue().encode()


def trace(wanted: Wanted) -> bytes:
    """The trace: a moment a line."""
    lines: list[bytes] = []

    def take(moment: Moment) -> bool:
        lines.append(encode.moment_json(moment) + b"\n")
        return True

    wanted.run.retell(0, wanted.run.last, take)
    return b"".join(lines)


FORMATS: dict[str, Writer] = {
    ".html": offline_page,
    ".zip": scorm,
    ".py": transcript,
    ".ipynb": notebook,
    ".svg": svg,
    ".png": png,
    ".dot": dot,
    ".csv": table,
    ".ndjson": trace,
}
