"""The backward walk through a graph in which nothing is unusual: no hooks, no operations with several outputs, nobody
watching, no gradient of a gradient. Most graphs of most loops are so. What it does is what backward.py's `walk` does,
without asking at each node for what is not there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node
from engine.ops.either import sum_to
from engine.tensor import Tensor

_ndarray = np.ndarray
_wrap = Tensor._wrap


def walk_plain(  # noqa: C901 - the inner loop, written out for speed
    root: Node, g: Any, order: list[Node], pending: dict[Tensor, int], retain_graph: bool
) -> None:
    """Carry `g` from `root` through the nodes in `order` into the leaves' `.grad`. `pending` says how many edges lead
    to each leaf."""
    arrived: dict[Any, Any] = {root: g}
    take, waiting = arrived.pop, pending.get
    for node in order:
        g = take(node, None)
        if g is None:  # nothing flowed here: its leaves wait for one less
            _nothing_from(node, arrived, pending)
            continue
        saved = node.saved
        if saved and len(saved) == 2 and not node.saves_output:  # most nodes: what `unpack` does, written out
            first, second = saved
            if first is not None and isinstance(first, Tensor):
                counter = first._counter
                if counter is not None and counter[0] != (node.versions or (0, 0))[0]:
                    node.unpack()  # which says that it was changed
                first = first._array
            if second is not None and isinstance(second, Tensor):
                counter = second._counter
                if counter is not None and counter[0] != (node.versions or (0, 0))[1]:
                    node.unpack()
                second = second._array
            contributions = node.backward(g, first, second)
            if not retain_graph:
                node.saved = None
        elif saved or saved is None:
            contributions = node.backward(g, *node.unpack())
            if not retain_graph:
                node.free()
        elif node.saves_output:
            counter = node.output_counter
            if counter is None or counter[0] == node.output_version:
                contributions = node.backward(g, node.output)
            else:  # which says that it was changed
                contributions = node.backward(g, *node.unpack())
            if not retain_graph:
                node.saved = node.output = None
        else:
            contributions = node.backward(g)
        if contributions.__class__ is not tuple:
            contributions = (contributions,)
        fits = node.fits
        i = 0
        for target in node.edges:  # counted by hand: zip takes as long as the rest
            c = contributions[i]
            i += 1
            if target is None:
                continue
            left = waiting(target)
            if left is None:  # a node
                if c is not None:
                    if not fits:
                        if c.shape != target.shape:
                            c = sum_to(c, target.shape)
                        if c.dtype is not target.dtype:
                            c = c.astype(target.dtype)
                    before = arrived.get(target)
                    arrived[target] = c if before is None else before + c
                continue
            total = c
            if c is not None:
                array = target._array
                if c.shape != array.shape:
                    total = sum_to(c, array.shape)
                if c.dtype is not array.dtype:
                    total = total.astype(array.dtype)
            left -= 1
            if left or target in arrived:
                before = arrived.get(target)
                if before is not None:
                    total = before if total is None else before + total
                if left:
                    pending[target] = left
                    if total is not None:
                        arrived[target] = total
                    continue
                del arrived[target]
                before = None
            if total is not None:
                _accumulate(
                    target, total, node.fresh and total is c and total.__class__ is _ndarray and total.base is None
                )


def _accumulate(leaf: Tensor, g: Any, mine: bool) -> None:
    """A leaf's whole gradient of this backward is there. `mine`: nobody else holds the array."""
    before = leaf._grad
    if before is None:
        leaf._grad = _wrap(g if mine or not isinstance(g, _ndarray) else np.array(g, order="C"))
    else:
        np.add(before._array, g, out=before._array)
        before._changed()


def _nothing_from(node: Node, arrived: dict[Any, Any], pending: dict[Tensor, int]) -> None:
    for target in node.edges:
        if isinstance(target, Tensor):
            pending[target] -= 1
            if pending[target] == 0:
                total = arrived.pop(target, None)
                if total is not None:
                    _accumulate(target, total, False)
