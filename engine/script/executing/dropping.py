"""Generators that are left before their end. As in CPython they are closed when nobody holds them any longer: their
`finally` and `with` are done then, at the line that let go of them."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from engine.errors import StopRun
from engine.script.frames import ScriptGenerator, dropping

if TYPE_CHECKING:
    from engine.script.executing.machine import Machine

DEEPEST = 60  # generators that are dropped by one another's end


class _Collector:
    """Whether the host looks for circles of garbage: when it does depends on all that the process did, so that nothing
    of a script may happen then."""

    running = False


def _told(phase: str, info: dict[str, int]) -> None:
    _Collector.running = phase == "start"


gc.callbacks.append(_told)


def drop(machine: Machine, generator: ScriptGenerator) -> None:
    """Close `generator`, which nobody holds, where it belongs to the program that executes now: copies of the state are
    dropped too, and nothing happens then."""
    frame, stack = generator.frame, machine.stack
    if not stack or frame is None or frame.globals is not stack[0].globals:
        return
    if not machine.executing:  # what a step has given back was held until now
        machine.let_go.append(generator)
        return
    if _Collector.running or machine.nested_in_host > DEEPEST or len(stack) + DEEPEST > machine.limits.recursion:
        return
    if is_to_be_closed(generator):
        close(machine, generator)


def is_to_be_closed(generator: Any) -> bool:
    """Whether something is left to do where a generator has been suspended."""
    if not isinstance(generator, ScriptGenerator) or generator.frame is None or generator.frame.pc <= 0:
        return False
    blocks = generator.frame.code.info[generator.frame.pc].blocks
    return hasattr(type(generator), "__next__") and any(block.kind in ("try", "finally", "with") for block in blocks)


def close(machine: Machine, generator: ScriptGenerator) -> None:
    """Close a generator. Its errors go nowhere, as in CPython, but for a limit, which ends the next statement."""
    try:
        generator.close()
    except StopRun as stop:
        machine.late, machine.left = stop, 0
    except BaseException:
        return


def catch_up(machine: Machine) -> None:
    """Close what was let go of between two steps."""
    while machine.let_go:
        generator = machine.let_go.pop(0)
        if is_to_be_closed(generator):
            close(machine, generator)


def close_all(machine: Machine, variables: dict[str, Any]) -> None:
    """The program has ended: the generators that its variables hold are closed. Raises the limit that ended one."""
    for value in [value for value in variables.values() if is_to_be_closed(value)]:
        close(machine, value)
    machine.end()


dropping.drop = drop
