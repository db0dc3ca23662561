"""Whether the training loop can still be reached from where a program stands: it was not yet, another loop is around
it, or a call that leads there is still to come: `train(a)`, `train(b)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from engine.script.reading.reach import calls_in
from engine.script.reading.walk import children, walk

if TYPE_CHECKING:
    from engine.script.frames import Code, Frame
    from engine.script.reading.source import Script

_LOOPS = (ast.For, ast.While)
_DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Coming:
    """Told from the text and the stack: what stands ahead may be passed by all the same (an `if` around it). `nested`:
    another loop is around the training loop in its function."""

    def __init__(self, script: Script) -> None:
        self._loop = script.loop
        self._names = script.reach.leading - {function.name for _, function in script.reach.chain}
        self._methods: set[str] = set()
        self._around: dict[int, ast.stmt] = {}  # the outermost loop around each statement in its function, by id()
        if self._loop is not None:
            self._look(script.tree, None)
        self.nested = self._loop is not None and self._around[id(self._loop)] is not self._loop
        self._places: dict[int, tuple[Code, list[tuple[int, ast.stmt | None]]]] = {}

    def _look(self, tree: ast.AST, loop: ast.stmt | None) -> None:
        pending = [(tree, loop)]
        while pending:
            node, loop = pending.pop()
            if isinstance(node, ast.ClassDef):
                self._methods |= {part.name for part in node.body if isinstance(part, ast.FunctionDef)} & self._names
            if isinstance(node, _LOOPS):
                loop = loop or node
            if loop is not None and isinstance(node, ast.stmt):
                self._around[id(node)] = loop
            inner = None if isinstance(node, _DEFINED) else loop
            pending += [(part, inner) for part in children(node)]

    def again(self, stack: list[Frame]) -> bool:
        """Whether the loop's header may be executed anew. The statement at the position is still to come."""
        for depth, frame in enumerate(reversed(stack)):
            code, first = frame.code, frame.pc + (depth > 0)
            here = self._around.get(id(code.info[frame.pc].statement)) if code.info else None
            for pc, loop in self._ways(code):
                if pc >= first or code.through or (loop is not None and loop is here):
                    return True
        return False

    def _ways(self, code: Code) -> list[tuple[int, ast.stmt | None]]:
        """The instructions of a code from which a call leads to the loop, or at which it begins; each with the
        outermost loop around it that executes it anew."""
        known = self._places.get(id(code))
        if known is None:
            found = [
                (pc, None if each is self._loop and around is each else around)
                for each, pc in code.starts.items()
                for around in [self._around.get(id(each))]
                if each is self._loop or self._leads(each)
            ]
            known = self._places[id(code)] = code, found
        return known[1]

    def _leads(self, statement: ast.stmt) -> bool:
        if self._names.isdisjoint(calls_in(statement)):
            return False
        called = [part.func for part in walk(statement) if isinstance(part, ast.Call)]
        return any(isinstance(each, ast.Name) and each.id in self._names for each in called) or any(
            isinstance(each, ast.Attribute) and each.attr in self._methods for each in called
        )
