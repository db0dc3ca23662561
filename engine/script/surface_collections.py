"""The allow-list for collections, functools, itertools, dataclasses and typing; what calls the script's functions or
does not end by itself is written anew here."""

from __future__ import annotations

import collections
import functools
import itertools
from collections.abc import Callable
from typing import Any

from engine.script import attributes, operators
from engine.script.builtin import CALLS
from engine.script.calls import consume, invoke
from engine.script.frames import ScriptFunction, current
from engine.script.modules import MODULES
from engine.script.surface import Rule, ScriptModule, names, register
from engine.script.surface_python import MAPPING, pairs


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(
        name, {key: list(value) if type(value) is list else value for key, value in members.items()}
    )


def _subtract(self: Any, *args: Any, **kwargs: Any) -> None:
    self.subtract(*[pairs(arg) if isinstance(arg, dict) else consume(arg) for arg in args], **kwargs)


def _count_update(self: Any, *args: Any, **kwargs: Any) -> None:
    self.update(*[arg if isinstance(arg, dict) else consume(arg) for arg in args], **kwargs)


register(collections.defaultdict, Rule(names=MAPPING.names | {"default_factory"}, wrapped=MAPPING.wrapped))
register(
    collections.Counter,
    Rule(
        names=MAPPING.names | names("most_common elements total"),
        wrapped={**MAPPING.wrapped, "update": _count_update, "subtract": _subtract},
    ),
)
CALLS[collections.OrderedDict] = lambda *args, **kwargs: collections.OrderedDict(*map(pairs, args), **kwargs)
CALLS[collections.defaultdict] = lambda factory=None, *args, **kwargs: collections.defaultdict(
    _factory(factory), *map(pairs, args), **kwargs
)
CALLS[collections.Counter] = lambda *args, **kwargs: collections.Counter(*_items(args), **kwargs)
CALLS[collections.deque] = lambda items=(), maxlen=None: collections.deque(consume(items), maxlen)


def _items(args: Any) -> Any:
    return [arg if isinstance(arg, dict) or arg is None else consume(arg) for arg in args]


def _factory(factory: Any) -> Any:
    if isinstance(factory, type) and factory is not None:
        invoke(factory, ())  # what scripts may not make is refused now, because the host will make it later
    return factory


def _namedtuple(typename: str, field_names: Any, *, rename: bool = False, defaults: Any = None) -> type:
    """A class with named items. The host checks that the names are plain identifiers."""
    fields = field_names if isinstance(field_names, str) else list(consume(field_names))
    made = collections.namedtuple(typename, fields, rename=rename, defaults=defaults)  # type: ignore[misc, arg-type]
    made.__script__ = True  # type: ignore[attr-defined]
    made.__module__ = "__main__"
    return made


_module(
    "collections",
    OrderedDict=collections.OrderedDict,
    deque=collections.deque,
    Counter=collections.Counter,
    defaultdict=collections.defaultdict,
    namedtuple=_namedtuple,
)
_module(
    "collections.abc",
    Callable=collections.abc.Callable,
    Iterable=collections.abc.Iterable,
    Mapping=collections.abc.Mapping,
    Sequence=collections.abc.Sequence,
    Iterator=collections.abc.Iterator,
)


class Partial:
    """functools.partial."""

    __slots__ = ("args", "func", "keywords")

    def __init__(self, func: Any, /, *args: Any, **keywords: Any) -> None:
        if not callable(func):
            raise TypeError("the first argument must be callable")
        self.func, self.args, self.keywords = func, args, keywords

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return invoke(self.func, (*self.args, *args), {**self.keywords, **keywords})


Partial.__name__ = Partial.__qualname__ = "partial"
register(Partial, Rule(names=names("args func keywords")))
CALLS[Partial] = Partial


def _reduce(function: Any, items: Any, *initial: Any) -> Any:
    return functools.reduce(lambda a, b: invoke(function, (a, b)), consume(items), *initial)


