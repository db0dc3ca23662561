"""Where a backward came to a part of the graph that an earlier one had used up: what led there, when that was computed,
and what has happened to it since. Told from the records of operations, however long ago they were made."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from engine.tracing.moments import Moment, Offer, Summary
from engine.tracing.records import Operation, operation_of

if TYPE_CHECKING:
    from engine.tracing.explain import Facts
    from engine.tracing.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Spent:
    """`name` is the tensor that leads to the part (empty: none), `made` the moment that computed it, at `line` of the
    script, `used` the moment in which something new was computed from it (None: nothing, the very same graph was
    walked again), by an addition if it `adds`. `since` is what freed the part, or changed what it had saved."""

    name: str
    line: int | None
    made: Summary
    used: int | None
    adds: bool
    since: Summary


def spent(recorder: Recorder, marks: Sequence[Summary], message: str) -> Spent | None:
    """What the backward that has just failed with `message`, after the moments `marks`, came to; None when that cannot
    be told, or it failed for another reason."""
    now, root = len(marks), recorder.last_root
    if root is None:
        return None
    if message.startswith("Trying to backward through the graph a second time"):
        for operation, users in _walk(root):
            freed_in = operation.freed_in
            if operation.freed and freed_in is not None and 0 < freed_in < now:
                return _spent(recorder, *_entrance(operation, users, freed_in), marks, marks[freed_in])
    elif "modified by an inplace operation" in message:
        begun = next((mark.number for mark in reversed(marks) if mark.iteration != marks[-1].iteration), 0)
        for operation, users in _walk(root):
            if 0 < operation.moment <= begun:
                later = marks[operation.moment + 1 :]
                step = next((mark for mark in later if mark.do == "step" and not mark.failed), None)
                if step is None:
                    return None
                return _spent(recorder, *_entrance(operation, users, step.number), marks, step)
    return None


def _entrance(operation: Operation, users: dict[int, Operation], since: int) -> tuple[Operation, Operation | None]:
    """What was computed up to moment `since` on the way to `operation`, last, and what used it afterwards."""
    user = users.get(id(operation))
    while user is not None and user.moment <= since:
        operation, user = user, users.get(id(user))
    return operation, user


def _spent(
    recorder: Recorder, operation: Operation, user: Operation | None, marks: Sequence[Summary], since: Summary
) -> Spent:
    held = (name for name, tensor in recorder.names.tensors.items() if operation_of(tensor) is operation)
    used, adds = (None, False) if user is None else (user.moment, user.word == "add")
    return Spent(next(held, operation.name), operation.line, marks[operation.moment], used, adds, since)


def _walk(root: Operation) -> Iterator[tuple[Operation, dict[int, Operation]]]:
    """The operations below `root` in the order of a backward, last computed first, each with what used which (by id())
    on the way to it."""
    users: dict[int, Operation] = {}
    waiting: list[tuple[int, int, Operation]] = [(-root.number, 0, root)]
    met = {id(root)}
    while waiting:
        operation = heappop(waiting)[2]
        yield operation, users
        for _, made_by in operation.inputs():
            if isinstance(made_by, Operation) and id(made_by) not in met:
                met.add(id(made_by))
                users[id(made_by)] = operation
                heappush(waiting, (-made_by.number, len(met), made_by))


def tell(spent: Spent, moment: Moment, facts: Facts) -> tuple[str, str, tuple[Offer, ...]]:
    """(what the backward came to, as a part of a sentence; what to change; the ways on) where something computed anew
    leads to what was spent."""
    made, since = spent.made, spent.since
    name = spent.name or _stored_at(spent.line, facts)
    at = f"line {spent.line}, moment {made.number}" if spent.line is not None else f"moment {made.number}"
    if made.iteration and made.iteration != moment.iteration:
        at = f"iteration {made.iteration}, {at}"
    what = f"{name or 'something'} ({at})"
    how = (
        f"the step() {place(since)} has changed what that part of the graph saved"
        if since.do == "step"
        else f"{freeing(since, facts)} freed that part of the graph"
    )
    root = facts.script.root if facts.script is not None else None
    if made.iteration == moment.iteration:
        advice = f"Give the first of the two {name or 'it'}.detach(), or call its backward(retain_graph=True)."
        return f"it comes to {what} again, and {how}", advice, ()
    if not made.iteration:
        advice = f"Compute {name or 'it'} inside of the loop, so that every iteration records a graph of its own."
    elif name and name == root and spent.adds:
        advice = f"Call backward() on what this iteration adds, and keep a sum of numbers in {name}, with .item()."
    elif re.fullmatch(r"[\w.]+", name):
        advice = f"Cut it off where an iteration begins: {name} = {name}.detach()."
    else:
        advice = "Cut it off where an iteration begins, with detach()."
    return f"it still depends on {what}, and {how}", advice, _cut(spent, moment, facts)


def freeing(since: Summary, facts: Facts) -> str:
    """What freed a graph, and where it stands."""
    text = facts.script.lines[since.line - 1] if facts.script is not None and since.line is not None else ""
    return f"the {'autograd.grad()' if 'autograd.grad(' in text else 'backward()'} {place(since)}"


def _stored_at(line: int | None, facts: Facts) -> str:
    """The attribute that a line of the script stores: `self.h`."""
    for part in ast.walk(facts.script.tree) if facts.script is not None else ():
        if isinstance(part, ast.Assign) and part.lineno == line and isinstance(part.targets[0], ast.Attribute):
            return ast.unparse(part.targets[0])
    return ""


def _cut(spent: Spent, moment: Moment, facts: Facts) -> tuple[Offer, ...]:
    """To go back to where the old part was used and to cut it off there."""
    used, name = spent.used, spent.name
    before = facts.past(used - 1) if used and facts.past is not None else None
    if used is None or before is None or not spent.made.iteration or not name.isidentifier():
        return ()
    if all(tensor.name != name for tensor in before.tensors):
        return ()
    first = {"do": "statement", "statement": f"{name} = {name}.detach()", "at": used - 1}
    again = ({"do": "next"},) if used == moment.number else ({"do": "forward"}, {"do": "backward"})
    return (Offer(f"detach {name}", (first, *again)),) if moment.do == "backward" else ()


def place(mark: Summary) -> str:
    """Where it stands, for a sentence."""
    return f"at line {mark.line}, moment {mark.number}" if mark.line is not None else f"at moment {mark.number}"
