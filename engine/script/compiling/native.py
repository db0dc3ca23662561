"""Loops and functions that run often become one Python function each: their statements one after the other, numbers
calculated in place, everything else done by the closures that a debugger steps through.

What can be seen between two statements stays true inside: variables live in the frame's dict, iterators in its slots,
`frame.pc` is the statement that is being executed, and steps are counted. So an error, a limit or a wish to stop finds
the frame as it would be after the same statements one by one. The functions are made node by node from what is listed
here; no text of the script reaches the host's compiler."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any

from engine.script.compiling.names import undefined
from engine.script.executing.calls import NO_KEYWORDS, invoke
from engine.script.frames import RETURN, Code, Frame, Run, ScriptFunction, Where, current, located
from engine.script.reading.walk import walk
from engine.script.values import attributes, operators, subscripts
from engine.script.values.in_c import as_in_c
from engine.script.values.inplace import INPLACE

if TYPE_CHECKING:
    from engine.script.compiling.statements import Simple

NUMBERS = frozenset({int, float, bool})
OFTEN = 20
"""Calls after which a function's body is made into one."""
SMALL = 1 << 62
MOST = 400
"""Statements of one function."""
IN_PLACE = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
COMPARED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
LEAF = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Pass, ast.Delete, ast.Assert, ast.Raise, ast.Import,
        ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Return)  # fmt: skip
NOTHING = (ast.Global, ast.Nonlocal)


def _itself(value: Any) -> Any:
    return value


PLACES = all(None not in each for each in list(_itself.__code__.co_positions())[1:])
"""Whether the host keeps places (it may have been told not to)."""


def attach(code: Code, maker: Simple, statements: Sequence[ast.stmt]) -> None:
    """Give `code` the places where something faster may begin. Called once all its instructions are there."""
    if code.is_generator or maker.unit.hidden or maker.scope.kind not in ("module", "function") or not code.run:
        return
    if not PLACES:
        return
    entries: list[tuple[int, Sequence[ast.stmt], int]] = []
    if maker.scope.kind == "function" and all(_fits(each, False) for each in statements):
        loops = any(isinstance(part, (ast.For, ast.While)) for each in statements for part in walk(each))
        entries.append((0, statements, 1 if loops else OFTEN))
    else:
        _find_loops(statements, code, entries)
    if entries:
        code.faster = lambda: _with_entries(code, maker, entries)


def _find_loops(statements: Sequence[ast.stmt], code: Code, entries: list[tuple[int, Sequence[ast.stmt], int]]) -> None:
    """The loops in `statements`; those inside of `async def` and `except*`, which do not exist here, have no place."""
    for each in statements:
        if each not in code.starts and not isinstance(each, ast.Try):
            continue  # inside of what is not translated (an async function, except*)
        if isinstance(each, (ast.For, ast.While)) and _fits(each, False):
            entries.append((code.starts[each], [each], 1))
            continue
        for name in ("body", "orelse", "finalbody"):
            if not isinstance(each, (ast.FunctionDef, ast.ClassDef)):
                _find_loops(getattr(each, name, []), code, entries)
        for handler in getattr(each, "handlers", []):
            _find_loops(handler.body, code, entries)


def _fits(node: ast.stmt, in_loop: bool) -> bool:
    """Whether a statement can be one of many in a function."""
    if isinstance(node, ast.If):
        return all(_fits(each, in_loop) for each in (*node.body, *node.orelse))
    if isinstance(node, (ast.For, ast.While)):
        return not node.orelse and all(_fits(each, True) for each in node.body)
    if isinstance(node, (ast.Break, ast.Continue)):
        return in_loop
    return isinstance(node, (*LEAF, *NOTHING))


def _with_entries(code: Code, maker: Simple, entries: list[tuple[int, Sequence[ast.stmt], int]]) -> list[Run]:
    fast = list(code.run)
    last = {id(info.statement): pc for pc, info in enumerate(code.info)}
    taken = code.taken | {id(code.info[pc].statement) for pc in code.marks}
    for pc, statements, often in entries:
        parts = [part for each in statements for part in walk(each) if isinstance(part, ast.stmt)]
        if len(parts) <= MOST and not any(id(part) in taken for part in parts):
            fast[pc] = _Entry(fast, pc, last, code, maker, statements, often)
    return fast


