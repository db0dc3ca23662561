"""Modules that hold modules or parameters."""

from __future__ import annotations

import collections
import operator
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from engine.chains import OrderedDict
from engine.nn import rows
from engine.nn.module import Module
from engine.tensor import Parameter, Tensor


def _place(index: Any, length: int) -> int:
    index = operator.index(index)
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of range")
    return int(index) % length


def _short_repr(self: Module, modules: list[Module]) -> str:
    """Equal neighbours are shown once, with how many they are."""
    name = self._get_name()
    if not modules:
        return f"{name}()"
    runs: list[tuple[int, int, str]] = []
    for i, text in enumerate(map(repr, modules)):
        if runs and runs[-1][2] == text:
            runs[-1] = (runs[-1][0], i, text)
        else:
            runs.append((i, i, text))
    lines = []
    for first, last, text in runs:
        indented = text.replace("\n", "\n  ")
        lines.append(
            f"({first}): {indented}" if first == last else f"({first}-{last}): {last - first + 1} x {indented}"
        )
    return f"{name}(\n  " + "\n  ".join(lines) + "\n)"


def _pairs(name: str, given: Any) -> list[Any]:
    """The (key, value) pairs of a dict, or of something that holds such pairs. Raises TypeError or ValueError."""
    if isinstance(given, (Mapping, ModuleDict, ParameterDict)):
        return list(given.items())
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{name}.update should be called with an iterable of key/value pairs, but got {type(given).__name__}"
        )
    pairs = list(given)
    for i, pair in enumerate(pairs):
        if not isinstance(pair, Iterable):
            kind = name.replace("ters", "ter")
            raise TypeError(f"{kind} update sequence element #{i} should be Iterable; is{type(pair).__name__}")
        if len(list(pair)) != 2:
            raise ValueError(f"{name} update sequence element #{i} has length {len(list(pair))}; 2 is required")
    return pairs


class Sequential(Module):
    """Modules one after the other."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], collections.OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input: Any) -> Any:
        return rows.through(self._modules.values(), input)

    def _renumber(self, modules: list[Any]) -> None:
        self._modules.clear()
        for i, module in enumerate(modules):
            self.add_module(str(i), module)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        items = list(self._modules.items())
        if isinstance(index, slice):
            return type(self)(OrderedDict(items[index]))
        return items[_place(index, len(items))][1]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, list(self._modules)[_place(index, len(self))], module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self._modules.values())
        del modules[index if isinstance(index, slice) else _place(index, len(modules))]
        self._renumber(modules)

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return Sequential(*self, *other)

    def __mul__(self, times: Any) -> Sequential:
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")
        return Sequential(*[module for _ in range(times) for module in self])

    def __rmul__(self, times: Any) -> Sequential:
        return self * times

    def append(self, module: Module) -> Sequential:
        self.add_module(str(len(self)), module)
        return self

    def extend(self, sequential: Iterable[Any]) -> Sequential:
        for module in list(sequential):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Sequential:
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        modules = list(self._modules.values())
        if not -len(modules) <= index <= len(modules):
            raise IndexError(f"Index out of range: {index}")
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def pop(self, key: Any) -> Any:
        module = self[key]
        del self[key]
        return module


class ModuleList(Module):
    """A list of modules that are registered."""

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def _renumber(self, modules: list[Any]) -> None:
        self._modules.clear()
        for i, module in enumerate(modules):
            self.add_module(str(i), module)

    def append(self, module: Module) -> ModuleList:
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Any]) -> ModuleList:
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> None:
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)

    def pop(self, key: Any) -> Any:
        module = self[key]
        del self[key]
        return module

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        values = list(self._modules.values())
        if isinstance(index, slice):
            return type(self)(values[index])
        return values[_place(index, len(values))]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, str(_place(index, len(self))), module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self._modules.values())
        del modules[index if isinstance(index, slice) else _place(index, len(modules))]
        self._renumber(modules)

    def __add__(self, other: Iterable[Any]) -> ModuleList:
        return ModuleList(chain(self, other))

    def __iadd__(self, modules: Iterable[Any]) -> ModuleList:
        return self.extend(modules)

    def __repr__(self) -> str:
        return _short_repr(self, list(self))


class ModuleDict(Module):
    """A dict of modules that are registered."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules: Any) -> None:
        for name, module in _pairs("ModuleDict", modules):
            self.add_module(name, module)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        self._modules.clear()

    def pop(self, key: str) -> Any:
        return self._modules.pop(key)

    def keys(self) -> Any:
        return self._modules.keys()

    def values(self) -> Any:
        return self._modules.values()

    def items(self) -> Any:
        return self._modules.items()


