"""Mends that move, add or wrap statements of the training loop. Each answers with its label, or None."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from engine.run.editing import Edited, called, optimizers, owner
from engine.script.reading.phases import DATA_CALLS, kind_of
from engine.tracing.moments import Finding


def of_kind(edited: Edited, kind: str) -> list[ast.stmt]:
    """The statements that clear gradients, call backward or step, in the order of the text."""
    compound = (ast.With, ast.For, ast.If, ast.While, ast.FunctionDef, ast.ClassDef)
    return [s for s in edited.statements() if not isinstance(s, compound) and kind_of(s, set()) == kind]


def at_line(statements: Sequence[ast.stmt], line: int | None) -> ast.stmt | None:
    """The one that covers a line."""
    return next((s for s in statements if line is not None and s.lineno <= line <= (s.end_lineno or s.lineno)), None)


def block_of(edited: Edited, statement: ast.stmt) -> list[ast.stmt]:
    return edited.blocks[id(statement)]


def _together(edited: Edited, a: ast.stmt, b: ast.stmt) -> bool:
    """Whether two statements stand in the same innermost loop of the same function."""
    return edited.function(a) is edited.function(b) and edited.loops(a)[:1] == edited.loops(b)[:1]


def _in_loop(edited: Edited, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [s for s in statements if edited.loops(s) or edited.function(s) is not None]


def _grads(statement: ast.AST) -> Iterator[str]:
    """The names in front of `.grad`."""
    for part in ast.walk(statement):
        if isinstance(part, ast.Attribute) and part.attr == "grad":
            yield ast.unparse(part.value).removesuffix(".data")


def _outermost_of_update(edited: Edited, statement: ast.stmt) -> ast.stmt:
    """The `with` or `for` around an update by hand that holds nothing else."""
    here = statement
    while True:
        parent = edited.parents.get(id(here))
        if not isinstance(parent, (ast.With, ast.For)) or kind_of(parent, set()) != "step":
            return here
        here = parent


def missing_zero_grad(edited: Edited, finding: Finding, attempt: int) -> str | None:
    backwards = _in_loop(edited, of_kind(edited, "backward"))
    if attempt or not backwards:
        return None
    steps = [s for s in of_kind(edited, "step") if any(_together(edited, s, b) for b in backwards)]
    made = [name for name, _ in optimizers(edited)]
    made = made or [name for s in steps if (name := _step_owner(edited, s)) is not None]
    if not made:
        return _clear_by_hand(edited)
    chosen = at_line(backwards, finding.cause) or at_line(backwards, finding.line) or backwards[0]
    behind = next((s for s in steps if _together(edited, s, chosen) and s.lineno > chosen.lineno), None)
    name = _step_owner(edited, behind) if behind is not None else None
    cleared = {
        edited.of(on)
        for clear in of_kind(edited, "zero_grad")
        for call in calls_in(clear)
        if (on := owner(call)) is not None and edited.loops(clear)
    }
    forgotten = [variable for variable in made if variable not in cleared]
    if behind is not None and name not in made and (given := _stepped_by(behind, made)) is not None:
        name = given  # scaler.step(optimizer)
        if isinstance(edited.parents.get(id(behind)), ast.If) and block_of(edited, behind) is not block_of(
            edited, chosen
        ):
            edited.after(behind, f"{name}.zero_grad()")
            return f"{name}.zero_grad() after line {behind.lineno}"
    holder = _holder(edited, finding)
    own = next((s for s in steps if holder is not None and _step_owner(edited, s) == holder), None)
    if holder in forgotten and own is not None and own is not behind:
        name, behind = holder, own
        chosen = next((b for b in reversed(backwards) if _together(edited, own, b) and b.lineno < own.lineno), chosen)
    if name is None or name in cleared:
        name = forgotten[0] if forgotten else made[0]
    previous = max((s.lineno for s in steps if s.lineno < chosen.lineno and s is not behind), default=0)
    first = next(b for b in backwards if _together(edited, b, chosen) and b.lineno > previous)
    edited.before(first, f"{name}.zero_grad()")
    return f"{name}.zero_grad() before line {first.lineno}"


def _step_owner(edited: Edited, statement: ast.stmt) -> str | None:
    for part in ast.walk(statement):
        if isinstance(part, ast.Call) and called(part) == "step":
            on = owner(part)
            return edited.of(on) if on is not None else None
    return None


def _stepped_by(statement: ast.stmt, made: Sequence[str]) -> str | None:
    """The optimizer that is given to a step(): `scaler.step(optimizer)`."""
    calls = [call for call in calls_in(statement) if called(call) == "step" and call.args]
    return next((text for call in calls if (text := ast.unparse(call.args[0])) in made), None)


def _holder(edited: Edited, finding: Finding) -> str | None:
    """The only optimizer that is made of the parameters of the module that a finding is about."""
    top = finding.names[0].partition(".")[0] if finding.names else ""
    found = [name for name, call in optimizers(edited) if call.args and edited.of(call.args[0]).startswith(f"{top}.")]
    return found[0] if top and len(found) == 1 else None


def _clear_by_hand(edited: Edited) -> str | None:
    steps = [s for s in of_kind(edited, "step") if edited.loops(s)]
    names = list(dict.fromkeys(name for s in steps for name in _grads(s)))
    if not steps:
        return None
    loops = {id(loop): loop for s in steps for loop in edited.loops(s)[:1]}
    over = [loop for loop in loops.values() if isinstance(loop, ast.For) and kind_of(loop, set()) == "step"]
    if over:  # for p in params: p -= lr * p.grad
        edited.after(steps[-1], *(f"{name}.grad = None" for name in dict.fromkeys(_grads(steps[-1]))))
    else:
        edited.after(_outermost_of_update(edited, steps[-1]), *(f"{name}.grad = None" for name in names))
    return "; ".join(f"{name}.grad = None" for name in names) + " after the update"


def zero_grad_after_backward(edited: Edited, finding: Finding, attempt: int) -> str | None:
    clears = of_kind(edited, "zero_grad")
    clear = at_line(clears, finding.cause) or (clears[0] if len(clears) == 1 else None)
    if attempt or clear is None:
        return None
    label = edited.of(clear)
    while isinstance(parent := edited.parents.get(id(clear)), (ast.With, ast.For)) and kind_of(parent, set()):
        clear = parent  # for p in parameters: p.grad = None
    backwards = [b for b in of_kind(edited, "backward") if _together(edited, b, clear) and b.lineno <= clear.lineno]
    if not backwards:
        return _cleared_before_call(edited, clear)
    text = edited.of(clear)
    if label.endswith(".grad.zero_()") and label == text:
        label = text = f"{text.removesuffix('.zero_()')} = None"  # before the first backward() there is none
    edited.before(backwards[0], text)
    edited.remove(clear)
    return f"{label} before line {backwards[0].lineno} instead of after it"


def _cleared_before_call(edited: Edited, clear: ast.stmt) -> str | None:
    """Of a zero_grad or a backward that stands in a function the calls lead to: the one moved before the other."""
    backwards = _leading(edited, of_kind(edited, "backward"))
    for call in _leading(edited, [clear]):
        behind = [b for b in backwards if b is not call and _together(edited, b, call) and b.lineno <= call.lineno]
        if behind and isinstance(call, ast.Expr):
            edited.before(behind[-1], edited.of(call))
            edited.remove(call)
            return f"{edited.of(call)} before line {behind[-1].lineno} instead of after it"
    return None


def _leading(edited: Edited, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements with those that call the functions in which they stand, and so on."""
    found = list(statements)
    for statement in found:
        function = edited.function(statement)
        if isinstance(function, ast.FunctionDef):
            found += [
                each
                for each in edited.statements()
                if isinstance(each, (ast.Expr, ast.Assign, ast.AugAssign))
                and each not in found
                and any(called(call) == function.name for call in calls_in(each))
            ]
    return found


