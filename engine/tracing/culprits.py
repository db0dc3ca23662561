"""The statement that made a later one fail: which moment it was, and what it did, in one sentence.

Only the iteration of the failure is searched (and what came before the loop, in the first one), so that the answer is
the same however the run got there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from engine.tracing import events as ev
from engine.tracing.moments import Failure, Moment, TensorState

if TYPE_CHECKING:
    from engine.script.reading.source import Script
    from engine.tracing.explain import Facts

MOST = 500
"""Moments that are looked at."""
_MODIFIED = re.compile(r"inplace operation: \[[\w.]+ \[([\d, ]*)\].* is at version (\d+); expected version (\d+)")
_IN_PLACE = re.compile(r"\.\w*[a-z]_\(|[-+*/]=|\.step\(")
_LEAVING = re.compile(r"\.detach\(\)|\.data\b|\.item\(\)|\.numpy\(\)|\.tolist\(\)|\btorch\.(?:as_)?tensor\(")
_WITHOUT_GRAD = re.compile(r"\b(no_grad|inference_mode|set_grad_enabled\(False\))")


@dataclass(frozen=True, slots=True)
class Culprit:
    """A moment before the failure (None: something that has not happened), and what is to be said of it, as a part
    of a sentence."""

    moment: int | None
    text: str


def culprit(moment: Moment, failure: Failure, facts: Facts) -> Culprit | None:
    """What made `moment` fail; None when the trace does not tell."""
    message = failure.message
    past = list(_past(moment, facts))
    if (found := _MODIFIED.search(message)) is not None:
        shape = tuple(int(size) for size in re.findall(r"\d+", found[1]))
        return _modified(past, shape, int(found[2]), int(found[3]))
    if "does not require grad and does not have a grad_fn" in message:
        return _without_graph(moment, past, facts.script)
    if "'NoneType'" in message and ".grad" in moment.statement:
        return _no_gradient(moment, past, facts)
    if "can't optimize a non-leaf Tensor" in message:
        return _not_a_leaf(moment, past)
    if "returned nan values" in message or "all elements of input should be between 0 and 1" in message:
        return _not_a_number(past)
    return None


def _past(moment: Moment, facts: Facts) -> Iterator[Moment]:
    """The moments before `moment`, newest first."""
    for number in range(moment.number - 1, max(moment.number - MOST, 0), -1):
        earlier = facts.past(number) if facts.past is not None else None
        if earlier is None or (earlier.iteration != moment.iteration and (moment.iteration or 0) > 1):
            return
        yield earlier


def _place(moment: Moment) -> str:
    return f"at line {moment.line}, moment {moment.number}" if moment.line is not None else f"at moment {moment.number}"


def _modified(past: list[Moment], shape: tuple[int, ...], now: int, expected: int) -> Culprit | None:
    for tensor in past[0].tensors if past else ():
        if tensor.version != now or tensor.shape != shape:
            continue
        for later, earlier in pairwise(past):
            before = _named(earlier, tensor.name)
            if before is None:
                break
            if before.version <= expected:
                return Culprit(later.number, f"{tensor.name} was changed in place {_place(later)}: {_said(later)}")
    for earlier in past:  # it has no name any more: the newest statement that changes something in place
        if earlier.error is None and _IN_PLACE.search(earlier.statement):
            return Culprit(earlier.number, f"something was changed in place {_place(earlier)}: {_said(earlier)}")
    return None


def _without_graph(moment: Moment, past: list[Moment], script: Script | None) -> Culprit | None:
    root = re.match(r"\s*(?:\w+ = )?(\w+)\.backward\(", moment.statement)
    names = [root[1]] if root is not None else _loaded(moment.statement)
    first = None
    seen: set[str] = set()
    while names:
        name = names.pop(0)
        made = None if name in seen else _made(past, name)
        seen.add(name)
        if made is None:
            continue
        first = first or (name, made)
        left = _LEAVING.search(made.statement)
        if left is not None:
            return Culprit(made.number, f"{name} left the graph {_place(made)}: {left[0].rstrip('(')}")
        if (context := _context(script, made.line) or _decorator(script, made.statement)) is not None:
            return Culprit(made.number, f"{name} was computed under {context} {_place(made)}")
        tensors = {tensor.name: tensor for tensor in made.tensors}
        for each in _loaded(made.statement):
            if each in tensors and not tensors[each].requires_grad and "float" in tensors[each].dtype:
                names.append(each)
    if first is None:
        return None
    return Culprit(first[1].number, f"{first[0]} was computed {_place(first[1])} from nothing that requires grad")


def _no_gradient(moment: Moment, past: list[Moment], facts: Facts) -> Culprit | None:
    owner = re.search(r"([A-Za-z_][\w.\[\]]*)\.grad\b", moment.statement)
    name = owner[1] if owner is not None else ""
    tensor = _named(moment, name)
    made = _made(past, name)
    if tensor is not None and made is not None and not tensor.requires_grad:
        return Culprit(made.number, f"{name} does not require grad since it was made {_place(made)}")
    if tensor is not None and made is not None and not tensor.is_leaf:
        return Culprit(made.number, f"{name} is not a leaf: it was computed {_place(made)}; retain_grad() keeps .grad")
    for earlier in past:
        for event in earlier.events:
            if isinstance(event, ev.GradientAccumulated) and event.name == name:
                return None
            if not isinstance(event, ev.GradientCleared) or event.after is not None or event.before is None:
                continue
            if tensor is None or event.name == name:
                return Culprit(earlier.number, f"it was cleared {_place(earlier)}: {_said(earlier)}")
    if facts.last_backward is None:
        return Culprit(None, "no backward() has run yet")
    return None


def _not_a_leaf(moment: Moment, past: list[Moment]) -> Culprit | None:
    for name in _loaded(moment.statement):
        tensor, made = _named(moment, name), _made(past, name)
        if tensor is not None and made is not None and not tensor.is_leaf:
            return Culprit(made.number, f"{name} was computed {_place(made)}: {_said(made)}")
    return None


def _not_a_number(past: list[Moment]) -> Culprit | None:
    found = None
    for earlier in past:
        holds = [tensor.name for tensor in earlier.tensors if _is_nan(tensor)]
        if not holds:
            break
        found = Culprit(earlier.number, f"{holds[0]} holds NaN since line {earlier.line}, moment {earlier.number}")
    return found


def _is_nan(tensor: TensorState) -> bool:
    return tensor.value.dtype.kind == "f" and not bool(np.isfinite(tensor.value).all())


def _named(moment: Moment, name: str) -> TensorState | None:
    return next((tensor for tensor in moment.tensors if tensor.name == name), None)


def _made(past: list[Moment], name: str) -> Moment | None:
    """The newest moment whose statement bound `name`."""
    for earlier in past:
        if earlier.error is None and any(
            isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
            for part in _parts(earlier.statement)
        ):
            return earlier
    return None


def _loaded(statement: str) -> list[str]:
    names = [p.id for p in _parts(statement) if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Load)]
    return list(dict.fromkeys(names))


def _parts(statement: str) -> list[ast.AST]:
    text = statement.strip()
    try:
        return list(ast.walk(ast.parse(text + " pass" if text.endswith(":") else text)))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


def _context(script: Script | None, line: int | None) -> str | None:
    """What switches recording off around a line: a `with`, or a decorator of the function."""
    if script is None or line is None:
        return None
    for part in ast.walk(script.tree):
        if not isinstance(part, (ast.With, ast.FunctionDef)) or not part.lineno < line <= (part.end_lineno or 0):
            continue
        if (found := _off(part)) is not None:
            return found
    return None


def _decorator(script: Script | None, statement: str) -> str | None:
    """What switches recording off in a function of the script that a statement calls."""
    calls = [part.func for part in _parts(statement) if isinstance(part, ast.Call)]
    names = {getattr(called, "id", getattr(called, "attr", None)) for called in calls}
    for part in ast.walk(script.tree) if script is not None else ():
        if isinstance(part, ast.FunctionDef) and part.name in names and (found := _off(part)) is not None:
            return f"the {found} of {part.name}()"
    return None


def _off(part: ast.With | ast.FunctionDef) -> str | None:
    around = [item.context_expr for item in part.items] if isinstance(part, ast.With) else part.decorator_list
    for each in around:
        if (found := _WITHOUT_GRAD.search(ast.unparse(each))) is not None:
            return found[1] if found[1].endswith(")") else f"{found[1]}()"
    return None


def _said(moment: Moment) -> str:
    """The statement's first line, short."""
    text = moment.statement.strip().split("\n")[0]
    return text if len(text) <= 60 else text[:59] + "…"
