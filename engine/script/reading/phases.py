"""The training loop and its phases, found in the text alone: which statements of the loop clear gradients, compute
the loss, call backward, and move the parameters."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Literal

from engine.script.reading.walk import walk
from engine.script.surface import names

Do = Literal["zero_grad", "forward", "backward", "step"]
Loop = ast.For | ast.While


@dataclass(frozen=True, slots=True)
class Phase:
    """A button: what kind it is and which statements of the training loop it stands for. `lines` are (first, last)
    per run of neighbouring statements; `text` is its own code, one line. `closure`: the function that an optimizer's
    step calls, when the statements stand in it."""

    id: str
    do: Do
    lines: tuple[tuple[int, int], ...]
    text: str
    statements: tuple[ast.stmt, ...]
    closure: ast.FunctionDef | None = None


def find_loop(tree: ast.Module) -> Loop | None:
    """The training loop: the innermost loop that contains, outside of loops nested in it, a backward() call; where
    there is none, an optimizer step."""
    loops = [node for node in walk(tree) if isinstance(node, (ast.For, ast.While))]
    for wanted in ("backward", "step"):
        found = [loop for loop in loops if any(kind_of(statement, set()) == wanted for statement in plain(loop.body))]
        if found:
            return max(found, key=lambda loop: sum(kind_of(s, set()) is not None for s in plain(loop.body)))
    return None


def plain(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a loop body in order, those inside if, with and try too, but not those of nested loops,
    functions and classes. Compound statements stand before what is inside them."""
    found: list[ast.stmt] = []
    for statement in body:
        found.append(statement)
        if isinstance(statement, (ast.If, ast.With)):
            found += plain(statement.body)
            found += plain(getattr(statement, "orelse", []))
        elif isinstance(statement, ast.Try):
            for part in (statement.body, *(h.body for h in statement.handlers), statement.orelse, statement.finalbody):
                found += plain(part)
    return found


def called_name(statement: ast.stmt) -> str | None:
    """The function or method whose call is the statement's whole value."""
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.Call) or not isinstance(statement, (ast.Expr, ast.Assign, ast.Return, ast.AnnAssign)):
        return None
    return value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", None)


def _calls(node: ast.AST) -> list[ast.Call]:
    return [each for each in walk(node) if isinstance(each, ast.Call)]


