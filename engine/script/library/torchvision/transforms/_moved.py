# type: ignore
"""Transforms of chance that move a picture, for torchvision.transforms. All is drawn as torchvision draws it."""

import math
from numbers import Number

import torch
import torchvision.transforms.functional as _F
from torchvision.transforms._drawn import below, uniform
from torchvision.transforms._fixed import Told, size_of
from torchvision.transforms._given import InterpolationMode, interpolation_of


def _filled(img, fill):
    """`fill` with a number for each channel of a tensor."""
    if not isinstance(img, torch.Tensor):
        return fill
    if isinstance(fill, (int, float)):
        return [float(fill)] * _F.get_dimensions(img)[0]
    return [float(each) for each in fill]


class RandomCrop(Told):
    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__()
        self.size = tuple(size_of(size))
        self.padding, self.pad_if_needed, self.fill, self.padding_mode = padding, pad_if_needed, fill, padding_mode

    @staticmethod
    def get_params(img, output_size):
        """(top, left, height, width) of a place for it."""
        _, height, width = _F.get_dimensions(img)
        high, wide = output_size
        if height < high or width < wide:
            raise ValueError(f"Required crop size {(high, wide)} is larger than input image size {(height, width)}")
        if (width, height) == (wide, high):
            return 0, 0, height, width
        top = below(height - high + 1)
        return top, below(width - wide + 1), high, wide

    def forward(self, img):
        if self.padding is not None:
            img = _F.pad(img, self.padding, self.fill, self.padding_mode)
        _, height, width = _F.get_dimensions(img)
        high, wide = self.size
        if self.pad_if_needed and width < wide:
            img = _F.pad(img, [wide - width, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and height < high:
            img = _F.pad(img, [0, high - height], self.fill, self.padding_mode)
        return _F.crop(img, *self.get_params(img, self.size))

    def _told(self):
        return f"size={self.size}, padding={self.padding}"


class RandomResizedCrop(Told):
    def __init__(
        self,
        size,
        scale=(0.08, 1.0),
        ratio=(3.0 / 4.0, 4.0 / 3.0),
        interpolation=InterpolationMode.BILINEAR,
        antialias=True,
    ):
        super().__init__()
        self.size = size_of(size)
        if not isinstance(scale, (list, tuple)):
            raise TypeError("Scale should be a sequence")
        if not isinstance(ratio, (list, tuple)):
            raise TypeError("Ratio should be a sequence")
        self.scale, self.ratio, self.antialias = scale, ratio, antialias
        self.interpolation = interpolation_of(interpolation)

    @staticmethod
    def get_params(img, scale, ratio):
        """(top, left, height, width) of a place of some size and shape; of ten that do not fit, the middle."""
        _, height, width = _F.get_dimensions(img)
        logs = torch.log(torch.tensor(ratio))
        for _ in range(10):
            area = height * width * uniform(scale[0], scale[1])
            shape = torch.exp(torch.empty(1).uniform_(logs[0], logs[1])).item()
            wide, high = int(round(math.sqrt(area * shape))), int(round(math.sqrt(area / shape)))
            if 0 < wide <= width and 0 < high <= height:
                top = below(height - high + 1)
                return top, below(width - wide + 1), high, wide
        shape = float(width) / float(height)
        if shape < min(ratio):
            wide, high = width, int(round(width / min(ratio)))
        elif shape > max(ratio):
            wide, high = int(round(height * max(ratio))), height
        else:
            wide, high = width, height
        return (height - high) // 2, (width - wide) // 2, high, wide

    def forward(self, img):
        place = self.get_params(img, self.scale, self.ratio)
        return _F.resized_crop(img, *place, self.size, self.interpolation, antialias=self.antialias)

    def _told(self):
        scale, ratio = (tuple(round(each, 4) for each in pair) for pair in (self.scale, self.ratio))
        return (
            f"size={self.size}, scale={scale}, ratio={ratio}, interpolation={self.interpolation.value},"
            f" antialias={self.antialias}"
        )


def _degrees(given, name, sizes):
    """[least, most] of an angle."""
    if isinstance(given, Number):
        if given < 0:
            raise ValueError(f"If {name} is a single number, it must be positive.")
        given = [-given, given]
    elif len(given) not in sizes:
        raise ValueError(f"{name} should be a sequence of length {' or '.join(str(each) for each in sizes)}.")
    return [float(each) for each in given]


class RandomRotation(Told):
    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0):
        super().__init__()
        self.degrees, self.center, self.expand = _degrees(degrees, "degrees", (2,)), center, expand
        self.interpolation, self.fill = interpolation_of(interpolation), 0 if fill is None else fill
        if not isinstance(self.fill, (list, tuple, Number)):
            raise TypeError("Fill should be either a sequence or a number.")

    @staticmethod
    def get_params(degrees):
        return float(uniform(float(degrees[0]), float(degrees[1])))

    def forward(self, img):
        fill = _filled(img, self.fill)
        angle = self.get_params(self.degrees)
        return _F.rotate(img, angle, self.interpolation, self.expand, self.center, fill)

    def _told(self):
        center = f", center={self.center}" if self.center is not None else ""
        told = f"degrees={self.degrees}, interpolation={self.interpolation.value}, expand={self.expand}"
        return f"{told}{center}, fill={self.fill}"


class RandomAffine(Told):
    def __init__(
        self,
        degrees,
        translate=None,
        scale=None,
        shear=None,
        interpolation=InterpolationMode.NEAREST,
        fill=0,
        center=None,
    ):
        super().__init__()
        self.degrees = _degrees(degrees, "degrees", (2,))
        for each in translate or ():
            if not 0.0 <= each <= 1.0:
                raise ValueError("translation values should be between 0 and 1")
        for each in scale or ():
            if each <= 0:
                raise ValueError("scale values should be positive")
        self.translate, self.scale, self.center = translate, scale, center
        self.shear = None if shear is None else _degrees(shear, "shear", (2, 4))
        self.interpolation, self.fill = interpolation_of(interpolation), 0 if fill is None else fill

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        """(angle, (x, y), scale, (shear of x, shear of y))."""
        angle = float(uniform(float(degrees[0]), float(degrees[1])))
        moved = (0, 0)
        if translate is not None:
            most = [float(share * side) for share, side in zip(translate, img_size)]
            moved = tuple([int(round(uniform(-each, each))) for each in most])
        scale = 1.0 if scale_ranges is None else float(uniform(scale_ranges[0], scale_ranges[1]))
        slant_x = slant_y = 0.0
        if shears is not None:
            slant_x = float(uniform(shears[0], shears[1]))
            slant_y = float(uniform(shears[2], shears[3])) if len(shears) == 4 else 0.0
        return angle, moved, scale, (slant_x, slant_y)

    def forward(self, img):
        fill = _filled(img, self.fill)
        size = _F.get_image_size(img)
        chosen = self.get_params(self.degrees, self.translate, self.scale, self.shear, size)
        return _F.affine(img, *chosen, interpolation=self.interpolation, fill=fill, center=self.center)

    def _told(self):
        told = [f"degrees={self.degrees}"]
        told += [f"{name}={getattr(self, name)}" for name in ("translate", "scale", "shear") if getattr(self, name)]
        if self.interpolation != InterpolationMode.NEAREST:
            told.append(f"interpolation={self.interpolation.value}")
        told += [f"fill={self.fill}"] * (self.fill != 0) + [f"center={self.center}"] * (self.center is not None)
        return ", ".join(told)
