"""Why a parameter gets no gradient, as far as the text tells: what is computed of it is dropped, cut off, or computed
while gradients are switched off."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.script.reading.phases import kind_of
from engine.tracing.diagnosis.reading import Reading, called

OFF = ("no_grad", "inference_mode")


def dropped(text: Reading, parameters: list[str]) -> tuple[str, int] | None:
    """The variable of a function that the result of these parameters' module is put into and that nothing reads, and
    its line."""
    owners = {own for name in parameters for own in (_owner(name),) if own}
    for function in _functions(text):
        read = {part.id for part in ast.walk(function) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if name not in read and any(called(call) in owners for call in _calls(node.value)):
                    return name, node.lineno
    return None


def cut_itself(text: Reading, parameter: str) -> int | None:
    """The line on which a parameter takes part as `w.data` or `w.detach()`, outside of an update, where it never takes
    part as itself."""
    own = parameter.rpartition(".")[2]
    line = None
    for cut in text.cuts:
        node = cut.node.func if isinstance(cut.node, ast.Call) else cut.node
        if not isinstance(node, ast.Attribute) or f".{ast.unparse(node.value)}".rpartition(".")[2] != own:
            continue
        statement = cut.around[-1] if cut.around else None
        update = isinstance(statement, ast.stmt) and bool(kind_of(statement, set()))
        written = isinstance(node.ctx, ast.Store) or isinstance(statement, (ast.AugAssign, ast.Expr)) or update
        if not written and cut.loops:
            line = line or cut.line
    return line


def covered(text: Reading, parameter: str) -> int | None:
    """The line of the `with torch.no_grad():` around every call of the module that a parameter belongs to."""
    own, lines = _owner(parameter), set[int]()
    if own is None or text.script is None:
        return None
    for line in _covers(text.script.tree, own, None):
        if line is None:
            return None
        lines.add(line)
    return lines.pop() if len(lines) == 1 else None


def hidden_modules(text: Reading) -> int | None:
    """The line on which a class keeps modules in a plain list or dict."""
    for place in text.assignments:
        node = place.node
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Attribute):
            continue
        plain = isinstance(node.value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp))
        if plain and any(called(call)[:1].isupper() for call in _calls(node.value)):
            return place.line
    return None


def _covers(node: ast.AST, own: str, line: int | None) -> Iterator[int | None]:
    """For each call of the module the line of the `with` around it, None where there is none."""
    for child in ast.iter_child_nodes(node):
        inside = line
        if isinstance(child, ast.With) and any(_switches_off(item.context_expr) for item in child.items):
            inside = child.lineno
        elif isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            inside = None
        if isinstance(child, ast.Call) and called(child) == own:
            yield inside
        yield from _covers(child, own, inside)


def _switches_off(context: ast.expr) -> bool:
    """Whether entering this switches gradients off."""
    return isinstance(context, ast.Call) and called(context) in OFF


def _owner(parameter: str) -> str | None:
    """ "fc2" of "model.fc2.weight", "backbone" of "backbone.0.weight"."""
    named = [part for part in parameter.split(".")[:-1] if part.isidentifier()]
    return named[-1] if named else None


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _functions(text: Reading) -> Iterator[ast.FunctionDef]:
    tree = text.script.tree if text.script is not None else ast.Module([], [])
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
