# type: ignore
"""functools, what is not in surface/collections.py."""

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    from functools import wraps

    return wraps(wrapped)(wrapper)


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func, self.args, self.keywords = func, args, keywords

    def __get__(self, instance, owner=None):
        from functools import partial

        if instance is None:
            return self
        return partial(self.func, instance, *self.args, **self.keywords)


class _Dispatch:
    """What singledispatch() makes: a function for each class, chosen by the first argument."""

    def __init__(self, function):
        self.registry = {object: function}
        update_wrapper(self, function)

    def register(self, cls, func=None):
        if func is None and not isinstance(cls, type):
            func = cls
            if not getattr(func, "__annotations__", {}):
                raise TypeError(
                    f"Invalid first argument to `register()`: {func!r}. Use either `@register(some_class)` or plain"
                    " `@register` on an annotated function."
                )
            from typing import get_type_hints

            argument, cls = next(iter(get_type_hints(func).items()))
            if not isinstance(cls, type):
                raise TypeError(f"Invalid annotation for {argument!r}. {cls!r} is not a class.")
        if func is None:
            return lambda func: self.register(cls, func)
        self.registry[cls] = func
        return func

    def dispatch(self, cls):
        """The function of the nearest class."""
        return self._nearest(lambda kind: issubclass(cls, kind))

    def of(self, value):
        """The function for a value."""
        return self._nearest(lambda kind: isinstance(value, kind))

    def _nearest(self, fits):
        best = object
        for kind in self.registry:
            if kind is not object and fits(kind) and (best is object or issubclass(kind, best)):
                best = kind
        return self.registry[best]

    def __call__(self, *args, **keywords):
        if not args:
            raise TypeError(f"{self.__name__} requires at least 1 positional argument")
        return self.of(args[0])(*args, **keywords)


def singledispatch(func):
    return _Dispatch(func)


class singledispatchmethod:
    def __init__(self, func):
        self.dispatcher = _Dispatch(func)

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, instance, owner=None):
        def method(*args, **keywords):
            return self.dispatcher.of(args[0])(instance, *args, **keywords)

        return method
