# type: ignore
"""omegaconf: configs whose values are read as attributes and may refer to one another."""

import yaml
from omegaconf._configs import (
    MISSING,
    Container,
    DictConfig,
    ListConfig,
    resolvers as _resolvers,
    selected as _selected,
    structured as _structured,
    wrapped as _wrapped,
)
from omegaconf._errors import (
    ConfigAttributeError,
    ConfigIndexError,
    ConfigKeyError,
    ConfigTypeError,
    ConfigValueError,
    InterpolationKeyError,
    InterpolationResolutionError,
    MissingMandatoryValue,
    OmegaConfBaseException,
    ReadonlyConfigError,
    UnsupportedInterpolationType,
    UnsupportedValueType,
    ValidationError,
    path_of as _path_of,
)


def _merge_into(made, other):
    for name, value in other._held.items():
        mine = made._held.get(name)
        if isinstance(mine, DictConfig) and isinstance(value, DictConfig):
            _merge_into(mine, value)
        elif not (isinstance(value, str) and value == MISSING and name in made._held):
            made[name] = value
    return made


def _as_config(value):
    return value if isinstance(value, Container) else OmegaConf.create(value)


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

        if not isinstance(cfg, Container):
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
            if isinstance(value, Container):
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
            if not isinstance(cfg._held.get(name), Container):
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
        return isinstance(obj, Container)

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
                if isinstance(value, Container):
                    look(value)
                elif isinstance(value, str) and value == MISSING:
                    found.add(_path_of(node, key))

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
