"""The nodes of the computation graph, and what they keep for the backward pass.

A Node is what PyTorch shows as `grad_fn`. Each operation has a subclass of its own in engine/ops/, named as PyTorch
names it, with one method:

    def backward(self, g, *saved): ...

`g` is the gradient of the loss with respect to the operation's output, of the output's shape; `saved` is what forward
kept, in order, and the output last when the class says `saves_output`. It returns one gradient per input (a tuple, or
the bare gradient for one input; None where an input needs none), of a shape that broadcasts from the input's: the
walk sums what was broadcast, as PyTorch's does. All values are NumPy arrays, or, under create_graph=True, Tensors:
write the formula with operators and the functions of engine/ops/either.py, and it is right for both.

An edge points to the Node that made the input, or to the leaf Tensor itself, or is None where no gradient is needed.
A leaf stands in the graph in its own person: PyTorch's AccumulateGrad is made when somebody asks for
`next_functions`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from engine import observe
from engine import tensor as tensors
from engine.autograd import careful
from engine.autograd.changed import changed_message
from engine.autograd.handles import RemovableHandle as RemovableHandle
from engine.autograd.places import SHOWN
from engine.brief import tagged
from engine.tensor import INFERENCE, Tensor

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been"
    " freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify"
    " retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors"
    " after calling backward."
)
_INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in"
    " computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use"
    " it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
)

unusual = False
"""Whether a node or leaf of this process ever had what few have: hooks, several outputs, ways of its own. As long as
none had, nobody needs to look for it before a walk."""

running: tuple[Any, ...] | None = None  # the walk that calls a hook: nodes, leaves, what is wanted, into .grad or not
BEFORE = -1  # in the place of an output's number, where hooks see the gradients of all outputs
next_number = count().__next__
_ndarray, _new = np.ndarray, object.__new__


class _Rare:
    """An attribute that few nodes have, and None of the others. Setting it marks the node (`rare` is not None), so that
    the walk asks one thing of the many plain nodes."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, node: Any, owner: type | None = None) -> Any:
        return None if node is None or node.rare is None else node.rare.get(self._name)

    def __set__(self, node: Any, value: Any) -> None:
        make_rare(node)
        node.rare[self._name] = value


def make_rare(node: Node) -> None:
    """Mark a node that the plain walk is not for."""
    global unusual
    unusual = True
    if node.rare is None:
        node.rare = {}


