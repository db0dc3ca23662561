"""The allow-list for Python's own types: text, numbers, containers, functions, exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from types import BuiltinFunctionType, BuiltinMethodType, FunctionType, GeneratorType, MethodType
from typing import Any

from engine.chains import OrderedDict, deque
from engine.script.classes.making import InstanceDict
from engine.script.executing import chained
from engine.script.executing.calls import consume, mapping
from engine.script.frames import ScriptFunction, ScriptGenerator, current
from engine.script.limits import nested
from engine.script.limits.lazy import part_of_property
from engine.script.limits.lengthy import SEARCHES, is_long
from engine.script.limits.nested import CONTAINERS, check_index, check_key, check_keys, equal
from engine.script.surface import Rule, names, register
from engine.script.values import strings
from engine.script.values.containers import LongRange, ScriptFrozenSet, ScriptSet
from engine.script.values.operators import check_bits, check_length, sort_key
from engine.script.values.plain import whole
from engine.script.values.subscripts import PLAIN_INDEX
from engine.script.values.texts import text_repr


def _join(self: str, items: Any, /) -> str:
    parts = consume(items, 0, "can only join an iterable")
    parts = parts if isinstance(parts, (list, tuple)) else list(parts)
    strings.check_text(sum(len(part) for part in parts if isinstance(part, str)) + len(self) * len(parts))
    return self.join(parts)


def _padded(name: str) -> Any:
    def pad(self: Any, width: Any, /, *fill: Any) -> Any:
        width = whole(width)
        if type(width) is int:
            strings.check_text(width)
        return getattr(self, name)(width, *fill)

    return pad


def _expandtabs(self: str, tabsize: int = 8) -> str:
    tabsize = whole(tabsize)
    strings.check_text(self.count("\t") * max(tabsize, 0) + len(self))
    return self.expandtabs(tabsize)


def _replace(self: Any, old: Any, new: Any, count: int = -1, /) -> Any:
    if isinstance(new, (str, bytes)) and len(new) > len(old):
        strings.check_text(len(self) + (self.count(old) if isinstance(old, type(self)) else 0) * len(new))
    return self.replace(old, new, count)


def _translate(self: str, table: Any, /) -> str:
    if not isinstance(table, dict):
        return self.translate({})
    if type(table) is not dict:  # whose class may say what stands under a character, however long
        table = {ord(each): _put_for(each, table) for each in set(self)}
    longest = max((len(v) for v in table.values() if isinstance(v, str)), default=1)
    strings.check_text(len(self) * max(longest, 1))
    return self.translate(table)


def _put_for(character: str, table: Any) -> Any:
    try:
        return table[ord(character)]
    except LookupError:
        return character


def _format(self: str, *args: Any, **kwargs: Any) -> str:
    return strings.str_format(self, args, kwargs)


def _format_map(self: str, values: Any, /) -> str:
    return strings.str_format(self, (), values if isinstance(values, Mapping) else mapping(values))


def _encode(self: str, encoding: Any = "utf-8", errors: Any = "strict") -> bytes:
    return self.encode(strings.encoding(encoding), errors)


register(
    str,
    Rule(
        names=names("""capitalize casefold count find index isalnum isalpha isascii isdecimal isdigit
        isidentifier islower isnumeric isprintable isspace istitle isupper lower partition removeprefix removesuffix
        split splitlines swapcase title upper"""),
        wrapped={
            **SEARCHES,
            "join": _join,
            "center": _padded("center"),
            "ljust": _padded("ljust"),
            "rjust": _padded("rjust"),
            "zfill": _padded("zfill"),
            "expandtabs": _expandtabs,
            "replace": _replace,
            "format": _format,
            "format_map": _format_map,
            "translate": _translate,
            "encode": _encode,
        },
        static={"maketrans": lambda *args: str.maketrans(*args)},
    ),
)


def _to_bytes(self: int, length: int = 1, byteorder: Any = "big", *, signed: bool = False) -> bytes:
    length = whole(length)
    check_length(length, bytes)
    return self.to_bytes(length, byteorder, signed=signed)


def _from_bytes(bytes: Any, byteorder: Any = "big", *, signed: bool = False) -> int:
    held = consume(bytes)
    check_bits(8 * len(held), "int.from_bytes")
    return int.from_bytes(held, byteorder, signed=signed)


INT = Rule(
    names=names("as_integer_ratio bit_count bit_length conjugate denominator imag is_integer numerator real"),
    wrapped={"to_bytes": _to_bytes},
    static={"from_bytes": _from_bytes},
)
INT.names &= frozenset(dir(int))
register(int, INT)
register(bool, INT)
register(
    float, Rule(names=names("as_integer_ratio conjugate hex imag is_integer real"), static={"fromhex": float.fromhex})
)
register(complex, Rule(names=names("conjugate imag real")))


def _item(self: Any, key: Any) -> Any:
    """`key=values.__getitem__` and the like."""
    if type(key) not in PLAIN_INDEX:
        check_index(key)
    return self[key]


ITEMS: dict[str, Any] = {"__getitem__": _item, "__len__": lambda self: len(self)}


def _extend(self: Any, items: Any, /) -> None:
    self.extend(consume(items, len(self)))


def _sort(self: list[Any], *, key: Any = None, reverse: bool = False) -> None:
    current.machine.count(len(self))
    self.sort(key=sort_key(self, key), reverse=reverse)


def _search(name: str) -> Any:
    """index, count and remove: containers are compared by us, everything else by the host."""

    def search(self: Any, item: Any, /, *span: Any) -> Any:
        current.machine.count(len(self) // 64)
        if not (isinstance(item, CONTAINERS) or is_long(item)) or (span and (name != "index" or len(span) > 2)):
            return getattr(self, name)(item, *span)
        places = range(len(self))[slice(*span, *(None,) * (2 - len(span)))]
        found = 0
        for i, each in enumerate(self):
            if i in places and (each is item or equal(each, item)):
                if name == "index":
                    return i
                if name == "remove":
                    del self[i]
                    return None
                found += 1
        if name == "count":
            return found
        raise ValueError(_absent(self, item, name))

    return search


def _absent(self: Any, item: Any, name: str) -> str:
    if isinstance(self, deque) or (name == "index" and isinstance(self, list)):
        return f"{text_repr(item)} is not in {type(self).__name__}"
    return f"{type(self).__name__}.{name}(x): x not in {type(self).__name__}"


SEARCH = {"index": _search("index"), "count": _search("count")}
register(
    list,
    Rule(
        names=names("append clear copy insert pop reverse"),
        wrapped={"extend": _extend, "sort": _sort, "remove": _search("remove"), **SEARCH, **ITEMS},
    ),
)
register(tuple, Rule(wrapped={**SEARCH, **ITEMS}))
register(
    deque,
    Rule(
        names=names("append appendleft clear copy insert maxlen pop popleft reverse rotate"),
        wrapped={
            **SEARCH,
            "remove": _search("remove"),
            "extend": _extend,
            "extendleft": lambda self, items: self.extendleft(consume(items, len(self))),
        },
    ),
)


def _get(self: Any, key: Any, default: Any = None, /) -> Any:
    check_key(key)
    return self.get(key, default)


def _pop(self: Any, key: Any, /, *default: Any) -> Any:
    check_key(key)
    return self.pop(key, *default)


def _setdefault(self: Any, key: Any, default: Any = None, /) -> Any:
    check_key(key)
    return self.setdefault(key, default)


def pairs(value: Any, already: int = 0) -> Any:
    """What dict() and update() accept: a mapping, or an iterable of pairs."""
    if isinstance(value, dict) or hasattr(value, "keys"):
        return mapping(value)
    items = consume(value, already)
    if any(type(item) is not tuple for item in items):
        items = [item if isinstance(item, (str, bytes)) else _pair(item) for item in items]
    for item in items:
        if type(item) is tuple and item:
            check_key(item[0])
    return items


def _pair(item: Any) -> Any:
    """A key and its value, in whatever they came; what has no items is left for the host to say so."""
    return tuple(consume(item)) if hasattr(type(item), "__iter__") else item


PORTION = 256


def fill(target: Any, items: Any) -> Any:
    """`target` after `target.update(items)`: many items in portions, because keys may be chosen so that the host
    compares each with all others."""
    if type(items) not in (list, tuple) or len(items) <= PORTION:
        target.update(items)
        return target
    for start in range(0, len(items), PORTION):
        target.update(items[start : start + PORTION])
        current.machine.count(PORTION // 16)
    return target


def _update(self: Any, *args: Any, **kwargs: Any) -> None:
    if len(args) > 1:
        raise TypeError(f"update expected at most 1 argument, got {len(args)}")
    for value in args:
        fill(self, pairs(value, len(self)))
    self.update(kwargs)


def _fromkeys(*given: Any, **named: Any) -> dict[Any, Any]:
    if named:
        raise TypeError("dict.fromkeys() takes no keyword arguments")
    if not given:
        raise TypeError("fromkeys expected at least 1 argument, got 0")
    if len(given) > 2:
        raise TypeError(f"fromkeys expected at most 2 arguments, got {len(given)}")
    value = given[1] if len(given) == 2 else None
    keys = consume(given[0])
    check_keys(keys)
    if type(keys) not in (list, tuple) or len(keys) <= PORTION:
        return dict.fromkeys(keys, value)
    return fill({}, [(key, value) for key in keys])


def _isdisjoint(self: Any, items: Any, /) -> bool:
    items = consume(items)
    check_keys(items)
    return not any(item in self for item in items)


MAPPING = Rule(
    names=names("clear copy items keys popitem values"),
    static={"fromkeys": _fromkeys},
    wrapped={"get": _get, "pop": _pop, "setdefault": _setdefault, "update": _update, **ITEMS},
)
register(dict, MAPPING)
register(InstanceDict, MAPPING)
register(
    OrderedDict,
    Rule(
        names=MAPPING.names | {"move_to_end"},
        wrapped=MAPPING.wrapped,
        static={"fromkeys": lambda items, value=None: OrderedDict(_fromkeys(items, value))},
    ),
)
for _view in (*nested.ITEMS, *nested.KEYS, *nested.VALUES):
    register(_view, Rule(wrapped={"isdisjoint": _isdisjoint} if hasattr(_view, "isdisjoint") else {}))
SET_NAMES = names(
    "add clear copy difference discard intersection isdisjoint issubset issuperset pop remove "
    "symmetric_difference union update intersection_update difference_update symmetric_difference_update"
)
register(ScriptSet, Rule(names=SET_NAMES))
register(
    ScriptFrozenSet,
    Rule(
        names=SET_NAMES
        & names("copy difference intersection isdisjoint issubset issuperset symmetric_difference union")
    ),
)
register(range, Rule(names=names("start stop step count index")))
register(LongRange, Rule(names=names("start stop step")))
register(slice, Rule(names=names("start stop step indices")))
register(
    property,
    Rule(
        wrapped={name: part_of_property(name) for name in ("getter", "setter", "deleter")},
        computed={"__doc__": lambda value: _told_by(value)},
    ),
)


def _held_by(value: Any) -> Any:
    """The script's function that a classmethod or staticmethod holds."""
    if isinstance(value.__func__, ScriptFunction):
        return value.__func__
    raise AttributeError(f"'{type(value).__name__}' object has no attribute '__func__'")


