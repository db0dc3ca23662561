# type: ignore
"""The containers of omegaconf, which know what they stand in, and the values that they tell."""

import dataclasses
import os

import yaml
from omegaconf._errors import (
    ConfigAttributeError,
    ConfigIndexError,
    ConfigKeyError,
    ConfigTypeError,
    InterpolationKeyError,
    InterpolationResolutionError,
    MissingMandatoryValue,
    ReadonlyConfigError,
    UnsupportedInterpolationType,
    UnsupportedValueType,
    ValidationError,
    told,
)

MISSING = "???"
_MISSED = object()

resolvers = {}
"""The functions that ${name:...} calls."""


def _is_structured(value):
    return dataclasses.is_dataclass(value) or hasattr(value, "__attrs_attrs__")


def wrapped(value, up, name):
    """A value as a config holds it."""
    if isinstance(value, Container):
        value = value._plain()
    if _is_structured(value):
        return structured(value, up, name)
    if isinstance(value, dict):
        return DictConfig(value, parent=up, key=name)
    if isinstance(value, (list, tuple)):
        return ListConfig(value, parent=up, key=name)
    if value is None or isinstance(value, (str, int, float, bool, bytes)) or hasattr(value, "_value_"):
        return value
    raise UnsupportedValueType(told(f"Value '{type(value).__name__}' is not a supported primitive type", up, name))


def structured(value, up=None, name=None):
    kind = value if isinstance(value, type) else type(value)
    if dataclasses.is_dataclass(kind):
        given = value if not isinstance(value, type) else None
        held, kinds = {}, {}
        for each in dataclasses.fields(kind):
            kinds[each.name] = each.type
            if given is not None:
                held[each.name] = getattr(given, each.name)
            elif each.default is not dataclasses.MISSING:
                held[each.name] = each.default
            elif each.default_factory is not dataclasses.MISSING:
                held[each.name] = each.default_factory()
            elif _is_structured(each.type):
                held[each.name] = each.type
            else:
                held[each.name] = MISSING
    else:
        given = value() if isinstance(value, type) else value
        held = {each.name: getattr(given, each.name) for each in kind.__attrs_attrs__}
        kinds = {each.name: each.type for each in kind.__attrs_attrs__}
    made = DictConfig(held, parent=up, key=name)
    made._set(_kind=kind, _types=kinds)
    return made


_WORDS = {int: "Integer", float: "Float", bool: "Boolean"}


def _converted(value, kind, node, key):
    """`value` as a field of a class has it."""
    kind = {"int": int, "float": float, "bool": bool, "str": str}.get(kind, kind)
    if value is None or value == MISSING or kind not in (int, float, bool, str):
        return value
    if isinstance(value, str) and "${" in value:
        return value
    try:
        if kind is bool:
            if isinstance(value, (bool, int)):
                return bool(value)
            return {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}[value.lower()]
        if kind is int and isinstance(value, float):
            raise ValueError
        if isinstance(value, (dict, list, Container)):
            raise ValueError
        return kind(value)
    except (ValueError, KeyError, AttributeError, TypeError):
        said = (
            f"Value '{value}' of type '{type(value).__name__}' could not be converted to {_WORDS.get(kind, 'String')}"
        )
        raise ValidationError(told(said, node, key)) from None


class Container:
    def _set(self, **values):
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def _begin(self, parent, key, held):
        self._set(_up=parent, _name=key, _flags={}, _kind=None, _types={}, _held=held)

    def _kind_name(self):
        return self._kind.__name__ if self._kind is not None else "dict" if isinstance(self._held, dict) else "list"

    def _flag(self, name):
        node = self
        while node is not None:
            if node._flags.get(name) is not None:
                return node._flags[name]
            node = node._up
        return False

    def _root(self):
        node = self
        while node._up is not None:
            node = node._up
        return node

    def _check_writable(self, key):
        if self._flag("readonly"):
            raise ReadonlyConfigError(told("Cannot change read-only config container", self, key))

    def _read(self, key, value):
        if isinstance(value, str) and "${" in value:
            return self._resolved(value, key)
        if isinstance(value, str) and value == MISSING:
            raise MissingMandatoryValue(told(f"Missing mandatory value: {key}", self, key))
        return value

    def _resolved(self, text, key):
        """A text with what ${...} stands for; one that is nothing else is that value."""
        begin = text.index("${")
        depth, at = 1, begin + 2
        while at < len(text) and depth:
            depth += (text[at : at + 2] == "${") - (text[at] == "}")
            at += 1
        found = self._referred(text[begin + 2 : at - 1], key)
        if begin == 0 and at == len(text):
            return found
        rest = text[at:]
        return text[:begin] + str(found) + (str(self._resolved(rest, key)) if "${" in rest else rest)

    def _referred(self, said, key):
        if "${" in said:
            said = str(self._resolved(said, key))
        name, colon, rest = said.partition(":")
        if colon:
            return self._called(name.strip(), [yaml.safe_load(each) for each in rest.split(",")] if rest else [], key)
        node, dots = self._root(), len(said) - len(said.lstrip("."))
        if dots:
            node = self
            for _ in range(dots - 1):
                node = node._up
        found = selected(node, said[dots:], _MISSED)
        if found is _MISSED:
            raise InterpolationKeyError(told(f"Interpolation key '{said}' not found", self, key))
        return found

    def _called(self, name, args, key):
        """What a resolver gives."""
        if name == "oc.env":
            found = os.environ.get(args[0], args[1] if len(args) > 1 else None)
            if found is None and len(args) < 2:
                raise InterpolationResolutionError(
                    f"KeyError raised while resolving interpolation: \"Environment variable '{args[0]}' not found\""
                )
            return found
        if name not in resolvers:
            raise UnsupportedInterpolationType(f"Unsupported interpolation type {name}")
        found = resolvers[name](*args)
        return wrapped(found, self, key) if isinstance(found, (dict, list, tuple)) else found

    def __str__(self):
        return str(self._plain())

    def __repr__(self):
        return repr(self._plain())

    def __ne__(self, other):
        return not self == other

    def copy(self):
        made = wrapped(self, None, None)
        made._set(_flags=dict(self._flags), _kind=self._kind, _types=self._types)
        return made

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()


