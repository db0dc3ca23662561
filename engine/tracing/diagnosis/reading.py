"""What the text of a script says about its loops, beside what happens when it runs: where gradients are cleared, where
backward() and step() stand, where a result is cut off from its history.

The trace proves a finding; the text tells a slip from an intention (a step() behind the loop from one that is never
meant to come), and which line to change.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.script.reading.phases import kind_of

if TYPE_CHECKING:
    from engine.script.reading.source import Script

LOOPS = (ast.For, ast.While)
BLOCKS = (ast.With, ast.For, ast.If, ast.While, ast.FunctionDef, ast.ClassDef)
"""Statements that are their parts', not phases themselves."""
BORDERS = (ast.FunctionDef, ast.Lambda, ast.ClassDef)
MAKERS = ("tensor", "Tensor", "FloatTensor", "from_numpy", "as_tensor")
"""What makes a tensor anew, from the values of another one perhaps."""
KEEPING = frozenset(
    {
        "parameters",
        "named_parameters",
        "train",
        "eval",
        "to",
        "cuda",
        "cpu",
        "zero_grad",
        "state_dict",
        "requires_grad_",
    }
)
"""Methods of a module that compute nothing with it."""
WHOLE = ("argmax", "argmin", "argsort", "long", "int", "bool")
CUTTING_METHODS = ("item", "detach", "numpy", "tolist", "detach_")


@dataclass(frozen=True, slots=True)
class Place:
    """A statement or call, with what stands around it, outermost first."""

    node: ast.AST
    around: tuple[ast.AST, ...]

    @property
    def line(self) -> int:
        return int(getattr(self.node, "lineno", 1))

    @property
    def loops(self) -> list[ast.AST]:
        """The loops around it, in its own function."""
        inner: list[ast.AST] = []
        for node in self.around:
            if isinstance(node, BORDERS):
                inner = []
            elif isinstance(node, LOOPS):
                inner.append(node)
        return inner

    @property
    def function(self) -> ast.AST | None:
        """The function (or class) that it stands in."""
        return next((node for node in reversed(self.around) if isinstance(node, BORDERS)), None)


