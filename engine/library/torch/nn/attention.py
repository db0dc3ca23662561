# type: ignore
"""torch.nn.attention: which kernel computes scaled_dot_product_attention(). There is one: choosing changes nothing."""

from contextlib import contextmanager
from enum import Enum


class SDPBackend(Enum):
    ERROR = -1
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3
    OVERRIDEABLE = 4


@contextmanager
def sdpa_kernel(backends, set_priority=False):
    listed = [backends] if isinstance(backends, SDPBackend) else backends
    if not isinstance(listed, list):
        raise AssertionError(
            "Backend must be an instance of SDPBackend or a list of SDPBackend instances, "
            f"got {type(backends).__name__}"
        )
    yield {}
