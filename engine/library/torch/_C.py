# type: ignore
"""torch._C: what scripts name of PyTorch's inner module."""

from torch.linalg import LinAlgError as _LinAlgError
from torch.overrides import _Disabled as DisableTorchFunction
from torch.overrides import _Disabled as DisableTorchFunctionSubclass
from torch.overrides import _disabled as _disabled_torch_function_impl

__all__ = ["DisableTorchFunction", "DisableTorchFunctionSubclass", "_LinAlgError", "_disabled_torch_function_impl"]
