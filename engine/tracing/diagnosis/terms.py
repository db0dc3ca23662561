"""A term of the loss that is cut off from what it was to train."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.tracing.diagnosis.reading import CUTTING_METHODS, Place, names_in
from engine.tracing.diagnosis.scene import Scene
from engine.tracing.moments import Finding
from engine.tracing.records import Leaf, Operation
from engine.tracing.wording import number

LOOKS = 12
"""Backwards from one line that are looked at: this shows at the beginning."""
DEEP = 12
"""Sums and products from the loss down."""
VALUES = 3
MOST = 2000


class CutTerm:
    """A term that is computed anew in every iteration and added to the loss, and that no gradient leaves, because a
    detach() stands inside of what it is computed by. A term that goes to parameters which nothing trains (a teacher's)
    is cut in the same way."""

    def __init__(self) -> None:
        self._seen: dict[int | None, int] = {}  # line of a root -> its backwards
        self._values: dict[tuple[int | None, int, int], list[float]] = {}  # (line, depth, slot) of a term -> its values

    def look(self, scene: Scene) -> Iterator[Finding]:
        if not scene.flowed or not scene.text.cuts:
            return
        root = scene.operations.get(scene.flowed[0].node)
        line = root.line if root is not None else None
        self._seen[line] = self._seen.get(line, 0) + 1
        if self._seen[line] > LOOKS:
            return
        for depth, total in enumerate(_sums(root)):
            for slot, operand in enumerate(total.operands):
                place = (total.line, depth, slot)
                term = operand.made_by
                if isinstance(term, Leaf) and not term.requires_grad and operand.value is not None:
                    value = float(operand.value.reshape(-1)[0])
                elif isinstance(term, Operation) and _trains_nothing(scene, term):
                    value = float(term.value.reshape(-1)[0])
                else:
                    continue
                values = self._values.setdefault(place, [])
                values.append(value)
                if len(values) < VALUES or len(set(values)) == 1:
                    continue
                cut = _cut_of(scene, total.line)
                if cut is not None:
                    yield self._finding(scene, values, cut)
                    return

    def _finding(self, scene: Scene, values: list[float], cut: Place) -> Finding:
        root = scene.root() or "loss"
        said = ", ".join(map(number, values[-VALUES:]))
        return scene.finding(
            "detached-graph",
            f"A term of {root} ({said} in the last iterations) gives no gradient to anything that is trained: line"
            f" {cut.line} cuts it off with `{ast.unparse(cut.node)}`.",
            names=(root,),
            cause=cut.line,
        )


def _sums(root: Operation | None) -> Iterator[Operation]:
    """The sums of numbers that a loss ends in."""
    waiting = [] if root is None else [root]
    for _ in range(DEEP):
        if not waiting:
            return
        here = waiting.pop(0)
        if here.word in ("add", "sub") and len(here.operands) == 2:
            yield here
        elif here.word not in ("mul", "div", "neg"):
            continue
        waiting += [m for _, m in here.inputs() if isinstance(m, Operation) and m.value.size == 1]


def _trains_nothing(scene: Scene, term: Operation) -> bool:
    """Whether everything that a term's gradient reaches are parameters that no optimizer holds."""
    held = scene.held()
    waiting, seen, reached = [term], {id(term)}, False
    while waiting:
        for _, made_by in waiting.pop().inputs():
            if isinstance(made_by, Leaf):
                if made_by.requires_grad:
                    reached = True
                    if made_by.alive is None or id(made_by.alive) in held:
                        return False
            elif id(made_by) not in seen:
                seen.add(id(made_by))
                waiting.append(made_by)
        if len(seen) > MOST:
            return False
    return reached and bool(held)


def _cut_of(scene: Scene, line: int | None) -> Place | None:
    """The detach() inside of what a term of the sum at a line is computed by, as far as the text tells."""
    text = scene.text
    total = text.statement_at(line)
    if total is None:
        return None
    used = names_in(total)
    for place in text.cuts:
        statement = place.around[-1] if place.around else None
        if not isinstance(statement, (ast.Assign, ast.Return, ast.AugAssign)):
            continue
        if not _in_argument(statement, place.node):
            continue
        if statement is total or _feeds(scene, statement, place, total, used):
            return place
    return None


def _feeds(scene: Scene, statement: ast.stmt, place: Place, total: ast.stmt, used: set[str]) -> bool:
    """Whether what a statement computes is used by the sum: under its name, or as the result of a function."""
    if isinstance(statement, ast.Assign):
        targets = {target.id for target in statement.targets if isinstance(target, ast.Name)} & used
        alive = [scene.names.tensors[name] for name in targets if name in scene.names.tensors]
        return bool(targets) and not any(tensor._array.size != 1 for tensor in alive)
    function = place.function
    if not isinstance(statement, ast.Return) or not isinstance(function, ast.FunctionDef):
        return False
    callers = {function.name}
    for other in scene.text.assignments:
        node = other.node
        if isinstance(node, ast.Assign) and _calls(node.value, callers):
            callers |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return bool(callers & used)


def _calls(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(c, ast.Call) and isinstance(c.func, ast.Name) and c.func.id in names for c in ast.walk(node))


def _in_argument(statement: ast.stmt, cut: ast.AST) -> bool:
    """Whether it stands in an argument of a call: `mse_loss(a.detach(), b)`, not `(a - b).detach()`."""
    return any(
        isinstance(call, ast.Call)
        and not (isinstance(call.func, ast.Attribute) and call.func.attr in CUTTING_METHODS)
        and any(part is cut for argument in call.args for part in ast.walk(argument))
        for call in ast.walk(statement)
    )
