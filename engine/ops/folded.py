"""Rows of layers in one go: linear layers and activations that follow each other, computed and walked back through as
one operation.

A small linear layer is two calls of NumPy. Making its tensor and its node, and finding them again in `backward()`,
takes as long. Where nobody watches and nothing is unusual, a row of layers gets one node that stands for all of theirs.
Whoever looks at anything of it (a `grad_fn`, the nodes behind it, the words of an error, a gradient of a gradient)
finds the nodes that the layers one by one would have made: they are made then. The calls of NumPy are the same, and so
is every number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.autograd.graph import Node, next_number
from engine.ops.dispatch import wrap
from engine.ops.gemm import onto
from engine.ops.linear import linear_backward
from engine.ops.quick import ACTIVATIONS
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]

Layer = tuple[type[Node], Any, Any, Any, bool, bool]
"""The kind of node that it records; an activation's function, or the weight and the bias of a linear layer; whether
gradients are wanted of those."""


def _activation(name: str) -> Layer:
    kind, function = ACTIVATIONS[name]
    return kind, function, None, None, False, False


RELU, SIGMOID, TANH = map(_activation, ("relu", "sigmoid", "tanh"))

_FLOAT = np.dtype(np.float32)
_read, _new = object.__getattribute__, object.__new__


class _Row:
    """What a backward through the layers takes."""

    __slots__ = ("edge", "layers", "results", "shape", "source", "versions")

    layers: list[Layer]  # those through which gradients go
    shape: tuple[int, ...]  # of what went in
    source: Tensor | None  # what went in
    edge: Any  # where its gradient goes
    results: list[Any] | None  # what went into the first layer and came out of each, where it is needed; None: freed
    versions: list[int]  # of the source, and of each layer's weight

    def unchanged(self) -> bool:
        """Whether what the backward reads is what it was."""
        first, source = self.layers[0], self.source
        if first[4] and source is not None and source._count() != self.versions[0]:
            return False
        needed = self.edge is not None
        at = 0
        for layer in self.layers:
            at += 1  # noqa: SIM113 - enumerate takes longer
            weight = layer[2]
            if needed and weight is not None:
                counter = weight._counter
                if (0 if counter is None else counter[0]) != self.versions[at]:
                    return False
            needed = True
        return True


class Folded(Node):
    """Stands for the nodes of a row of layers until somebody looks: then it is the last of them."""

    fits = True
    fresh = True
    row: _Row

    def __getattribute__(self, name: str) -> Any:
        if name not in _SEEN:
            unfold(self)
            return getattr(self, name)
        return _read(self, name)

    @staticmethod
    def through(node: Any, g: Any, retain_graph: bool) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
        """One gradient for each of the edges, and these. None where something is wrong, which the nodes will say: they
        are made."""
        row: _Row = _read(node, "row")
        results = row.results
        if results is None or not row.unchanged():
            unfold(node)
            return None
        edges: list[Any] = []
        gradients: list[Any] = []
        at = len(row.layers)
        while at:
            at -= 1
            kind, _, weight, bias, of_weight, of_bias = row.layers[at]
            if weight is None:
                g = kind.backward(node, g, results[at + 1])
                continue
            x, w = results[at] if of_weight else None, weight._array if at or row.edge is not None else None
            slope, g, other = linear_backward(g, x, w, of_bias)
            if of_bias:
                edges.append(bias)
                gradients.append(slope)
            if of_weight:
                edges.append(weight)
                gradients.append(other)
        edges.append(row.edge)
        gradients.append(g)
        if not retain_graph:
            row.results = row.source = None
        return tuple(gradients), tuple(edges)


_SEEN = frozenset({"rare", "number", "shape", "dtype"})
"""What can be read of it without making the nodes."""


def forward(layers: list[Layer], input: Tensor, recording: bool) -> Tensor | None:
    """The result of the layers for a matrix of 32-bit floats. None, with nothing done, where one is not for it."""
    x = input._array
    width = x.shape[1]
    needs = recording and input._needs
    source, first, ahead = input, 0, 0
    results: list[Any] = [x]
    for _, function, weight, bias, of_weight, of_bias in layers:
        if recording and not needs and (of_weight or of_bias):
            needs, first = True, ahead
            if first:
                source, results = wrap(x), [x]
        ahead += 1  # noqa: SIM113 - enumerate takes longer
        if weight is None:
            x = function(x)
        else:
            w, b = weight._array, bias._array
            if w.ndim != 2 or w.shape[1] != width or b.shape != w.shape[:1]:
                return None
            width = len(w)
            x = onto(x, w.T, b)
        if needs:
            wanted = weight is None or (ahead < len(layers) and layers[ahead][4])  # by this layer or by the next
            results.append(x if wanted else None)
    if not needs:
        return wrap(x)
    row = _Row()
    row.layers = layers[first:] if first else layers
    row.source, row.results, row.shape = source, results, results[0].shape
    node = source._node
    row.edge = source if node is None and source._needs else node
    if not row.layers[0][4]:  # nobody wants to know what went in
        results[0] = row.source = None
    row.versions = [source._count()]
    folded = Folded()
    folded.row = row
    folded.shape, folded.dtype = x.shape, _FLOAT
    number = 0
    for layer in row.layers:
        row.versions.append(layer[2]._count() if layer[2] is not None else 0)
        number = next_number()
    folded.number = number
    output = wrap(x)
    output._needs, output._node = True, folded
    return output


def unfold(folded: Any) -> None:
    """Make the nodes of the layers; `folded` is the last of them from now on."""
    row: _Row = _read(folded, "row")
    del folded.row
    layers, results = row.layers, row.results
    number = _read(folded, "number") - len(layers)
    edge, source, shape = row.edge, row.source, row.shape
    folded.__class__ = layers[-1][0]
    at = 0
    for kind, _, weight, bias, of_weight, of_bias in layers:
        at += 1  # noqa: SIM113
        node: Any = folded if at == len(layers) else kind()
        if weight is None:
            node.edges = (edge,)
            if results is not None:
                node.output = results[at]
        else:
            node.edges = (bias if of_bias else None, edge, weight if of_weight else None)
            shape = (shape[0], weight._array.shape[0])
            if results is not None:
                node.saved = (source if of_weight else None, None if edge is None else weight)
                versions = (row.versions[0] if at == 1 else 0, row.versions[at])
                node.versions = versions if any(versions) else None
        if results is None:
            node.saved = None
        node.shape, node.dtype, node.number = shape, _FLOAT, number + at
        edge, source = node, None
        if results is not None and results[at] is not None:
            source = _new(Tensor)
            source._array, source._needs, source._node = results[at], True, node
            source._grad = source._base = source._counter = None
            source._number = 0
