"""A large graph in parts that can be closed: the modules that computed it, repeated blocks, lines of the script, what
is added to a loss for the size of its parameters.

The parts form a tree over the operations in their order of computation. A part is always a run of neighbours in that
order, so that drawing it as one box never makes a circle.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, TypeVar

from engine.tracing.moments import GraphEdge, GraphNode, ModuleCall

LONGEST_BLOCK = 24
"""Operations of the longest repeated block that is looked for."""
LEAST_REPEATS = 3
LEAST_BARE = 8
"""Repeated operations that stand in no module are drawn as one from this many on."""
MANY_BARE = 12
"""From more operations than this in one place, those of one line of the script become a part."""
MANY_LEAVES = 6
"""More named leaves than these that one part uses alone stand inside of it: one above the other they would not fit."""
MANY_OUTSIDE = 24
"""Where there would be more boxes than these outside of all parts, each parameter that one part uses alone stands in
it."""
LEAST_PENALTY = 4
"""Operations of the smallest penalty that is a part of its own, where at least LEAST_BARE stand in no module."""
MOST_MEMBERS = 25
"""A longer repetition is cut into parts of at most this many blocks."""


class Fact(NamedTuple):
    """What grouping has to know of a node: the same from one iteration to the next."""

    id: str
    kind: str
    name: str
    operation: str
    line: int | None
    shape: tuple[int, ...]
    requires_grad: bool
    calls: tuple[ModuleCall, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the graph. `kind`: a "module"'s call, the operations of a "line", those of a "penalty" on parameters
    that others use too, a repeated "block", or a "repeat" of `count` of them. `name` is the module's (of a repeat: what
    its modules' names begin with), `label` what the part is called, `members` are ids of nodes and groups, leaves first
    and then in order of computation."""

    id: str
    kind: Literal["module", "line", "penalty", "block", "repeat"]
    name: str
    label: str
    type: str
    line: int | None
    count: int
    members: tuple[Member, ...]


Member = str | Group
One = TypeVar("One")


@dataclass(frozen=True, eq=False)
class Parts:
    """A graph in parts. The same graph gives the same object, which can stand for it in a cache."""

    members: tuple[Member, ...]
    paths: dict[str, tuple[Group, ...]]