class Reading:
    """A script's text, read for the diagnosis. Without a script it knows nothing, and nothing is excused by it."""

    def __init__(self, script: Script | None) -> None:
        self.script = script
        self.loop = script.loop if script is not None else None
        self.clears: list[Place] = []
        self.steps: list[Place] = []
        self.backwards: list[Place] = []
        self.cuts: list[Place] = []
        self.sums_up: list[Place] = []
        self.assignments: list[Place] = []
        self.grads: set[str] = set()  # what `.grad` is read of, but to be cleared
        self.names: dict[str, int] = {}  # how often a name or attribute is read, but to be KEEPING
        self.attributes: dict[str, int] = {}  # the same of attributes alone
        self.calls: dict[str, list[ast.Call]] = {}  # by the name of the function or method
        self.step_calls: list[Place] = []
        self.loops: list[Place] = []
        self._statements: dict[int, ast.stmt | None] = {}
        self.backwards_behind: dict[int, int | None] = {}  # line of a statement -> that of the backward() it calls
        if script is not None:
            for place in _places(script.tree, ()):
                self._read(place)
        text = script.text if script is not None else ""
        self.scales_gradients = any(
            word in text for word in ("p.grad /=", ".grad /=", ".grad.div_(", ".grad *=", ".grad.mul_(")
        )
        self.checks_numbers = any(word in text for word in ("isnan(", "isfinite(", "isinf("))
        self.clips = "clip_grad" in text
        self.takes_gradients_itself = "autograd.grad(" in text or "import grad" in text
        self.sums = '"sum"' in text or "'sum'" in text

    def _read(self, place: Place) -> None:
        node = place.node
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.names[node.id] = self.names.get(node.id, 0) + 1
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            self.names[node.attr] = self.names.get(node.attr, 0) + 1
            self.attributes[node.attr] = self.attributes.get(node.attr, 0) + 1
            if node.attr == "data":
                self.cuts.append(place)
            elif node.attr == "grad" and "grad.zero_" not in self.text_at(place.line):
                self.grads.add(ast.unparse(node.value))
        elif isinstance(node, ast.Call):
            name = called(node)
            self.calls.setdefault(name, []).append(node)
            if name in KEEPING and isinstance(node.func, ast.Attribute):
                owner = getattr(node.func.value, "attr", getattr(node.func.value, "id", ""))
                self.names[owner] = self.names.get(owner, 0) - 1
                if isinstance(node.func.value, ast.Attribute):
                    self.attributes[owner] = self.attributes.get(owner, 0) - 1
            if name == "step" and isinstance(node.func, ast.Attribute):
                self.step_calls.append(place)
            if name == "backward":
                self.backwards.append(place)
            elif name in CUTTING_METHODS or (name in MAKERS and node.args and _holds_a_name(node.args[0])):
                self.cuts.append(place)
        elif isinstance(node, (*LOOPS, ast.ListComp)):
            self.loops.append(place)
        if isinstance(node, ast.AugAssign) and _adds_up(node, place):
            self.sums_up.append(place)
        elif isinstance(node, ast.Assign):
            self.assignments.append(place)
            if place.loops and _adds_to_itself(node):
                self.sums_up.append(place)
        if isinstance(node, ast.stmt) and not isinstance(node, BLOCKS):
            kind = kind_of(node, set())
            if kind == "zero_grad":
                self.clears.append(place)
            elif kind == "step":
                self.steps.append(place)

    # -- loops ---------------------------------------------------------------------------------------------------

    def repeated(self, places: list[Place]) -> bool:
        """Whether one of them stands in a loop, or in a function: that may be called in one."""
        return any(place.loops or place.function is not None for place in places)

    def in_backwards_loop(self, places: list[Place]) -> bool:
        """Whether one of them stands in the innermost loop around some backward(), or in a function of its own."""
        for place in places:
            function = place.function
            if function is not None and not any(back.function is function for back in self.backwards):
                return True
            for back in self.backwards:
                if back.function is not None and function is None and not place.loops:
                    continue  # in the script itself, and in no loop there
                if back.function is not function:
                    return True
                if not back.loops or back.loops[-1] in place.loops:
                    return True
        return False

    def steps_another(self, step: Place, optimizer: str) -> bool:
        """Whether a step() is that of something that the text makes under another name than an optimizer's."""
        for part in ast.walk(step.node):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "step":
                name = ast.unparse(part.func.value).rpartition(".")[2]
                made = [p.node for p in self.assignments if assigns(p.node, name)]
                made = [node for node in made if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)]
                return bool(made) and name != optimizer.rpartition(".")[2]
        return False

    def backward_in_loop_of_step(self) -> bool:
        """Whether some backward() stands where the steps do: in a loop around one of them, or out of sight in a
        function."""
        for step in self.steps:
            # `for p in parameters: p -= lr * p.grad` is an update, not a loop over iterations.
            loops = [loop for loop in step.loops if not _is_update(loop)]
            for back in self.backwards:
                if back.function is not step.function or any(loop in loops for loop in back.loops):
                    return True
                if not loops and step.function is not None:
                    return True  # both run once for each call
        return False

    def once_per_iteration(self, line: int | None) -> bool:
        """Whether a line runs at most once in each pass through the training loop when nobody interferes."""
        if self.loop is None or line is None:
            return False
        inside = [place for place in self.backwards if place.line <= line <= (_end(place.node) or line)]
        return bool(inside) and all(place.loops and place.loops[-1] is self.loop for place in inside)

    # -- what is only sometimes meant ------------------------------------------------------------------------------

    def divides_by(self, value: str) -> bool:
        """Whether the script divides by `value` anywhere."""
        tree = self.script.tree if self.script is not None else ast.Module([], [])
        return any(
            (isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) and ast.unparse(part.right) == value)
            or (isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Div) and ast.unparse(part.value) == value)
            for part in ast.walk(tree)
        )

    def rebinds(self, name: str, line: int | None) -> int | None:
        """The line of an assignment `name = ... name.grad ...`, the only one to `name` in its loop: a leaf that each
        iteration makes anew may be replaced. It is `line`, or stands in a function when nothing is assigned at `line`.
        `name` may be an item or attribute, `params[0]`."""
        assigned = [
            place
            for place in self.assignments
            if isinstance(place.node, ast.Assign) and any(_may_mean(target, name) for target in place.node.targets)
        ]
        here = [place for place in assigned if place.line == line]
        if not here and not any(place.line == line for place in self.assignments):
            here = [place for place in assigned if place.function is not None and _of_its_grad(place.node)]
        if len(here) != 1 or not _of_its_grad(here[0].node):
            return None
        loop = here[0].loops[-1] if here[0].loops else None
        alone = all(place is here[0] or loop is None or loop not in place.loops for place in assigned)
        return here[0].line if alone else None

    def replaced(self, parameter: str, optimizer: str) -> int | None:
        """The line that put another module or tensor in the place of what an optimizer was made for: the last
        assignment behind the optimizer's own to what leads to `parameter`, or one to it in another method."""
        made = next((place for place in self.assignments if assigns(place.node, optimizer.rpartition(".")[2])), None)
        parts = parameter.split(".")
        leading = [part.split("[")[0] for part in parts[:-1] or parts]
        if made is None:
            return None
        for name in leading:
            behind = [p for p in self.assignments if p.line > made.line and p.function is made.function]
            lines = [place.line for place in behind if assigns(place.node, name)]
            if lines:
                return max(lines)
        others = [p for p in self.assignments if isinstance(p.function, ast.FunctionDef)]
        others = [
            p for p in others if p.function is not made.function and getattr(p.function, "name", "") != "__init__"
        ]
        found = next((p.line for name in leading[1:] for p in reversed(others) if assigns(p.node, name)), None)
        return found or self._given_another(parts, made)

    def _given_another(self, parts: list[str], made: Place) -> int | None:
        """The same where the script sets an attribute of an object: `trainer.model = Net()`, or makes the parameters of
        several layers anew: `layer.weight = nn.Parameter(...)`."""
        whole = {".".join(parts[:i]) for i in range(2, len(parts))}
        found = None
        for place in self.assignments:
            node = place.node
            if not isinstance(node, ast.Assign) or not isinstance(target := node.targets[0], ast.Attribute):
                continue
            from_outside = place.function is None and ast.unparse(target) in whole
            behind = place.line > made.line and place.function is made.function
            fresh = isinstance(node.value, ast.Call) and called(node.value) == "Parameter"
            if from_outside or (behind and fresh and target.attr == parts[-1]):
                found = place.line
        return found

    def of_whole_numbers(self) -> int | None:
        """The line in a loop or function that makes whole numbers of something: argmax(), .long()."""
        calls = [call for name in WHOLE for call in self.calls.get(name, ()) if isinstance(call.func, ast.Attribute)]
        last = max((back.line for back in self.backwards), default=0)
        return max((call.lineno for call in calls if call.lineno < last), default=None)

    def assigned(self, name: str) -> list[Place]:
        """The assignments to a name (to its attribute, for `data.x`) outside of the training loop."""
        loop = self.loop
        return [p for p in self.assignments if assigns(p.node, name.rpartition(".")[2]) and loop not in p.around]

    def assigns_at(self, line: int, name: str) -> bool:
        """Whether the statement of a line assigns to a name."""
        return any(place.line == line and assigns(place.node, name) for place in self.assignments)

    def totals(self) -> list[tuple[str, int]]:
        """(name, line) of each `name += ...` or `name = name + ...` in a loop, or `self.name += ...` in a method."""
        found = []
        for place in self.sums_up:
            node = place.node
            if isinstance(node, ast.AugAssign) and isinstance(node.target, (ast.Name, ast.Attribute)):
                found.append((ast.unparse(node.target), node.lineno))
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                found.append((node.targets[0].id, node.lineno))
        return found

    def under_no_grad(self, wanted: set[str] | None = None) -> int | None:
        """The line of a `with torch.no_grad():` around what computes one of the names (the root of a backward(), when
        none are given)."""
        wanted = wanted or self._roots()
        for place in self.assignments:
            node = place.node
            targets = node.targets if isinstance(node, ast.Assign) else []
            if not any(isinstance(target, ast.Name) and target.id in wanted for target in targets):
                continue
            for around in place.around:
                if isinstance(around, ast.With) and any("no_grad" in ast.unparse(i.context_expr) for i in around.items):
                    return around.lineno
            off = self._switched_off(node.value) if isinstance(node, ast.Assign) else None
            if off is not None:
                return off
        return None

    def _switched_off(self, value: ast.expr) -> int | None:
        """The line of a `@torch.no_grad()` over a function that an expression calls."""
        calls = {called(part) for part in ast.walk(value) if isinstance(part, ast.Call)}
        for function in ast.walk(self.script.tree) if self.script is not None else ():
            if isinstance(function, ast.FunctionDef) and function.name in calls:
                for decorator in function.decorator_list:
                    if any(word in ast.unparse(decorator) for word in ("no_grad", "inference_mode")):
                        return decorator.lineno
        return None

    def _roots(self) -> set[str]:
        """The names on which backward() is called."""
        return {
            part.id
            for back in self.backwards
            if isinstance(back.node, ast.Call)
            for part in ast.walk(back.node.func)
            if isinstance(part, ast.Name)
        }

    def behind_the_roots(self) -> set[str]:
        """The names that are read where the root of a backward() is computed."""
        roots = self._roots()
        values = [
            place.node.value
            for place in self.assignments
            if isinstance(place.node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id in roots for target in place.node.targets)
        ]
        return {part.id for value in values for part in ast.walk(value) if isinstance(part, ast.Name)}

    def statement_at(self, line: int | None) -> ast.stmt | None:
        """The innermost statement that covers a line."""
        if self.script is None or line is None:
            return None
        if line not in self._statements:
            found: ast.stmt | None = None
            for node in ast.walk(self.script.tree):
                if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
                    found = node  # breadth first: the last one is the innermost
            self._statements[line] = found
        return self._statements[line]

    def text_at(self, line: int | None) -> str:
        """The text of a line, stripped."""
        if self.script is None or line is None or not 1 <= line <= len(self.script.lines):
            return ""
        return self.script.lines[line - 1].strip()


