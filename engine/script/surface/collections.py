"""The allow-list for collections, functools, itertools and dataclasses; what calls the script's functions or
does not end by itself is written anew here."""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
from collections.abc import Callable
from typing import Any

from engine import chains
from engine.script.executing.calls import consume, invoke
from engine.script.frames import ScriptFunction, current
from engine.script.limits import exceeded, lazy, nested
from engine.script.limits.lazy import check_lazy
from engine.script.modules import MODULES
from engine.script.surface import Rule, ScriptModule, names, register
from engine.script.surface.python import MAPPING, fill, pairs
from engine.script.values import attributes, operators
from engine.script.values.builtin import CALLS
from engine.script.values.texts import text_repr


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(
        name, {key: list(value) if type(value) is list else value for key, value in members.items()}
    )


def _subtract(self: Any, *args: Any, **kwargs: Any) -> None:
    if args and not isinstance(args[0], dict):
        self.subtract(count(consume(args[0])), **kwargs)
    else:
        self.subtract(*args, **kwargs)


def _count_update(self: Any, *args: Any, **kwargs: Any) -> None:
    for arg in _items(args):
        if arg is not None:
            nested.check_keys(arg)
        fill(self, arg)
    self.update(**kwargs)


def _most_common(self: Any, n: Any = None) -> Any:
    nested.check_nested(self)
    return self.most_common(n)


register(chains.defaultdict, Rule(names=MAPPING.names | {"default_factory"}, wrapped=MAPPING.wrapped))
register(
    collections.Counter,
    Rule(
        names=MAPPING.names | names("elements total"),
        wrapped={**MAPPING.wrapped, "update": _count_update, "subtract": _subtract, "most_common": _most_common},
    ),
)
CALLS[chains.OrderedDict] = lambda *args, **kwargs: _filled(chains.OrderedDict(), args, kwargs)
CALLS[chains.defaultdict] = lambda factory=None, *args, **kwargs: _filled(
    chains.defaultdict(_factory(factory)), args, kwargs
)
CALLS[collections.Counter] = lambda *args, **kwargs: count(*_items(args), **kwargs)
CALLS[chains.deque] = lambda items=(), maxlen=None: chains.deque(consume(items), maxlen)


def _filled(made: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) > 1:
        type(made)(*args)  # which says that these are too many
    for each in args:
        fill(made, pairs(each))
    made.update(kwargs)
    return made


def count(items: Any = None, *more: Any, **kwargs: Any) -> collections.Counter[Any]:
    """collections.Counter(items)."""
    if more or type(items) not in (list, tuple):
        return collections.Counter(items, *more, **kwargs)
    nested.check_keys(items)
    counter: collections.Counter[Any] = fill(collections.Counter(), items)
    counter.update(kwargs)
    return counter


def _items(args: Any) -> Any:
    return [arg if isinstance(arg, dict) or arg is None else consume(arg) for arg in args]


def _factory(factory: Any) -> Any:
    if isinstance(factory, type) and factory is not None:
        invoke(factory, ())  # what scripts may not make is refused now, because the host will make it later
    return factory


MOST_FIELDS = 10_000
"""Fields of a named tuple, whose class the host puts together in one step."""


def namedtuple(typename: str, field_names: Any, *, rename: bool = False, defaults: Any = None) -> type:
    """A class with named items. The host checks that the names are plain identifiers."""
    fields = field_names.replace(",", " ").split() if isinstance(field_names, str) else list(consume(field_names))
    if len(fields) > MOST_FIELDS:
        exceeded("container_items", MOST_FIELDS, f"a class of {len(fields):,} fields")
    made = collections.namedtuple(typename, fields, rename=rename, defaults=defaults)  # type: ignore[misc, arg-type]
    made.__script__ = True  # type: ignore[attr-defined]
    made.__module__ = "__main__"
    made._make = classmethod(_of_items)  # type: ignore[assignment]
    return made


def _of_items(kind: Any, iterable: Any) -> Any:
    """Point._make(items)."""
    items = tuple(consume(iterable))
    if len(items) != len(kind._fields):
        raise TypeError(f"Expected {len(kind._fields)} arguments, got {len(items)}")
    return tuple.__new__(kind, items)


_module(
    "collections",
    OrderedDict=chains.OrderedDict,
    deque=chains.deque,
    Counter=collections.Counter,
    defaultdict=chains.defaultdict,
    namedtuple=namedtuple,
)
_module(
    "collections.abc",
    Callable=collections.abc.Callable,
    Iterable=collections.abc.Iterable,
    Mapping=collections.abc.Mapping,
    Sequence=collections.abc.Sequence,
    Iterator=collections.abc.Iterator,
    Hashable=collections.abc.Hashable,
    Sized=collections.abc.Sized,
    Container=collections.abc.Container,
    Collection=collections.abc.Collection,
    Reversible=collections.abc.Reversible,
    Generator=collections.abc.Generator,
    Set=collections.abc.Set,
    MutableSet=collections.abc.MutableSet,
    MutableMapping=collections.abc.MutableMapping,
    MutableSequence=collections.abc.MutableSequence,
)


