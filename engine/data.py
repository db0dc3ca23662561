"""torch.utils.data: datasets and the DataLoader, which draws random numbers exactly as PyTorch's does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine import random
from engine.ops.dispatch import wrap
from engine.ops.fromdata import tensor
from engine.ops.joins import stack
from engine.tensor import Tensor


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


class ConcatDataset(Dataset):
    """One dataset after the other."""

    def __init__(self, datasets: Sequence[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")

    def __len__(self) -> int:
        return sum(len(d) for d in self.datasets)

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            index += len(self)
        for d in self.datasets:
            if index < len(d):
                return d[index]
            index -= len(d)
        raise IndexError("index out of range")


class Subset(Dataset):
    """Some of a dataset's items."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(dataset: Any, lengths: Sequence[Any], generator: Any = None) -> list[Subset]:
    """Random non-overlapping subsets of the given lengths (or fractions)."""
    sizes = list(lengths)
    total = len(dataset)
    if all(isinstance(n, float) for n in sizes) and abs(sum(sizes) - 1) < 1e-6:
        counts = [int(total * f) for f in sizes]
        for i in range(total - sum(counts)):
            counts[i % len(counts)] += 1
        sizes = counts
    if sum(sizes) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = (generator or random.default_generator).randperm(total).tolist()
    parts, start = [], 0
    for n in sizes:
        parts.append(Subset(dataset, order[start : start + n]))
        start += n
    return parts


def default_collate(batch: Sequence[Any]) -> Any:
    """A list of items as one batch: tensors stacked, numbers made tensors, tuples and dicts item by item."""
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch, 0)
    if isinstance(first, (np.ndarray, np.generic)):
        return wrap(np.stack([np.asarray(b) for b in batch]))
    if isinstance(first, float):
        from engine import dtypes

        return tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, str):
        return list(batch)
    if isinstance(first, dict):
        return {k: default_collate([b[k] for b in batch]) for k in first}
    if isinstance(first, (tuple, list)):
        if any(len(b) != len(first) for b in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise TypeError(
        f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {type(first)}"
    )


class DataLoader:
    """Iterates over a dataset in batches. Every iteration first draws a base seed from the global generator, and with
    `shuffle` a second seed for the order, so that later random numbers are PyTorch's."""

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Any = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set prefetch_factor to None."
            )
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        whole = isinstance(batch_size, int) and not isinstance(batch_size, bool)
        if batch_size is not None and (not whole or batch_size <= 0):
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if shuffle and len(dataset) == 0:
            raise ValueError("num_samples should be a positive integer value, but got num_samples=0")
        self.dataset, self.batch_size, self.shuffle, self.sampler = dataset, batch_size, bool(shuffle), sampler
        self.drop_last, self.collate_fn = drop_last, collate_fn or default_collate
        self.generator, self.num_workers = generator, num_workers

    def __len__(self) -> int:
        n = len(self.sampler if self.sampler is not None else self.dataset)
        if self.batch_size is None:
            return n
        return n // self.batch_size if self.drop_last else -(-n // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        return _Batches(self)


class _Batches:
    """One pass over a DataLoader. An object with a position, so that a run can be copied in the middle of it."""

    def __init__(self, loader: DataLoader) -> None:
        self.loader = loader
        (loader.generator or random.default_generator).random(())
        self.order: list[int] | None = None
        self.at = 0

    def _begin(self) -> list[int]:
        loader = self.loader
        if loader.sampler is not None:
            return list(loader.sampler)
        n = len(loader.dataset)
        if not loader.shuffle:
            return list(range(n))
        if loader.generator is not None:
            return loader.generator.randperm(n).tolist()
        seed = int(random.default_generator.random(()))
        own = random.Generator()
        own.manual_seed(seed)
        return own.randperm(n).tolist()

    def __iter__(self) -> _Batches:
        return self

    def __next__(self) -> Any:
        if self.order is None:
            self.order = self._begin()
        loader, order, at = self.loader, self.order, self.at
        if at >= len(order):
            raise StopIteration
        if loader.batch_size is None:
            self.at += 1
            return loader.dataset[order[at]]
        chosen = order[at : at + loader.batch_size]
        if len(chosen) < loader.batch_size and loader.drop_last:
            self.at = len(order)
            raise StopIteration
        self.at += len(chosen)
        return loader.collate_fn([loader.dataset[i] for i in chosen])
