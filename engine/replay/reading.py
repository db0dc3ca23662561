"""Which loops of a script can be replayed, told from their text.

The statements of a training loop are of two sorts. Those of the *tape* compute tensors, go backward, clear gradients
or let an optimizer step, and nothing else: `loss = criterion(model(x), y)`, `loss.backward()`. The *rest* between what
is computed and the backward may read it, but change nothing: `if step % 10 == 0: print(loss.item())`. What stands
before and after may do anything; where it does more than read, the loop is *open*, and each iteration is looked at
before it is replayed.

The body of a function that goes backward once (`train_step`) is read as the body of a loop: each call is an iteration.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from engine.replay.pure import (
    LISTS,
    bound_in,
    computes,
    names_only,
    path_of,
    paths,
    picked,
    roots,
    unpacked,
)
from engine.replay.whole import Whole
from engine.script.reading.walk import walk

Kind = Literal["clear", "compute", "backward", "step"]

# A script that looks at its own variables or at objects as such might see a difference.
NOT_WITH = {
    "locals",
    "globals",
    "vars",
    "eval",
    "exec",
    "dir",
    "gc",
    "weakref",
    "inspect",
    "tracemalloc",
    "sys",
    "property",
    "setattr",
    "delattr",
}
PATCHED = {"forward", "__call__", "__class__", "__dict__", "step", "zero_grad", "backward", "__setattr__"}
PLAIN = {"__init__", "__len__", "__getitem__"}
READING = {
    "print",
    "len",
    "range",
    "float",
    "int",
    "str",
    "bool",
    "round",
    "abs",
    "min",
    "max",
    "sum",
    "format",
    "repr",
}
METHODS = frozenset(
    {"item", "tolist", "append", "detach", "clone", "argmax", "argmin", "mean", "sum", "float", "double", "long", "int"}
    | {"max", "min", "abs", "norm", "numel", "size", "dim", "eq", "ne", "gt", "lt", "ge", "le", "any", "all", "format"}
    | {"join", "squeeze", "unsqueeze", "flatten", "view", "reshape", "transpose", "t", "contiguous", "to", "cpu"}
    | {"numpy", "std", "var", "sqrt", "exp", "log", "round"}
    | {"train", "eval"}  # what a tape can do is the same in both modes
)
CASTING = frozenset({"float", "double", "long", "int", "to", "cpu"})
INNER = {"__dict__", "__class__", "__setattr__", "__globals__", "__code__", "grad_fn", "next_functions"}
TESTS = (ast.Name, ast.Constant, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.UnaryOp, ast.unaryop, ast.Load)
"""What conditions are made of that are looked at when a loop is recorded."""
SWITCHES = {"deterministic", "benchmark", "enabled", "allow_tf32"}
"""Of PyTorch's backends: they mean nothing here."""


@dataclass(frozen=True, slots=True)
class TapeStatement:
    """A statement of the tape. `reads` are the names and paths (`self.model`) that it loads, `roots` their names;
    `binds` are those that it stores."""

    node: ast.stmt
    kind: Kind
    reads: frozenset[str]
    roots: frozenset[str]
    binds: frozenset[str]


Body = ast.For | ast.While | ast.FunctionDef


@dataclass(frozen=True, slots=True)
class LoopText:
    """A loop that can be replayed, or a function that is called again and again.

    `varying` are the names that it binds outside of the tape, `between` those of them that are bound between what is
    computed and the backward; `seen` are the names that anything but the tape reads; `lost` those that the tape reads
    and then binds to something else. `whole`: there is nothing in it but the tape. `local` are the names of the
    function's own around it, None where there is none; `stored` those of lists and tensors that something is put into
    before the backward. `changes`: tensors may be changed in place. `left` are statements (by id) that could be on the
    tape and are not, each with whether it is known to do nothing but compute."""

    node: Body
    tape: tuple[TapeStatement, ...]
    varying: frozenset[str]
    between: frozenset[str]
    seen: frozenset[str]
    lost: frozenset[str]
    open: bool
    whole: bool
    local: frozenset[str] | None
    stored: frozenset[str]
    changes: bool
    left: dict[int, bool]
    again: Callable[[dict[int, bool]], LoopText | None]

    def without(self, statement: TapeStatement, harmless: bool) -> LoopText | None:
        """The loop with a statement of the tape left to the rest; None where it cannot be replayed then."""
        return self.again({**self.left, id(statement.node): harmless})


