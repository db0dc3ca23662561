# type: ignore
"""Pictures in other sizes, by weights in fixed point as Pillow's."""

import math

import numpy as np

BITS = 22
NEAREST, LANCZOS, BILINEAR, BICUBIC, BOX, HAMMING = range(6)


def _box(x):
    return np.where((x > -0.5) & (x <= 0.5), 1.0, 0.0)


def _triangle(x):
    return np.maximum(1.0 - abs(x), 0.0)


def _sinc(x):
    turned = np.where(x == 0, 1.0, x) * math.pi
    return np.where(x == 0, 1.0, np.sin(turned) / turned)


def _hamming(x):
    x = abs(x)
    return np.where(x >= 1.0, 0.0, _sinc(x) * (0.54 + 0.46 * np.cos(x * math.pi)))


def _cubic(x):
    x, a = abs(x), -0.5
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1.0, near, np.where(x < 2.0, far, 0.0))


def _lanczos(x):
    return np.where((x >= -3.0) & (x < 3.0), _sinc(x) * _sinc(x / 3), 0.0)


FILTERS = {
    BOX: (_box, 0.5),
    BILINEAR: (_triangle, 1.0),
    HAMMING: (_hamming, 1.0),
    BICUBIC: (_cubic, 2.0),
    LANCZOS: (_lanczos, 3.0),
}


def _weights(old, start, end, new, kind):
    """How much of every old place is in every new one."""
    function, reach = FILTERS[kind]
    scale = (end - start) / new
    wide = max(scale, 1.0)
    table = np.zeros((new, old))
    for place in range(new):
        center = start + (place + 0.5) * scale
        first = max(int(center - reach * wide + 0.5), 0)
        last = min(int(center + reach * wide + 0.5), old)
        weights = function((np.arange(last - first) + first - center + 0.5) * (1.0 / wide))
        total = 0.0
        for each in weights.tolist():
            total += each
        table[place, first:last] = weights * (1.0 / total) if total else weights
    return table


def _along(table, weights, axis):
    table = np.moveaxis(table, axis, 0)
    if table.dtype == np.uint8:
        fixed = np.trunc(weights * (1 << BITS) + np.where(weights < 0, -0.5, 0.5))
        made = np.tensordot(fixed, table.astype(np.float64), 1)  # whole numbers of which float64 holds every one
        made = made.astype(np.int64) + (1 << (BITS - 1))
        made = np.clip(made >> BITS, 0, 255).astype(np.uint8)
    else:
        made = np.tensordot(weights, table.astype(np.float64), 1)
        if table.dtype == np.int32:
            made = np.trunc(made + np.where(made < 0, -0.5, 0.5))
        made = made.astype(table.dtype)
    return np.moveaxis(made, 0, axis)


def _nearest(count, start, end):
    """The old place of every new one."""
    scale = (end - start) / count
    return np.floor(np.cumsum([start + scale * 0.5] + [scale] * (count - 1))).astype(int)


def resized(table, size, kind, box):
    """`table` (height, width, ...) in the `size` (width, height), of what is within `box`."""
    left, top, right, bottom = box
    if kind == NEAREST:
        return table[_nearest(size[1], top, bottom)][:, _nearest(size[0], left, right)]
    high, wide = table.shape[:2]
    sides = [(1, wide, left, right, size[0]), (0, high, top, bottom, size[1])]
    if size[1] < high and high - size[1] > 2 * (
        wide - size[0]
    ):  # bytes are rounded in between, so that the order counts
        sides.reverse()
    for axis, old, start, end, new in sides:
        if (start, end, new) != (0, old, old):
            table = _along(table, _weights(old, start, end, new, kind), axis)
    return table
