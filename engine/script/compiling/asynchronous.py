"""`async for`, `async with` and asynchronous comprehensions, written out with `await` alone:

    async for x in a:         .0 = aiter(a); .1 = True
        body                  while .1:
                                  try: .2 = await anext(.0)
                                  except StopAsyncIteration: .1 = False
                                  else: x = .2; body

Comprehensions become asynchronous functions that are called at once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from engine.script.compiling.scopes import FUNCTIONS
from engine.script.executing.coroutines import aenter_of, aexit_of, aiter_of, anext_of
from engine.script.reading.walk import children

if TYPE_CHECKING:
    from engine.script.compiling.yields import Writer


def _at(node: Any, place: ast.AST) -> Any:
    return ast.fix_missing_locations(ast.copy_location(node, place))


def _call(function: Any, *arguments: ast.expr) -> ast.Call:
    """A call of something of ours, which has no name in scripts."""
    return ast.Call(_value(function), list(arguments), [])


def _value(of_ours: Any) -> ast.Constant:
    return ast.Constant(of_ours)


def _set(name: ast.Name, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name.id, ast.Store())], value)


def loop(writer: Writer, node: ast.AsyncFor) -> list[ast.stmt]:
    """The statements that do what an `async for` does."""
    iterator = writer.save(_at(_call(aiter_of, writer.lift(node.iter)), node.iter))
    more = writer.save(_at(ast.Constant(True), node.iter))
    value = writer.save(_at(ast.Constant(None), node.iter))
    ended = ast.ExceptHandler(_value(StopAsyncIteration), None, [_set(more, ast.Constant(False)), ast.Continue()])
    ask = ast.Try([_set(value, ast.Await(_call(anext_of, iterator)))], [ended], [], [])
    bind = ast.Assign([node.target], value)
    return [*writer.before, _at(ast.While(more, [_at(ask, node.iter), _at(bind, node), *node.body], node.orelse), node)]


def block(writer: Writer, node: ast.AsyncWith) -> list[ast.stmt]:
    """The statements that do what an `async with` does."""
    first, *others = node.items
    body = [_at(ast.AsyncWith(others, node.body), node)] if others else node.body
    manager = writer.save(writer.lift(first.context_expr))
    entered = writer.save(_at(ast.Await(_call(aenter_of, manager)), first.context_expr))
    well = writer.save(_at(ast.Constant(True), first.context_expr))
    if first.optional_vars is not None:
        body = [_at(ast.Assign([first.optional_vars], entered), first.optional_vars), *body]
    error = writer.save(_at(ast.Constant(None), first.context_expr))
    told = ast.If(
        ast.UnaryOp(ast.Not(), ast.Await(_call(aexit_of, manager, ast.Name(error.id, ast.Load())))), [ast.Raise()], []
    )
    failed = ast.ExceptHandler(_value(BaseException), error.id, [_set(well, ast.Constant(False)), told])
    left = ast.If(well, [ast.Expr(ast.Await(_call(aexit_of, manager, ast.Constant(None))))], [])
    inner = _at(ast.Try(body, [_at(failed, node)], [], []), node)
    return [*writer.before, _at(ast.Try([inner], [], [], [_at(left, node)]), node)]


def is_async(node: ast.AST) -> bool:
    """Whether a comprehension awaits, but for its first iterable."""
    pending: list[ast.AST] = [child for child in children(node) if child is not _generators(node)[0]]
    first = _generators(node)[0]
    pending += [first.target, *first.ifs]
    if first.is_async:
        return True
    while pending:
        child = pending.pop()
        if isinstance(child, ast.Await) or (isinstance(child, ast.comprehension) and child.is_async):
            return True
        if not isinstance(child, (*FUNCTIONS, ast.Lambda)):
            pending.extend(children(child))
    return False


def _generators(node: Any) -> list[ast.comprehension]:
    return list(node.generators)


def comprehension(writer: Writer, node: Any) -> ast.expr:
    """What an asynchronous comprehension gives: a function is defined before, and called."""
    result = ast.Name(".r", ast.Load())
    empty: ast.expr | None = None
    if isinstance(node, ast.GeneratorExp):
        inner: ast.stmt = ast.Expr(ast.Yield(node.elt))
    elif isinstance(node, ast.DictComp):
        empty = ast.Dict([], [])
        inner = ast.Assign([ast.Subscript(result, node.key, ast.Store())], node.value)
    else:
        listed = isinstance(node, ast.ListComp)
        empty = ast.List([], ast.Load()) if listed else ast.Call(ast.Name("set", ast.Load()), [], [])
        inner = ast.Expr(ast.Call(ast.Attribute(result, "append" if listed else "add", ast.Load()), [node.elt], []))
    for place, each in reversed(list(enumerate(node.generators))):
        for test in reversed(each.ifs):
            inner = ast.If(test, [inner], [])
        values = each.iter if place else ast.Name(".0", ast.Load())
        inner = (ast.AsyncFor if each.is_async else ast.For)(each.target, values, [inner], [])
    body = [inner] if empty is None else [ast.Assign([ast.Name(".r", ast.Store())], empty), inner, ast.Return(result)]
    name = writer.hidden_name()
    writer.scope.bound.add(name)
    arguments = ast.arguments([], [ast.arg(".0")], None, [], [], None, [])
    first = writer.lift(node.generators[0].iter)
    writer.emit(ast.AsyncFunctionDef(name, arguments, body, []), node)
    made = ast.Call(ast.Name(name, ast.Load()), [first], [])
    return writer.save(_at(made if empty is None else ast.Await(made), node))
