"""What a statement did that is none of the four phases, in a sentence: what it made or changed, or what it is."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.tracing.moments import Moment, TensorState, Variable
from engine.tracing.wording import Array, count, listed, norm, number, only, shape

if TYPE_CHECKING:
    from engine.script.reading.source import Script
    from engine.tracing.explain import Facts


def tell_plain(moment: Moment, before: Moment | None, facts: Facts) -> list[str]:
    if moment.number == 0:
        return ["Nothing has run yet."]
    if facts.header == "begins":
        names = _loop_targets(facts.script)
        values = [_variable(v) for v in moment.variables if v.name in names]
        values += [describe(t) for t in moment.tensors if t.name in names]
        return [f"Iteration {moment.iteration} begins{': ' + listed(values) if values else ''}."]
    if facts.header == "ended":
        return [f"The loop has ended after {count(moment.iteration or 0, 'iteration')}."]
    if facts.header == "pauses":
        return [f"The loop has ended for now: {count(moment.iteration or 0, 'iteration')} so far."]
    if facts.header in _HEADERS:
        changed = "".join(tell_changes(moment, before)).rstrip(".") if facts.header in ("For:in", "call") else ""
        where = f"line {moment.next_line} is next" if moment.next_line is not None else "the program has ended"
        return [f"{_HEADERS[facts.header].format(moment.line)}: {f'{changed}; ' if changed else ''}{where}."]
    if facts.value is not None:
        return [f"{moment.statement.strip()} gives {facts.value}."]
    if moment.stdout or moment.stderr:
        lines = (moment.stdout or moment.stderr).rstrip("\n").split("\n")
        more = f" and {count(len(lines) - 1, 'more line')}" if len(lines) > 1 else ""
        return [f"{'Printed' if moment.stdout else 'Wrote to stderr'} “{_short(lines[0])}”{more}."]
    return tell_changes(moment, before) or tell_statement(moment)


_HEADERS = {
    "If:in": "The condition holds",
    "If:past": "The condition does not hold",
    "While:in": "The condition holds",
    "While:past": "The condition does not hold any more",
    "For:in": "The loop of line {} goes on",
    "For:past": "The loop of line {} has ended",
    "With:in": "Entered the with block",
    "call": "Stepped into the call",
    "return": "Back from the call",
}


def tell_changes(moment: Moment, before: Moment | None) -> list[str]:
    """What the statement made or changed, as far as variables show it."""
    tensors = {t.name: t for t in before.tensors} if before is not None else {}
    new = [t for t in moment.tensors if t.name not in tensors or tensors[t.name].value is not t.value]
    optimizers = {o.name for o in before.optimizers} if before is not None else set()
    for optimizer in moment.optimizers:
        if optimizer.name not in optimizers:
            names = listed([p.name for p in optimizer.parameters])
            lr = next((g["lr"] for g in optimizer.groups if "lr" in g), None)
            settings = optimizer.type if lr is None else f"{optimizer.type}, lr = {number(lr)}"
            return [f"{optimizer.name} ({settings}) will update {names}."]
    parameters = [t for t in new if t.is_parameter]
    if parameters and len(parameters) == len(new):
        elements = sum(t.value.size for t in parameters)
        name = parameters[0].name.partition(".")[0]
        names = listed([p.name for p in parameters])
        return [f"{name} has {count(len(parameters), 'parameter')}: {names} ({count(elements, 'number')})."]
    if new:
        return [f"{listed([_went(t, tensors.get(t.name)) for t in new])}."]
    cleared = [t for t in moment.tensors if t.name in tensors and tensors[t.name].grad is not t.grad]
    if cleared:
        return [f"{listed([_grad_went(t, tensors[t.name]) for t in cleared])}."]
    variables = {v.name: v.text for v in before.variables} if before is not None else {}
    changed = [_variable(v) for v in moment.variables if variables.get(v.name) != v.text]
    return [f"{listed(changed)}."] if changed else []


def tell_variables(moment: Moment, before: Moment | None) -> list[str]:
    """What a line computed, or by how much it moved weights, in a loop that works its gradients out itself."""
    first, last = moment.line or 0, moment.end_line or moment.line or 0
    old = {node.id: node.value for node in before.graph.nodes} if before is not None else {}
    told = []
    for node in moment.graph.nodes:
        if node.role is None or node.value is None or not first <= (node.line or 0) <= last:
            continue
        value, was = only(node.value), old.get(node.id)
        if node.role != "weight":
            size = f", norm {number(norm(node.value))}" if node.role == "backward" else ""
            told.append(
                f"{node.name} ({shape(node.value)}{size})" if value is None else f"{node.name} = {number(value)}"
            )
        elif value is not None and was is not None:
            told.append(f"{node.name} went from {number(was.reshape(()))} to {number(value)}")
        elif node.change is not None:
            told.append(f"{node.name} moved by a change of norm {number(norm(node.change))}")
    return [f"{listed(told)}."] if told else []


def tell_statement(moment: Moment) -> list[str]:
    text = moment.statement.strip()
    if match := re.match(r"(?:from\s+(\S+)\s+)?import\s+(.+)", text):
        return [f"Imported {match[2]}{f' from {match[1]}' if match[1] else ''}."]
    if match := re.match(r"(def|class)\s+(\w+)", text):
        return [f"Defined {match[2]}{'()' if match[1] == 'def' else ''}."]
    if match := re.match(r"(?:\w+\.)*manual_seed\((.+)\)$", text):
        return [f"Random numbers start from seed {match[1]}: every run draws the same ones."]
    if names := assigned(text):
        return [f"Assigned {listed(sorted(names))}."]
    where = f"Line {moment.line}" if moment.line is not None else "The statement"
    return [f"{where} ran; no variable changed."]


def describe(tensor: TensorState) -> str:
    """ "w = 1.5, a leaf that requires grad"; "x (5×1)"; "y = [1, −2]"."""
    about = ", a leaf that requires grad" if tensor.requires_grad and tensor.is_leaf else ""
    value = tensor.value
    if value.size == 1:
        return f"{tensor.name} = {number(value.reshape(()))}{about}"
    if value.ndim == 1 and value.size <= 4:
        return f"{tensor.name} = [{', '.join(number(entry) for entry in value)}]{about}"
    return f"{tensor.name} ({shape(value)}){about}"


def _went(tensor: TensorState, before: TensorState | None) -> str:
    """ "w went from 2 to 1.87" for a leaf that was changed in place; else what the tensor is."""
    if (
        before is None
        or before.shape != tensor.shape
        or tensor.version == 0
        or not tensor.is_leaf
        or tensor.value.size != 1
        or tensor.version == before.version
    ):
        return describe(tensor)
    return f"{tensor.name} went from {number(before.value.reshape(()))} to {number(tensor.value.reshape(()))}"


def _grad_went(tensor: TensorState, before: TensorState) -> str:
    """ "w.grad is 0 now: it was 13"."""

    def say(grad: Array | None) -> str:
        if grad is None:
            return "None"
        value = only(grad)
        return number(value) if value is not None else f"a gradient of norm {number(norm(grad))}"

    return f"{tensor.name}.grad is {say(tensor.grad)} now (it was {say(before.grad)})"


def _variable(variable: Variable) -> str:
    """ "n = 40"; floats as the page writes numbers."""
    if variable.type == "float":
        return f"{variable.name} = {number(variable.text)}"
    return f"{variable.name} = {variable.text}"


@lru_cache(maxsize=256)
def assigned(statement: str) -> frozenset[str]:
    """The names that a statement binds; of one that a loop repeats they are read once."""
    try:
        tree = ast.parse(statement.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return frozenset()
    return frozenset(
        part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )


def _loop_targets(script: Script | None) -> set[str]:
    loop = script.loop if script is not None else None
    if not isinstance(loop, ast.For):
        return set()
    return {part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)}


def first_sentence(text: str) -> str:
    return _short(text.strip().split("\n")[0].split(". ")[0].rstrip("."), 160) + "."


def _short(text: str, most: int = 100) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
