"""Simple statements, functions and classes as instructions (see program.py)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.script.classes.making import make_class, namespace_of
from engine.script.compiling import native, yields
from engine.script.compiling.apart import changed, part_of
from engine.script.compiling.expressions import Expressions
from engine.script.compiling.scopes import Scope, collect
from engine.script.compiling.unit import Unit
from engine.script.executing import calls, unwinding
from engine.script.executing.coroutines import Given, awaits
from engine.script.frames import NOWHERE, YIELD, Block, Call, Code, Evaluate, Frame, Info, Run, Where, current
from engine.script.limits import nested
from engine.script.modules import has, import_from, import_module, offered
from engine.script.values import subscripts
from engine.script.values.attributes import get, put
from engine.script.values.inplace import INPLACE

Make = Callable[[int], Run]


class Label:
    """A position that is not known yet."""

    __slots__ = ("pc",)

    def __init__(self) -> None:
        self.pc = -1


class Simple(Expressions):
    """Translates one block of statements into a Code; compound statements are in compound.py."""

    def __init__(self, scope: Scope, unit: Unit, qualname: str, name: str) -> None:
        super().__init__(scope, unit, qualname)
        self.code = Code(name, qualname)
        unit.codes.append(self.code)
        self.makes: list[Make] = []
        self.blocks: tuple[Block, ...] = ()
        self.loops: list[tuple[Label, Label, int, int, Block | None]] = []
        self.labelled: list[tuple[Block, Label, Label]] = []

    def translate(self, statements: list[ast.stmt]) -> Code:
        self.body(statements)
        if not self.makes and statements and self.scope.kind != "module":  # nothing but a docstring
            self.simple(statements[0], lambda frame: None).visible = False
        self.code.is_generator = self.scope.is_generator
        for block, target, after in self.labelled:
            block.target, block.after = target.pc, after.pc
        total = len(self.makes)
        self.code.run = [make(i + 1 if i + 1 < total else unwinding.RETURN) for i, make in enumerate(self.makes)]
        for i, info in enumerate(self.code.info):
            info.next = i + 1 if i + 1 < total else unwinding.RETURN
            if info.part is not None:
                info.part.place = self.code, i
        native.attach(self.code, self, statements)
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
            if self.scope.is_generator and yields.needs_writing_out(statement):
                self.body(yields.write_out(statement, self.scope))
                continue
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
        if self.unit.hidden:
            return NOWHERE
        start, last = self.where(node), self.where(end)
        if end is node:
            return Where(start.line, start.column, start.line, start.column + 1)
        return Where(start.line, start.column, last.end_line, last.end_column)

    # Simple statements

    def _Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, yields.SUSPENDING):
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
        """Let a debugger step into the call that is a statement's whole value, and into those inside of it."""
        info.part = None if node is None else part_of(self, node, finish, inner=True)
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
        if isinstance(value, yields.SUSPENDING):
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
            text = ast.unparse(node.annotation) if self.unit.lazy_annotations else None

            def annotate(frame: Frame) -> None:
                frame.locals.setdefault("__annotations__", {})[name] = annotation(frame) if text is None else text

            self.simple(node, annotate).visible = node.value is None

    def _AugAssign(self, node: ast.AugAssign) -> None:
        function, value = INPLACE[type(node.op)], self.expression(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            load = self.expression(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            store = self.store(target)

            def do_name(frame: Frame) -> None:
                before = load(frame)
                store(frame, function(before, value(frame)))

            self.change(node, do_name, lambda frame, before, more: store(frame, function(before, more)))
        elif isinstance(target, ast.Attribute):
            owner, name = self.expression(target.value), self.scope.mangle(target.attr)

            def do_attribute(frame: Frame) -> None:
                thing = owner(frame)
                before = get(thing, name)
                put(thing, name, function(before, value(frame)))

            self.change(node, do_attribute, lambda frame, thing, a, b: put(thing, name, function(a, b)))
        elif isinstance(target, ast.Subscript):
            container, index = self.expression(target.value), self.expression(target.slice)

            def do_item(frame: Frame) -> None:
                thing, key = container(frame), index(frame)
                nested.check_key(key)
                before = thing[key]
                subscripts.store_item(thing, key, function(before, value(frame)))

            self.change(
                node, do_item, lambda frame, thing, key, a, b: subscripts.store_item(thing, key, function(a, b))
            )

    def change(self, node: ast.AugAssign, do: Callable[[Frame], None], store: Callable[..., None]) -> None:
        """An augmented assignment: `store` does what remains to be done with what `changed` gives."""
        info = self.simple(node, do)

        def finish(frame: Frame, parts: tuple[Any, ...]) -> int:
            store(frame, *parts)
            return info.next

        info.part = part_of(self, changed(node, self.scope), finish)

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

        def judge(frame: Frame, result: Any) -> None:
            if not result:
                raise AssertionError(message(frame)) if message is not None else AssertionError

        info = self.simple(node, lambda frame: judge(frame, test(frame)))
        info.test = self.where(node.test)

        def finish(frame: Frame, result: Any) -> int:
            judge(frame, result)
            return info.next

        info.part = part_of(self, node.test, finish)

    def _Raise(self, node: ast.Raise) -> None:
        value = self.expression(node.exc) if node.exc is not None else None
        cause = self.expression(node.cause) if node.cause is not None else None

        def run(frame: Frame) -> None:
            if value is None:
                raise unwinding.active_error()
            raise unwinding.to_raise(value(frame), cause(frame) if cause is not None else unwinding.NO_CAUSE)

        self.simple(node, run)

    def _Import(self, node: ast.Import) -> None:
        names = [(alias.name, alias.asname, alias in self.unit.unused) for alias in node.names]
        stores = [self._store_name(asname or name.partition(".")[0]) for name, asname, _ in names]
        ours = self.unit.hidden

        def run(frame: Frame) -> None:
            for (name, asname, unused), store in zip(names, stores, strict=True):
                if not unused or offered(name):
                    store(frame, import_module(name, asname is not None, ours))

        self.simple(node, run)

    def _ImportFrom(self, node: ast.ImportFrom) -> None:
        module, level, ours = node.module or "", node.level, self.unit.hidden
        stores = [
            (alias.name, self._store_name(alias.asname or alias.name), alias in self.unit.unused)
            for alias in node.names
        ]
        if module == "__future__" and any(alias.name == "annotations" for alias in node.names):
            self.unit.lazy_annotations = True

        def run(frame: Frame) -> None:
            for name, store, idle in stores:
                if name == "*":
                    frame.globals.update(import_from(module, "*", level, ours))
                elif not idle or has(module, name):
                    store(frame, import_from(module, name, level, ours))

        self.simple(node, run)

    # Functions and classes

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.define(node, self.unit.function(self, node, node.name), node.name, node.decorator_list)

    _AsyncFunctionDef = _FunctionDef

    def define(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        value: Evaluate,
        name: str,
        decorator_list: list[ast.expr],
    ) -> None:
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
        scope.told = {"__qualname__": qualname, "__module__": "__main__"}
        code = type(self)(scope, self.unit, qualname, node.name).translate(node.body)
        bases = self.elements(node.bases)
        keywords = [(keyword.arg, self.expression(keyword.value)) for keyword in node.keywords]
        documentation = ast.get_docstring(node)
        nested = self.scope.kind in ("function", "dynamic")
        name = node.name

        def build(frame: Frame) -> type:
            outer = (frame.locals, *frame.outer) if nested else frame.outer
            parents = bases(frame)
            namespace = namespace_of(parents)
            body = Frame(code, namespace, frame.globals, outer)
            cell: dict[str, Any] = {}
            body.result = cell
            options = {str(key): value(frame) for key, value in keywords}
            current.machine.run(body)
            cell["__class__"] = result = make_class(name, qualname, parents, namespace, options, documentation)
            return result

        self.define(node, build, name, node.decorator_list)

    def _Return(self, node: ast.Return) -> None:
        value = self.expression(node.value) if node.value is not None else None
        blocks = self.blocks
        orderly = any(block.kind in ("with", "finally", "handler") for block in blocks)
        looping = [block.slot for block in blocks if block.kind == "for"]

        def finish(frame: Frame, result: Any) -> int:
            if orderly:
                return current.machine.leave(frame, blocks, 0, ("return", result, 0))
            for slot in looping:  # what is looped over is let go of before the caller goes on
                frame.slots[slot] = None
            frame.result = result
            return unwinding.RETURN

        def make(_: int) -> Run:
            if value is None:
                return lambda frame: finish(frame, None)
            if orderly or looping:
                return lambda frame: finish(frame, value(frame))

            def run(frame: Frame) -> int:
                frame.result = value(frame)
                return unwinding.RETURN

            return run

        info = self.emit(node, make, self.where(node))
        self.callable(info, node.value, finish)

    def yielding(
        self, node: ast.stmt, value: ast.Yield | ast.YieldFrom | ast.Await, store: Callable[[Frame, Any], None]
    ) -> None:
        """`yield v`, `x = yield v`, `yield from v` or `await v` as a whole statement."""
        where = self.where(node)
        wrap = Given if self.scope.is_async else None
        if isinstance(value, ast.Yield):
            produce = self.expression(value.value) if value.value is not None else lambda frame: None

            def make(after: int) -> Run:
                def run(frame: Frame) -> int:
                    frame.result = produce(frame) if wrap is None else wrap(produce(frame))
                    frame.pc = after
                    return YIELD

                return run

            self.emit(node, make, where)

            def receive(frame: Frame) -> None:
                sent, frame.result = frame.result, None  # what was sent is not what the generator returns
                store(frame, sent)

            self.simple(node, receive).visible = False
            return
        iterates = awaits if isinstance(value, ast.Await) else calls.iterate
        iterate, slot = iterates(self.expression(value.value), where), self.slot()

        def begin(frame: Frame) -> None:
            frame.slots[slot] = iterate(frame)
            frame.result = None

        self.simple(node, begin)
        position = Label()
        self.mark(position)

        def make_from(after: int) -> Run:
            def run(frame: Frame) -> int:
                sent, frame.result = frame.result, None
                done, result = unwinding.delegate(frame.slots[slot], sent)
                if done:
                    frame.slots[slot] = None
                    store(frame, result)
                    return after
                frame.result = result
                frame.pc = position.pc
                return YIELD

            return run

        self.emit(node, make_from, where, visible=False).delegates = True
