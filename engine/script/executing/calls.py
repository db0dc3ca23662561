"""Calls, iteration and unpacking: the places where values of a script meet host loops."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterable, Sequence
from enum import EnumType
from functools import partial
from random import Random
from types import GeneratorType, MethodType
from typing import Any

from engine.chains import OrderedDict, deque
from engine.script.compiling.scopes import Scope
from engine.script.frames import Evaluate, Frame, ScriptFunction, Where, current, located
from engine.script.limits import exceeded
from engine.script.limits.nested import check_compared
from engine.script.values.in_c import as_in_c, in_words_of_c, kind_in_c

NO_KEYWORDS: dict[str, Any] = {}
METAS = frozenset({type, ABCMeta, EnumType})
"""The classes of classes: what is called may not be called as the host calls it."""
NESTING = (list, tuple, deque, dict)
FINITE = frozenset({list, tuple, dict, str, bytes, range, OrderedDict, deque})


def callee(function: Any) -> Any:
    """The host callable behind a class: scripts may only make instances of what is on the list."""
    machine = current.machine
    try:
        return machine.calls[function]
    except KeyError:
        return machine.class_to_call(function)


def positional(function: Evaluate, arguments: Sequence[Evaluate], where: Where) -> Evaluate:
    """The closure for a call with positional arguments only."""
    if len(arguments) == 0:

        def call0(frame: Frame) -> Any:
            f = function(frame)
            try:
                kind = type(f)
                if kind is ScriptFunction:
                    return current.machine.call(f, (), NO_KEYWORDS)
                if kind in METAS:
                    f = callee(f)
                return f()
            except BaseException as error:
                if type(error) is TypeError:
                    in_words_of_c(error, f, 0)
                located(error, where)
                raise

        return call0
    if len(arguments) == 1:
        (only,) = arguments

        def call1(frame: Frame) -> Any:
            f = function(frame)
            a = only(frame)
            try:
                kind = type(f)
                if kind is ScriptFunction:
                    return current.machine.call(f, (a,), NO_KEYWORDS)
                if kind in METAS:
                    f = callee(f)
                if isinstance(a, NESTING):
                    guard(f, (a,))
                return f(a)
            except BaseException as error:
                if type(error) is TypeError:
                    in_words_of_c(error, f, 1)
                as_in_c(error, a)
                located(error, where)
                raise

        return call1
    if len(arguments) == 2:
        return _two(function, arguments[0], arguments[1], where)

    def call(frame: Frame) -> Any:
        f = function(frame)
        values = [argument(frame) for argument in arguments]
        try:
            return invoke(f, tuple(values), NO_KEYWORDS)
        except BaseException as error:
            located(error, where)
            raise

    return call


def _two(function: Evaluate, first: Evaluate, second: Evaluate, where: Where) -> Evaluate:
    def call2(frame: Frame) -> Any:
        f = function(frame)
        a = first(frame)
        b = second(frame)
        try:
            kind = type(f)
            if kind is ScriptFunction:
                return current.machine.call(f, (a, b), NO_KEYWORDS)
            if kind in METAS:
                f = callee(f)
            if isinstance(a, NESTING) or isinstance(b, NESTING):
                guard(f, (a, b))
            return f(a, b)
        except BaseException as error:
            if type(error) is TypeError:
                in_words_of_c(error, f, 2)
            as_in_c(error, a, b)
            located(error, where)
            raise

    return call2


def general(prepare: Callable[[Frame], tuple[Any, tuple[Any, ...], dict[str, Any]]], where: Where) -> Evaluate:
    """The closure for a call with keywords or unpacked arguments."""

    def call(frame: Frame) -> Any:
        f, arguments, keywords = prepare(frame)
        try:
            return invoke(f, arguments, keywords)
        except BaseException as error:
            located(error, where)
            raise

    return call


def invoke(function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any] = NO_KEYWORDS) -> Any:
    """function(*arguments, **keywords), guarded."""
    kind = type(function)
    if kind is ScriptFunction:
        return current.machine.call(function, arguments, keywords)
    if kind in METAS or isinstance(function, type):
        function = callee(function)
    for value in arguments:
        if isinstance(value, NESTING):
            guard(function, arguments)
            break
    if keywords:
        guard(function, keywords.values())
    try:
        return function(*arguments, **keywords)
    except TypeError as error:
        in_words_of_c(error, function, len(arguments), keywords)
        as_in_c(error, *arguments)
        raise


OWN = ("engine.script", "__main__", "builtins")
PLAIN_OWNERS = (list, tuple, dict, str, bytes, deque)


def _picks(function: Any) -> bool:
    """Whether a source of random numbers takes some of many items, into which it does not look: a memory of many
    thousand steps is asked again and again."""
    if type(function) is partial:
        return isinstance(next(iter(function.args), None), Random) and function.func.__name__ == "_sample"
    return isinstance(getattr(function, "__self__", None), Random) and function.__name__ in ("choice", "shuffle")


def guard(function: Any, values: Iterable[Any]) -> None:
    """Before the engine or NumPy is called with lists: they walk through all that is nested in them."""
    module = getattr(function, "__module__", None)
    if module is None:
        if isinstance(getattr(function, "__self__", None), PLAIN_OWNERS):
            return
    elif not isinstance(module, str) or module.startswith(OWN):
        return
    if module in ("random", "functools") and _picks(function):  # from its first argument, as many as are asked for
        values = [*values][1:]
    for value in values:
        check_compared(value)


def spread_arguments(function: Any, value: Any) -> tuple[Any, ...]:
    """The arguments of a call whose only positional argument is `*value`."""
    try:
        iter(value)
    except TypeError:
        raise TypeError(
            f"{callee_name(function)} argument after * must be an iterable, not {kind_in_c(value)}"
        ) from None
    return tuple(consume(value))


def spread(function: Any, named: dict[str, Any], value: Any) -> None:
    """Add the items of `**value` to the keywords of a call."""
    try:
        keys = list(mapping(value))
    except TypeError:
        raise TypeError(
            f"{callee_name(function)} argument after ** must be a mapping, not {kind_in_c(value)}"
        ) from None
    for key in keys:
        if not isinstance(key, str):
            raise TypeError("keywords must be strings")
        if key in named:
            raise TypeError(f"{callee_name(function)} got multiple values for keyword argument '{key}'")
        named[key] = value[key]


def callee_name(function: Any) -> str:
    """How CPython names a callable in a message: "__main__.f()" for the script's own."""
    if isinstance(function, MethodType):
        function = function.__func__
    if isinstance(function, ScriptFunction):
        return f"__main__.{function.code.qualname}()"
    if "__script__" in getattr(function, "__dict__", ()):
        return f"__main__.{function.__qualname__}()"
    if "__script__" in getattr(type(function), "__dict__", ()):
        from engine.script.values.texts import text_str

        return text_str(function)
    return f"{getattr(function, '__qualname__', type(function).__name__)}()"