class Node:
    """One recorded operation. Attributes that most nodes never set have their defaults here."""

    operation = ""
    saves_output = False
    last_first = False  # PyTorch looks at the second saved factor first
    fresh = False  # `backward` returns new arrays, which nobody else holds: a leaf may keep them
    holomorphic = True  # of complex numbers, see wirtinger.py; where not, `backward` is right for them as it is
    fits = False  # `backward` returns gradients in the shapes and dtypes of the inputs: nothing was broadcast or cast
    operands = 0  # how many inputs PyTorch's node has, where numbers among them count too
    transposed: int | None = None  # the edge whose gradient PyTorch's node gives transposed, to a view
    edges: tuple[Any, ...] = ()
    edge_numbers: tuple[int, ...] | None = None  # which output of the edge's node; None: all 0
    saved: tuple[Any, ...] | None = ()  # None: freed
    versions: tuple[int, ...] | None = None  # None: all 0
    output: np.ndarray[Any, Any] | None = None
    output_counter: list[int] | None = None
    output_version = 0
    output_maker: Any = None  # of an operation in place on a view: a weak reference to the view's node
    output_is_view = False  # the operation was in place, on a view
    shape: tuple[int, ...] = ()
    dtype: Any = None
    rare: dict[str, Any] | None = None
    outputs: Any = _Rare()  # ((shape, dtype), ...) of the outputs, when there are several
    hooks: Any = _Rare()  # on the gradient that arrives: a list per output number; those of all of them under BEFORE
    retained: Any = _Rare()  # tensors that keep this gradient as .grad, by output number
    post_hooks: Any = _Rare()  # a list
    notes: Any = _Rare()  # what a script keeps with the node
    packed_output: Any = _Rare()  # what a pack hook made of the output
    number = 0  # order of creation: a topological order
    tag: Any = None  # free for an observer
    made_at: str | None = None  # where the operation was called, in anomaly mode
    through: Any = None  # a way of its own through a node, for the plain walk
    shown: str | None = None  # what a tensor prints instead of the name, where PyTorch has another operation for it

    def backward(self, g: Any, *saved: Any) -> Any:
        raise NotImplementedError

    def name(self) -> str:
        """PyTorch's name of the node, e.g. "MulBackward0"."""
        return type(self).__name__

    def short_name(self) -> str:
        """What a tensor prints as its grad_fn: the name without PyTorch's C++ namespace."""
        return self.shown or self.name().rsplit("::", 1)[-1]

    def __dir__(self) -> list[str]:
        from engine.autograd.saved import names_of

        own = (each for each in super().__dir__() if not isinstance(getattr(Node, each, None), _Saved))
        return sorted({*own, *names_of(self)})

    def written(self, address: str) -> str:
        return f"<{self.short_name()} object at {address}>"

    def __repr__(self) -> str:
        return self.written(f"0x{0x7F0000000000 + 16 * self.number:x}")

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """((node, output number), ...) of the inputs, as in PyTorch."""
        numbers = self.edge_numbers or (0,) * len(self.edges)
        found = tuple(
            (AccumulateGrad(e) if isinstance(e, Tensor) else e and e.seen(), n)
            for e, n in zip(self.edges, numbers, strict=True)
        )
        return found + ((None, 0),) * (self.operands - len(found))

    def seen(self) -> Node:
        """The node, for somebody who looks at it: one that stands for several becomes the last of them."""
        return self

    def __call__(self, *gradients: Any, **named: Any) -> Any:
        """The node's backward alone, see alone.py."""
        if named:
            raise TypeError("keyword arguments are not supported")
        from engine.autograd.alone import run_alone

        return run_alone(self, gradients)

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict to keep things in, as in PyTorch."""
        if self.notes is None:
            self.notes = {}
        found: dict[Any, Any] = self.notes
        return found

    def unpack(self) -> tuple[Any, ...]:
        """The saved values as arrays (numbers and other constants as they are), after checking their versions."""
        saved = self.saved
        if saved is None:
            raise RuntimeError(FREED)
        versions = self.versions
        values: list[Any] = []
        for s in saved:
            if isinstance(s, Tensor):
                counter = s._counter
                if counter is not None and counter[0] != (0 if versions is None else versions[len(values)]):
                    self._check(saved)
                s = s._array
            values.append(s)
        if self.saves_output:
            if self.output_counter is not None and self.output_counter[0] != self.output_version:
                self._check(saved)
            values.append(self.output)
        return tuple(values)

    def unpack_tensors(self) -> tuple[Any, ...]:
        """The saved values as Tensors that are part of the graph: for create_graph=True."""
        saved = self.saved
        if saved is None:
            raise RuntimeError(FREED)
        self._check(saved)
        if not self.saves_output:
            return saved
        output = Tensor._wrap(self.output)
        output._node, output._needs = self, True
        return (*saved, output)

    def _check(self, saved: tuple[Any, ...]) -> None:
        versions = self.versions
        for i in range(len(saved) - 1, -1, -1) if self.last_first else range(len(saved)):
            tensor = saved[i]
            if isinstance(tensor, Tensor):
                now = tensor._counter[0] if tensor._counter is not None else 0
                then = versions[i] if versions is not None else 0
                if now != then:
                    raise RuntimeError(self._modified(tensor, now, then))
        if self.output_counter is not None and self.output_counter[0] != self.output_version:
            output = Tensor._wrap(self.output)
            raise RuntimeError(
                changed_message(
                    output,
                    "AsStrided" if self.output_maker is not None and self.output_maker() else message_name(self),
                    0,
                    self.output_counter[0],
                    self.output_version,
                )
            )

    def _modified(self, tensor: Tensor, now: int, then: int) -> str:
        if tensor._base is not None:
            tensor._refresh()
        node = tensor._node
        return changed_message(tensor, message_name(node) if node is not None else None, tensor._number, now, then)

    def free(self) -> None:
        """Drop what was saved. A node that saved nothing can still be walked again."""
        if self.saved or self.output is not None:
            self.saved = self.output = self.output_counter = None

    @property
    def freed(self) -> bool:
        return self.saved is None

    def register_hook(self, hook: Any) -> RemovableHandle:
        """`hook(grad_inputs, grad_outputs)` runs after this node did."""
        if self.post_hooks is None:
            self.post_hooks = []
        return RemovableHandle(self.post_hooks, hook)

    def register_prehook(self, hook: Any) -> RemovableHandle:
        """`hook(grad_outputs)` runs before this node does; what it returns, if not None, is what the node gets."""
        if self.hooks is None:
            self.hooks = {}
        return RemovableHandle(self.hooks.setdefault(BEFORE, []), hook)


class _Saved:
    """What some nodes have saved, by PyTorch's name for it. A `__getattr__` would say it too, but Python does not
    remember where the attributes of a class with one are, and the walks would take longer."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, node: Any, owner: type | None = None) -> Any:
        if node is None:
            return self
        from engine.autograd.saved import read

        return read(node, self._name)


