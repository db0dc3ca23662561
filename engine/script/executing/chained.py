"""How errors hang together: what was being handled when one was raised (`__context__`), and the calls that it went
through (`__traceback__`). Both are kept here, because those of the host tell of the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.script.frames import Frame
from engine.script.values.hidden import hide
from engine.script.values.plain import written
from engine.script.values.texts import text_str

LONGEST, LONGEST_NAME = 100_000, 1_000
"""Characters that are told of an error and of the name of its class, whatever the script makes them say."""
MOST_CALLS = 200
KEPT = ("_script_context", "_script_calls")
"""What an error holds of it, in its `__dict__`: hidden from scripts."""


class Trace:
    """A traceback as scripts see it: something to hand to `traceback`."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error

    @property
    def tb_lineno(self) -> int:
        found = calls_of(self.error)
        return found[0][0] if found else 0

    @property
    def tb_next(self) -> None:
        return None


Trace.__name__ = Trace.__qualname__ = "traceback"


def handled(stack: Sequence[Frame]) -> BaseException | None:
    """The exception that is being handled: in the innermost frame that handles one."""
    for each in reversed(stack):
        if not 0 <= each.pc < len(each.code.info):
            continue
        for block in reversed(each.code.info[each.pc].blocks):
            if block.kind == "handler":
                error = each.slots[block.slot]
                if isinstance(error, tuple) and error[0] == "raise":
                    error = error[1]
                if isinstance(error, BaseException):
                    return error
    return None


def passes(error: BaseException, frame: Frame, stack: Sequence[Frame]) -> None:
    """Note that `error` reaches `frame`."""
    held = error.__dict__
    if "_script_context" not in held:  # of the host: one that the script raises is hung up there
        hide(error)
        hang(error, handled(stack))
    line = frame.code.info[frame.pc].where.line
    if not line:
        return
    calls = held.setdefault("_script_calls", [])
    here = (line, frame.code.name, len(stack))
    if len(calls) < MOST_CALLS and not (calls and calls[-1][1:] == here[1:]):
        calls.append(here)


def hang(error: BaseException, before: BaseException | None) -> None:
    """`before` was being handled when `error` was raised."""
    if before is None or before is error:
        error.__dict__.setdefault("_script_context", None)
        return
    behind: BaseException | None = before
    for _ in range(MOST_CALLS):
        if behind is None:
            break
        after = behind.__dict__.get("_script_context")
        if after is error:  # no circle
            behind.__dict__["_script_context"] = None
            break
        behind = after
    error.__dict__["_script_context"] = before


def told(error: BaseException) -> str:
    """The message of an error that ends a statement, or as much of it as anybody reads."""
    if "_script_context" not in error.__dict__:
        hide(error)
    message = written(text_str(error))
    return message if len(message) <= LONGEST else f"{message[:LONGEST]}…"


def name_of(error: BaseException) -> str:
    """What the class of an error is called."""
    return type(error).__name__[:LONGEST_NAME]


def calls_of(error: BaseException) -> list[tuple[int, str]]:
    """(line, function) of the calls that an error went through, outermost first."""
    return [(line, name) for line, name, _ in reversed(error.__dict__.get("_script_calls", ()))]


def context(error: BaseException) -> Any:
    return error.__dict__.get("_script_context")


def add_note(error: BaseException, note: Any) -> None:
    """error.add_note(note)."""
    if not isinstance(note, str):
        raise TypeError(f"note must be a str, not '{type(note).__name__}'")
    error.add_note(note)
