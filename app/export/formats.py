"""What a run can be exported as: by the ending of the file's name, a function that gives its bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from app import encode, pictures
from app.export.offline import export
from app.export.scorm import package
from app.library import ScenarioError, read_scenario
from engine.run import Run

Writer = Callable[[Run, str, int | None, int | None], bytes]
"""Of a run, a title, a moment (None: the last, or for pages where they open) and a number of foreseen presses."""


def title_of(path: Path, source: str) -> str:
    """The title of a scenario, or the name of a script's file."""
    try:
        return read_scenario(path.stem, source).title
    except ScenarioError:
        return path.name


def offline_page(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """The debugger as one HTML file."""
    return export(run, title, start=moment, depth=depth).encode()


def scorm(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """The same in a package that an LMS takes."""
    return package(export(run, title, start=moment, depth=depth), title)


def transcript(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """The program executed so far."""
    return run.transcript().encode()


def notebook(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """The program executed so far as a Jupyter notebook: a heading and one cell."""
    return notebook_of(run.transcript(), title)


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


def svg(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """The graph as a picture."""
    return pictures.svg(run, run.last if moment is None else moment).encode()


def dot(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """The graph for Graphviz."""
    return pictures.dot(run.moment(run.last if moment is None else moment).graph).encode()


def table(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """Losses, gradient norms and learning rates of every pass, as CSV with a heading line."""
    return table_of(run)


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


def trace(run: Run, title: str, moment: int | None, depth: int | None) -> bytes:
    """The trace: a moment a line."""
    return b"".join(encode.moment_json(run.moment(number)) + b"\n" for number in range(run.last + 1))


FORMATS: dict[str, Writer] = {
    ".html": offline_page,
    ".zip": scorm,
    ".py": transcript,
    ".ipynb": notebook,
    ".svg": svg,
    ".dot": dot,
    ".csv": table,
    ".ndjson": trace,
}