def step_before_backward(edited: Edited, finding: Finding, attempt: int) -> str | None:
    step = at_line(of_kind(edited, "step"), finding.line)
    if attempt or step is None:
        return None
    backwards = [b for b in of_kind(edited, "backward") if _together(edited, b, step) and b.lineno >= step.lineno]
    if not backwards or block_of(edited, backwards[-1]) is not block_of(edited, step):
        return None
    edited.after(backwards[-1], edited.of(step))
    edited.remove(step)
    return f"{edited.of(step)} after line {backwards[-1].lineno} instead of before it"


def step_outside_loop(edited: Edited, finding: Finding, attempt: int) -> str | None:
    backwards = _in_loop(edited, of_kind(edited, "backward"))
    if attempt or not backwards:
        return None
    step = at_line(of_kind(edited, "step"), finding.cause)
    if step is not None:
        edited.after(backwards[-1], edited.of(step))
        edited.remove(step)
        return f"{edited.of(step)} into the loop, after line {backwards[-1].lineno}"
    made = [variable for variable, _ in optimizers(edited)]
    if not made:
        return None
    name = next((each for each in made if finding.names and each.rpartition(".")[2] == last_part(finding)), made[0])
    chosen = at_line(backwards, finding.cause or finding.line) if len(made) > 1 else None
    chosen = chosen or _beside_clear(edited, name) or backwards[-1]
    edited.after(chosen, f"{name}.step()")
    return f"{name}.step() after line {chosen.lineno}"