for _kind in (classmethod, staticmethod):
    register(_kind, Rule(computed={"__func__": _held_by, "__wrapped__": _held_by}))


def _told_by(value: property) -> Any:
    """The text that a property was given, or its function's."""
    given = value.__doc__
    if given is not ScriptFunction.__doc__ or not isinstance(value.fget, ScriptFunction):
        return given if isinstance(given, str) else None
    return value.fget.__dict__.get("__doc__", value.fget.code.doc)


FUNCTION = {
    "__name__": lambda value: value.__name__,
    "__qualname__": lambda value: value.__qualname__,
    "__doc__": lambda value: None,
    "__module__": lambda value: "builtins",
}
register(FunctionType, Rule(computed=FUNCTION))
register(BuiltinFunctionType, Rule(computed=FUNCTION))
register(BuiltinMethodType, Rule(computed=FUNCTION))
NOT_SET = names("__name__ __qualname__ __doc__ __annotations__")


def _wrapped(value: Any) -> Any:
    """What functools.wraps() has put there."""
    if "__wrapped__" not in value.__dict__:
        raise AttributeError("'function' object has no attribute '__wrapped__'")
    return value.__dict__["__wrapped__"]


SCRIPT_FUNCTION = {
    **FUNCTION,
    "__qualname__": lambda value: value.__dict__.get("__qualname__", value.code.qualname),
    "__annotations__": lambda value: value.__dict__.setdefault("__annotations__", {}),
    "__kwdefaults__": lambda value: None if value.modes else dict(value.keyword_defaults) or None,
    "__dict__": lambda value: {key: item for key, item in value.__dict__.items() if key not in NOT_SET},
    "__wrapped__": _wrapped,
    "__doc__": lambda value: value.__dict__.get("__doc__", value.code.doc),
    "__module__": lambda value: "__main__",
    "__defaults__": lambda value: None if value.modes else value.defaults or None,
}
register(
    ScriptFunction,
    Rule(computed=SCRIPT_FUNCTION, open=True, hidden=names("code defaults globals keyword_defaults modes outer")),
)


