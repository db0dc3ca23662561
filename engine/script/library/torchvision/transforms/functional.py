# type: ignore
"""torchvision.transforms.functional: pictures made others, tensors (..., channels, height, width) and PIL's."""

from numbers import Number

import numpy as np
import torch
import torch.nn.functional as _F
from PIL import Image
from torchvision.transforms._colors import (
    adjust_brightness,
    adjust_contrast,
    adjust_gamma,
    adjust_hue,
    adjust_saturation,
    gaussian_blur,
    invert,
    posterize,
    rgb_to_grayscale,
    solarize,
    to_grayscale,
)
from torchvision.transforms._given import (
    OF_PIL,
    InterpolationMode,
    bound,
    checked,
    get_dimensions,
    get_image_num_channels,
    get_image_size,
    in_floats,
    interpolation_of,
    is_pil,
)
from torchvision.transforms._turned import affine, rotate

_ARRAYS = {"I": np.int32, "F": np.float32}


def _bands(pic):
    """A PIL picture as a tensor (channels, height, width) of its own type."""
    table = np.array(pic, _ARRAYS.get(pic.mode, np.uint8), copy=True)
    table = torch.from_numpy(table * np.uint8(255) if pic.mode == "1" else table)
    return table.view(pic.size[1], pic.size[0], len(pic.getbands())).permute(2, 0, 1).contiguous()


