"""Which parts of a graph are open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.drawing.grouping import Group, Member, Parts, nodes_in
from app.drawing.view import View

FEW = (14, 9)
"""Up to so many boxes are shown in any case (the outermost parts, those further in): then the picture scrolls."""
MANY = 40
"""More boxes than these are not tried: they would not fit."""


@dataclass(frozen=True)
class Opened:
    """`open` are the ids of the open parts that can be seen, `closed` the closed parts that can be seen, `box_of` says
    for every node which box stands for it: its own id or that of a closed part."""

    members: tuple[Member, ...]
    open: frozenset[str]
    closed: tuple[Group, ...]
    box_of: dict[str, str]


def open_parts(parts: Parts, default: frozenset[str], view: View, focus: str | None) -> Opened:
    """Open what the viewer opened, else what is open by `default`, and in any case whatever the node `focus` is in."""
    held_open = {part.id for part in parts.paths.get(focus, ())} if focus else set()
    return _open(parts.members, lambda part: part.id in held_open or view.is_open(part.id, part.id in default))


def open_by_default(parts: Parts, fits: Callable[[Opened, bool], bool]) -> frozenset[str]:
    """Level by level, as long as the picture fits; repeated blocks stay closed. `fits` is asked of the parts that would
    be open, and whether others are open already."""
    best: frozenset[str] = frozenset()
    level = [member for member in parts.members if isinstance(member, Group) and member.kind != "repeat"]
    count = len(parts.members)
    while level:
        more = best | {part.id for part in level}
        count += sum(len(part.members) - 1 for part in level)
        few = FEW[bool(best)]
        if count > MANY or (count > few and not fits(_open(parts.members, _is_among(more)), bool(best))):
            break
        best = more
        level = [
            member for part in level for member in part.members if isinstance(member, Group) and member.kind != "repeat"
        ]
    return best


def _is_among(ids: frozenset[str]) -> Callable[[Group], bool]:
    return lambda part: part.id in ids


def walk(members: Sequence[Member], is_open: Callable[[Group], bool]) -> Iterator[tuple[Member, bool]]:
    """What is drawn, from outside to inside: each node or part with whether it is an open part, before its members."""
    for member in members:
        if isinstance(member, str) or not is_open(member):
            yield member, False
        else:
            yield member, True
            yield from walk(member.members, is_open)


def _open(members: tuple[Member, ...], is_open: Callable[[Group], bool]) -> Opened:
    opened: set[str] = set()
    closed: list[Group] = []
    box_of: dict[str, str] = {}

    for member, is_opened in walk(members, is_open):
        if isinstance(member, str):
            box_of[member] = member
        elif is_opened:
            opened.add(member.id)
        else:
            closed.append(member)
            box_of.update(dict.fromkeys(nodes_in(member), member.id))
    return Opened(members, frozenset(opened), tuple(closed), box_of)