def loops_of(tree: ast.Module) -> list[LoopText]:
    """The loops of a script's top level that can be replayed."""
    nodes = walk(tree)
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    modules = {alias.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    if names & NOT_WITH or modules & NOT_WITH:
        return []
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            if any(name.startswith("__") and name not in PLAIN for name in methods):
                return []
    if _patches(nodes, modules):
        return []
    whole = Whole(tree)
    found = [_first_read(loop, whole, None) for loop in _loops(tree.body)]
    for function in _functions(tree.body):
        local = _local(function)
        if local is None:
            continue
        bodies: list[Body] = [function] if any(map(_backward, function.body)) else [*_loops(function.body)]
        found += [_first_read(body, whole, local) for body in bodies]
    return [loop for loop in found if loop is not None]


def _first_read(loop: Body, whole: Whole, local: frozenset[str] | None) -> LoopText | None:
    """The loop with all of its tape; where it cannot be replayed so, without what is most often no part of it."""
    doubtful = {
        id(each): False
        for each in loop.body
        if isinstance(each, ast.If) or any(isinstance(part, ast.Subscript) for part in walk(each))
    }
    return _read(loop, whole, local, {}) or _read(loop, whole, local, doubtful)


def _patches(nodes: list[ast.AST], modules: set[str]) -> bool:
    """Whether a script of these nodes changes what the engine's functions and modules do, by assigning to their
    attributes."""
    modules = modules | {"torch", "nn", "F", "optim"}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            modules |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            modules |= {alias.asname for alias in node.names if alias.asname}
    for node in nodes:
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if node.attr in PATCHED or (_root(node) & modules and node.attr not in SWITCHES):
                return True
        elif isinstance(node, ast.Attribute) and node.attr in INNER:
            return True
    return False


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    """The functions and methods of a script, and those inside of them."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef):
            yield statement
            yield from _functions(statement.body)
        elif isinstance(statement, (ast.If, ast.For, ast.While, ast.ClassDef)):
            yield from _functions(statement.body)


def _local(function: ast.FunctionDef) -> frozenset[str] | None:
    """The names of a function's own; None where it is none that can be looked at so simply."""
    found = bound_in(function) | {part.arg for part in walk(function.args) if isinstance(part, ast.arg)}
    for part in walk(function):
        if isinstance(part, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Lambda, ast.Import, ast.Match)):
            return None
        if part is not function and isinstance(part, (ast.FunctionDef, ast.ClassDef, ast.ImportFrom)):
            return None
        if isinstance(part, ast.ExceptHandler) and part.name:
            return None
    return found


def _loops(body: list[ast.stmt], inside: bool = False) -> Iterator[ast.For | ast.While]:
    """The loops outside of functions that call backward in their own body."""
    for statement in body:
        if isinstance(statement, (ast.For, ast.While)):
            if not any(_backward(part) for part in statement.body):
                yield from _loops(statement.body, True)
            else:
                yield statement
        elif isinstance(statement, (ast.If, ast.With)):
            yield from _loops(statement.body, inside)


