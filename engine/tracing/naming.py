"""What the script's names reach: tensors, modules, optimizers and the rest, each under the first name that leads to it.

Names are how the script itself would say it: "w", "model.0.weight", "params[1]", "batch['x']".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.nn import Module, Parameter
from engine.optim import Optimizer
from engine.script.executing.machine import is_script_object
from engine.script.values.plain import first, text, whole, written
from engine.tensor import Tensor
from engine.tracing.optimizers import groups_of

ENTRIES = 64
"""How many entries of a list, tuple or dict are looked at."""
FEW = 4
DEPTH = 3
"""How deep containers are followed."""
LONGEST = 400
"""Bits of an int that is shown as a key."""


@dataclass(slots=True)
class Names:
    """The tensors by name (in the order in which names were first bound), and what names each object has."""

    tensors: dict[str, Tensor] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)
    optimizers: dict[str, Optimizer] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)
    of: dict[int, str] = field(default_factory=dict)  # id of a tensor, module or optimizer -> its first name

    def name(self, thing: Any) -> str:
        """The name of a tensor or module, "" when no variable reaches it."""
        return self.of.get(id(thing), "")

    def value(self, name: str | None) -> Any:
        """What a variable holds, None when there is none of that name."""
        return None if name is None else self.tensors.get(name, self.others.get(name))

    def called(self, tensor: Tensor | None, before: str) -> str:
        """What to call a tensor that had the name `before`: "old w", once another tensor is w."""
        return self.of.get(id(tensor)) or (f"old {before}" if before in self.tensors else before)


def read_names(namespace: Mapping[str, Any], passing: frozenset[str] = frozenset()) -> Names:
    """Read a script's variables. Each tensor counts once, under its first name. What is trained has no name of
    `passing` (those that loops bind, and what a function is given) while another leads to it: `for w in weights` would
    call each of them "w", and every forward() its module "self". `_` is no name while there is another: notebooks bind
    it to all that they show."""
    names = Names()
    late: dict[str, Any] = {}
    for name, value in namespace.items():
        if isinstance(value, (Tensor, Module, Optimizer)):
            if name == "_" or (name.partition(".")[0] in passing and _is_trained(value)):
                late[name] = value
            else:
                _read(names, name, value, 0)
    for name, value in namespace.items():
        if isinstance(value, (list, tuple, dict)):
            if name == "_" or name in passing:
                late[name] = value
            else:
                _read(names, name, value, 0)
            if _plain(value, 0):
                names.others[name] = value
        elif not isinstance(value, (Tensor, Module, Optimizer)):
            names.others[name] = value
    for name, value in late.items():
        _read(names, name, value, 0)
    for name, optimizer in names.optimizers.items():
        _parameters_held(names, name, optimizer)
    return names


def _is_trained(value: Tensor | Module | Optimizer) -> bool:
    return not isinstance(value, Tensor) or (value._needs and value._node is None)


def _read(names: Names, name: str, value: Any, depth: int) -> None:
    if isinstance(value, Tensor):
        if id(value) not in names.of and not value.is_meta:
            names.of[id(value)] = name
            names.tensors[name] = value
    elif isinstance(value, Module):
        _read_module(names, name, value)
    elif isinstance(value, Optimizer):
        if id(value) not in names.of:
            names.of[id(value)] = name
            names.optimizers[name] = value
    elif depth >= DEPTH:
        return
    elif isinstance(value, (list, tuple)):
        for i, entry in enumerate(first(value, ENTRIES)):
            _read(names, f"{name}[{i}]", entry, depth + 1)
    elif isinstance(value, dict):
        for key, entry in first(value, ENTRIES):
            if (shown := _shown_key(key)) is not None:
                _read(names, f"{name}[{shown}]", entry, depth + 1)


def _shown_key(key: Any) -> str | None:
    """A text or number between brackets; None for other keys, and for numbers that nobody would read."""
    if isinstance(key, str):
        return repr(text(key))
    if type(key) is bool:
        return repr(key)
    return repr(whole(key)) if isinstance(key, int) and int.bit_length(key) < LONGEST else None


def _read_module(names: Names, name: str, module: Module) -> None:
    """The module, those below it, their parameters and then their buffers, in PyTorch's order. Read from the
    dictionaries: a script may have overridden the methods."""
    below: dict[int, tuple[str, Module]] = {}
    _modules_below(name, module, below)
    for key, (path, part) in below.items():
        if key not in names.of:
            names.of[key] = path
            names.modules[path] = part
    for kind in ("_parameters", "_buffers"):
        for path, part in below.values():
            for own, tensor in _entries(part, kind):
                known = not isinstance(tensor, Tensor) or tensor.is_meta or id(tensor) in names.of
                if not known and isinstance(own, str):
                    whole = written(f"{path}.{own}")
                    names.of[id(tensor)] = whole
                    names.tensors[whole] = tensor
    for path, part in below.values():
        if is_script_object(part):
            _read_unregistered(names, path, part)


def _read_unregistered(names: Names, path: str, part: Module) -> None:
    """Leaves that a module of the script's own holds as plain attributes: what requires grad and is no Parameter."""
    for own, tensor in dict.items(vars(part)):
        if isinstance(tensor, Tensor) and _is_trained(tensor) and id(tensor) not in names.of and not tensor.is_meta:
            whole = written(f"{path}.{own}")
            names.of[id(tensor)] = whole
            names.tensors[whole] = tensor


