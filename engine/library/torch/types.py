# type: ignore
"""torch.types: what annotations are made of."""

from typing import Optional, Union

import torch
from torch import Size, Tensor

Number = Union[int, float, bool]
Device = Optional[Union[torch.device, str, int]]