def _places(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[Place]:
    behind = {id(child) for child in node.orelse} if isinstance(node, LOOPS) else set()
    for child in ast.iter_child_nodes(node):
        here = around[:-1] if id(child) in behind else around  # what stands in a loop's else runs once
        yield Place(child, here)
        inner = (*here, child) if isinstance(child, (ast.stmt, ast.Lambda)) else here
        yield from _places(child, inner)


def assigns(node: ast.AST, name: str) -> bool:
    """`name = ...`, `self.name = ...` or `name[0] = ...`."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    return any(f".{ast.unparse(target).split('[')[0]}".endswith(f".{name}") for target in targets)


def _is_update(loop: ast.AST) -> bool:
    """A loop over parameters that moves each by hand."""
    if not isinstance(loop, ast.For) or kind_of(loop, set()) != "step":
        return False
    if any(isinstance(part, ast.Call) and called(part) == "step" for part in ast.walk(loop)):
        return False
    return bool(names_in(loop.target) & {name for statement in loop.body for name in names_in(statement)})


def _adds_up(node: ast.AugAssign, place: Place) -> bool:
    """`total += ...` in a loop, or `self.total += ...` in a function, which a loop may call."""
    within = place.loops or (isinstance(node.target, ast.Attribute) and place.function is not None)
    return isinstance(node.op, ast.Add) and bool(within)


def _adds_to_itself(node: ast.Assign) -> bool:
    """`total = total + ...`."""
    target, value = node.targets[0], node.value
    return (
        isinstance(target, ast.Name)
        and isinstance(value, ast.BinOp)
        and isinstance(value.op, ast.Add)
        and isinstance(value.left, ast.Name)
        and value.left.id == target.id
    )


def _holds_a_name(value: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) for part in ast.walk(value))


def _end(node: ast.AST) -> int | None:
    end = getattr(node, "end_lineno", None)
    return int(end) if end is not None else None


def called(call: ast.Call) -> str:
    """The last part of the name of what is called; "" when it has none."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def names_in(node: ast.AST) -> set[str]:
    """The variables that stand anywhere in an expression."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _of_its_grad(node: ast.AST) -> bool:
    """`w = ... w.grad ...`, or `ws = [w - lr * w.grad for w in ws]`."""
    if not isinstance(node, ast.Assign):
        return False
    names = {ast.unparse(each) for target in node.targets for each in (target, *getattr(target, "elts", ()))}
    for part in ast.walk(node.value):
        if isinstance(part, ast.comprehension) and names_in(part.iter) & names:
            names |= names_in(part.target)
    return any(
        isinstance(part, ast.Attribute) and part.attr == "grad" and ast.unparse(part.value) in names
        for part in ast.walk(node.value)
    )


def _may_mean(target: ast.expr, name: str) -> bool:
    """Whether an assignment to `target` may be one to the tensor that is called `name`."""
    if isinstance(target, ast.Tuple):
        return any(_may_mean(each, name) for each in target.elts)
    if isinstance(target, ast.Name):
        return name.split("[")[0] == target.id
    if isinstance(target, ast.Attribute):
        return name.rpartition(".")[2] == target.attr
    if isinstance(target, ast.Subscript) and name.endswith("]"):
        return name.rpartition("[")[0].rpartition(".")[2] == ast.unparse(target.value).rpartition(".")[2]
    return False
