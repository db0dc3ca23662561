"""Which loops of a script can be replayed, told from their text.

The statements of a training loop are of two sorts. Those of the *tape* compute tensors, go backward, clear gradients
or let an optimizer step, and nothing else: `loss = criterion(model(x), y)`, `loss.backward()`. The *rest* may read what
they computed, but change nothing that they use: `if step % 10 == 0: print(loss.item())`. A loop with any other
statement is executed as always.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal

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
}
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
COMPUTING = frozenset(
    {"relu", "tanh", "sigmoid", "exp", "log", "pow", "neg", "sum", "mean", "mm", "matmul", "mul", "add", "sub", "div"}
    | {"mse_loss", "cross_entropy", "nll_loss", "log_softmax", "linear"}
)
CASTING = frozenset({"float", "double", "long", "int", "to", "cpu"})
MOVING = frozenset({"step", "zero_grad", "backward"})


@dataclass(frozen=True, slots=True)
class TapeStatement:
    """A statement of the tape. `reads` are the names that it loads; `binds` those that it stores."""

    node: ast.stmt
    kind: Kind
    reads: frozenset[str]
    binds: frozenset[str]


@dataclass(frozen=True, slots=True)
class LoopText:
    """A loop that can be replayed. `varying` are the names that the loop binds outside of the tape; `seen` are the
    names that anything but the tape reads."""

    node: ast.For | ast.While
    tape: tuple[TapeStatement, ...]
    varying: frozenset[str]
    seen: frozenset[str]


def loops_of(tree: ast.Module) -> list[LoopText]:
    """The loops of a script's top level that can be replayed."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    modules = {
        alias.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
    }
    if names & NOT_WITH or modules & NOT_WITH:
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            if methods & (METHODS | MOVING) or any(name.startswith("__") and name not in PLAIN for name in methods):
                return []
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    own |= {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    found = [_read(loop, tree, own) for loop in _loops(tree.body)]
    return [loop for loop in found if loop is not None]


def _loops(body: list[ast.stmt], inside: bool = False) -> Iterator[ast.For | ast.While]:
    """The loops outside of functions that call backward in their own body; of `while` only those that run once: when
    another one is entered anew cannot be told."""
    for statement in body:
        if isinstance(statement, (ast.For, ast.While)):
            if not any(_backward(part) for part in statement.body):
                yield from _loops(statement.body, True)
            elif isinstance(statement, ast.For) or not inside:
                yield statement
        elif isinstance(statement, ast.If):
            yield from _loops(statement.body, inside)


def _read(loop: ast.For | ast.While, tree: ast.Module, own: set[str]) -> LoopText | None:
    tape: list[TapeStatement] = []
    rest: list[ast.stmt] = []
    over = False  # after the backward, what is computed is the rest's
    for statement in loop.body:
        kind = _kind(statement)
        if kind == "backward" and over:
            return None
        if kind is None or (kind == "compute" and over):
            rest.append(statement)
        elif kind == "step" and not over:
            return None
        else:
            over = over or kind == "backward"
            tape.append(TapeStatement(statement, kind, _loads(statement), bound_in(statement)))
    if not over or not all(_harmless(statement, own) for statement in rest):
        return None
    varying = bound_in(loop.target) if isinstance(loop, ast.For) else frozenset()
    for statement in rest:
        varying |= bound_in(statement)
    bound = frozenset[str]().union(*(each.binds for each in tape))
    used = frozenset[str]().union(*(each.reads | each.binds for each in tape))
    for statement in rest:
        for part in ast.walk(statement):
            # What is bound in one iteration and not in another, or changed in place, is not for the tape.
            sometimes = isinstance(part, ast.If) and bound_in(part) & used
            if sometimes or (isinstance(part, ast.AugAssign) and bound_in(part.target) & used):
                return None
            # model.double() changes the model, batch.double() does not.
            if isinstance(part, ast.Attribute) and part.attr in CASTING and _root(part) & (used - varying - bound):
                return None
    inside = {id(part) for each in tape for part in ast.walk(each.node)}
    seen = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in inside
    }
    return LoopText(loop, tuple(tape), varying, frozenset(seen))


def _loads(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def bound_in(node: ast.AST) -> frozenset[str]:
    """The names that a piece of a program binds."""
    return frozenset(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))


# -- the tape --------------------------------------------------------------------------------------------------------


