"""`gradflow grade`: executes what students handed in, and writes which expectations hold into a table."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.given import Complaint, read_script, script_in

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


SECONDS = 60.0
MEMORY = 1 << 30
GRACE = 20.0
"""Seconds beyond its own limit after which a submission's process is ended."""
MOST_TOLD = 1 << 20
"""Bytes that are read of what a submission's process tells."""
ENDINGS = (".py", ".ipynb")


@dataclass(frozen=True, slots=True)
class Mark:
    """One submission: for each expectation whether it holds, and the error that ended it ("": none)."""

    name: str
    held: tuple[bool, ...]
    error: str = ""

    @property
    def share(self) -> float:
        return sum(self.held) / len(self.held) if self.held else 0.0


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The subcommand's parser."""
    grade = commands.add_parser(
        "grade",
        help="execute the scripts of a folder and check what should hold of each",
        description="Executes every .py and .ipynb file of a folder, each in a process of its own under limits, and"
        " writes a table (CSV) of the expectations that hold.",
    )
    grade.add_argument("folder", type=Path)
    grade.add_argument("--expect", type=Path, required=True, metavar="FILE.yaml", help="what should hold")
    grade.add_argument("-o", "--output", type=Path, metavar="FILE.csv", help="the table (standard output)")
    grade.add_argument("--time", type=float, default=SECONDS, metavar="SECONDS", help="for each submission (60)")
    grade.set_defaults(execute=execute)


def execute(options: argparse.Namespace) -> int:
    """Status 0 once the table is written, whatever stands in it."""
    expected = read_expected(options.expect)
    if not options.folder.is_dir():
        raise Complaint(f"{options.folder} is no folder")
    files = sorted(file for file in options.folder.iterdir() if file.suffix in ENDINGS)
    if not files:
        raise Complaint(f"{options.folder} holds no {' or '.join(ENDINGS)} file")
    marks = []
    for file in files:
        marks.append(mark(file, expected, options.time))
        print(f"{file.name}: {marks[-1].share:.0%} {marks[-1].error}".rstrip(), file=sys.stderr)
    names = [describe(one) for one in expected["expect"]]
    if options.output is None:
        write(sys.stdout, names, marks)
    else:
        with options.output.open("w", encoding="utf-8", newline="") as out:
            write(out, names, marks)
    return 0


def read_expected(path: Path) -> dict[str, Any]:
    """The file of expectations: {"iterations" or "commands", "expect", "seed"}. Raises Complaint."""
    import yaml

    from app import check
    from app.errors import BadCommand

    try:
        expected = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Complaint(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    except yaml.YAMLError as error:
        raise Complaint(f"{path}: {error}") from None
    if not isinstance(expected, dict) or not isinstance(expected.get("expect"), list) or not expected["expect"]:
        raise Complaint(f"{path} has to be a mapping with `expect`, a list of what should hold")
    if unknown := set(expected) - {"iterations", "commands", "expect", "seed"}:
        raise Complaint(f"{path}: unknown {min(unknown)!r}; known are iterations, commands, expect and seed")
    iterations = expected.get("iterations")
    if iterations is not None and (not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 1):
        raise Complaint(f"{path}: iterations has to be a whole number from 1 on, not {iterations!r}")
    seed = expected.get("seed")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**64):
        raise Complaint(f"{path}: seed has to be a whole number from 0 on, below 2**64, not {seed!r}")
    try:
        commands = check.read_commands(expected.get("commands", []))
        check.read_expectations(_plain(expected["expect"]), len(commands))
    except BadCommand as error:
        raise Complaint(f"{path}: {error.message}") from None
    return expected


def describe(expectation: Mapping[str, Any]) -> str:
    """An expectation as the heading of its column."""
    absent = "no " if expectation.get("absent") else ""
    for kind in ("tensor", "error", "stdout", "finding"):
        if kind in expectation:
            equals = f" = {expectation['equals']}" if "equals" in expectation else ""
            return f"{absent}{kind} {expectation[kind]}{equals}"
    return "expectation"


def mark(file: Path, expected: Mapping[str, Any], seconds: float) -> Mark:
    """Execute one submission in a process of its own."""
    import multiprocessing

    import msgspec

    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_execute, args=(theirs, str(file), dict(expected), seconds), daemon=True)
    process.start()
    theirs.close()
    none = (False,) * len(expected["expect"])
    try:
        if ours.poll(seconds + GRACE):
            # Not a pickle: the process executed what somebody handed in.
            held, error = msgspec.json.decode(ours.recv_bytes(MOST_TOLD), type=tuple[tuple[bool, ...], str])
            return Mark(file.name, held, error)
        return Mark(file.name, none, f"it took more than {seconds:g} seconds")
    except (EOFError, OSError, msgspec.DecodeError):
        return Mark(file.name, none, "its process ended (out of memory?)")
    finally:
        process.kill()
        process.join()


def _execute(out: Connection, path: str, expected: dict[str, Any], seconds: float) -> None:
    """In the submission's own process."""
    import msgspec

    from app import check
    from app.worker.confine import set_limits
    from engine.errors import SourceError
    from engine.run import Command, Run
    from engine.script.limits import Limits
    from engine.script.reading.notebook import read_notebook

    rows = expected["expect"]
    held: Sequence[bool] = [False] * len(rows)
    error = ""
    try:
        text = read_script(path)
        source = read_notebook(text) if path.endswith(".ipynb") else script_in(text)
        set_limits(3 * MEMORY)
        run = Run(source, seed=expected.get("seed"), limits=Limits(time=seconds, memory=MEMORY))
        run.begin()
        commands = list(check.read_commands(expected.get("commands", [])))
        if not commands:
            iterations = expected.get("iterations")
            commands = [Command("run", times=iterations) if iterations and run.phases else Command("finish")]
        view = check.check(run, commands, check.read_expectations(_plain(rows), len(commands)))
        last = run.moment(run.last).error
        error = view.error or (f"line {last.line}: {last.type}: {last.message}" if last else "")
        # What broke off has shown nothing to be absent, unless the error was asked for.
        whole = not error or any("error" in row and not row.get("absent") for row in rows)
        held = [
            whole and not one.passed if row.get("absent") else one.passed
            for one, row in zip(view.results, rows, strict=True)
        ]
    except SourceError as broken:
        error = f"line {broken.line}: {broken.kind}: {broken.message}"
    except Complaint as broken:
        error = str(broken)
    out.send_bytes(msgspec.json.encode((held, error[:1000])))


def _plain(rows: Sequence[Any]) -> list[Any]:
    """Expectations as `gradflow check` knows them: `absent` turns one round, and is ours alone."""
    return [{k: v for k, v in row.items() if k != "absent"} if isinstance(row, Mapping) else row for row in rows]


def write(out: Any, names: Sequence[str], marks: Sequence[Mark]) -> None:
    """The table: a heading, then a row for each submission."""
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["file", *names, "share", "error"])
    for one in marks:
        rows.writerow(
            [_safe(one.name), *("yes" if held else "no" for held in one.held), f"{one.share:.2f}", _safe(one.error)]
        )


def _safe(text: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    text = " ".join(text.split())
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
