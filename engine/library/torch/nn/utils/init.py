# type: ignore
"""torch.nn.utils.init: layers whose first values somebody else will give."""

import torch


def skip_init(module_cls, *args, **kwargs):
    """A layer of zeros, made without a draw: PyTorch's holds whatever was in memory."""
    if not issubclass(module_cls, torch.nn.Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    kwargs.pop("device", None)
    before = torch.get_rng_state()
    made = module_cls(*args, **kwargs)
    torch.set_rng_state(before)
    with torch.no_grad():
        for each in [*made.parameters(), *made.buffers()]:
            each.zero_()
    return made
