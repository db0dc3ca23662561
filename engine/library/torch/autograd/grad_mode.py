# type: ignore
"""torch.autograd.grad_mode: where no_grad() and its kin lie."""

from torch import enable_grad, inference_mode, no_grad, set_grad_enabled
