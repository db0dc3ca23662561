"""Gradients of complex numbers. PyTorch's convention: of a real L and z = x + iy the gradient is dL/dx + i dL/dy.

Most operations are holomorphic, and their nodes' formulas are those of real numbers: the gradient of f is
g * conj(f'), which is the conjugate of what the formula makes of the conjugate of g. So a node with a complex output
becomes one of a class of its own, made here, that conjugates what comes and goes. What an input that is real receives
is the real part. Nodes of operations that are not holomorphic say `holomorphic = False` and know what to do.

Nothing looks for complex numbers before there are any: `here` is called where the first one is made, and from then on
each recorded node is looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd import careful
from engine.tensor import Tensor
from engine.warn import warn

on = False
"""Whether there are complex numbers in this world."""
discarded = False
"""Whether it was told that casts to real numbers drop the imaginary part."""

_CONJUGATING: dict[type, type] = {}


def here() -> None:
    """There are complex numbers from now on."""
    if not on:
        become((True, False))


def state() -> tuple[bool, bool]:
    """What `become` takes."""
    return on, discarded


def become(state: tuple[bool, bool]) -> None:
    """Be as another world is."""
    global on, discarded
    on, discarded = state
    careful.want("complex", _look_at if on else None)


def tell_of_discarding() -> None:
    """Warn, once, of a cast of complex numbers to real ones."""
    global discarded
    if not discarded:
        discarded = True
        warn(_DISCARDS)


_DISCARDS = (
    "Casting complex values to real discards the imaginary part (Triggered internally at"
    " /__w/pytorch/pytorch/aten/src/ATen/native/Copy.cpp:307.)"
)


def _look_at(node: Any, output: Any) -> None:
    if output._array.dtype.kind == "c" and node.holomorphic:
        kind = type(node)
        made = _CONJUGATING.get(kind)
        if made is None:
            made = _CONJUGATING[kind] = _conjugating(kind)
        node.__class__ = made


def _conjugating(kind: Any) -> type:
    """The class of nodes of this `kind` whose outputs are complex, with the same name."""

    def backward(self: Any, g: Any, *saved: Any) -> Any:
        g = [None if each is None else conj(each) for each in g] if isinstance(g, list) else conj(g)
        found = kind.backward(self, g, *saved)
        several = found.__class__ is tuple
        back = tuple(
            None if each is None else _returned(self, at, each)
            for at, each in enumerate(found if several else (found,))
        )
        return back if several else back[0]

    body = {"backward": backward, "through": None, "holomorphic": False, "fresh": False, "fits": False}
    body["__module__"] = kind.__module__
    made = type(kind)(kind.__name__, (kind,), body)
    made.__qualname__, made.__doc__ = kind.__qualname__, kind.__doc__
    return made


def _returned(node: Any, at: int, c: Any) -> Any:
    """What goes back along the edge number `at`, of the `c` that the formula gave."""
    target = node.edges[at] if at < len(node.edges) else None
    if target is None:
        return c
    if isinstance(target, Tensor):
        kind = target._array.dtype
    elif target.outputs is not None:
        kind = target.outputs[node.edge_numbers[at] if node.edge_numbers is not None else 0][1]
    else:
        kind = target.dtype
    return conj(c) if np.dtype(kind).kind == "c" else real(c)


def conj(x: Any) -> Any:
    """The complex conjugate of an array or a Tensor; itself where that is real."""
    if isinstance(x, Tensor):
        return x.conj_physical() if x._array.dtype.kind == "c" else x
    return np.conjugate(x) if x.dtype.kind == "c" else x


def real(x: Any) -> Any:
    """The real part of an array (a copy) or a Tensor; itself where that is real."""
    if isinstance(x, Tensor):
        return x.real if x._array.dtype.kind == "c" else x
    return x.real.copy() if x.dtype.kind == "c" else x
