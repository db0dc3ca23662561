# type: ignore
"""torch.overrides: what is not in engine/overrides.py."""


class TorchFunctionMode:
    """Can be a base of a class; the mode itself cannot be entered, because nothing here sees every operation."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        raise NotImplementedError(
            f"{type(self).__name__}: no mode sees every operation here. A class over torch.Tensor with __torch_function__"
            " sees those of its tensors, and hooks of modules what goes in and out of these."
        )

    def __exit__(self, exc_type, exc_val, exc_tb):
        return None
