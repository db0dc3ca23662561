"""One text being translated: what expressions and statements need to know of the whole."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.script.compiling.scopes import Scope
from engine.script.frames import NOWHERE, Code, Evaluate, Where
from engine.script.reading.walk import walk

if TYPE_CHECKING:
    from engine.script.compiling.expressions import Expressions


class Unit:
    """One text being translated: where its nodes are, and how nested functions are made (program.py fills it in)."""

    lazy_annotations = False

    def __init__(self, lines: Sequence[str], hidden: bool = False, unused: frozenset[ast.alias] = frozenset()) -> None:
        self.lines = lines
        self.unused = unused  # imports that may name what is not there (unused.py)
        self.hidden = hidden  # not the script's own text: it has no lines to be shown
        self.codes: list[Code] = []  # all that the text has become, in the order of translation
        self.lambdas: dict[ast.Lambda, tuple[Scope | None, Code]] = {}
        self.inner: dict[ast.expr, Scope] = {}  # of comprehensions

    def where(self, node: ast.AST) -> Where:
        if self.hidden:
            return NOWHERE
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_line, end = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
        return Where(line, self._column(line, column), end_line, self._column(end_line, end))

    def _column(self, line: int, offset: int) -> int:
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return (offset if text.isascii() else len(text.encode()[:offset].decode(errors="replace"))) + 1

    def scope_of(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, parent: Scope | None
    ) -> Scope:
        """That of a comprehension, the same where it is translated once more."""
        known = self.inner.get(node)
        if known is not None and known.parent is parent:
            return known
        scope = self.inner[node] = Scope("function", parent)
        for generator in node.generators:
            for child in walk(generator.target):
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                    scope.bound.add(child.id)
        return scope

    def expressions(self, scope: Scope, qualname: str) -> Expressions:
        raise NotImplementedError

    def function(
        self, outside: Expressions, node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef, name: str
    ) -> Evaluate:
        """The closure that makes the function `node`, defaults evaluated."""
        raise NotImplementedError

    def generator_expression(self, outside: Expressions, node: ast.GeneratorExp) -> Evaluate:
        raise NotImplementedError

    def first_parameter(self, scope: Scope) -> str | None:
        raise NotImplementedError

    def nested(self, outside: Expressions, name: str) -> str:
        raise NotImplementedError
