"""Linear maps and their adjoints, and the shortest way to record an operation.

The gradient of a linear map is its adjoint, whose gradient is the map again. An operation that is linear in its input
(padding, resizing, average pooling, unfolding ...) therefore gives two functions of arrays and is right to any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.dtypes import title
from engine.ops import either
from engine.ops.dispatch import wrap
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]
Map = Callable[[Any], Any]


def recorded(
    kind: type[Node], result: Any, inputs: Sequence[Any], saved: tuple[Any, ...] = (), **attributes: Any
) -> Tensor:
    """`result` as a Tensor, with a node of `kind` if an input requires grad. Inputs that are None are left out (they
    have no edge); `attributes` are set on the node."""
    out = wrap(result)
    if not grad_mode.enabled or out._array.dtype.kind not in "fc":
        return out
    for x in inputs:
        if isinstance(x, Tensor) and x._needs:
            node = record(kind, out, [x for x in inputs if x is not None], saved)
            for name, value in attributes.items():
                setattr(node, name, value)
            break
    return out


class Underived(Node):
    """A gradient of which PyTorch has no gradient."""

    told: Exception = RuntimeError()

    def name(self) -> str:
        return "NotImplemented"

    def backward(self, g: Any) -> Any:
        raise type(self.told)(*self.told.args)


def underived(name: str, result: Any, inputs: Sequence[Any]) -> Tensor:
    """The result of an operation that PyTorch records, and has no gradient of: backward() through it raises."""
    return recorded(Underived, result, inputs, told=RuntimeError(f"derivative for aten::{name} is not implemented"))


def derived_once(told: Exception) -> Callable[[type[Node]], type[Node]]:
    """For the node of an operation whose gradient PyTorch cannot differentiate: doing it raises `told`."""

    def changed(kind: type[Node]) -> type[Node]:
        plain = kind.backward

        def backward(self: Node, g: Any, *saved: Any) -> Any:
            found = plain(self, g, *saved)
            if not isinstance(g, Tensor):
                return found
            operands = [each for each in (g, *saved) if isinstance(each, Tensor)]
            given = found if isinstance(found, tuple) else (found,)
            made = [None if x is None else recorded(Underived, either.data(x), operands, told=told) for x in given]
            return tuple(made) if isinstance(found, tuple) else made[0]

        kind.backward = backward  # type: ignore[method-assign]
        return kind

    return changed


class Linked(Node):
    """The value passes on; the operands it is linked to get a gradient of zero."""

    label = ""
    shapes: Sequence[tuple[int, ...]] = ()

    def name(self) -> str:
        return self.label

    def backward(self, g: Any, *kept: Any) -> Any:
        return (g, *(either.zeros(shape, g) for shape in self.shapes))


def linked(x: Any, node: Node, *operands: Any) -> Any:
    """The gradient `x` that `node` computed, as a function of `operands` too, on which it does not depend.

    Where PyTorch computes a gradient by one operation that takes the saved tensors, a gradient of that gradient with
    respect to them exists and is zero, even if all of it is constant: the ReLU's, for instance."""
    if not isinstance(x, Tensor):
        return x
    others = [t for t in operands if isinstance(t, Tensor) and t._needs]
    if not others:
        return x
    label = f"{node.name().removesuffix('0')}Backward0"
    return recorded(Linked, x._array, (x, *others), label=label, shapes=[t._array.shape for t in others])


def shown_as(label: str, out: Tensor, *operands: Tensor, saved: tuple[Tensor, ...] = ()) -> Tensor:
    """`out`, made of several operations, under the name of the one that PyTorch has. `operands` that it does not depend
    on get a gradient of zero; `saved` are those that must not change before backward."""
    shapes = [t._array.shape for t in operands]
    return recorded(Linked, out._array, (out, *operands), saved, label=label, shapes=shapes)


class LinearMap(Node):
    """The gradient is the adjoint of the map. The node of an adjoint is named after the operation it belongs to."""

    there: Map
    back: Map
    label = ""

    def name(self) -> str:
        return self.label or type(self).__name__

    def backward(self, g: Any, *saved: Any) -> Any:
        return linked(linear(g, self.back, self.there, self.name()), self, *saved)


def linear(x: Any, there: Map, back: Map, label: str) -> Any:
    """`there(x)` of an array, or of a Tensor as a recorded operation whose gradient is `back`."""
    if not isinstance(x, Tensor):
        return there(x)
    return recorded(LinearMap, there(x._array), (x,), there=there, back=back, label=label)


def linear_op(kind: type[LinearMap], input: Tensor, there: Map, back: Map, *saved: Tensor) -> Tensor:
    """The forward operation of a linear map, recorded as `kind`; `saved` is what PyTorch's gradient takes."""
    return recorded(kind, there(input._array), (input,), saved, there=there, back=back)


def ntuple(value: Any, n: int) -> tuple[int, ...]:
    """`value` repeated n times, or the n values that it holds."""
    if isinstance(value, (tuple, list)):
        return tuple(_whole(v) for v in value) * (n if len(value) == 1 else 1)
    return (_whole(value),) * n


def _whole(value: Any) -> Any:
    """An int where `value` is one; what is none is refused later, in PyTorch's words."""
    return int(value) if hasattr(value, "__index__") else value


def kind_word(t: Tensor) -> str:
    """A dtype as PyTorch's messages spell it: "Float", "Long"."""
    return title(t.dtype)
