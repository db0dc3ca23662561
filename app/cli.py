"""The `gradflow` command. What a subcommand needs is imported when it is used, so that `gradflow run` starts fast."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from app import __version__
from app.export import command as export_command
from app.given import Complaint, find_script, read_script, script_in
from app.nearby import hint, hint_of_attribute
from app.teaching import marking

if TYPE_CHECKING:
    from app.views import CheckView
    from engine.script.interpreter import Failed
    from engine.script.limits import Limits
    from engine.tracing.moments import Failure

SLACK = 128 << 20
"""Bytes that Python and NumPy may map beside a script's own."""
SHORT = "in the trace, write references for what an earlier line has said: a sixth of it all"
TRACE = "write the trace: a moment a line; compressed where the name ends in .gz or .xz"
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute a command line; the exit status."""
    options = make_parser().parse_args(arguments)
    options.own_process = arguments is None
    try:
        status: int = options.execute(options)
    except Complaint as complaint:
        print(f"gradflow: {complaint}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough of it. Python would complain once more while it ends.
        sys.stdout = open("/dev/null", "w")  # noqa: PTH123, SIM115
        return 1
    return status


def make_parser() -> argparse.ArgumentParser:
    """Subcommands whose part is not installed are not offered."""
    parser = argparse.ArgumentParser(prog="gradflow", description="A time-travel debugger for PyTorch training loops.")
    parser.add_argument("--version", action="version", version=f"gradflow {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="serve pages and REST")
    serve.add_argument("--host", help="address to listen on (127.0.0.1)")
    serve.add_argument("--port", type=int, help="port to listen on (8000)")
    serve.add_argument("--workers", type=int, metavar="N", help="processes that execute scripts (one a core, up to 4)")
    serve.add_argument("--database-url", metavar="URL", help="the database (SQLite in a folder of yours)")
    serve.set_defaults(execute=execute_serve)

    run = commands.add_parser(
        "run",
        help="execute a script",
        description="Executes a script on our engine. It prints "
        "what it prints under PyTorch; an error ends it with status 1.",
    )
    run.add_argument("script", help="a file, the name of a scenario, or - for standard input")
    run.add_argument("--time", type=float, metavar="SECONDS", help="seconds it may take (60)")
    run.add_argument("--memory", type=read_size, metavar="BYTES", help="memory it may take, as 512M or 2G (1G)")
    run.add_argument("--steps", type=int, metavar="N", help="statements, loop turns and calls it may execute")
    run.add_argument("--trace", type=Path, metavar="FILE.ndjson", help=TRACE)
    run.add_argument("--short", action="store_true", help=SHORT)
    run.set_defaults(execute=execute_run)

    check = commands.add_parser("check", help="execute scripted scenarios with their expectations, or lessons")
    check.add_argument("scenario", type=Path, nargs="+", help="a YAML (or JSON) file, or a lesson (.py)")
    check.add_argument("--junit", type=Path, metavar="FILE.xml", help="write the results as JUnit XML as well")
    check.add_argument(
        "--against-torch",
        action="store_true",
        help="the files are scripts: compare what they print here with what the installed PyTorch prints",
    )
    check.set_defaults(execute=execute_check)
    export_command.add(commands)
    marking.add(commands)
    return parser


def read_size(text: str) -> int:
    """Bytes of "1073741824", "512M" or "2G"."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?)(?:i?b)?", text.strip().lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; as 512M or 2G")
    return int(float(found[1]) * UNITS[found[2]])


# ---------------------------------------------------------------------- serve


def execute_serve(options: argparse.Namespace) -> int:
    """Serve until told to end."""
    from app.serving import serve

    return serve(options)


# ---------------------------------------------------------------------- run


def execute_run(options: argparse.Namespace) -> int:
    """Execute a script in this process; its output as it comes."""
    gc.disable()  # until the script begins: what is imported stays, and need not be looked through while it grows
    try:
        return run_script(options)
    finally:
        gc.enable()


def run_script(options: argparse.Namespace) -> int:
    from engine.errors import SourceError

    source = script_in(read_script(options.script))
    name = "<stdin>" if options.script == "-" else options.script
    limits = limits_from(options)
    if options.own_process:
        hold_memory(limits.memory)
        from engine.script.limits.watch import watch

        watch.last_resort = lambda machine: give_up(machine.line, limits.time, source)
    try:
        if options.trace is not None:
            return run_with_trace(source, name, limits, options.trace, options.short)
        return run_plainly(source, name, limits)
    except SourceError as error:
        text = error.text or line_of(source, error.line)
        print(describe(error.kind, error.message, error.line, text), file=sys.stderr)
        return 1


