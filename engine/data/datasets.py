"""Datasets: items by number, or one after another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import Any

from engine import random
from engine.ops import guard, sampling
from engine.ops.dispatch import wrap
from engine.tensor import Tensor
from engine.warn import warn


class Dataset:
    """Subclasses define __getitem__(index) and __len__()."""

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Any) -> ConcatDataset:
        return ConcatDataset([self, other])


class TensorDataset(Dataset):
    """Tensors of one length; an item is a tuple of their slices."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(t.size(0) != tensors[0].size(0) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0]._array.shape[0])


class StackDataset(Dataset):
    """Datasets side by side; an item is a tuple, or a dict where they were given by name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) == bool(kwargs):
            raise ValueError(
                "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but both"
                " types are given."
                if args
                else "At least one dataset should be passed"
            )
        self.datasets: Any = args or kwargs
        parts = list(args or kwargs.values())
        if any(len(part) != len(parts[0]) for part in parts):
            raise ValueError("Size mismatch between datasets")
        self._length = len(parts[0])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {name: part[index] for name, part in self.datasets.items()}
        return tuple(part[index] for part in self.datasets)

    def __len__(self) -> int:
        return self._length


class IterableDataset(Dataset):
    """Subclasses define __iter__(). Raises TypeError where one is made that does not."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        if not hasattr(cls, "__iter__"):
            raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract method __iter__")
        return super().__new__(cls)

    def __add__(self, other: Any) -> Any:
        return ChainDataset([self, other])


class ChainDataset(IterableDataset):
    """One iterable dataset after the other."""

    def __init__(self, datasets: Any) -> None:
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for part in self.datasets:
            if not isinstance(part, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
        return iter(chain.from_iterable(self.datasets))

    def __len__(self) -> int:
        return sum(len(part) for part in self.datasets)


class ConcatDataset(Dataset):
    """One dataset after the other."""

    def __init__(self, datasets: Any) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        if any(isinstance(part, IterableDataset) for part in self.datasets):
            raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(accumulate(len(part) for part in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        start = 0
        for part, end in zip(self.datasets, self.cumulative_sizes, strict=True):
            if index < end:
                return part[index - start]
            start = end
        raise IndexError("list index out of range")


class Subset(Dataset):
    """Some of a dataset's items."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def taken_together(dataset: Any, numbers: Sequence[Any]) -> list[Tensor] | None:
    """The items with these numbers stacked, one tensor for each of a TensorDataset's (also through Subsets): what its
    items make one by one. None where that may be something else, or an error."""
    while type(dataset) is Subset:
        if type(dataset.indices) is not list or not all(type(i) is int and 0 <= i < len(dataset) for i in numbers):
            return None
        numbers, dataset = [dataset.indices[i] for i in numbers], dataset.dataset
    if type(dataset) is not TensorDataset or not all(type(i) is int for i in numbers) or not numbers:
        return None
    tensors = dataset.tensors
    if not all(type(t) is Tensor and not t._needs and t._array.ndim for t in tensors):
        return None
    if not tensors or min(numbers) < 0 or max(numbers) >= min(len(t._array) for t in tensors):
        return None
    return [wrap(t._array.take(numbers, 0)) for t in tensors]


_randperm = guard.function("randperm", sampling.randperm)


def random_split(dataset: Any, lengths: Sequence[Any], generator: Any = None) -> list[Subset]:
    """Random non-overlapping subsets of the given lengths (or fractions)."""
    sizes = list(lengths)
    total = len(dataset)
    if math.isclose(sum(sizes), 1) and sum(sizes) <= 1:
        for i, share in enumerate(sizes):
            if not 0 <= share <= 1:
                raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        counts = [int(total * f) for f in sizes]
        for i in range(total - sum(counts)):
            counts[i % len(counts)] += 1
        sizes = counts
        for i, count in enumerate(counts):
            if count == 0:
                warn(f"Length of split at index {i} is 0. This might result in an empty dataset.")
    if sum(sizes) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = _randperm(sum(sizes), generator=random.default_generator if generator is None else generator).tolist()
    parts, start = [], 0
    for n in sizes:
        parts.append(Subset(dataset, order[start : start + n]))
        start += n
    return parts
