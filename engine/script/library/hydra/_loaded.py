# type: ignore
"""How hydra finds a config: what ConfigStore holds, files of the run, and the list of defaults in either."""

import os

from hydra.core.config_store import ConfigStore
from hydra.errors import ConfigCompositionException, MissingConfigException
from omegaconf import OmegaConf, open_dict


def _found(place, name):
    """The config `name`, None where there is none."""
    name = name.removesuffix(".yaml")
    if name in ConfigStore.held:
        node = ConfigStore.held[name]
        return OmegaConf.create(node) if isinstance(node, dict) else OmegaConf.structured(node)
    path = os.path.join(place or ".", name + ".yaml")
    return OmegaConf.load(path) if os.path.exists(path) else None


def composed(place, name, overrides):
    config = OmegaConf.create() if name is None else _with_defaults(place, name)
    OmegaConf.set_struct(config, True)
    for each in overrides:
        key, equal, value = each.partition("=")
        if not equal:
            raise ConfigCompositionException(f"Error parsing override '{each}'")
        added = key.startswith("+")
        key = key.lstrip("+")
        if not added and OmegaConf.select(config, key, default=_NOTHING) is _NOTHING:
            raise ConfigCompositionException(f"Could not override '{key}'.\nKey '{key}' is not in struct")
        with open_dict(config):
            OmegaConf.update(config, key, OmegaConf.from_dotlist([f"x={value}"]).x)
    return config


_NOTHING = object()


def _with_defaults(place, name):
    config = _found(place, name)
    if config is None:
        raise MissingConfigException(
            f"Cannot find primary config '{name}'. Check that it's in your config search path.\n"
            "A run has the files only that it has written itself: write the config first, or give it to ConfigStore."
        )
    if "defaults" not in config:
        return config
    defaults = config.pop("defaults")
    made, own = OmegaConf.create(), False
    for each in defaults:
        if each == "_self_":
            made, own = OmegaConf.merge(made, config), True
            continue
        if isinstance(each, str):
            group, chosen, package = None, each, None
        else:
            ((group, chosen),) = each.items()
            group = group.removeprefix("override ").removeprefix("optional ")
            group, _, package = group.partition("@")
        if group and (chosen is None or group.startswith("hydra/")):
            continue
        inner = _with_defaults(place, f"{group}/{chosen}" if group else chosen)
        if group:
            for part in reversed((package or group).split("/")):
                inner = OmegaConf.create({part: inner})
        made = OmegaConf.merge(made, inner)
    return made if own else OmegaConf.merge(made, config)
