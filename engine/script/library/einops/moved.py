# type: ignore
"""einops.moved: how a tensor becomes what a pattern says, as PyTorch's own steps: one shape, an order, sums over some
axes, new axes, the last shape."""

import math

import numpy as np
from einops.parsed import DOTS, EinopsError, Number, Side, named, wrong_name

REDUCTIONS = ("min", "max", "sum", "mean", "prod", "any", "all")


def _sides(pattern, operation, axes_lengths):
    left_text, right_text = pattern.split("->")
    left, right = Side(left_text), Side(right_text)
    if not left.dots and right.dots:
        raise EinopsError(f"Ellipsis found in right side, but not left side of a pattern {pattern}")
    if left.dots and left.dots_inside:
        raise EinopsError(f"Ellipsis inside parenthesis in the left side is not allowed: {pattern}")
    only_left = [each for each in left.names if each not in right.names]
    only_right = [each for each in right.names if each not in left.names]
    if operation == "rearrange":
        if left.numbers or right.numbers:
            raise EinopsError("Non-unitary anonymous axes are not supported in rearrange (exception is length 1)")
        if only_left or only_right:
            found = named(only_left + only_right)
            raise EinopsError(f"Identifiers only on one side of expression (should be on both): {found}")
    elif operation == "repeat":
        if only_left:
            raise EinopsError(f"Unexpected identifiers on the left side of repeat: {named(only_left)}")
        unknown = [each for each in only_right if not isinstance(each, Number) and each not in axes_lengths]
        if unknown:
            raise EinopsError(f"Specify sizes for new axes in repeat: {named(unknown)}")
    elif operation in REDUCTIONS or callable(operation):
        if only_right:
            raise EinopsError(f"Unexpected identifiers on the right side of reduce {operation}: {named(only_right)}")
    else:
        raise EinopsError(f"Unknown reduction {operation}. Expect one of {REDUCTIONS}.")
    return left, right


def _spread(axes, dots):
    """The axes of a side, the ellipsis as the axes it stands for."""
    made = []
    for axis in axes:
        if axis == DOTS:
            made += [[each] for each in dots]
        else:
            made.append([each for name in axis for each in (dots if name == DOTS else [name])])
    return made


def _given(left, right, axes_lengths):
    """How long the axes are whose lengths are said."""
    known = {each: each.value for each in left.names + right.names if isinstance(each, Number)}
    for name, length in axes_lengths.items():
        if wrong_name(name):
            raise EinopsError("Invalid name for an axis", name)
        if name not in left.names and name not in right.names:
            raise EinopsError(f"Axis {name} is not used in transform")
        known[name] = length
    for axis in left.axes:
        unknown = [each for each in axis if each not in known]
        if axis != DOTS and len(unknown) > 1:
            raise EinopsError(f"Could not infer sizes for {named(unknown)}")
    return known


def check(pattern, operation, axes_lengths):
    """Raise EinopsError for what is wrong with a pattern whatever the tensor. How many axes the tensor has; None where
    the pattern says not."""
    left, right = _sides(pattern, operation, axes_lengths)
    _given(left, right, axes_lengths)
    return None if left.dots else len(left.axes)


def _lengths(left, right, shape, axes_lengths):
    """How long every axis with a name is."""
    known = _given(left, right, axes_lengths)
    for axis, length in zip(left.spread, shape):
        unknown = [each for each in axis if each not in known]
        product = math.prod([known[each] for each in axis if each in known])
        if not unknown:
            if product != length:
                raise EinopsError(f"Shape mismatch, {length} != {product}")
            continue
        if length % product:
            raise EinopsError(f"Shape mismatch, can't divide axis of length {length} in chunks of {product}")
        known[unknown[0]] = length // product
    return known


def _reduced(tensor, operation, dims):
    if callable(operation):
        return operation(tensor, tuple(dims))
    if operation in ("min", "max"):
        return tensor.amin(dims) if operation == "min" else tensor.amax(dims)
    if operation == "mean" and not _floats(tensor):
        raise NotImplementedError("reduce_mean is not available for non-floating tensors")
    if operation in ("sum", "mean"):
        return tensor.sum(dims) if operation == "sum" else tensor.mean(dims)
    for dim in sorted(dims, reverse=True):
        tensor = getattr(tensor, operation)(dim)
    return tensor


def _floats(tensor):
    return tensor.is_floating_point() if hasattr(tensor, "is_floating_point") else tensor.dtype.kind == "f"


def changed(tensor, pattern, operation, axes_lengths):
    """`tensor` as `pattern` says. Raises EinopsError without its head."""
    shape = tuple(tensor.shape)
    left, right = _sides(pattern, operation, axes_lengths)
    wanted = len(left.axes) - left.dots
    if left.dots and len(shape) < wanted:
        raise EinopsError(f"Wrong shape: expected >={wanted} dims. Received {len(shape)}-dim tensor.")
    if not left.dots and len(shape) != wanted:
        raise EinopsError(f"Wrong shape: expected {wanted} dims. Received {len(shape)}-dim tensor.")
    dots = [f"{DOTS}{i}" for i in range(len(shape) - wanted)]
    left.spread, right.spread = _spread(left.axes, dots), _spread(right.axes, dots)
    known = _lengths(left, right, shape, axes_lengths)
    before = [each for axis in left.spread for each in axis]
    after = [each for axis in right.spread for each in axis]
    if len(before) != len(shape) or any([len(axis) != 1 for axis in left.spread]):
        tensor = tensor.reshape([known[each] for each in before])
    gone = [each for each in before if each not in after]
    kept = [each for each in after if each in before]
    order = [before.index(each) for each in [*kept, *gone]]
    if order != list(range(len(order))):
        tensor = tensor.permute(*order) if hasattr(tensor, "permute") else tensor.transpose(order)
    if gone:
        tensor = _reduced(tensor, operation, tuple(range(len(kept), len(before))))
    if len(after) > len(kept):
        tensor = _widened(tensor, after, before, known)
    if len(after) != len(right.spread) or any([len(axis) != 1 for axis in right.spread]):
        tensor = tensor.reshape([math.prod([known[each] for each in axis]) for axis in right.spread])
    return tensor


def _widened(tensor, after, before, known):
    """`tensor` with the axes of `after` that it has not, each as long as it is known to be."""
    places = [place for place, each in enumerate(after) if each not in before]
    lengths = [known[each] for each in after]
    if not hasattr(tensor, "expand"):
        return np.broadcast_to(np.expand_dims(tensor, tuple(places)), lengths)
    for place in places:
        tensor = tensor.unsqueeze(place)
    return tensor.expand(lengths)
