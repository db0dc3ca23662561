"""Scripted scenarios: a script, commands, and what has to hold afterwards. Pure: a Run goes in, a CheckView comes out.

    {"source": "...", "seed": 0,
     "commands": [{"do": "forward"}, {"do": "backward"}],
     "expect": [{"after": 2, "tensor": "w.grad", "equals": -8.0, "tolerance": 1e-6},
                {"after": 2, "error": "backward through the graph a second time"},
                {"after": 2, "stdout": "loss 16"},
                {"after": 2, "finding": "missing-zero-grad"}]}

`after` counts commands: 0 is before the first, and after the last when it is left out.
"""

from __future__ import annotations

import dataclasses
import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from app.encode import nested
from app.errors import BadCommand
from app.views import CheckView, ExpectationView
from engine.errors import CommandError
from engine.run import Command, Run
from engine.tracing.diagnosis import KINDS as FINDINGS
from engine.tracing.moments import Moment

SHOWN = 1000
"""Elements of a tensor that an answer lists."""

KINDS = ("tensor", "error", "stdout", "finding")


@dataclasses.dataclass(frozen=True, slots=True)
class Expectation:
    """One row of `expect`, read. `kind` is one of KINDS; `wanted` its value."""

    after: int
    kind: str
    wanted: Any
    name: str = ""
    tolerance: float = 1e-6


def read_commands(rows: Any) -> tuple[Command, ...]:
    """Raises BadCommand."""
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise BadCommand("commands has to be a list", 'for example [{"do": "forward"}, {"do": "backward"}]')
    commands = []
    for position, row in enumerate(rows, start=1):
        # A bare word is the command of that name: `- forward` in YAML.
        values = {"do": row} if isinstance(row, str) else row
        if not isinstance(values, Mapping):
            raise BadCommand(f"command {position} has to be a mapping with `do`")
        try:
            commands.append(Command.from_dict(values))
        except CommandError as error:
            raise BadCommand(f"command {position}: {error.message}", error.suggestion) from None
    return tuple(commands)


def read_expectations(rows: Any, commands: int) -> tuple[Expectation, ...]:
    """Raises BadCommand, saying which row and why."""
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise BadCommand("expect has to be a list", 'for example [{"after": 2, "tensor": "w.grad", "equals": -8}]')
    expectations = []
    for position, row in enumerate(rows, start=1):
        try:
            expectations.append(_read_expectation(row, commands))
        except ValueError as error:
            raise BadCommand(f"expectation {position}: {error}") from None
    return tuple(expectations)


def _read_expectation(row: Any, commands: int) -> Expectation:
    if not isinstance(row, Mapping):
        raise ValueError("has to be a mapping")
    kinds = [kind for kind in KINDS if kind in row]
    if len(kinds) != 1:
        raise ValueError(f"has to name one of {', '.join(KINDS)}")
    kind = kinds[0]
    allowed = {"after", kind} | ({"equals", "tolerance"} if kind == "tensor" else set())
    if unknown := set(row) - allowed:
        raise ValueError(f"does not know {', '.join(sorted(map(str, unknown)))}; it knows {', '.join(sorted(allowed))}")
    after = row.get("after", commands)
    if not isinstance(after, int) or isinstance(after, bool) or not 0 <= after <= commands:
        raise ValueError(f"after has to be a number of commands, 0 to {commands}")
    if kind == "tensor":
        if not isinstance(row["tensor"], str) or "equals" not in row:
            raise ValueError("a tensor expectation needs the tensor's name and `equals`")
        tolerance = row.get("tolerance", 1e-6)
        if not isinstance(tolerance, int | float) or isinstance(tolerance, bool) or not tolerance >= 0:
            raise ValueError("tolerance has to be a number, 0 or more")
        return Expectation(after, kind, row["equals"], row["tensor"], float(tolerance))
    if not isinstance(row[kind], str) and not (kind == "error" and row[kind] is None):
        raise ValueError(f"{kind} has to be a text")
    if kind == "finding" and row[kind] not in FINDINGS:
        near = difflib.get_close_matches(row[kind], FINDINGS, 1)
        raise ValueError(f"there is no finding {row[kind]!r}" + (f": {near[0]!r} is meant?" if near else ""))
    return Expectation(after, kind, row[kind])


