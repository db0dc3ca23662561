"""Operations on bfloat16: done in float32, and what comes out is rounded, once.

An operation that meets a bfloat16 tensor raises Lowered at the first number (engine/brief.py); who called it asks
`again`. The tensors stand in the graph as they are: what took their places is taken out of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import numpy as np

from engine import brief, dtypes, observe
from engine.autograd import graph
from engine.autograd.graph import Node, make_rare, next_number
from engine.brief import DTYPE, FLOAT, Brief, Lowered
from engine.ops import casting, overriding
from engine.tensor import INFERENCE, Tensor

_OF_THE_FIRST = "batch_norm layer_norm group_norm instance_norm rms_norm embedding_bag embedding"
"""Operations whose result has the dtype of their first tensor, whatever the others have."""
_AHEAD = "avg_pool1d avg_pool2d avg_pool3d i0 special_i0 mvlgamma special_multigammaln corrcoef einsum cov"
"""Operations that copy what they are given at first, and would not notice what it is."""
_IN_ROUNDS = "dropout dropout1d dropout2d dropout3d alpha_dropout feature_alpha_dropout"
"""Operations of which PyTorch makes several, each of which rounds."""
_RAISED = (
    "binary_cross_entropy cosine_embedding_loss hinge_embedding_loss kl_div l1_loss margin_ranking_loss"
    " poisson_nll_loss soft_margin_loss triplet_margin_loss multilabel_margin_loss multi_margin_loss ctc_loss"
)
"""Losses that autocast makes in float32 from their first step on."""
_BY_NAME = {
    name: set(names.split())
    for name, names in (("first", _OF_THE_FIRST), ("ahead", _AHEAD), ("rounds", _IN_ROUNDS), ("raised", _RAISED))
}


def looked_at(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """`operation`, where bfloat16 tensors among its arguments have to be looked for."""
    rounds, raised = name in _BY_NAME["rounds"], name in _BY_NAME["raised"]
    if not rounds and not raised and name not in _BY_NAME["ahead"]:
        return operation

    def call(*args: Any, **kwargs: Any) -> Any:
        if raised:
            return (
                operation(*casting.raised(*args), **kwargs) if casting.kind is not None else operation(*args, **kwargs)
            )
        if not any(_is_brief(each) for each in (*args, *kwargs.values())):
            return operation(*args, **kwargs)
        if not rounds:
            return again(name, operation, args, kwargs)
        with brief.computing():
            return operation(*args, **kwargs)

    for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(call, attribute, getattr(operation, attribute))
    call.__dict__.update(operation.__dict__)
    call.__wrapped__ = operation  # type: ignore[attr-defined]
    return call


def noticed(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """`operation`, done again where it met bfloat16."""

    @wraps(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return operation(*args, **kwargs)
        except Lowered:
            return again(name, operation, args, kwargs)

    return call


def _is_brief(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_brief, value))
    return isinstance(value, Tensor) and value._array.__class__ is Brief


class _Told:
    """What operations tell an observer meanwhile."""

    def __init__(self, watcher: Any) -> None:
        self.told: list[tuple[Node, Tensor, Any]] = []
        self._watcher = watcher

    def operation(self, node: Node, output: Tensor, inputs: Any) -> None:
        self.told.append((node, output, inputs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._watcher, name)


class _StandIns:
    """The float32 tensors that stand for bfloat16 ones in one call."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[Tensor, Tensor, int]] = {}  # by the id of the tensor: it, its stand-in, the version
        self.operands: list[Tensor] = []
        self.told: list[dtypes.dtype] = []

    def replaced(self, value: Any) -> Any:
        """An argument with stand-ins in it."""
        if isinstance(value, Tensor):
            self.operands.append(value)
            return self._of(value) if value._array.__class__ is Brief else value
        if isinstance(value, dtypes.dtype):
            self.told.append(value)
            return dtypes.float32 if value is dtypes.bfloat16 else value
        if value.__class__ in (list, tuple):
            return value.__class__([self.replaced(each) for each in value])
        if value.__class__ is dict:
            return {key: self.replaced(each) for key, each in value.items()}
        return value

    def _of(self, t: Tensor) -> Tensor:
        known = self.made.get(id(t))
        if known is not None:
            return known[1]
        if t._base is not None:
            t._refresh()
        s = Tensor._wrap(brief.wide(t._array))
        if t._counter is not INFERENCE:
            s._counter = t._share_counter()
        s._needs = t._needs and (t._node is not None or t._base is None)
        s._node, s._number = t._node, t._number
        self.made[id(t)] = t, s, t._count()
        return s

    def narrows(self, name: str) -> bool:
        """Whether float32 results are bfloat16 ones."""
        if self.told:
            return any(each is dtypes.bfloat16 for each in self.told)
        floats = [each for each in self.operands if each._array.dtype.kind == "f"]
        if name in _BY_NAME["first"]:
            return floats[0]._array.__class__ is Brief
        if not floats:
            return True
        return dtypes.result_type(*[(each.dtype, each._array.ndim) for each in floats]) is dtypes.bfloat16

    def widen_others(self, args: Any) -> Any:
        """Half numbers beside bfloat16 ones are both float32."""
        if not any(each._array.dtype == np.float16 and each._array.ndim for each in self.operands):
            return args
        return [
            each.to(dtypes.float32) if isinstance(each, Tensor) and each._array.dtype == np.float16 else each
            for each in args
        ]


