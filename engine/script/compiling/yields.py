"""yield inside expressions. A frame can only be suspended between two instructions, so a statement with a yield deep
inside an expression is first written out as several: what is evaluated before the yield goes into hidden variables.

    print(f(a), (yield b))        becomes        .0 = print; .1 = f(a); .2 = yield b; .0(.1, .2)
"""

from __future__ import annotations

import ast
import copy
from typing import Any

from engine.script.compiling import asynchronous
from engine.script.compiling.scopes import FUNCTIONS, Scope
from engine.script.reading.walk import children

SUSPENDING = (ast.Yield, ast.YieldFrom, ast.Await)


def has_yield(node: ast.AST | None) -> bool:
    """Whether evaluating the expression `node` yields."""
    if node is None or isinstance(node, (ast.Lambda, *FUNCTIONS, ast.ClassDef)):
        return False
    if isinstance(node, SUSPENDING) or (isinstance(node, ast.comprehension) and node.is_async):
        return True
    return any(has_yield(child) for child in children(node) if not isinstance(child, ast.stmt))


def needs_writing_out(statement: ast.stmt) -> bool:
    """Whether `statement` yields elsewhere than as its whole value."""
    if isinstance(statement, (ast.Try, ast.TryStar)):
        return False
    if isinstance(statement, (ast.AsyncFor, ast.AsyncWith)):
        return True
    value = getattr(statement, "value", None)
    if isinstance(statement, (ast.Expr, ast.Assign, ast.AnnAssign)) and isinstance(value, SUSPENDING):
        targets = getattr(statement, "targets", [])
        return has_yield(value.value) or any(has_yield(target) for target in targets)
    return has_yield_outside_blocks(statement)


def has_yield_outside_blocks(statement: ast.stmt) -> bool:
    """Whether the expressions of a statement's own line yield."""
    if isinstance(statement, (ast.ClassDef, *FUNCTIONS)):
        return False
    return any(
        has_yield(child)
        for child in children(statement)
        if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case))
    )


def write_out(statement: ast.stmt, scope: Scope) -> list[ast.stmt]:
    """The statements that do the same, with every yield the whole value of one of them."""
    return Writer(scope).statement(statement)


