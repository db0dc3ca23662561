"""Mends that change an expression: a loss, an activation, a learning rate. Each answers with its label, or None."""

from __future__ import annotations

import ast

from engine.run.editing import Edited, called, optimizers, owner
from engine.run.mend_loops import at_line, of_kind
from engine.tracing.moments import Finding

CUTS = ("item", "detach", "numpy", "tolist", "detach_")
MAKERS = ("tensor", "Tensor", "as_tensor", "from_numpy", "FloatTensor")
WEAK = ("normal_", "uniform_", "trunc_normal_")
FLOORS = ("clamp", "clamp_min", "maximum")
TINY = "1e-8"
HIGHEST = 80
"""e to the power of more is soon more than float32 can hold."""
FIRST_RATE = 0.01
"""In place of a learning rate of 0."""


def _on_line(edited: Edited, line: int | None) -> list[ast.AST]:
    """The nodes of the statements that cover a line, outermost first."""
    simple = [
        s
        for s in edited.statements()
        if not isinstance(s, (ast.For, ast.While, ast.If, ast.With, ast.FunctionDef, ast.ClassDef, ast.Try))
    ]
    covering = [s for s in simple if line is not None and s.lineno <= line <= (s.end_lineno or s.lineno)]
    return [node for statement in covering for node in ast.walk(statement)]


def _place(finding: Finding) -> int | None:
    return finding.cause if finding.cause is not None else finding.line


# -- graphs --------------------------------------------------------------------------------------------------------


def _uncut(edited: Edited, node: ast.AST) -> str | None:
    """The text of an expression without what cuts it off from its history. A way to NumPy and back is taken out of the
    expression in between: `from_numpy(x.numpy() * 2)` is `(x * 2)`."""
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return _uncut(edited, node.value) or edited.of(node.value)
    if isinstance(node, ast.Call):
        on = owner(node)
        if called(node) in CUTS and on is not None:
            return _uncut(edited, on) or edited.of(on)
        if called(node) in MAKERS and node.args:
            return _uncut(edited, node.args[0]) or _without_cuts(edited, node.args[0])
    return None


def _without_cuts(edited: Edited, whole: ast.AST) -> str:
    """The text of an expression in which each part is without its cuts."""
    start, _ = edited.span(whole)
    text, moved = edited.of(whole), 0
    outermost: list[ast.AST] = []
    for node in ast.walk(whole):
        if any(part is node for outer in outermost for part in ast.walk(outer)):
            continue
        inner = _uncut(edited, node)
        if inner is not None:
            outermost.append(node)
    for node in sorted(outermost, key=lambda part: edited.span(part)):
        first, last = (at - start + moved for at in edited.span(node))
        inner = _uncut(edited, node) or ""
        text, moved = text[:first] + inner + text[last:], moved + len(inner) - (last - first)
    return f"({text})" if isinstance(whole, (ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp)) else text


def detached(edited: Edited, finding: Finding, attempt: int) -> str | None:
    """Without the first of the cuts on the line, then without all of them, then without the second."""
    cuts: list[tuple[ast.AST, str]] = []
    for node in _on_line(edited, finding.cause):
        if any(part is node for outer, _ in cuts for part in ast.walk(outer)):
            continue
        text = _uncut(edited, node)
        if text is not None:
            cuts.append((node, text))
    cuts.sort(key=lambda cut: edited.span(cut[0]))
    if attempt == 2:
        return _all_cuts(edited, finding)
    if attempt == 1 and (numbers := _list_of_numbers(edited, finding)) is not None:
        return numbers
    only = cuts[0][0] if attempt == 1 and cuts else None
    if isinstance(only, ast.Call) and called(only) in MAKERS and isinstance(only.args[0], ast.Name):
        edited.replace(only, f"torch.stack({edited.of(only.args[0])})")
        return f"torch.stack() in place of torch.{called(only)}(), which makes a tensor anew"
    chosen = (cuts[:1], cuts, cuts[1:2])[attempt] if attempt < 1 or len(cuts) > 1 else []
    for node, text in chosen:
        edited.replace(node, text)
    return f"`{edited.of(chosen[0][0])}` without what cuts it from the graph" if chosen else None