def _wraps(wrapped: Any, *_: Any, **__: Any) -> Callable[[Any], Any]:
    def decorate(function: Any) -> Any:
        if isinstance(function, ScriptFunction):
            function.__dict__["__name__"] = getattr(wrapped, "__name__", function.code.name)
            if isinstance(wrapped, ScriptFunction):
                function.__dict__["__doc__"] = wrapped.__dict__.get("__doc__", wrapped.code.doc)
        return function

    return decorate


class Cached:
    """functools.cache and lru_cache."""

    __slots__ = ("_function", "_known")

    def __init__(self, function: Any) -> None:
        self._function = function
        self._known: dict[Any, Any] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        key = (args, tuple(kwargs.items()))
        operators.check_key(key)
        if key not in self._known:
            self._known[key] = invoke(self._function, args, kwargs)
        return self._known[key]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else Partial(self, instance)


register(Cached, Rule())


def _lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    return Cached(maxsize) if isinstance(maxsize, ScriptFunction) else Cached


_module("functools", partial=Partial, reduce=_reduce, wraps=_wraps, lru_cache=_lru_cache, cache=Cached)
CALLS[Cached] = Cached


class Endless:
    """count, cycle and repeat: every item counts as a step."""

    __slots__ = ("_at", "_kind", "_left", "_step", "_values")

    def __init__(self, kind: str, at: Any, step: Any = 1, values: Any = (), left: Any = None) -> None:
        self._kind, self._at, self._step, self._values, self._left = kind, at, step, values, left

    def __iter__(self) -> Endless:
        return self

    def __next__(self) -> Any:
        current.machine.count(1)
        if self._kind == "count":
            value = self._at
            self._at = operators.add(value, self._step)
            return value
        if self._kind == "cycle":
            if not self._values:
                raise StopIteration
            self._at = (self._at + 1) % len(self._values)
            return self._values[self._at - 1]
        if self._left is not None:
            if self._left <= 0:
                raise StopIteration
            self._left -= 1
        return self._values


def _islice(iterable: Any, *args: Any) -> Any:
    return itertools.islice(iter(iterable), *args)


def _accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    return itertools.accumulate(
        iterable, operators.add if func is None else lambda a, b: invoke(func, (a, b)), initial=initial
    )


def _takewhile(test: Any, iterable: Any) -> Any:
    return itertools.takewhile(lambda item: invoke(test, (item,)), iterable)


def _dropwhile(test: Any, iterable: Any) -> Any:
    return itertools.dropwhile(lambda item: invoke(test, (item,)), iterable)


def _starmap(function: Any, iterable: Any) -> Any:
    return itertools.starmap(lambda *args: invoke(function, args), iterable)


def _product(*iterables: Any, repeat: int = 1) -> Any:
    operators.check_length(len(iterables) * max(repeat, 0), list)
    return itertools.product(*map(consume, iterables), repeat=repeat)


def _pool(name: str) -> Any:
    def function(iterable: Any, *r: Any) -> Any:
        return getattr(itertools, name)(consume(iterable), *r)

    return function


def _chain(*iterables: Any) -> Any:
    return itertools.chain(*iterables)


_module(
    "itertools",
    chain=ScriptModule("itertools.chain", {"from_iterable": lambda items: itertools.chain(*consume(items))}),
    islice=_islice,
    accumulate=_accumulate,
    takewhile=_takewhile,
    dropwhile=_dropwhile,
    starmap=_starmap,
    product=_product,
    permutations=_pool("permutations"),
    combinations=_pool("combinations"),
    combinations_with_replacement=_pool("combinations_with_replacement"),
    zip_longest=itertools.zip_longest,
    count=lambda start=0, step=1: Endless("count", start, step),
    cycle=lambda items: Endless("cycle", 0, values=list(consume(items))),
    repeat=lambda value, times=None: Endless("repeat", 0, values=value, left=times),
)
MODULES["itertools"] = (lambda make: lambda: _itertools(make()))(MODULES["itertools"])