class Partial:
    """functools.partial."""

    __slots__ = ("args", "func", "keywords")
    func: Any

    def __init__(self, func: Any, /, *args: Any, **keywords: Any) -> None:
        if not callable(func):
            raise TypeError("the first argument must be callable")
        if type(func) is Partial:
            func, args, keywords = func.func, (*func.args, *args), {**func.keywords, **keywords}
        self.func, self.args, self.keywords = func, args, keywords

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return invoke(self.func, (*self.args, *args), {**self.keywords, **keywords})

    def __repr__(self) -> str:
        parts = [text_repr(self.func), *map(text_repr, self.args)]
        parts += [f"{name}={text_repr(value)}" for name, value in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"


Partial.__name__ = Partial.__qualname__ = "partial"
register(Partial, Rule(names=names("args func keywords")))
CALLS[Partial] = Partial


def _reduce(function: Any, items: Any, *initial: Any) -> Any:
    return functools.reduce(lambda a, b: invoke(function, (a, b)), consume(items), *initial)


def _wraps(wrapped: Any, *_: Any, **__: Any) -> Callable[[Any], Any]:
    def decorate(function: Any) -> Any:
        if isinstance(function, ScriptFunction):
            held = function.__dict__
            held["__name__"] = getattr(wrapped, "__name__", function.code.name)
            held["__wrapped__"] = wrapped
            if isinstance(wrapped, ScriptFunction):
                held["__doc__"] = wrapped.__dict__.get("__doc__", wrapped.code.doc)
                held["__qualname__"] = wrapped.__dict__.get("__qualname__", wrapped.code.qualname)
                held["__annotations__"] = dict(attributes.get(wrapped, "__annotations__"))
        elif attributes.is_script_class(type(function)):
            for name in ("__name__", "__qualname__", "__doc__"):
                with contextlib.suppress(AttributeError):
                    attributes.put(function, name, attributes.get(wrapped, name))
            attributes.put(function, "__wrapped__", wrapped)
        return function

    return decorate


class Cached:
    """functools.cache and lru_cache."""

    __slots__ = ("_function", "_hits", "_known", "_misses", "_most")

    def __init__(self, function: Any, most: int | None = None) -> None:
        self._function, self._most = function, most
        self._known: dict[Any, Any] = {}
        self._hits = self._misses = 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        key = (args, tuple(kwargs.items()))
        nested.check_key(key)
        if key in self._known:
            self._hits += 1
            value = self._known[key]
            if self._most is not None:
                self._known[key] = self._known.pop(key)
            return value
        self._misses += 1
        value = invoke(self._function, args, kwargs)
        if self._most != 0:
            self._known[key] = value
        if self._most is not None and len(self._known) > self._most > 0:
            del self._known[next(iter(self._known))]
        return value

    def cache_info(self) -> CacheInfo:
        return CacheInfo(self._hits, self._misses, self._most, len(self._known))

    def cache_clear(self) -> None:
        self._known.clear()
        self._hits = self._misses = 0

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else Partial(self, instance)


CacheInfo = collections.namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])
register(CacheInfo, Rule(names=frozenset(CacheInfo._fields) | names("count index _asdict _replace _fields")))
COMMON = {
    "__wrapped__": lambda value: value._function,
    "__name__": lambda value: attributes.get(value._function, "__name__"),
    "__doc__": lambda value: attributes.get(value._function, "__doc__"),
}
register(Cached, Rule(names=names("cache_info cache_clear"), computed=COMMON))


def _lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    if isinstance(maxsize, int) or maxsize is None:
        return lambda function: Cached(function, None if maxsize is None else max(int(maxsize), 0))
    return Cached(maxsize, 128)


class CachedProperty:
    """functools.cached_property: the value is kept under the property's name."""

    __slots__ = ("_function", "_name")

    def __init__(self, function: Any) -> None:
        self._function = function
        self._name = ""

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        value = invoke(self._function, (instance,))
        instance.__dict__[self._name] = value
        return value


register(CachedProperty, Rule())
CALLS[CachedProperty] = CachedProperty


