# type: ignore
"""scipy.signal: sums over neighbours."""

import numpy as np


def _cut(made, first, second, mode, later=0):
    """Of the whole sum what `mode` keeps. `later`: whether an odd rest is left out before it (1) or behind it."""
    if mode == "full":
        return made
    if mode == "same":
        sizes = first.shape
    elif mode == "valid":
        sizes = tuple(abs(a - b) + 1 for a, b in zip(first.shape, second.shape))
    else:
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    starts = [(have - want + later) // 2 for have, want in zip(made.shape, sizes)]
    return made[tuple(slice(start, start + size) for start, size in zip(starts, sizes))]


def convolve(in1, in2, mode="full", method="auto"):
    a, b = np.asarray(in1), np.asarray(in2)
    if a.ndim != b.ndim:
        raise ValueError("volume and kernel should have the same dimensionality")
    if a.ndim == 1:
        return _cut(np.convolve(a, b, "full"), a, b, mode)
    if a.ndim != 2:
        raise ValueError("convolve() takes arrays of one or two dimensions here")
    if a.size < b.size:
        return _cut(_whole(b, a), a, b, mode)
    return _cut(_whole(a, b), a, b, mode)


def _whole(a, b):
    made = np.zeros((a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1), np.result_type(a, b))
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            made[i : i + a.shape[0], j : j + a.shape[1]] += a * b[i, j]
    return made


def correlate(in1, in2, mode="full", method="auto"):
    b = np.asarray(in2)
    return convolve(in1, b[tuple(slice(None, None, -1) for _ in range(b.ndim))], mode)


def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return _around(in1, in2, mode, boundary, fillvalue, 0)


def _around(in1, in2, mode, boundary, fillvalue, later):
    a, b = np.asarray(in1), np.asarray(in2)
    if boundary == "fill" and fillvalue == 0:
        return _cut(_whole(a, b), a, b, mode, later)
    rows, columns = b.shape[0] - 1, b.shape[1] - 1
    around = {"wrap": "wrap", "symm": "symmetric", "fill": "constant"}[boundary]
    given = {"constant_values": fillvalue} if around == "constant" else {}
    wide = np.pad(a, ((rows, rows), (columns, columns)), mode=around, **given)
    whole = _whole(wide, b)[rows : rows + a.shape[0] + rows, columns : columns + a.shape[1] + columns]
    return _cut(whole, a, b, mode, later)


def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return _around(in1, np.asarray(in2)[::-1, ::-1], mode, boundary, fillvalue, 1)
