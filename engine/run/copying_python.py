"""Copies of Python's own kinds of values, of functions and of classes, for copying.py: a function for each type, which
takes the copier and the value and answers the copy."""

from __future__ import annotations

import collections
import functools
import gc
import sys
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine import chains
from engine.run.sharing import SAME, Refused, is_named_tuple, is_of_script, is_still, is_still_function
from engine.script.surface import ScriptModule
from engine.script.values.containers import ScriptFrozenSet, ScriptSet
from engine.script.values.hashed import place
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.run.copying import Copier

Make = Callable[["Copier", Any], Any]
POINTER = 8

HOSTS: tuple[Any, ...] = (
    chains.OrderedDict, chains.defaultdict, collections.Counter, dict, list, chains.deque,
)  # fmt: skip


def host_base(kind: type) -> Any:
    """The container of the host that a class extends; object when there is none."""
    return next((host for host in HOSTS if host in kind.__mro__), object)


# -- containers --------------------------------------------------------------------------------------------------------


def _list(copier: Copier, x: list[Any]) -> list[Any]:
    made: list[Any] = copier.keep(x, [])
    copier.weigh(POINTER * len(x))
    copier.later(lambda: _fill_list(copier, x, made))
    return made


def _fill_list(copier: Copier, x: list[Any], made: list[Any]) -> None:
    made[:] = [copier.part(each) for each in x]


def _dict(copier: Copier, x: dict[Any, Any]) -> dict[Any, Any]:
    made: dict[Any, Any] = copier.keep(x, {})
    copier.weigh(3 * POINTER * len(x))
    copier.later(lambda: fill_dict(copier, x, made, dict.__setitem__))
    return made


def fill_dict(copier: Copier, x: Any, made: Any, put: Callable[[Any, Any, Any], None]) -> None:
    part = copier.part
    for key in dict.keys(x) if type(x) is dict else list(host_base(type(x)).__iter__(x)):
        kind = type(key)
        if kind is not str and kind not in SAME:
            _require_key(key)
        put(made, part(key), part(dict.__getitem__(x, key)))


def _require_key(key: Any) -> None:
    """Keys whose hash is that of the object, or of what never changes: others may not be ready yet."""
    if isinstance(key, tuple):
        for each in key:
            _require_key(each)
        return
    by_itself: Any = type(key).__hash__
    if by_itself is object.__hash__ or by_itself is Tensor.__hash__ or is_still(key):
        return
    if not isinstance(key, (type, types.FunctionType, types.BuiltinFunctionType)):
        raise Refused(f"{type(key).__name__} as a key")


def copy_tuple(copier: Copier, x: tuple[Any, ...]) -> tuple[Any, ...]:
    parts = [copier.part(each) for each in x]
    if all(a is b for a, b in zip(x, parts, strict=True)):
        return copier.keep(x, x)
    found = copier._made.get(id(x))  # it may hold itself
    return found[1] if found is not None else copier.keep(x, tuple.__new__(type(x), parts))


def _set(copier: Copier, x: set[Any]) -> set[Any]:
    """The order of the copy may be another one: where a script sees it, see `_script_set`."""
    for each in x:
        _require_key(each)
    return copier.keep(x, {copier.part(each) for each in x})


def _script_set(copier: Copier, x: ScriptSet) -> ScriptSet:
    made = object.__new__(type(x))
    host = x._host
    if x._plain:
        grown: set[Any] = set()
        for each in x._order:
            grown.add(place(each))
        alike = [copy for copy in (grown, set(host)) if sys.getsizeof(copy) == sys.getsizeof(host)]
        found = next((copy for copy in alike if list(copy) == list(host)), None)
        if found is None:
            raise Refused("a set whose order comes from its past")
        made._host = found
    made._order, made._plain = copier.part(x._order), x._plain
    if not x._plain:
        made._host = {place(each) for each in made._order}
    if isinstance(x, ScriptFrozenSet):
        if not all(is_still(each) for each in x._order):
            raise Refused("a frozenset of what may change")
        made._hash = x._hash  # type: ignore[attr-defined]
    return copier.keep(x, made)


def _slice(copier: Copier, x: slice) -> slice:
    parts = [copier.part(each) for each in (x.start, x.stop, x.step)]
    return x if all(is_still(each) for each in parts) else slice(*parts)


