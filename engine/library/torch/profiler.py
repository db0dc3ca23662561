# type: ignore
"""torch.profiler: regions are named and nothing is measured, because scripts have no clock of their own."""

from enum import Enum

from torch.autograd.profiler import profile, record_function


class ProfilerActivity(Enum):
    CPU = 0
    CUDA = 2


def schedule(*, wait=0, warmup=0, active=1, repeat=0, skip_first=0):
    return None


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    return None