def _itertools(made: ScriptModule) -> ScriptModule:
    """chain is a function and has chain.from_iterable."""
    members = made.public()
    members["chain"] = Chain()
    return ScriptModule("itertools", members)


class Chain:
    """itertools.chain: callable, with from_iterable."""

    __slots__ = ()

    def __call__(self, *iterables: Any) -> Any:
        return _chain(*iterables)

    def from_iterable(self, items: Any) -> Any:
        return itertools.chain(*consume(items))


register(Chain, Rule(names=names("from_iterable")))


class Annotation:
    """typing.List and the like: something to write in annotations."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __getitem__(self, key: Any) -> Annotation:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Annotation:
        return self

    def __or__(self, other: Any) -> Annotation:
        return self

    __ror__ = __or__

    def __repr__(self) -> str:
        return self._text


register(Annotation, Rule())
TYPING = """Any Callable Dict Iterable Iterator List Optional Sequence Set Tuple Type Union Generator Mapping Literal
Final ClassVar TypeVar FrozenSet Deque DefaultDict Counter Hashable Sized Collection MutableMapping"""
_module("typing", TYPE_CHECKING=False, **{name: Annotation(f"typing.{name}") for name in TYPING.split()})


class Field:
    """dataclasses.field."""

    __slots__ = ("default", "factory")

    def __init__(self, *, default: Any = None, default_factory: Any = None, **_: Any) -> None:
        self.default = default
        self.factory = default_factory


MISSING = object()
register(Field, Rule())


def _dataclass(kind: Any = None, **options: Any) -> Any:  # noqa: C901  (three small methods)
    """@dataclass: __init__, __repr__ and __eq__ from the annotations."""
    if kind is None:
        return lambda each: _dataclass(each, **options)
    if not (isinstance(kind, type) and attributes.is_script_class(kind)):
        raise TypeError("dataclass() works on classes of the script")
    fields: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        if attributes.is_script_class(each):
            for name in each.__dict__.get("__annotations__", {}):  # noqa: RUF063
                if name.startswith("__"):
                    raise TypeError(f"a field may not be called {name}")
                fields[name] = each.__dict__.get(name, MISSING)

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        values = dict(zip(fields, args, strict=False))
        if len(args) > len(fields):
            raise TypeError(
                f"{kind.__name__}.__init__() takes {len(fields) + 1} positional arguments but "
                f"{len(args) + 1} were given"
            )
        for name in kwargs:
            if name not in fields:
                raise TypeError(f"{kind.__name__}.__init__() got an unexpected keyword argument '{name}'")
            if name in values:
                raise TypeError(f"{kind.__name__}.__init__() got multiple values for argument '{name}'")
        values.update(kwargs)
        missing = [name for name, default in fields.items() if name not in values and default is MISSING]
        if missing:
            quoted = " and ".join(f"'{name}'" for name in missing)
            raise TypeError(
                f"{kind.__name__}.__init__() missing {len(missing)} required positional argument"
                f"{'s' * (len(missing) > 1)}: {quoted}"
            )
        for name, default in fields.items():
            if name in values:
                value = values[name]
            elif isinstance(default, Field):
                value = invoke(default.factory, ()) if default.factory is not None else default.default
            else:
                value = default
            attributes.put(self, name, value)
        if hasattr(kind, "__post_init__"):
            self.__post_init__()

    def show(self: Any) -> str:
        from engine.script.texts import text_repr

        return f"{kind.__qualname__}({', '.join(f'{n}={text_repr(attributes.get(self, n))}' for n in fields)})"

    def same(self: Any, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        return all(bool(operators.equal(attributes.get(self, n), attributes.get(other, n))) for n in fields)

    for name, function in (("__init__", init), ("__repr__", show), ("__eq__", same)):
        if name not in kind.__dict__:
            setattr(kind, name, function)
    return kind


_module("dataclasses", dataclass=_dataclass, field=lambda **options: Field(**options))
_module("abc", ABC=object, abstractmethod=lambda function: function)
_module("enum")
