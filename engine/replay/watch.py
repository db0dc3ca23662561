"""Seeing what a statement does, and remembering what must not change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from engine import nn
from engine.replay.kernels import Unsupported
from engine.replay.tape import Seen
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.autograd.graph import Node


class Watch:
    """An observer (engine.observe) that fills `seen`. What a tape cannot do makes it `spoilt`."""

    def __init__(self) -> None:
        self.seen = Seen()
        self.modules: dict[int, Any] = {}
        self.spoilt = False

    def operation(self, node: Node, output: Tensor, inputs: Sequence[Any]) -> None:
        self.seen.operations.append((node, output, tuple(inputs)))

    def backward(self, roots: Sequence[Tensor]) -> None:
        self.spoilt = self.spoilt or self.seen.root is not None or len(roots) != 1
        self.seen.root = roots[0]

    def gradient(self, node: Node, upstream: Any, contributions: Sequence[Any]) -> None:
        pass

    def accumulate(self, leaf: Tensor, before: Any, added: Any) -> None:
        self.spoilt = self.spoilt or before is not None
        self.seen.leaves.append(leaf)

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

    def leave_module(self, module: Any) -> None:
        pass


HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks")
TABLES = ("_parameters", "_modules", "_buffers")


class Unchanged:
    """Modules and leaves as they were: the same parts and settings, no hooks."""

    def __init__(self, modules: Iterable[Any], leaves: Iterable[Tensor], pure: frozenset[str]) -> None:
        self._leaves = [(leaf, leaf._array) for leaf in leaves]
        self._dicts: list[tuple[dict[str, Any], list[int]]] = []
        self._lists: list[Any] = []
        self._held: list[Any] = []
        for module in modules:
            kind = type(module)
            if "__script__" in vars(kind) and kind.__name__ not in pure:
                raise Unsupported
            own = vars(module)
            for table in (own, *(own[name] for name in TABLES)):
                self._dicts.append((table, [id(value) for value in table.values()]))
                self._held.append(list(table.values()))
            self._lists += [own[name] for name in HOOKS]
        if not self.holds():
            raise Unsupported

    def holds(self) -> bool:
        for leaf, array in self._leaves:
            if leaf._array is not array or not leaf._needs or leaf._node is not None or leaf._hooks:
                return False
            if "_after_accumulate" in leaf.__dict__ or leaf._base is not None:
                return False
        if any(self._lists):
            return False
        return all([id(value) for value in table.values()] == ids for table, ids in self._dicts)


def parameters_of(modules: Iterable[Any]) -> list[Tensor]:
    """The parameters that the modules hold themselves."""
    return [p for module in modules for p in vars(module)["_parameters"].values() if p is not None]


def is_engines(value: Any, pure: frozenset[str]) -> bool:
    """Whether a tape may call it, or read it as a number: the engine's functions, modules and namespaces, modules of
    the script that only compute, and numbers."""
    kind = type(value)
    if isinstance(value, nn.Module):
        return "__script__" not in vars(kind) or kind.__name__ in pure
    if kind in (int, float, str):
        return True
    if kind.__name__ == "module" and kind.__module__ == "engine.script.surface":
        return True
    return kind.__name__ in ("function", "builtin_function_or_method") and str(value.__module__).startswith("engine.")
