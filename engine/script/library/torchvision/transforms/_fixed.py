# type: ignore
"""Transforms without chance, for torchvision.transforms."""

from numbers import Number

import torch
import torchvision.transforms.functional as _F
from torchvision.transforms._given import InterpolationMode, interpolation_of


class Told(torch.nn.Module):
    """A module that is printed with its settings."""

    def _told(self):
        return ""

    def __repr__(self):
        return f"{type(self).__name__}({self._told()})"


def size_of(given, said="Please provide only two dimensions (h, w) for size."):
    """(height, width) of a number or a sequence."""
    if isinstance(given, Number):
        return int(given), int(given)
    if len(given) not in (1, 2):
        raise ValueError(said)
    return (given[0], given[0]) if len(given) == 1 else given


class Compose:
    """One transform after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for each in self.transforms:
            img = each(img)
        return img

    def __repr__(self):
        return "\n".join([f"{type(self).__name__}(", *(f"    {each}" for each in self.transforms), ")"])


class ToTensor:
    def __call__(self, pic):
        return _F.to_tensor(pic)

    def __repr__(self):
        return "ToTensor()"


class PILToTensor:
    def __call__(self, pic):
        return _F.pil_to_tensor(pic)

    def __repr__(self):
        return "PILToTensor()"


class ToPILImage:
    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return _F.to_pil_image(pic, self.mode)

    def __repr__(self):
        return "ToPILImage(" + (f"mode={self.mode}" if self.mode is not None else "") + ")"


class Lambda:
    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)

    def __repr__(self):
        return "Lambda()"


class ConvertImageDtype(Told):
    def __init__(self, dtype):
        super().__init__()
        if not isinstance(dtype, torch.dtype):
            raise TypeError("Argument dtype should be of type torch.dtype")
        self.dtype = dtype

    def forward(self, image):
        return _F.convert_image_dtype(image, self.dtype)


class Normalize(Told):
    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean, self.std, self.inplace = mean, std, inplace

    def forward(self, tensor):
        return _F.normalize(tensor, self.mean, self.std, self.inplace)

    def _told(self):
        return f"mean={self.mean}, std={self.std}"


class Resize(Told):
    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        super().__init__()
        if not isinstance(size, (int, list, tuple)):
            raise TypeError(f"Size should be int or sequence. Got {type(size)}")
        if not isinstance(size, int) and len(size) not in (1, 2):
            raise ValueError("If size is a sequence, it should have 1 or 2 values")
        self.size, self.max_size, self.antialias = size, max_size, antialias
        self.interpolation = interpolation_of(interpolation)

    def forward(self, img):
        return _F.resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def _told(self):
        return (
            f"size={self.size}, interpolation={self.interpolation.value}, max_size={self.max_size},"
            f" antialias={self.antialias}"
        )


class CenterCrop(Told):
    def __init__(self, size):
        super().__init__()
        self.size = size_of(size)

    def forward(self, img):
        return _F.center_crop(img, self.size)

    def _told(self):
        return f"size={self.size}"


class Pad(Told):
    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        if not isinstance(padding, (Number, tuple, list)):
            raise TypeError("Got inappropriate padding arg")
        if not isinstance(fill, (Number, tuple, list)):
            raise TypeError("Got inappropriate fill arg")
        if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
            raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
        if not isinstance(padding, Number) and len(padding) not in (1, 2, 4):
            raise ValueError(
                f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple"
            )
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def forward(self, img):
        return _F.pad(img, self.padding, self.fill, self.padding_mode)

    def _told(self):
        return f"padding={self.padding}, fill={self.fill}, padding_mode={self.padding_mode}"


class Grayscale(Told):
    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img):
        return _F.rgb_to_grayscale(img, num_output_channels=self.num_output_channels)

    def _told(self):
        return f"num_output_channels={self.num_output_channels}"


class FiveCrop(Told):
    def __init__(self, size):
        super().__init__()
        self.size = size_of(size)

    def forward(self, img):
        return _F.five_crop(img, self.size)

    def _told(self):
        return f"size={self.size}"


class TenCrop(FiveCrop):
    def __init__(self, size, vertical_flip=False):
        super().__init__(size)
        self.vertical_flip = vertical_flip

    def forward(self, img):
        return _F.ten_crop(img, self.size, self.vertical_flip)

    def _told(self):
        return f"size={self.size}, vertical_flip={self.vertical_flip}"
