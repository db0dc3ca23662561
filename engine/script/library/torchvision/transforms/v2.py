# type: ignore
"""torchvision.transforms.v2: of the newer transforms those that prepare pictures, crop, pad, flip and turn them. What is
given beside a picture, as its class, is given back as it is; pictures are plain tensors here."""

import torch
import torch.nn.functional as _functional
import torchvision.transforms as _first
import torchvision.transforms.functional as _F
from torchvision.transforms._given import InterpolationMode, interpolation_of, is_pil


class Transform(torch.nn.Module):
    """What is done to the first picture of what is given: PIL's, or a tensor."""

    _shown = ()

    def transform(self, inpt, params):
        raise NotImplementedError

    def _takes(self, inpt):
        return is_pil(inpt) or isinstance(inpt, torch.Tensor)

    def forward(self, *inputs):
        given = inputs[0] if len(inputs) == 1 else inputs
        if not isinstance(given, (tuple, list)):
            return self.transform(given, {}) if self._takes(given) else given
        made, done = [], False
        for each in given:
            taken = not done and self._takes(each)
            made.append(self.transform(each, {}) if taken else each)
            done = done or taken
        return type(given)(made)

    def extra_repr(self):
        pairs = [(name, getattr(self, name)) for name in self._shown]
        return ", ".join(f"{name}={each}" for name, each in pairs if each is not None)


class Compose(Transform):
    def __init__(self, transforms):
        super().__init__()
        if not isinstance(transforms, (list, tuple)):
            raise TypeError("Argument transforms should be a sequence of callables")
        if not transforms:
            raise ValueError("Pass at least one transform")
        self.transforms = transforms

    def forward(self, *inputs):
        for each in self.transforms:
            made = each(*inputs)
            inputs = made if len(inputs) > 1 else (made,)
        return made

    def extra_repr(self):
        return "\n".join(f"    {each}" for each in self.transforms)


class _Drawn:
    def _with(self, p):
        if not 0.0 <= p <= 1.0:
            raise ValueError("`p` should be a floating point value in the interval [0.0, 1.0].")
        self.p = p

    def forward(self, *inputs):
        if torch.rand(1) >= self.p:
            return inputs if len(inputs) > 1 else inputs[0]
        return super().forward(*inputs)


class RandomApply(_Drawn, Compose):
    def __init__(self, transforms, p=0.5):
        super().__init__(transforms)
        self._with(p)


class Identity(Transform):
    def transform(self, inpt, params):
        return inpt


class ToPureTensor(Identity):
    pass


class Lambda(Transform):
    def __init__(self, lambd, *types):
        super().__init__()
        self.lambd, self.types = lambd, types or (object,)

    def _takes(self, inpt):
        return isinstance(inpt, self.types)

    def transform(self, inpt, params):
        return self.lambd(inpt)

    def forward(self, *inputs):
        made = tuple(self.lambd(each) if self._takes(each) else each for each in inputs)
        return made if len(inputs) > 1 else made[0]

    def extra_repr(self):
        name = getattr(self.lambd, "__name__", "")
        return ", ".join([name] * bool(name) + [f"types={[each.__name__ for each in self.types]}"])


class ToImage(Transform):
    """A picture of PIL, or an array, as a tensor (channels, height, width) of its own type."""

    def _takes(self, inpt):
        return super()._takes(inpt) or type(inpt).__name__ == "ndarray"

    def transform(self, inpt, params):
        if is_pil(inpt):
            return _F.pil_to_tensor(inpt)
        if isinstance(inpt, torch.Tensor):
            return inpt
        return torch.from_numpy(inpt[..., None] if inpt.ndim < 3 else inpt).permute((2, 0, 1)).contiguous()


class PILToTensor(Transform):
    def transform(self, inpt, params):
        return _F.pil_to_tensor(inpt) if is_pil(inpt) else inpt


class ToTensor(ToImage):
    def transform(self, inpt, params):
        return inpt if isinstance(inpt, torch.Tensor) else _F.to_tensor(inpt)