def _all_cuts(edited: Edited, finding: Finding) -> str | None:
    """Without any cut in the statements around the line."""
    beside = [b for b in edited.blocks.values() if any(s.lineno == finding.cause for s in b)]
    found: list[ast.AST] = []
    for statement in beside[0] if beside else ():
        for node in ast.walk(statement):
            inside = any(part is node for outer in found for part in ast.walk(outer))
            if isinstance(statement, ast.Assign) and not inside and _uncut(edited, node) is not None:
                found.append(node)
    for node in found:
        edited.replace(node, _uncut(edited, node) or edited.of(node))
    return "nothing cut from the graph" if found else None


def _list_of_numbers(edited: Edited, finding: Finding) -> str | None:
    """`[f(x).item() for x in xs]` that torch.tensor() makes a tensor of: the results themselves, joined."""
    for node in _on_line(edited, finding.cause):
        made = isinstance(node, ast.Call) and called(node) in MAKERS
        if not made or not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Name):
            continue
        name = node.args[0].id
        for statement in edited.statements():
            appends = isinstance(statement, ast.Expr) and edited.of(statement).startswith(f"{name}.append(")
            if not appends and not (isinstance(statement, ast.Assign) and edited.of(statement.targets[0]) == name):
                continue
            cuts = [c for c in ast.walk(statement) if isinstance(c, ast.Call) and called(c) in ("item", "tolist")]
            for cut in cuts:
                edited.replace(cut, _uncut(edited, cut) or edited.of(cut))
            if cuts:
                edited.replace(node, f"torch.cat([each.reshape(-1) for each in {name}])")
                return f"{name} joined with their graphs, instead of their numbers"
    return None


def no_grad(edited: Edited, finding: Finding, attempt: int) -> str | None:
    if attempt:
        return None
    for call in edited.calls("set_grad_enabled"):
        if call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value is False:
            edited.replace(call.args[0], "True")
            return f"gradients switched on (line {call.lineno})"
    places = [c for c in edited.calls("no_grad", "inference_mode") if finding.cause in (None, c.lineno)]
    if not places:
        return None
    edited.replace(places[0], f"{edited.of(places[0].func).rpartition('.')[0] or 'torch'}.enable_grad()")
    return f"enable_grad() instead of no_grad() (line {places[0].lineno})"


def not_averaged(edited: Edited, finding: Finding, attempt: int) -> str | None:
    backward = at_line(of_kind(edited, "backward"), finding.cause if finding.cause is not None else finding.line)
    by = finding.text.partition("Divide the loss by ")[2].partition(" before backward()")[0]
    if attempt or backward is None or not by:
        return None
    for part in ast.walk(backward):
        if isinstance(part, ast.Call) and called(part) == "backward" and (on := owner(part)) is not None:
            edited.replace(on, f"({edited.of(on)} / {by})")
            return f"({edited.of(on)} / {by}).backward()"
    return None


def graph_kept(edited: Edited, finding: Finding, attempt: int) -> str | None:
    for node in _on_line(edited, _place(finding)):
        if attempt > 1 or not isinstance(node, (ast.AugAssign, ast.Assign)):
            continue
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        value = node.value.right if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) else node.value
        text = edited.of(value)
        simple = isinstance(value, (ast.Name, ast.Attribute, ast.Call))
        end = ".detach()" if attempt else ".item()"  # a total that is read as a tensor stays one
        edited.replace(value, f"{text}{end}" if simple else f"({text}){end}")
        return f"{edited.of(target)} += {text}{end}"
    return None


# -- losses --------------------------------------------------------------------------------------------------------

ACTIVATIONS = ("softmax", "log_softmax", "sigmoid", "Softmax", "LogSoftmax", "Sigmoid")


def _without(edited: Edited, call: ast.Call) -> str | None:
    """A call of an activation as a function or method, without the activation."""
    on = owner(call)
    module = on is not None and edited.of(on) in ("F", "torch", "nn.functional", "torch.nn.functional", "torch.special")
    if call.args and (module or on is None or (isinstance(on, ast.Name) and on.id == "self")):
        return edited.of(call.args[0])
    return edited.of(on) if on is not None else None