def group(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> Parts:
    """The parts of a graph whose `nodes` stand in topological order."""
    facts = tuple(
        Fact(node.id, node.kind, node.name or "", node.operation, node.line, node.shape, node.requires_grad, node.calls)
        for node in nodes
    )
    return _group(facts, tuple((edge.source, edge.target) for edge in edges))


@lru_cache(maxsize=64)
def _group(facts: tuple[Fact, ...], edges: tuple[tuple[str, str], ...]) -> Parts:
    grouper = _Grouper(facts, edges)
    members = grouper.with_leaves(grouper.divide([fact for fact in facts if fact.kind != "leaf"], 0))
    return Parts(members, paths_in(members))


def nodes_in(member: Member) -> Iterator[str]:
    """Ids of all nodes in a part."""
    if isinstance(member, str):
        yield member
    else:
        for one in member.members:
            yield from nodes_in(one)


def groups_in(members: Sequence[Member]) -> Iterator[Group]:
    """All parts, each before those inside it."""
    for member in members:
        if isinstance(member, Group):
            yield member
            yield from groups_in(member.members)


def paths_in(members: Sequence[Member]) -> dict[str, tuple[Group, ...]]:
    """For every node the parts that hold it, from the outermost in."""
    paths: dict[str, tuple[Group, ...]] = {}
    stack: list[tuple[Sequence[Member], tuple[Group, ...]]] = [(members, ())]
    while stack:
        some, path = stack.pop()
        for member in some:
            if isinstance(member, str):
                paths[member] = path
            else:
                stack.append((member.members, (*path, member)))
    return paths


class _Grouper:
    def __init__(self, facts: Sequence[Fact], edges: Sequence[tuple[str, str]]) -> None:
        self.facts = {fact.id: fact for fact in facts}
        self.leaves = [fact for fact in facts if fact.kind == "leaf"]
        self.users: dict[str, list[str]] = {}
        self.inputs: dict[str, list[str]] = {}
        for source, target in edges:
            self.users.setdefault(source, []).append(target)
            self.inputs.setdefault(target, []).append(source)
        self.taken: set[str] = set()
        self.penalties: set[str] = set()
        self.signs: dict[object, int] = {}

    def divide(self, operations: Sequence[Fact], depth: int) -> tuple[Member, ...]:
        """The parts of operations that share their first `depth` module calls."""
        members: list[Member] = []
        for call, run in groupby(operations, lambda one: one.calls[depth] if len(one.calls) > depth else None):
            own = list(run)
            if call is None:
                members += [one.id for one in own]
            elif len(own) == 1 and not self._has_parameters(own[0], call):
                members.append(own[0].id)
            else:
                inside = self.divide(own, depth + 1)
                id = self._unused(f"{call.module or call.type}@{call.first}")
                label = call.module or call.type
                members.append(Group(id, "module", call.module, label, call.type, own[0].line, 1, inside))
        bare = sum(isinstance(member, str) for member in members)
        parted = self._penalties(members, depth) if bare >= LEAST_BARE else members
        several = len({self._line(member) for member in members} - {None}) > 1
        if (bare > MANY_BARE and several) or len(parted) < len(members):
            parted = self._lines(parted, depth)
        return self._repeats(parted, depth)

    def _has_parameters(self, operation: Fact, call: ModuleCall) -> bool:
        return bool(call.module) and any(
            self.facts[id].name.startswith(call.module + ".")
            for id in self.inputs.get(operation.id, ())
            if self.facts[id].kind == "leaf"
        )

    def _unused(self, id: str) -> str:
        number, free = 2, id
        while free in self.taken:
            free, number = f"{id}~{number}", number + 1
        self.taken.add(free)
        return free

    # ------------------------------------------------------------------ penalties

    def _penalties(self, members: list[Member], depth: int) -> list[Member]:
        """Operations in a row that compute something of parameters alone which others compute with too: their lines
        from one end of the picture to the other are what makes it wide."""
        found: list[Member] = []
        run: list[str] = []
        for member in [*members, None]:
            if isinstance(member, str) and self._of_parameters(member, run):
                run.append(member)
                continue
            named = [place for place, id in enumerate(run, start=1) if self.facts[id].name]
            rest = run[named[-1] :] if named else []  # what a variable names is what the part shows
            run = run[: len(run) - len(rest)]
            if self._is_penalty(run):
                self.penalties.update(run)
                id = self._unused(f"penalty@{run[0]}")
                line = self.facts[run[0]].line
                found.append(Group(id, "penalty", "", "penalty", "", line, 1, self._repeats(run, depth)))
            else:
                found += run
            found += rest if member is None else [*rest, member]
            run = []
        return found

    def _of_parameters(self, id: str, known: Sequence[str]) -> bool:
        """Whether an operation has no inputs but parameters and what is `known` to be made of them."""
        inputs = self.inputs.get(id, ())
        return (
            self.facts[id].kind == "op"
            and bool(inputs)
            and all(
                one in known or (self.facts[one].kind == "leaf" and self.facts[one].requires_grad) for one in inputs
            )
        )

    def _is_penalty(self, run: Sequence[str]) -> bool:
        if len(run) < LEAST_PENALTY:
            return False
        leaves = {one for id in run for one in self.inputs[id] if self.facts[one].kind == "leaf"}
        return all(set(self.users[leaf]) - set(run) for leaf in leaves)

    # ------------------------------------------------------------------ lines

    def _lines(self, members: list[Member], depth: int) -> list[Member]:
        """Many operations without a module, or a penalty among them: those that one line of the script computed,
        together. What backward() starts from stays outside."""
        found: list[Member] = []
        for line, run in groupby(members, self._line):
            own = list(run)
            if line is None or len(own) < 2:
                found += own
                continue
            inside = self._repeats(own, depth)
            if len(inside) == 1:
                found += inside
            else:
                id = self._unused(f"line{line}@{own[0]}")
                found.append(Group(id, "line", "", f"line {line}", "", line, 1, inside))
        return found

    def _line(self, member: Member) -> int | None:
        if isinstance(member, str) and self.facts[member].kind == "op":
            return self.facts[member].line
        return None

    # ------------------------------------------------------------------ repeats

    def _repeats(self, members: Sequence[Member], depth: int) -> tuple[Member, ...]:
        """Three or more equal blocks in a row become one part."""
        signs = [self._sign(member) for member in members]
        found: list[Member] = []
        place = 0
        while place < len(members):
            size, count = _longest_repeat(signs, place)
            blocks = [members[place + n * size : place + (n + 1) * size] for n in range(count)]
            bare = all(isinstance(member, str) for member in blocks[0])
            if count < LEAST_REPEATS or (bare and count * size < LEAST_BARE):
                found.append(members[place])
                place += 1
                continue
            found.append(self._repeat([self._block(block, depth) for block in blocks]))
            place += size * count
        return tuple(found)

    def _sign(self, member: Member) -> int:
        """A number that two parts share when they do the same."""
        if isinstance(member, str):
            fact = self.facts[member]
            content: object = (fact.kind, fact.operation, fact.shape)
        else:
            content = (member.kind, member.type, member.count, *(self._sign(one) for one in member.members))
        return self.signs.setdefault(content, len(self.signs))

    def _block(self, members: Sequence[Member], depth: int) -> Group:
        """Neighbours that are repeated, called after their modules, or after their lines."""
        first = members[0]
        if len(members) == 1 and isinstance(first, Group):
            return first
        node = next(nodes_in(first))
        lines = [line for member in members for id in nodes_in(member) if (line := self.facts[id].line) is not None]
        calls = [call for member in members if (call := self._called(member, depth))]
        label = _span("line", min(lines), max(lines)) if lines else "block"
        label = _together([name for name, _ in calls]) or label
        type = " → ".join(type for _, type in calls)
        line = min(lines, default=None)
        return Group(self._unused(f"block@{node}"), "block", "", label, type, line, 1, tuple(members))

    def _called(self, member: Member, depth: int) -> tuple[str, str] | None:
        """The module that computed a member, and its class; None where none is called here."""
        if isinstance(member, Group):
            return (member.label, member.type) if member.kind in ("module", "repeat") and member.type else None
        calls = self.facts[member].calls
        return (calls[depth].module, calls[depth].type) if len(calls) > depth and calls[depth].module else None

    def _repeat(self, blocks: Sequence[Group]) -> Group:
        """Blocks in a row as one part; very many of them in parts of parts."""
        first, last = blocks[0], blocks[-1]
        name, label = _shared_name([block.name for block in blocks])
        label = label or (_through(first.label, last.label) if first.type else first.label)
        id = self._unused(f"{name or first.label}…@{next(nodes_in(first))}")
        whole = Group(id, "repeat", name, label, first.type, first.line, len(blocks), tuple(blocks))
        pieces: list[Group] = list(blocks)
        if len(blocks) > MOST_MEMBERS:
            size = math.ceil(len(blocks) / math.ceil(len(blocks) / MOST_MEMBERS))
            size = max(size, math.ceil(len(blocks) / MOST_MEMBERS))
            pieces = []
            for start in range(0, len(blocks), size):
                some = blocks[start : start + size]
                piece = self._repeat(some)
                pieces.append(replace(piece, label=f"{whole.label} · {start + 1}–{start + len(some)}"))
        return replace(whole, members=tuple(pieces), type=first.type if last.type == first.type else "")

    # ------------------------------------------------------------------ leaves

    def with_leaves(self, members: tuple[Member, ...]) -> tuple[Member, ...]:
        """A leaf stands inside the innermost part that holds all its users but penalties, if it is that module's own,
        has no name, or is one of many there (a parameter: or in all); else outside, where it can be seen."""
        paths = paths_in(members)
        shared = {leaf.id: self._holding(leaf, paths) for leaf in self.leaves}
        own = {
            leaf.id: next((one for one in reversed(shared[leaf.id]) if _owns(one, leaf)), None) for leaf in self.leaves
        }
        others = Counter(shared[id][0].id for id, home in own.items() if home is None and shared[id])
        crowded = len(members) + sum(home is None for home in own.values()) > MANY_OUTSIDE
        homes: dict[str, list[str]] = {}
        outside: list[str] = []
        for id, home in own.items():
            many = shared[id] and others[shared[id][0].id] > MANY_LEAVES
            if home is None and (many or (shared[id] and crowded and self.facts[id].requires_grad)):
                home = shared[id][-1]
            if home is None:
                outside.append(id)
            else:
                homes.setdefault(home.id, []).append(id)
        return (*outside, *(_settled(member, homes) for member in members))

    def _holding(self, leaf: Fact, paths: dict[str, tuple[Group, ...]]) -> list[Group]:
        """The parts that hold all users of a leaf but penalties, from the outermost in."""
        users = self.users.get(leaf.id, ())
        return _shared([paths[user] for user in users if user in paths and user not in self.penalties])


def _owns(part: Group, leaf: Fact) -> bool:
    return not leaf.name or bool(part.name and leaf.name.startswith(part.name + "."))


def _settled(member: Member, homes: dict[str, list[str]]) -> Member:
    """A part with its leaves in it; a module whose only operation has its parameters elsewhere is no part."""
    if isinstance(member, str):
        return member
    members = (*homes.get(member.id, ()), *(_settled(one, homes) for one in member.members))
    return members[0] if len(members) == 1 else replace(member, members=members)


def _shared(ways: Sequence[Sequence[One]]) -> list[One]:
    """What sequences have in common at their beginning."""
    shared = []
    for ones in zip(*ways, strict=False):
        if any(one is not ones[0] and one != ones[0] for one in ones):
            break
        shared.append(ones[0])
    return shared


def _longest_repeat(signs: Sequence[int], place: int) -> tuple[int, int]:
    """(size of the block, how often) of the repetition from `place` on that covers most; (1, 1) without one."""
    best = (1, 1)
    for size in range(1, min(LONGEST_BLOCK, (len(signs) - place) // LEAST_REPEATS) + 1):
        count = 1
        while signs[place : place + size] == signs[place + count * size : place + (count + 1) * size]:
            count += 1
        if count >= LEAST_REPEATS and size * count > best[0] * best[1]:
            best = (size, count)
    return best


def _shared_name(names: Sequence[str]) -> tuple[str, str]:
    """What modules in a row share of their dotted names, and how they are called together: "model.blocks" and
    "model.blocks.0–11"."""
    if not all(names):
        return "", ""
    if len(set(names)) == 1:
        return names[0], names[0]
    first, last = names[0].split("."), names[-1].split(".")
    shared = _shared([name.split(".") for name in names])
    base = ".".join(shared)
    ends = f"{'.'.join(first[len(shared) :])}–{'.'.join(last[len(shared) :])}"
    return base, f"{base}.{ends}" if base else ends


def _together(names: Sequence[str]) -> str:
    """What modules that follow each other are called: "model.0–1", "model.layers.0 + act"."""
    if not names:
        return ""
    parents = {name.rpartition(".")[0] for name in names}
    ends = [name.rpartition(".")[2] for name in names]
    if len(names) > 1 and len(parents) == 1 and all(end.isdigit() for end in ends):
        return f"{names[0]}–{ends[-1]}"
    base = ".".join(_shared([name.split(".")[:-1] for name in names]))
    own = [name.removeprefix(f"{base}.") for name in names]
    return (f"{base}." if base else "") + " + ".join(dict.fromkeys(own))


def _through(first: str, last: str) -> str:
    """What the first block and the last are called together: "model.0–1" and "model.4–5" are "model.0–5"."""
    pieces = []
    for one, other in zip(first.split(" + "), last.split(" + "), strict=False):
        before, after = re.split(r"(?<=\d)–(?=\d)", one)[0], re.split(r"(?<=\d)–(?=\d)", other)
        end = after[-1] if len(after) > 1 else _differs(before, other)
        pieces.append(f"{before}–{end}" if end else one)
    return " + ".join(pieces)


def _differs(one: str, other: str) -> str:
    """From the first of the dotted parts on in which `other` is another; "" when it is none."""
    mine, theirs = one.split("."), other.split(".")
    return ".".join(theirs[len(_shared([mine, theirs])) :])


def _span(word: str, first: int, last: int) -> str:
    return f"{word} {first}" if first == last else f"{word}s {first}–{last}"