def check(
    run: Run,
    commands: Sequence[Command],
    expectations: Sequence[Expectation],
    should_stop: Callable[[], bool] | None = None,
) -> CheckView:
    """Give a run that has begun these commands, and see what holds. A command that is refused ends it: what was
    expected from there on has failed."""
    results: dict[int, ExpectationView] = {}
    before = -1
    refused = ""
    given = 0
    for given in range(len(commands) + 1):
        if given:
            before = run.last
            try:
                outcome = run.execute(commands[given - 1], should_stop)
            except CommandError as error:
                refused = f"command {given} ({commands[given - 1].do}): {error.message}"
                break
            if outcome.stopped and (outcome.note or (should_stop is not None and should_stop())):
                why = outcome.note or "it took too long"
                refused = f"command {given} ({commands[given - 1].do}) was stopped: {why}"
                break
        for position, expectation in enumerate(expectations):
            if expectation.after == given:
                results[position] = _judge(run, expectation, before)
    for position, expectation in enumerate(expectations):
        if position not in results:
            results[position] = ExpectationView(
                expectation.after, _words(expectation), False, refused, expectation.wanted
            )
    ordered = tuple(results[position] for position in range(len(expectations)))
    return CheckView(passed=not refused and all(result.passed for result in ordered), results=ordered, error=refused)


def _judge(run: Run, expectation: Expectation, before: int) -> ExpectationView:
    """`before` is the moment before the last command."""
    wanted = expectation.wanted
    got: Any
    if expectation.kind == "tensor":
        passed, got = _compare(run.moment(run.last), expectation)
    elif expectation.kind == "error":
        failed = [s.number for s in run.summaries()[before + 1 :] if s.failed]
        errors = [f"{e.type}: {e.message}" for e in (run.moment(n).error for n in failed) if e is not None]
        got = "; ".join(errors) or "no error"
        passed = not errors if wanted is None else any(wanted in error for error in errors)
    elif expectation.kind == "stdout":
        got = run.printed(run.last, lines=sys.maxsize)
        passed = wanted in got
    else:
        kinds = sorted({finding.kind for finding in run.moment(run.last).findings})
        got = ", ".join(kinds) or "no finding"
        passed = wanted in kinds
    got = _short(got) if isinstance(got, str) else got
    return ExpectationView(expectation.after, _words(expectation), passed, got, wanted)


def _compare(moment: Moment, expectation: Expectation) -> tuple[bool, Any]:
    values, problem = _find(moment, expectation.name)
    if values is None:
        return expectation.wanted is None and not problem, problem or None
    got = nested(values) if values.size <= SHOWN else _short(str(nested(values)))
    if expectation.wanted is None:
        return False, got
    try:
        wanted = np.asarray(_numbers(expectation.wanted), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return False, got
    numbers = values.astype(np.float64)
    if numbers.size == 1 and wanted.size == 1:
        wanted = wanted.reshape(numbers.shape)
    if numbers.shape != wanted.shape:
        return False, f"{got} (shape {list(numbers.shape)}, wanted {list(wanted.shape)})"
    # As numpy.isclose, with one tolerance for small and large numbers.
    close = np.isclose(numbers, wanted, rtol=expectation.tolerance, atol=expectation.tolerance, equal_nan=True)
    return bool(close.all()), got


def _find(moment: Moment, name: str) -> tuple[np.ndarray[Any, Any] | None, str]:
    """The values of `w`, `w.grad` or `w.data`; None for a `.grad` that is None; a problem in words."""
    named = {tensor.name: tensor for tensor in moment.tensors}
    if name in named:
        return named[name].value, ""
    owner, _, attribute = name.rpartition(".")
    if owner in named and attribute in ("grad", "data"):
        return (named[owner].grad if attribute == "grad" else named[owner].value), ""
    return None, f"no tensor of that name; there are {', '.join(named) or 'none'}"


def _numbers(value: Any) -> Any:
    """Nested lists of numbers, in which "nan", "inf" and "-inf" may stand."""
    return [_numbers(entry) for entry in value] if isinstance(value, list | tuple) else float(value)


def _words(expectation: Expectation) -> str:
    if expectation.kind == "tensor":
        return f"{expectation.name} equals {_short(str(expectation.wanted))}"
    if expectation.kind == "error":
        return "no error" if expectation.wanted is None else f"error {expectation.wanted!r}"
    return f"{expectation.kind} {expectation.wanted!r}"


def _short(text: str, size: int = 300) -> str:
    return text if len(text) <= size else text[: size - 1] + "…"
