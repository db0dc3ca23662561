"""The expression with which a statement begins, taken apart so that a debugger can step into the calls inside of it.

    total += loss(model(x), y).item()     is evaluated as     .a0 = total; .a1 = loss; .a2 = model(x); .a3 = .a1(.a2, y)
                                                              .a4 = .a3.item(); (.a0, .a4)

The parts run in a frame of their own that has the variables of the statement's frame, and that is seen through: what
it calls may be entered, and has the statement as its caller. Comprehensions become loops, with hidden names for what
they bind. A statement is taken apart only where somebody steps into it; otherwise it runs as one."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.script.compiling.scopes import COMPREHENSIONS, FUNCTIONS, Scope, collect
from engine.script.compiling.yields import Writer, at
from engine.script.frames import Code, Frame, Part, ScriptFunction
from engine.script.reading.walk import children, walk

if TYPE_CHECKING:
    from engine.script.compiling.statements import Simple

PREFIX = ".a"
_ELSEWHERE = (ast.Lambda, *FUNCTIONS, ast.ClassDef)  # what stands in them is executed at another time
UNROLLED = (ast.ListComp, ast.DictComp)


def has_call(node: ast.AST | None) -> bool:
    """Whether evaluating `node` calls something that could be entered: not what stands in functions, or in generator
    expressions, which run when their values are asked for."""
    if node is None or isinstance(node, _ELSEWHERE):
        return False
    if isinstance(node, ast.Call):
        return True
    if isinstance(node, COMPREHENSIONS) and not _is_unrolled(node):
        return has_call(node.generators[0].iter)
    return any(has_call(child) for child in children(node) if not isinstance(child, ast.stmt))


def has_inner_call(node: ast.expr) -> bool:
    """Whether `node` calls something beside being a call itself."""
    if isinstance(node, ast.Call):
        return any(has_call(child) for child in children(node))
    return has_call(node)


def part_of(maker: Simple, node: ast.expr, finish: Callable[[Frame, Any], int], inner: bool = False) -> Part | None:
    """The part that evaluates `node`, with which a statement of `maker` begins; None where nothing in it can be entered
    (`inner`: nothing but the call that it is)."""
    if maker.scope.kind not in ("module", "function") or maker.scope.is_generator or maker.unit.hidden:
        return None
    return Part(lambda: _code(maker, node), finish) if (has_inner_call if inner else has_call)(node) else None


def _code(maker: Simple, node: ast.expr) -> Code:
    writer = _Apart(maker.scope)
    value = writer.lift(node)
    body = [*writer.before, at(ast.Return(value), node)]
    codes = len(maker.unit.codes)
    code = type(maker)(maker.scope, maker.unit, maker.qualname, maker.code.name).translate(body)
    del maker.unit.codes[codes:]  # those of a text are told apart by their order, and are the same in every run of it
    code.faster, code.through = None, True
    return code


def begin(frame: Frame, part: Part) -> Frame:
    """The frame in which the parts of a statement of `frame` run."""
    return Frame(part.taken(), frame.locals, frame.globals, frame.outer)


def forget(frame: Frame) -> None:
    """The parts that ran in `frame` are done with."""
    if frame.code.part is not None:
        for name in [name for name in frame.locals if name.startswith(PREFIX)]:
            del frame.locals[name]


@cache
def in_a_row() -> ScriptFunction:
    """What a Sequential does, as a function whose calls can be entered."""
    from engine.script.compiling.compound import Statements
    from engine.script.compiling.program import Program

    tree = ast.parse("for module in list(self):\n    input = module(input)\nreturn input")
    scope = collect(Scope("function", Scope("module", None)), tree.body)
    scope.bound |= {"self", "input"}
    code = Statements(scope, Program((), hidden=True), "forward", "forward").translate(tree.body)
    code.positional, code.faster, code.through = ("self", "input"), None, True
    return ScriptFunction(code, {}, (), (), {})


def _is_unrolled(node: ast.AST) -> bool:
    """Whether a comprehension becomes a loop: where nothing inside of it has names of its own."""
    return isinstance(node, UNROLLED) and not any(
        isinstance(part, (ast.Lambda, ast.NamedExpr, *COMPREHENSIONS)) for part in walk(node) if part is not node
    )


class _Apart(Writer):
    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.number = -1

    def wanted(self, node: ast.AST | None) -> bool:
        return has_call(node)

    def hidden_name(self) -> str:
        self.number += 1
        return f"{PREFIX}{self.number}"

    def generic(self, node: Any) -> Any:
        made = super().generic(node)
        return self.save(made) if isinstance(node, ast.Call) else made

    def lift(self, node: Any) -> Any:
        inside = isinstance(node, UNROLLED) and _is_unrolled(node)
        return self.unrolled(node) if inside and self.wanted(node) else super().lift(node)

    def unrolled(self, node: ast.ListComp | ast.DictComp) -> ast.expr:
        """The loop that fills what a comprehension gives, and the name of that."""
        first = self.lift(node.generators[0].iter)
        bound = {name.id for each in node.generators for name in walk(each.target) if isinstance(name, ast.Name)}
        names = _Renamed({name: f"{PREFIX}{self.number + 1}_{name}" for name in bound})
        self.scope.bound.update(names.names.values())
        empty = ast.List([], ast.Load()) if isinstance(node, ast.ListComp) else ast.Dict([], [])
        held = self.save(at(empty, node))

        def block(fill: Callable[[], None]) -> list[ast.stmt]:
            around, self.before = self.before, []
            fill()
            made, self.before = self.before, around
            return made

        def loop(i: int) -> None:
            if i == len(node.generators):
                put()
                return
            each = node.generators[i]
            values = first if i == 0 else self.lift(names.of(each.iter))
            self.emit(ast.For(names.of(each.target), values, block(lambda: tests(i, 0)), []), node)

        def tests(i: int, k: int) -> None:
            if k == len(node.generators[i].ifs):
                loop(i + 1)
                return
            test = self.lift(names.of(node.generators[i].ifs[k]))
            self.emit(ast.If(test, block(lambda: tests(i, k + 1)), []), node)

        def put() -> None:
            if isinstance(node, ast.ListComp):
                append = ast.Attribute(held, "append", ast.Load())
                self.emit(ast.Expr(ast.Call(append, [self.lift(names.of(node.elt))], [])), node)
            else:
                key = self.save(self.lift(names.of(node.key)))
                value = self.lift(names.of(node.value))
                self.emit(ast.Assign([ast.Subscript(held, key, ast.Store())], value), node)

        loop(0)
        return held


class _Renamed(ast.NodeTransformer):
    """Copies of expressions in which some names are others."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def of(self, node: ast.expr) -> Any:
        return self.visit(copy.deepcopy(node))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node


def changed(node: ast.AugAssign, scope: Scope) -> ast.Tuple:
    """What an augmented assignment evaluates, in order: what holds the value, where in it, the value, the operand."""
    target = node.target
    held: list[ast.expr] = []

    def kept(value: ast.expr, name: str) -> ast.expr:
        scope.bound.add(name)
        held.append(ast.NamedExpr(ast.Name(name, ast.Store()), value))
        return ast.Name(name, ast.Load())

    read: ast.expr
    if isinstance(target, ast.Attribute):
        read = ast.Attribute(kept(target.value, PREFIX + "_owner"), target.attr, ast.Load())
    elif isinstance(target, ast.Subscript):
        owner = kept(target.value, PREFIX + "_owner")
        read = ast.Subscript(owner, kept(target.slice, PREFIX + "_index"), ast.Load())
    else:
        read = ast.Name(target.id, ast.Load())
    made: ast.Tuple = at(ast.Tuple([*held, at(read, target), node.value], ast.Load()), node)
    return made
