# type: ignore
"""torch.nn.parallel: what only groups of processes have, and raises here as it does without such a group."""

from torch import nn
from torch.nn import DataParallel


class DistributedDataParallel(nn.Module):
    """Asked about by scripts that run as several processes where they can."""

    def __init__(self, module, *args, **options):
        raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