def _own(name: str) -> Any:
    """__self__ and __func__ of a bound method, when the function is the script's."""

    def read(value: Any) -> Any:
        if not isinstance(value.__func__, ScriptFunction):
            raise AttributeError(f"'builtin_function_or_method' object has no attribute '{name}'")
        return getattr(value, name)

    return read


register(
    MethodType,
    Rule(
        computed={
            "__self__": _own("__self__"),
            "__func__": _own("__func__"),
            **FUNCTION,
            "__doc__": lambda value: value.__func__.code.doc if isinstance(value.__func__, ScriptFunction) else None,
        }
    ),
)
register(ScriptGenerator, Rule(names=names("send throw close")))
register(GeneratorType, Rule())
register(type(NotImplemented), Rule())


def _notes(error: BaseException) -> Any:
    if "__notes__" not in error.__dict__:
        raise AttributeError(f"'{type(error).__name__}' object has no attribute '__notes__'")
    return error.__dict__["__notes__"]


for error, shown, kept in (
    (BaseException, names("args __cause__"), frozenset(dir(BaseException)) - {"args"}),
    (BaseExceptionGroup, names("args message exceptions __cause__"), frozenset()),
    *(
        (each, names("args name __cause__"), names("name_from path"))
        for each in (AttributeError, NameError, ImportError)
    ),
):
    hidden = names("with_traceback obj _script_where _script_raised _script_deep") | frozenset(chained.KEPT) | kept
    register(
        error,
        Rule(
            names=shown | names("__suppress_context__"),
            wrapped={"add_note": chained.add_note, "with_traceback": lambda self, trace: self},
            computed={
                "__context__": chained.context,
                "__traceback__": lambda self: chained.Trace(self) if chained.calls_of(self) else None,
                "__notes__": _notes,
            },
            open=True,
            class_names=names("__init__ __str__ __repr__"),
            hidden=hidden,
        ),
    )
register(chained.Trace, Rule(names=names("tb_lineno tb_next")))
