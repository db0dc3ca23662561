"""The backward walk through a graph in which nothing is unusual: no hooks, no operations with several outputs, nobody
watching, no gradient of a gradient. Most graphs of most loops are so. What it does is what backward.py's `walk` does,
without asking at each node for what is not there.
"""

from __future__ import annotations

from heapq import heappop, heappush
from operator import attrgetter
from typing import Any

import numpy as np

from engine.autograd.apart import apart
from engine.autograd.graph import Node
from engine.ops.either import sum_to
from engine.ops.tablerows import RowGradient
from engine.tensor import Tensor

_by_number = attrgetter("number")
_ndarray = np.ndarray
_wrap = Tensor._wrap


class _Kinds(dict[type, Any]):
    """What the walk asks of each kind of node: what carries a gradient through it, and what it says of itself; None for
    the kinds of leaves. Asked of each node, it would be a tenth of the walk."""

    def __missing__(self, kind: Any) -> Any:
        found = None if issubclass(kind, Tensor) else (kind.through or _through(kind), kind.fits, kind.fresh)
        self[kind] = found
        return found


def _through(kind: Any) -> Any:
    """What carries a gradient through a node of this kind: answers the contributions and the edges."""
    backward, saves_output = kind.backward, kind.saves_output

    def through(node: Any, g: Any, retain_graph: bool) -> tuple[Any, tuple[Any, ...]]:
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
        return contributions if contributions.__class__ is tuple else (contributions,), node.edges

    return apart(through)


_KINDS = _Kinds()


def walk_plain(root: Node, g: Any, retain_graph: bool) -> None:  # noqa: C901 - the inner loop, written out for speed
    """Carry `g` from `root` through its graph into the leaves' `.grad`.

    Which node is next is found on the way: of those that a gradient has reached, the one that was made last, as
    everything that uses its output was made after it. In a chain there is only one. What reaches a leaf waits until
    the end, when all of it has."""
    ahead: Any = root  # the next node, what has reached it, and of what kind it is
    carried = g
    its_kind = _KINDS[type(root)]
    arrived: dict[Node, Any] = {}  # what has reached the others
    waiting: list[tuple[int, int, Node]] = []  # a heap of them; two nodes are never compared
    leaves: dict[Tensor, Any] = {}
    node = root
    try:
        while ahead is not None:
            node, g, ahead = ahead, carried, None
            through, fits, fresh = its_kind
            passed = through(node, g, retain_graph)
            if passed is None:  # it is another one now
                through, fits, fresh = _KINDS[type(node)]
                passed = through(node, g, retain_graph)
            contributions, edges = passed
            at = -1
            for target in edges:  # counted by hand: zip takes as long as the rest
                at += 1
                if target is None:
                    continue
                c = contributions[at]
                if c is None:
                    continue
                kind = _KINDS[type(target)]
                if kind is None:
                    array = target._array
                    whole = c
                    if not fits:
                        if c.shape != array.shape:
                            whole = sum_to(c, array.shape)
                        if c.dtype is not array.dtype:
                            whole = whole.astype(array.dtype)
                    if target in leaves:
                        whole = np.add(leaves[target], whole, order="C")
                    elif target._grad is None and not (
                        fresh and whole is c and c.__class__ is _ndarray and c.base is None  # nobody else holds it
                    ):
                        whole = np.array(whole, order="C") if isinstance(whole, _ndarray) else whole
                    leaves[target] = whole
                    continue
                if not fits:
                    if c.shape != target.shape:
                        c = sum_to(c, target.shape)
                    if c.dtype is not target.dtype:
                        c = c.astype(target.dtype)
                if ahead is None and not (arrived and target in arrived):
                    ahead, carried, its_kind = target, c, kind
                elif target is ahead:
                    carried = carried + c
                elif target in arrived:
                    arrived[target] = arrived[target] + c
                else:
                    arrived[target] = c
                    heappush(waiting, (-target.number, id(target), target))
            if waiting and (ahead is None or -waiting[0][0] > ahead.number):
                if ahead is not None:
                    arrived[ahead] = carried
                    heappush(waiting, (-ahead.number, id(ahead), ahead))
                ahead = heappop(waiting)[2]
                carried, its_kind = arrived.pop(ahead), _KINDS[type(ahead)]
    except BaseException:
        _settle(root, node, leaves)
        raise
    for leaf, total in leaves.items():
        if leaf._grad is None:
            leaf._grad = _wrap(total)
        else:
            _accumulate(leaf, total)


def _accumulate(leaf: Tensor, g: Any) -> None:
    grad = leaf._grad
    if grad is None:
        leaf._grad = _wrap(g)
    elif grad.__class__ is RowGradient:
        leaf._grad = _wrap(grad._array + g)
    else:
        np.add(grad._array, g, out=grad._array)
        grad._changed()


def _settle(root: Node, failed: Node, leaves: dict[Tensor, Any]) -> None:
    """Accumulate into the leaves that nothing more would have reached after the node that failed, as PyTorch has done
    by then."""
    order, pending, _ = collect([root])
    for node in order:
        if node.number <= failed.number:
            break
        for target in node.edges:
            if isinstance(target, Tensor):
                pending[target] -= 1
    for leaf, total in leaves.items():
        if not pending[leaf]:
            _accumulate(leaf, total)


def collect(stack: list[Any]) -> tuple[list[Node], dict[Tensor, int], bool]:
    """All nodes below those in `stack` (used up here), last created first; how many edges lead to each leaf; whether a
    hook or an operation with several outputs is among them."""
    order: list[Node] = []
    pending: dict[Tensor, int] = {}
    unusual = False
    chain = len(stack) == 1  # nothing branches: found in the order that is wanted
    seen: set[Any] = set(stack)
    pop, found, push, meet = stack.pop, order.append, stack.append, seen.add
    while stack:
        node = pop()
        while node is not None:  # along a chain as far as it goes, what branches off it later
            found(node)
            if node.rare is not None:
                unusual = True
            following = None
            for e in node.edges:
                if e is None:
                    continue
                if not isinstance(e, Tensor):
                    if e not in seen:
                        meet(e)
                        if following is None:
                            following = e
                        else:
                            push(e)
                            chain = False
                elif e in pending:
                    pending[e] += 1
                else:
                    pending[e] = 1
                    if e._hooks or "_after_accumulate" in e.__dict__ or e._array.__class__ is not _ndarray:
                        unusual = True
            node = following
    if not chain:
        order.sort(key=_by_number, reverse=True)
    return order, pending, unusual
