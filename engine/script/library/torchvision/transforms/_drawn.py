# type: ignore
"""Transforms of chance that leave a picture where it is, for torchvision.transforms. All is drawn as torchvision draws
it."""

import math
import random
from numbers import Number

import torch
import torchvision.transforms.functional as _F
from torchvision.transforms._fixed import Told, size_of


def uniform(low, high):
    return torch.empty(1).uniform_(low, high).item()


def below(count):
    return torch.randint(0, count, size=(1,)).item()


class RandomApply(torch.nn.Module):
    """All of the transforms, or none."""

    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms, self.p = transforms, p

    def forward(self, img):
        if self.p < torch.rand(1):
            return img
        for each in self.transforms:
            img = each(img)
        return img

    def __repr__(self):
        return "\n".join(["RandomApply(", f"    p={self.p}", *(f"    {each}" for each in self.transforms), ")"])


class _Several:
    def __init__(self, transforms):
        if not isinstance(transforms, (list, tuple)):
            raise TypeError("Argument transforms should be a sequence")
        self.transforms = transforms

    def __repr__(self):
        return "\n".join([f"{type(self).__name__}(", *(f"    {each}" for each in self.transforms), ")"])


class RandomOrder(_Several):
    def __call__(self, img):
        order = list(range(len(self.transforms)))
        random.shuffle(order)
        for each in order:
            img = self.transforms[each](img)
        return img


class RandomChoice(_Several):
    def __init__(self, transforms, p=None):
        super().__init__(transforms)
        if p is not None and not isinstance(p, (list, tuple)):
            raise TypeError("Argument p should be a sequence")
        self.p = p

    def __call__(self, *args):
        return random.choices(self.transforms, weights=self.p)[0](*args)

    def __repr__(self):
        return f"{super().__repr__()}(p={self.p})"


class _Chance(Told):
    """What is done with probability p."""

    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, img):
        return self._done(img) if torch.rand(1) < self.p else img

    def _told(self):
        return f"p={self.p}"


class RandomHorizontalFlip(_Chance):
    def _done(self, img):
        return _F.hflip(img)


class RandomVerticalFlip(_Chance):
    def _done(self, img):
        return _F.vflip(img)


class RandomInvert(_Chance):
    def _done(self, img):
        return _F.invert(img)


class RandomSolarize(_Chance):
    def __init__(self, threshold, p=0.5):
        super().__init__(p)
        self.threshold = threshold

    def _done(self, img):
        return _F.solarize(img, self.threshold)

    def _told(self):
        return f"threshold={self.threshold},p={self.p}"


class RandomPosterize(_Chance):
    def __init__(self, bits, p=0.5):
        super().__init__(p)
        self.bits = bits

    def _done(self, img):
        return _F.posterize(img, self.bits)

    def _told(self):
        return f"bits={self.bits},p={self.p}"


class RandomGrayscale(_Chance):
    def __init__(self, p=0.1):
        super().__init__(p)

    def forward(self, img):
        channels = _F.get_dimensions(img)[0]
        return _F.rgb_to_grayscale(img, num_output_channels=channels) if torch.rand(1) < self.p else img


