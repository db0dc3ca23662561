"""The transcript: the program that a session has executed, as Python source that prints the same under real PyTorch.

The training loop and the loops around it are unrolled in place: their iterators are advanced by `next`, and each
statement stands there as often as it ran. A statement with a block of its own (`if`, `with`, `try`, an inner loop, a
call that was stepped into) is written whole when it ran whole. Failed statements stand inside try/except that prints,
and those whose error the script caught inside one that keeps it. A call in which the statements ran in another order
than the function's is a call of another function, which has them in theirs.
"""

from __future__ import annotations

import ast
import copy
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import count, pairwise, takewhile
from typing import Any

from engine.random import DEFAULT_SEED
from engine.run.outside import outside_of
from engine.run.session import Executed, Session
from engine.script.compiling.scopes import Scope, collect

NOT_EXACT = "Not exact"
_MODE = re.compile(
    r"(torch\.)?(autograd\.)?((no_grad|enable_grad|inference_mode)(\(\))?|(set_grad_enabled|inference_mode)\((True|False)\))"
)
"""A decorator that only puts a grad mode around a function."""
_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try)


def write_transcript(session: Session, seed: int) -> str:
    """The program executed so far. Where it cannot be exact, a comment says so."""
    writer = _Writer(session, None, 0, count(1))
    imported = {
        alias.name.split(".")[0] if isinstance(part, ast.Import) else (part.module or "").split(".")[0]
        for part in ast.walk(session.script.tree)
        if isinstance(part, (ast.Import, ast.ImportFrom))
        for alias in part.names
    }
    if seed != DEFAULT_SEED:
        writer.lines += ["import torch", f"torch.manual_seed({seed})", ""]
    if "random" in imported:
        writer.lines += ["import random", "random.seed(0)", ""]
    if imported & {"time", "datetime"}:
        writer.lines.append(f"# {NOT_EXACT}: the script asks for the time.")
    writer.write(session.log)
    position = session.position
    where = "the program has ended" if position is None else f"the next line is {position.line}"
    writer.lines.append(f"# Gradient Flow: moment {session.last}; {where}.")
    return "\n".join(writer.lines) + "\n"