def _read(loop: Body, whole: Whole, local: frozenset[str] | None, left: dict[int, bool]) -> LoopText | None:
    tape: list[TapeStatement] = []
    rest: list[ast.stmt] = []
    strict: list[ast.stmt] = []  # of the rest, what stands between the first that is computed and the backward
    begun = over = False  # after the backward, what is computed is the rest's
    for statement in loop.body:
        kind = None if id(statement) in left else _kind(statement)
        if kind == "backward" and over:
            return None
        if kind is None or (kind == "compute" and over):
            rest.append(statement)
            if begun and not over:
                strict.append(statement)
        elif kind == "step" and not over:
            return None
        else:
            over, begun = over or kind == "backward", begun or kind in ("compute", "backward")
            reads = paths(statement) if kind == "compute" else _of_owner(statement)
            reads = reads.union(*(whole.reached(name) or () for name in reads))
            inner = (bound_in(part) for part in walk(statement) if isinstance(part, LISTS))
            binds = bound_in(statement).difference(*inner)
            tape.append(TapeStatement(statement, kind, reads, roots(reads), binds))
    if not over or (
        local is not None
        and any(((whole.reached(name) or frozenset()) - {name}) & local for t in tape for name in t.reads)
    ):
        return None
    # Which loop of `while` is entered anew cannot be told, nor what happens between two calls.
    is_open = not isinstance(loop, ast.For) and (local is not None or not isinstance(loop, ast.While))
    is_open = is_open or (isinstance(loop, ast.While) and id(loop) not in whole.top)
    is_open = is_open or (isinstance(loop, ast.For) and not _counts(loop.iter))
    bound = frozenset[str]().union(*(each.binds for each in tape))
    used = frozenset[str]().union(*(each.roots | each.binds for each in tape))
    varying = bound_in(loop.target) if isinstance(loop, ast.For) else frozenset()
    if isinstance(loop, ast.FunctionDef):
        varying = frozenset(part.arg for part in walk(loop.args) if isinstance(part, ast.arg))
    varying = varying.union(*map(bound_in, rest))
    stored: set[str] = set()
    for statement in rest:
        harmless = left.get(id(statement), False) or _harmless(statement, whole.own)
        fine = harmless and not _meddles(statement, used, varying, bound)
        if not fine and statement in strict and not _keeps(statement, whole.own, used, stored):
            return None
        is_open = is_open or not fine
    if any(bound_in(statement) & used & _read_before(loop, tape, statement) for statement in strict):
        return None
    seen = whole.read_outside([part for each in tape for part in walk(each.node)])
    computed = [each for each in tape if each.kind == "compute"]
    lost = seen & bound & frozenset[str]().union(*(each.roots for each in computed))
    between = frozenset[str]().union(*(bound_in(statement) for statement in strict))
    return LoopText(
        loop,
        tuple(tape),
        varying,
        between,
        seen,
        lost,
        is_open,
        not rest,
        local,
        frozenset(stored),
        whole.changes,
        left,
        partial(_read, loop, whole, local),
    )


def _counts(values: ast.expr) -> bool:
    """Whether what gives a loop its values does nothing else: a generator of the script's might."""
    if isinstance(values, (ast.List, ast.Tuple)):
        return True
    return isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id == "range"