def _frozenset(copier: Copier, x: frozenset[Any]) -> frozenset[Any]:
    if all(is_still(each) for each in x):
        return x
    raise Refused("frozenset of what may change")


def _deque(copier: Copier, x: Any) -> Any:
    made: Any = copier.keep(x, chains.deque(maxlen=x.maxlen))
    copier.later(lambda: made.extend([copier.part(each) for each in x]))
    return made


def _defaultdict(copier: Copier, x: Any) -> Any:
    made: Any = copier.keep(x, chains.defaultdict())
    made.default_factory = copier.part(x.default_factory)
    copier.later(lambda: fill_dict(copier, x, made, dict.__setitem__))
    return made


def _mapping_of(kind: Any) -> Make:
    def make(copier: Copier, x: Any) -> Any:
        made: Any = copier.keep(x, kind())
        copier.later(lambda: fill_dict(copier, x, made, kind.__setitem__))
        return made

    return make


def _bytearray(copier: Copier, x: bytearray) -> bytearray:
    copier.weigh(len(x))
    return copier.keep(x, bytearray(x))


# -- functions, classes ------------------------------------------------------------------------------------------------


def _function(copier: Copier, x: types.FunctionType) -> types.FunctionType:
    known = copier.known.functions
    if id(x) in known:
        return x
    if is_still_function(x, 0):
        if x.__closure__ is not None:
            known[id(x)] = x
        return x
    cells = tuple([copier.part(cell) for cell in x.__closure__ or ()])
    made = types.FunctionType(x.__code__, x.__globals__, x.__name__, None, cells or None)
    copier.keep(x, made)
    made.__qualname__, made.__doc__, made.__module__ = x.__qualname__, x.__doc__, x.__module__
    made.__defaults__ = copier.part(x.__defaults__)
    made.__kwdefaults__ = copier.part(x.__kwdefaults__)
    copier.later(lambda: made.__dict__.update({key: copier.part(value) for key, value in x.__dict__.items()}))
    return made


def _cell(copier: Copier, x: types.CellType) -> types.CellType:
    made: types.CellType = copier.keep(x, types.CellType())

    def fill() -> None:
        try:
            value = x.cell_contents
        except ValueError:
            return
        made.cell_contents = copier.part(value)

    copier.later(fill)
    return made


def _method(copier: Copier, x: types.MethodType) -> types.MethodType:
    return copier.keep(x, types.MethodType(copier.part(x.__func__), copier.part(x.__self__)))


def _builtin(copier: Copier, x: types.BuiltinFunctionType) -> Any:
    if is_still(x):
        return x
    return copier.keep(x, getattr(copier.part(x.__self__), x.__name__))


def _partial(copier: Copier, x: Any) -> Any:
    keywords = {key: copier.part(value) for key, value in x.keywords.items()}
    made = functools.partial(copier.part(x.func), *[copier.part(each) for each in x.args], **keywords)
    return copier.keep(x, made)


def _wrapper_of(kind: Any) -> Make:
    def make(copier: Copier, x: Any) -> Any:
        return copier.keep(x, kind(copier.part(x.__func__)))

    return make


def _property(copier: Copier, x: property) -> property:
    made = property(copier.part(x.fget), copier.part(x.fset), copier.part(x.fdel), x.__doc__)
    return copier.keep(x, made)


def _reference(copier: Copier, x: Any) -> Any:
    if x.__callback__ is not None:
        raise Refused("a weak reference with a callback")
    held = x()
    return x if held is None else copier.keep(x, weakref.ref(copier.part(held)))


GIVEN = {"__dict__", "__weakref__", "__doc__", "__module__", "__qualname__"}
"""What a class has from its making."""


def _module(copier: Copier, x: ScriptModule) -> ScriptModule:
    """A module of the allow-list. Most of its hundreds of members are functions and classes of the engine's own."""
    made: Any = copier.keep(x, object.__new__(ScriptModule))
    members = made._members = dict(x._members)
    made._name, made._gone, made._rest = x._name, x._gone, x._rest
    made._settings = copier.part(x._settings)

    known = copier.known.functions

    def fill() -> None:
        for name, value in x._members.items():
            kind = type(value)
            if kind is types.FunctionType and (value.__closure__ is None or id(value) in known):
                continue
            if kind not in SAME and not (kind is type and not is_of_script(value)):
                members[name] = copier.part(value)

    copier.later(fill)
    return made