def last_part(finding: Finding) -> str:
    """Of the first name that it is about: "opt" of "trainer.opt"."""
    return finding.names[0].rpartition(".")[2] if finding.names else ""


def _beside_clear(edited: Edited, name: str) -> ast.stmt | None:
    """The backward that an optimizer's zero_grad() stands before."""
    clears = [s for s in of_kind(edited, "zero_grad") if edited.of(s).startswith(f"{name}.")]
    backwards = of_kind(edited, "backward")
    return next(
        (b for clear in clears for b in backwards if b.lineno > clear.lineno and _together(edited, b, clear)), None
    )


def backward_outside_loop(edited: Edited, finding: Finding, attempt: int) -> str | None:
    backward = at_line(of_kind(edited, "backward"), finding.cause)
    steps = [s for s in of_kind(edited, "step") if edited.loops(s)]
    if attempt > 1 or backward is None or not steps:
        return None
    step = steps[0]
    while isinstance(parent := edited.parents.get(id(step)), (ast.With, ast.For)) and parent not in edited.loops(step):
        step = parent
    forward, holder = _forward_of(edited, backward), _step_owner(edited, step)
    if not attempt:  # what the loop computes itself, or reads only, it has already
        known = {part.id for part in ast.walk(edited.loops(steps[0])[0]) if isinstance(part, ast.Name)}
        forward = [
            s
            for s in forward
            if not known & {part.id for t in s.targets for part in ast.walk(t) if isinstance(part, ast.Name)}
        ]
    cleared = holder is None or _in_loop(edited, of_kind(edited, "zero_grad"))
    clear = [] if cleared else [f"{holder}.zero_grad()"]
    edited.before(step, *clear, *(edited.of(s) for s in forward), edited.of(backward))
    for statement in (*forward, backward):
        edited.remove(statement)
    with_it = ", with the forward that it needs" if forward else ""
    return f"{edited.of(backward)} into the loop, before line {step.lineno}{with_it}"


def _forward_of(edited: Edited, backward: ast.stmt) -> list[ast.Assign]:
    """The assignments before a backward in its block that compute what it starts from, without those that make data or
    parameters."""
    wanted = {part.id for part in ast.walk(backward) if isinstance(part, ast.Name)}
    found: list[ast.Assign] = []
    for statement in reversed([s for s in block_of(edited, backward) if s.lineno < backward.lineno]):
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if not (isinstance(target, ast.Name) and target.id in wanted) or _makes(statement.value):
            continue
        found.append(statement)
        wanted |= {part.id for part in ast.walk(statement.value) if isinstance(part, ast.Name)}
    return found[::-1]