def _parameter(value: Any) -> Any:
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _told(value: Any, kind: str) -> str:
    """A line of a repr: a tensor's `kind` and size, the class of anything else."""
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    what = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{what} containing: [{kind} of size {'x'.join(map(str, value.shape))}]"


class ParameterList(Module):
    """A list of parameters that are registered; what is no tensor is only held."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        self.extend(() if values is None else values)

    def append(self, value: Any) -> ParameterList:
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        if isinstance(values, Tensor) or not isinstance(values, Iterable):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in values:
            self.append(value)
        return self

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(self._size)])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)([self[i] for i in range(*index.indices(self._size))])
        return getattr(self, str(_place(index, self._size)))

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, str(_place(index, self._size)), _parameter(value))

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def extra_repr(self) -> str:
        return "\n".join(
            f"  ({i}): {_told(p, str(p.dtype) if isinstance(p, Tensor) else '')}" for i, p in enumerate(self)
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


def _text_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(
            "Index given to ParameterDict cannot be used as a key as it is not a string (type is"
            f" '{type(key).__name__}'). Open an issue on github if you need non-string keys."
        )
    return key


def _open_key(key: Any) -> str:
    """The key, where it is no name that Python, NumPy or every module has a use for: items are attributes."""
    name = str.__str__(_text_key(key))
    if name.startswith("__") or name in _HELD:
        raise KeyError(f"attribute '{name}' is the module's own")
    return name


_HELD = frozenset(vars(Module())) | {"_keys"}


class ParameterDict(Module):
    """A dict of parameters that are registered; what is no tensor is only held."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        self.update(parameters or {})

    def update(self, parameters: Any) -> None:
        """Add parameters by name: those of a plain dict in the order of their names, as PyTorch does."""
        pairs = _pairs("ParametersDict", parameters)
        if isinstance(parameters, Mapping) and not isinstance(parameters, collections.OrderedDict):
            pairs.sort(key=lambda pair: pair[0])
        for name, value in pairs:
            self[name] = value

    def __getitem__(self, key: str) -> Any:
        if _text_key(key) not in self._keys and key not in vars(self) and hasattr(type(self), key):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{key}'")  # methods are no items
        return getattr(self, _open_key(key))

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, _open_key(key), _parameter(value))
        self._keys[key] = None

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, _text_key(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> ParameterDict:
        both = self.copy()
        both.update(other)
        return both

    def __ror__(self, other: Any) -> ParameterDict:
        both = ParameterDict(other)
        both.update(self)
        return both

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def copy(self) -> ParameterDict:
        """Another one with the same values."""
        return ParameterDict(self)

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A new one, with `default` under every key."""
        return ParameterDict((key, default) for key in keys)

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        for key in list(self._keys):
            del self[key]

    def keys(self) -> Any:
        return self._keys.keys()

    def values(self) -> Any:
        return (self[key] for key in self._keys)

    def items(self) -> Any:
        return ((key, self[key]) for key in self._keys)

    def get(self, key: str, default: Any = None) -> Any:
        if key not in self:
            return default
        return self[key]

    def pop(self, key: str) -> Any:
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """The last pair, taken out."""
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def extra_repr(self) -> str:
        return "\n".join(
            f"  ({name}): {_told(p, p.type() if isinstance(p, Tensor) else '')}" for name, p in self.items()
        )

    def __call__(self, input: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")
