"""The phases of a loop without autograd: weights that are moved by gradients which the script works out itself
(`w -= lr * grad_w`). Found in the text alone, by what such loops call their learning rate and their gradients."""

from __future__ import annotations

import ast
import itertools
import re
from functools import lru_cache

from engine.script.reading.phases import Do, Loop, Phase, called_name, ends, kind_of, made_phase, plain
from engine.script.reading.walk import walk

RATE = re.compile(r"(^|_)(lr|learning_rate|learn_rate|eta|eta0|alpha|rate|step_size)$", re.IGNORECASE)
GRADIENT = re.compile(
    r"grad|delta|backward|backprop|^d_|^d[A-Z]|^d[a-z]\d*(_|$)|^d(loss|out|theta|pred|logits|bias|weight)"
)
LOSS = re.compile(r"loss|cost|mse", re.IGNORECASE)
FORWARD_CALL = re.compile(r"forward|fprop|propagate|predict|activate", re.IGNORECASE)
BACKWARD_CALL = re.compile(r"back_?(ward|prop|pass)|bprop|grad(ient)?s?$", re.IGNORECASE)
STEP_CALL = re.compile(r"^_*(update|apply_grad|adjust|optimi[sz]e|gradient_descent)", re.IGNORECASE)
"""What scripts call functions and methods of their own that do a phase: `feedforward()`, `backprop()`, `update(lr)`."""


def loop_by_hand(tree: ast.Module) -> Loop | None:
    """The loop that moves most by hand, the innermost of several; None when none does."""
    loops = [node for node in walk(tree) if isinstance(node, (ast.For, ast.While))]
    found = [(len(_updates(plain(loop.body))), loop) for loop in loops]
    if not any(count for count, _ in found):
        found = [(sum(map(len, _done_by_calls(tree, plain(loop.body)))), loop) for loop in loops]
    return max(found, key=lambda each: each[0])[1] if any(count for count, _ in found) else None


def phases_by_hand(tree: ast.Module, loop: Loop | ast.FunctionDef, lines: list[str]) -> tuple[Phase, ...]:
    """The phases of a loop that moves its weights by hand; none when a step or a backward of PyTorch's own stands in
    it."""
    statements = plain(loop.body)
    kinds = {id(each): kind_of(each, set()) for each in statements}
    own = not _imports_torch(tree)  # then what is called backward() and step() is the script's
    if not own and any(
        kinds[id(each)] == "step" or (kinds[id(each)] == "backward" and not isinstance(each, ast.Assign))
        for each in statements
    ):
        return ()
    updates = _updates(statements)
    updates += [each for each in statements if own and kinds[id(each)] == "step" and each not in updates]
    backward, step = _done_by_calls(tree, statements)
    updates += [each for each in step if each not in updates]
    gradients = [each for each in statements if each not in updates and _is_gradient(each)]
    gradients += [each for each in statements if own and kinds[id(each)] == "backward" and each not in gradients]
    gradients += [each for each in backward if each not in gradients and each not in updates]
    if not updates and not (own and gradients):
        return ()
    gradients.sort(key=statements.index)
    updates.sort(key=statements.index)
    moved = {name for each in (*updates, *gradients) if each in updates or own for name in _owners(each)}
    first = (gradients or updates)[0]
    forward = _depending(statements[: statements.index(first)], _with_functions(tree, loop, moved))
    groups: list[tuple[Do, list[ast.stmt]]] = [("forward", forward), ("backward", gradients), ("step", updates)]
    counts: dict[str, int] = {}
    return tuple(made_phase(counts, do, found, lines) for do, found in sorted((g for g in groups if g[1]), key=ends))


def loss_by_hand(loop: Loop | ast.FunctionDef, phases: tuple[Phase, ...]) -> tuple[str | None, frozenset[int]]:
    """What the loop calls its loss, and the lines that compute it: a name of the forward's that says so, one of the
    loop's, or what is printed as the loss, or kept among the losses."""
    forward = [statement for phase in phases if phase.do == "forward" for statement in phase.statements]
    body = [each for each in plain(loop.body) if isinstance(each, (ast.Assign, ast.AugAssign, ast.AnnAssign))]
    called = [name for group in (body, forward) for each in group for name in _names_bound(each) if LOSS.search(name)]
    told = [name for name in _told_as_losses(loop) if any(name in _names_bound(each) for each in body)]
    root = called[-1] if called else told[0] if told else None
    return root, frozenset(each.lineno for each in body if root in _names_bound(each))