class RandomErasing(Told):
    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        super().__init__()
        if not isinstance(value, (Number, str, tuple, list)):
            raise TypeError("Argument value should be either a number or str or a sequence")
        if isinstance(value, str) and value != "random":
            raise ValueError("If value is str, it should be 'random'")
        if scale[0] < 0 or scale[1] > 1:
            raise ValueError("Scale should be between 0 and 1")
        if p < 0 or p > 1:
            raise ValueError("Random erasing probability should be between 0 and 1")
        self.p, self.scale, self.ratio, self.value, self.inplace = p, scale, ratio, value, inplace

    @staticmethod
    def get_params(img, scale, ratio, value=None):
        """(top, left, height, width, what comes there); the whole picture where ten do not fit."""
        channels, height, width = img.shape[-3:]
        logs = torch.log(torch.tensor(ratio))
        for _ in range(10):
            area = height * width * uniform(scale[0], scale[1])
            shape = torch.exp(torch.empty(1).uniform_(logs[0], logs[1])).item()
            high, wide = int(round(math.sqrt(area * shape))), int(round(math.sqrt(area / shape)))
            if not (high < height and wide < width):
                continue
            if value is None:
                new = torch.empty([channels, high, wide], dtype=torch.float32).normal_()
            else:
                new = torch.tensor(value)[:, None, None]
            top = below(height - high + 1)
            return top, below(width - wide + 1), high, wide, new
        return 0, 0, height, width, img

    def forward(self, img):
        if torch.rand(1) < self.p:
            value = [float(self.value)] if isinstance(self.value, (int, float)) else self.value
            value = None if isinstance(value, str) else list(value)
            if value is not None and len(value) not in (1, img.shape[-3]):
                raise ValueError(
                    "If value is a sequence, it should have either a single value or"
                    f" {img.shape[-3]} (number of input channels)"
                )
            return _F.erase(img, *self.get_params(img, self.scale, self.ratio, value), self.inplace)
        return img

    def _told(self):
        return f"p={self.p}, scale={self.scale}, ratio={self.ratio}, value={self.value}, inplace={self.inplace}"


def _range(value, name, center=1, limits=(0, float("inf")), from_zero=True):
    """(least, most) of a factor, None where it changes nothing."""
    if isinstance(value, Number):
        if value < 0:
            raise ValueError(f"If {name} is a single number, it must be non negative.")
        value = [center - float(value), center + float(value)]
        value[0] = max(value[0], 0.0) if from_zero else value[0]
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        value = [float(value[0]), float(value[1])]
    else:
        raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
    if not limits[0] <= value[0] <= value[1] <= limits[1]:
        raise ValueError(f"{name} values should be between {limits}, but got {value}.")
    return None if value[0] == value[1] == center else tuple(value)


class ColorJitter(Told):
    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        super().__init__()
        self.brightness, self.contrast = _range(brightness, "brightness"), _range(contrast, "contrast")
        self.saturation = _range(saturation, "saturation")
        self.hue = _range(hue, "hue", center=0, limits=(-0.5, 0.5), from_zero=False)

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        """The order of the four, and a factor of each."""
        order = torch.randperm(4)
        ranges = (brightness, contrast, saturation, hue)
        return (order, *(None if each is None else float(uniform(each[0], each[1])) for each in ranges))

    def forward(self, img):
        order, *factors = self.get_params(self.brightness, self.contrast, self.saturation, self.hue)
        ways = (_F.adjust_brightness, _F.adjust_contrast, _F.adjust_saturation, _F.adjust_hue)
        for each in order.tolist():
            img = img if factors[each] is None else ways[each](img, factors[each])
        return img

    def _told(self):
        names = ("brightness", "contrast", "saturation", "hue")
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)


class GaussianBlur(Told):
    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        super().__init__()
        self.kernel_size = size_of(kernel_size, "Kernel size should be a tuple/list of two integers")
        for size in self.kernel_size:
            if size <= 0 or size % 2 == 0:
                raise ValueError("Kernel size value should be an odd and positive number.")
        if isinstance(sigma, Number):
            if sigma <= 0:
                raise ValueError("If sigma is a single number, it must be positive.")
            sigma = (sigma, sigma)
        elif not 0.0 < sigma[0] <= sigma[1]:
            raise ValueError("sigma values should be positive and of the form (min, max).")
        self.sigma = sigma

    def forward(self, img):
        sigma = uniform(self.sigma[0], self.sigma[1])
        return _F.gaussian_blur(img, self.kernel_size, [sigma, sigma])

    def _told(self):
        return f"kernel_size={self.kernel_size}, sigma={self.sigma}"