def _method(node: ast.AST) -> tuple[str, ast.expr] | None:
    """(name, owner) of a call `owner.name(...)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr, node.func.value
    return None


def _mentions_grad(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == "grad" for each in walk(node))


def kind_of(statement: ast.stmt, optimizers: set[str]) -> Do | None:
    """What one statement does by itself: zero_grad, backward or step. A `with` or `for` that only holds such
    statements (`with torch.no_grad(): w -= lr * w.grad`) is one of them as a whole."""
    if isinstance(statement, (ast.With, ast.For, ast.If)) and not getattr(statement, "orelse", []):
        kinds = {kind_of(each, optimizers) for each in statement.body if not isinstance(each, ast.Pass)}
        if isinstance(statement, ast.If) or (len(kinds) > 1 and kinds != {"step", "zero_grad"}):
            return None
        if kinds == {"step", "zero_grad"}:
            return "step" if isinstance(statement, (ast.With, ast.For)) else None
        return kinds.pop() if kinds else None
    if isinstance(statement, (ast.Expr, ast.Assign, ast.Return)) and statement.value is not None:
        kind = _kind_of_value(statement.value)
        if kind is not None:
            return kind
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if (
                isinstance(target, ast.Attribute)
                and target.attr == "grad"
                and isinstance(statement.value, ast.Constant)
                and statement.value.value is None
            ):
                return "zero_grad"
            if isinstance(target, ast.Attribute) and target.attr == "data" and _mentions_grad(statement.value):
                return "step"
        if _mentions_grad(statement.value) and _updates_itself(statement):
            return "step"
    if isinstance(statement, ast.AugAssign) and _mentions_grad(statement.value):
        return "step"
    return None


def _updates_itself(statement: ast.Assign) -> bool:
    """`w = w - lr * w.grad`."""
    names = {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return any(isinstance(each, ast.Name) and each.id in names for each in walk(statement.value))


NOT_OPTIMIZERS = ("sched", "scaler", "ema", "warm", "lr_", "env", "bar", "prof")


def _kind_of_value(value: ast.expr) -> Do | None:
    if isinstance(value, ast.Await):
        value = value.value
    found = _method(value)
    if found is None:
        return None
    name, owner = found
    if isinstance(owner, ast.Name) and owner.id == "self":
        return None  # a method of the script's own
    if name == "backward":
        return "backward"
    if name == "zero_grad":
        return "zero_grad"
    if name == "zero_" and any(isinstance(each, ast.Attribute) and each.attr == "grad" for each in walk(owner)):
        return "zero_grad"
    if name == "step":
        if len(getattr(value, "args", ())) > 1:
            return None  # an optimizer's takes a closure at most
        text = ast.unparse(owner).lower()
        if text.startswith("scaler"):
            return "step"
        return None if any(word in text for word in NOT_OPTIMIZERS) else "step"
    if name in ("sub_", "add_", "copy_", "addcdiv_") and any(_mentions_grad(a) for a in getattr(value, "args", [])):
        return "step"
    return None


def find_phases(
    tree: ast.Module, loop: Loop | ast.FunctionDef, lines: list[str]
) -> tuple[tuple[Phase, ...], str | None]:
    """The phases of `loop`, or of a function that a loop calls, in the order in which they end, and the name on which
    backward is called."""
    statements = _top(loop.body)
    updates = _updates(tree)
    kinds: dict[int, Do] = {}
    for statement in statements:
        kind = kind_of(statement, set()) or updates.get(_called(statement))
        if kind is not None:
            kinds[id(statement)] = kind
    root: str | None = None
    forwards: list[list[ast.stmt]] = []
    taken: set[int] = set()
    tainted = _parameters(tree, loop)
    start = 0
    for index, statement in enumerate(statements):
        if kinds.get(id(statement)) != "backward":
            continue
        owner = _backward_owner(statement)
        name = owner.id if isinstance(owner, ast.Name) else None
        root = root or name
        if name is not None:
            group = [each for each in _slice(statements[start:index], name, kinds, tainted) if id(each) not in taken]
            taken |= {id(each) for each in group}
            if group:
                forwards.append(group)
        start = 0 if not forwards else start
    groups: list[tuple[Do, list[ast.stmt]]] = []
    grouped = {id(group[0]): group for group in forwards}
    previous: Do | None = None
    for statement in statements:
        if id(statement) in grouped:
            groups.append(("forward", grouped[id(statement)]))
            previous = "forward"
        kind = kinds.get(id(statement))
        if kind is None:
            if id(statement) not in taken and not isinstance(statement, (ast.If, ast.With)):
                previous = None
            continue
        if (
            kind == previous
            and groups
            and kind in ("zero_grad", "step")
            and _manual(statement)
            and _manual(groups[-1][1][-1])
        ):
            groups[-1][1].append(statement)
        else:
            groups.append((kind, [statement]))
        previous = kind
    groups.sort(key=ends)
    counts: dict[str, int] = {}
    closure = _closure(tree, statements, kinds)
    if closure is not None and closure is not loop:
        inside, inner_root = find_phases(tree, closure, lines)
        root = root or inner_root
        closed = {id(phase.statements[0]) for phase in inside}
        groups = sorted([*groups, *((phase.do, list(phase.statements)) for phase in inside)], key=ends)
        return tuple(
            made_phase(counts, do, found, lines, closure if id(found[0]) in closed else None) for do, found in groups
        ), root
    return tuple(made_phase(counts, do, found, lines) for do, found in groups), root


def _updates(tree: ast.Module) -> dict[str | None, Do]:
    """The script's own functions that move parameters (`def sgd(params, lr): ...`) or clear gradients, by name."""
    found: dict[str | None, Do] = {}
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        kinds = {kind_of(each, set()) for each in plain(function.body) + _in_loops(function.body)} - {None}
        if kinds and kinds <= {"step", "zero_grad"}:
            found[function.name] = "step" if "step" in kinds else "zero_grad"
    return found


