"""Expressions become closures `f(frame) -> value`, once. Each closure that can fail says where it stands in the
script when it does; apart from that it does as little as it can, because loops run through here."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from engine.script.compiling.names import loader
from engine.script.compiling.scopes import Scope
from engine.script.compiling.unit import Unit
from engine.script.executing import calls
from engine.script.frames import Code, Evaluate, Frame, Where, located
from engine.script.limits import nested
from engine.script.limits.lazy import slicer
from engine.script.values import attributes, operators, strings, subscripts
from engine.script.values.builtin import BUILTINS
from engine.script.values.containers import ScriptSet, constant_set

Prepare = Callable[[Frame], tuple[Any, tuple[Any, ...], dict[str, Any]]]


class Expressions:
    """Translates the expressions of one scope. statements.py inherits from it."""

    def __init__(self, scope: Scope, unit: Unit, qualname: str) -> None:
        self.scope = scope
        self.unit = unit
        self.qualname = qualname

    def where(self, node: ast.AST) -> Where:
        return self.unit.where(node)

    def expression(self, node: ast.expr) -> Evaluate:
        """The closure that evaluates `node`."""
        make = getattr(self, "_" + type(node).__name__, None)
        if make is None:
            return self.unsupported(node, type(node).__name__)
        result: Evaluate = make(node)
        return result

    def unsupported(self, node: ast.AST, what: str) -> Evaluate:
        """A closure that fails when it is reached: what is outside the language does not stop the rest."""
        where = self.where(node)

        def fail(frame: Frame) -> Any:
            error = NotImplementedError(f"{what} is not supported in scripts here")
            located(error, where)
            raise error

        return fail

    # Names and constants

    def _Constant(self, node: ast.Constant) -> Evaluate:
        value = node.value
        return lambda frame: value

    def _Name(self, node: ast.Name) -> Evaluate:
        return loader(self.scope, self.scope.mangle(node.id), self.where(node), BUILTINS)

    def _NamedExpr(self, node: ast.NamedExpr) -> Evaluate:
        value, store = self.expression(node.value), self.store(node.target)

        def walrus(frame: Frame) -> Any:
            result = value(frame)
            store(frame, result)
            return result

        return walrus

    # Operators

    def _BinOp(self, node: ast.BinOp) -> Evaluate:
        return operators.binary(
            type(node.op), self.expression(node.left), self.expression(node.right), self.where(node)
        )

    def _UnaryOp(self, node: ast.UnaryOp) -> Evaluate:
        if (
            isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
            and type(node.operand.value) in (int, float)
        ):
            number: Any = node.operand.value
            value = -number
            return lambda frame: value
        return operators.unary(type(node.op), self.expression(node.operand), self.where(node))

    def _BoolOp(self, node: ast.BoolOp) -> Evaluate:
        first, *rest = [self.expression(value) for value in node.values]
        if isinstance(node.op, ast.And):

            def both(frame: Frame) -> Any:
                value = first(frame)
                for more in rest:
                    if not value:
                        return value
                    value = more(frame)
                return value

            return self.guarded(both, node)

        def either(frame: Frame) -> Any:
            value = first(frame)
            for more in rest:
                if value:
                    return value
                value = more(frame)
            return value

        return self.guarded(either, node)

    def guarded(self, evaluate: Evaluate, node: ast.AST) -> Evaluate:
        """`evaluate`, saying where it failed (truth values of tensors may)."""
        where = self.where(node)

        def run(frame: Frame) -> Any:
            try:
                return evaluate(frame)
            except BaseException as error:
                located(error, where)
                raise

        return run

    def _Compare(self, node: ast.Compare) -> Evaluate:
        where = self.where(node)
        left = self.expression(node.left)
        if len(node.ops) == 1:
            return operators.compare(type(node.ops[0]), left, self.expression(node.comparators[0]), where)
        chain = [
            (operators.comparison(type(op)), self.expression(right))
            for op, right in zip(node.ops, node.comparators, strict=True)
        ]

        def chained(frame: Frame) -> Any:
            try:
                a = left(frame)
                result: Any = True
                for function, right in chain:
                    b = right(frame)
                    result = function(a, b)
                    if not result:
                        return result
                    a = b
                return result
            except BaseException as error:
                located(error, where)
                raise

        return chained

    def _IfExp(self, node: ast.IfExp) -> Evaluate:
        test, yes, no = self.expression(node.test), self.expression(node.body), self.expression(node.orelse)
        return self.guarded(lambda frame: yes(frame) if test(frame) else no(frame), node.test)

    # Attributes and subscripts

    def _Attribute(self, node: ast.Attribute) -> Evaluate:
        return attributes.loader(
            self.expression(node.value), self.scope.mangle(node.attr), self.where_attribute(node, node)
        )

    def where_attribute(self, node: ast.Attribute, whole: ast.expr) -> Where:
        """Where `whole` (the attribute, or the call of it) fails: in a chain over several lines, at the name."""
        if node.lineno == node.end_lineno or node.end_lineno is None:
            return self.where(whole)
        if self.unit.hidden:
            return self.where(whole)
        last, end = self.where(node), self.where(whole)
        return Where(last.end_line, last.end_column - len(node.attr), end.end_line, end.end_column)

    def _Subscript(self, node: ast.Subscript) -> Evaluate:
        return subscripts.subscript(self.expression(node.value), self.expression(node.slice), self.where(node))

    def _Slice(self, node: ast.Slice) -> Evaluate:
        parts = [self.expression(part) if part is not None else None for part in (node.lower, node.upper, node.step)]
        return slicer(*parts)

    # Displays

    def elements(self, nodes: Sequence[ast.expr]) -> Callable[[Frame], list[Any]]:
        """The values of a display, `*` unpacked."""
        if any(isinstance(node, ast.Starred) for node in nodes):
            parts = [
                (
                    isinstance(node, ast.Starred),
                    self.expression(node.value if isinstance(node, ast.Starred) else node),
                    self.where(node),
                )
                for node in nodes
            ]

            def unpack(frame: Frame) -> list[Any]:
                result: list[Any] = []
                for starred, part, where in parts:
                    if not starred:
                        result.append(part(frame))
                        continue
                    value = part(frame)
                    try:
                        result.extend(calls.consume(value, len(result), "Value after * must be an iterable, not "))
                    except BaseException as error:
                        located(error, where)
                        raise
                return result

            return unpack
        items = [self.expression(node) for node in nodes]
        if len(items) == 1:
            only = items[0]
            return lambda frame: [only(frame)]
        if len(items) == 2:
            first, second = items
            return lambda frame: [first(frame), second(frame)]
        return lambda frame: [item(frame) for item in items]

    def _List(self, node: ast.List) -> Evaluate:
        return self.elements(node.elts)

    def _Tuple(self, node: ast.Tuple) -> Evaluate:
        if all(isinstance(item, ast.Constant) for item in node.elts):
            value = tuple(item.value for item in node.elts if isinstance(item, ast.Constant))
            return lambda frame: value
        elements = self.elements(node.elts)
        return lambda frame: tuple(elements(frame))

    def _Set(self, node: ast.Set) -> Evaluate:
        elements = self.elements(node.elts)
        if _constants(node):
            return lambda frame: constant_set(elements(frame), True)
        return self.guarded(lambda frame: ScriptSet(elements(frame)), node)

    def looped(self, node: ast.expr) -> Evaluate:
        """What a loop goes through."""
        if not (isinstance(node, ast.Set) and _constants(node)):
            return self.expression(node)
        elements = self.elements(node.elts)
        return lambda frame: constant_set(elements(frame), False)

    def _Dict(self, node: ast.Dict) -> Evaluate:
        pairs = [
            (self.expression(key) if key is not None else None, self.expression(value))
            for key, value in zip(node.keys, node.values, strict=True)
        ]

        def make(frame: Frame) -> dict[Any, Any]:
            result: dict[Any, Any] = {}
            for key, value in pairs:
                if key is None:
                    result.update(calls.mapping(value(frame)))
                else:
                    name = key(frame)
                    nested.check_key(name)
                    result[name] = value(frame)
            return result

        return self.guarded(make, node)

    # Comprehensions

    def _ListComp(self, node: ast.ListComp) -> Evaluate:
        return self.comprehension(node, node.elt, list, list.append)

    def _SetComp(self, node: ast.SetComp) -> Evaluate:
        return self.comprehension(node, node.elt, ScriptSet, ScriptSet.add)

    def _DictComp(self, node: ast.DictComp) -> Evaluate:
        pair = ast.copy_location(ast.Tuple(elts=[node.key, node.value], ctx=ast.Load()), node)

        def put(result: dict[Any, Any], item: tuple[Any, Any]) -> None:
            nested.check_key(item[0])
            result[item[0]] = item[1]

        return self.comprehension(node, pair, dict, put)

    def comprehension(
        self,
        node: ast.ListComp | ast.SetComp | ast.DictComp,
        element: ast.expr,
        new: Callable[[], Any],
        put: Callable[[Any, Any], Any],
    ) -> Evaluate:
        inner = self.unit.expressions(self.inner_scope(node), f"{self.qualname}.<comprehension>")
        first = calls.iterate(self.looped(node.generators[0].iter), self.where(node.generators[0].iter))
        value = inner.expression(element)
        where = self.where(node)

        def innermost(frame: Frame, result: Any) -> None:
            put(result, value(frame))

        step: Callable[[Frame, Any], None] = innermost
        for position in range(len(node.generators) - 1, -1, -1):
            generator = node.generators[position]
            again = calls.iterate(inner.expression(generator.iter), self.where(generator.iter)) if position else None
            step = calls.comprehension_loop(
                inner.store(generator.target), [inner.expression(test) for test in generator.ifs], again, step
            )
        is_function = self.scope.kind in ("function", "dynamic")
        code = Code("<comprehension>", "<comprehension>")

        def run(frame: Frame) -> Any:
            iterator = first(frame)
            outer = (frame.locals, *frame.outer) if is_function else frame.outer
            own = Frame(code, {"": iterator}, frame.globals, outer)
            result = new()
            try:
                step(own, result)
            except BaseException as error:
                located(error, where)
                raise
            return result

        return run

    def inner_scope(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Scope:
        return self.unit.scope_of(node, self.scope if self.scope.kind != "class" else self.scope.parent)

    def _GeneratorExp(self, node: ast.GeneratorExp) -> Evaluate:
        return self.unit.generator_expression(self, node)

    # Calls and functions

    def _Call(self, node: ast.Call) -> Evaluate:
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and not node.keywords:
            return calls.zero_super(self.scope, self.where(node), self.unit.first_parameter(self.scope))
        function = self.expression(node.func)
        where = self.where_attribute(node.func, node) if isinstance(node.func, ast.Attribute) else self.where(node)
        if not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args):
            return calls.positional(function, [self.expression(arg) for arg in node.args], where)
        return calls.general(self.prepared(node), where)

    def prepared(self, node: ast.Call) -> Prepare:
        """What is to be called, evaluated in Python's order: the callable, then the arguments."""
        function = self.expression(node.func)
        alone = node.args[0] if len(node.args) == 1 else None
        spread = self.expression(alone.value) if isinstance(alone, ast.Starred) else None
        positional = self.elements(node.args) if spread is None else None
        keywords = [(keyword.arg, self.expression(keyword.value)) for keyword in node.keywords]
        where = self.where(node)

        def prepare(frame: Frame) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
            callee = function(frame)
            if positional is not None:
                arguments = tuple(positional(frame))
            else:
                assert spread is not None
                try:
                    arguments = calls.spread_arguments(callee, spread(frame))
                except BaseException as error:
                    located(error, where)
                    raise
            named: dict[str, Any] = {}
            for name, value in keywords:
                if name is not None:
                    named[name] = value(frame)
                    continue
                try:
                    calls.spread(callee, named, value(frame))
                except BaseException as error:
                    located(error, where)
                    raise
            return callee, arguments, named

        return prepare

    def _Lambda(self, node: ast.Lambda) -> Evaluate:
        return self.unit.function(self, node, "<lambda>")

    # Texts

    def _JoinedStr(self, node: ast.JoinedStr) -> Evaluate:
        parts: list[Evaluate] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                parts.append(self._FormattedValue(value))
            else:
                parts.append(self.expression(value))
        return self.guarded(lambda frame: strings.join([part(frame) for part in parts]), node)

    def _FormattedValue(self, node: ast.FormattedValue) -> Evaluate:
        value = self.expression(node.value)
        spec = self.expression(node.format_spec) if node.format_spec is not None else None
        convert = strings.CONVERSIONS[node.conversion]
        return self.guarded(
            lambda frame: strings.format_value(convert(value(frame)), spec(frame) if spec else ""), node.value
        )

    # Storing

    def store(self, target: ast.expr) -> Callable[[Frame, Any], None]:
        """The closure that binds a value to `target`."""
        match target:
            case ast.Name(id=name):
                return self._store_name(name)
            case ast.Attribute(value=value, attr=name):
                return attributes.storer(self.expression(value), self.scope.mangle(name), self.where(target))
            case ast.Subscript(value=value, slice=index):
                return subscripts.subscript_store(self.expression(value), self.expression(index), self.where(target))
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                return self._store_many(target, targets)
            case _:
                fail = self.unsupported(target, type(target).__name__)
                return lambda frame, value: fail(frame)

    def _store_name(self, name: str) -> Callable[[Frame, Any], None]:
        name = self.scope.mangle(name)
        kind, index = self.scope.resolve(name)
        if kind == "global":

            def to_global(frame: Frame, value: Any) -> None:
                frame.globals[name] = value

            return to_global
        if kind == "free" or (kind == "dynamic" and index >= 0):

            def to_free(frame: Frame, value: Any) -> None:
                frame.outer[index][name] = value

            return to_free

        def to_local(frame: Frame, value: Any) -> None:
            frame.locals[name] = value

        return to_local

    def _store_many(self, node: ast.expr, targets: list[ast.expr]) -> Callable[[Frame, Any], None]:
        where = self.where(node)
        stars = [i for i, target in enumerate(targets) if isinstance(target, ast.Starred)]
        stores = [self.store(t.value if isinstance(t, ast.Starred) else t) for t in targets]
        star = stars[0] if stars else None
        count = len(stores)

        def unpack(frame: Frame, value: Any) -> None:
            try:
                items = calls.unpack(value, count, star)
            except BaseException as error:
                located(error, where)
                raise
            for store, item in zip(stores, items, strict=True):
                store(frame, item)

        return unpack

    def delete(self, target: ast.expr) -> Callable[[Frame], None]:
        """The closure that does `del target`."""
        where = self.where(target)
        match target:
            case ast.Name(id=name):
                load = self.expression(ast.copy_location(ast.Name(name, ast.Load()), target))
                name = self.scope.mangle(name)
                kind, index = self.scope.resolve(name)

                def remove(frame: Frame) -> None:
                    load(frame)
                    home = frame.globals if kind == "global" else frame.outer[index] if kind == "free" else frame.locals
                    home.pop(name, None)

                return remove
            case ast.Attribute(value=value, attr=name):
                return attributes.deleter(self.expression(value), self.scope.mangle(name), where)
            case ast.Subscript(value=value, slice=index_node):
                container, position = self.expression(value), self.expression(index_node)

                def remove_item(frame: Frame) -> None:
                    try:
                        del container(frame)[position(frame)]
                    except BaseException as error:
                        located(error, where)
                        raise

                return remove_item
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                parts = [self.delete(each) for each in targets]

                def remove_all(frame: Frame) -> None:
                    for part in parts:
                        part(frame)

                return remove_all
            case _:
                fail = self.unsupported(target, type(target).__name__)

                def refuse(frame: Frame) -> None:
                    fail(frame)

                return refuse


def _constants(node: ast.Set) -> bool:
    return all(isinstance(each, ast.Constant) for each in node.elts)
