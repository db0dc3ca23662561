"""A term of the loss that is cut off from what it was to train."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from engine.tracing.diagnosis.reading import CUTTING_METHODS, MAKERS, Place, assigns, called, names_in
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
                elif term is None and (said := _number(operand.text)) is not None:
                    value = said
                else:
                    continue
                values = self._values.setdefault(place, [])
                values.append(value)
                if len(values) < VALUES or len(set(values)) == 1:
                    continue
                cut = _number_of(scene, total.line) if term is None else _cut_of(scene, total.line, term)
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


def _number(text: str) -> float | None:
    """What a constant operand was."""
    try:
        return float(text)
    except ValueError:
        return None


def _number_of(scene: Scene, line: int | None) -> Place | None:
    """The item() that makes a number of what is added at a line, where it stands there or in the assignment to a
    variable that is read there."""
    total = scene.text.statement_at(line)
    used = names_in(total) if total is not None else set()
    for place in scene.text.cuts:
        statement = place.around[-1] if place.around else None
        if not isinstance(place.node, ast.Call) or called(place.node) != "item":
            continue
        if statement is total and isinstance(total, (ast.Assign, ast.Return)):
            return place
        if isinstance(statement, ast.Assign) and isinstance(target := statement.targets[0], ast.Name):
            again = target.id in names_in(statement.value)  # a running mean
            if target.id in used and not again and place.function is _function_at(scene, line):
                return place
    return None


def _function_at(scene: Scene, line: int | None) -> ast.AST | None:
    """The function that a line stands in."""
    places = [p for p in scene.text.assignments if p.line == line]
    if places:
        return places[0].function
    tree = scene.text.script.tree if scene.text.script is not None else ast.Module([], [])
    found = None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and line is not None and node.lineno <= line <= (node.end_lineno or 0):
            found = node  # breadth first: the last one is the innermost
    return found


def _cut_of(scene: Scene, line: int | None, term: Leaf | Operation) -> Place | None:
    """The detach() inside of what a term of the sum at a line is computed by, as far as the text tells. The logarithm
    of a probability that is cut is blamed before a factor: only that may be meant."""
    text = scene.text
    total = text.statement_at(line)
    if total is None:
        return None
    used = names_in(total)
    feeding = _behind(scene, {term.name} & used or used)
    found = []
    for place in text.cuts:
        statement = place.around[-1] if place.around else None
        if isinstance(statement, ast.Expr) or (place.node in _made_of(statement, MAKERS)):
            if _is_probability(place.node) and _kept_in(statement, feeding):
                found.append(place)
            continue
        if not isinstance(statement, (ast.Assign, ast.Return, ast.AugAssign)):
            continue
        if not _in_argument(statement, place.node):
            continue
        if statement is total or _feeds(scene, statement, place, total, used):
            found.append(place)
    return min(found, key=lambda place: not _is_probability(place.node), default=None)


def _behind(scene: Scene, names: set[str]) -> set[str]:
    """The variables that these are computed of, in whichever function."""
    known, waiting = set(names), sorted(names)
    while waiting:
        name = waiting.pop()
        for place in scene.text.assignments:
            if isinstance(place.node, ast.Assign) and assigns(place.node, name):
                more = names_in(place.node.value) - known
                known |= more
                waiting += sorted(more)
    return known


def _is_probability(cut: ast.AST) -> bool:
    """Whether it cuts the logarithm of a probability: `dist.log_prob(a).detach()`, `torch.tensor(log_probs)`."""
    return re.search(r"log_?p", ast.unparse(cut)) is not None


def _made_of(statement: ast.AST | None, makers: tuple[str, ...]) -> list[ast.AST]:
    """The calls in a statement that make tensors anew."""
    return [c for c in ast.walk(statement) if isinstance(c, ast.Call) and called(c) in makers] if statement else []


def _kept_in(statement: ast.AST | None, names: set[str]) -> bool:
    """Whether a statement appends to one of these variables, or assigns to one."""
    if isinstance(statement, ast.Expr) and isinstance(call := statement.value, ast.Call):
        on = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "append" else None
        return on is not None and ast.unparse(on).rpartition(".")[2] in names
    return isinstance(statement, ast.Assign) and any(assigns(statement, name) for name in names)


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
