"""The DataLoader, and how items become batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine import dtypes, random
from engine.data.datasets import IterableDataset, taken_together
from engine.data.samplers import Batches, BatchSampler, RandomSampler, SequentialSampler
from engine.data.workers import Worker
from engine.ops import guard, joins
from engine.ops.fromdata import as_tensor, tensor
from engine.tensor import Tensor
from engine.warn import warn

stack = guard.function("stack", joins.stack)
_UNKNOWN = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def default_collate(batch: Sequence[Any]) -> Any:
    """A list of items as one batch: tensors stacked, numbers made tensors, tuples and dicts item by item."""
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch, 0)
    if isinstance(first, (np.ndarray, np.generic)):
        if first.dtype.kind in "SUO":
            raise TypeError(_UNKNOWN.format(first.dtype))
        return stack([as_tensor(each) for each in batch], 0)
    if isinstance(first, float):
        return tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {key: default_collate([each[key] for each in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch, strict=True)))
    if isinstance(first, (tuple, list)):
        if any(len(each) != len(first) for each in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise TypeError(_UNKNOWN.format(type(first)))


def default_convert(data: Any) -> Any:
    """NumPy's arrays, also inside of containers, as tensors."""
    if isinstance(data, (np.ndarray, np.generic)):
        return as_tensor(data)
    if isinstance(data, dict):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(each) for each in data))
    if isinstance(data, (tuple, list)):
        return [default_convert(each) for each in data]
    return data


_FIXED = ("batch_size", "batch_sampler", "sampler", "drop_last", "dataset", "persistent_workers")
"""What of a DataLoader stays as it was made."""


class DataLoader:
    """Iterates over a dataset in batches. Every iteration first draws a base seed from the global generator, and with
    `shuffle` a second seed for the order, so that later random numbers are PyTorch's. There are no processes, but with
    `num_workers` batches are fetched as PyTorch's workers fetch them (workers.py): each draws from streams of its own,
    and each goes through the whole of an IterableDataset."""

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
        self.dataset, self.num_workers, self.pin_memory, self.timeout = dataset, num_workers, pin_memory, timeout
        self.generator, self.persistent_workers = generator, persistent_workers
        self.worker_init_fn = worker_init_fn
        self._kept: _SingleProcessDataLoaderIter | None = None  # by workers that stay
        self._one_after_another = isinstance(dataset, IterableDataset)
        if self._one_after_another:
            for name, value in (("shuffle", shuffle or None), ("sampler", sampler), ("batch_sampler", batch_sampler)):
                if value is not None:
                    raise ValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={value}"
                    )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size, drop_last = None, False
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if batch_size is not None and (
            not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0
        ):
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if sampler is None and not self._one_after_another:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_size is not None and batch_sampler is None and not self._one_after_another:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last, self.sampler, self.batch_sampler = (
            batch_size,
            drop_last,
            sampler,
            batch_sampler,
        )
        self._in_batches = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if self._in_batches else default_convert)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and "collate_fn" in self.__dict__:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        object.__setattr__(self, name, value)

    def __len__(self) -> int:
        if self._one_after_another:
            count = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.batch_sampler if self._in_batches else self.sampler)

    def __iter__(self) -> Iterator[Any]:
        if self._kept is not None:
            return self._kept.begin()
        made = _SingleProcessDataLoaderIter(self)
        if self.persistent_workers:
            self._kept = made
        return made


class _SingleProcessDataLoaderIter:
    """One pass over a DataLoader. The order is drawn when the first batch is asked for."""

    def __init__(self, loader: DataLoader) -> None:
        if loader.pin_memory:
            warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be"
                " used."
            )
        base = int((loader.generator or random.default_generator).random(()))  # once, where the workers stay
        count = loader.num_workers
        self._workers = [Worker(number, count, base, loader.dataset) for number in range(count)]
        if loader.worker_init_fn is not None:
            for number, worker in enumerate(self._workers):
                worker.do(loader.worker_init_fn, number)
        self._loader = loader
        self.begin()

    def begin(self) -> _SingleProcessDataLoaderIter:
        """Go through the dataset from its beginning."""
        loader = self._loader
        self._fetched = 0
        self._source: Any = None
        self._turns: list[tuple[Worker, Any]] = []
        if loader._one_after_another:
            if self._workers:
                self._turns = [(each, each.do(self._begun, each.dataset)) for each in self._workers]
            else:
                self._source = self._begun(loader.dataset)
        return self

    def _begun(self, dataset: Any) -> Any:
        """An iterator over a dataset without numbers: over its items, or over lists of them."""
        loader, items = self._loader, iter(dataset)
        return items if loader.batch_size is None else Batches(items, loader.batch_size, loader.drop_last)

    def __iter__(self) -> _SingleProcessDataLoaderIter:
        return self

    def __len__(self) -> int:
        return len(self._loader)

    def __next__(self) -> Any:
        loader = self._loader
        if loader._one_after_another:
            return self._by_turns() if self._workers else loader.collate_fn(next(self._source))
        if self._source is None:
            self._source = iter(loader.batch_sampler if loader._in_batches else loader.sampler)
        item = next(self._source)
        dataset = loader.dataset
        if loader._in_batches and loader.collate_fn is default_collate and type(item) is list:
            batch = taken_together(dataset, item)
            if batch is not None:
                return batch
        if not self._workers:
            return self._fetch(dataset, item)
        worker = self._workers[self._fetched % len(self._workers)]
        self._fetched += 1
        return worker.do(self._fetch, worker.dataset, item)

    def _fetch(self, dataset: Any, item: Any) -> Any:
        loader = self._loader
        return loader.collate_fn([dataset[i] for i in item] if loader._in_batches else dataset[item])

    def _by_turns(self) -> Any:
        """The next batch of an IterableDataset, which each worker goes through by itself; one that is at its end is
        passed over from then on."""
        while self._turns:
            worker, items = self._turns.pop(0)
            try:
                batch = worker.do(lambda items=items: self._loader.collate_fn(next(items)))
            except StopIteration:
                continue
            self._turns.append((worker, items))
            return batch
        raise StopIteration
