# type: ignore
"""torchvision.utils: many pictures as one."""

import math

import torch
from PIL import Image


def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """Pictures (n, channels, height, width), or a list of them, in rows of `nrow`: one (channels, height, width)."""
    if not isinstance(tensor, torch.Tensor):
        if not isinstance(tensor, list):
            raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
        for each in tensor:
            if not isinstance(each, torch.Tensor):
                raise TypeError(f"tensor or list of tensors expected, got a list containing {type(each)}")
        tensor = torch.stack(tensor, dim=0)
    if tensor.dim() == 2:
        tensor = tensor.unsqueeze(0)
    if tensor.dim() == 3:
        tensor = (torch.cat((tensor, tensor, tensor), 0) if tensor.size(0) == 1 else tensor).unsqueeze(0)
    if tensor.dim() == 4 and tensor.size(1) == 1:
        tensor = torch.cat((tensor, tensor, tensor), 1)
    if normalize:
        if value_range is not None and not isinstance(value_range, tuple):
            raise TypeError("value_range has to be a tuple (min, max) if specified. min and max are numbers")
        tensor = tensor.clone()
        for each in tensor if scale_each else (tensor,):
            low, high = value_range or (float(each.min()), float(each.max()))
            each.clamp_(min=low, max=high).sub_(low).div_(max(high - low, 1e-5))
    if tensor.size(0) == 1:
        return tensor.squeeze(0)
    count = tensor.size(0)
    columns = min(nrow, count)
    rows = int(math.ceil(float(count) / columns))
    height, width = int(tensor.size(2) + padding), int(tensor.size(3) + padding)
    grid = tensor.new_full((tensor.size(1), height * rows + padding, width * columns + padding), pad_value)
    for at in range(count):
        top, left = at // columns * height + padding, at % columns * width + padding
        grid[:, top : top + height - padding, left : left + width - padding] = tensor[at]
    return grid


def save_image(tensor, fp, format=None, **kwargs):
    """The grid of the pictures, written to the run's files."""
    grid = make_grid(tensor, **kwargs)
    table = grid.mul(255).add_(0.5).clamp_(0, 255).permute(1, 2, 0).to("cpu", torch.uint8).numpy()
    Image.fromarray(table).save(fp, format=format)
