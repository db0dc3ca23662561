# type: ignore
"""hydra.utils: objects made of configs that name their classes."""

import functools
import importlib
import os

from hydra.errors import InstantiationException
from omegaconf import OmegaConf


def get_original_cwd():
    return os.getcwd()


def to_absolute_path(path):
    return path if os.path.isabs(path) else os.path.join(os.getcwd(), path)


def get_object(path):
    """What a dotted path names: the longest part of it that is a module, and attributes of that."""
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        try:
            for part in parts[count:]:
                found = getattr(found, part)
        except AttributeError:
            break
        return found
    raise InstantiationException(
        f"Error locating target '{path}', set env var HYDRA_FULL_ERROR=1 to see chained exception.\n"
        "A class of the script has no module here: give the class itself as _target_."
    )


get_class = get_method = get_static_method = get_object


def instantiate(config, *args, **kwargs):
    """What the config's _target_ makes of its other entries."""
    if config is None:
        return None
    plain = OmegaConf.to_container(config, resolve=True) if OmegaConf.is_config(config) else config
    if isinstance(plain, (list, tuple)):
        return [_made(each) for each in plain]
    return _made({**plain, **kwargs}, args)


call = instantiate


def _made(value, args=()):
    if isinstance(value, list):
        return [_made(each) for each in value]
    if not isinstance(value, dict):
        return value
    if "_target_" not in value:
        return {key: _made(each) for key, each in value.items()}
    given = dict(value)
    target, partial, inner = given.pop("_target_"), given.pop("_partial_", False), given.pop("_recursive_", True)
    args = [*given.pop("_args_", ()), *args]
    given.pop("_convert_", None)
    named = {key: _made(each) if inner else each for key, each in given.items()}
    function = get_object(target) if isinstance(target, str) else target
    if partial:
        return functools.partial(function, *args, **named)
    return function(*args, **named)
