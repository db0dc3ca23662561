"""Seeing what a statement does, and remembering what must not change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import is_
from typing import Any

from engine import nn
from engine.autograd.graph import Node
from engine.nn.rnn import RNNBase, RNNCellBase
from engine.replay.kernels import Unsupported
from engine.replay.tape import Seen
from engine.script.surface import ScriptModule
from engine.tensor import Tensor


class Watch:
    """An observer (engine.observe) that fills `seen`. What a tape cannot do makes it `spoilt`."""

    every_gradient = False
    layers_whole = True

    def __init__(self) -> None:
        self.seen = Seen()
        self.modules: dict[int, Any] = {}
        self.modes: dict[int, bool] = {}  # whether each was in training when it was called
        self._inside: list[Any] = []
        self.spoilt = False

    def operation(self, node: Node, output: Tensor, inputs: Sequence[Any]) -> None:
        self.seen.operations.append((node, output, tuple(inputs)))
        if self._inside:
            self.seen.makers[node] = self._inside[-1]

    def backward(self, roots: Sequence[Tensor]) -> None:
        self.spoilt = self.spoilt or self.seen.root is not None or len(roots) != 1
        self.seen.root = roots[0]
        for node, _, _ in self.seen.operations:
            if node.saved is not None and type(node).unpack is Node.unpack:  # another one may call what a script gave
                self.seen.saved[node] = _saved(node)

    def asked(self, inputs: Sequence[Tensor]) -> None:
        pass

    def gradient(self, node: Node, upstream: Any, contributions: Sequence[Any]) -> None:
        pass

    def accumulate(self, leaf: Tensor, before: Any, added: Any) -> None:
        self.seen.leaves.append(leaf)

    def reached(self, leaves: Sequence[Tensor]) -> None:
        self.seen.leaves += leaves

    def clear(self, parameter: Tensor, before: Any) -> None:
        pass

    def will_update(self, optimizer: Any, parameter: Tensor, group: dict[str, Any]) -> None:
        pass

    def updated(self, optimizer: Any, parameter: Tensor, group: dict[str, Any]) -> None:
        pass

    def skipped(self, optimizer: Any, parameter: Tensor) -> None:
        pass

    def enter_module(self, module: Any) -> None:
        self.modules[id(module)] = module
        self.modes.setdefault(id(module), module.training)
        self._inside.append(module)

    def leave_module(self, module: Any) -> None:
        self._inside.pop()


def _saved(node: Node) -> tuple[Any, ...]:
    """What a node has saved, as arrays; whether it is as it was, the walk asks."""
    saved = tuple(each._array if isinstance(each, Tensor) else each for each in node.saved or ())
    return (*saved, node.output) if node.saves_output else saved


HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks")
MODELESS = frozenset(
    {"Linear", "Sequential", "Identity", "Flatten", "ReLU", "Tanh", "Sigmoid", "LogSoftmax", "Softmax"}
    | {"LeakyReLU", "GELU", "ELU", "SiLU", "Softplus", "Conv1d", "Conv2d", "MaxPool2d", "AvgPool2d"}
    | {"Embedding", "LayerNorm"}
)
"""The engine's modules that do the same in training and otherwise."""
TABLES = ("_parameters", "_modules", "_buffers")