def _total_ordering(kind: Any) -> Any:
    """The class, with the comparisons that follow from the one that it has."""
    if not attributes.is_script_class(kind):
        raise TypeError("total_ordering() takes a class of this script")
    own = vars(kind)
    root = next((name for name in ("__lt__", "__gt__", "__le__", "__ge__") if name in own), None)
    if root is None:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    turned, strict = root in ("__gt__", "__ge__"), root in ("__lt__", "__gt__")

    def less(a: Any, b: Any) -> Any:
        """a < b, by the one comparison that there is."""
        if strict:
            return getattr(b, root)(a) if turned else getattr(a, root)(b)
        return not (getattr(a, root)(b) if turned else getattr(b, root)(a))

    made = {
        "__lt__": less,
        "__gt__": lambda a, b: less(b, a),
        "__le__": lambda a, b: less(a, b) or a == b,
        "__ge__": lambda a, b: less(b, a) or a == b,
    }
    for name, function in made.items():
        if name not in own:
            setattr(kind, name, function)
    return kind


def _cmp_to_key(compare: Any) -> Any:
    class Key:
        __slots__ = ("value",)

        def __init__(self, value: Any) -> None:
            self.value = value

        def __lt__(self, other: Any) -> bool:
            return bool(invoke(compare, (self.value, other.value)) < 0)

    return lambda value: Key(value)


_module(
    "functools",
    partial=Partial,
    reduce=_reduce,
    wraps=_wraps,
    lru_cache=_lru_cache,
    cache=Cached,
    cached_property=CachedProperty,
    total_ordering=_total_ordering,
    cmp_to_key=_cmp_to_key,
)
CALLS[Cached] = Cached


class Endless:
    """count, cycle and repeat: every item counts as a step."""

    __slots__ = ("_at", "_kind", "_left", "_step", "_values")

    def __init__(self, kind: str, at: Any, step: Any = 1, values: Any = (), left: Any = None) -> None:
        self._kind, self._at, self._step, self._values, self._left = kind, at, step, values, left

    def __repr__(self) -> str:
        if self._kind == "count":
            return f"count({text_repr(self._at)}{'' if self._step == 1 else ', ' + text_repr(self._step)})"
        left = "" if self._left is None else f", {self._left}"
        return "<itertools.cycle>" if self._kind == "cycle" else f"repeat({text_repr(self._values)}{left})"

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


class Counted:
    """An iterator of the host that may give more items than anybody waits for: each counts as a step, wherever it is
    asked for them."""

    __slots__ = ("_items",)

    def __init__(self, items: Any) -> None:
        self._items = items

    def __iter__(self) -> Counted:
        return self

    def __next__(self) -> Any:
        machine = current.machine
        machine.left -= 1
        if machine.left < 0:
            machine.check()
        return next(self._items)


def _counted(name: str) -> type[Counted]:
    made = type(name, (Counted,), {"__slots__": (), "__module__": "itertools"})
    lazy.LAZY.add(made)
    lazy.BETWEEN.add(getattr(itertools, name))
    return made


COUNTED = {
    name: _counted(name)
    for name in ("chain", "product", "permutations", "combinations", "combinations_with_replacement")
}


def _islice(iterable: Any, *args: Any) -> Any:
    check_lazy(iterable)
    return itertools.islice(iter(iterable), *args)


def _accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    check_lazy(iterable)
    return itertools.accumulate(
        iterable, operators.add if func is None else lambda a, b: invoke(func, (a, b)), initial=initial
    )


def _takewhile(test: Any, iterable: Any) -> Any:
    check_lazy(iterable)
    return itertools.takewhile(lambda item: invoke(test, (item,)), iterable)


def _dropwhile(test: Any, iterable: Any) -> Any:
    check_lazy(iterable)
    return itertools.dropwhile(lambda item: invoke(test, (item,)), iterable)


def _starmap(function: Any, iterable: Any) -> Any:
    check_lazy(iterable)
    return itertools.starmap(lambda *args: invoke(function, args), iterable)


def _product(*iterables: Any, repeat: int = 1) -> Any:
    operators.check_length(len(iterables) * max(repeat, 0), list)
    return COUNTED["product"](itertools.product(*map(consume, iterables), repeat=repeat))


def _pool(name: str) -> Any:
    def function(iterable: Any, *r: Any) -> Any:
        return COUNTED[name](getattr(itertools, name)(consume(iterable), *r))

    return function


def _chain(*iterables: Any) -> Any:
    check_lazy(*iterables)
    return COUNTED["chain"](itertools.chain(*iterables))


def _zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    check_lazy(*iterables)
    return itertools.zip_longest(*iterables, fillvalue=fillvalue)


CALLS[itertools.zip_longest] = _zip_longest
_module(
    "itertools",
    chain=None,
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
        return _chain(*consume(items))


register(Chain, Rule(names=names("from_iterable")))