def _modules_below(name: str, module: Module, found: dict[int, tuple[str, Module]]) -> None:
    """Put the module and those below it into `found`, by id(), each once."""
    if id(module) in found:
        return
    found[id(module)] = name, module
    for own, child in _entries(module, "_modules"):
        if isinstance(child, Module) and isinstance(own, str):
            _modules_below(written(f"{name}.{own}"), child, found)


def _entries(module: Module, kind: str) -> Iterable[tuple[Any, Any]]:
    entries = vars(module).get(kind)
    return dict.items(entries) if isinstance(entries, dict) else ()


def _parameters_held(names: Names, name: str, optimizer: Optimizer) -> None:
    """Parameters that only the optimizer reaches still have a name: "opt.param_groups[0]['params'][1]"."""
    for g, (_, parameters) in enumerate(groups_of(optimizer)):
        for i, parameter in enumerate(parameters):
            if id(parameter) not in names.of:
                whole = f"{name}.param_groups[{g}]['params'][{i}]"
                names.of[id(parameter)] = whole
                names.tensors[whole] = parameter


def _plain(value: Any, depth: int) -> bool:
    """Whether a container holds no tensor, module or optimizer near its surface (those are shown as themselves)."""
    if isinstance(value, (Tensor, Module, Optimizer)):
        return False
    if depth < DEPTH and isinstance(value, (list, tuple)):
        return all(_plain(entry, depth + 1) for entry in first(value, ENTRIES))
    if depth < DEPTH and isinstance(value, dict):
        return all(_plain(entry, depth + 1) for _, entry in first(value, ENTRIES))
    return True


def is_parameter(tensor: Tensor) -> bool:
    return isinstance(tensor, Parameter)


def _holds_trained(value: Any) -> bool:
    """Whether one of the first entries of a list, tuple or dict is trained."""
    if isinstance(value, (list, tuple)):
        entries = list(first(value, FEW))
    elif isinstance(value, dict):
        entries = [entry for _, entry in first(value, FEW)]
    else:
        return False
    return any(isinstance(entry, (Tensor, Module, Optimizer)) and _is_trained(entry) for entry in entries)


def with_held(namespace: dict[str, Any]) -> dict[str, Any]:
    """`namespace` and, under names like "self.model", the tensors, modules and optimizers that objects of the script's
    own classes hold, and their lists and dicts of what is trained."""
    found = dict(namespace)
    for name, value in namespace.items():
        if is_script_object(value) and not isinstance(value, (type, Module, Optimizer)):
            for key, held in list(getattr(value, "__dict__", {}).items()):
                if isinstance(held, (Tensor, Module, Optimizer)) or _holds_trained(held):
                    found.setdefault(written(f"{name}.{key}"), held)
    return found