def _in_loops(body: list[ast.stmt]) -> list[ast.stmt]:
    loops = [each for each in plain(body) if isinstance(each, (ast.For, ast.While))]
    return [each for loop in loops for each in (*plain(loop.body), *_in_loops(loop.body))]


def _called(statement: ast.stmt) -> str | None:
    """The function whose call is the whole statement."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None


def ends(group: tuple[Do, list[ast.stmt]]) -> tuple[int, int]:
    last = group[1][-1]
    return last.lineno, last.col_offset


def _closure(tree: ast.Module, statements: list[ast.stmt], kinds: dict[int, Do]) -> ast.FunctionDef | None:
    """The function given to an optimizer's step: `opt.step(closure)`."""
    given = {
        argument.id
        for statement in statements
        if kinds.get(id(statement)) == "step"
        for call in _calls(statement)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if isinstance(argument, ast.Name)
    }
    for node in walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in given and not node.args.args:
            return node
    return None


def _top(body: list[ast.stmt]) -> list[ast.stmt]:
    """As `plain`, but a with or for that is a phase as a whole is not taken apart."""
    found: list[ast.stmt] = []
    for statement in body:
        found.append(statement)
        if kind_of(statement, set()) is not None:
            continue
        if isinstance(statement, (ast.If, ast.With)):
            found += _top(statement.body)
            found += _top(getattr(statement, "orelse", []))
        elif isinstance(statement, ast.Try):
            for part in (statement.body, statement.orelse, statement.finalbody):
                found += _top(part)
    return found


def _manual(statement: ast.stmt) -> bool:
    """An update or a clearing of one tensor, written by hand: neighbours of the kind are one phase."""
    if isinstance(statement, ast.Expr):
        found = _method(statement.value)
        return found is not None and found[0] not in ("step", "zero_grad")
    return True


def made_phase(
    counts: dict[str, int],
    do: Do,
    statements: list[ast.stmt],
    lines: list[str],
    closure: ast.FunctionDef | None = None,
) -> Phase:
    counts[do] = counts.get(do, 0) + 1
    name = do if counts[do] == 1 else f"{do}-{counts[do]}"
    spans: list[tuple[int, int]] = []
    for statement in statements:
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    text = _own_text(statements[0], lines)
    if len(spans) > 1 or spans[0][1] > spans[0][0]:
        text += " …"
    return Phase(name, do, tuple(spans), text, tuple(statements), closure)


def _own_text(statement: ast.stmt, lines: list[str]) -> str:
    """The first line of a statement, without what else stands on that line (`a(); b()`)."""
    line = lines[statement.lineno - 1].encode()
    end = statement.end_col_offset if statement.end_lineno == statement.lineno else None
    return line[statement.col_offset : end].decode().strip()


def _backward_owner(statement: ast.stmt) -> ast.expr | None:
    for call in _calls(statement):
        found = _method(call)
        if found is not None and found[0] == "backward":
            owner = found[1]
            while True:
                inner = _method(owner)
                if inner is not None and isinstance(owner, ast.Call) and not owner.args:
                    owner = inner[1]
                elif (
                    isinstance(owner, ast.Call)
                    and (method := _method(owner)) is not None
                    and method[0] == "scale"
                    and owner.args
                ):
                    owner = owner.args[0]
                elif isinstance(owner, ast.BinOp):
                    owner = owner.left
                else:
                    break
            if isinstance(owner, ast.Attribute) and owner.attr in ("autograd", "torch"):
                return call.args[0] if call.args else None
            return owner
    return None


