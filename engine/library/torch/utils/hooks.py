# type: ignore
"""torch.utils.hooks: what takes a hook away again."""

import torch

RemovableHandle = type(torch.ones(1, requires_grad=True).register_hook(lambda grad: None))
