"""Loops that go through the pieces of a batch before one step, as far as the text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.tracing.diagnosis.reading import Place, Reading, called, names_in

WORDS = ("accum", "micro", "batches")
"""In the header of a loop, or the name of its function: its author speaks of accumulation."""
CUTTERS = ("chunk", "split", "tensor_split")
DRAWERS = ("get_batch", "sample_batch", "next_batch")
CHOICES = ("randint", "randperm")


def pieces(text: Reading, lines: set[int | None]) -> str | None:
    """How many pieces a batch is cut into, as the script says it ("" where it does not), when one of the `lines` stands
    in a loop over such pieces that no step() stands in. None: there is no such loop."""
    for place in text.loops:
        loop = place.node
        inside = range(getattr(loop, "lineno", 0), (getattr(loop, "end_lineno", 0) or 0) + 1)
        if not isinstance(loop, (ast.For, ast.ListComp)) or not any(line in inside for line in lines):
            continue
        if any(loop in step.around for step in text.steps) or _divides(loop) or carries(loop):
            continue
        named = place.function.name.lower() if isinstance(place.function, ast.FunctionDef) else ""
        if not any(word in named for word in WORDS) and not _goes_through_pieces(loop):
            continue
        return _number(loop)
    return None


def _goes_through_pieces(loop: ast.For | ast.ListComp) -> bool:
    """Whether each pass takes another part of the data: a piece of a batch, a slice, what an iterator gives next."""
    over = loop if isinstance(loop, ast.For) else loop.generators[0]
    header = f"{ast.unparse(over.target)} in {ast.unparse(over.iter)}".lower()
    if any(word in header for word in WORDS) or any(called(call) in CUTTERS for call in _calls(over.iter)):
        return True
    targets, chosen = names_in(over.target), set[str]()
    for statement in loop.body if isinstance(loop, ast.For) else [loop.elt]:
        if isinstance(statement, ast.Assign):
            assigned = {target.id for target in statement.targets if isinstance(target, ast.Name)}
            targets |= assigned if names_in(statement.value) & targets else set()
            chosen |= assigned if any(called(call) in CHOICES for call in _calls(statement.value)) else set()
        for part in ast.walk(statement):
            if isinstance(part, ast.Subscript) and _picks(part.slice, targets, chosen):
                return True
            if isinstance(part, ast.Call):
                name = called(part)
                if name in DRAWERS or (name == "next" and not names_in(part) & targets):
                    return True
    return False


def _picks(index: ast.expr, targets: set[str], chosen: set[str]) -> bool:
    """`X[i:i + 16]` with what the loop counts, `X[drawn]`."""
    if isinstance(index, ast.Slice):
        return bool(names_in(index) & targets)
    return isinstance(index, ast.Name) and index.id in chosen


def _number(loop: ast.For | ast.ListComp) -> str:
    call = loop.iter if isinstance(loop, ast.For) else None
    if isinstance(call, ast.Call) and called(call) == "range" and len(call.args) == 1:
        return ast.unparse(call.args[0])
    return ""


def _divides(loop: ast.AST) -> bool:
    """Whether something is divided in the loop: a loss perhaps, in a way of the author's own."""
    return any(isinstance(part, (ast.BinOp, ast.AugAssign)) and isinstance(part.op, ast.Div) for part in ast.walk(loop))


def carries(loop: ast.AST) -> bool:
    """Whether something is handed on from one pass to the next, cut off: pieces of a sequence, not of a batch."""
    return any(called(call) in ("detach", "detach_") for call in _calls(loop))


def every_few(text: Reading, summed: bool = False) -> tuple[ast.If, str] | None:
    """`if (i + 1) % k == 0: optimizer.step()`, `if count == k: ...` or `if i % k: continue` around (or before) a step
    whose backward() stands outside of the `if`: the `if` and `k`. `summed`: around both, so that one backward() goes
    through what several turns have added up."""
    for step in text.steps:
        for around in (*step.around, *_passed_over(step)):
            backs = [back for back in text.backwards if around in back.around or _is_behind(back, around, step)]
            if not isinstance(around, ast.If) or bool(backs) != summed:
                continue
            for part in ast.walk(around.test):
                if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod):
                    return around, ast.unparse(part.right)
            counted = _counted_to(text, around.test)
            if counted is not None:
                return around, counted
    return None


def _passed_over(step: Place) -> list[ast.If]:
    """The `if ...: continue` that stand before a step in its loop."""
    body = getattr(step.loops[-1], "body", []) if step.loops else []
    return [
        statement
        for statement in body
        if isinstance(statement, ast.If)
        and isinstance(statement.body[-1], ast.Continue)
        and statement.lineno < step.line
    ]


def _is_behind(back: Place, around: ast.AST, step: Place) -> bool:
    """Whether a backward stands in the loop of a step, behind an `if ...: continue` that the step stands behind."""
    return around not in step.around and back.loops == step.loops and back.line > getattr(around, "lineno", 0)


def _counted_to(text: Reading, test: ast.expr) -> str | None:
    """`k` in `count == k` or `count >= k`, where the script adds 1 to count, or in `len(losses) == k`."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.GtE))):
        return None
    if isinstance(test.left, ast.Call) and called(test.left) == "len":
        return ast.unparse(test.comparators[0])
    counters = {
        ast.unparse(place.node.target)
        for place in text.sums_up
        if isinstance(place.node, ast.AugAssign)
        and isinstance(place.node.value, ast.Constant)
        and place.node.value.value == 1
    }
    return ast.unparse(test.comparators[0]) if ast.unparse(test.left) in counters else None


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))
