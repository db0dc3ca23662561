"""The containers that classes of scripts may extend: `class Config(dict)`. Each stands between the host's class and the
script's, under the host's name, and guards what the host's own methods would do in one step."""

# mypy: disable-error-code="arg-type,assignment,call-overload,index,misc,operator,override,type-arg,type-var"
# (the mappings here are one class beside several of the host)

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.chains import OrderedDict, defaultdict
from engine.script.classes.making import BASES
from engine.script.executing.calls import consume, invoke
from engine.script.limits.nested import check_compared, check_key, check_nested, deep_equal
from engine.script.surface import EXTENDED, Rule, names, register
from engine.script.surface.collections import count
from engine.script.surface.python import SEARCH, fill, pairs
from engine.script.values.operators import check_length, sort_key
from engine.script.values.plain import whole
from engine.script.values.texts import text_repr

ITEMS_ARE_ATTRIBUTES = "."
"""In the `__dict__` of a mapping whose script wrote `self.__dict__ = self`: its items are its attributes."""
_shown: set[int] = set()


def show(value: Any, plain: Any, start: str, end: str, itself: str) -> str:
    """repr() of a container: the inside between two texts; `itself` where it holds itself."""
    if id(value) in _shown:
        return itself
    _shown.add(id(value))
    try:
        return start + text_repr(plain) + end
    finally:
        _shown.discard(id(value))