def again(name: str, function: Callable[..., Any], args: Any, kwargs: Any, changes: bool = False) -> Any:
    """`function(*args, **kwargs)`, of which some arguments are bfloat16 (tensors, or that dtype), as `name`.
    `changes`: the first is about to be changed in place. What met a class that has something to say is handed on to
    it instead."""
    error = sys.exc_info()[1]
    if isinstance(error, overriding.Overridden):
        return overriding.handed_on(error, name, function, args, kwargs, changes)
    standing = _StandIns()
    given, named = [standing.replaced(each) for each in args], standing.replaced(kwargs)
    if not standing.made and dtypes.bfloat16 not in standing.told:
        if casting.kind is not None:  # what the operation is made of met it
            return again(
                name,
                function,
                casting.lowered(*args),
                dict(zip(kwargs, casting.lowered(*kwargs.values()), strict=True)),
            )
        raise
    if changes and id(args[0]) in standing.made:  # what is saved of it is saved as it was before
        standing.made[id(args[0])][1]._counter = None
    given = standing.widen_others(given)
    since, watcher = next_number(), observe.active
    told = None if watcher is None else _Told(watcher)
    observe.active = told
    lowering, casting.kind = casting.kind, None
    try:
        result = function(*given, **named)
    finally:
        observe.active, casting.kind = watcher, lowering
    narrow = standing.narrows(name) and (lowering is None or name not in casting.FLOAT32)
    back = {id(s): t for t, s, _ in standing.made.values()}
    kept = {id(each) for each in standing.operands}
    nodes: set[Any] = set()
    for t, s, version in standing.made.values():
        if s._node is not t._node or t._count() != version or s._array.shape != t._array.shape:
            _taken_over(t, s, since)
            nodes.add(t._node)
    result = _mapped(result, back, kept, narrow, since, nodes)
    _out_of_graph(nodes, {id(s): (t, s) for t, s, _ in standing.made.values()}, since)
    for node, output, inputs in told.told if told is not None else ():
        watcher.operation(node, back.get(id(output), output), [back.get(id(each), each) for each in inputs])  # type: ignore[union-attr]
    return result


def _mapped(value: Any, back: dict[int, Tensor], kept: set[int], narrow: bool, since: int, nodes: set[Any]) -> Any:
    """A result in which no stand-in is left, its float32 tensors rounded where they are to be bfloat16."""
    if isinstance(value, Tensor):
        if id(value) in back:
            return back[id(value)]
        if id(value) not in kept:
            if narrow and value._array.dtype == FLOAT and value._array.__class__ is not Brief:
                narrowed(value, since)
            if value._base is not None and id(value._base) in back:
                value._base = value._view = None
        nodes.add(value._node)
        return value
    if isinstance(value, tuple):
        changed = [_mapped(each, back, kept, narrow, since, nodes) for each in value]
        if all(x is y for x, y in zip(changed, value, strict=True)):
            return value
        return tuple(changed) if value.__class__ is tuple else value.__class__(*changed)
    if isinstance(value, list):
        return [_mapped(each, back, kept, narrow, since, nodes) for each in value]
    return value


def narrowed(t: Tensor, since: int) -> None:
    """Make a bfloat16 tensor of a new float32 one, and of the output of its node."""
    t._array = brief.brief(t._array)
    node = t._node
    if node is not None and node.number > since:
        _of_brief(node, t)


def _of_brief(node: Node, t: Tensor) -> None:
    make_rare(node)
    if node.outputs is not None:
        outputs = list(node.outputs)
        outputs[t._number] = (outputs[t._number][0], DTYPE)
        node.outputs = tuple(outputs)
    if not t._number:
        node.dtype = DTYPE
        if node.output is not None:
            node.output = brief.wide(t._array)


def _taken_over(t: Tensor, s: Tensor, since: int) -> None:
    """`t` is what became of its stand-in, which was changed in place. Raises NotImplementedError for a view that takes
    part in a graph."""
    if s._node is not t._node and t._base is not None:
        raise NotImplementedError(
            "a view of a bfloat16 tensor cannot be changed in place here while operations are recorded: use clone()"
        )
    if s._array.shape == t._array.shape:
        brief.write(t._array, s._array)
    else:
        t._array = brief.brief(s._array)
    if t._counter is not s._counter:
        t._changed()
    if s._node is not t._node:
        t._node, t._number, t._needs = s._node, s._number, s._needs
        if t._node is not None and t._node.number > since:
            _of_brief(t._node, t)


def _below(nodes: set[Any], since: int) -> Iterator[Node]:
    """The nodes that were made in this call, from these on."""
    stack, seen = [each for each in nodes if each is not None], set()
    while stack:
        node = stack.pop()
        if isinstance(node, Tensor) or node in seen or node.number <= since:
            continue
        seen.add(node)
        yield node
        stack += [each for each in node.edges if each is not None]


def _out_of_graph(nodes: set[Any], standing: dict[int, tuple[Tensor, Tensor]], since: int) -> None:
    """Have the new nodes lead to the tensors themselves."""
    for node in _below(nodes, since):
        if any(id(each) in standing for each in node.edges):
            node.edges = tuple(standing[id(each)][0] if id(each) in standing else each for each in node.edges)
            make_rare(node)
    for t, s in standing.values():  # what was saved leads there too, for whoever differentiates once more
        if s._needs and s._node is None:
            node = s._node = _Widened()
            node.edges, node.shape, node.dtype, node.number = (t,), s._array.shape, FLOAT, next_number()
    graph.unusual = True


class _Widened(Node):
    """A bfloat16 leaf in float32, saved by an operation."""

    operation = "to"

    def backward(self, g: Any) -> Any:
        return g
