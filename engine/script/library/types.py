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


def _function():
    return None


FunctionType = LambdaType = type(_function)
NoneType = type(None)
