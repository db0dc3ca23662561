# type: ignore
"""What may be wrong with a config, and how it is said."""


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


def path_of(node, key):
    """The names that lead to an entry, as errors tell them."""
    said = ""
    while node is not None:
        said = f"[{key}]{said}" if isinstance(key, int) else f"{key}{'' if said[:1] in ('', '[') else '.'}{said}"
        node, key = node._up, node._name
        if node is None or key is None:
            break
    return said


def told(text, node, key):
    return f"{text}\n    full_key: {path_of(node, key)}\n    object_type={node._kind_name()}"
