# type: ignore
"""torch._C: what scripts name of PyTorch's inner module."""

from torch.linalg import LinAlgError as _LinAlgError

__all__ = ["_LinAlgError"]
