"""Statements become a flat list of instructions, once; a frame's position is an index into it.

An instruction is a closure `f(frame) -> next position`. What must be left in an orderly way (loops, with, try) is
known statically for every position (`Info.blocks`); what it needs at run time lives in the frame's slots. So a frame
is plain data, and a debugger may set its position anywhere inside the same blocks.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.script import calls, operators, unwinding
from engine.script.attributes import get, put
from engine.script.classes import make_class
from engine.script.expressions import Expressions, Unit
from engine.script.frames import YIELD, Block, Call, Code, Evaluate, Frame, Info, Run, ScriptFunction, Where, current
from engine.script.modules import import_from, import_module
from engine.script.scopes import Scope, collect, parameters

Make = Callable[[int], Run]


class Label:
    """A position that is not known yet."""

    __slots__ = ("pc",)

    def __init__(self) -> None:
        self.pc = -1


class Statements(Expressions):
    """Translates one block of statements into a Code."""

    def __init__(self, scope: Scope, unit: Unit, qualname: str, name: str) -> None:
        super().__init__(scope, unit, qualname)
        self.code = Code(name, qualname)
        self.makes: list[Make] = []
        self.blocks: tuple[Block, ...] = ()
        self.loops: list[tuple[Label, Label, int, int, Block | None]] = []
        self.labelled: list[tuple[Block, Label, Label]] = []

    def translate(self, statements: list[ast.stmt]) -> Code:
        self.body(statements)
        self.code.is_generator = self.scope.is_generator
        for block, target, after in self.labelled:
            block.target, block.after = target.pc, after.pc
        total = len(self.makes)
        self.code.run = [make(i + 1 if i + 1 < total else unwinding.RETURN) for i, make in enumerate(self.makes)]
        for i, info in enumerate(self.code.info):
            info.next = i + 1 if i + 1 < total else unwinding.RETURN
        return self.code

    # Building

    def emit(self, node: ast.stmt, make: Make, where: Where, visible: bool = True) -> Info:
        info = Info(node, where, visible, self.blocks, 0, False)
        self.makes.append(make)
        self.code.info.append(info)
        if visible:
            self.code.starts.setdefault(node, len(self.makes) - 1)
        return info

    def mark(self, label: Label) -> None:
        label.pc = len(self.makes)

    def target(self, label: Label) -> int:
        """A label's position; the end of the code is RETURN."""
        return label.pc if label.pc < len(self.makes) else unwinding.RETURN

    def jump(self, node: ast.stmt, label: Label, where: Where) -> None:
        def make(_: int) -> Run:
            pc = self.target(label)
            return lambda frame: pc

        self.emit(node, make, where, visible=False)

    def slot(self) -> int:
        self.code.slots += 1
        return self.code.slots - 1

    def simple(self, node: ast.stmt, do: Callable[[Frame], None], where: Where | None = None) -> Info:
        """A statement that just does something and goes on."""
        def make(after: int) -> Run:
            def run(frame: Frame) -> int:
                do(frame)
                return after

            return run

        return self.emit(node, make, where or self.where(node))

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            translate = getattr(self, "_" + type(statement).__name__, None)
            if translate is None:
                fail = self.unsupported(statement, type(statement).__name__)

                def refuse(frame: Frame, fail: Evaluate = fail) -> None:
                    fail(frame)

                self.simple(statement, refuse, self.header(statement, statement))
            else:
                translate(statement)

    def header(self, node: ast.stmt, end: ast.AST) -> Where:
        """Where the header of a compound statement stands: from its first word to the end of `end`."""
        start, last = self.where(node), self.where(end)
        if end is node:
            return Where(start.line, start.column, start.line, start.column + 1)
        return Where(start.line, start.column, last.end_line, last.end_column)

    # Simple statements

    def _Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            self.yielding(node, node.value, lambda frame, value: None)
            return
        if isinstance(node.value, ast.Constant):
            return
        value = self.expression(node.value)

        def make(after: int) -> Run:
            def run(frame: Frame) -> int:
                value(frame)
                return after

            return run

        info = self.emit(node, make, self.where(node))
        info.value = value
        self.callable(info, node.value, lambda frame, result: info.next)

    def callable(self, info: Info, node: ast.expr | None, finish: Callable[[Frame, Any], int]) -> None:
        """Let a debugger step into the call that is a statement's whole value."""
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id == "super"):
            info.call = Call(self.prepared(node), finish)

    def _Assign(self, node: ast.Assign) -> None:
        stores = [self.store(target) for target in node.targets]
        if len(stores) == 1:
            (store,) = stores
        else:
            def store(frame: Frame, result: Any) -> None:
                for each in stores:
                    each(frame, result)

        self.assign(node, node.value, store)

    def assign(self, node: ast.stmt, value: ast.expr, store: Callable[[Frame, Any], None]) -> None:
        if isinstance(value, (ast.Yield, ast.YieldFrom)):
            self.yielding(node, value, store)
            return
        evaluate = self.expression(value)

        def make(after: int) -> Run:
            def run(frame: Frame) -> int:
                store(frame, evaluate(frame))
                return after

            return run

        info = self.emit(node, make, self.where(node))

        def finish(frame: Frame, result: Any) -> int:
            store(frame, result)
            return info.next

        self.callable(info, value, finish)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node, node.value, self.store(node.target))
        if isinstance(node.target, ast.Name) and self.scope.kind == "class":
            name, annotation = node.target.id, self.expression(node.annotation)
            lazy = self.unit.lazy_annotations

            def annotate(frame: Frame) -> None:
                frame.locals.setdefault("__annotations__", {})[name] = None if lazy else annotation(frame)

            self.simple(node, annotate).visible = node.value is None

    def _AugAssign(self, node: ast.AugAssign) -> None:
        function, value, where = operators.INPLACE[type(node.op)], self.expression(node.value), self.where(node)
        target = node.target
        if isinstance(target, ast.Name):
            load = self.expression(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            store = self.store(target)

            def do_name(frame: Frame) -> None:
                before = load(frame)
                store(frame, function(before, value(frame)))

            self.simple(node, do_name, where)
        elif isinstance(target, ast.Attribute):
            owner, name = self.expression(target.value), self.scope.mangle(target.attr)

            def do_attribute(frame: Frame) -> None:
                thing = owner(frame)
                before = get(thing, name)
                put(thing, name, function(before, value(frame)))

            self.simple(node, do_attribute, where)
        elif isinstance(target, ast.Subscript):
            container, index = self.expression(target.value), self.expression(target.slice)

            def do_item(frame: Frame) -> None:
                thing, key = container(frame), index(frame)
                operators.check_key(key)
                before = thing[key]
                operators.store_item(thing, key, function(before, value(frame)))

            self.simple(node, do_item, where)

    def _Pass(self, node: ast.Pass) -> None:
        self.simple(node, lambda frame: None)

    def _Global(self, node: ast.stmt) -> None:
        pass

    _Nonlocal = _Global

    def _Delete(self, node: ast.Delete) -> None:
        deletes = [self.delete(target) for target in node.targets]

        def run(frame: Frame) -> None:
            for each in deletes:
                each(frame)

        self.simple(node, run)

    def _Assert(self, node: ast.Assert) -> None:
        test = self.expression(node.test)
        message = self.expression(node.msg) if node.msg is not None else None

        def run(frame: Frame) -> None:
            if not test(frame):
                raise AssertionError(message(frame)) if message is not None else AssertionError

        self.simple(node, run)

    def _Raise(self, node: ast.Raise) -> None:
        value = self.expression(node.exc) if node.exc is not None else None
        cause = self.expression(node.cause) if node.cause is not None else None

        def run(frame: Frame) -> None:
            if value is None:
                raise unwinding.active_error(frame)
            raise unwinding.to_raise(value(frame), cause(frame) if cause is not None else unwinding.NO_CAUSE)

        self.simple(node, run)

    def _Import(self, node: ast.Import) -> None:
        names = [(alias.name, alias.asname) for alias in node.names]
        stores = [self._store_name(asname or name.partition(".")[0]) for name, asname in names]

        def run(frame: Frame) -> None:
            for (name, asname), store in zip(names, stores, strict=True):
                store(frame, import_module(name, whole=asname is not None))

        self.simple(node, run)

    def _ImportFrom(self, node: ast.ImportFrom) -> None:
        module, level = node.module or "", node.level
        stores = [(alias.name, self._store_name(alias.asname or alias.name)) for alias in node.names]
        if module == "__future__" and any(alias.name == "annotations" for alias in node.names):
            self.unit.lazy_annotations = True

        def run(frame: Frame) -> None:
            for name, store in stores:
                if name == "*":
                    frame.globals.update(import_from(module, "*", level))
                else:
                    store(frame, import_from(module, name, level))

        self.simple(node, run)

    # Functions and classes

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        self.define(node, self.unit.function(self, node, node.name), node.name, node.decorator_list)

    def define(self, node: ast.FunctionDef | ast.ClassDef, value: Evaluate, name: str,
               decorator_list: list[ast.expr]) -> None:
        decorators = [(self.expression(each), self.where(each)) for each in decorator_list]
        store = self._store_name(name)

        def run(frame: Frame) -> None:
            functions = [decorator(frame) for decorator, _ in decorators]
            result = value(frame)
            for function in reversed(functions):
                result = calls.invoke(function, (result,))
            store(frame, result)

        self.simple(node, run, self.header(node, node))

    def _ClassDef(self, node: ast.ClassDef) -> None:
        scope = Scope("class", self.scope)
        scope.class_name = node.name
        collect(scope, node.body)
        qualname = self.unit.nested(self, node.name)
        code = Statements(scope, self.unit, qualname, node.name).translate(node.body)
        bases = self.elements(node.bases)
        keywords = [(keyword.arg, self.expression(keyword.value)) for keyword in node.keywords]
        documentation = ast.get_docstring(node)
        nested = self.scope.kind in ("function", "dynamic")
        name = node.name

        def build(frame: Frame) -> type:
            outer = (frame.locals, *frame.outer) if nested else frame.outer
            namespace: dict[str, Any] = {}
            body = Frame(code, namespace, frame.globals, outer)
            cell: dict[str, Any] = {}
            body.result = cell
            parents = bases(frame)
            options = {str(key): value(frame) for key, value in keywords}
            current.machine.run(body)
            cell["__class__"] = result = make_class(name, qualname, parents, namespace, options, documentation)
            return result

        self.define(node, build, name, node.decorator_list)

    def _Return(self, node: ast.Return) -> None:
        value = self.expression(node.value) if node.value is not None else None
        blocks = self.blocks
        orderly = any(block.kind in ("with", "finally", "handler") for block in blocks)

        def finish(frame: Frame, result: Any) -> int:
            if orderly:
                return current.machine.leave(frame, blocks, 0, ("return", result, 0))
            frame.result = result
            return unwinding.RETURN

        def make(_: int) -> Run:
            if value is None:
                return lambda frame: finish(frame, None)
            if orderly:
                return lambda frame: finish(frame, value(frame))

            def run(frame: Frame) -> int:
                frame.result = value(frame)
                return unwinding.RETURN

            return run

        info = self.emit(node, make, self.where(node))
        self.callable(info, node.value, finish)

    def yielding(self, node: ast.stmt, value: ast.Yield | ast.YieldFrom,
                 store: Callable[[Frame, Any], None]) -> None:
        """`yield v`, `x = yield v` or `yield from v` as a whole statement."""
        where = self.where(node)
        if isinstance(value, ast.Yield):
            produce = self.expression(value.value) if value.value is not None else lambda frame: None

            def make(after: int) -> Run:
                def run(frame: Frame) -> int:
                    frame.result = produce(frame)
                    frame.pc = after
                    return YIELD

                return run

            self.emit(node, make, where)
            self.simple(node, lambda frame: store(frame, frame.result)).visible = False
            return
        iterate, slot = calls.iterate(self.expression(value.value), where), self.slot()

        def begin(frame: Frame) -> None:
            frame.slots[slot] = iterate(frame)
            frame.result = None

        self.simple(node, begin)
        position = Label()
        self.mark(position)

        def make_from(after: int) -> Run:
            def run(frame: Frame) -> int:
                done, result = unwinding.delegate(frame.slots[slot], frame.result)
                if done:
                    frame.slots[slot] = None
                    store(frame, result)
                    return after
                frame.result = result
                frame.pc = position.pc
                return YIELD

            return run

        self.emit(node, make_from, where, visible=False)

    # Compound statements

    def _If(self, node: ast.If) -> None:
        test, otherwise, end = self.expression(node.test), Label(), Label()
        where = self.header(node, node.test)

        def make(after: int) -> Run:
            no = self.target(otherwise)

            def run(frame: Frame) -> int:
                return after if test(frame) else no

            return run

        self.emit(node, make, where)
        self.body(node.body)
        if node.orelse:
            self.jump(node, end, where)
        self.mark(otherwise)
        self.body(node.orelse)
        self.mark(end)

    def _While(self, node: ast.While) -> None:
        test, start, otherwise, end = self.expression(node.test), Label(), Label(), Label()
        where = self.header(node, node.test)
        self.mark(start)

        def make(after: int) -> Run:
            no = self.target(otherwise)

            def run(frame: Frame) -> int:
                return after if test(frame) else no

            return run

        self.emit(node, make, where)
        keep = len(self.blocks)
        self.loops.append((start, end, keep, keep, None))
        self.body(node.body)
        self.loops.pop()
        self.jump(node, start, where)
        self.mark(otherwise)
        self.body(node.orelse)
        self.mark(end)

    def _For(self, node: ast.For) -> None:
        begin, store, slot = calls.iterate(self.expression(node.iter), self.where(node.iter)), \
            self.store(node.target), self.slot()
        again, inside, otherwise, end = Label(), Label(), Label(), Label()
        where = self.header(node, node.iter)
        block = Block("for", slot)

        def make(fresh: bool) -> Run:
            body, no = self.target(inside), self.target(otherwise)

            def advance(frame: Frame) -> int:
                for item in frame.slots[slot]:
                    store(frame, item)
                    return body
                frame.slots[slot] = None
                return no

            def start(frame: Frame) -> int:
                frame.slots[slot] = begin(frame)
                return advance(frame)

            return start if fresh else advance

        self.emit(node, lambda _: make(True), where)
        outside = self.blocks
        self.blocks = (*outside, block)
        self.mark(again)
        self.emit(node, lambda _: make(False), where)
        self.mark(inside)
        self.loops.append((again, end, len(outside) + 1, len(outside), block))
        self.body(node.body)
        self.loops.pop()
        self.jump(node, again, where)
        self.blocks = outside
        self.mark(otherwise)
        self.body(node.orelse)
        self.mark(end)

    def _Break(self, node: ast.Break) -> None:
        _, end, _, keep, _ = self.loops[-1]
        self.leave(node, end, keep)

    def _Continue(self, node: ast.Continue) -> None:
        again, _, keep, _, _ = self.loops[-1]
        self.leave(node, again, keep)

    def leave(self, node: ast.stmt, label: Label, keep: int) -> None:
        blocks = self.blocks

        def make(_: int) -> Run:
            pc = self.target(label)
            if len(blocks) == keep:
                return lambda frame: pc
            return lambda frame: current.machine.leave(frame, blocks, keep, ("jump", pc, keep))

        self.emit(node, make, self.where(node))

    def _With(self, node: ast.With) -> None:
        where = self.header(node, node.items[-1].optional_vars or node.items[-1].context_expr)
        outside, after = self.blocks, Label()
        entered: list[Block] = []
        for number, item in enumerate(node.items):
            block = Block("with", self.slot())
            value = self.expression(item.context_expr)
            store = self.store(item.optional_vars) if item.optional_vars is not None else None

            def enter(frame: Frame, value: Evaluate = value, block: Block = block,
                      store: Callable[[Frame, Any], None] | None = store) -> None:
                manager = value(frame)
                result = unwinding.enter(manager)
                frame.slots[block.slot] = manager
                if store is not None:
                    store(frame, result)

            self.simple(node, enter, where).visible = number == 0
            self.blocks = (*self.blocks, block)
            entered.append(block)
        self.body(node.body)
        for block in reversed(entered):
            self.blocks = self.blocks[:-1]

            def leave(frame: Frame, block: Block = block) -> None:
                manager, frame.slots[block.slot] = frame.slots[block.slot], None
                if manager is not None:
                    unwinding.exit_with(manager, None)

            self.simple(node, leave, where).visible = False
            self.labelled.append((block, Label(), after))
        self.blocks = outside
        self.mark(after)
        self.simple(node, lambda frame: None, where).visible = False

    def _Try(self, node: ast.Try) -> None:
        where = self.header(node, node)
        outside, end = self.blocks, Label()
        last: Block | None = None
        last_target = Label()
        if node.finalbody:
            last = Block("finally", self.slot())
            self.blocks = (*outside, last)
            self.labelled.append((last, last_target, Label()))
        if node.handlers:
            self.handlers(node, end, where)
        else:
            self.body(node.body)
        self.mark(end)
        self.blocks = outside
        if last is None:
            self.simple(node, lambda frame: None, where).visible = False
            return
        slot = last.slot

        def clear(frame: Frame) -> None:
            frame.slots[slot] = None

        self.simple(node, clear, where).visible = False
        self.mark(last_target)
        pending = Block("handler", slot)
        self.blocks = (*outside, pending)
        self.body(node.finalbody)
        self.blocks = outside

        def make(after: int) -> Run:
            def run(frame: Frame) -> int:
                action, frame.slots[slot] = frame.slots[slot], None
                if not isinstance(action, tuple):
                    return after
                if action[0] == "raise":
                    raise action[1]
                return current.machine.leave(frame, outside, action[2], action)

            return run

        self.emit(node, make, where, visible=False)

    def handlers(self, node: ast.Try, end: Label, where: Where) -> None:
        """try body, else, and the except clauses."""
        around, first = self.blocks, Label()
        block = Block("try", self.slot())
        block.clauses = tuple(self.expression(h.type) if h.type is not None else None for h in node.handlers)
        self.labelled.append((block, first, Label()))
        self.blocks = (*around, block)
        self.body(node.body)
        self.blocks = around
        self.body(node.orelse)
        self.jump(node, end, where)
        self.mark(first)
        slot = block.slot
        for handler, clause in zip(node.handlers, block.clauses, strict=True):
            other = Label()
            caught = Block("handler", slot)
            store = self._store_name(handler.name) if handler.name is not None else None
            if handler.name is not None:
                name = self.scope.mangle(handler.name)
                kind, index = self.scope.resolve(name)

                def delete(frame: Frame, name: str = name, kind: str = kind, index: int = index) -> None:
                    home = (frame.globals if kind == "global" else
                            frame.outer[index] if kind == "free" else frame.locals)
                    home.pop(name, None)

                caught.delete = delete
            here = self.where(handler.type) if handler.type is not None else where

            def make(after: int, clause: Evaluate | None = clause, other: Label = other,
                     store: Callable[[Frame, Any], None] | None = store) -> Run:
                no = self.target(other)

                def run(frame: Frame) -> int:
                    error = frame.slots[slot]
                    if clause is not None and not unwinding.matches(error, clause(frame)):
                        return no
                    if store is not None:
                        store(frame, error)
                    return after

                return run

            self.emit(node, make, here, visible=False)
            self.blocks = (*around, caught)
            self.body(handler.body)
            self.blocks = around
            self.simple(node, lambda frame, caught=caught: current.machine.leave_handler(frame, caught),  # type: ignore[misc]
                        here).visible = False
            self.jump(node, end, where)
            self.mark(other)

        def again(frame: Frame) -> None:
            raise frame.slots[slot]

        self.simple(node, again, where).visible = False


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

    def function(self, outside: Expressions, node: ast.Lambda | ast.FunctionDef, name: str) -> Evaluate:
        scope = Scope("function", outside.scope)
        qualname = self.nested(outside, name)
        arguments = node.args
        names = [scope.mangle(name) for name in parameters(arguments)]
        scope.first = names[0] if names and names[0] != getattr(arguments.vararg, "arg", None) else None
        if isinstance(node, ast.Lambda):
            collect(scope, [node.body])
            scope.bound.update(names)
            code = self._lambda(scope, node, qualname)
        else:
            collect(scope, node.body)
            scope.bound.update(names)
            code = Statements(scope, self, qualname, name).translate(node.body)
            code.doc = ast.get_docstring(node)
        code.positional = tuple(scope.mangle(a.arg) for a in (*arguments.posonlyargs, *arguments.args))
        code.positional_only = len(arguments.posonlyargs)
        code.keyword_only = tuple(a.arg for a in arguments.kwonlyargs)
        code.vararg = arguments.vararg.arg if arguments.vararg is not None else None
        code.kwarg = arguments.kwarg.arg if arguments.kwarg is not None else None
        code.simple = not (code.keyword_only or code.vararg or code.kwarg)
        defaults = outside.elements(arguments.defaults) if arguments.defaults else None
        named = [(a.arg, outside.expression(d))
                 for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
        kind = outside.scope.kind

        def make(frame: Frame) -> ScriptFunction:
            if kind == "class":
                outer = (frame.result, *frame.outer)
            elif kind == "module":
                outer = ()
            else:
                outer = (frame.locals, *frame.outer)
            return ScriptFunction(code, frame.globals, outer, tuple(defaults(frame)) if defaults else (),
                                  {name: value(frame) for name, value in named})

        return make

    def _lambda(self, scope: Scope, node: ast.Lambda, qualname: str) -> Code:
        inner = Statements(scope, self, qualname, "<lambda>")
        statement = ast.copy_location(ast.Return(node.body), node.body)
        code = inner.translate([statement])
        if scope.is_generator:
            code.is_generator = False
        code.expression = inner.expression(node.body)
        return code

    def generator_expression(self, outside: Expressions, node: ast.GeneratorExp) -> Evaluate:
        scope = outside.inner_scope(node)
        scope.is_generator = True
        statement: ast.stmt = ast.copy_location(ast.Expr(ast.copy_location(ast.Yield(node.elt), node.elt)), node)
        for position in range(len(node.generators) - 1, -1, -1):
            generator = node.generators[position]
            for test in reversed(generator.ifs):
                statement = ast.copy_location(ast.If(test=test, body=[statement], orelse=[]), node)
            values: ast.expr = generator.iter if position else ast.copy_location(
                ast.Name(".0", ast.Load()), generator.iter)
            statement = ast.copy_location(
                ast.For(target=generator.target, iter=values, body=[statement], orelse=[]), node)
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
