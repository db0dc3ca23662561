# type: ignore
"""omegaconf: configs whose values are read as attributes and may refer to one another."""

import dataclasses
import os

import yaml

MISSING = "???"


class OmegaConfBaseException(Exception):
    pass


class ConfigKeyError(OmegaConfBaseException, KeyError):
    def __str__(self):
        return self.args[0]


class ConfigAttributeError(OmegaConfBaseException, AttributeError):
    pass


class ConfigTypeError(OmegaConfBaseException, TypeError):
    pass


class ConfigIndexError(OmegaConfBaseException, IndexError):
    pass


class ConfigValueError(OmegaConfBaseException, ValueError):
    pass


class MissingMandatoryValue(OmegaConfBaseException):
    pass


class ReadonlyConfigError(OmegaConfBaseException):
    pass


class ValidationError(OmegaConfBaseException, ValueError):
    pass


class UnsupportedValueType(ValidationError):
    pass


class InterpolationKeyError(ConfigAttributeError):
    pass


class InterpolationResolutionError(OmegaConfBaseException, ValueError):
    pass


class UnsupportedInterpolationType(ConfigValueError):
    pass


_resolvers = {}


def _path(node, key):
    """The names that lead to an entry, as errors tell them."""
    said = ""
    while node is not None:
        said = f"[{key}]{said}" if isinstance(key, int) else f"{key}{'' if said[:1] in ('', '[') else '.'}{said}"
        node, key = node._up, node._name
        if node is None or key is None:
            break
    return said


def _told(text, node, key):
    return f"{text}\n    full_key: {_path(node, key)}\n    object_type={node._kind_name()}"


def _is_structured(value):
    return dataclasses.is_dataclass(value) or hasattr(value, "__attrs_attrs__")


def _wrapped(value, up, name):
    """A value as a config holds it."""
    if isinstance(value, _Config):
        value = value._plain()
    if _is_structured(value):
        return _structured(value, up, name)
    if isinstance(value, dict):
        return DictConfig(value, parent=up, key=name)
    if isinstance(value, (list, tuple)):
        return ListConfig(value, parent=up, key=name)
    if value is None or isinstance(value, (str, int, float, bool, bytes)) or hasattr(value, "_value_"):
        return value
    raise UnsupportedValueType(_told(f"Value '{type(value).__name__}' is not a supported primitive type", up, name))


def _structured(value, up=None, name=None):
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
        if isinstance(value, (dict, list, _Config)):
            raise ValueError
        return kind(value)
    except (ValueError, KeyError, AttributeError, TypeError):
        said = (
            f"Value '{value}' of type '{type(value).__name__}' could not be converted to {_WORDS.get(kind, 'String')}"
        )
        raise ValidationError(_told(said, node, key)) from None


class _Config:
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
            raise ReadonlyConfigError(_told("Cannot change read-only config container", self, key))

    def _read(self, key, value):
        if isinstance(value, str) and "${" in value:
            return self._resolved(value, key)
        if isinstance(value, str) and value == MISSING:
            raise MissingMandatoryValue(_told(f"Missing mandatory value: {key}", self, key))
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
            name = name.strip()
            args = [yaml.safe_load(each) for each in rest.split(",")] if rest else []
            if name == "oc.env":
                found = os.environ.get(args[0], args[1] if len(args) > 1 else None)
                if found is None and len(args) < 2:
                    raise InterpolationResolutionError(
                        f"KeyError raised while resolving interpolation: \"Environment variable '{args[0]}' not found\""
                    )
                return found
            if name not in _resolvers:
                raise UnsupportedInterpolationType(f"Unsupported interpolation type {name}")
            found = _resolvers[name](*args)
            return _wrapped(found, self, key) if isinstance(found, (dict, list, tuple)) else found
        node, dots = self._root(), len(said) - len(said.lstrip("."))
        if dots:
            node = self
            for _ in range(dots - 1):
                node = node._up
        found = _selected(node, said[dots:], _MISSED)
        if found is _MISSED:
            raise InterpolationKeyError(_told(f"Interpolation key '{said}' not found", self, key))
        return found

    def __str__(self):
        return str(self._plain())

    def __repr__(self):
        return repr(self._plain())

    def __ne__(self, other):
        return not self == other

    def copy(self):
        made = _wrapped(self, None, None)
        made._set(_flags=dict(self._flags), _kind=self._kind, _types=self._types)
        return made

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()


Container = _Config
_MISSED = object()


