"""A program, or a stretch of one, whose loops are replayed where they can be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine import observe
from engine.replay.loop import Loop
from engine.replay.pure import that_compute
from engine.replay.reading import loops_of

if TYPE_CHECKING:
    from engine.script.interpreter import Failed, Interpreter


def run(interpreter: Interpreter, loops: list[Loop] | None = None) -> Failed | None:
    """Execute a program to its end as `interpreter.run()` does, replaying what can be. The loops that were looked at
    are added to `loops`: their tallies say how many iterations were replayed, or why none."""
    stack = interpreter.machine.stack
    loops = [] if loops is None else loops
    if stack and observe.active is None:
        pure = that_compute(interpreter.script.tree)
        found = loops_of(interpreter.script.tree)
        codes = {node: code for code in reversed(interpreter.program.codes) for node in code.starts} if found else {}
        for text in found:
            code = codes.get(text.tape[0].node)
            if code is not None:
                loops.append(Loop(text, code, interpreter.machine, pure, joined=True))
    try:
        return interpreter.run()
    finally:
        for loop in loops:
            loop.leave()


@contextmanager
def replaying(interpreter: Interpreter, loop: ast.stmt | None, shown: frozenset[str]) -> Iterator[None]:
    """Inside the block, `loop` of the program is replayed as far as that can be done statement by statement; the names
    `shown` are bound in each iteration, whoever reads them."""
    stack = interpreter.machine.stack
    found = [
        Loop(text, stack[0].code, interpreter.machine, that_compute(interpreter.script.tree), shown)
        for text in loops_of(interpreter.script.tree)
        if text.node is loop and text.local is None and not any(isinstance(each.node, ast.For) for each in text.tape)
    ]
    try:
        yield
    finally:
        for each in found:
            each.leave()