def copy_class(copier: Copier, x: type) -> type:
    if is_named_tuple(x):
        return x
    if not is_of_script(x):
        if any(is_of_script(each) for each in x.__mro__):
            raise Refused(f"the class {x.__name__}")
        return x
    if type(x) is not type or any("__init_subclass__" in vars(each) for each in x.__mro__ if is_of_script(each)):
        raise Refused(f"the class {x.__name__}")
    bases = tuple(copier.part(base) for base in x.__bases__)
    own = {name: vars(x)[name] for name in ("__doc__", "__module__") if name in vars(x)}
    made = type(x.__name__, bases, {**own, "__qualname__": x.__qualname__, "__script__": True})
    copier.keep(x, made)

    def fill() -> None:
        for name in [name for name in vars(made) if name not in GIVEN and name not in vars(x)]:
            type.__delattr__(made, name)
        for name, value in vars(x).items():
            if name not in GIVEN:
                type.__setattr__(made, name, copier.part(value))

    copier.later(fill)
    return made


# -- iterators ---------------------------------------------------------------------------------------------------------


def _iterator(copier: Copier, x: Any) -> Any:
    """Iterators that tell what they iterate over, and where they are."""
    make, given, *state = x.__reduce__()
    parts = [copier.part(each) for each in given]
    for each, part in zip(given, parts, strict=True):
        if type(each) is list:
            _fill_list(copier, each, part)  # it must be full before an iterator can stand in its middle
        elif type(each) not in (tuple, str, bytes, range):
            raise Refused(f"an iterator over {type(each).__name__}")
    made = make(*parts)
    if state and state[0] is not None:
        made.__setstate__(state[0])
    return copier.keep(x, made)


def _enumerate(copier: Copier, x: Any) -> Any:
    _, (iterator, count) = x.__reduce__()
    return copier.keep(x, enumerate(copier.part(iterator), count))


def _zip(copier: Copier, x: Any) -> Any:
    _, iterators, *strict = x.__reduce__()
    return copier.keep(x, zip(*[copier.part(each) for each in iterators], strict=bool(strict and strict[0])))


def _dict_iterator(copier: Copier, x: Any) -> Any:
    held = [each for each in gc.get_referents(x) if isinstance(each, dict)]
    left = x.__length_hint__()
    if not held:
        return iter({}.keys())
    if left == 0 and len(held[0]):
        raise Refused("an iterator whose dict has changed")

    def views(mapping: dict[Any, Any]) -> Any:
        name = type(x).__name__
        return mapping.items() if "item" in name else mapping.values() if "value" in name else mapping.keys()

    if type(held[0]) is not dict or type(x) is not type(iter(views({}))):
        raise Refused(type(x).__name__)
    mapping = copier.part(held[0])
    if len(mapping) != len(held[0]):  # it must be full before an iterator can stand in its middle
        fill_dict(copier, held[0], mapping, dict.__setitem__)
    made = iter(views(mapping))
    for _ in range(len(held[0]) - left):
        next(made)
    return copier.keep(x, made)


PYTHON: dict[type, Make] = {
    list: _list,
    dict: _dict,
    tuple: copy_tuple,
    set: _set,
    frozenset: _frozenset,
    slice: _slice,
    ScriptModule: _module,
    ScriptSet: _script_set,
    ScriptFrozenSet: _script_set,
    chains.deque: _deque,
    chains.defaultdict: _defaultdict,
    chains.OrderedDict: _mapping_of(chains.OrderedDict),
    collections.Counter: _mapping_of(collections.Counter),
    bytearray: _bytearray,
    types.FunctionType: _function,
    types.CellType: _cell,
    types.MethodType: _method,
    types.BuiltinFunctionType: _builtin,
    functools.partial: _partial,
    staticmethod: _wrapper_of(staticmethod),
    classmethod: _wrapper_of(classmethod),
    property: _property,
    weakref.ref: _reference,
    enumerate: _enumerate,
    zip: _zip,
    **dict.fromkeys(
        map(type, (iter([]), iter(()), iter(""), iter(b""), iter(range(0)), iter(range(1 << 70)))), _iterator
    ),
    **dict.fromkeys(map(type, (iter(()), reversed([]), reversed(()))), _iterator),
    **dict.fromkeys(map(type, (iter({}.keys()), iter({}.values()), iter({}.items()))), _dict_iterator),
}
