"""A DataLoader's workers. There are no processes: what a worker fetches is fetched here, with its own streams of random
numbers, its own copy of the dataset and what get_worker_info() says in it."""

from __future__ import annotations

import copyreg
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine import random
from engine.data.datasets import Dataset

Stream = tuple[str, Callable[[], Any], Callable[[Any], Any], Callable[[Any], Any]]
"""The name of a stream beside PyTorch's ("random", "numpy.random"); what gives its state, sets it, seeds it."""


def _of_libraries() -> list[Stream]:
    """Python's and NumPy's own, where somebody has imported them."""
    found: list[Stream] = []
    if (python := sys.modules.get("random")) is not None:
        found.append(("random", python.getstate, python.setstate, python.seed))
    if (numpy := sys.modules.get("numpy.random")) is not None:
        found.append(("numpy.random", numpy.get_state, numpy.set_state, numpy.seed))
    return found


STREAMS: list[Callable[[], list[Stream]]] = [_of_libraries]
"""What lists the streams beside PyTorch's that a worker has of its own; scripts add theirs."""


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker knows of itself."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_at_work: list[WorkerInfo] = []


def get_worker_info() -> WorkerInfo | None:
    """Which worker fetches now; None outside of workers."""
    return _at_work[-1] if _at_work else None


class Worker:
    """One of `count` workers, seeded as PyTorch seeds it: with `base` and its number."""

    def __init__(self, number: int, count: int, base: int, dataset: Any) -> None:
        self.dataset = _copied(dataset)
        self._info = WorkerInfo(number, count, base + number, self.dataset)
        self._base = base
        self._stream = random.Generator().manual_seed(base + number)
        self._states: dict[tuple[int, str], Any] = {}  # of the streams beside PyTorch's, by their list and name

    def do(self, function: Callable[..., Any], *given: Any) -> Any:
        """What `function(*given)` gives in this worker: it draws from the worker's streams."""
        own = random.default_generator
        beside = [(place, stream) for place, listed in enumerate(STREAMS) for stream in listed()]
        before = [get() for _, (_, get, _, _) in beside]
        self._swap(own)
        for place, (name, _, put, seed) in beside:
            if (place, name) in self._states:
                put(self._states[place, name])
            else:
                seed(self._seed_of(name))
        _at_work.append(self._info)
        try:
            return function(*given)
        finally:
            _at_work.pop()
            self._swap(own)
            for (place, (name, get, put, _)), state in zip(beside, before, strict=True):
                self._states[place, name] = get()
                put(state)

    def _swap(self, own: random.Generator) -> None:
        self._stream.__dict__, own.__dict__ = own.__dict__, self._stream.__dict__

    def _seed_of(self, name: str) -> Any:
        """Python's stream starts from the worker's seed; NumPy's from a mixture of it, so that they differ."""
        if name == "random":
            return self._info.seed
        words = [self._info.id, self._base & 0xFFFFFFFF, self._base >> 32, 0]
        return np.random.SeedSequence(words).generate_state(4)


def _copied(dataset: Any) -> Any:
    """The dataset as a new process has it: what a worker assigns to it stays in the worker. What is no plain object of
    a class over Dataset is itself."""
    kind = type(dataset)
    if not isinstance(dataset, Dataset) or copyreg._slotnames(kind):  # type: ignore[attr-defined]
        return dataset
    try:
        made = object.__new__(kind)
    except TypeError:  # its class extends a list, say
        return dataset
    object.__getattribute__(made, "__dict__").update(object.__getattribute__(dataset, "__dict__"))
    return made
