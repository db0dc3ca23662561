"""Hooks on what nodes save for the backward pass: a pack hook says what is kept instead of a tensor, an unpack hook
gives the tensor again. What scripts see as `torch.autograd.graph` is in hooked.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd import careful, grad_mode, graph
from engine.autograd.graph import FREED, Node, make_rare
from engine.autograd.places import PLACES
from engine.tensor import Tensor

_CHANGED = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be"
    " modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need to"
    " perform in-place operations on the input to a pack hook."
)


class Hooks:
    """A pair of functions around what is saved: `pack(tensor)` gives what is kept, `unpack(kept)` the tensor again."""

    __slots__ = ("pack", "unpack")

    def __init__(self, pack: Callable[[Any], Any], unpack: Callable[[Any], Any]) -> None:
        self.pack, self.unpack = pack, unpack


class Packed:
    """What a pack hook made of a saved tensor (it is given `shown`, where that is something else). `turned`: the tensor
    is the transposed one of what the node saved."""

    __slots__ = ("_edge", "_hooks", "_kept", "_needs", "_number", "_turned")

    def __init__(self, hooks: Hooks, tensor: Tensor, turned: bool = False, shown: Tensor | None = None) -> None:
        self._hooks, self._turned = hooks, turned
        self._edge, self._number, self._needs = graph.edge(tensor), tensor._number, tensor._needs
        before = tensor._count()
        with grad_mode.no_grad():
            self._kept = hooks.pack(tensor if shown is None else shown)
        if tensor._count() != before:
            raise RuntimeError(_CHANGED)

    def unpacked(self) -> Tensor:
        """The tensor that the unpack hook gives, with the history of what was packed. Raises TypeError for others."""
        found = self._hooks.unpack(self._kept)
        if not isinstance(found, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type"
                f" {type(found).__name__}"
            )
        made = Tensor._wrap(found._array)
        made._needs = self._needs
        if isinstance(self._edge, Node):
            made._node, made._number = self._edge, self._number
        return made

    def array(self) -> Any:
        """The values as the node saved them."""
        found = self.unpacked()._array
        return found.T if self._turned else found

    def in_graph(self) -> Tensor:
        """The tensor as the node saved it, for a backward that is recorded: a leaf's gradient finds its way there."""
        made = self.unpacked()
        if isinstance(self._edge, Tensor):
            graph.record(Unpacked, made, ()).edges = (self._edge,)
        return made.t() if self._turned else made


class Unpacked(Node):
    """What an unpack hook gave stands for the leaf that was saved."""

    operation = "unpack"

    def backward(self, g: Any) -> Any:
        return g


class Hooked(Node):
    """A node of whose saved tensors some are packed: mixed into its class."""

    def unpack(self) -> tuple[Any, ...]:
        return self._values(Packed.array, lambda each: each._array if isinstance(each, Tensor) else each)

    def unpack_tensors(self) -> tuple[Any, ...]:
        return self._values(Packed.in_graph, lambda each: each)

    def _values(self, unpack: Callable[[Packed], Any], plain: Callable[[Any], Any]) -> tuple[Any, ...]:
        """What was saved, the output last: unpacked in the order in which it was packed."""
        saved = self.saved
        if saved is None:
            raise RuntimeError(FREED)
        self._check(saved)
        found = {i: unpack(saved[i]) for i in map(int, _places(self)[0]) if isinstance(saved[i], Packed)}
        values = tuple(found[i] if i in found else plain(each) for i, each in enumerate(saved))
        if not self.saves_output:
            return values
        output = self.output if self.packed_output is None else unpack(self.packed_output)
        if unpack is Packed.in_graph:
            output = output if isinstance(output, Tensor) else Tensor._wrap(output)
            output._node, output._needs = self, True
        return (*values, output)

    def free(self) -> None:
        self.saved = self.output = self.output_counter = self.packed_output = None


_HOOKED: dict[type[Node], type[Node]] = {}


def _hooked(kind: type[Node]) -> type[Node]:
    if kind not in _HOOKED:
        _HOOKED[kind] = type(kind.__name__, (Hooked, kind), {"__module__": kind.__module__})
    return _HOOKED[kind]


