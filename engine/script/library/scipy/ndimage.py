# type: ignore
"""scipy.ndimage: filters along axes."""

import numpy as np

AROUND = {"reflect": "symmetric", "constant": "constant", "nearest": "edge", "mirror": "reflect", "wrap": "wrap"}


def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The sum over neighbours along an axis, each times its weight."""
    x, weights = np.asarray(input), np.asarray(weights, dtype=np.float64)
    if mode not in AROUND:
        raise RuntimeError("boundary mode not supported")
    before = len(weights) // 2 + origin
    widths = [(before, len(weights) - 1 - before) if i == axis % x.ndim else (0, 0) for i in range(x.ndim)]
    given = {"constant_values": cval} if mode == "constant" else {}
    wide = np.moveaxis(np.pad(x.astype(np.float64), widths, mode=AROUND[mode], **given), axis, -1)
    size = x.shape[axis]
    made = np.zeros(wide.shape[:-1] + (size,))
    for i in range(len(weights)):
        made += wide[..., i : i + size] * weights[i]
    return np.moveaxis(made, -1, axis).astype(x.dtype)


def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    weights = np.asarray(weights)[::-1]
    return correlate1d(input, weights, axis, output, mode, cval, -origin - (1 - len(weights) % 2))


def gaussian_filter1d(
    input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None
):
    if order:
        raise ValueError("gaussian_filter1d() takes order=0 here")
    radius = int(truncate * float(sigma) + 0.5) if radius is None else radius
    places = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 / (sigma * sigma) * places**2)
    return correlate1d(input, weights / weights.sum(), axis, output, mode, cval)


def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None):
    x = np.asarray(input)
    sigmas = [sigma] * x.ndim if np.ndim(sigma) == 0 else list(sigma)
    for axis in range(x.ndim):
        if sigmas[axis] > 1e-15:
            x = gaussian_filter1d(x, sigmas[axis], axis, order, None, mode, cval, truncate, radius=radius)
    return x


def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    return correlate1d(input, np.full(size, 1.0 / size), axis, output, mode, cval, origin)


def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0):
    x = np.asarray(input)
    for axis in range(x.ndim):
        x = uniform_filter1d(x, size if np.ndim(size) == 0 else size[axis], axis, None, mode, cval, origin)
    return x