for _name in SHOWN:
    for _start in ("_saved_", "_raw_saved_"):
        setattr(Node, _start + _name, _Saved(_start + _name))


def message_name(node: Node) -> str:
    """What messages call a node: "Add" for AddBackward0, "Clamp1" for ClampBackward1."""
    return re.sub(r"Backward(\d*)$", r"\1", node.name()).removesuffix("0")


class AccumulateGrad(Node):
    """What `next_functions` shows for a leaf."""

    operation = "accumulate"

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AccumulateGrad) and other.variable is self.variable

    def __hash__(self) -> int:
        return hash(self.variable)


def hook_leaf(hooks: list[Any], hook: Any) -> RemovableHandle:
    """Add a hook to those of a leaf."""
    global unusual
    unusual = True
    return RemovableHandle(hooks, hook)


def edge(tensor: Tensor) -> Any:
    """Where the gradient of `tensor` goes: its node, the leaf itself, or None."""
    if tensor._base is not None:
        tensor._refresh()
    node = tensor._node
    if node is not None:
        return node
    return tensor if tensor._needs and tensor._base is None else None


def record(kind: type[Node], output: Tensor, inputs: Sequence[Any], saved: tuple[Any, ...] = ()) -> Node:
    """Make the node of one operation and attach it to `output`.

    `inputs` are the operands in PyTorch's order: Tensors, and numbers for scalar operands (they get no edge). Call it
    only where grad mode is on and an input requires grad."""
    node = kind()
    edges: list[Any] = []
    numbers: list[int] | None = None
    for x in inputs:
        if not isinstance(x, Tensor):
            continue
        if x._base is not None:
            x._refresh()
        target = x._node
        if target is None:
            edges.append(x if x._needs and x._base is None else None)  # a view made under no_grad() leads nowhere
        else:
            edges.append(target)
            if x._number:
                numbers = numbers or [0] * len(inputs)
                numbers[len(edges) - 1] = x._number
    node.edges = tuple(edges)
    if numbers is not None:
        node.edge_numbers = tuple(numbers[: len(edges)])
    if saved:
        node.saved = saved
        node.versions = _versions(saved)
    _finish(node, output)
    if careful.on or observe.active is not None:
        _tell(node, output, inputs)
    return node


def _tell(node: Node, output: Tensor, inputs: Sequence[Any]) -> None:
    """Tell those who want to know that `node` was attached to `output`."""
    if careful.on:
        careful.recorded(node, output)
    if observe.active is not None:
        observe.active.operation(node, output, inputs)


def record_one(
    kind: type[Node], array: Any, x: Tensor, saved: tuple[Any, ...] = (), inputs: tuple[Any, ...] = ()
) -> Tensor:
    """The result `array` as a Tensor, and its node: `record` for the commonest case, written out. There is one operand
    that is a Tensor, which requires grad. `inputs` are all operands where there are numbers among them; nothing but
    operands is saved then."""
    if x._base is not None:
        x._refresh()
    node = kind()
    target = x._node
    if target is None:
        node.edges = (x if x._base is None else None,)
    else:
        node.edges = (target,)
        if x._number:
            node.edge_numbers = (x._number,)
    if saved:
        node.saved = saved
        if x._counter is not None or not (inputs or (len(saved) == 1 and saved[0] is x)):
            node.versions = _versions(saved)
    node.shape = array.shape
    node.dtype = array.dtype
    node.number = next_number()
    output = _new(Tensor)  # what _wrap does, written out
    output._array = made = array if array.__class__ is _ndarray else tagged(array)
    output._needs = True
    output._node = node
    output._grad = output._base = None
    output._counter = tensors._fresh
    output._number = 0
    if node.saves_output:
        node.output = made  # what is new has no counter yet, see _save_output
    if careful.on or observe.active is not None:
        _tell(node, output, inputs or (x,))
    return output


