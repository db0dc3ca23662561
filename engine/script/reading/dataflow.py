"""What the lines of a training loop without autograd compute from what: read in the text alone, so that a picture can
show the arrays of a script that works its gradients out itself.

Calls of the script's own functions and methods are followed: `pred = net.forward(X)` computes `net.z1` from `X` and
`net.W1`, as the lines of `forward` say.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.script.reading.by_hand import moves_weight
from engine.script.reading.phases import Do, Phase, plain
from engine.script.reading.walk import children, walk

DEEPEST = 3
"""Calls inside of calls that are followed."""
MOST = 4000
"""Statements and expressions that are read in one script."""
MOST_MADE = 200
"""Variables of which there is a picture: it is looked through after every statement."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef
Names = tuple[str, ...]
Bound = tuple[str, str, Names, bool]
"""A name, the code that computes it, what that reads, and whether it moves what was there by that."""


@dataclass(frozen=True, slots=True)
class Made:
    """A variable that a line computes (or moves, in a step). `name` is how the loop reaches it: "W1", "net.W1". `code`
    is what computes it, `reads` the names in it, with what is done to them: "X.T". `line` and `end_line` are those of
    the loop's own statement."""

    name: str
    do: Do
    code: str
    reads: Names
    line: int
    end_line: int


def what_is_made(tree: ast.Module, phases: Sequence[Phase], call: ast.stmt | None = None) -> tuple[Made, ...]:
    """All that the statements of the phases compute, in their order, each name where it is computed first; nothing
    where that is more than a picture can show. `call`: the statement of the loop that calls the method in which they
    stand; what is `self` there is what it calls it on."""
    value = getattr(call, "value", None)
    owner = value.func.value if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else None
    owned = None if owner is None else _dotted(owner, _Scope())
    reader = _Reader(tree)
    found: dict[tuple[str, bool], Made] = {}
    for phase in phases:
        for statement in phase.statements:
            for made in reader.made(statement, phase.do, {} if owned is None else {"self": (owned,)}):
                found.setdefault((made.name, made.do == "step"), made)
    return tuple(found.values()) if len(found) <= MOST_MADE else ()


@dataclass(slots=True)
class _Scope:
    """What the names of a function stand for where it is called: an argument's names, those that a local was computed
    from. In the loop itself a name is itself."""

    names: dict[str, Names] = field(default_factory=dict)
    inside: bool = False


class _Reader:
    def __init__(self, tree: ast.Module) -> None:
        self.left = MOST
        self.functions = {node.name: node for node in tree.body if isinstance(node, Definition)}
        self.methods: dict[str, Definition] = {}
        for node in walk(tree):
            if isinstance(node, ast.ClassDef):
                self.methods.update({each.name: each for each in node.body if isinstance(each, Definition)})

    def made(self, statement: ast.stmt, do: Do, known: dict[str, Names]) -> Iterator[Made]:
        """What a statement of the loop computes; a method that goes backward may move the weights at once."""
        lines = statement.lineno, statement.end_lineno or statement.lineno
        for name, code, reads, moves in self._made(statement, _Scope(dict(known)), 0):
            yield Made(name, "step" if moves and do == "backward" else do, code, tuple(dict.fromkeys(reads)), *lines)

    def _made(self, statement: ast.stmt, scope: _Scope, depth: int) -> Iterator[Bound]:
        """What is bound outside of the function in whose scope the statement stands; what is bound inside is noted in
        the scope."""
        self.left -= 1
        value = getattr(statement, "value", None)
        if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return)) or value is None:
            return
        reads = None
        if isinstance(value, ast.Call) and (called := self._called(value, scope)) is not None and depth < DEEPEST:
            definition, inner = called
            reads = yield from self._inside(definition, inner, depth + 1)
        if reads is None:
            reads = self._reads(value, scope, depth)
        if isinstance(statement, ast.Return):
            scope.names["return"] = scope.names.get("return", ()) + reads
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if isinstance(statement, ast.Expr):
            targets = [_in_place(value)]
        code = ast.unparse(value)
        for target in targets:
            for name in _bound(target, scope):
                if "." not in name and scope.inside:
                    scope.names[name] = reads
                else:
                    yield name, code, reads, moves_weight(statement)

    def _inside(self, definition: Definition, scope: _Scope, depth: int) -> Generator[Bound, None, Names]:
        for each in plain(definition.body):
            if self.left < 0:
                break
            yield from self._made(each, scope, depth)
        return scope.names.get("return", ())

    def _called(self, call: ast.Call, scope: _Scope) -> tuple[Definition, _Scope] | None:
        """The function or method of the script's own that a call runs, and what its parameters stand for."""
        parameters: dict[str, Names] = {}
        if isinstance(call.func, ast.Name):
            definition = self.functions.get(call.func.id)
            taken = 0
        else:
            owner = _dotted(call.func, scope)
            definition = self.methods.get(call.func.attr) if isinstance(call.func, ast.Attribute) and owner else None
            taken = 1
            if definition is not None and owner is not None and definition.args.args:
                parameters[definition.args.args[0].arg] = (owner.rpartition(".")[0],)
        if definition is None:
            return None
        given = zip(definition.args.args[taken:], call.args, strict=False)
        parameters |= {one.arg: self._reads(value, scope, DEEPEST) for one, value in given}
        named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}
        parameters |= {name: self._reads(value, scope, DEEPEST) for name, value in named.items()}
        return definition, _Scope(parameters, inside=True)

    def _reads(self, node: ast.AST, scope: _Scope, depth: int) -> Names:
        """The names that an expression reads, those inside of the functions that it calls among them."""
        self.left -= 1
        if self.left < 0:
            return ()
        dotted = _dotted(node, scope)
        if dotted is not None:
            stands_for = scope.names.get(_first(node))
            one = stands_for is None or (len(stands_for) == 1 and isinstance(node, ast.Attribute))
            return (dotted,) if one or stands_for is None else stands_for
        found: Names = ()
        if isinstance(node, ast.Call):
            called = self._called(node, scope) if depth < DEEPEST else None
            if called is not None:
                walk = self._inside(*called, depth + 1)
                try:
                    while True:
                        next(walk)
                except StopIteration as end:
                    return tuple(dict.fromkeys(end.value))
            found += self._reads(node.func, scope, depth)
            node = ast.Tuple([*node.args, *(keyword.value for keyword in node.keywords)], ast.Load())
        for child in children(node):
            if isinstance(child, ast.expr):
                found += self._reads(child, scope, depth)
        return tuple(dict.fromkeys(found))


def _in_place(call: ast.expr) -> ast.expr | None:
    """What `w.sub_(...)` changes."""
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in ("sub_", "add_"):
        return call.func.value
    return None


def _bound(target: ast.AST | None, scope: _Scope) -> Iterator[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        for part in target.elts:
            yield from _bound(part, scope)
        return
    while isinstance(target, (ast.Subscript, ast.Starred)):
        target = target.value
    if target is not None and (dotted := _dotted(target, scope)) is not None:
        yield dotted


def _first(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _dotted(node: ast.AST, scope: _Scope) -> str | None:
    """ "net.W1" for a name with attributes; the first name is what it stands for, where that is one thing."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    first = node.id
    stands_for: Mapping[str, Names] = scope.names
    if parts and len(stands_for.get(first, ())) == 1:
        first = stands_for[first][0]
    return ".".join([first, *reversed(parts)])
