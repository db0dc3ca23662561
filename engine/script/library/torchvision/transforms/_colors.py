# type: ignore
"""Colours of pictures, for torchvision.transforms.functional."""

import numpy as np
import torch
import torch.nn.functional as _F
from PIL import Image
from torchvision.transforms._given import bound, checked, get_dimensions, in_floats, is_pil, listed


def _gray(img):
    red, green, blue = img.unbind(-3)
    return (0.2989 * red + 0.587 * green + 0.114 * blue).to(img.dtype).unsqueeze(-3)


def rgb_to_grayscale(img, num_output_channels=1):
    """Shades of gray, in 1 channel or in 3 that are alike."""
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if is_pil(checked(img)):
        made = img.convert("L")
        return made if num_output_channels == 1 else Image.merge("RGB", [made] * 3)
    channels = get_dimensions(img)[0]
    if channels not in (1, 3):
        raise TypeError(f"Input image tensor permitted channel values are [1, 3], but found {channels}")
    made = _gray(img) if channels == 3 else img.clone()
    return made.expand(img.shape[:-3] + (3, *img.shape[-2:])) if num_output_channels == 3 else made


def to_grayscale(img, num_output_channels=1):
    """rgb_to_grayscale() of a PIL picture."""
    if not is_pil(img):
        raise TypeError("Input should be PIL Image")
    return rgb_to_grayscale(img, num_output_channels)


def _blend(img, other, ratio):
    ratio = float(ratio)
    return (ratio * img + (1.0 - ratio) * other).clamp(0, bound(img.dtype)).to(img.dtype)


def _within(channels, allowed, of):
    if channels not in allowed:
        raise TypeError(f"Input image tensor permitted channel values are {list(allowed)}, but found {channels}")


def _positive(name, factor):
    if factor < 0:
        raise ValueError(f"{name} ({factor}) is not non-negative.")


def adjust_brightness(img, brightness_factor):
    if is_pil(checked(img)):
        return Image.blend(Image.new(img.mode, img.size), img, brightness_factor)
    _positive("brightness_factor", brightness_factor)
    _within(get_dimensions(img)[0], (1, 3), img)
    return _blend(img, torch.zeros_like(img), brightness_factor)


def adjust_contrast(img, contrast_factor):
    if is_pil(checked(img)):
        middle = int(np.asarray(img.convert("L")).mean() + 0.5)
        return Image.blend(Image.new("L", img.size, middle).convert(img.mode), img, contrast_factor)
    _positive("contrast_factor", contrast_factor)
    channels = get_dimensions(img)[0]
    _within(channels, (3, 1), img)
    dtype = img.dtype if torch.is_floating_point(img) else torch.float32
    mean = torch.mean((_gray(img) if channels == 3 else img).to(dtype), dim=(-3, -2, -1), keepdim=True)
    return _blend(img, mean, contrast_factor)


def adjust_saturation(img, saturation_factor):
    if is_pil(checked(img)):
        return Image.blend(img.convert("L").convert(img.mode), img, saturation_factor)
    _positive("saturation_factor", saturation_factor)
    channels = get_dimensions(img)[0]
    _within(channels, (1, 3), img)
    return img if channels == 1 else _blend(img, _gray(img), saturation_factor)


def adjust_gamma(img, gamma, gain=1):
    """255 * gain * (value / 255) ** gamma of each value."""
    if gamma < 0:
        raise ValueError("Gamma should be a non-negative real number")
    if is_pil(checked(img)):
        table = [int((255 + 1 - 1e-3) * gain * pow(each / 255.0, gamma)) for each in range(256)]
        return img.point(table * len(img.getbands()))
    floats = img if img.is_floating_point() else img.to(torch.float32) / bound(img.dtype)
    made = (gain * floats**gamma).clamp(0, 1)
    return made if img.is_floating_point() else made.mul(bound(img.dtype) + 1.0 - 1e-3).to(img.dtype)


def _hsv(img):
    """Hue, saturation and value of red, green and blue, from 0 to 1."""
    red, green, blue = img.unbind(dim=-3)
    most, least = torch.max(img, dim=-3).values, torch.min(img, dim=-3).values
    same, spread = most == least, most - least
    ones = torch.ones_like(most)
    saturation = spread / torch.where(same, ones, most)
    divisor = torch.where(same, ones, spread)
    far_red, far_green, far_blue = (most - red) / divisor, (most - green) / divisor, (most - blue) / divisor
    hue = (most == red) * (far_blue - far_green)
    hue = hue + ((most == green) & (most != red)) * (2.0 + far_red - far_blue)
    hue = hue + ((most != green) & (most != red)) * (4.0 + far_green - far_red)
    return torch.fmod(hue / 6.0 + 1.0, 1.0), saturation, most


def _rgb(hue, saturation, value):
    place = torch.floor(hue * 6.0)
    rest = hue * 6.0 - place
    place = place.to(torch.int32) % 6
    low = torch.clamp(value * (1.0 - saturation), 0.0, 1.0)
    falling = torch.clamp(value * (1.0 - saturation * rest), 0.0, 1.0)
    rising = torch.clamp(value * (1.0 - (saturation * (1.0 - rest))), 0.0, 1.0)
    ways = (
        (value, falling, low, low, rising, value),
        (rising, value, value, falling, low, low),
        (low, low, rising, value, value, falling),
    )
    chosen = place.unsqueeze(0).to(torch.int64)
    return torch.stack([torch.stack(way).gather(0, chosen)[0] for way in ways], dim=-3)