def limits_from(options: argparse.Namespace) -> Limits:
    """The laptop's budgets, with those that flags set."""
    import dataclasses

    from engine.script.limits import Limits

    names = ("time", "memory", "steps")
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    for name, value in given.items():
        if value <= 0:
            raise Complaint(f"--{name} has to be more than 0")
    return dataclasses.replace(Limits(), **given)


def give_up(line: int, seconds: float, source: str) -> None:
    """End the process: one call into NumPy goes on long after the time budget was used up."""
    sys.stdout.flush()
    message = f"one statement runs longer: the budget `time` is {seconds:,} seconds"
    print(describe("LimitExceeded", message, line, line_of(source, line)), file=sys.stderr, flush=True)
    os._exit(1)


def hold_memory(budget: int) -> None:
    """Have the system refuse what is far beyond the budget: the interpreter looks only between two statements."""
    try:
        import resource

        used = int(Path("/proc/self/statm").read_bytes().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + budget + SLACK, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, OSError, ValueError):
        return  # not on this system


def run_plainly(source: str, name: str, limits: Limits) -> int:
    """Execute without recording."""
    from engine import replay
    from engine.script.interpreter import Interpreter
    from engine.script.reading.source import read_script as parse

    interpreter = Interpreter(
        parse(source, limits),
        limits=limits,
        write=write_out,
        write_error=write_error,
        warn=warner(name),
    )
    gc.freeze()  # what is there now stays: looking through it for garbage takes longer than many an iteration
    gc.enable()
    try:
        failed = replay.run(interpreter)
    finally:
        gc.unfreeze()
    if failed is not None:
        failed = interpreter.end()  # finally blocks and context managers around the failure still run
    sys.stdout.flush()
    if failed is None:
        return 0
    error, more = failed.exception, ""
    if type(error) is NameError and error.name:
        more = hint(interpreter.script.tree, failed.line, error.name, interpreter.globals)
    elif type(error) is AttributeError:
        more = hint_of_attribute(error)
    return tell_failure(failed, source, more)


def tell_failure(failed: Failed | Failure, source: str, more: str = "") -> int:
    """The exit status after a script's last error, which is told on stderr. As in Python, SystemExit is no error: its
    number is the status, and its text is printed. `more` follows the message."""
    if failed.type == "SystemExit":
        if re.fullmatch(r"-?\d{1,9}|", failed.message):
            return int(failed.message or 0) & 0xFF
        print(failed.message, file=sys.stderr)
        return 1
    print(describe(failed.type, failed.message + more, failed.line, line_of(source, failed.line)), file=sys.stderr)
    return 1


def run_with_trace(source: str, name: str, limits: Limits, file: Path, short: bool) -> int:
    """Execute statement by statement, and write each moment as it is made."""
    from app.short import writer_of
    from engine.run import Command, Run

    gc.enable()
    run = Run(source, limits=limits)
    write, warn = writer_of(short), warner(name)
    written = 0
    try:
        raw = file.open("wb")
    except OSError as error:
        raise Complaint(f"{file}: {error.strerror}") from None
    with raw, compressed(raw, file.suffix) as output:
        run.begin()
        while True:
            for number in range(written, run.last + 1):
                moment = run.moment(number)
                output.write(write(moment) + b"\n")
                write_out(moment.stdout)
                write_error(moment.stderr)
                for warned in moment.warnings:
                    warn(warned.category, warned.text, warned.line)
                if moment.error is not None:
                    sys.stdout.flush()
                    return tell_failure(moment.error, source)
            if run.state == "finished":
                break
            written = run.last + 1
            if run.execute(Command("next")).last < written:
                break
    sys.stdout.flush()
    return 0


