from __future__ import annotations

import gc
from types import FunctionType

import numpy as np
import pytest

from engine.run import Command, Run
from engine.run.shelf import ARRAY, PART, Shelf, arrays_of, parts_of
from tests.engine.run.programs import SOURCES


def test_memory_is_bounded_and_the_past_is_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Run(SOURCES["linear-regression"])
    whole.execute(Command("run", times=6))
    monkeypatch.setattr(Shelf.__init__, "__defaults__", (60_000,))
    small = Run(SOURCES["linear-regression"])
    small.execute(Command("run", times=6))
    assert small.last == whole.last
    assert small.digest() == whole.digest()
    assert small._session.shelf.get(3) is None
    assert small._session.shelf.get(small.last) is not None
    for number in (3, 4, small.last - 1, 12, 0):
        assert small.moment(number).explanation == whole.moment(number).explanation
        assert [t.value.tolist() for t in small.moment(number).tensors] == [
            t.value.tolist() for t in whole.moment(number).tensors
        ]
    with pytest.raises(IndexError):
        small.moment(small.last + 1)
    with pytest.raises(IndexError):
        small.moment(-1)


def test_the_shelf_counts_what_it_holds() -> None:
    run = Run(SOURCES["two-moons"])
    run.execute(Command("run", times=4))
    budget = 250_000
    kept = Shelf(budget)
    for number in range(run.last + 1):
        kept.add(run.moment(number))
        there = [m for n in range(number + 1) if (m := kept.get(n)) is not None]
        held = {id(a): a.nbytes + ARRAY for m in there for a in arrays_of(m)}
        assert kept._bytes == sum(held.values()) + sum(PART * parts_of(m) for m in there)
        assert kept._bytes <= budget or len(there) == 1
        assert kept.last is run.moment(number)
    assert len(kept) == run.last + 1
    assert kept.get(0) is None


def test_moments_keep_no_tensor_and_no_node_alive() -> None:
    from engine.autograd.graph import Node
    from engine.tensor import Tensor

    run = Run(SOURCES["two-moons"])
    run.execute(Command("run", times=3))
    moments = [run.moment(n) for n in range(run.last + 1)]
    seen: set[int] = set()
    pending: list[object] = list(moments)
    while pending:
        thing = pending.pop()
        if id(thing) in seen or isinstance(thing, type):
            continue
        seen.add(id(thing))
        assert not isinstance(thing, (Tensor, Node))
        if isinstance(thing, FunctionType):
            pending.extend(thing.__closure__ or ())  # what is to be made later holds what it needs, not the program
        elif not isinstance(thing, np.ndarray):
            pending.extend(gc.get_referents(thing))
