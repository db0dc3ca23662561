# type: ignore
"""einops: axes of tensors and arrays by their names, as its patterns say, with its own messages."""

import math

import numpy as np
import torch
from einops.moved import changed
from einops.parsed import DOTS, EinopsError, Number, Side, wrong_name


def _known(tensor):
    if not isinstance(tensor, (torch.Tensor, np.ndarray)):
        raise RuntimeError(f"Tensor type unknown to einops {type(tensor)}")
    return tensor


def reduce(tensor, pattern, reduction, **axes_lengths):
    """`tensor` in the order of the pattern, with `reduction` over the axes that it leaves out."""
    if isinstance(tensor, list):
        if not tensor:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        tensor = torch.stack(tensor) if isinstance(_known(tensor[0]), torch.Tensor) else np.stack(tensor)
    shape = _known(tensor).shape
    try:
        return changed(tensor, pattern, reduction, axes_lengths)
    except EinopsError as error:
        said = f' Error while processing {reduction}-reduction pattern "{pattern}".\n Input tensor shape: {shape}. '
        raise EinopsError(f"{said}Additional info: {axes_lengths}.\n {error}") from None


def rearrange(tensor, pattern, **axes_lengths):
    return reduce(tensor, pattern, "rearrange", **axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    return reduce(tensor, pattern, "repeat", **axes_lengths)


def asnumpy(tensor):
    return tensor.detach().cpu().numpy() if isinstance(_known(tensor), torch.Tensor) else tensor


def parse_shape(x, pattern):
    """The lengths of the axes that the pattern names."""
    side, shape = Side(pattern, underscore=True, twice=True), _known(x).shape
    told = f"{pattern} {shape}"
    if any([axis != DOTS and len(axis) > 1 for axis in side.axes]):
        raise RuntimeError(f"Can't parse shape with composite axes: {told}")
    if side.dots and len(shape) < len(side.axes) - 1:
        raise RuntimeError(f"Can't parse shape with this number of dimensions: {told}")
    if not side.dots and len(shape) != len(side.axes):
        raise RuntimeError(f"Can't parse shape with different number of dimensions: {told}")
    axes = list(side.axes)
    if side.dots:
        place = axes.index(DOTS)
        axes[place : place + 1] = [["_"]] * (len(shape) - len(axes) + 1)
    found = {}
    for axis, length in zip(axes, shape):
        if not axis:
            if length != 1:
                raise RuntimeError(f"Length of axis is not 1: {told}")
        elif isinstance(axis[0], Number):
            if axis[0].value != length:
                raise RuntimeError(f"Length of anonymous axis does not match: {told}")
        elif axis[0] != "_":
            found[axis[0]] = length
    return found


def _letters(pattern):
    """A pattern of einsum() with one letter for each name."""
    if "->" not in pattern:
        raise ValueError("Einsum pattern must contain '->'.")
    left, right = pattern.split("->")
    letters = {}

    def short(text, new):
        made = ""
        for axis in Side(text, underscore=True, twice=True).axes:
            if axis == DOTS:
                made += "..."
                continue
            if not axis:
                raise NotImplementedError("Singleton () axes are not yet supported in einsum.")
            if len(axis) > 1:
                raise NotImplementedError("Shape rearrangement is not yet supported in einsum.")
            if isinstance(axis[0], Number):
                raise NotImplementedError("Anonymous axes are not yet supported in einsum.")
            if axis[0] not in letters:
                if not new:
                    raise EinopsError(f"Unknown axis {axis[0]} on right side of einsum {pattern}.")
                if len(letters) >= 52:
                    raise RuntimeError("Too many axes in einsum.")
                letters[axis[0]] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters)]
            made += letters[axis[0]]
        return made

    parts = ",".join([short(each, True) for each in left.split(",")])
    return f"{parts}->{short(right, False)}"


def einsum(*tensors_and_pattern):
    """torch.einsum() with names for letters; the pattern comes last."""
    if len(tensors_and_pattern) <= 1:
        raise ValueError(
            "`einops.einsum` takes at minimum two arguments: the tensors (at least one), followed by the pattern."
        )
    *tensors, pattern = tensors_and_pattern
    if not isinstance(pattern, str):
        raise ValueError(
            "The last argument passed to `einops.einsum` must be a string, representing the einsum pattern."
        )
    return (torch if isinstance(_known(tensors[0]), torch.Tensor) else np).einsum(_letters(pattern), *tensors)


def _around(pattern, name):
    """How many axes stand before and after the * of a pattern."""
    axes = pattern.split()
    if len(axes) != len(set(axes)):
        raise EinopsError(f'Duplicates in axes names in {name}(..., "{pattern}")')
    if "*" not in axes:
        raise EinopsError(f'No *-axis in {name}(..., "{pattern}")')
    for axis in axes:
        if axis != "*" and wrong_name(axis):
            raise EinopsError(f'Invalid axis name {axis} in {name}(..., "{pattern}")')
    return axes.index("*"), len(axes) - axes.index("*") - 1


def pack(tensors, pattern):
    """Tensors side by side along the axis *, and the shapes that stand for it."""
    before, after = _around(pattern, "pack")
    parts, shapes = [], []
    for i, tensor in enumerate(tensors):
        shape = _known(tensor).shape
        if len(shape) < before + after:
            raise EinopsError(
                f"packed tensor #{i} (enumeration starts with 0) has shape {shape}, "
                f"while pattern {pattern} assumes at least {before + after} axes"
            )
        last = len(shape) - after
        shapes.append(shape[before:last])
        parts.append(tensor.reshape([*shape[:before], -1, *shape[last:]]))
    joined = torch.cat(parts, dim=before) if isinstance(parts[0], torch.Tensor) else np.concatenate(parts, axis=before)
    return joined, shapes


def unpack(tensor, packed_shapes, pattern):
    """The tensors that pack() put together."""
    before, after = _around(pattern, "unpack")
    shape = _known(tensor).shape
    if len(shape) != before + 1 + after:
        raise EinopsError(f"unpack(..., {pattern}) received input of wrong dim with shape {shape}")
    sizes = [-1 if -1 in each else math.prod(each) for each in packed_shapes]
    if sizes.count(-1) > 1:
        raise EinopsError(
            f"unpack(..., {pattern}) received more than one -1 in {packed_shapes} and can't infer dimensions"
        )
    if -1 in sizes:
        sizes[sizes.index(-1)] = shape[before] - sum([each for each in sizes if each != -1])
    if sum(sizes) != shape[before] or min(sizes) < 0:
        raise EinopsError(
            f'Error during unpack(..., "{pattern}"): could not split axis of size {shape[before]}'
            f" into requested {packed_shapes}"
        )
    parts, start = [], 0
    for size, each in zip(sizes, packed_shapes):
        chosen = tensor[(slice(None),) * before + (slice(start, start + size),)]
        parts.append(chosen.reshape([*shape[:before], *each, *shape[before + 1 :]]))
        start += size
    return parts