def record_two(
    kind: type[Node], array: Any, a: Tensor, b: Tensor, saved: tuple[Any, ...] = (), before: Tensor | None = None
) -> Tensor:
    """`record_one` for two operands, both Tensors, of which one at least requires grad; `before` is a third that comes
    before them, of which nothing is saved. What is saved is the two, or None instead of one of them."""
    if a._base is not None:
        a._refresh()
    if b._base is not None:
        b._refresh()
    node = kind()
    first, second = a._node, b._node
    node.edges = (
        first if first is not None else a if a._needs and a._base is None else None,
        second if second is not None else b if b._needs and b._base is None else None,
    )
    if a._number or b._number:
        node.edge_numbers = (a._number if first is not None else 0, b._number if second is not None else 0)
    if before is not None:
        node.edges = (edge(before), *node.edges)
        if before._number or node.edge_numbers is not None:
            numbers = node.edge_numbers or (0, 0)
            node.edge_numbers = (before._number if before._node is not None else 0, *numbers)
    if saved:
        node.saved = saved
        one, other = a._counter, b._counter
        if one is not None or other is not None:
            if one is INFERENCE or other is INFERENCE:
                _versions(saved)  # which refuses it
            node.versions = (0 if one is None else one[0], 0 if other is None else other[0])
    node.shape = array.shape
    node.dtype = array.dtype
    node.number = next_number()
    output = _new(Tensor)
    output._array = made = array if array.__class__ is _ndarray else tagged(array)
    output._needs = True
    output._node = node
    output._grad = output._base = None
    output._counter = tensors._fresh
    output._number = 0
    if node.saves_output:
        node.output = made
    if careful.on or observe.active is not None:
        _tell(node, output, (a, b) if before is None else (before, a, b))
    return output


def _finish(node: Node, output: Tensor) -> None:
    """Give a node with edges its number and its output."""
    array = output._array
    node.shape, node.dtype = array.shape, array.dtype
    if node.saves_output:
        _save_output(node, output)
    node.number = next_number()
    output._node = node
    output._needs = True


def _save_output(node: Node, output: Tensor) -> None:
    """Most outputs have no counter and never need one."""
    node.output = output._array
    counter = output._counter
    if counter is not None:  # else the tensor tells the node when it makes one
        node.output_counter, node.output_version = counter, counter[0]


def _versions(saved: tuple[Any, ...]) -> tuple[int, ...] | None:
    """The versions of what is saved; None where all are 0 and nobody counts."""
    versions: list[int] | None = None
    i = 0
    for s in saved:
        if isinstance(s, Tensor):
            counter = s._counter
            if counter is not None:
                if counter is INFERENCE:
                    raise RuntimeError(_INFERENCE_SAVED)
                if versions is None:
                    versions = [0] * len(saved)
                versions[i] = counter[0]
        i += 1  # noqa: SIM113 - enumerate takes longer
    return None if versions is None else tuple(versions)


def record_many(
    kind: type[Node],
    outputs: Sequence[Tensor],
    inputs: Sequence[Any],
    saved: tuple[Any, ...] = (),
    differentiable: Sequence[bool] | None = None,
) -> Node:
    """Like `record` for an operation with several outputs; `backward` then gets a list of gradients, None where an
    output received none. Outputs that are not differentiable (indices) get no history."""
    node = record(kind, outputs[0], inputs, saved)
    node.outputs = tuple((o._array.shape, o._array.dtype) for o in outputs)
    for i, output in enumerate(outputs):
        if differentiable is None or differentiable[i]:
            output._node, output._needs, output._number = node, True, i
        elif not i:  # which record() has attached
            output._share_counter()
            output._node, output._needs = None, False
    return node