class _Writer:
    """Writes what ran in one frame: the module's, or that of one call of `function`, at depth `base`."""

    def __init__(self, session: Session, function: ast.FunctionDef | None, base: int, numbers: Iterator[int]) -> None:
        self.session, self.function, self.base, self.numbers = session, function, base, numbers
        self.script = session.script
        self.text = self.script.text.splitlines()
        self.lines: list[str] = []
        self.parent: dict[int, ast.AST] = {}
        for outer in ast.walk(self.script.tree):
            for part in ast.iter_child_nodes(outer):
                self.parent[id(part)] = outer
        self.unrolled = self._around(self.script.loop)
        self.open: set[int] = set()  # unrolled loops whose iterator is there
        self.withs: list[tuple[ast.With, set[int]]] = []  # unrolled ones that are open, and what stands in them
        self.previous: ast.stmt | None = None  # the statement written last, when it was written whole in its place

    def _around(self, loop: ast.stmt | None) -> set[int]:
        """The training loop and every statement around it in this frame's code."""
        found: set[int] = set()
        node: ast.AST | None = loop
        while node is not None and node is not self.function and not isinstance(node, ast.Module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                return set()  # the loop is inside a function: it is written as the call
            found.add(id(node))
            node = self.parent.get(id(node))
        return found if node is not None and node is (self.function or self.script.tree) else set()

    def atom(self, statement: ast.stmt) -> ast.stmt:
        """The outermost statement around `statement` that is not unrolled (itself when it is)."""
        node: ast.AST = statement
        while id(node) not in self.unrolled:
            outer = self.parent[id(node)]
            if isinstance(outer, ast.Module) or outer is self.function or id(outer) in self.unrolled:
                break
            if not isinstance(outer, (ast.stmt, ast.excepthandler)):
                break
            node = outer
        return node if isinstance(node, ast.stmt) else statement

    def write(self, log: Sequence[Executed]) -> None:
        i = 0
        base = self.base
        while i < len(log):
            entry = log[i]
            if entry.depth <= base:
                self._leave_withs(entry.then if entry.statement is None else entry.statement)
            if entry.statement is None:
                self.statement(self._inside_withs(entry.source, entry.then), entry.failed)
                self.previous = None
                i += 1
            elif id(entry.statement) in self.unrolled:
                self.header(entry)
                i += 1
            else:
                end = self._group_end(log, i, base)
                self.group(log[i:end], end == len(log) and self.function is None, base)
                i = end

    def _group_end(self, log: Sequence[Executed], start: int, base: int) -> int:
        """Where the entries that belong to the same statement end."""
        first = log[start].statement
        assert first is not None
        atom = self.atom(first)
        end = start + 1
        left = isinstance(atom, (ast.For, ast.While)) and not log[start].entered and first is atom
        while end < len(log):
            entry = log[end]
            if entry.depth <= base and (entry.statement is None or self.atom(entry.statement) is not atom):
                break
            if entry.depth <= base and entry.statement is atom:
                if left or not isinstance(atom, (ast.For, ast.While)) or entry.skipped:
                    break
                left = not entry.entered
            end += 1
        return end

    # -- one statement -------------------------------------------------------------------------------------------

    def statement(self, source: str, failed: bool = False, caught: ast.ExceptHandler | None = None) -> None:
        """Write `source`, inside try/except that prints when it failed, or keeps its error where `caught` was next."""
        if caught is not None:
            self.lines.append(_caught(source, caught))
        elif failed:
            self.lines += [
                "try:",
                textwrap.indent(source, "    "),
                "except Exception as _error:",
                "    print(f'{type(_error).__name__}: {_error}')",
            ]
        else:
            self.lines.append(source)

    def header(self, entry: Executed) -> None:
        """The header of an unrolled statement."""
        node = entry.statement
        self.previous = None
        if isinstance(node, (ast.For, ast.While)) and entry.skipped:
            self.open.discard(id(node))  # passed over: the next time it begins anew
            return
        if isinstance(node, ast.For):
            iterator = f"_loop_{node.lineno}"
            source = [] if id(node) in self.open else [f"{iterator} = iter({ast.unparse(node.iter)})"]
            if entry.entered or entry.failed:
                source.append(f"{ast.unparse(node.target)} = next({iterator})")
                if not entry.failed:
                    self.open.add(id(node))
            else:
                source.append(f"next({iterator}, None)")
                self.open.discard(id(node))
            if entry.entered and node is self.script.loop:
                self.lines.append("")
            self.statement("\n".join(source), entry.failed, self._handler(node, entry.then))
        elif isinstance(node, ast.While):
            handler = self._handler(node, entry.then)
            if _calls_something(node.test) or entry.failed or handler is not None:
                self.statement(f"bool({ast.unparse(node.test)})", entry.failed, handler)
        elif isinstance(node, ast.With) and not entry.skipped:
            if not entry.failed:
                self.withs.append((node, {id(part) for each in node.body for part in ast.walk(each)}))
            for k, item in enumerate(node.items):
                name = f"_with_{node.lineno}_{k}"
                enter = f"{name}.__enter__()"
                if item.optional_vars is not None:
                    enter = f"{ast.unparse(item.optional_vars)} = {enter}"
                self.statement(f"{name} = {ast.unparse(item.context_expr)}\n{enter}", entry.failed)

    def _leave_withs(self, place: ast.stmt | None) -> None:
        """Leave the unrolled with statements that `place` is not in; None stands for the end."""
        while self.withs and id(place) not in self.withs[-1][1]:
            node, _ = self.withs.pop()
            self.lines += [
                f"_with_{node.lineno}_{k}.__exit__(None, None, None)" for k in reversed(range(len(node.items)))
            ]

    def group(self, entries: Sequence[Executed], newest: bool, base: int) -> None:
        """All entries of one statement that ran in one go; `newest`: nothing has run since."""
        first = entries[0].statement
        assert first is not None
        atom = self.atom(first)
        inner = [entry for entry in entries if entry.depth > base]
        whole = first is _entry(atom) and not any(
            entry.failed or entry.skipped for entry in entries if entry.depth <= base
        )
        if isinstance(atom, ast.Try) and not _unbroken(entries):
            whole = False
        if self._raises_anew(atom):
            whole = False  # its handler is not around it any more
        if newest and self._inside_call(base):
            whole = False  # the run is still in the middle of it
        if self._leaves_unrolled_loop(atom):
            whole = False  # its break or continue has no loop around it any more
        after = entries[-1].then
        if isinstance(atom, _COMPOUND) and after is not None and self._contains(atom, after):
            whole = whole and after is atom and not isinstance(atom, (ast.For, ast.While))
        if whole and not _out_of_order(inner):
            self._whole(atom, self._handler(atom, after))
            return
        self.previous = None
        for at, entry in enumerate(entries):
            statement = entry.statement
            if entry.skipped or statement is None or entry.depth > base:
                continue
            made = list(takewhile(lambda later: later.depth > base, entries[at + 1 :]))
            if isinstance(statement, _COMPOUND):
                self._say_order(statement, made)
            if isinstance(statement, ast.For):
                self.header(entry)
            elif isinstance(statement, (ast.If, ast.While)):
                handler = self._handler(statement, entry.then)
                if _calls_something(statement.test) or entry.failed or handler is not None:
                    self.statement(f"bool({ast.unparse(statement.test)})", entry.failed, handler)
            elif isinstance(statement, ast.With):
                continue  # its block's statements follow as they ran, each inside it
            elif isinstance(statement, ast.Break):
                self.open.discard(id(self._loop_of(statement)))
            elif isinstance(statement, ast.Continue):
                continue
            elif newest and self._inside_call(base) and not any(later.depth <= base for later in entries[at + 1 :]):
                self.lines.append(f"# The run is inside the call of line {statement.lineno}, which has not returned.")
            else:
                self._again(statement, entry, made)

    def _again(self, statement: ast.stmt, entry: Executed, made: list[Executed]) -> None:
        """A statement that is no block; `made` is what ran in its calls."""
        source = self.session.script.source_of(statement)
        if _out_of_order(made):
            source = self._other_call(statement, made) or source
        if isinstance(statement, ast.Raise) and statement.exc is None:
            source = self._anew(statement)
        handler = self._handler(statement, (made[-1] if made else entry).then)
        self.statement(self._inside_withs(source, statement, handler), entry.failed)

    def _say_order(self, statement: ast.stmt, entries: Sequence[Executed]) -> None:
        if _out_of_order(entries):
            self.lines.append(f"# {NOT_EXACT}: inside the call of line {statement.lineno} the order was another one.")

    def _other_call(self, statement: ast.stmt, entries: Sequence[Executed]) -> str | None:
        """A statement that calls a function of the script, with a call of another function that does what was done in
        the call: `entries`. None, and a comment, where that cannot be written."""
        first = next((e.statement for e in entries if e.statement is not None and e.depth == self.base + 1), None)
        node: ast.AST | None = first
        while node is not None and not isinstance(node, ast.FunctionDef):
            node = self.parent.get(id(node))
        made: Any = copy.deepcopy(statement)
        call: Any = _the_call(made, node.name) if isinstance(node, ast.FunctionDef) else None
        can = isinstance(node, ast.FunctionDef) and isinstance(call, ast.Call) and self._can_be_written(node, entries)
        if not can or not isinstance(node, ast.FunctionDef) or not self._is_call_of(call.func, node):
            self._say_order(statement, entries)
            return None
        writer = _Writer(self.session, node, self.base + 1, self.numbers)
        writer.write(entries)
        scope = collect(Scope("function", Scope("module", None)), node.body)
        own = sorted(name for name in scope.bound - _parameters(node) if name.isidentifier())
        head = [f"global {', '.join(sorted(scope.globals))}"] if scope.globals else []
        head += ["if False:", *(f"    {name} = None" for name in own)] if own else []  # they are local all the same
        other = f"_{node.name}_{next(self.numbers)}"
        body = textwrap.indent("\n".join(head + writer.lines) or "pass", "    ")
        outer = self.parent[id(node)]
        modes = "".join(f"@{ast.unparse(each)}\n" for each in node.decorator_list)
        text = f"{modes}def {other}({self._parameters_of(node, outer)}):\n{body}"
        self.lines.append(outside_of(outer, text) if isinstance(outer, ast.ClassDef) else text)
        if isinstance(outer, ast.ClassDef):
            method = isinstance(call.func, ast.Attribute) and call.func.attr == node.name
            owner = call.func.value if method else call.func
            if isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super":
                owner = ast.Name(self.function.args.args[0].arg, ast.Load()) if self.function is not None else owner
            call.args.insert(0, owner)
        call.func = ast.Name(other, ast.Load())
        return ast.unparse(made)

    def _parameters_of(self, function: ast.FunctionDef, around: ast.AST) -> str:
        """The parameters as written, with the very values that were made for them when the function was."""
        arguments = copy.deepcopy(function.args)
        owner = f"{around.name}." if isinstance(around, ast.ClassDef) else ""
        for i, default in enumerate(arguments.defaults):
            if not isinstance(default, ast.Constant):
                made = ast.parse(f"{owner}{function.name}.__defaults__[{i}]", mode="eval")
                arguments.defaults[i] = made.body
        return ast.unparse(arguments)

    def _can_be_written(self, function: ast.FunctionDef, entries: Sequence[Executed]) -> bool:
        """Whether `entries` ran in a call of a method, or of a plain function of the module or of this function, and
        mean the same in another function."""
        around = self.parent[id(function)]
        parts = list(ast.walk(function))
        inside = {id(part) for part in parts}
        mine = [entry for entry in entries if entry.depth == self.base + 1]
        words = {part.id for part in parts if isinstance(part, ast.Name)}
        typed = [part for e in mine if e.statement is None for part in ast.walk(ast.parse(e.source))]
        names = [part for part in typed if isinstance(part, ast.Name)]
        known = collect(Scope("function", Scope("module", None)), function.body).bound | _parameters(function)
        read = words | {name.id for name in names if isinstance(name.ctx, ast.Load)}
        anew = {name.id for name in names if not isinstance(name.ctx, ast.Load)} - known
        failed = any(e.failed and e.statement is None for e in mine)
        return (
            (
                around is self.script.tree
                or around is self.function
                or (isinstance(around, ast.ClassDef) and around in self.script.tree.body)
            )
            and all(_MODE.fullmatch(ast.unparse(each)) for each in function.decorator_list)
            and all(
                default is None or isinstance(default, ast.Constant)
                for default in function.args.kw_defaults + (function.args.defaults if function.decorator_list else [])
            )
            and not any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await, ast.Nonlocal)) for part in parts)
            and all(e.statement is None or id(e.statement) in inside for e in mine)
            and not anew & read  # a name that was typed in is a variable of the call, and of the other function
            and not (failed and {name.id for name in names} & known)  # an unbound name is called so in other words
        )

    def _is_call_of(self, called: ast.expr, function: ast.FunctionDef) -> bool:
        """Whether what is called is this function by name, or an object of which it is a method: a name that stands for
        something else (partial(), a function in a mode) gives the call other arguments, or does more."""
        if isinstance(called, ast.Attribute):  # of an object that is called it is the name
            return called.attr == function.name or function.name in ("forward", "__call__", "__init__")
        if function.name == "__init__" or not isinstance(called, ast.Name):
            return False
        stores = [p for p in self.parent.values() if isinstance(p, ast.Assign) and _stores(p, called.id)]
        if isinstance(self.parent[id(function)], ast.ClassDef):
            return not any("partial" in ast.unparse(each.value) for each in stores)
        return called.id == function.name and not stores

    def _whole(self, atom: ast.stmt, caught: ast.ExceptHandler | None = None) -> None:
        """A statement as it stands, with the comments before it when it follows what was written last."""
        if caught is not None:
            self.statement(self._inside_withs(self.session.script.source_of(atom), atom, caught))
            self.previous = None
            return
        first = atom.lineno
        decorators = getattr(atom, "decorator_list", [])
        if decorators:
            first = min(first, min(d.lineno for d in decorators))
        before = self.previous
        if self._column(atom) == 0:
            if before is not None and before.end_lineno is not None and before.end_lineno < first:
                self.lines += self.text[before.end_lineno : first - 1]
            elif before is None and not self.lines and atom is self.script.tree.body[0]:
                self.lines += self.text[: first - 1]
        if decorators:
            self.lines.append("\n".join(self.text[first - 1 : atom.end_lineno]))
        else:
            self.lines.append(self.session.script.source_of(atom))
        self.previous = atom if self._column(atom) == 0 else None

    def _column(self, statement: ast.stmt) -> int:
        return statement.col_offset

    def _contains(self, outer: ast.AST, inner: ast.stmt) -> bool:
        return any(part is inner for part in ast.walk(outer))

    def _leaves_unrolled_loop(self, atom: ast.stmt) -> bool:
        return any(
            isinstance(part, (ast.Break, ast.Continue)) and id(self._loop_of(part)) in self.unrolled
            for part in ast.walk(atom)
        )

    def _inside_call(self, base: int) -> bool:
        position = self.session.position
        return position is not None and position.depth > base

    def _loop_of(self, statement: ast.stmt) -> ast.AST | None:
        node: ast.AST | None = statement
        while node is not None and not isinstance(node, (ast.For, ast.While)):
            node = self.parent.get(id(node))
        return node

    def _handler(self, statement: ast.stmt, after: ast.stmt | None) -> ast.ExceptHandler | None:
        """The handler that caught what `statement` raised, where it is around it and `after`, which was next, in it."""
        part: ast.AST = statement
        node = self.parent.get(id(part))
        while after is not None and node is not None and node is not self.function:
            if isinstance(node, ast.Try) and any(part is each for each in node.body):
                for handler in node.handlers:
                    if self._contains(handler, after):
                        self._leave_loops(statement, node)
                        return handler
            part, node = node, self.parent.get(id(node))
        return None

    def _leave_loops(self, statement: ast.AST, around: ast.AST) -> None:
        """An error went from `statement` to `around`: the loops between them begin anew."""
        node: ast.AST | None = statement
        while node is not None and node is not around:
            self.open.discard(id(node))
            node = self.parent.get(id(node))

    def _handler_around(self, statement: ast.AST) -> ast.ExceptHandler | None:
        node = self.parent.get(id(statement))
        while node is not None and node is not self.function and not isinstance(node, ast.ExceptHandler):
            node = self.parent.get(id(node))
        return node if isinstance(node, ast.ExceptHandler) else None

    def _raises_anew(self, atom: ast.stmt) -> bool:
        """Whether a `raise` inside of `atom` means the error of a handler that is around it."""
        handler = self._handler_around(atom)
        return handler is not None and any(
            isinstance(part, ast.Raise) and part.exc is None and self._handler_around(part) is handler
            for part in ast.walk(atom)
        )

    def _anew(self, statement: ast.Raise) -> str:
        handler = self._handler_around(statement)
        return "raise" if handler is None else f"raise {_kept(handler)}"

    def _inside_withs(self, source: str, place: ast.stmt | None, caught: ast.ExceptHandler | None = None) -> str:
        """The source of a statement executed at `place`, inside the with statements that are around it there, and the
        `try` of the handler that caught its error."""
        node: ast.AST | None = None if place is None else self.parent.get(id(place))
        while node is not None and node is not self.function and id(node) not in self.unrolled:
            if isinstance(node, ast.With):
                head = ", ".join(ast.unparse(item) for item in node.items)
                if not head.startswith("torch."):
                    self.lines.append(f"# {NOT_EXACT}: line {node.lineno} is entered for each statement in its block.")
                source = f"with {head}:\n{textwrap.indent(source, '    ')}"
            elif isinstance(node, ast.Try) and caught in node.handlers and caught is not None:
                source, caught = _caught(source, caught), None
            node = self.parent.get(id(node))
        return source if caught is None else _caught(source, caught)