def _makes(value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return isinstance(value, ast.Constant)
    return called(value)[:1].isupper() or called(value) in DATA_CALLS or "requires_grad" in ast.unparse(value)


def torch_of(edited: Edited) -> str:
    """What the script calls torch."""
    for node in ast.walk(edited.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "torch":
                    return alias.asname or "torch"
    return "torch"


def recreated_leaf(edited: Edited, finding: Finding, attempt: int) -> str | None:
    if attempt:
        return None
    rebinding = [s for s in edited.statements() if isinstance(s, ast.Assign) and _rebound(s)]
    chosen = at_line(rebinding, finding.cause or finding.line)
    if chosen is None:
        return _leaves_again(edited, finding)
    siblings = [s for s in rebinding if block_of(edited, s) is block_of(edited, chosen)]
    inside = isinstance(edited.parents.get(id(chosen)), ast.With)
    for s in siblings:
        assert isinstance(s, ast.Assign)
        name = _rebound(s)
        value = s.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub) and ast.unparse(value.left) == name:
            update = f"{name} -= {edited.of(value.right)}"
        else:
            update = f"{name}.copy_({edited.of(value)})"
        edited.replace(s, update if inside else f"with {torch_of(edited)}.no_grad(): {update}")
    cleared = {name for s in of_kind(edited, "zero_grad") for name in _grads(s)}
    missing = [name for s in siblings if (name := _rebound(s)) and name not in cleared]
    last = edited.parents[id(siblings[-1])] if inside else siblings[-1]
    if missing and isinstance(last, ast.stmt):
        edited.after(last, *(f"{name}.grad = None" for name in missing))
    return "the update in place, under torch.no_grad()"


def _rebound(statement: ast.Assign) -> str | None:
    """What `w = ... w.grad ...` binds anew: a name, or an item of a list."""
    target = statement.targets[0]
    if isinstance(target, (ast.Name, ast.Subscript, ast.Attribute)) and ast.unparse(target) in set(_grads(statement)):
        return ast.unparse(target)
    return None


def _leaves_again(edited: Edited, finding: Finding) -> str | None:
    """`ws = [w - lr * w.grad for w in ws]`, each made a leaf again."""
    statement = at_line([s for s in edited.statements() if isinstance(s, ast.Assign)], finding.cause or finding.line)
    parts = [] if statement is None else [p for p in ast.walk(statement) if isinstance(p, ast.BinOp) and [*_grads(p)]]
    outer = [p for p in parts if not any(p is not other and p in ast.walk(other) for other in parts)]
    for part in outer:
        edited.replace(part, f"({edited.of(part)}).detach().requires_grad_()")
    return "each made a leaf again, by detach().requires_grad_()" if outer else None


def update_outside_no_grad(edited: Edited, finding: Finding, attempt: int) -> str | None:
    updates = [
        s for s in edited.statements() if isinstance(s, (ast.AugAssign, ast.Expr)) and kind_of(s, set()) == "step"
    ]
    if attempt or not updates or at_line(updates, finding.cause or finding.line) is None:
        return None
    for update in updates:
        if edited.text[: edited.span(update)[0]].rpartition("\n")[2].strip():
            return None  # not alone on its line
        edited.replace(update, f"with {torch_of(edited)}.no_grad(): {edited.of(update)}")
    return "the update under torch.no_grad()"


def eval_mode(edited: Edited, finding: Finding, attempt: int) -> str | None:
    backwards = [b for b in of_kind(edited, "backward") if edited.loops(b)]
    if attempt or not finding.names:
        return None
    if not backwards:
        return _trained_again(edited, finding)
    first = edited.loops(backwards[0])[0].body[0]  # type: ignore[attr-defined]
    edited.before(first, f"{finding.names[0]}.train()")
    return f"{finding.names[0]}.train() at the beginning of each iteration"


def _trained_again(edited: Edited, finding: Finding) -> str | None:
    """train() at the beginning of the function that calls backward(), on what the script calls eval() of."""
    ends = [call for call in edited.calls("eval") if call.lineno == finding.cause]
    functions = [edited.function(back) for back in of_kind(edited, "backward")]
    on = owner(ends[0]) if ends else None
    if on is None or not functions or not isinstance(functions[0], ast.FunctionDef):
        return None
    function, text = functions[0], edited.of(on)
    own = text.partition(".")[0]
    class_, other = edited.parents.get(id(function)), edited.parents.get(id(edited.function(ends[0])))
    if (class_ is not other) if own == "self" else own != finding.names[0].partition(".")[0]:
        text = finding.names[0]
    edited.before(function.body[0], f"{text}.train()")
    return f"{text}.train() at the beginning of {function.name}()"


def exploding(edited: Edited, finding: Finding, attempt: int) -> str | None:
    if attempt == 1:
        return _smaller_weights(edited)
    made = optimizers(edited)
    steps = [s for s in _in_loop(edited, of_kind(edited, "step")) if any(called(c) == "step" for c in calls_in(s))]
    if attempt or not made or not steps or not made[0][1].args:
        return None
    clip = f"{torch_of(edited)}.nn.utils.clip_grad_norm_({edited.of(made[0][1].args[0])}, 1.0)"
    edited.before(steps[-1], clip)
    return f"clip_grad_norm_(..., 1.0) before line {steps[-1].lineno}"


def _smaller_weights(edited: Edited) -> str | None:
    """Weights that begin as large as their layer needs: nn.Parameter(torch.randn(n, m)) divided by the root of n."""
    weak = [c for c in edited.calls("normal_", "uniform_") if c.args and "weight" in edited.of(c.args[0])]
    for call in weak:
        on = owner(call)
        begin = f"{edited.of(on)}." if on is not None else ""
        edited.replace(call, f"{begin}xavier_uniform_({edited.of(call.args[0])})")
    if weak:
        return f"xavier_uniform_ in place of {called(weak[0])}"
    drawn = [
        call
        for maker in edited.calls("Parameter")
        for call in calls_in(maker)
        if called(call) == "randn" and len(call.args) == 2
    ]
    for call in drawn:
        edited.replace(call, f"({edited.of(call)} / {edited.of(call.args[0])} ** 0.5)")
    return "initial weights divided by the root of what comes in" if drawn else None


def calls_in(node: ast.AST) -> list[ast.Call]:
    return [part for part in ast.walk(node) if isinstance(part, ast.Call)]