class DictConfig(_Config):
    def __init__(self, content=None, key=None, parent=None, **options):
        self._begin(parent, key, {})
        for name, value in (content or {}).items():
            self._held[name] = _wrapped(value, self, name)
        if "flags" in options:
            self._flags.update(options["flags"] or {})

    def _plain(self):
        return {key: value._plain() if isinstance(value, _Config) else value for key, value in self._held.items()}

    def _has_to(self, key, error):
        if self._kind is not None and key not in self._types:
            raise error(_told(f"Key '{key}' not in '{self._kind.__name__}'", self, key))
        if self._flag("struct") and key not in self._held:
            raise error(_told(f"Key '{key}' is not in struct", self, key))

    def _get(self, key, error):
        if key not in self._held:
            self._has_to(key, error)
            raise error(_told(f"Missing key {key}", self, key))
        return self._read(key, self._held[key])

    def _put(self, key, value, error):
        self._has_to(key, error)
        self._check_writable(key)
        if key in self._types:
            value = _converted(value, self._types[key], self, key)
        self._held[key] = _wrapped(value, self, key)

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
            raise ConfigTypeError(_told("DictConfig in struct mode does not support deletion", self, name))
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
        if isinstance(other, _Config):
            other = OmegaConf.to_container(other)
        return OmegaConf.to_container(self) == other

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
                raise ConfigKeyError(_told(f"Key not found: '{name}'", self, name))
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


class ListConfig(_Config):
    def __init__(self, content=None, key=None, parent=None, **options):
        self._begin(parent, key, [])
        for i, value in enumerate(content or ()):
            self._held.append(_wrapped(value, self, i))

    def __setattr__(self, name, value):
        raise ConfigAttributeError(_told(f"Key '{name}' is not in struct", self, name))

    def _plain(self):
        return [value._plain() if isinstance(value, _Config) else value for value in self._held]

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(len(self._held))[index]]
        try:
            found = self._held[index]
        except IndexError as error:
            raise ConfigIndexError(_told(str(error), self, index)) from None
        return self._read(index, found)

    def __setitem__(self, index, value):
        self._check_writable(index)
        self._held[index] = _wrapped(value, self, index)

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
        if isinstance(other, _Config):
            other = OmegaConf.to_container(other)
        return OmegaConf.to_container(self) == (list(other) if isinstance(other, tuple) else other)

    def __add__(self, other):
        return ListConfig([*self._plain(), *other])

    def append(self, value):
        self._check_writable(len(self._held))
        self._held.append(_wrapped(value, self, len(self._held)))

    def extend(self, values):
        for each in values:
            self.append(each)

    def insert(self, index, value):
        self._check_writable(index)
        self._held.insert(index, _wrapped(value, self, index))

    def pop(self, index=-1):
        self._check_writable(index)
        found = self[index]
        del self._held[index]
        return found

    def index(self, value):
        return [*self].index(value)


def _selected(node, key, default):
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


def _merge_into(made, other):
    for name, value in other._held.items():
        mine = made._held.get(name)
        if isinstance(mine, DictConfig) and isinstance(value, DictConfig):
            _merge_into(mine, value)
        elif not (isinstance(value, str) and value == MISSING and name in made._held):
            made[name] = value
    return made


def _as_config(value):
    return value if isinstance(value, _Config) else OmegaConf.create(value)


