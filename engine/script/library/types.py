# type: ignore
"""types."""


class SimpleNamespace:
    def __init__(self, /, **values):
        for name, value in values.items():
            setattr(self, name, value)

    def __repr__(self):
        return f"namespace({', '.join([f'{name}={value!r}' for name, value in vars(self).items()])})"

    def __eq__(self, other):
        return isinstance(other, SimpleNamespace) and vars(self) == vars(other)


class MethodType:
    """A function with its first argument."""

    def __init__(self, function, instance, /):
        if not callable(function):
            raise TypeError("first argument must be callable")
        if instance is None:
            raise TypeError("instance must not be None")
        self._function, self._instance = function, instance

    def __call__(self, /, *args, **kwargs):
        return self._function(self._instance, *args, **kwargs)

    def __eq__(self, other):
        return isinstance(other, MethodType) and (self._function, self._instance) == (other._function, other._instance)


def _function():
    return None


def _generator():
    yield


def MappingProxyType(mapping):
    return dict(mapping)


FunctionType = LambdaType = type(_function)
GeneratorType = type(_generator())
BuiltinFunctionType = BuiltinMethodType = type(len)
NoneType = type(None)