def _kept(handler: ast.ExceptHandler) -> str:
    return f"_caught_{handler.lineno}"


def _caught(source: str, handler: ast.ExceptHandler) -> str:
    """`source`, whose error `handler` catches: it is kept under the handler's name."""
    kind = "BaseException" if handler.type is None else ast.unparse(handler.type)
    names = " = ".join((_kept(handler), *(() if handler.name is None else (handler.name,))))
    return f"try:\n{textwrap.indent(source, '    ')}\nexcept {kind} as _error:\n    {names} = _error"


def _entry(atom: ast.stmt) -> ast.stmt:
    """The statement that is executed first when `atom` is reached."""
    return _entry(atom.body[0]) if isinstance(atom, ast.Try) else atom


def _unbroken(entries: Sequence[Executed]) -> bool:
    """Whether each statement was followed by the one that was next after it."""
    return all(entry.then is later.statement for entry, later in pairwise(entries))


def _stores(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for t in statement.targets for part in ast.walk(t))


def _parameters(function: ast.FunctionDef) -> set[str]:
    return {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}


def _out_of_order(entries: Sequence[Executed]) -> bool:
    """Whether statements of a call ran in another way than the function's text says."""
    return any(entry.failed or entry.skipped or entry.statement is None for entry in entries)


def _calls_something(test: ast.expr) -> bool:
    """Whether evaluating a condition may do something."""
    return any(isinstance(part, (ast.Call, ast.NamedExpr)) for part in ast.walk(test))


def _the_call(statement: ast.stmt, name: str) -> ast.expr | None:
    """The one call in a statement of what is called `name`, which is made once; where there is none, what the statement
    is as a whole. None where there are several."""
    several = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
    found: list[ast.Call] = []
    pending: list[ast.AST] = [statement]
    often = False
    while pending:
        part = pending.pop()
        often = often or isinstance(part, several)
        if isinstance(part, ast.Call) and getattr(part.func, "attr", getattr(part.func, "id", None)) == name:
            found.append(part)
        pending += ast.iter_child_nodes(part)
    if len(found) > 1 or (found and often):
        return None
    return found[0] if found else getattr(statement, "value", None)
