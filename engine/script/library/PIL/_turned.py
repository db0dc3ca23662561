# type: ignore
"""Pictures turned and slanted, place by place as Pillow does it."""

import math

import numpy as np

NEAREST, BILINEAR, BICUBIC = 0, 2, 3
FIXED = 1 << 16


def affine(table, size, matrix, kind, fill):
    """`table` (height, width, ...) seen through `matrix`, which tells the old place (x, y) of each new one: of what lies
    outside, `fill`. The nearest place is found in fixed point."""
    a, b, c, d, e, f = matrix
    wide, high = size
    x, y = np.arange(wide), np.arange(high)[:, None]
    made = np.empty((high, wide, *table.shape[2:]), table.dtype)
    made[...] = fill
    if kind == NEAREST and b == 0 and d == 0:
        column = np.floor(np.cumsum(np.append(c + a * 0.5, np.full(wide - 1, a)))) + 0 * y
        row = np.floor(np.cumsum(np.append(f + e * 0.5, np.full(high - 1, e))))[:, None] + 0 * x
    elif kind == NEAREST:
        a_, b_, d_, e_ = (math.floor(each * FIXED + 0.5) for each in (a, b, d, e))
        c_ = math.floor((c + a * 0.5 + b * 0.5) * FIXED + 0.5)
        f_ = math.floor((f + d * 0.5 + e * 0.5) * FIXED + 0.5)
        column, row = c_ + a_ * x + b_ * y >> 16, f_ + d_ * x + e_ * y >> 16
    else:
        column, row = a * (x + 0.5) + b * (y + 0.5) + c, d * (x + 0.5) + e * (y + 0.5) + f
    inside = (column >= 0) & (column < table.shape[1]) & (row >= 0) & (row < table.shape[0])
    column, row = column[inside], row[inside]
    if kind == NEAREST:
        made[inside] = table[row.astype(int), column.astype(int)]
    else:
        values = _between(table, column - 0.5, row - 0.5, kind)
        made[inside] = values if table.dtype == np.float32 else np.trunc(values)
    return made


def _between(table, column, row, kind):
    """Values at places between those of the table."""
    left, top = np.floor(column).astype(int), np.floor(row).astype(int)
    shape = (-1,) + (1,) * (table.ndim - 2)
    across, down = (column - left).reshape(shape), (row - top).reshape(shape)
    reach = (0, 1) if kind == BILINEAR else (-1, 0, 1, 2)
    of_bytes, table = table.dtype == np.uint8, table.astype(np.float64)

    def line(at):
        rows = np.clip(top + at, 0, table.shape[0] - 1)
        return mixed([table[rows, np.clip(left + each, 0, table.shape[1] - 1)] for each in reach], across)

    def mixed(values, share):
        if kind == BILINEAR:
            return values[0] + (values[1] - values[0]) * share
        one, two, three, four = values
        second, third = 2 * (one - two) + three - four, -one + two - three + four
        return two + share * ((-one + three) + share * (second + share * third))

    found = mixed([line(at) for at in reach], down)
    return np.clip(found, 0, 255) if of_bytes else found


def rotation(size, angle, expand, center, translate):
    """The matrix that turns a picture of `size` by `angle` degrees, and the size that it has then."""
    wide, high = size
    moved = (0, 0) if translate is None else translate
    center = (wide / 2, high / 2) if center is None else center
    turn = -math.radians(angle)
    a, b = round(math.cos(turn), 15), round(math.sin(turn), 15)
    d, e = round(-math.sin(turn), 15), round(math.cos(turn), 15)
    x, y = -center[0] - moved[0], -center[1] - moved[1]
    c, f = a * x + b * y + 0.0 + center[0], d * x + e * y + 0.0 + center[1]
    if expand:
        corners = [(a * x + b * y + c, d * x + e * y + f) for x, y in ((0, 0), (wide, 0), (wide, high), (0, high))]
        new = [math.ceil(max(each)) - math.floor(min(each)) for each in zip(*corners)]
        x, y = -(new[0] - wide) / 2.0, -(new[1] - high) / 2.0
        c, f = a * x + b * y + c, d * x + e * y + f
        wide, high = new
    return (a, b, c, d, e, f), (wide, high)