def mapping(value: Any) -> Any:
    """`value`, when it can be spread as a mapping."""
    if isinstance(value, dict) or (hasattr(value, "keys") and hasattr(value, "__getitem__")):
        return value if isinstance(value, dict) else {key: value[key] for key in value.keys()}  # noqa: SIM118  (only keys() is promised)
    raise TypeError(f"'{type(value).__name__}' object is not a mapping")


def consume(value: Any, already: int = 0, message: str = "") -> Any:
    """The items of any iterable as something finite whose length is within the budget of one container."""
    machine = current.machine
    allowed = machine.limits.container_items
    if type(value) in FINITE:
        if len(value) + already > allowed:
            exceeded("container_items", allowed, f"a container of {len(value) + already:,} items")
        if len(value) > 10_000:
            machine.check()
        return value
    try:
        iterator = iter(value)
    except TypeError:
        if message:
            raise TypeError(message + kind_in_c(value) * message.endswith(" ")) from None
        raise
    result: list[Any] = []
    append = result.append
    for item in iterator:
        append(item)
        if not len(result) & 1023:
            machine.count(16)
            if len(result) + already > allowed:
                exceeded("container_items", allowed, f"a container of more than {allowed:,} items")
    return result


def iterate(value: Evaluate, where: Where) -> Evaluate:
    """The closure that gives an iterator which can be copied."""

    def start(frame: Frame) -> Any:
        iterable = value(frame)
        try:
            return iterator_of(iterable)
        except BaseException as error:
            as_in_c(error, iterable)
            located(error, where)
            raise

    return start


def iterator_of(iterable: Any) -> Any:
    """iter(iterable); a host generator is run to its end first, because it could not be copied."""
    iterator = iter(iterable)
    if type(iterator) is GeneratorType:
        return iter(consume(iterator))
    return iterator


def unpack(value: Any, count: int, star: int | None) -> Sequence[Any]:
    """The `count` values for the targets of an unpacking assignment; target number `star` takes what is left."""
    if type(value) in (tuple, list):
        items = value
    else:
        try:
            iterator = iter(value)
        except TypeError:
            if any("__iter__" in each.__dict__ for each in type(value).__mro__):
                raise  # a tensor without dimensions says itself why not
            raise TypeError(f"cannot unpack non-iterable {kind_in_c(value)} object") from None
        if star is None:
            items = []
            for item in iterator:
                items.append(item)
                if len(items) > count:
                    break
        else:
            items = list(consume(iterator))
    if star is None:
        if len(items) > count:
            raise ValueError(f"too many values to unpack (expected {count})")
        if len(items) < count:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(items)})")
        return items
    after = count - star - 1
    if len(items) < count - 1:
        raise ValueError(f"not enough values to unpack (expected at least {count - 1}, got {len(items)})")
    end = len(items) - after
    return [*items[:star], list(items[star:end]), *items[end:]]


def comprehension_loop(
    store: Callable[[Frame, Any], None],
    tests: list[Evaluate],
    again: Evaluate | None,
    then: Callable[[Frame, Any], None],
) -> Callable[[Frame, Any], None]:
    """One `for ... if ...` of a comprehension. The outermost finds its iterator under the name ""."""

    def loop(frame: Frame, result: Any) -> None:
        machine = current.machine
        for item in frame.locals.pop("") if again is None else again(frame):
            machine.left -= 1
            if machine.left < 0:
                machine.check()
            store(frame, item)
            for test in tests:
                if not test(frame):
                    break
            else:
                then(frame, result)

    return loop


def zero_super(scope: Scope, where: Where, first: str | None) -> Evaluate:
    """The closure for `super()` inside a method: its class comes from the scope around, `self` is the first name."""
    kind, index = scope.outside("__class__")

    def make(frame: Frame) -> Any:
        from engine.script.classes.making import Super

        try:
            if kind != "free" or first is None:
                raise RuntimeError("super(): no arguments" if first is None else "super(): __class__ cell not found")
            owner = frame.outer[index].get("__class__")
            if owner is None:
                raise RuntimeError("super(): empty __class__ cell")
            if first not in frame.locals:
                raise RuntimeError("super(): arg[0] deleted")
            return Super(owner, frame.locals[first])
        except BaseException as error:
            located(error, where)
            raise

    return make