def _keeps(statement: ast.stmt, own: set[str], used: frozenset[str], stored: set[str]) -> bool:
    """Whether a statement puts something into a list or a tensor that is not the tape's: `losses[epoch] = loss`."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return False
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name) or target.value.id in used:
        return False
    if not _reads_only(target.slice, own) or not _reads_only(statement.value, own):
        return False
    stored.add(target.value.id)
    return True


def bound_before(statement: TapeStatement, tape: list[TapeStatement], loop: Body) -> set[str]:
    """The names that a statement of the tape was the last to bind before this one."""
    mine = {id(each.node): each.binds for each in tape}
    found: set[str] = set()
    for part in loop.body:
        if part is statement.node:
            break
        if id(part) in mine:
            found |= mine[id(part)]
        else:
            found -= bound_in(part)
    return found


def _meddles(statement: ast.stmt, used: frozenset[str], varying: frozenset[str], bound: frozenset[str]) -> bool:
    """Whether a statement binds sometimes, or changes in place, what the tape uses."""
    for part in walk(statement):
        if isinstance(part, ast.If) and bound_in(part) & used:
            return True
        if isinstance(part, ast.AugAssign) and bound_in(part.target) & used:
            return True
        # model.double() changes the model, batch.double() does not.
        if isinstance(part, ast.Attribute) and part.attr in CASTING and _root(part) & (used - varying - bound):
            return True
    return False


def _read_before(loop: Body, tape: list[TapeStatement], statement: ast.stmt) -> frozenset[str]:
    """The names that the tape reads before a statement: it must find them again when it is turned back."""
    here = loop.body.index(statement)
    return frozenset[str]().union(*(each.roots for each in tape if loop.body.index(each.node) < here))


# -- the tape --------------------------------------------------------------------------------------------------------


def _kind(statement: ast.stmt) -> Kind | None:
    if isinstance(statement, ast.Expr):
        call = _method(statement.value)
        if call is not None and all(isinstance(given, ast.Constant) and given.value is True for given in call[2]):
            owner, name, given_ = call
            if given_ and name != "zero_grad":  # which may be told to set_to_none, as it does anyway
                return None
            if name == "backward":
                return "backward" if computes(owner, attributes=True) else None
            if path_of(owner) is not None:
                return {"zero_grad": "clear", "step": "step"}.get(name)  # type: ignore[return-value]
        return None
    if isinstance(statement, ast.Assign):
        fine = names_only(unpacked(statement.targets)) and computes(statement.value, attributes=True)
        fine = fine and not all(map(picked, unpacked([statement.value])))  # which a tape reads where it is used
        return "compute" if fine else None
    if isinstance(statement, ast.For) and not statement.orelse and isinstance(statement.target, ast.Name):
        times = statement.iter
        counted = (
            isinstance(times, ast.Call)
            and isinstance(times.func, ast.Name)
            and times.func.id == "range"
            and len(times.args) == 1
            and isinstance(times.args[0], ast.Constant)
        )
        inside = all(isinstance(part, ast.Assign) and _kind(part) == "compute" for part in statement.body)
        used = {n.id for part in statement.body for n in walk(part) if isinstance(n, ast.Name)}
        return "compute" if counted and inside and statement.target.id not in used else None
    if isinstance(statement, ast.If):
        both = [*statement.body, *statement.orelse]
        names = all(isinstance(part, TESTS) for part in walk(statement.test))
        return "compute" if names and all(_kind(part) == "compute" for part in both) else None
    return None


def _of_owner(statement: ast.stmt) -> frozenset[str]:
    """What is read by a call of a method of an optimizer, or of a tensor."""
    found = _method(statement.value) if isinstance(statement, ast.Expr) else None
    return frozenset() if found is None else paths(found[0])


def _backward(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and (_method(statement.value) or ("", "", ()))[1] == "backward"


def _root(node: ast.expr) -> frozenset[str]:
    """The name at the root of a path, as a set."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return frozenset({node.id}) if isinstance(node, ast.Name) else frozenset()


def _method(node: ast.expr) -> tuple[ast.expr, str, list[ast.expr]] | None:
    """(owner, name, arguments) of a call of a method."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    return node.func.value, node.func.attr, [*node.args, *(keyword.value for keyword in node.keywords)]


# -- the rest --------------------------------------------------------------------------------------------------------


def _harmless(statement: ast.stmt, own: set[str]) -> bool:
    """Whether a statement changes nothing but plain names (and `.grad = None`) and lists that it appends to."""
    if isinstance(statement, (ast.Pass, ast.Break, ast.Continue)):
        return True
    if isinstance(statement, ast.Return):
        return statement.value is None or _reads_only(statement.value, own)
    if isinstance(statement, ast.If):
        both = [*statement.body, *statement.orelse]
        return _reads_only(statement.test, own) and all(_harmless(part, own) for part in both)
    if isinstance(statement, ast.Expr):
        kind = _kind(statement)
        return _reads_only(statement.value, own) or (kind in ("step", "clear") and _plain_method(statement, own))
    if isinstance(statement, ast.Assign):
        (target, *more) = statement.targets
        cleared = isinstance(target, ast.Attribute) and target.attr == "grad" and isinstance(target.value, ast.Name)
        if cleared:
            return not more and isinstance(statement.value, ast.Constant) and statement.value.value is None
        plain = isinstance(target, ast.Tuple) and names_only(target.elts)
        return not more and (plain or isinstance(target, ast.Name)) and _reads_only(statement.value, own)
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.target, ast.Name) and _reads_only(statement.value, own)
    return False


def _reads_only(node: ast.expr, own: set[str]) -> bool:
    for part in walk(node):
        if isinstance(part, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)):
            return False
        if isinstance(part, ast.Call):
            function = part.func
            if isinstance(function, ast.Name):
                if function.id not in READING or function.id in own:
                    return False
            elif not isinstance(function, ast.Attribute) or function.attr not in METHODS or function.attr in own:
                return False
    return True


def _plain_method(statement: ast.Expr, own: set[str]) -> bool:
    """Whether a call of a method is none of a function of the script's."""
    found = _method(statement.value)
    return found is not None and found[1] not in own