def _is_cross_entropy(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and called(node).startswith(("cross_entropy", "binary_cross_entropy"))


def activation_before_loss(edited: Edited, finding: Finding, attempt: int) -> str | None:
    """The activation on the line where it ran; else the last such module that the script makes."""
    kinds = ("sigmoid", "Sigmoid") if "sigmoid" in finding.kind else ACTIVATIONS
    here = [n for n in _on_line(edited, _place(finding)) if isinstance(n, ast.Call) and called(n) in kinds]
    calls = [n for n in here if called(n)[:1].islower()]
    within = [part for n in _on_line(edited, _place(finding)) if _is_cross_entropy(n) for part in ast.walk(n)]
    calls.sort(key=lambda call: not any(part is call for part in within))
    if calls and attempt == 0:
        text = _without(edited, calls[0])
        if text is not None:
            edited.replace(calls[0], text)
            return f"{called(calls[0])} left out (line {calls[0].lineno})"
    made = edited.calls(*(kind for kind in kinds if kind[0].isupper()))
    if made and attempt == (1 if calls else 0):
        on = owner(made[-1])
        edited.replace(made[-1], f"{edited.of(on) if on is not None else 'torch.nn'}.Identity()")
        return f"nn.Identity() in place of {called(made[-1])} (line {made[-1].lineno})"
    return None


def nll(edited: Edited, finding: Finding, attempt: int) -> str | None:
    if attempt:
        return None
    if "softmax" in finding.text:
        for call in edited.calls("softmax", "Softmax"):
            on = owner(call)
            name = "log_softmax" if called(call) == "softmax" else "LogSoftmax"
            edited.replace(call.func, f"{edited.of(on)}.{name}" if on is not None else name)
            return f"{name} in place of {called(call)} (line {call.lineno})"
        return None
    for call in edited.calls("nll_loss", "NLLLoss"):
        on = owner(call)
        name = "cross_entropy" if called(call) == "nll_loss" else "CrossEntropyLoss"
        edited.replace(call.func, f"{edited.of(on)}.{name}" if on is not None else f"torch.nn.{name}")
        return f"{name} in place of {called(call)} (line {call.lineno})"
    return None


def broadcasting(edited: Edited, finding: Finding, attempt: int) -> str | None:
    if attempt:
        return None
    for name in finding.names:
        uses = [n for n in _on_line(edited, _place(finding)) if isinstance(n, ast.Name) and n.id == name]
        for use in uses:
            edited.replace(use, f"{name}.unsqueeze(1)")
        if uses:
            return f"{name}.unsqueeze(1) in place of {name}"
    for node in _on_line(edited, _place(finding)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            a, b = node.left, node.right
        elif isinstance(node, ast.Call) and len(node.args) >= 2 and called(node) != "backward":
            a, b = node.args[0], node.args[1]
        else:
            continue
        if isinstance(a, (ast.Name, ast.Attribute)):
            text = edited.of(b) if not isinstance(b, (ast.BinOp, ast.UnaryOp)) else f"({edited.of(b)})"
            edited.replace(b, f"{text}.view_as({edited.of(a)})")
        elif isinstance(b, (ast.Name, ast.Attribute)):
            text = edited.of(a) if not isinstance(a, (ast.BinOp, ast.UnaryOp)) else f"({edited.of(a)})"
            edited.replace(a, f"{text}.view_as({edited.of(b)})")
        else:
            continue
        return "both in the same shape, by view_as"
    return None


# -- numbers -------------------------------------------------------------------------------------------------------


def not_finite(edited: Edited, finding: Finding, attempt: int) -> str | None:
    """A tiny number added to what is divided by, or to what a logarithm or root is taken of; then a smallest such."""
    if attempt > 1:
        return None
    for node in _on_line(edited, _place(finding)):
        if "e to the power" in finding.text and isinstance(node, ast.Call) and called(node) == "exp" and not attempt:
            exponents = [c for c in edited.calls("exp") if c.lineno == node.lineno]
            for call in exponents:
                inner = call.args[0] if call.args else owner(call)
                if inner is not None:
                    edited.replace(inner, f"({edited.of(inner)}).clamp(max={HIGHEST})")
            return f"exp of {HIGHEST} at most, by clamp"
        divides = "divides" in finding.text or "not finite" in finding.text
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and divides and not attempt:
            edited.replace(node.right, f"({edited.of(node.right)} + {TINY})")
            return f"a divisor that is never 0 (+ {TINY})"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and "a power below 1" in finding.text:
            power = node.right
            if not attempt and isinstance(power, ast.Constant) and isinstance(power.value, float) and power.value < 1:
                edited.replace(node.left, f"({edited.of(node.left)} + {TINY})")
                return f"a power of a number that is never 0 (+ {TINY})"
        if isinstance(node, ast.Call) and called(node) in ("log", "sqrt", "log2", "log10") and not divides:
            on = owner(node)
            inner = node.args[0] if node.args else on
            if inner is None:
                continue
            if attempt:
                edited.replace(inner, f"({edited.of(inner)}).clamp(min={TINY})")
                return f"{called(node)} of {TINY} at least, by clamp"
            edited.replace(inner, f"({edited.of(inner)} + {TINY})" if inner is on else f"{edited.of(inner)} + {TINY}")
            return f"{called(node)} of a number that is never 0 (+ {TINY})"
    return None


def vanishing(edited: Edited, finding: Finding, attempt: int) -> str | None:
    """ReLU in place of what saturates; then weights that begin as large as their layer needs; then both."""
    modules = edited.calls("Sigmoid", "Tanh")
    functions = [c for c in edited.calls("sigmoid", "tanh") if c.args or owner(c) is not None]
    chosen = modules[:-1] if len(modules) > 1 else modules or functions
    weak = [c for c in edited.calls(*WEAK) if c.args and "weight" in edited.of(c.args[0])]
    said = []
    if attempt != 1 and chosen:
        for call in chosen:
            on = owner(call)
            name = "ReLU" if called(call)[0].isupper() else "relu"
            edited.replace(call.func, f"{edited.of(on)}.{name}" if on is not None else f"torch.nn.{name}")
        said.append(f"ReLU in place of {called(chosen[0])}")
    if attempt and weak:
        for call in weak:
            on = owner(call)
            begin = f"{edited.of(on)}." if on is not None else ""
            edited.replace(call, f"{begin}xavier_uniform_({edited.of(call.args[0])})")
        said.append(f"xavier_uniform_ in place of {called(weak[0])}")
    return ", and ".join(said) or None


def dead_relu(edited: Edited, finding: Finding, attempt: int) -> str | None:
    """LeakyReLU; then a tenth and a hundredth of the learning rate, with which it may not die."""
    modules = edited.calls("ReLU")
    functions = edited.calls("relu")
    floors = [n for n in _on_line(edited, _place(finding)) if isinstance(n, ast.Call) and called(n) in FLOORS]
    if attempt:
        return scale_rate(edited, 0.1**attempt)
    if not (modules or functions or floors):
        return None
    if floors and not any(call.lineno == _place(finding) for call in functions):
        modules, functions = [], floors
    for call in modules:
        on = owner(call)
        edited.replace(call, f"{edited.of(on) if on is not None else 'torch.nn'}.LeakyReLU(0.01)")
    for call in functions:
        text = _without(edited, call)
        edited.replace(call, f"torch.nn.functional.leaky_relu({text}, 0.01)")
    return "LeakyReLU in place of ReLU" if functions is not floors else f"leaky_relu in place of {called(floors[0])}"


# -- learning rates ------------------------------------------------------------------------------------------------


def rate_too_large(edited: Edited, finding: Finding, attempt: int) -> str | None:
    return scale_rate(edited, 10.0 ** -(attempt + 1))


def rate_too_small(edited: Edited, finding: Finding, attempt: int) -> str | None:
    place = rate_of(edited)
    usual = FIRST_RATE / place.value if place is not None and isinstance(place.value, float) and place.value else 1e6
    return scale_rate(edited, (max(usual, 1e2), 1e4, 1e2)[attempt])


def scale_rate(edited: Edited, by: float) -> str | None:
    """The learning rate, where the script writes it as a number, times `by`."""
    place = rate_of(edited)
    if place is None:
        return None
    value = place.value
    assert isinstance(value, (int, float))
    new = value * by if value else FIRST_RATE
    edited.replace(place, f"{new:.6g}")
    return f"learning rate {new:.6g} in place of {value:g}"


def rate_of(edited: Edited) -> ast.Constant | None:
    """The number that is the learning rate."""
    for _, call in optimizers(edited):
        given = next((k.value for k in call.keywords if k.arg == "lr"), None)
        given = given if given is not None else (call.args[1] if len(call.args) > 1 else None)
        found = _number(edited, given)
        if found is not None:
            return found
    for step in of_kind(edited, "step"):
        for part in ast.walk(step):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult):
                for side in (part.left, part.right):
                    found = _number(edited, side)
                    if found is not None:
                        return found
    return None


def _number(edited: Edited, node: ast.AST | None) -> ast.Constant | None:
    """A number, or the number that a name was assigned."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node
    if isinstance(node, ast.Name):
        for statement in edited.statements():
            if isinstance(statement, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == node.id for target in statement.targets
            ):
                return _number(edited, statement.value) if not isinstance(statement.value, ast.Name) else None
    return None
