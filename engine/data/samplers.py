"""Samplers: in which order a DataLoader takes the items of a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine import random
from engine.ops import sampling
from engine.ops.fromdata import as_tensor
from engine.tensor import Tensor


class Sampler:
    """Subclasses define __iter__(), over numbers of items (or lists of them), and perhaps __len__()."""

    def __init__(self, data_source: Any = None) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class SequentialSampler(Sampler):
    """0, 1, 2, ..."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class _InTurn:
    """The numbers of several draws, each made when the one before is used up: whoever stops before draws less."""

    def __init__(self, draw: Any, size: int, count: int) -> None:
        """`draw(n)` gives n numbers or more, `size` of them are taken in each turn, `count` in all."""
        self._draw = draw
        self._size = size
        self._left = count
        self._turns = count // size + 1  # the last one is there even when nothing is left for it
        self._numbers: list[int] = []

    def __iter__(self) -> _InTurn:
        return self

    def __next__(self) -> int:
        while not self._numbers:
            if not self._turns:
                raise StopIteration
            self._turns -= 1
            wanted = min(self._size, self._left)
            self._numbers = self._draw(wanted).tolist()[:wanted][::-1]
            self._left -= wanted
        return self._numbers.pop()


def _any_of(n: int, source: random.Generator, wanted: int) -> Any:
    return sampling.randint(n, (wanted,), generator=source)


def _all_of(n: int, source: random.Generator, wanted: int) -> Any:
    return source.randperm(n)


class RandomSampler(Sampler):
    """A new random order each time; with replacement, `num_samples` draws."""

    def __init__(
        self, data_source: Any, replacement: bool = False, num_samples: int | None = None, generator: Any = None
    ) -> None:
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples
        if not isinstance(replacement, bool):
            raise TypeError(f"replacement should be a boolean value, but got replacement={replacement}")
        count = self.num_samples
        if not isinstance(count, int) or count <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={count}")

    @property
    def num_samples(self) -> int:
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        source = self.generator
        if source is None:
            seed = int(random.default_generator.random(()))
            source = random.Generator()
            source.manual_seed(seed)
        n, count = len(self.data_source), self.num_samples
        if self.replacement:
            return _InTurn(partial(_any_of, n, source), 32, count)
        return _InTurn(partial(_all_of, n, source), n, count)

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given numbers in a random order."""

    def __init__(self, indices: Sequence[int], generator: Any = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        order = (self.generator or random.default_generator).randperm(len(self.indices)).tolist()
        return iter([self.indices[i] for i in order])

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """`num_samples` draws, each number as often as its weight says."""

    def __init__(self, weights: Any, num_samples: int, replacement: bool = True, generator: Any = None) -> None:
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(f"num_samples should be a positive integer value, but got num_samples={num_samples}")
        if not isinstance(replacement, bool):
            raise ValueError(f"replacement should be a boolean value, but got replacement={replacement}")
        given = as_tensor(weights)
        if given.ndim != 1:
            raise ValueError(f"weights should be a 1d sequence but given weights have shape {tuple(given.shape)}")
        self.weights = Tensor._wrap(given._array.astype(np.float64))
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        drawn = sampling.multinomial(self.weights, self.num_samples, self.replacement, generator=self.generator)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of `batch_size` numbers of another sampler."""

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        return Batches(iter(self.sampler), self.batch_size, self.drop_last)

    def __len__(self) -> int:
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


class Batches:
    """Lists of `size` items of an iterator, the last perhaps shorter. An object with a position, so that a run can be
    copied in the middle of it."""

    def __init__(self, items: Iterator[Any], size: int, drop_last: bool) -> None:
        self._items, self._size, self._drop_last = items, size, drop_last

    def __iter__(self) -> Batches:
        return self

    def __next__(self) -> list[Any]:
        batch: list[Any] = []
        for item in self._items:
            batch.append(item)
            if len(batch) == self._size:
                return batch
        if not batch or self._drop_last:
            raise StopIteration
        return batch
