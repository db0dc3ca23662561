"""Statements become a flat list of instructions, once; a frame's position is an index into it.

An instruction is a closure `f(frame) -> next position`. What must be left in an orderly way (loops, with, try) is
known statically for every position (`Info.blocks`); what it needs at run time lives in the frame's slots. So a frame
is plain data, and a debugger may set its position anywhere inside the same blocks.
"""

from __future__ import annotations

import ast
from typing import Any

from engine.script.classes.annotations import lenient, text_of
from engine.script.compiling.compound import Statements
from engine.script.compiling.expressions import Expressions
from engine.script.compiling.scopes import Scope, collect, parameters
from engine.script.compiling.unit import Unit
from engine.script.executing import calls, unwinding
from engine.script.executing.coroutines import ScriptAsyncGenerator, ScriptCoroutine
from engine.script.frames import Code, Evaluate, Frame, ScriptFunction, ScriptGenerator


class Program(Unit):
    """The translator of one text."""

    def expressions(self, scope: Scope, qualname: str) -> Expressions:
        return Expressions(scope, self, qualname)

    def nested(self, outside: Expressions, name: str) -> str:
        """The qualified name of something defined inside `outside`."""
        if outside.scope.kind == "class":
            return f"{outside.qualname}.{name}"
        if outside.scope.kind == "function":
            return f"{outside.qualname}.<locals>.{name}"
        return name

    def function(
        self, outside: Expressions, node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef, name: str
    ) -> Evaluate:
        scope = Scope("function", outside.scope)
        qualname = self.nested(outside, name)
        arguments = node.args
        names = [scope.mangle(name) for name in parameters(arguments)]
        scope.first = names[0] if names and names[0] != getattr(arguments.vararg, "arg", None) else None
        if isinstance(node, ast.Lambda):
            code = self._lambda(scope, node, qualname, names)
        else:
            collect(scope, node.body)
            scope.bound.update(names)
            gives = self._asynchronous(scope) if isinstance(node, ast.AsyncFunctionDef) else ScriptGenerator
            code = Statements(scope, self, qualname, name).translate(node.body)
            code.doc = ast.get_docstring(node)
            code.gives = gives
        code.positional = tuple(scope.mangle(a.arg) for a in (*arguments.posonlyargs, *arguments.args))
        code.positional_only = len(arguments.posonlyargs)
        code.keyword_only = tuple(a.arg for a in arguments.kwonlyargs)
        code.vararg = arguments.vararg.arg if arguments.vararg is not None else None
        code.kwarg = arguments.kwarg.arg if arguments.kwarg is not None else None
        code.simple = not (code.keyword_only or code.vararg or code.kwarg)
        defaults = outside.elements(arguments.defaults) if arguments.defaults else None
        named = [
            (a.arg, outside.expression(d))
            for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if d is not None
        ]
        kind = outside.scope.kind
        annotated = self._annotations(outside, node) if not isinstance(node, ast.Lambda) else []

        def make(frame: Frame) -> ScriptFunction:
            if kind == "class":
                outer = (frame.result, *frame.outer)
            elif kind == "module":
                outer = ()
            else:
                outer = (frame.locals, *frame.outer)
            made = ScriptFunction(
                code,
                frame.globals,
                outer,
                tuple(defaults(frame)) if defaults else (),
                {name: value(frame) for name, value in named},
            )
            if annotated:
                made.__dict__.update(__annotations__={name: annotation(frame) for name, annotation in annotated})
            return made

        return make

    def _asynchronous(self, scope: Scope) -> type[ScriptGenerator]:
        """What a call of an `async def` gives."""
        gives = ScriptAsyncGenerator if scope.is_generator else ScriptCoroutine
        scope.is_async = scope.is_generator = True
        return gives

    def _annotations(
        self, outside: Expressions, node: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> list[tuple[str, Evaluate]]:
        """What stands behind the parameters of a function, and what it says that it returns."""
        given = node.args
        listed = (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg)
        found = [(each.arg, each.annotation) for each in listed if each is not None]
        written = [(name, value) for name, value in (*found, ("return", node.returns)) if value is not None]
        if self.lazy_annotations:
            return [(name, text_of(ast.unparse(value))) for name, value in written]
        return [(name, lenient(outside.expression(value))) for name, value in written]

    def _lambda(self, scope: Scope, node: ast.Lambda, qualname: str, names: list[str]) -> Code:
        known = self.lambdas.get(node)  # inside of another lambda, which is translated twice: here, not time and again
        if known is not None and known[0] is scope.parent:
            return known[1]
        collect(scope, [node.body])
        scope.bound.update(names)
        inner = Statements(scope, self, qualname, "<lambda>")
        statement = ast.copy_location(ast.Return(node.body), node.body)
        code = inner.translate([statement])
        if not scope.is_generator:
            code.expression = inner.expression(node.body)
        self.lambdas[node] = scope.parent, code
        return code

    def generator_expression(self, outside: Expressions, node: ast.GeneratorExp) -> Evaluate:
        scope = outside.inner_scope(node)
        scope.is_generator = True
        statement: ast.stmt = ast.copy_location(ast.Expr(ast.copy_location(ast.Yield(node.elt), node.elt)), node)
        for position in range(len(node.generators) - 1, -1, -1):
            generator = node.generators[position]
            for test in reversed(generator.ifs):
                statement = ast.copy_location(ast.If(test=test, body=[statement], orelse=[]), node)
            values: ast.expr = (
                generator.iter if position else ast.copy_location(ast.Name(".0", ast.Load()), generator.iter)
            )
            statement = ast.copy_location(
                ast.For(target=generator.target, iter=values, body=[statement], orelse=[]), node
            )
        scope.bound.add(".0")
        inner = Statements(scope, self, self.nested(outside, "<genexpr>"), "<genexpr>")
        code = inner.translate([statement])
        first = calls.iterate(outside.expression(node.generators[0].iter), outside.where(node.generators[0].iter))
        nested = outside.scope.kind in ("function", "dynamic")

        def make(frame: Frame) -> Any:
            outer = (frame.locals, *frame.outer) if nested else frame.outer
            return unwinding.ScriptGenerator(Frame(code, {".0": first(frame)}, frame.globals, outer))

        return make

    def first_parameter(self, scope: Scope) -> str | None:
        return scope.first
