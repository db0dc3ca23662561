# type: ignore
"""The order of objects whose fields are compared, for dataclasses.py and attr.py."""


def order(cls, values):
    """Give `cls` the four comparisons: of `values(self)`, with others of the same class alone."""
    cls.__lt__ = lambda self, other: values(self) < values(other) if type(other) is type(self) else NotImplemented
    cls.__le__ = lambda self, other: values(self) <= values(other) if type(other) is type(self) else NotImplemented
    cls.__gt__ = lambda self, other: values(self) > values(other) if type(other) is type(self) else NotImplemented
    cls.__ge__ = lambda self, other: values(self) >= values(other) if type(other) is type(self) else NotImplemented