class OmegaConf:
    @staticmethod
    def create(obj=None, parent=None, flags=None):
        if isinstance(obj, str):
            obj = yaml.safe_load(obj)
            obj = {} if obj is None else {obj: None} if isinstance(obj, str) else obj
        return _wrapped({} if obj is None else obj, None, None)

    @staticmethod
    def structured(obj, parent=None, flags=None):
        return _structured(obj)

    @staticmethod
    def load(file):
        if hasattr(file, "read"):
            return OmegaConf.create(yaml.safe_load(file))
        with open(str(file)) as opened:
            return OmegaConf.create(yaml.safe_load(opened))

    @staticmethod
    def save(config, f, resolve=False):
        text = OmegaConf.to_yaml(_as_config(config), resolve=resolve)
        if hasattr(f, "write"):
            f.write(text)
            return
        with open(str(f), "w") as file:
            file.write(text)

    @staticmethod
    def from_dotlist(dotlist):
        made = OmegaConf.create()
        for each in dotlist:
            name, _, value = each.partition("=")
            OmegaConf.update(made, name, yaml.safe_load(value))
        return made

    @staticmethod
    def from_cli(args_list=None):
        return OmegaConf.from_dotlist(args_list or [])

    @staticmethod
    def merge(*configs):
        made = _as_config(configs[0]).copy()
        for each in configs[1:]:
            each = _as_config(each)
            if isinstance(made, ListConfig) or isinstance(each, ListConfig):
                made = each.copy()
            else:
                _merge_into(made, each)
        return made

    unsafe_merge = merge

    @staticmethod
    def to_container(cfg, *, resolve=False, throw_on_missing=False, enum_to_str=False, structured_config_mode=None):
        def plain(node):
            if isinstance(node, DictConfig):
                return {key: value_of(node, key, value) for key, value in node._held.items()}
            if isinstance(node, ListConfig):
                return [value_of(node, i, value) for i, value in enumerate(node._held)]
            return node

        def value_of(node, key, value):
            if isinstance(value, str) and value == MISSING and not throw_on_missing:
                return value
            return plain(node._read(key, value) if resolve or throw_on_missing else value)

        if not isinstance(cfg, _Config):
            raise ValueError(f"Input cfg is not an OmegaConf config object ({type(cfg).__name__})")
        return plain(cfg)

    @staticmethod
    def to_object(cfg):
        def made(node):
            if isinstance(node, DictConfig):
                values = {key: made(node[key]) for key in node._held}
                return values if node._kind is None else node._kind(**values)
            return [made(each) for each in node] if isinstance(node, ListConfig) else node

        return made(cfg)

    @staticmethod
    def to_yaml(cfg, *, resolve=False, sort_keys=False):
        plain = OmegaConf.to_container(_as_config(cfg), resolve=resolve)
        return yaml.dump(_yes_and_no(plain), allow_unicode=True, sort_keys=sort_keys)

    @staticmethod
    def resolve(cfg):
        for key, value in cfg._held.items() if isinstance(cfg, DictConfig) else enumerate(cfg._held):
            if isinstance(value, _Config):
                OmegaConf.resolve(value)
            elif not (isinstance(value, str) and value == MISSING):
                cfg._held[key] = cfg._read(key, value)

    @staticmethod
    def select(cfg, key, *, default=None, throw_on_missing=False):
        return _selected(cfg, key, default)

    @staticmethod
    def update(cfg, key, value=None, *, merge=True, force_add=False):
        *names, last = str(key).replace("[", ".").replace("]", "").split(".")
        for name in names:
            if isinstance(cfg, ListConfig):
                cfg = cfg[int(name)]
                continue
            if not isinstance(cfg._held.get(name), _Config):
                cfg[name] = {}
            cfg = cfg[name]
        cfg[int(last) if isinstance(cfg, ListConfig) else last] = value

    @staticmethod
    def set_struct(conf, value):
        conf._flags["struct"] = value

    @staticmethod
    def set_readonly(conf, value):
        conf._flags["readonly"] = value

    @staticmethod
    def is_struct(conf):
        return conf._flag("struct")

    @staticmethod
    def is_readonly(conf):
        return conf._flag("readonly")

    @staticmethod
    def is_config(obj):
        return isinstance(obj, _Config)

    @staticmethod
    def is_dict(obj):
        return isinstance(obj, DictConfig)

    @staticmethod
    def is_list(obj):
        return isinstance(obj, ListConfig)

    @staticmethod
    def is_missing(cfg, key):
        held = cfg._held
        return (key in held if isinstance(held, dict) else key < len(held)) and held[key] == MISSING

    @staticmethod
    def is_interpolation(node, key=None):
        value = node._held[key]
        return isinstance(value, str) and "${" in value

    @staticmethod
    def missing_keys(cfg):
        found = set()

        def look(node):
            for key, value in node._held.items() if isinstance(node, DictConfig) else enumerate(node._held):
                if isinstance(value, _Config):
                    look(value)
                elif isinstance(value, str) and value == MISSING:
                    found.add(_path(node, key))

        look(cfg)
        return found

    @staticmethod
    def get_type(obj, key=None):
        found = obj if key is None else obj[key]
        return (
            (found._kind or (dict if isinstance(found, DictConfig) else list))
            if OmegaConf.is_config(found)
            else type(found)
        )

    @staticmethod
    def register_new_resolver(name, resolver, *, replace=False, use_cache=False):
        if name in _resolvers and not replace:
            raise ValueError(f"resolver '{name}' is already registered")
        _resolvers[name] = resolver

    register_resolver = register_new_resolver

    @staticmethod
    def has_resolver(name):
        return name in _resolvers

    @staticmethod
    def clear_resolvers():
        _resolvers.clear()


class _YesNo(str):
    """The texts "y" and "n", which stand in quotes."""

    quoted = True


def _yes_and_no(plain):
    if isinstance(plain, dict):
        return {_yes_and_no(key): _yes_and_no(value) for key, value in plain.items()}
    if isinstance(plain, list):
        return [_yes_and_no(each) for each in plain]
    return _YesNo(plain) if plain in ("y", "n", "Y", "N") and isinstance(plain, str) else plain


class open_dict:
    """Lets keys be added to a config in struct mode."""

    flag, value = "struct", False

    def __init__(self, config):
        self.config = config

    def __enter__(self):
        self.before = self.config._flags.get(self.flag)
        self.config._flags[self.flag] = self.value
        return self.config

    def __exit__(self, *error):
        self.config._flags[self.flag] = self.before


class read_write(open_dict):
    flag = "readonly"


class flag_override(open_dict):
    def __init__(self, config, names, values):
        self.config = config
        self.flag = names if isinstance(names, str) else names[0]
        self.value = values[0] if isinstance(values, (list, tuple)) else values


def II(interpolation):
    return f"${{{interpolation}}}"


def SI(interpolation):
    return interpolation
