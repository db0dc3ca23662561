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

_KINDS: dict[type[Node], tuple[Any, bool, bool, bool]] = {}
"""What the walk asks of each kind of node. Asked node by node, four times, it would be a tenth of the walk: Python
remembers where it found an attribute only as long as the objects are of one class."""


def _learned(kind: type[Node]) -> tuple[Any, bool, bool, bool]:
    _KINDS[kind] = found = (kind.backward, kind.saves_output, kind.fits, kind.fresh)
    return found


def walk_plain(  # noqa: C901 - the inner loop, written out for speed
    root: Node, g: Any, order: list[Node], pending: dict[Tensor, int], retain_graph: bool
) -> None:
    """Carry `g` from `root` through the nodes in `order` into the leaves' `.grad`. `pending` says how many edges lead
    to each leaf."""
    arrived: dict[Any, Any] = {}
    take = arrived.pop
    ahead: Any = root  # a node whose gradient is not in `arrived` but is this: in a chain it is always the next one
    carried = g
    for node in order:
        if node is ahead:
            g, ahead = carried, None
        else:
            g = take(node, None)
            if g is None:  # nothing flowed here: its leaves wait for one less
                _nothing_from(node, arrived, pending)
                continue
        kind = type(node)
        try:
            backward, saves_output, fits, fresh = _KINDS[kind]
        except KeyError:
            backward, saves_output, fits, fresh = _learned(kind)
        saved = node.saved
        if saved and len(saved) == 2 and not saves_output:  # most nodes: what `unpack` does, written out
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
            contributions = backward(node, g, first, second)
            if not retain_graph:
                node.saved = None
        elif saved or saved is None:
            contributions = backward(node, g, *node.unpack())
            if not retain_graph:
                node.free()
        elif saves_output:
            counter = node.output_counter
            if counter is None or counter[0] == node.output_version:
                contributions = backward(node, g, node.output)
            else:  # which says that it was changed
                contributions = backward(node, g, *node.unpack())
            if not retain_graph:
                node.saved = node.output = None
        else:
            contributions = backward(node, g)
        if contributions.__class__ is not tuple:
            contributions = (contributions,)
        i = 0
        for target in node.edges:  # counted by hand: zip takes as long as the rest
            c = contributions[i]
            i += 1
            if target is None:
                continue
            if target not in pending:  # a node
                if c is not None:
                    if not fits:
                        if c.shape != target.shape:
                            c = sum_to(c, target.shape)
                        if c.dtype is not target.dtype:
                            c = c.astype(target.dtype)
                    if target is ahead:
                        carried = carried + c
                    elif target in arrived:
                        arrived[target] = arrived[target] + c
                    elif ahead is None:
                        ahead, carried = target, c
                    else:
                        arrived[target] = c
                continue
            whole = c
            if c is not None:
                array = target._array
                if c.shape != array.shape:
                    whole = sum_to(c, array.shape)
                if c.dtype is not array.dtype:
                    whole = whole.astype(array.dtype)
            if pending[target] > 1 or target in arrived:  # it is reached several times
                whole = _gathered(target, whole, arrived, pending)
            if whole is None:
                continue
            if target._grad is not None:
                _add_to(target._grad, whole)
            elif fresh and whole is c and c.__class__ is _ndarray and c.base is None:  # nobody else holds it
                target._grad = _wrap(c)
            else:
                target._grad = _copied(whole)


def _gathered(leaf: Tensor, part: Any, arrived: dict[Any, Any], pending: dict[Tensor, int]) -> Any:
    """The sum of what has reached `leaf`, `part` last; None where more is to come, or nothing came."""
    before = arrived.pop(leaf, None)
    if before is not None:
        part = before if part is None else before + part
    pending[leaf] -= 1
    if pending[leaf] and part is not None:
        arrived[leaf] = part
        return None
    return part


def _copied(g: Any) -> Tensor:
    return _wrap(np.array(g, order="C") if isinstance(g, _ndarray) else g)


def _add_to(grad: Tensor, g: Any) -> None:
    np.add(grad._array, g, out=grad._array)
    grad._changed()


def _nothing_from(node: Node, arrived: dict[Any, Any], pending: dict[Tensor, int]) -> None:
    for target in node.edges:
        if isinstance(target, Tensor):
            total = _gathered(target, None, arrived, pending)
            if total is not None:
                if target._grad is not None:
                    _add_to(target._grad, total)
                else:
                    target._grad = _copied(total)
