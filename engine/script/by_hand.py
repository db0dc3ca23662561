"""The phases of a loop without autograd: weights that are moved by gradients which the script works out itself
(`w -= lr * grad_w`). Found in the text alone, by what such loops call their learning rate and their gradients."""

from __future__ import annotations

import ast
import re

from engine.script.phases import Do, Loop, Phase, ends, kind_of, made_phase, plain

RATE = re.compile(r"(^|_)(lr|learning_rate|learn_rate|eta|eta0|alpha|rate|step_size)$", re.IGNORECASE)
GRADIENT = re.compile(
    r"grad|delta|backward|backprop|^d_|^d[A-Z]|^d[a-z]\d*(_|$)|^d(loss|out|theta|pred|logits|bias|weight)"
)
LOSS = re.compile(r"loss|cost|mse", re.IGNORECASE)


def loop_by_hand(tree: ast.Module) -> Loop | None:
    """The loop that moves most by hand, the innermost of several; None when none does."""
    loops = [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While))]
    found = [(len(_updates(plain(loop.body))), loop) for loop in loops]
    return max(found, key=lambda each: each[0])[1] if any(count for count, _ in found) else None


def phases_by_hand(tree: ast.Module, loop: Loop | ast.FunctionDef, lines: list[str]) -> tuple[Phase, ...]:
    """The phases of a loop that moves its weights by hand; none when a step or a backward of PyTorch's own stands in
    it."""
    statements = plain(loop.body)
    for statement in statements:
        kind = kind_of(statement, set())
        if kind == "step" or (kind == "backward" and not isinstance(statement, ast.Assign)):
            return ()
    updates = _updates(statements)
    if not updates:
        return ()
    moved = {name for update in updates for name in _bound(update)}
    gradients = [each for each in statements if each not in updates and _is_gradient(each)]
    first = (gradients or updates)[0]
    forward = _depending(statements[: statements.index(first)], _with_functions(tree, loop, moved))
    groups: list[tuple[Do, list[ast.stmt]]] = [("forward", forward), ("backward", gradients), ("step", updates)]
    counts: dict[str, int] = {}
    return tuple(made_phase(counts, do, found, lines) for do, found in sorted((g for g in groups if g[1]), key=ends))


def loss_by_hand(phases: tuple[Phase, ...]) -> str | None:
    """What the forward calls its loss."""
    names = [
        name
        for phase in phases
        if phase.do == "forward"
        for statement in phase.statements
        for name in _bound(statement)
        if LOSS.search(name)
    ]
    return names[-1] if names else None


def _updates(statements: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that move something by a rate times what the others have computed."""
    made = {name for each in statements if _moved(each) is None for name in _bound(each)}
    found = []
    for statement in statements:
        moved = _moved(statement)
        if moved is None:
            continue
        fed = _loads(moved) & made
        named = any(RATE.search(name) for name in _names(moved))
        if fed and (named or (_is_scaled(moved) and any(GRADIENT.search(name) for name in fed))):
            found.append(statement)
    return found


def _moved(statement: ast.stmt) -> ast.expr | None:
    """By what a statement moves its target: `w -= d`, `w = w - d`, `w.sub_(d)`, `w[1:] += d`."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, (ast.Add, ast.Sub)):
        return statement.value
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.value, ast.BinOp):
        target, value = ast.unparse(statement.targets[0]), statement.value
        if isinstance(value.op, (ast.Add, ast.Sub)) and ast.unparse(value.left) == target:
            return value.right
        if isinstance(value.op, ast.Add) and ast.unparse(value.right) == target:
            return value.left
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("sub_", "add_") and call.args:
            return call.args[0]
    return None


def _is_scaled(value: ast.expr) -> bool:
    """Whether a number is a factor in it: `0.1 * grad`."""
    return any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, ast.Mult)
        and any(isinstance(side, ast.Constant) and isinstance(side.value, float) for side in (part.left, part.right))
        for part in ast.walk(value)
    )


def _is_gradient(statement: ast.stmt) -> bool:
    """Whether what a simple statement binds, or the function that it calls for it, is called as gradients are."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or statement.value is None:
        return False
    names = _bound(statement)
    if isinstance(statement.value, ast.Call):
        function = statement.value.func
        names |= {function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")}
    return any(GRADIENT.search(name) for name in names)


def _depending(statements: list[ast.stmt], live: set[str]) -> list[ast.stmt]:
    """The simple statements that compute something from what is in `live`, and from each other."""
    found: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and _loads(statement) & live:
            found.append(statement)
            live = live | _bound(statement)
    return found


def _with_functions(tree: ast.Module, loop: Loop | ast.FunctionDef, names: set[str]) -> set[str]:
    """`names`, and the functions of the script that use one of them."""
    found = set(names)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not any(part is loop for part in ast.walk(node)):
            inside = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if inside & names - {"self"}:
                found.add(node.name)
    return found


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a simple statement binds or changes: of `model.w[1:] -= d` it is "model"."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets = [statement.target]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        targets = [statement.value.func]
    found = set()
    for target in targets:
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            while isinstance(part, (ast.Attribute, ast.Subscript, ast.Starred)):
                part = part.value
            if isinstance(part, ast.Name):
                found.add(part.id)
    return found


def _loads(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def _names(node: ast.AST) -> set[str]:
    """Names and attributes."""
    return _loads(node) | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