def _names_bound(statement: ast.stmt) -> set[str]:
    """The plain names that a statement binds."""
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    parts = [part for each in targets for part in (each.elts if isinstance(each, (ast.Tuple, ast.List)) else [each])]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _told_as_losses(loop: ast.stmt) -> list[str]:
    """Names that stand behind the word in what is printed, and those that are appended to a list of losses."""
    found = []
    for node in walk(loop):
        if isinstance(node, ast.JoinedStr):
            for word, value in itertools.pairwise(node.values):
                if isinstance(word, ast.Constant) and isinstance(value, ast.FormattedValue) and LOSS.search(_end(word)):
                    found += [value.value.id] if isinstance(value.value, ast.Name) else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
            if LOSS.search(ast.unparse(node.func.value)) and node.args and isinstance(node.args[0], ast.Name):
                found.append(node.args[0].id)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
            for word, value in itertools.pairwise(node.args):
                if isinstance(word, ast.Constant) and isinstance(value, ast.Name) and LOSS.search(_end(word)):
                    found.append(value.id)
    return found


def _end(text: ast.Constant) -> str:
    return str(text.value)[-12:]


def goes_backward_by_calls(tree: ast.Module, function: ast.FunctionDef) -> bool:
    """Whether a function calls one of the script's own that goes backward."""
    return bool(_done_by_calls(tree, plain(function.body))[0])


def _done_by_calls(tree: ast.Module, statements: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements that are calls of the script's own functions and methods which go backward, and those which move
    the weights after that: told by what they are called. None in a script that has PyTorch's own."""
    own = _own_functions(tree)
    called = [(each, name) for each in statements if (name := called_name(each)) in own and name is not None]
    backward = [each for each, name in called if BACKWARD_CALL.search(name)]
    step = [each for each, name in called if STEP_CALL.search(name) and each not in backward]
    return (backward, [each for each in step if each.lineno >= backward[0].lineno]) if backward else ([], [])


@lru_cache(1)  # asked for each function of a script, of which there may be thousands
def _own_functions(tree: ast.Module) -> frozenset[str]:
    """The names of a script's own functions; of none in a script that has PyTorch's."""
    if _imports_torch(tree):
        return frozenset()
    return frozenset(node.name for node in walk(tree) if isinstance(node, ast.FunctionDef))


def _imports_torch(tree: ast.Module) -> bool:
    return any(
        (isinstance(node, ast.Import) and any(one.name.partition(".")[0] == "torch" for one in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "torch")
        for node in walk(tree)
    )


def _owners(statement: ast.stmt) -> set[str]:
    """What a statement moves, or the object whose method it calls to do so."""
    if isinstance(statement, ast.For):  # for layer in reversed(layers): grad = layer.backward(grad)
        return {name for each in statement.body for name in _owners(each)} | _loads(statement.iter)
    found = _bound(statement)
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        owner: ast.expr = value.func
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        found |= {owner.id} if isinstance(owner, ast.Name) else set()
    return found


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


def moves_weight(statement: ast.stmt) -> bool:
    """Whether a statement moves something that is not called as gradients are, which are added up so too."""
    return _moved(statement) is not None and not any(GRADIENT.search(name) for name in _last_names(statement))


def _last_names(statement: ast.stmt) -> set[str]:
    """What a statement moves, without what holds it: of `self.w[1:] += d` it is "w"."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else getattr(statement, "target", None)
    while isinstance(target, (ast.Subscript, ast.Starred)):
        target = target.value
    return {target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")}


def _is_scaled(value: ast.expr) -> bool:
    """Whether a number is a factor in it: `0.1 * grad`."""
    return any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, ast.Mult)
        and any(isinstance(side, ast.Constant) and isinstance(side.value, float) for side in (part.left, part.right))
        for part in walk(value)
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
    seen: list[ast.stmt] = []
    for statement in statements:
        simple = isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign))
        if (simple or _goes_forward(statement)) and _loads(statement) & live:
            if isinstance(statement, ast.For):  # what it takes from round to round begins before it
                carried = _loads(statement) & _bound_in(statement)
                found += [each for each in seen if _bound(each) & carried and isinstance(each, ast.Assign)]
            found.append(statement)
            live = live | (_bound_in(statement) if isinstance(statement, ast.For) else _bound(statement))
        seen.append(statement)
    return list(dict.fromkeys(found))


def _goes_forward(statement: ast.stmt) -> bool:
    """Whether it only calls what goes forward: `net.feedforward()`, `for layer in layers: x = layer.forward(x)`."""
    if isinstance(statement, ast.For) and not statement.orelse:
        return all(_goes_forward(each) for each in statement.body)
    return bool(FORWARD_CALL.search(called_name(statement) or ""))


def _bound_in(loop: ast.For) -> set[str]:
    return {name for each in loop.body for name in _bound(each)}


def _with_functions(tree: ast.Module, loop: Loop | ast.FunctionDef, names: set[str]) -> set[str]:
    """`names`, and the functions of the script that use one of them."""
    found = set(names)
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef) and not any(part is loop for part in walk(node)):
            inside = {part.id for part in walk(node) if isinstance(part, ast.Name)}
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
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def _names(node: ast.AST) -> set[str]:
    """Names and attributes."""
    return _loads(node) | {part.attr for part in walk(node) if isinstance(part, ast.Attribute)}
