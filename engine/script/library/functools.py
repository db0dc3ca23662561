# type: ignore
"""functools, what is not in surface_collections.py."""


def total_ordering(cls):
    def less(a, b):
        return a < b

    if hasattr(cls, "__lt__"):
        made = {
            "__gt__": lambda self, other: _not_and(self < other, self, other),
            "__le__": lambda self, other: _or_equal(self < other, self, other),
            "__ge__": lambda self, other: _not(self < other),
        }
    elif hasattr(cls, "__gt__"):
        made = {
            "__lt__": lambda self, other: _not_and(self > other, self, other),
            "__ge__": lambda self, other: _or_equal(self > other, self, other),
            "__le__": lambda self, other: _not(self > other),
        }
    elif hasattr(cls, "__le__"):
        made = {
            "__ge__": lambda self, other: _not(self <= other) or self == other,
            "__lt__": lambda self, other: self <= other and self != other,
            "__gt__": lambda self, other: _not(self <= other),
        }
    elif hasattr(cls, "__ge__"):
        made = {
            "__le__": lambda self, other: _not(self >= other) or self == other,
            "__gt__": lambda self, other: self >= other and self != other,
            "__lt__": lambda self, other: _not(self >= other),
        }
    else:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    for name, function in made.items():
        if not hasattr(cls, name):
            setattr(cls, name, function)
    return cls


def _not(result):
    return not result


def _not_and(result, a, b):
    return not result and a != b


def _or_equal(result, a, b):
    return result or a == b


class cached_property:
    def __init__(self, func):
        self.func = func
        self.name = func.__name__

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        setattr(instance, self.name, value)
        return value


class _Key:
    def __init__(self, compare, value):
        self.compare = compare
        self.value = value

    def __lt__(self, other):
        return self.compare(self.value, other.value) < 0

    def __gt__(self, other):
        return self.compare(self.value, other.value) > 0

    def __eq__(self, other):
        return self.compare(self.value, other.value) == 0


def cmp_to_key(compare):
    return lambda value: _Key(compare, value)


class singledispatch:
    def __init__(self, function):
        self.function = function
        self.kinds = []

    def register(self, kind, function=None):
        if function is None:
            return lambda function: self.register(kind, function)
        self.kinds.insert(0, (kind, function))
        return function

    def __call__(self, *args, **keywords):
        for kind, function in self.kinds:
            if type(args[0]) is kind:
                return function(*args, **keywords)
        for kind, function in self.kinds:
            if isinstance(args[0], kind):
                return function(*args, **keywords)
        return self.function(*args, **keywords)
