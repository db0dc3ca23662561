# type: ignore
"""What the functions of torchvision.transforms.functional ask of a picture: a tensor (..., channels, height, width) or
one of PIL's."""

from enum import Enum
from numbers import Number

import torch
from PIL import Image


class InterpolationMode(Enum):
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


OF_PIL = {"nearest": 0, "nearest-exact": 0, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5, "lanczos": 1}
"""Pillow's numbers of the modes."""
_OLD = {number: InterpolationMode(name) for name, number in OF_PIL.items() if name != "nearest-exact"}


def interpolation_of(given):
    """The mode that is meant: itself, or the number that Pillow has for it. Raises TypeError for anything else."""
    if isinstance(given, int):
        given = _OLD[given]
    if not isinstance(given, InterpolationMode):
        raise TypeError(
            "Argument interpolation should be a InterpolationMode or a corresponding Pillow integer constant"
        )
    return given


def is_pil(img):
    return isinstance(img, Image.Image)


def checked(img, said="img should be PIL Image. Got {}"):
    """The picture. Raises TypeError for what is none."""
    if isinstance(img, torch.Tensor):
        if img.ndim < 2:
            raise TypeError("Tensor is not a torch image.")
    elif not is_pil(img):
        raise TypeError(said.format(type(img)))
    return img


def get_dimensions(img):
    """[channels, height, width]."""
    if isinstance(checked(img, "Unexpected type {}"), torch.Tensor):
        return [1 if img.ndim == 2 else img.shape[-3], *img.shape[-2:]]
    return [len(img.getbands()), img.height, img.width]


def get_image_size(img):
    """[width, height]."""
    return get_dimensions(img)[:0:-1]


def get_image_num_channels(img):
    return get_dimensions(img)[0]


def bound(dtype):
    """The largest value that a picture of `dtype` has."""
    return 1 if dtype.is_floating_point else torch.iinfo(dtype).max


def in_floats(img, work):
    """`work` of the picture as floats (n, channels, height, width); of whole numbers the result is rounded."""
    shape, dtype = img.shape, img.dtype
    table = img.reshape(-1, *([1] * (3 - img.ndim)), *shape[-3:])
    made = work(table if dtype.is_floating_point else table.to(torch.float32))
    if made.dtype != dtype:
        made = torch.round(made).to(dtype)
    return made.reshape(*shape[:-2], *made.shape[-2:])


def listed(value):
    return [value, value] if isinstance(value, Number) else list(value)
