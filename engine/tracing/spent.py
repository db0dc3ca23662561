"""Where a backward came to a part of the graph that an earlier one had used up: what led there, when that was computed,
and what has happened to it since. Told from the records of operations, however long ago they were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from engine.tracing.moments import Moment, Offer, Summary
from engine.tracing.records import Operation

if TYPE_CHECKING:
    from engine.tracing.explain import Facts
    from engine.tracing.recorder import Recorder


@dataclass(frozen=True, slots=True)
class Spent:
    """`name` is the tensor that led to the part (empty: it has no name), `made` the moment that computed it, `used` the
    one in which something new was computed from it (None: nothing, the very same graph was walked again). `since` is
    the backward that freed the part, or the step that changed what it had saved."""

    name: str
    made: Summary
    used: int | None
    since: Summary


def spent(recorder: Recorder, marks: Sequence[Summary], message: str) -> Spent | None:
    """What the backward that has just failed with `message`, after the moments `marks`, came to; None when that cannot
    be told, or it failed for another reason."""
    now, root = len(marks), recorder.last_root
    if root is None:
        return None
    if message.startswith("Trying to backward through the graph a second time"):
        for operation, users in _walk(root):
            since = operation.freed_in
            if operation.freed and since is not None and 0 < since < now:
                return _at(operation, users, marks[since], marks)
    elif "modified by an inplace operation" in message:
        begun = next((mark.number for mark in reversed(marks) if mark.iteration != marks[-1].iteration), 0)
        for operation, users in _walk(root):
            if 0 < operation.moment <= begun:
                later = marks[operation.moment + 1 :]
                step = next((mark for mark in later if mark.do == "step" and not mark.failed), None)
                return None if step is None else _at(operation, users, step, marks)
    return None


def _at(operation: Operation, users: dict[int, Operation], since: Summary, marks: Sequence[Summary]) -> Spent:
    user = users.get(id(operation))
    while user is not None and user.moment <= since.number:
        operation, user = user, users.get(id(user))
    return Spent(operation.name, marks[operation.moment], None if user is None else user.moment, since)


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
    made, since, name = spent.made, spent.since, spent.name
    when = f" of iteration {made.iteration}" if made.iteration and made.iteration != moment.iteration else ""
    what = f"{name}{when} ({place(made).removeprefix('at ')})" if name else f"what was computed{when} {place(made)}"
    freed = since.do != "step"
    how = (
        f"the backward() {place(since)} freed that part of the graph"
        if freed
        else (f"the step() {place(since)} has changed what that part of the graph saved")
    )
    root = facts.script.root if facts.script is not None else None
    if made.iteration == moment.iteration:
        advice = f"Give the first of the two {name or 'it'}.detach(), or call its backward(retain_graph=True)."
        return f"it comes to {what} again, and {how}", advice, ()
    if not made.iteration:
        advice = f"Compute {name or 'it'} inside of the loop, so that every iteration records a graph of its own."
    elif name and name == root:
        advice = f"Call backward() on what this iteration adds, and keep a sum of numbers in {name}, with .item()."
    elif name.isidentifier():
        advice = f"Cut it off where an iteration begins: {name} = {name}.detach()."
    else:
        advice = "Cut it off where an iteration begins, with detach()."
    return f"it still depends on {what}, and {how}", advice, _cut(spent, moment, facts)


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