def _kind(statement: ast.stmt) -> Kind | None:
    if isinstance(statement, ast.Expr):
        call = _method(statement.value)
        if call is not None and all(isinstance(given, ast.Constant) and given.value is True for given in call[2]):
            owner, name, given_ = call
            if given_ and name != "zero_grad":  # which may be told to set_to_none, as it does anyway
                return None
            if name == "backward":
                return "backward" if _computes(owner) else None
            if isinstance(owner, ast.Name):
                return {"zero_grad": "clear", "step": "step"}.get(name)  # type: ignore[return-value]
        return None
    if isinstance(statement, ast.Assign):
        return "compute" if _names_only(statement.targets) and _computes(statement.value) else None
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
        used = {n.id for part in statement.body for n in ast.walk(part) if isinstance(n, ast.Name)}
        return "compute" if counted and inside and statement.target.id not in used else None
    return None


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


def _names_only(targets: list[ast.expr]) -> bool:
    return all(isinstance(target, ast.Name) for target in targets)


def _computes(node: ast.expr) -> bool:
    """Whether an expression only computes: operators and calls on names and numbers."""
    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float, str)
    if isinstance(node, ast.BinOp):
        return _computes(node.left) and _computes(node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _computes(node.operand)
    if isinstance(node, ast.Call):
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not all(_computes(argument) for argument in arguments):
            return False
        if isinstance(node.func, ast.Name):
            return True  # what it means is looked at when the loop is recorded
        return (
            isinstance(node.func, ast.Attribute) and node.func.attr in COMPUTING and _computes_or_path(node.func.value)
        )
    return False


def _computes_or_path(node: ast.expr) -> bool:
    """The owner of a function: an expression, or a path such as `torch.nn.functional`."""
    if isinstance(node, ast.Attribute):
        return _computes_or_path(node.value) and not isinstance(node.value, ast.Call)
    return _computes(node)


# -- the rest --------------------------------------------------------------------------------------------------------


def _harmless(statement: ast.stmt, own: set[str]) -> bool:
    """Whether a statement changes nothing but plain names (and `.grad = None`) and lists that it appends to."""
    if isinstance(statement, (ast.Pass, ast.Break, ast.Continue)):
        return True
    if isinstance(statement, ast.If):
        both = [*statement.body, *statement.orelse]
        return _reads_only(statement.test, own) and all(_harmless(part, own) for part in both)
    if isinstance(statement, ast.Expr):
        return _reads_only(statement.value, own) or _kind(statement) in ("step", "clear")
    if isinstance(statement, ast.Assign):
        (target, *more) = statement.targets
        cleared = isinstance(target, ast.Attribute) and target.attr == "grad" and isinstance(target.value, ast.Name)
        if cleared:
            return not more and isinstance(statement.value, ast.Constant) and statement.value.value is None
        plain = isinstance(target, ast.Tuple) and _names_only(target.elts)
        return not more and (plain or isinstance(target, ast.Name)) and _reads_only(statement.value, own)
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.target, ast.Name) and _reads_only(statement.value, own)
    return False


def _reads_only(node: ast.expr, own: set[str]) -> bool:
    for part in ast.walk(node):
        if isinstance(part, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Lambda)):
            return False
        if isinstance(part, ast.Call):
            function = part.func
            if isinstance(function, ast.Name):
                if function.id not in READING or function.id in own:
                    return False
            elif not (isinstance(function, ast.Attribute) and function.attr in METHODS):
                return False
    return True


def modules_that_compute(tree: ast.Module) -> frozenset[str]:
    """The script's own classes of modules whose forward is a straight line of computing statements."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    found = set()
    for each in classes:
        methods = {part.name: part for part in each.body if isinstance(part, ast.FunctionDef)}
        others = [part for part in each.body if not isinstance(part, ast.FunctionDef) and not _is_text(part)]
        forward = methods.get("forward")
        alone = [c.name for c in classes].count(each.name) == 1 and not others and not each.decorator_list
        if forward is not None and alone and methods.keys() <= {"__init__", "forward"} and _straight(forward):
            found.add(each.name)
    return frozenset(found)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _straight(forward: ast.FunctionDef) -> bool:
    arguments = forward.args
    if forward.decorator_list or arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
        return False
    me = arguments.args[0].arg if arguments.args else ""
    for part in forward.body:
        if isinstance(part, ast.Assign):
            value, fine = part.value, len(part.targets) == 1 and _names_only(part.targets)
        elif isinstance(part, ast.Return) and part.value is not None:
            value, fine = part.value, True
        elif _is_text(part):
            continue
        else:
            return False
        if not fine or not _computes(_without(me, value)):
            return False
    return True


def _without(me: str, node: ast.expr) -> ast.expr:
    """The expression with `self.layer` read as a plain name."""

    class Plain(ast.NodeTransformer):
        def visit_Attribute(self, part: ast.Attribute) -> ast.AST:
            if isinstance(part.value, ast.Name) and part.value.id == me:
                return ast.copy_location(ast.Name(part.attr, ast.Load()), part)
            return self.generic_visit(part)

    return Plain().visit(deepcopy(node))