class _Entry:
    """Where something faster begins, once it is worth the while."""

    __slots__ = ("code", "fast", "last", "left", "maker", "pc", "statements")

    def __init__(
        self,
        fast: list[Run],
        pc: int,
        last: dict[int, int],  # each statement's last instruction, by id()
        code: Code,
        maker: Simple,
        statements: Sequence[ast.stmt],
        often: int,
    ) -> None:
        self.fast, self.pc, self.last, self.left = fast, pc, last, often
        self.code, self.maker, self.statements = code, maker, statements

    def __call__(self, frame: Frame) -> int:
        self.left -= 1
        if self.left > 0:
            return self.code.run[self.pc](frame)
        try:
            made = _Region(self.code, self.maker, self.statements).make(self.last)
        except (SyntaxError, RecursionError):  # nested deeper than the host's compiler allows
            made = self.code.run[self.pc]
        self.fast[self.pc] = made
        return made(frame)


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def _attribute(name: str, attribute: str, ctx: ast.expr_context | None = None) -> ast.Attribute:
    return ast.Attribute(_load(name), attribute, ctx or ast.Load())


def _call(function: ast.expr | str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(_load(function) if isinstance(function, str) else function, list(arguments), [])


def _set(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([_store(name)], value)


class _Region:
    """The making of one function."""

    def __init__(self, code: Code, maker: Simple, statements: Sequence[ast.stmt]) -> None:
        self.code, self.maker, self.statements = code, maker, statements
        self.names: dict[str, Any] = {
            "CURRENT": current, "RUN": code.run, "NUMBERS": NUMBERS, "type": type, "BaseException": BaseException,
        }  # fmt: skip
        self.places: dict[tuple[int, int, int, int], Where] = {}
        self.variables: dict[tuple[int, int, int, int], tuple[str, bool]] = {}
        self.count = 0
        self.again: list[int | None] = []

    def make(self, last: dict[int, int]) -> Run:
        end = 1 + max(last[id(part)] for each in self.statements for part in walk(each) if id(part) in last)
        end = end if end < len(self.code.run) else RETURN
        start = [
            _set("L", _attribute("F", "locals")),
            _set("G", _attribute("F", "globals")),
            _set("M", _attribute("CURRENT", "machine")),
        ]
        body = [*self.sequence(self.statements), ast.Return(ast.Constant(end))]
        handler: list[ast.stmt] = [
            _set("error", _call("FIX", _load("caught"))),
            ast.If(_load("error"), [ast.Raise(_load("error"), ast.Constant(None))], []),
            ast.Raise(),
        ]
        caught = ast.Try(body, [ast.ExceptHandler(_load("BaseException"), "caught", handler)], [], [])
        arguments = ast.arguments([], [ast.arg("F")], None, [], [], None, [])
        function = ast.FunctionDef("region", arguments, [*start, caught], [])
        module = ast.Module([function], [])
        _locate(module)
        self.names["FIX"] = self.fix
        self.names["__builtins__"] = {}
        exec(compile(module, "<native>", "exec"), self.names)  # noqa: S102  (made above, node by node)
        made: Run = self.names["region"]
        self.compiled: CodeType = made.__code__
        return made

    def fix(self, error: BaseException) -> BaseException | None:
        """Say where `error` arose; the error that a missing name means in its place, if it is one."""
        trace = error.__traceback__
        if trace is None or trace.tb_frame.f_code is not self.compiled:
            return None
        positions = list(self.compiled.co_positions())[trace.tb_lasti // 2]
        line, end_line, column, end = positions
        place = (line or 0, column or 0, end_line or 0, end or 0)
        if trace.tb_next is None and type(error) is KeyError and place in self.variables:
            name, local = self.variables[place]
            where = self.places[place]
            if not local:
                return undefined(name, where)
            missing = UnboundLocalError(
                f"cannot access local variable '{name}' where it is not associated with a value"
            )
            located(missing, where)
            return missing
        known = self.places.get(place)
        if known is not None:
            located(error, known)
        return None

    # Pieces

    def new(self, prefix: str, value: Any) -> str:
        """A name for something of the host's."""
        self.count += 1
        name = f"{prefix}{self.count}"
        self.names[name] = value
        return name

    def temporary(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def placed(self, made: ast.expr, node: ast.expr) -> ast.expr:
        """`made` at the place of `node`: an error in it is told to be there."""
        ast.copy_location(made, node)
        place = (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
        self.places[place] = self.maker.where(node)
        return made

    # Statements

    def sequence(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        starts = self.code.starts
        real = [each for each in statements if each in starts]
        if not real:
            return [ast.Pass()]
        left = _attribute("M", "left", ast.Store())
        out: list[ast.stmt] = [
            self.at(starts[real[0]]),
            ast.AugAssign(left, ast.Sub(), ast.Constant(len(real))),
            ast.If(
                ast.Compare(_attribute("M", "left"), [ast.Lt()], [ast.Constant(0)]),
                [ast.Expr(_call(_attribute("M", "check")))],
                [],
            ),
        ]
        for number, each in enumerate(real):
            if number:
                out.append(self.at(starts[each]))
            out += self.statement(each)
        return out

    def at(self, pc: int) -> ast.stmt:
        return ast.Assign([_attribute("F", "pc", ast.Store())], ast.Constant(pc))

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        pc = self.code.starts[node]
        if isinstance(node, ast.If):
            return self.branch(node.test, self.sequence(node.body), self.sequence(node.orelse) if node.orelse else [])
        if isinstance(node, ast.While):
            test = self.branch(node.test, [], [ast.Break()])
            self.again.append(None)
            body = self.sequence(node.body)
            self.again.pop()
            return [ast.While(ast.Constant(True), [self.at(pc), *test, *body], [])]
        if isinstance(node, ast.For):
            return self.loop(node, pc)
        if isinstance(node, ast.Break):
            return [ast.Break()]
        if isinstance(node, ast.Continue):
            again = self.again[-1]
            return [ast.Continue()] if again is None else [self.at(again), ast.Continue()]
        if isinstance(node, ast.Return):
            if any(block.kind in ("with", "finally", "handler") for block in self.code.info[pc].blocks):
                return [ast.Return(self.one_by_one(pc))]
            value = self.value(node.value) if node.value is not None else ast.Constant(None)
            return [ast.Assign([_attribute("F", "result", ast.Store())], value), ast.Return(ast.Constant(RETURN))]
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and self.home(node.targets[0]):
            return [ast.Assign([self.variable(node.targets[0], ast.Store())], self.value(node.value))]
        if isinstance(node, ast.AugAssign) and isinstance(node.op, IN_PLACE) and self.home(node.target):
            function = self.new("I", _in_place(INPLACE[type(node.op)]))
            before = self.value(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))  # type: ignore[union-attr]
            result = self.numeric(node.op, before, self.value(node.value), function)
            return [ast.Assign([self.variable(node.target, ast.Store())], result)]
        if isinstance(node, ast.Expr):
            return [ast.Expr(self.value(node.value))]
        return [ast.Expr(self.one_by_one(pc))]

    def one_by_one(self, pc: int) -> ast.expr:
        """The instruction that a debugger executes."""
        return _call(ast.Subscript(_load("RUN"), ast.Constant(pc), ast.Load()), _load("F"))

    def branch(self, test: ast.expr, yes: list[ast.stmt], no: list[ast.stmt]) -> list[ast.stmt]:
        """An error in asking for the truth of the value has no place but the statement's, hence the variable."""
        name = self.temporary()
        forget: list[ast.stmt] = [] if isinstance(test, ast.Compare) else [_set(name, ast.Constant(None))]
        return [_set(name, self.value(test)), ast.If(_load(name), [*forget, *yes] or [ast.Pass()], [*forget, *no])]

    def loop(self, node: ast.For, pc: int) -> list[ast.stmt]:
        info = self.code.info[pc]
        assert info.begin is not None
        slot = self.code.info[pc + 1].blocks[-1].slot
        item, values = self.temporary(), self.temporary()
        kept = ast.Subscript(_attribute("F", "slots"), ast.Constant(slot), ast.Store())
        target = node.target
        if self.home(target):
            bind: ast.stmt = ast.Assign([self.variable(target, ast.Store())], _load(item))
        else:
            bind = ast.Expr(_call(self.new("S", self.maker.store(target)), _load("F"), _load(item)))
        self.again.append(pc + 1)
        body = self.sequence(node.body)
        self.again.pop()
        inside = [bind, _set(item, ast.Constant(None)), *body, self.at(pc + 1)]
        return [
            _set(values, _call(self.new("B", info.begin), _load("F"))),
            ast.Assign([kept], _load(values)),
            self.at(pc + 1),
            ast.For(_store(item), _load(values), inside, []),
            _set(values, ast.Constant(None)),
            ast.Assign([kept], ast.Constant(None)),
        ]

    # Expressions

    def home(self, node: ast.expr) -> str | None:
        """The dict in which a name lives, when that is one of the frame's two."""
        if not isinstance(node, ast.Name):
            return None
        kind, _ = self.maker.scope.resolve(self.maker.scope.mangle(node.id))
        return {"local": "L", "global": "G"}.get(kind)

    def variable(self, node: ast.expr, ctx: ast.expr_context) -> ast.expr:
        assert isinstance(node, ast.Name)
        name = self.maker.scope.mangle(node.id)
        return ast.Subscript(_load(self.home(node) or ""), ast.Constant(name), ctx)

    def value(self, node: ast.expr) -> ast.expr:
        """What gives the value of `node`."""
        if isinstance(node, ast.Constant) and type(node.value) in (int, float, bool, str, type(None)):
            return ast.Constant(node.value)
        home = self.home(node)
        if isinstance(node, ast.Name) and (home == "L" or (home == "G" and node.id not in self.builtins())):
            made = self.placed(self.variable(node, ast.Load()), node)
            place = (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
            self.variables[place] = (self.maker.scope.mangle(node.id), home == "L")
            return made
        if isinstance(node, ast.BinOp) and isinstance(node.op, IN_PLACE):
            function = self.new("O", _full(type(node.op), self.maker.where(node)))
            return self.numeric(node.op, self.value(node.left), self.value(node.right), function, node)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], COMPARED):
            function = self.new("C", _guarded(operators.comparison(type(node.ops[0])), self.maker.where(node)))
            return self.both(
                self.value(node.left),
                self.value(node.comparators[0]),
                lambda a, b: self.placed(ast.Compare(a, [node.ops[0]], [b]), node),
                function,
            )
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, (ast.Slice, ast.Tuple)):
            function = self.new("X", _item(self.maker.where(node)))
            return _call(function, self.value(node.value), self.value(node.slice))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.placed(ast.UnaryOp(ast.Not(), self.value(node.operand)), node)
        if isinstance(node, ast.BoolOp):
            return self.placed(ast.BoolOp(node.op, [self.value(each) for each in node.values]), node)
        if isinstance(node, ast.Attribute):
            where = self.maker.where_attribute(node, node)
            read = attributes.loader(_itself, self.maker.scope.mangle(node.attr), where)
            return _call(self.new("A", read), self.value(node.value))
        if isinstance(node, ast.Call) and _is_plain(node):
            chained = isinstance(node.func, ast.Attribute)
            where = self.maker.where_attribute(node.func, node) if chained else self.maker.where(node)  # type: ignore[arg-type]
            return _call(self.new("D", _called(where)), self.value(node.func), *map(self.value, node.args))
        return _call(self.new("E", self.maker.expression(node)), _load("F"))

    def builtins(self) -> Any:
        from engine.script.values.builtin import BUILTINS

        return BUILTINS

    def numeric(
        self, op: ast.operator, left: ast.expr, right: ast.expr, function: str, node: ast.expr | None = None
    ) -> ast.expr:
        """left <op> right. Products of ints go through the function that measures them."""
        kinds = "FLOATS" if isinstance(op, ast.Mult) else "NUMBERS"
        self.names["FLOATS"] = frozenset({float})

        def direct(a: ast.expr, b: ast.expr) -> ast.expr:
            made = ast.BinOp(a, op, b)
            return self.placed(made, node) if node is not None else made

        return self.both(left, right, direct, function, kinds)

    def both(
        self,
        left: ast.expr,
        right: ast.expr,
        direct: Callable[[ast.expr, ast.expr], ast.expr],
        function: str,
        kinds: str = "NUMBERS",
    ) -> ast.expr:
        """`direct` of two numbers, the function of anything else; nothing is held longer than it is needed."""
        a, b = self.temporary(), self.temporary()
        forget = [ast.NamedExpr(_store(name), ast.Constant(None)) for name in (a, b)]

        def known(value: ast.expr) -> bool:
            return isinstance(value, ast.Constant) and type(value.value) in (
                (float,) if kinds == "FLOATS" else (int, float)
            )

        def is_one(name: str, value: ast.expr) -> ast.expr:
            kind = _call("type", ast.NamedExpr(_store(name), value))
            return ast.Compare(kind, [ast.In()], [_load(kinds)])

        if known(right):
            return ast.IfExp(is_one(a, left), direct(_load(a), right), _call(function, _load(a), right, forget[0]))
        both_are = ast.BinOp(is_one(a, left), ast.BitAnd(), is_one(b, right))  # `and` would leave out the right one
        return ast.IfExp(both_are, direct(_load(a), _load(b)), _call(function, _load(a), _load(b), *forget))


def _locate(tree: ast.AST) -> None:
    """Everything that has no place of the script's stands at a place that nothing of the script's has."""
    for node in walk(tree):
        if isinstance(node, (ast.expr, ast.stmt, ast.excepthandler, ast.arg)) and not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0


def _full(kind: type[ast.operator], where: Where) -> Callable[..., Any]:
    """The operator on any two values, saying where it failed."""
    plain = {ast.Add: operators.add, ast.Mult: operators.product}
    function: Any = plain.get(kind, operators.FUNCTIONS[kind])

    guarded = _guarded(function, where)
    if kind is not ast.Mult:
        return guarded

    def product(a: Any, b: Any, *_: None) -> Any:
        if type(a) is int and type(b) is int and -SMALL < a < SMALL and -SMALL < b < SMALL:
            return a * b
        return guarded(a, b)

    return product


def _guarded(function: Callable[[Any, Any], Any], where: Where) -> Callable[..., Any]:
    """`function`, whose errors say where they arose."""

    def run(a: Any, b: Any, *_: None) -> Any:
        try:
            return function(a, b)
        except BaseException as error:
            as_in_c(error, a, b)
            located(error, where)
            raise

    return run


def _in_place(function: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def run(a: Any, b: Any, *_: None) -> Any:
        return function(a, b)

    return run


def _is_plain(node: ast.Call) -> bool:
    """Whether a call has nothing but positional arguments, and does not look at the frame."""
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return False
    return not (isinstance(node.func, ast.Name) and node.func.id == "super")


def _called(where: Where) -> Callable[..., Any]:
    """`function(*arguments)`."""

    def call(function: Any, *arguments: Any) -> Any:
        try:
            if type(function) is ScriptFunction:
                return current.machine.call(function, arguments, NO_KEYWORDS)
            return invoke(function, arguments)
        except BaseException as error:
            located(error, where)
            raise

    return call


def _item(where: Where) -> Callable[[Any, Any], Any]:
    """`value[key]`."""
    read: Any = subscripts.subscript(lambda both: both[0], lambda both: both[1], where)  # type: ignore[index]

    def item(value: Any, key: Any) -> Any:
        if type(key) is int and type(value) is list and -len(value) <= key < len(value):
            return value[key]
        return read((value, key))

    return item
