# type: ignore
"""Pictures turned and slanted, for torchvision.transforms.functional."""

import math

import torch
import torch.nn.functional as _F
from PIL import Image
from torchvision.transforms._given import OF_PIL, InterpolationMode, checked, in_floats, interpolation_of, is_pil


def _inverse(center, angle, translate, scale, shear):
    """The matrix that tells the old place of each new one."""
    turn, slant_x, slant_y = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    (cx, cy), (tx, ty) = center, translate
    a = math.cos(turn - slant_y) / math.cos(slant_y)
    b = -math.cos(turn - slant_y) * math.tan(slant_x) / math.cos(slant_y) - math.sin(turn)
    c = math.sin(turn - slant_y) / math.cos(slant_y)
    d = -math.sin(turn - slant_y) * math.tan(slant_x) / math.cos(slant_y) + math.cos(turn)
    matrix = [each / scale for each in (d, -b, 0.0, -c, a, 0.0)]
    matrix[2] += matrix[0] * (-cx - tx) + matrix[1] * (-cy - ty)
    matrix[5] += matrix[3] * (-cx - tx) + matrix[4] * (-cy - ty)
    matrix[2] += cx
    matrix[5] += cy
    return matrix


def _grown(matrix, wide, high):
    """The size of a picture of which nothing is cut off."""
    theta = torch.tensor(matrix, dtype=torch.float).view(2, 3)
    half = ((-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5))
    corners = torch.tensor([[x * wide, y * high, 1.0] for x, y in half]) @ theta.T
    most, least = corners.max(dim=0).values, corners.min(dim=0).values
    middle = torch.tensor((wide * 0.5, high * 0.5))
    most, least = most + middle, least + middle
    most, least = torch.trunc(most / 1e-4) * 1e-4, torch.trunc(least / 1e-4) * 1e-4
    size = torch.ceil(most) - torch.floor(least)
    return int(size[0]), int(size[1])


def _through(img, matrix, interpolation, fill, size=None):
    """The tensor seen through the matrix, in the size (width, height)."""
    high, wide = img.shape[-2:]
    new_wide, new_high = (wide, high) if size is None else size
    theta = torch.tensor(matrix, dtype=img.dtype if img.is_floating_point() else torch.float32).reshape(1, 2, 3)
    places = torch.empty(1, new_high, new_wide, 3, dtype=theta.dtype)
    places[..., 0] = torch.linspace(-new_wide * 0.5 + 0.5, new_wide * 0.5 - 0.5, steps=new_wide)
    places[..., 1] = torch.linspace(-new_high * 0.5 + 0.5, new_high * 0.5 - 0.5, steps=new_high).unsqueeze(-1)
    places[..., 2] = 1
    scaled = theta.transpose(1, 2) / torch.tensor([0.5 * wide, 0.5 * high], dtype=theta.dtype)
    grid = places.view(1, new_high * new_wide, 3).bmm(scaled).view(1, new_high, new_wide, 2)

    def work(table):
        count = table.shape[1]
        spread = grid.expand(table.shape[0], *grid.shape[1:])
        if fill is None:
            return _F.grid_sample(table, spread, mode=interpolation.value, padding_mode="zeros", align_corners=False)
        within = torch.ones((table.shape[0], 1, *table.shape[2:]), dtype=table.dtype)
        made = _F.grid_sample(
            torch.cat((table, within), dim=1),
            spread,
            mode=interpolation.value,
            padding_mode="zeros",
            align_corners=False,
        )
        within, made = made[:, -1:].expand_as(made[:, :-1]), made[:, :-1]
        values = [float(each) for each in (fill if isinstance(fill, (tuple, list)) else [fill])]
        around = torch.tensor(values, dtype=made.dtype).view(1, len(values), 1, 1).expand_as(made)
        if interpolation == InterpolationMode.NEAREST:
            return torch.where(within < 0.5, around, made)
        return made * within + (1.0 - within) * around

    return in_floats(img, work)


def _in_bands(img, fill):
    """A colour for each band of a PIL picture."""
    if isinstance(fill, (tuple, list)):
        return tuple(fill) if len(fill) > 1 else fill[0]
    bands = len(img.getbands())
    return (fill,) * bands if bands > 1 else fill


def rotate(img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None):
    """The picture turned by `angle` degrees, counter-clockwise, about its middle or the `center` (x, y)."""
    interpolation = interpolation_of(interpolation)
    if not isinstance(angle, (int, float)):
        raise TypeError("Argument angle should be int or float")
    if center is not None and not isinstance(center, (list, tuple)):
        raise TypeError("Argument center should be a sequence")
    if is_pil(checked(img)):
        fill = None if fill is None else _in_bands(img, fill)
        return img.rotate(angle, OF_PIL[interpolation.value], expand, center, fillcolor=fill)
    high, wide = img.shape[-2:]
    middle = [0.0, 0.0] if center is None else [float(c - s * 0.5) for c, s in zip(center, (wide, high))]
    matrix = _inverse(middle, -angle, [0.0, 0.0], 1.0, [0.0, 0.0])
    return _through(img, matrix, interpolation, fill, _grown(matrix, wide, high) if expand else None)


def affine(img, angle, translate, scale, shear, interpolation=InterpolationMode.NEAREST, fill=None, center=None):
    """The picture turned by `angle` degrees clockwise, moved, scaled and slanted about its middle."""
    interpolation = interpolation_of(interpolation)
    if not isinstance(angle, (int, float)):
        raise TypeError("Argument angle should be int or float")
    if not isinstance(translate, (list, tuple)):
        raise TypeError("Argument translate should be a sequence")
    if len(translate) != 2:
        raise ValueError("Argument translate should be a sequence of length 2")
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    shear = [shear, 0.0] if isinstance(shear, (int, float)) else list(shear)
    shear = shear * 2 if len(shear) == 1 else shear
    if len(shear) != 2:
        raise ValueError(f"Shear should be a sequence containing two values. Got {shear}")
    if is_pil(checked(img)):
        middle = [img.width * 0.5, img.height * 0.5] if center is None else center
        matrix = _inverse(middle, angle, list(translate), scale, shear)
        fill = None if fill is None else _in_bands(img, fill)
        return img.transform(img.size, Image.AFFINE, matrix, OF_PIL[interpolation.value], fillcolor=fill)
    high, wide = img.shape[-2:]
    middle = [0.0, 0.0] if center is None else [float(c - s * 0.5) for c, s in zip(center, (wide, high))]
    matrix = _inverse(middle, angle, [1.0 * each for each in translate], scale, shear)
    return _through(img, matrix, interpolation, fill)
