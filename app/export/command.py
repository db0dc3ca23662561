"""`gradflow export`: a script's run as a file that needs no server."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.given import Complaint, find_script, read_script, script_in

if TYPE_CHECKING:
    from engine.run import Run

ITERATIONS = 30


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's parser."""
    export = commands.add_parser(
        "export",
        help="write a script's run as a file that needs no server",
        description="Executes a script and writes what happened, in the format that the file's name ends with: .html"
        " (the debugger as one offline page), .zip (the same as a SCORM 1.2 package), .py and .ipynb (the program"
        " executed so far), .svg, .png and .dot (the graph), .csv (losses and gradient norms), .ndjson (the trace).",
    )
    export.add_argument("script", help="a Python file, a notebook, or the name of a scenario")
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="(the script's name with .html, or .zip for a SCORM package)"
    )
    export.add_argument("--iterations", type=int, default=ITERATIONS, metavar="N", help=f"of the loop ({ITERATIONS})")
    export.add_argument("--moment", type=int, metavar="N", help="the moment that it opens at or is of")
    export.add_argument("--title", help="the page's title (the scenario's, or the file's name)")
    export.add_argument("--depth", type=int, metavar="N", help="presses that are foreseen (6 for a small graph)")
    export.add_argument("--scorm", action="store_true", help="a SCORM 1.2 package, whatever the name ends with")
    export.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Write the file; status 1 when the script ends in an error on the way (what was recorded is written)."""
    from app.export.formats import FORMATS, NotInstalled, Wanted, cards_of, title_of
    from engine.errors import SourceError
    from engine.run import Command, Run

    script = find_script(options.script)
    output = options.output or Path(script.stem + (".zip" if options.scorm else ".html"))
    write = FORMATS.get(".zip" if options.scorm else output.suffix.lower())
    if write is None:
        raise Complaint(f"{output.name} ends with no known format; there are {', '.join(FORMATS)}")
    if options.iterations < 1:
        raise Complaint(f"--iterations must be 1 or more, not {options.iterations}")
    source = script_in(read_script(options.script))
    try:
        run = Run(source)
    except SourceError as error:
        raise Complaint(f"{options.script}, line {error.line}: {error.kind}: {error.message}") from None
    run.begin()
    if any(phase for phase in run.phases):
        run.execute(Command("run", times=options.iterations))
    elif run.state != "failed":
        run.execute(Command("finish"))
    if options.moment is not None and not 0 <= options.moment <= run.last:
        raise Complaint(f"there is no moment {options.moment}: the last is {run.last}")
    title = options.title or title_of(script, source)
    try:
        file = write(Wanted(run, title, options.moment, options.depth, cards_of(script, source)))
    except NotInstalled as error:
        raise Complaint(str(error)) from None
    try:
        output.write_bytes(file)
    except OSError as error:
        raise Complaint(f"{output}: {error.strerror}") from None
    return _tell(run, output)


def _tell(run: Run, output: Path) -> int:
    print(f"{output}: {run.last + 1} moments, {output.stat().st_size:,} bytes")
    error = run.moment(run.last).error
    if error is not None:
        print(f"it ends with line {error.line}: {error.type}: {error.message}", file=sys.stderr)
    return 0 if error is None else 1