class _Mapping:
    """What the mappings share. `__host__` is the class of the host whose methods are meant: a name that no script can
    change."""

    __slots__ = ()
    __host__: Any = dict

    def __getitem__(self, key: Any) -> Any:
        check_key(key)
        return _host(self).__getitem__(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        check_key(key)
        _host(self).__setitem__(self, key, value)

    def __delitem__(self, key: Any) -> None:
        check_key(key)
        _host(self).__delitem__(self, key)

    def __contains__(self, key: Any) -> bool:
        check_key(key)
        return dict.__contains__(self, key)

    def __len__(self) -> int:
        return dict.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        return iter(_host(self).__iter__(self))

    def __eq__(self, other: object) -> bool:
        return deep_equal(dict(_host(self).items(self)), other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def get(self, key: Any, default: Any = None) -> Any:
        check_key(key)
        return dict.get(self, key, default)

    def pop(self, key: Any, *default: Any) -> Any:
        check_key(key)
        return _host(self).pop(self, key, *default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        check_key(key)
        return _host(self).setdefault(self, key, default)

    def update(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            raise TypeError(f"update expected at most 1 argument, got {len(args)}")
        for each in args:
            for key, value in fill({}, pairs(each, len(self))).items():
                dict.__setitem__(self, key, value) if _host(self) is dict else _host(self).__setitem__(self, key, value)
        for key, value in kwargs.items():
            _host(self).__setitem__(self, key, value)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and ITEMS_ARE_ATTRIBUTES in vars(self) and dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if ITEMS_ARE_ATTRIBUTES in vars(self):
            dict.__setitem__(self, name, value)
        else:
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return show(self, dict(_host(self).items(self)), "", "", "{...}")


def _host(value: Any) -> Any:
    """The class of the host that `value` extends."""
    return value.__host__ if isinstance(value, _Mapping) else type(value)


class OpenDict(_Mapping, dict):
    """dict."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            raise TypeError(f"dict expected at most 1 argument, got {len(args)}")
        OpenDict.update(self, *args, **kwargs)


class OpenOrderedDict(_Mapping, OrderedDict):
    """collections.OrderedDict."""

    __host__ = OrderedDict

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        OrderedDict.__init__(self)
        OpenDict.update(self, *args, **kwargs)

    def __repr__(self) -> str:
        items = list(OrderedDict.items(self))
        return show(self, items, f"{type(self).__name__}(", ")", "...") if items else f"{type(self).__name__}()"


class OpenDefaultDict(_Mapping, defaultdict):
    """collections.defaultdict."""

    __host__ = defaultdict

    def __init__(self, factory: Any = None, *args: Any, **kwargs: Any) -> None:
        if isinstance(factory, type):
            invoke(factory, ())  # what scripts may not make is refused now, because the host will make it later
        defaultdict.__init__(self, factory)
        OpenDict.update(self, *args, **kwargs)

    def __repr__(self) -> str:
        return show(self, dict(self), f"{type(self).__name__}({text_repr(self.default_factory)}, ", ")", "...")


class OpenCounter(_Mapping, Counter):
    """collections.Counter."""

    __host__ = Counter

    def __init__(self, items: Any = None, **kwargs: Any) -> None:
        dict.__init__(self)
        OpenCounter.update(self, items, **kwargs)

    def update(self, items: Any = None, **kwargs: Any) -> None:
        found = items if isinstance(items, dict) or items is None else consume(items)
        for each in (count(found), kwargs):
            empty = not dict.__len__(self)
            for key, number in each.items():
                dict.__setitem__(self, key, number if empty else dict.get(self, key, 0) + number)

    def subtract(self, items: Any = None, **kwargs: Any) -> None:
        found = items if isinstance(items, dict) or items is None else consume(items)
        for each in (count(found), kwargs):
            for key, number in each.items():
                dict.__setitem__(self, key, dict.get(self, key, 0) - number)

    def __repr__(self) -> str:
        name = type(self).__name__
        return show(self, dict(self.most_common()), f"{name}(", ")", "...") if dict.__len__(self) else f"{name}()"


def _of_counts(name: str) -> Any:
    """A method of Counter that compares its counts, or those of two."""
    host = getattr(Counter, name)

    def method(self: Any, *others: Any) -> Any:
        check_nested(self)
        for each in others:
            check_nested(each)
        return host(self, *others)

    return method


for _name in names("most_common __add__ __sub__ __or__ __and__ __le__ __lt__ __ge__ __gt__ __iadd__ __isub__ __ior__"):
    setattr(OpenCounter, _name, _of_counts(_name))


class OpenList(list):
    """list."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            raise TypeError(f"list expected at most 1 argument, got {len(args)}")
        if kwargs:
            raise TypeError("list() takes no keyword arguments")
        list.__init__(self, *map(consume, args))

    def extend(self, items: Any) -> None:
        list.extend(self, consume(items, list.__len__(self)))

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        list.sort(self, key=sort_key(list.copy(self), key), reverse=reverse)

    def index(self, item: Any, *span: Any) -> Any:
        check_compared(item)
        return SEARCH["index"](list.copy(self), item, *span)

    def count(self, item: Any) -> int:
        check_compared(item)
        return SEARCH["count"](list.copy(self), item)

    def remove(self, item: Any) -> None:
        check_compared(item)
        try:
            place = SEARCH["index"](list.copy(self), item)
        except ValueError:
            raise ValueError("list.remove(x): x not in list") from None
        list.__delitem__(self, place)

    def copy(self) -> Any:
        return list.copy(self)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            value = consume(value, list.__len__(self), "can only assign an iterable, not ")
        list.__setitem__(self, key, value)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, list):
            raise TypeError(f'can only concatenate list (not "{type(other).__name__}") to list')
        check_length(list.__len__(self) + list.__len__(other), list)
        return list.__add__(self, other)

    def __iadd__(self, other: Any) -> Any:
        OpenList.extend(self, other)
        return self

    def __mul__(self, times: Any) -> Any:
        times = whole(times)
        if type(times) is int:
            check_length(list.__len__(self) * max(times, 0), list)
        return list.__mul__(self, times)

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> Any:
        times = whole(times)
        if type(times) is int:
            check_length(list.__len__(self) * max(times, 0), list)
        return list.__imul__(self, times)

    def __eq__(self, other: object) -> bool:
        return deep_equal(list.copy(self), other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __repr__(self) -> str:
        return show(self, list.copy(self), "", "", "[...]")


MAPPING = "clear copy get items keys pop popitem setdefault update values"
MAPPING_DUNDERS = """__init__ __getitem__ __setitem__ __delitem__ __contains__ __len__ __iter__ __repr__ __eq__ __ne__
__setattr__"""
LIST = "append clear copy count extend index insert pop remove reverse sort"
LIST_DUNDERS = """__init__ __getitem__ __setitem__ __delitem__ __contains__ __len__ __iter__ __repr__ __eq__ __ne__
__add__ __iadd__ __mul__ __imul__"""


def _attributes(value: Any) -> dict[str, Any]:
    found = vars(value)
    return dict(value) if ITEMS_ARE_ATTRIBUTES in found else dict(found)


def _adopt(value: Any, item: Any) -> None:
    """`value.__dict__ = item`."""
    if item is not value:
        raise TypeError("the __dict__ of a dict can be set to that dict itself here, to nothing else")
    vars(value)[ITEMS_ARE_ATTRIBUTES] = True


for _kind, _base, _more in (
    (OpenDict, dict, ""),
    (OpenOrderedDict, OrderedDict, " move_to_end"),
    (OpenDefaultDict, defaultdict, " default_factory"),
    (OpenCounter, Counter, " most_common elements total subtract"),
):
    register(
        _kind,
        Rule(
            names=names(MAPPING + _more),
            open=True,
            hidden=names("default_factory") & names(_more),
            class_names=names(MAPPING_DUNDERS) | names("__missing__") & frozenset(dir(_base)),
            computed={"__dict__": _attributes},
            adopt=_adopt if _kind is OpenDict else None,
        ),
    )
register(
    OpenList,
    Rule(names=names(LIST), open=True, class_names=names(LIST_DUNDERS), computed={"__dict__": lambda v: dict(vars(v))}),
)
EXTENDED.update({dict: OpenDict, OrderedDict: OpenOrderedDict, defaultdict: OpenDefaultDict, Counter: OpenCounter})
EXTENDED[list] = OpenList
for _base, _kind in EXTENDED.items():
    _kind.__name__, _kind.__qualname__ = _base.__name__, _base.__qualname__
    _kind.__module__ = _base.__module__
    BASES.add(_kind)
