"""Where presses lead: the states of a recorded run, and which view shows each of its moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class State:
    """A run as far as some presses led it. `looks` maps a moment to its views: of the whole statement, then with 0, 1,
    ... of its events done; moments follow each other. `presses` maps a phase's id, or another name, to the state that
    it leads to; `last` is the number of the last moment, `parent` the state before the press."""

    parent: int | None
    last: int
    looks: dict[int, list[int]] = field(default_factory=dict)
    presses: dict[str, int] = field(default_factory=dict)


def packed_states(states: Sequence[State]) -> dict[str, Any]:
    """What `unpack_states` takes: `names` of presses, and `rows`, each of a state: how far back its parent is (0: it
    has none), how many moments it has more, pairs of a name and how far on the state is that it leads to, how far
    before the last one its first seen moment is, and for each moment its views, each told as the difference to the one
    told before."""
    names: dict[str, int] = {}
    rows: list[Any] = []
    told = 0
    for number, state in enumerate(states):
        back = 0 if state.parent is None else number - state.parent
        more = state.last - (0 if state.parent is None else states[state.parent].last)
        presses: list[int] = []
        for name, child in state.presses.items():
            presses += (names.setdefault(name, len(names)), child - number)
        seen: list[list[int]] = []
        for views in state.looks.values():
            seen.append([view - before for before, view in zip([told, *views], views, strict=False)])
            told = views[-1]
        rows.append((back, more, presses, state.last - min(state.looks, default=state.last), seen))
    return {"names": list(names), "rows": rows}


def unpack_states(packed: dict[str, Any]) -> list[State]:
    """The states again: what the page's script does, for tests."""
    states: list[State] = []
    told = 0
    for number, (back, more, presses, before, seen) in enumerate(packed["rows"]):
        last = more + (states[number - back].last if back else 0)
        state = State(number - back if back else None, last)
        for name, further in zip(presses[::2], presses[1::2], strict=True):
            state.presses[packed["names"][name]] = number + further
        for moment, differences in enumerate(seen, start=last - before):
            views = state.looks.setdefault(moment, [])
            for difference in differences:
                views.append(told := told + difference)
        states.append(state)
    return states