def to_tensor(pic):
    """A picture of PIL, or an array (height, width, channels), as a tensor (channels, height, width); bytes become
    floats from 0 to 1. Raises TypeError for anything else, ValueError for an array of other than 2 or 3 dimensions."""
    if not (is_pil(pic) or isinstance(pic, np.ndarray)):
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
    if isinstance(pic, np.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        made = torch.from_numpy((pic[:, :, None] if pic.ndim == 2 else pic).transpose((2, 0, 1))).contiguous()
    else:
        made = _bands(pic)
    return made.to(dtype=torch.get_default_dtype()).div(255) if made.dtype == torch.uint8 else made


def pil_to_tensor(pic):
    """A PIL picture as a tensor (channels, height, width) of its own type."""
    if not is_pil(pic):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    return _bands(pic)


def convert_image_dtype(image, dtype=torch.float):
    """The tensor in another type, its values scaled to what the type has. Raises TypeError for what is no tensor, and
    RuntimeError where float numbers would not hold all of the type's."""
    if not isinstance(image, torch.Tensor):
        raise TypeError("Input img should be Tensor Image")
    if image.dtype == dtype:
        return image
    most, new = bound(image.dtype), bound(dtype)
    if image.is_floating_point():
        if dtype.is_floating_point:
            return image.to(dtype)
        if (image.dtype == torch.float32 and dtype in (torch.int32, torch.int64)) or (
            image.dtype == torch.float64 and dtype == torch.int64
        ):
            raise RuntimeError(f"The cast from {image.dtype} to {dtype} cannot be performed safely.")
        return image.mul(new + 1.0 - 1e-3).to(dtype)
    if dtype.is_floating_point:
        return image.to(dtype) / most
    if most > new:
        return torch.div(image, (most + 1) // (new + 1), rounding_mode="floor").to(dtype)
    return image.to(dtype) * ((new + 1) // (most + 1))


_MODES = {
    1: {"uint8": "L", "int32": "I", "float32": "F"},
    2: {"uint8": "LA"},
    3: {"uint8": "RGB"},
    4: {"uint8": "RGBA"},
}
_ALLOWED = {2: ("LA",), 3: ("RGB", "YCbCr", "HSV"), 4: ("RGBA", "CMYK", "RGBX")}


def to_pil_image(pic, mode=None):
    """A tensor (channels, height, width), or an array (height, width, channels), as a picture of PIL. Floats are taken to
    be from 0 to 1. Raises TypeError and ValueError for what is no picture."""
    if isinstance(pic, torch.Tensor):
        pic = (pic.permute((1, 2, 0)) if pic.ndim == 3 else pic).numpy(force=True)
    elif not isinstance(pic, np.ndarray):
        raise TypeError(f"pic should be Tensor or ndarray. Got {type(pic)}.")
    table = np.expand_dims(pic, 2) if pic.ndim == 2 else pic
    if table.ndim != 3:
        raise ValueError(f"pic should be 2/3 dimensional. Got {table.ndim} dimensions.")
    bands = table.shape[-1]
    if bands > 4:
        raise ValueError(f"pic should not have > 4 channels. Got {bands} channels.")
    if np.issubdtype(table.dtype, np.floating) and mode != "F":
        table = (table * 255).astype(np.uint8)
    expected = _MODES[bands].get(str(table.dtype))
    if bands == 1:
        table = table[:, :, 0]
        if mode is not None and mode != expected:
            raise ValueError(
                f"Incorrect mode ({mode}) supplied for input type <class 'numpy.dtype'>. Should be {expected}"
            )
    elif mode is not None and mode not in _ALLOWED[bands]:
        raise ValueError(f"Only modes {list(_ALLOWED[bands])} are supported for {bands}D inputs")
    if expected is None:
        raise TypeError(f"Input type {table.dtype} is not supported")
    return Image.fromarray(np.ascontiguousarray(table))


def normalize(tensor, mean, std, inplace=False):
    """(tensor - mean) / std, channel by channel. Raises TypeError for whole numbers, ValueError for a std of 0."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError(
            f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}"
        )
    made = tensor if inplace else tensor.clone()
    mean, std = (torch.as_tensor(each, dtype=made.dtype, device=made.device) for each in (mean, std))
    if (std == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {made.dtype}, leading to division by zero.")
    mean, std = (each.view(-1, 1, 1) if each.ndim == 1 else each for each in (mean, std))
    return made.sub_(mean).div_(std)


def _new_size(old, size, max_size):
    """(height, width) of a picture of (height, width) `old` whose shorter side becomes size[0]."""
    height, width = old
    short, long = sorted((width, height))
    new_short, new_long = size[0], int(size[0] * long / short)
    if max_size is not None:
        if max_size <= size[0]:
            raise ValueError(
                f"max_size = {max_size} must be strictly greater than the requested size for the smaller edge size ="
                f" {size}"
            )
        if new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
    return [new_long, new_short] if width <= height else [new_short, new_long]


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """The picture in the (height, width) `size`; of one number, its shorter side becomes that."""
    interpolation = interpolation_of(interpolation)
    if isinstance(size, (list, tuple)):
        if len(size) not in (1, 2):
            raise ValueError(
                f"Size must be an int or a 1 or 2 element tuple/list, not a {len(size)} element tuple/list"
            )
        if max_size is not None and len(size) != 1:
            raise ValueError(
                "max_size should only be passed if size specifies the length of the smaller edge, i.e. size should be an"
                " int or a sequence of length 1 in torchscript mode."
            )
    old = get_dimensions(img)[1:]
    size = [size] if isinstance(size, int) else size
    new = list(size) if len(size) == 2 else _new_size(old, size, max_size)
    if new == old:
        return img
    if is_pil(img):
        return img.resize((new[1], new[0]), OF_PIL[interpolation.value])
    mode = interpolation.value
    smooth = mode in ("bilinear", "bicubic")
    rest = {"align_corners": False, "antialias": bool(antialias)} if smooth else {}

    def work(table):
        made = _F.interpolate(table, size=new, mode=mode, **rest)
        return made.clamp(0, 255) if mode == "bicubic" and img.dtype == torch.uint8 else made

    return in_floats(img, work)


def _sides(padding):
    """[left, top, right, bottom]."""
    if isinstance(padding, int):
        return [padding] * 4
    if not isinstance(padding, (tuple, list)):
        raise TypeError("Got inappropriate padding arg")
    if len(padding) not in (1, 2, 4):
        raise ValueError(f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple")
    return list(padding) * (4 // len(padding))


_WAYS = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}


def _mirrored(count, before, after):
    """The places of a side of `count`, continued on both ends as in a mirror."""
    places = [*reversed(range(before)), *range(count), *(count - 1 - each for each in range(after))]
    return torch.tensor(places)


def pad(img, padding, fill=0, padding_mode="constant"):
    """The picture with a border: of one width, (left and right, top and bottom), or (left, top, right, bottom)."""
    left, top, right, bottom = _sides(padding)
    if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
        raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
    if is_pil(checked(img)):
        table = np.asarray(img)
        around = [(top, bottom), (left, right)] + [(0, 0)] * (table.ndim - 2)
        if padding_mode != "constant":
            return Image.fromarray(np.pad(table, around, mode=padding_mode))
        bands = len(img.getbands())
        colors = fill if isinstance(fill, (tuple, list)) and len(fill) == bands else [fill] * bands
        colors = tuple(int(each) if img.mode != "F" else each for each in np.ravel(colors)[:bands])
        made = Image.new(
            img.mode, (img.width + left + right, img.height + top + bottom), colors if bands > 1 else colors[0]
        )
        made.paste(img, (left, top))
        return made
    if padding_mode == "symmetric":
        rows, columns = _mirrored(img.shape[-2], top, bottom), _mirrored(img.shape[-1], left, right)
        return img[..., rows[:, None], columns[None, :]]
    value = fill[0] if isinstance(fill, (tuple, list)) else fill
    if padding_mode == "constant":
        return _F.pad(img, [left, right, top, bottom], value=float(value))
    return in_floats(img, lambda table: _F.pad(table, [left, right, top, bottom], mode=_WAYS[padding_mode]))


def crop(img, top, left, height, width):
    """What is within height and width of (top, left); what lies outside is 0."""
    if is_pil(checked(img)):
        return img.crop((left, top, left + width, top + height))
    high, wide = img.shape[-2:]
    right, bottom = left + width, top + height
    inside = img[..., max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
    if left < 0 or top < 0 or right > wide or bottom > high:
        beyond = [max(-left + min(0, right), 0), max(right - max(wide, left), 0)]
        beyond += [max(-top + min(0, bottom), 0), max(bottom - max(high, top), 0)]
        return _F.pad(inside, beyond, value=0.0)
    return inside


def _pair(size):
    return (int(size), int(size)) if isinstance(size, Number) else (size[0], size[0]) if len(size) == 1 else tuple(size)


def center_crop(img, output_size):
    """The middle of the picture; a smaller one is padded with 0."""
    high, wide = _pair(output_size)
    _, height, width = get_dimensions(img)
    if wide > width or high > height:
        across, down = max(wide - width, 0), max(high - height, 0)
        img = pad(img, [across // 2, down // 2, (across + 1) // 2, (down + 1) // 2], fill=0)
        _, height, width = get_dimensions(img)
        if (wide, high) == (width, height):
            return img
    return crop(img, int(round((height - high) / 2.0)), int(round((width - wide) / 2.0)), high, wide)


def resized_crop(img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True):
    return resize(crop(img, top, left, height, width), size, interpolation, antialias=antialias)


def hflip(img):
    return img.transpose(Image.FLIP_LEFT_RIGHT) if is_pil(checked(img)) else img.flip(-1)


def vflip(img):
    return img.transpose(Image.FLIP_TOP_BOTTOM) if is_pil(checked(img)) else img.flip(-2)


def five_crop(img, size):
    """The four corners and the middle."""
    high, wide = _pair(size)
    _, height, width = get_dimensions(img)
    if wide > width or high > height:
        raise ValueError(f"Requested crop size {(high, wide)} is bigger than input size {(height, width)}")
    corners = [(top, left) for top in (0, height - high) for left in (0, width - wide)]
    return (*(crop(img, top, left, high, wide) for top, left in corners), center_crop(img, [high, wide]))


def ten_crop(img, size, vertical_flip=False):
    """five_crop() of the picture and of its mirror image."""
    return five_crop(img, size) + five_crop(vflip(img) if vertical_flip else hflip(img), size)


def erase(img, i, j, h, w, v, inplace=False):
    """The tensor with `v` in a rectangle."""
    if not isinstance(img, torch.Tensor):
        raise TypeError(f"Unexpected type {type(img)}")
    made = img if inplace else img.clone()
    made[..., i : i + h, j : j + w] = v
    return made
