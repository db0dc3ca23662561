# type: ignore
"""torch.multiprocessing: multiprocessing, and spawn()."""

from multiprocessing import *

_strategy = ["file_descriptor"]


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    for number in range(nprocs):
        fn(number, *args)


start_processes = spawn


def set_sharing_strategy(new_strategy):
    if new_strategy not in get_all_sharing_strategies():
        raise AssertionError
    _strategy[0] = new_strategy


def get_sharing_strategy():
    return _strategy[0]


def get_all_sharing_strategies():
    return {"file_descriptor", "file_system"}