class ToPILImage(ToImage):
    _shown = ("mode",)

    def __init__(self, mode=None):
        super().__init__()
        self.mode = mode

    def transform(self, inpt, params):
        return inpt if is_pil(inpt) else _F.to_pil_image(inpt, self.mode)


class ToDtype(Transform):
    """The tensor in another type; with `scale` its values are scaled to what the type has."""

    _shown = ("scale",)

    def __init__(self, dtype, scale=False):
        super().__init__()
        if not isinstance(dtype, torch.dtype):
            raise ValueError(f"dtype must be a dict or a torch.dtype, got {type(dtype)} instead")
        self.dtype, self.scale = dtype, scale

    def transform(self, inpt, params):
        if is_pil(inpt):
            return inpt
        if self.scale and self.dtype.is_floating_point and not inpt.is_floating_point():
            return inpt.to(self.dtype).mul_(1.0 / torch.iinfo(inpt.dtype).max)
        return _F.convert_image_dtype(inpt, self.dtype) if self.scale else inpt.to(self.dtype)


class ConvertImageDtype(ToDtype):
    _shown = ()

    def __init__(self, dtype=torch.float32):
        super().__init__(dtype, True)


class Normalize(Transform):
    _shown = ("mean", "std", "inplace")

    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean, self.std, self.inplace = list(mean), list(std), inplace

    def transform(self, inpt, params):
        if is_pil(inpt):
            raise TypeError("Normalize() does not support PIL images.")
        if inpt.is_floating_point() and not all(self.std):
            raise ValueError("std evaluated to zero, leading to division by zero.")
        return _F.normalize(inpt, self.mean, self.std, self.inplace)


class CenterCrop(Transform):
    _shown = ("size",)

    def __init__(self, size):
        super().__init__()
        self.size = _first.CenterCrop(size).size

    def transform(self, inpt, params):
        return _F.center_crop(inpt, self.size)


class Pad(Transform):
    _shown = ("padding", "fill", "padding_mode")

    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        _first.Pad(padding, fill, padding_mode)
        self.padding = padding if isinstance(padding, int) else list(padding)
        self.fill, self.padding_mode = fill, padding_mode

    def transform(self, inpt, params):
        return _F.pad(inpt, self.padding, self.fill, self.padding_mode)


def _mode(given):
    """An InterpolationMode: itself, its name, or Pillow's number of it."""
    return InterpolationMode(given) if isinstance(given, str) else interpolation_of(given)


def _resized(inpt, size, interpolation, max_size, antialias):
    """As _F.resize(), but that bytes are made others as bytes."""
    interpolation = _mode(interpolation)
    smooth = interpolation in (InterpolationMode.BILINEAR, InterpolationMode.BICUBIC)
    if is_pil(inpt) or inpt.dtype != torch.uint8 or not smooth:
        return _F.resize(inpt, size, interpolation, max_size, antialias)
    new = _F.resize(inpt, size, InterpolationMode.NEAREST, max_size).shape[-2:]
    if new == inpt.shape[-2:]:
        return inpt
    table = inpt.reshape(-1, *inpt.shape[-3:])
    made = _functional.interpolate(
        table, size=list(new), mode=interpolation.value, align_corners=False, antialias=bool(antialias)
    )
    return made.reshape(*inpt.shape[:-2], *new)


class Resize(Transform):
    _shown = ("size", "interpolation", "max_size", "antialias")

    def __init__(self, size, interpolation="bilinear", max_size=None, antialias=True):
        super().__init__()
        if not isinstance(size, (int, list, tuple)):
            raise ValueError(
                f"size can be an integer, a sequence of one or two integers, or None, but got {size} instead."
            )
        _first.Resize(size, _mode(interpolation))
        self.size = [size] if isinstance(size, int) else list(size)
        self.interpolation, self.max_size, self.antialias = interpolation, max_size, antialias

    def transform(self, inpt, params):
        return _resized(inpt, self.size, self.interpolation, self.max_size, self.antialias)