class DictConfig(Container):
    def __init__(self, content=None, key=None, parent=None, **options):
        self._begin(parent, key, {})
        for name, value in (content or {}).items():
            self._held[name] = wrapped(value, self, name)
        if "flags" in options:
            self._flags.update(options["flags"] or {})

    def _plain(self):
        return {key: value._plain() if isinstance(value, Container) else value for key, value in self._held.items()}

    def _has_to(self, key, error):
        if self._kind is not None and key not in self._types:
            raise error(told(f"Key '{key}' not in '{self._kind.__name__}'", self, key))
        if self._flag("struct") and key not in self._held:
            raise error(told(f"Key '{key}' is not in struct", self, key))

    def _get(self, key, error):
        if key not in self._held:
            self._has_to(key, error)
            raise error(told(f"Missing key {key}", self, key))
        return self._read(key, self._held[key])

    def _put(self, key, value, error):
        self._has_to(key, error)
        self._check_writable(key)
        if key in self._types:
            value = _converted(value, self._types[key], self, key)
        self._held[key] = wrapped(value, self, key)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._get(name, ConfigAttributeError)

    def __setattr__(self, name, value):
        self._put(name, value, ConfigAttributeError)

    def __delattr__(self, name):
        self.__delitem__(name)

    def __getitem__(self, name):
        return self._get(name, ConfigKeyError)

    def __setitem__(self, name, value):
        self._put(name, value, ConfigKeyError)

    def __delitem__(self, name):
        self._check_writable(name)
        if self._flag("struct"):
            raise ConfigTypeError(told("DictConfig in struct mode does not support deletion", self, name))
        del self._held[name]

    def __contains__(self, name):
        return name in self._held and not self._is_missing(name)

    def _is_missing(self, name):
        return isinstance(self._held[name], str) and self._held[name] == MISSING

    def __iter__(self):
        return iter([*self._held])

    def __len__(self):
        return len(self._held)

    def __bool__(self):
        return bool(self._held)

    def __eq__(self, other):
        return self._plain() == (other._plain() if isinstance(other, Container) else other)

    def get(self, name, default_value=None):
        if name not in self._held or self._is_missing(name):
            return default_value
        return self[name]

    def keys(self):
        return self._held.keys()

    def values(self):
        return [self[name] for name in self._held]

    def items(self):
        return {name: self[name] for name in self._held}.items()

    def pop(self, name, default=_MISSED):
        self._check_writable(name)
        if name not in self._held:
            if default is _MISSED:
                raise ConfigKeyError(told(f"Key not found: '{name}'", self, name))
            return default
        found = self[name]
        del self._held[name]
        return found

    def update(self, *args, **kwargs):
        for name, value in {**dict(*args), **kwargs}.items():
            self[name] = value

    def setdefault(self, name, default=None):
        if name not in self._held:
            self[name] = default
        return self[name]


class ListConfig(Container):
    def __init__(self, content=None, key=None, parent=None, **options):
        self._begin(parent, key, [])
        for i, value in enumerate(content or ()):
            self._held.append(wrapped(value, self, i))

    def __setattr__(self, name, value):
        raise ConfigAttributeError(told(f"Key '{name}' is not in struct", self, name))

    def _plain(self):
        return [value._plain() if isinstance(value, Container) else value for value in self._held]

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(len(self._held))[index]]
        try:
            found = self._held[index]
        except IndexError as error:
            raise ConfigIndexError(told(str(error), self, index)) from None
        return self._read(index, found)

    def __setitem__(self, index, value):
        self._check_writable(index)
        self._held[index] = wrapped(value, self, index)

    def __delitem__(self, index):
        self._check_writable(index)
        del self._held[index]

    def __len__(self):
        return len(self._held)

    def __iter__(self):
        return iter([self[i] for i in range(len(self._held))])

    def __contains__(self, value):
        return any(each == value for each in self)

    def __eq__(self, other):
        if isinstance(other, Container):
            other = other._plain()
        return self._plain() == (list(other) if isinstance(other, tuple) else other)

    def __add__(self, other):
        return ListConfig([*self._plain(), *other])

    def append(self, value):
        self._check_writable(len(self._held))
        self._held.append(wrapped(value, self, len(self._held)))

    def extend(self, values):
        for each in values:
            self.append(each)

    def insert(self, index, value):
        self._check_writable(index)
        self._held.insert(index, wrapped(value, self, index))

    def pop(self, index=-1):
        self._check_writable(index)
        found = self[index]
        del self._held[index]
        return found

    def index(self, value):
        return [*self].index(value)


def selected(node, key, default):
    for part in str(key).replace("[", ".").replace("]", "").split("."):
        if isinstance(node, ListConfig):
            if not part.lstrip("-").isdigit() or int(part) >= len(node):
                return default
            node = node[int(part)]
        elif isinstance(node, DictConfig) and part in node._held:
            node = node[part]
        else:
            return default
    return node