def put_hooks(node: Node, hooks: Hooks, at: str, detached: bool = False) -> None:
    """Pack one value of a node: `at` is its place as in places.py; `detached`: the hook sees it without its history."""
    tensor = value_at(node, at)
    turned = at.endswith("t") and node.transposed is not None
    packed = Packed(hooks, tensor, turned, tensor.detach() if detached else None)
    if at == "out":
        packed._edge = None  # it is the node's own, which knows it
        node.output = node.output_counter = None
        node.packed_output = packed
    else:
        saved = list(node.saved or ())
        saved[int(at[0])] = packed
        node.saved = tuple(saved)
    make_rare(node)
    if not isinstance(node, Hooked):
        node.__class__ = _hooked(type(node))


def value_at(node: Node, at: str) -> Any:
    """What a node saved at a place, as PyTorch shows it. Raises RuntimeError where it is freed or was changed."""
    saved = node.saved
    if saved is None:
        raise RuntimeError(FREED)
    if at == "out":
        packed = node.packed_output
        if packed is None:
            node._check(saved)
        out = Tensor._wrap(node.output) if packed is None else packed.unpacked()
        out._node, out._needs = node, True
        return out
    value = saved[int(at[0])]
    if isinstance(value, Packed):
        return value.unpacked()
    if isinstance(value, Tensor):
        node._check(saved)
        return _turned(value) if at.endswith("t") and node.transposed is not None else value
    if value is not None and at.endswith("n"):
        return Tensor._wrap(np.asarray(value, dtypes.of_number(value).numpy))
    return value


def _turned(value: Tensor) -> Any:
    with grad_mode.enable_grad():
        return value.t()


_open: tuple[Hooks, ...] = ()  # of the blocks that are entered, innermost last
_refused: str | None = None  # why there can be none now


def state() -> tuple[Any, ...]:
    """The hooks that are on: for `become`."""
    return _open, _refused


def become(state: tuple[Any, ...]) -> None:
    """Let the hooks be on that `state` gave."""
    global _open, _refused
    _open, _refused = state
    careful.want("hooks", _pack if _open else None)


def _pack(node: Node, _: Tensor) -> None:
    """Pack what a node saved as it was recorded, with the innermost hooks."""
    places, output_too = _places(node)
    for at in places.values():
        if isinstance((node.saved or ())[int(at[0])], Tensor):
            put_hooks(node, _open[-1], at)
    if output_too:
        put_hooks(node, _open[-1], "out")


def _places(node: Node) -> tuple[dict[str, str], bool]:
    """Where a node keeps values, by the digit, in PyTorch's order; and whether it keeps its output."""
    places = {at[0]: at for at in PLACES.get(type(node).__name__, {}).values() if at[0].isdigit()}
    for i in range(len(node.saved or ())):
        places.setdefault(str(i), str(i))
    return places, node.saves_output


def pack_one(tensor: Any) -> Any:
    """What a function of the user's keeps of a tensor that it saves."""
    return Packed(_open[-1], tensor) if _open and isinstance(tensor, Tensor) else tensor


class saved_tensors_hooks:
    """Tensors saved by operations inside the block are kept as `pack_hook(tensor)`, and given to backward as
    `unpack_hook(kept)`. Of blocks inside of others the innermost counts."""

    def __init__(self, pack_hook: Any, unpack_hook: Any) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        if _refused is not None:
            raise RuntimeError(_refused)
        become(((*_open, Hooks(self.pack_hook, self.unpack_hook)), _refused))

    def __exit__(self, *error: object) -> None:
        become((_open[:-1], _refused))


class save_on_cpu(saved_tensors_hooks):
    """Saved tensors are kept on the cpu, where all of them are."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__((lambda x: x.clone()) if pin_memory else (lambda x: x), lambda kept: kept)


class disable_saved_tensors_hooks:
    """Inside the block saved_tensors_hooks raise RuntimeError(error_message)."""

    def __init__(self, error_message: str) -> None:
        self._message, self._before = error_message, _refused

    def __enter__(self) -> None:
        if _open:
            raise RuntimeError(self._message)
        self._before = _refused
        become((_open, self._message))

    def __exit__(self, *error: object) -> None:
        become((_open, self._before))


for _kind in (saved_tensors_hooks, save_on_cpu, disable_saved_tensors_hooks):
    _kind.__module__ = "torch.autograd.graph"