def _loads(node: ast.AST) -> set[str]:
    return {each.id for each in walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _targets(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, or fills (`outputs.append(...)`), anywhere inside it."""
    found = {each.id for each in walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    for call in _calls(statement):
        method = _method(call)
        if (
            method is not None
            and method[0] in ("append", "extend", "insert", "update")
            and isinstance(method[1], ast.Name)
        ):
            found.add(method[1].id)
    return found


_COMPOUND = (ast.If, ast.With, ast.Try, ast.For, ast.While)


def _slice(before: list[ast.stmt], root: str, kinds: dict[int, Do], tainted: set[str]) -> list[ast.stmt]:
    """The statements before a backward that compute its root from parameters, in order. A loop, if or with among them
    is one statement, as long as it holds no other phase."""
    inside = {
        id(part)
        for statement in before
        if isinstance(statement, _COMPOUND) and _is_one(statement, kinds)
        for part in walk(statement)
        if part is not statement
    }
    wanted = {root}
    found: list[ast.stmt] = []
    for statement in reversed(before):
        if id(statement) in kinds or id(statement) in inside:
            continue
        if isinstance(statement, _COMPOUND) and not _is_one(statement, kinds):
            continue
        if _targets(statement) & wanted:
            found.append(statement)
            wanted |= _loads(statement)
    found.reverse()
    live = set(tainted)
    chosen: set[int] = set()
    carried: set[str] = set()  # what a loop takes from one of its rounds to the next must begin anew
    for statement in found:
        loaded = _loads(statement)
        if isinstance(statement, ast.AugAssign):
            loaded |= _targets(statement)
        if loaded & live or _targets(statement) == {root}:
            live |= _targets(statement)
            chosen.add(id(statement))
            if isinstance(statement, (ast.For, ast.While)):
                carried |= _targets(statement) & (_loads(statement) | _augmented(statement))
    return [each for each in found if id(each) in chosen or _begins(each, carried)]


def _is_one(statement: ast.stmt, kinds: dict[int, Do]) -> bool:
    return not any(
        isinstance(part, ast.stmt) and (id(part) in kinds or kind_of(part, set()) is not None)
        for part in walk(statement)
    )


def _augmented(statement: ast.stmt) -> set[str]:
    return {
        each.target.id
        for each in walk(statement)
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
    }


def _begins(statement: ast.stmt, carried: set[str]) -> bool:
    return isinstance(statement, (ast.Assign, ast.AnnAssign)) and bool(_targets(statement) & carried)


DATA_CALLS = names("""
tensor randn rand zeros ones arange linspace randint randperm from_numpy array Tensor FloatTensor LongTensor range
list enumerate zip load normal DataLoader TensorDataset manual_seed seed MSELoss CrossEntropyLoss BCELoss
BCEWithLogitsLoss L1Loss NLLLoss SmoothL1Loss HuberLoss KLDivLoss StepLR device unsqueeze cat stack len int float
""")


def _parameters(tree: ast.Module, loop: Loop | ast.FunctionDef) -> set[str]:
    """Names that stand for parameters, modules or functions of them; in a method also `self`, which holds them."""
    found: set[str] = {"self"} & {each.id for each in walk(loop) if isinstance(each, ast.Name)}
    nodes = walk(tree)
    classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    for node in nodes:
        if isinstance(node, ast.Assign):
            names = {each.id for target in node.targets for each in walk(target) if isinstance(each, ast.Name)}
            if any(_makes_parameters(call, classes) for call in _calls(node.value)):
                found |= names
        elif isinstance(node, ast.Call):
            method = _method(node)
            if method is not None and method[0] in ("requires_grad_", "parameters", "backward"):
                owner = method[1]
                if isinstance(owner, ast.Name) and method[0] != "backward":
                    found.add(owner.id)
            if method is not None and method[0][:1].isupper():
                found |= _optimized(node)
        elif (
            isinstance(node, ast.Attribute)
            and node.attr in ("grad", "requires_grad")
            and isinstance(node.value, ast.Name)
        ):
            found.add(node.value.id)
    inside = [(each, {part.id for part in walk(each) if isinstance(part, ast.Name)}) for each in functions]
    for _ in range(3):
        for function, used in inside:
            if used & found and function.name not in found and loop not in walk(function):
                found.add(function.name)
    return found


def _optimized(call: ast.Call) -> set[str]:
    """Names inside the first argument of something like optim.SGD([w, b], ...)."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if owner is None or "optim" not in ast.unparse(owner) or not call.args:
        return set()
    return _loads(call.args[0])


def _makes_parameters(call: ast.Call, classes: set[str]) -> bool:
    for keyword in call.keywords:
        if keyword.arg == "requires_grad" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True:
            return True
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in classes or name in ("Parameter", "requires_grad_"):
        return True
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return owner in ("nn", "torch.nn") and name[:1].isupper() and name not in DATA_CALLS
