# type: ignore
"""hydra.errors: what goes wrong with configs."""


class HydraException(Exception):
    pass


class MissingConfigException(HydraException):
    pass


class InstantiationException(HydraException):
    pass


class ConfigCompositionException(HydraException):
    pass