def compressed(raw: IO[bytes], suffix: str) -> IO[bytes]:
    """A file that writes into `raw`, compressed as the ending of its name says."""
    if suffix == ".gz":
        import gzip

        return cast("IO[bytes]", gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
    if suffix == ".xz":
        import lzma

        return cast("IO[bytes]", lzma.LZMAFile(raw, "wb", preset=1))
    return raw


def write_out(text: str) -> None:
    """A script's output, as it comes: characters that the terminal has no code for are shown escaped."""
    try:
        sys.stdout.write(text)
    except UnicodeEncodeError:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def write_error(text: str) -> None:
    """What a script writes to stderr, behind what it has printed."""
    if text:
        sys.stdout.flush()
        sys.stderr.write(text)


def warner(name: str) -> Callable[[str, str, int], None]:
    """What tells of warnings on stderr. As in Python, each is told once for a line."""
    told: set[tuple[str, str, int]] = set()

    def warn(category: str, text: str, line: int) -> None:
        if (category, text, line) not in told:
            told.add((category, text, line))
            sys.stdout.flush()
            print(f"{name}:{line}: {category}: {text}", file=sys.stderr)

    return warn


def describe(kind: str, message: str, line: int, text: str) -> str:
    """An error as `gradflow run` prints it: type, message, line, and the source line."""
    return f"{kind}: {message}\n  line {line}: {text.strip()}" if message else f"{kind}\n  line {line}: {text.strip()}"


def line_of(source: str, line: int) -> str:
    lines = source.split("\n")
    return lines[line - 1] if 1 <= line <= len(lines) else ""


# ---------------------------------------------------------------------- check


def execute_check(options: argparse.Namespace) -> int:
    """Execute scripted scenarios in this process; one line for each expectation."""
    from app.junit import Suite, write_junit

    if options.against_torch:
        return check_against_torch(options.scenario)
    suites = []
    held = True
    for path in options.scenario:
        if len(options.scenario) > 1:
            print(f"{path}:")
        if path.suffix == ".py":
            held &= check_lesson(path)
            continue
        began = time.perf_counter()
        result = check_one(path)
        suites.append(Suite(str(path), result, time.perf_counter() - began))
        for row in result.results:
            told = "" if row.passed else f": got {row.got}"
            print(f"{'passed' if row.passed else 'FAILED'}  after {row.after}: {row.what}{told}")
        if result.error:
            print(result.error, file=sys.stderr)
    if options.junit is not None:
        try:
            write_junit(options.junit, suites)
        except OSError as error:
            raise Complaint(f"{options.junit}: {error.strerror}") from None
    return 0 if held and all(suite.result.passed for suite in suites) else 1


def check_lesson(path: Path) -> bool:
    """One line for each card; whether nothing is wrong with any."""
    from app.teaching import proof

    cards = proof.proof(path)
    for line in proof.told(cards):
        print(line)
    return not any(card.wrong for card in cards)


def check_against_torch(scripts: Sequence[Path]) -> int:
    """One line for each script; status 1 when one prints something else under PyTorch."""
    from app import parity

    status = 0
    for script in map(find_script, scripts):
        if not script.is_file():
            raise Complaint(f"{script}: there is no such file")
        ours = parity.printed_here(script)
        if ours.error.startswith("LimitExceeded"):
            status = 1
            print(f"not compared {script}: {ours.error}")
            continue
        try:
            theirs = parity.printed_by_torch(script)
        except ModuleNotFoundError as error:
            raise Complaint(f"{script}: {error}") from None
        found, ended = parity.compare(ours.text, theirs.text), parity.endings(ours, theirs)
        result = "different" if ended else found.result
        apart = f", numbers within {found.largest:.1g}" if found.largest else ""
        both = f", both end in {theirs.error.partition(':')[0]}" if theirs.error and not ended else ""
        print(f"{result:<12} {script} (PyTorch {theirs.version}{apart}{both})")
        status = 1 if result == "different" else status
        if found.line is not None:
            print(f"  line {found.line}\n    here:    {found.ours}\n    PyTorch: {found.theirs}")
        if ended:
            print(f"  at the end\n    here:    {ended[0]}\n    PyTorch: {ended[1]}")
    return status


def check_one(path: Path) -> CheckView:
    """What holds of one scripted scenario. A script that cannot be read is an error of its result."""
    from app import check, errors, library
    from app.views import CheckView
    from engine.errors import SourceError
    from engine.run import Run

    scenario = read_scenario(path)
    try:
        if "scenario" in scenario:
            try:
                source = library.scenario(str(scenario["scenario"])).source
            except KeyError:
                raise Complaint(f"there is no scenario {scenario['scenario']!r}") from None
        else:
            source = str(scenario["source"])
        commands = check.read_commands(scenario.get("commands", []))
        expectations = check.read_expectations(scenario.get("expect", []), len(commands))
        run = Run(source, seed=scenario.get("seed"))
        run.begin()
        return check.check(run, commands, expectations)
    except errors.BadCommand as error:
        raise Complaint(" - ".join(part for part in (error.message, error.suggestion) if part)) from None
    except SourceError as error:
        return CheckView(False, (), describe(error.kind, error.message, error.line, error.text))


def read_scenario(path: Path) -> dict[str, Any]:
    """A scripted scenario's file, read. JSON is YAML too."""
    import yaml

    try:
        scenario = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise Complaint(f"{path} is not YAML: {error}") from None
    if not isinstance(scenario, dict) or ("source" in scenario) == ("scenario" in scenario):
        raise Complaint(f"{path} needs either `source` or `scenario`")
    if unknown := set(scenario) - {"source", "scenario", "seed", "commands", "expect"}:
        raise Complaint(f"{path}: unknown {', '.join(sorted(map(str, unknown)))}")
    return scenario


if __name__ == "__main__":
    sys.exit(main())
