"""Which name means what: local, global, or a variable of an enclosing function; decided before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Literal

from engine.script.reading.walk import children

Kind = Literal["module", "function", "class", "dynamic"]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """A block of code with its own names.

    `dynamic` is the scope of a free statement typed while a function is suspended: its names are looked up at run
    time, first in that function. A function called at run time holds the variables of its enclosing scopes in a
    tuple, innermost first: `resolve` answers with an index into it."""

    __slots__ = (
        "bound",
        "class_name",
        "first",
        "globals",
        "is_async",
        "is_generator",
        "kind",
        "nonlocals",
        "parent",
        "told",
    )

    def __init__(self, kind: Kind, parent: Scope | None) -> None:
        self.kind = kind
        self.parent = parent
        self.bound: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.is_generator = False
        self.is_async = False
        self.class_name = ""
        self.first: str | None = None
        self.told: dict[str, str] = {}
        """What the body of a class finds under names that it has not bound."""

    def mangle(self, name: str) -> str:
        """`__name` inside a class is private to it, as in Python."""
        if not name.startswith("__") or name.endswith("__"):
            return name
        scope: Scope | None = self
        while scope is not None and not scope.class_name:
            scope = scope.parent
        owner = scope.class_name.lstrip("_") if scope is not None else ""
        return f"_{owner}{name}" if owner else name

    def resolve(self, name: str) -> tuple[Literal["local", "global", "free", "class", "dynamic"], int]:
        """Where `name` lives, seen from here; the number is the index of the enclosing scope for "free", and where
        to begin looking for "dynamic" (-1: in the frame's own variables)."""
        if self.kind == "module" or name in self.globals:
            return "global", 0
        if self.kind == "dynamic":
            return "dynamic", -1
        if name in self.bound:
            return ("class" if self.kind == "class" else "local"), 0
        return self.outside(name)

    def outside(self, name: str) -> tuple[Literal["global", "free", "dynamic"], int]:
        """As `resolve`, but only in enclosing scopes."""
        index, scope = 0, self.parent
        while scope is not None and scope.kind != "module":
            if scope.kind == "dynamic":
                return "dynamic", index
            if scope.kind == "class":
                if name == "__class__":
                    return "free", index
            elif name in scope.bound:
                return "free", index
            elif name in scope.globals:
                return "global", 0
            index += 1
            scope = scope.parent
        return "global", 0


def parameters(arguments: ast.arguments) -> list[str]:
    """All parameter names in the order of the frame: positional, keyword-only, *args, **kwargs."""
    found = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    found += [a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None]
    return found


def collect(scope: Scope, nodes: Iterable[ast.AST]) -> Scope:
    """Enter the names that `nodes` bind directly in `scope` (not inside nested functions or classes)."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        for name in _binds(scope, node):
            scope.bound.add(scope.mangle(name))
        pending.extend(_inside(node))
    scope.bound -= scope.globals | scope.nonlocals
    return scope


def _binds(scope: Scope, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)):
            yield name
        case ast.Import(names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name.partition(".")[0]
        case ast.ImportFrom(names=aliases):
            for alias in aliases:
                yield alias.asname or alias.name
        case ast.Global(names=names):
            scope.globals.update(names)
        case ast.Nonlocal(names=names):
            scope.nonlocals.update(names)
        case ast.Yield() | ast.YieldFrom():
            scope.is_generator = True
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass


def _inside(node: ast.AST) -> Iterable[ast.AST]:
    """The children of `node` that belong to the same scope as `node`."""
    if isinstance(node, (*FUNCTIONS, ast.Lambda)):
        arguments = node.args
        outside: list[ast.AST] = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
        if isinstance(node, FUNCTIONS):
            outside += node.decorator_list
        return outside
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter, *_walrus_targets(node)]
    return children(node)


def _walrus_targets(node: ast.AST) -> list[ast.AST]:
    """`:=` inside a comprehension binds in the scope around it."""
    pending, found = children(node), []
    while pending:
        child = pending.pop()
        if isinstance(child, ast.NamedExpr):
            found.append(child.target)
        if not isinstance(child, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            pending.extend(children(child))
    return list(found)