class Writer:
    """Writes statements out so that each yield is the whole value of one. A class over it lifts something else: what
    `wanted` names."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.before: list[ast.stmt] = []

    def wanted(self, node: ast.AST | None) -> bool:
        """Whether something in `node` is to stand in a statement of its own."""
        return has_yield(node)

    def hidden_name(self) -> str:
        return f".{len(self.scope.bound)}"

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.While():
                test = self.lift(node.test)
                leave = ast.If(at(ast.UnaryOp(ast.Not(), test), node), [*node.orelse, at(ast.Break(), node)], [])
                body = [*self.before, at(leave, node), *node.body]
                return [at(ast.While(at(ast.Constant(True), node), body, []), node)]
            case ast.AugAssign():
                target = _copy(node.target)
                held = self.save(self.parts_kept(target, ast.Load()))
                value = self.lift(node.value)
                store = ast.Name(held.id, ast.Store())
                self.emit(ast.AugAssign(at(store, node), node.op, value), node)
                self.emit(ast.Assign([self.parts_kept(target, ast.Store())], held), node)
                return self.before
            case ast.Assign():
                value = self.lift(node.value)
                if any(self.wanted(target) for target in node.targets):
                    value = self.save(value)
                targets = [self.lift(target) for target in node.targets]
                return [*self.before, at(ast.Assign(targets, value), node)]
            case ast.AsyncFor():
                return asynchronous.loop(self, node)
            case ast.AsyncWith():
                return asynchronous.block(self, node)
            case ast.With(items=[first, *others]) if others:
                inner = at(ast.With(others, node.body), node)
                return self.statement(at(ast.With([first], [inner]), node))
            case _:
                made = self.generic(node)
                return [*self.before, made]

    def parts_kept(self, target: ast.expr, context: ast.expr_context) -> ast.expr:
        """`target` with its owner and index evaluated once (at the first call), for reading or writing."""
        if isinstance(target, ast.Attribute):
            if not _hidden(target.value):
                target.value = self.save(self.lift(target.value))
            return at(ast.Attribute(target.value, target.attr, context), target)
        if isinstance(target, ast.Subscript):
            if not _hidden(target.value):
                target.value, target.slice = self.save(self.lift(target.value)), self.save(self.lift(target.slice))
            return at(ast.Subscript(target.value, target.slice, context), target)
        assert isinstance(target, ast.Name)
        return at(ast.Name(target.id, context), target)

    def emit(self, node: ast.stmt, place: ast.AST) -> None:
        self.before.append(at(node, place))

    def save(self, value: ast.expr) -> ast.Name:
        """Keep `value` in a hidden variable."""
        name = self.hidden_name()
        self.scope.bound.add(name)
        self.emit(ast.Assign([at(ast.Name(name, ast.Store()), value)], value), value)
        return at(ast.Name(name, ast.Load()), value)

    def lift(self, node: Any) -> Any:
        """`node` without what is wanted; that and what goes before it are in `before` then."""
        if not self.wanted(node):
            return node
        match node:
            case ast.Yield(value=value):
                return self.save(at(ast.Yield(self.lift(value) if value is not None else None), node))
            case ast.YieldFrom(value=value):
                return self.save(at(ast.YieldFrom(self.lift(value)), node))
            case ast.Await(value=value):
                return self.save(at(ast.Await(self.lift(value)), node))
            case ast.BoolOp(op=op, values=[first, *rest]):
                held = self.save(self.lift(first))
                for value in rest:
                    test = held if isinstance(op, ast.And) else at(ast.UnaryOp(ast.Not(), held), node)
                    self.branch(node, test, held.id, value, None)
                return held
            case ast.IfExp(test=test, body=body, orelse=orelse):
                held = self.save(at(ast.Constant(None), node))
                self.branch(node, self.lift(test), held.id, body, orelse)
                return held
            case ast.Compare(left=left, ops=[op, *ops], comparators=[second, *others]) if others:
                a, b = self.save(self.lift(left)), self.save(self.lift(second))
                pair = [at(ast.Compare(a, [op], [b]), node), at(ast.Compare(b, ops, others), node)]
                return self.lift(at(ast.BoolOp(ast.And(), list(pair)), node))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                if asynchronous.is_async(node):
                    return asynchronous.comprehension(self, node)
                made = _copy(node)
                made.generators[0] = _copy(made.generators[0])
                made.generators[0].iter = self.lift(made.generators[0].iter)
                return made
            case _:
                return self.generic(node)

    def branch(self, node: ast.expr, test: ast.expr, name: str, yes: ast.expr, no: ast.expr | None) -> None:
        """`if test: name = yes` (else: name = no), each evaluated only when it is wanted."""
        around, blocks = self.before, []
        for value in (yes, no):
            self.before = []
            if value is not None:
                result = self.lift(value)
                self.emit(ast.Assign([at(ast.Name(name, ast.Store()), value)], result), value)
            blocks.append(self.before)
        self.before = around
        self.emit(ast.If(test, blocks[0], blocks[1]), node)

    def generic(self, node: Any) -> Any:
        """Children up to the last one in which something is wanted are evaluated first, in order, into hidden
        variables."""
        node = _copy(node)
        places = _places(node)
        # None of them yields where a `with` of several items has been divided: the body sees to itself.
        last = max((i for i, (holder, key) in enumerate(places) if self.wanted(_read(holder, key))), default=-1)
        for i, (holder, key) in enumerate(places[: last + 1]):
            child = self.lift(_read(holder, key))
            if i < last:
                child = self.kept(child)
            if isinstance(holder, list):
                holder[key] = child
            else:
                setattr(holder, key, child)
        return node

    def kept(self, child: Any) -> Any:
        """`child`, evaluated now."""
        if isinstance(child, ast.Constant) or _hidden(child):
            return child
        if isinstance(child, ast.FormattedValue):  # a text now, whatever happens to the value
            return at(ast.FormattedValue(self.save(at(ast.JoinedStr([child]), child)), -1, None), child)
        if isinstance(child, (ast.Starred, ast.keyword)):
            child = _copy(child)
            child.value = self.kept(child.value)
            return child
        if isinstance(child, ast.Slice):
            child = _copy(child)
            for part in ("lower", "upper", "step"):
                if getattr(child, part) is not None:
                    setattr(child, part, self.kept(getattr(child, part)))
            return child
        return self.save(child) if isinstance(child, ast.expr) and not _stored(child) else child


def _places(node: ast.AST) -> list[tuple[Any, Any]]:
    """(holder, name or index) of the children of `node` in the order of evaluation."""
    found: list[tuple[Any, Any]] = []
    if isinstance(node, ast.Dict):
        for i in range(len(node.keys)):
            found += [(node.keys, i)] * (node.keys[i] is not None) + [(node.values, i)]
        return found
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            found += [(value, i) for i, each in enumerate(value) if isinstance(each, ast.AST) and not _block(each)]
        elif isinstance(value, ast.AST) and not isinstance(value, (ast.expr_context, ast.operator, ast.unaryop)):
            found.append((node, name))
    return found


def _block(node: ast.AST) -> bool:
    return isinstance(node, (ast.stmt, ast.excepthandler, ast.match_case, ast.cmpop))


def _read(holder: Any, key: Any) -> Any:
    return holder[key] if isinstance(holder, list) else getattr(holder, key)


def _hidden(node: Any) -> bool:
    return isinstance(node, ast.Name) and node.id.startswith(".")


def _stored(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def at(node: Any, place: ast.AST) -> Any:
    """`node`, standing where `place` stands."""
    return ast.fix_missing_locations(ast.copy_location(node, place))


def _copy(node: Any) -> Any:
    """A copy of `node` that shares its children: the script's own tree is never changed."""
    made = copy.copy(node)
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            setattr(made, name, list(value))
    return made
