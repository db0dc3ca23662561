"""torch.utils.data: datasets, samplers and the DataLoader, which draws random numbers exactly as PyTorch's does."""

from typing import TYPE_CHECKING

from engine.data.datasets import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from engine.data.loader import DataLoader, default_collate, default_convert
from engine.data.samplers import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from engine.data.workers import WorkerInfo, get_worker_info
from engine.rooms import classes, opened

WorkerInfo.__module__ = "torch.utils.data._utils.worker"
for _kind in classes(globals()):  # its files are called otherwise in PyTorch
    _file = {"loader": "dataloader", "datasets": "dataset", "samplers": "sampler"}[_kind.__module__.rpartition(".")[2]]
    _kind.__module__ = f"torch.utils.data.{_file}"

if not TYPE_CHECKING:
    __getattr__, __dir__ = opened(globals(), "torch.utils.data", {})

__all__ = [
    "BatchSampler",
    "ChainDataset",
    "ConcatDataset",
    "DataLoader",
    "Dataset",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "StackDataset",
    "Subset",
    "SubsetRandomSampler",
    "TensorDataset",
    "WeightedRandomSampler",
    "default_collate",
    "default_convert",
    "get_worker_info",
    "random_split",
]