class _Chance(_Drawn, Transform):
    _shown = ("p",)

    def __init__(self, p=0.5):
        super().__init__()
        self._with(p)


class RandomHorizontalFlip(_Chance):
    def transform(self, inpt, params):
        return _F.hflip(inpt)


class RandomVerticalFlip(_Chance):
    def transform(self, inpt, params):
        return _F.vflip(inpt)


class RandomCrop(Transform):
    _shown = ("size", "padding", "pad_if_needed", "fill", "padding_mode")

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__()
        self.size = _first.RandomCrop(size).size
        if padding:
            _first.Pad(padding, fill, padding_mode)
            sides = [padding] * 4 if isinstance(padding, int) else list(padding) * (4 // len(padding))
            left, top, right, bottom = sides
            padding = [left, right, top, bottom]
        self.padding, self.pad_if_needed = padding or None, pad_if_needed
        self.fill, self.padding_mode = fill, padding_mode

    def transform(self, inpt, params):
        left, right, top, bottom = self.padding or [0] * 4
        _, height, width = _F.get_dimensions(inpt)
        height, width = height + top + bottom, width + left + right
        high, wide = self.size
        if self.pad_if_needed and height < high:
            more = high - height
            top, bottom, height = top + more, bottom + more, height + 2 * more
        if self.pad_if_needed and width < wide:
            more = wide - width
            left, right, width = left + more, right + more, width + 2 * more
        if height < high or width < wide:
            raise ValueError(
                f"Required crop size {(high, wide)} is larger than {'padded ' if self.padding is not None else ''}"
                f"input image size {(height, width)}."
            )
        row = int(torch.randint(0, height - high + 1, size=())) if height > high else 0
        column = int(torch.randint(0, width - wide + 1, size=())) if width > wide else 0
        if any((left, top, right, bottom)):
            inpt = _F.pad(inpt, [left, top, right, bottom], self.fill, self.padding_mode)
        return _F.crop(inpt, row, column, high, wide) if (height, width) != (high, wide) else inpt


class RandomResizedCrop(Transform):
    _shown = ("size", "scale", "ratio", "interpolation", "antialias")

    def __init__(
        self,
        size,
        scale=(0.08, 1.0),
        ratio=(3.0 / 4.0, 4.0 / 3.0),
        interpolation="bilinear",
        antialias=True,
    ):
        super().__init__()
        checked = _first.RandomResizedCrop(size, scale, ratio, _mode(interpolation), antialias)
        self.size, self.scale, self.ratio = checked.size, scale, ratio
        self.interpolation, self.antialias = interpolation, antialias

    def transform(self, inpt, params):
        place = _first.RandomResizedCrop.get_params(inpt, self.scale, self.ratio)
        return _resized(_F.crop(inpt, *place), list(self.size), self.interpolation, None, self.antialias)


class RandomRotation(Transform):
    _shown = ("degrees", "interpolation", "expand", "center", "fill")

    def __init__(self, degrees, interpolation="nearest", expand=False, center=None, fill=0):
        super().__init__()
        checked = _first.RandomRotation(degrees, _mode(interpolation), expand, center, fill)
        self.degrees, self.interpolation, self.expand = checked.degrees, interpolation, expand
        self.center, self.fill = center, fill

    def transform(self, inpt, params):
        angle = torch.empty(1).uniform_(self.degrees[0], self.degrees[1]).item()
        fill = self.fill
        if isinstance(inpt, torch.Tensor):
            if self.center is None and angle % 90 == 0 and (self.expand or angle % 180 == 0):
                return torch.rot90(inpt, k=int(angle // 90), dims=(-2, -1))
            fill = fill if isinstance(fill, (list, tuple)) else [float(fill)] * _F.get_dimensions(inpt)[0]
        return _F.rotate(inpt, angle, _mode(self.interpolation), self.expand, self.center, fill)
