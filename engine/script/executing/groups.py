"""`except*`: which part of an exception group each clause takes, and what is raised of the rest."""

from __future__ import annotations

from typing import Any

from engine.script.executing.chained import context, hang
from engine.script.executing.unwinding import matches
from engine.script.frames import current
from engine.script.limits import exceeded

MOST = 100_000  # exceptions in one group, each as often as it is met


def check_size(error: BaseException) -> None:
    """Raise LimitExceeded for a group that nobody could go through: groups may hold one another many times over."""
    sizes: dict[int, int] = {}
    waiting = [error]
    while waiting:
        each = waiting[-1]
        inner = each.exceptions if isinstance(each, BaseExceptionGroup) else ()
        unknown = [one for one in inner if id(one) not in sizes]
        if unknown:
            waiting.extend(unknown)
            continue
        sizes[id(waiting.pop())] = size = 1 + sum(sizes[id(one)] for one in inner)
        if size > MOST:
            exceeded("container_items", MOST, "an exception group of so many exceptions")
        current.machine.count(1 + len(inner))


class Parts:
    """An exception on its way through the clauses of a `try ... except*`."""

    __slots__ = ("again", "error", "raised", "rest", "taken")

    def __init__(self, error: BaseException) -> None:
        check_size(error)
        self.error = error
        self.rest: BaseException | None = error
        self.taken: BaseException | None = None  # the part of the clause that runs now
        self.again: list[BaseException] = []  # parts that their clauses raised again
        self.raised: list[BaseException] = []  # what clauses raised instead

    def match(self, clause: Any) -> BaseException | None:
        """The part that `except* clause` takes, as a group."""
        self.taken = self._match(clause)
        return self.taken

    def _match(self, clause: Any) -> BaseException | None:
        kinds = clause if isinstance(clause, tuple) else (clause,)
        if any(isinstance(kind, type) and issubclass(kind, BaseExceptionGroup) for kind in kinds):
            raise TypeError("catching ExceptionGroup with except* is not allowed. Use except instead.")
        if self.rest is None:
            matches(self.error, clause)  # says that a clause names no class
            return None
        if not isinstance(self.rest, BaseExceptionGroup):
            if not matches(self.rest, clause):
                return None
            found, self.rest = self.rest, None
            return _like(self.error, BaseExceptionGroup("", (found,)))
        matches(self.error, clause)
        taken, self.rest = BaseExceptionGroup.split(self.rest, clause)
        return None if taken is None else _like(self.error, taken)

    def leaves(self, error: BaseException) -> None:
        """The clause that runs now ends with `error`."""
        if error is self.taken:
            self.again.append(error)
        else:
            self.raised.append(error)

    def left(self) -> BaseException | None:
        """What is raised after the clauses."""
        if not isinstance(self.error, BaseExceptionGroup):
            return self.raised[0] if self.raised else self.again[0] if self.again else self.rest
        kept = [*self.again, *([self.rest] if self.rest is not None else [])]
        remaining = None
        if kept:
            wanted = {id(leaf) for part in kept for leaf in _leaves(part)}
            remaining = self.error if len(wanted) == len(_leaves(self.error)) else _only(self.error, wanted)
        if not self.raised:
            return None if remaining is None else _like(self.error, remaining)
        made = BaseExceptionGroup("", [*self.raised, *([remaining] if remaining is not None else [])])
        hang(made, context(self.error))
        return made


def _like(error: BaseException, part: Any) -> Any:
    """`part` of `error`, which came about where that did."""
    if part is not error:
        for name in ("_script_where", "_script_calls", "_script_raised"):
            if name in error.__dict__:
                part.__dict__[name] = error.__dict__[name]
        hang(part, context(error))
    return part


def _leaves(error: BaseException) -> list[BaseException]:
    """The exceptions in a group that are no groups."""
    found, pending = [], [error]
    while pending:
        each = pending.pop()
        if isinstance(each, BaseExceptionGroup):
            pending.extend(each.exceptions)
        else:
            found.append(each)
    return found


def _only(group: BaseExceptionGroup, wanted: set[int]) -> Any:
    return group.subgroup(lambda each: id(each) in wanted)
