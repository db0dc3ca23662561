# type: ignore
"""hydra: a script has no command line here, so every config is what its files and ConfigStore say. The files are those
that the run has written."""

import functools

from hydra._loaded import composed
from hydra.errors import MissingConfigException

__version__ = "1.3.2"


def main(config_path=None, config_name=None, version_base=None):
    """A decorator: the function gets the config when it is called without one."""

    def decorated(function):
        @functools.wraps(function)
        def call(cfg_passthrough=None):
            if cfg_passthrough is not None:
                return function(cfg_passthrough)
            return function(composed(config_path, config_name, []))

        return call

    return decorated


class initialize:
    """Where compose() looks for files."""

    place = None

    def __init__(self, config_path=None, job_name="app", caller_stack_depth=1, version_base=None):
        initialize.place = config_path

    def __enter__(self):
        return self

    def __exit__(self, *error):
        initialize.place = None


initialize_config_dir = initialize


def compose(config_name=None, overrides=(), return_hydra_config=False, strict=None):
    return composed(initialize.place, config_name, list(overrides))