class Unchanged:
    """Modules and leaves as they were: the same parts and settings, no hooks. `modes_matter` says that a module may do
    something else in training than otherwise."""

    def __init__(self, watch: Watch, leaves: Iterable[Tensor], pure: frozenset[str]) -> None:
        modules = list(watch.modules.values())
        self._leaves = [(leaf, leaf._array) for leaf in leaves]
        self._tensors = [(each, each._array, each._needs) for each in tensors_of(modules)]
        self._tables: list[dict[str, Any]] = []
        self._hooks: list[Any] = []
        self._modes: list[tuple[Any, bool]] = []
        for module in modules:
            kind = type(module)
            scripts = "__script__" in vars(kind)
            if scripts and kind.__name__ not in pure:
                raise Unsupported(f"{kind.__name__}.forward may do more than compute")
            own = vars(module)
            if scripts:
                self._look_into(kind.__name__, own, pure)
            self._tables += [own, *(own[name] for name in TABLES)]
            self._hooks += [own[name] for name in HOOKS]
            if scripts or not (modeless(module) or kind.__name__.endswith("Loss")):
                self._modes.append((module, watch.modes.get(id(module), module.training)))
        self.modes_matter = bool(self._modes)
        self._names = [*chain.from_iterable(self._tables)]
        self._flags = [i for i, name in enumerate(self._names) if name == "training"]
        self._values = self._parts()
        if not self.holds():
            raise Unsupported("hooks, or gradients in places of their own")

    def _look_into(self, kind: str, own: dict[str, Any], pure: frozenset[str]) -> None:
        """Functions that a module of the script's holds, lists of which it takes parts, settings by which it decides.
        Raises Unsupported."""
        if any(callable(value) and not is_engines(value, pure) for value in own.values()):
            raise Unsupported(f"{kind} holds a function that may do more than compute")
        for entry in pure:
            name = entry.removeprefix(f"{kind}.")
            if name != entry and name.startswith("?"):
                tables = (own, own["_modules"], own["_parameters"])
                values = [table[name[1:]] for table in tables if name[1:] in table]
                if not (values and _decides_for_good(values[0])):
                    raise Unsupported(f"{kind}.{name[1:]} is no setting")
            elif name != entry:
                held = own["_modules"].get(name)
                if not isinstance(held, (nn.ModuleList, nn.Sequential)):
                    raise Unsupported(f"{entry} is no list of modules")
                self._tables.append(held._modules)

    def _parts(self) -> list[Any]:
        values = [*chain.from_iterable(map(dict.values, self._tables))]
        for i in self._flags:
            if i < len(values):
                values[i] = None
        return values

    def holds(self) -> bool:
        for leaf, array in self._leaves:
            if leaf._array is not array or not leaf._needs or leaf._node is not None or leaf._hooks:
                return False
            if "_after_accumulate" in leaf.__dict__ or leaf._base is not None:
                return False
        for tensor, array, needs in self._tensors:
            if tensor._array is not array or tensor._needs is not needs or tensor._node is not None:
                return False
        if any(self._hooks):
            return False
        for module, training in self._modes:
            if module.training is not training:
                return False
        names, values = [*chain.from_iterable(self._tables)], self._parts()
        same = len(names) == len(self._names) and all(map(is_, names, self._names))
        return same and all(map(is_, values, self._values))


def _decides_for_good(value: Any) -> bool:
    """Whether what is held is as true or false as long as it is held: a setting, a module that is no list."""
    kind = type(value)
    return kind in (bool, int, float, str, type(None)) or (
        isinstance(value, nn.Module) and not hasattr(kind, "__len__")
    )


def tensors_of(modules: Iterable[Any]) -> list[Tensor]:
    """The tensors that the modules hold themselves: parameters, buffers, attributes."""
    own = [vars(module) for module in modules]
    tables = [table for each in own for table in (each, *(each[name] for name in TABLES))]
    held = chain.from_iterable(map(dict.values, tables))
    return [each for each in held if isinstance(each, Tensor)]


def is_engines(value: Any, pure: frozenset[str]) -> bool:
    """Whether a tape may call it, or read it as a number: the engine's functions, modules and namespaces, modules and
    functions of the script that only compute, and numbers."""
    kind = type(value)
    if kind.__name__ == "function" and kind.__module__ == "engine.script.frames":
        return value.code.qualname in pure and not value.outer and not value.modes
    if isinstance(value, nn.Module):
        return "__script__" not in vars(kind) or kind.__name__ in pure
    if kind in (int, float, str, bool):
        return True
    if isinstance(value, ScriptModule):
        return not is_changed(value)
    return kind.__name__ in ("function", "builtin_function_or_method") and str(value.__module__).startswith("engine.")


def is_changed(value: Any) -> bool:
    """Whether it is a namespace some of whose names mean what the script said."""
    return isinstance(value, ScriptModule) and value.replaced


def repeats(modules: Iterable[Any]) -> bool:
    """Whether modules compute all that they use from what they are given."""
    return all("__script__" in vars(type(each)) or modeless(each) for each in modules)


def modeless(module: Any) -> bool:
    """Whether a module of the engine's does the same in training and otherwise."""
    recurrent = isinstance(module, (RNNBase, RNNCellBase)) and not vars(module).get("dropout")
    return type(module).__name__ in MODELESS or recurrent
