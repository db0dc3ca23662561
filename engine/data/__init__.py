"""torch.utils.data: datasets, samplers and the DataLoader, which draws random numbers exactly as PyTorch's does."""

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
from engine.rooms import classes

WorkerInfo.__module__ = "torch.utils.data._utils.worker"
for _kind in classes(globals()):  # its files are called otherwise in PyTorch
    _file = {"loader": "dataloader", "datasets": "dataset", "samplers": "sampler"}[_kind.__module__.rpartition(".")[2]]
    _kind.__module__ = f"torch.utils.data.{_file}"

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