def adjust_hue(img, hue_factor):
    """The colours turned by `hue_factor`, from -0.5 to 0.5."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if is_pil(checked(img)):
        return img if img.mode in ("L", "1", "I", "F") else _turned_colors(img, hue_factor)
    channels = get_dimensions(img)[0]
    _within(channels, (1, 3), img)
    if channels == 1:
        return img
    floats = img if img.is_floating_point() else img.to(torch.float32) / bound(img.dtype)
    hue, saturation, value = _hsv(floats)
    made = _rgb((hue + hue_factor) % 1.0, saturation, value)
    return made if img.is_floating_point() else made.mul(bound(img.dtype) + 1.0 - 1e-3).to(img.dtype)


def _turned_colors(img, hue_factor):
    """Pillow's way over bytes of hue, saturation and value."""
    table = np.asarray(img.convert("RGB")).astype(np.float32)
    most, least = table.max(2), table.min(2)
    spread = most - least
    gray = spread == 0
    divisor = np.where(gray, np.float32(1), spread)
    far = (most[..., None] - table) / divisor[..., None]
    red, green = table[..., 0] == most, table[..., 1] == most
    hue = np.where(
        red,
        far[..., 2] - far[..., 1],
        np.where(green, 2.0 + far[..., 0] - far[..., 2], 4.0 + far[..., 1] - far[..., 0]),
    )
    hue = np.mod(hue / 6.0 + 1.0, 1.0)
    hue = np.where(gray, 0, np.clip((hue * 255.0).astype(int), 0, 255))
    saturation = np.where(gray, 0, np.clip((spread / np.where(most == 0, 1, most) * 255.0).astype(int), 0, 255))
    hue = (hue + int(hue_factor * 255)) % 256
    place = np.floor(hue * 6.0 / 255.0)
    rest = (hue * 6.0 / 255.0 - place).astype(np.float32)
    share = (saturation / 255.0).astype(np.float32)

    def rounded(values):
        return np.clip(np.floor(values.astype(np.float64) + 0.5), 0, 255)

    low, falling, rising = (
        rounded(most * (1.0 - share)),
        rounded(most * (1.0 - share * rest)),
        rounded(most * (1.0 - share * (1.0 - rest))),
    )
    which = place.astype(int) % 6
    ways = (
        (most, falling, low, low, rising, most),
        (rising, most, most, falling, low, low),
        (low, low, rising, most, most, falling),
    )
    made = np.stack([np.choose(which, way) for way in ways], 2)
    return Image.fromarray(np.where(saturation[..., None] == 0, most[..., None], made).astype(np.uint8))


def invert(img):
    if is_pil(checked(img)):
        return img.point([255 - each for each in range(256)] * len(img.getbands()))
    return bound(img.dtype) - img


def solarize(img, threshold):
    """Values from `threshold` on, inverted."""
    if is_pil(checked(img)):
        return img.point([each if each < threshold else 255 - each for each in range(256)] * len(img.getbands()))
    if threshold > bound(img.dtype):
        raise TypeError("Threshold should be less than bound of img.")
    return torch.where(img >= threshold, bound(img.dtype) - img, img)


def posterize(img, bits):
    """Bytes of which the first `bits` are left."""
    if not 0 <= bits <= 8:
        raise ValueError(f"The number if bits should be between 0 and 8. Got {bits}")
    mask = ~(2 ** (8 - bits) - 1) & 255
    if is_pil(checked(img)):
        return img.point([each & mask for each in range(256)] * len(img.getbands()))
    if img.dtype != torch.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")
    return img & mask


def _bell(size, sigma, dtype):
    reach = (size - 1) * 0.5
    places = torch.linspace(-reach, reach, steps=size, dtype=dtype)
    weights = torch.exp(-0.5 * (places / sigma).pow(2))
    return weights / weights.sum()


def gaussian_blur(img, kernel_size, sigma=None):
    """Each value as the mean of those around it, weighed by a bell of `kernel_size` (width, height)."""
    kernel_size = listed(kernel_size)
    if len(kernel_size) != 2:
        raise ValueError(f"If kernel_size is a sequence its length should be 2. Got {len(kernel_size)}")
    for size in kernel_size:
        if size % 2 == 0 or size < 0:
            raise ValueError(f"kernel_size should have odd and positive integers. Got {kernel_size}")
    sigma = [size * 0.15 + 0.35 for size in kernel_size] if sigma is None else listed(sigma)
    sigma = sigma * 2 if len(sigma) == 1 else sigma
    for each in sigma:
        if each <= 0.0:
            raise ValueError(f"sigma should have positive values. Got {sigma}")
    if is_pil(checked(img, "img should be PIL Image or Tensor. Got {}")):
        from torchvision.transforms.functional import pil_to_tensor, to_pil_image

        return to_pil_image(gaussian_blur(pil_to_tensor(img), kernel_size, sigma), mode=img.mode)

    def work(table):
        across, down = (_bell(size, float(each), table.dtype) for size, each in zip(kernel_size, sigma))
        kernel = torch.mm(down[:, None], across[None, :]).expand(table.shape[-3], 1, len(down), len(across))
        half = [kernel_size[0] // 2] * 2 + [kernel_size[1] // 2] * 2
        return _F.conv2d(_F.pad(table, half, mode="reflect"), kernel, groups=table.shape[-3])

    return in_floats(img, work)
