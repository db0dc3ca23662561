"""Operators on values. Python's own, except where an operand could make the result explode: those are measured
first. `compare` and hashing walk nested containers themselves, so that no host loop runs away."""

from __future__ import annotations

import ast
import operator
from collections import OrderedDict, deque
from collections.abc import Callable
from enum import EnumType
from typing import Any

from engine.script.frames import Evaluate, Frame, Where, current, located
from engine.script.limits import exceeded
from engine.script.strings import percent

Binary = Callable[[Any, Any], Any]

SIZED = (str, bytes, list, tuple)
GROWING = frozenset({*SIZED, bytearray, deque})
NUMERIC = frozenset({int, bool})
REPEATED = GROWING | NUMERIC
NESTED = frozenset({list, tuple, dict, OrderedDict, deque})


def add(a: Any, b: Any) -> Any:
    if type(a) in GROWING and isinstance(b, (*SIZED, bytearray, deque)):
        check_length(len(a) + len(b), type(a))
    return a + b


def multiply(a: Any, b: Any) -> Any:
    for many, times in ((a, b), (b, a)):
        if type(many) in GROWING and isinstance(times, int):
            check_length(len(many) * max(int(times), 0), type(many))
    if isinstance(a, int) and isinstance(b, int):
        check_bits(a.bit_length() + b.bit_length(), "multiplying two large ints")
    return a * b


def power(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b > 0:
        check_bits(a.bit_length() * int(b) if abs(a) > 1 else 1, "an int to the power of a large int")
    return a**b


def left_shift(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int) and b > 0:
        check_bits(a.bit_length() + int(b), "a shift to the left")
    return a << b


def modulo(a: Any, b: Any) -> Any:
    if type(a) is str:
        return percent(a, b)
    return a % b


def check_bits(bits: int, what: str) -> None:
    allowed = current.machine.limits.integer_bits
    if bits > allowed:
        exceeded("integer_bits", allowed, f"{what} gives {bits:,} bits" if bits < 10**15 else what)


def check_length(length: int, kind: type) -> None:
    limits = current.machine.limits
    if kind is str or kind is bytes or kind is bytearray:
        if length > limits.string_chars:
            exceeded("string_chars", limits.string_chars, f"a text of {length:,} characters")
    elif length > limits.container_items:
        exceeded("container_items", limits.container_items, f"a {kind.__name__} of {length:,} items")
    if length > 100_000:
        current.machine.check()


def check_key(key: Any) -> None:
    """Tuples are hashed by the host all the way down: one that holds itself many times over would take for ever."""
    if type(key) is tuple:
        _count(key, [10_000])


def _count(value: Any, left: list[int]) -> None:
    left[0] -= len(value)
    if left[0] < 0:
        exceeded("container_items", 10_000, "a key that is a tuple of so many values")
    for item in value:
        if type(item) is tuple:
            _count(item, left)


def equal(a: Any, b: Any) -> Any:
    if type(a) in NESTED and type(b) in NESTED:
        return deep_equal(a, b)
    return a == b


def not_equal(a: Any, b: Any) -> Any:
    if type(a) in NESTED and type(b) in NESTED:
        return not deep_equal(a, b)
    return a != b


def deep_equal(a: Any, b: Any) -> bool:
    """`==` of containers, counting a step for each pair of items."""
    if a is b:
        return True
    if isinstance(a, dict):
        if not isinstance(b, dict) or len(a) != len(b):
            return False
        current.machine.count(len(a))
        return all(key in b and (b[key] is a[key] or bool(equal(a[key], b[key]))) for key in a)
    if isinstance(b, dict) or type(a) is not type(b):
        return bool(a == b) if not (type(a) in NESTED and type(b) in NESTED) else False
    if len(a) != len(b):
        return False
    current.machine.count(len(a))
    return all(x is y or bool(equal(x, y)) for x, y in zip(a, b, strict=True))


def _ordered(function: Binary) -> Binary:
    def compare_sequences(a: Any, b: Any) -> Any:
        if type(a) in (list, tuple) and type(b) is type(a):
            current.machine.count(min(len(a), len(b)))
            for x, y in zip(a, b, strict=False):
                if x is not y and not equal(x, y):
                    return compare_sequences(x, y)
            return function(len(a), len(b))
        return function(a, b)

    return compare_sequences


class Ordered:
    """A nested container to be sorted: compared by us."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Ordered) -> Any:
        return _LESS(self.value, other.value)

    def __gt__(self, other: Ordered) -> Any:
        return _LESS(other.value, self.value)


_LESS = _ordered(operator.lt)


def sort_key(values: Any, key: Any) -> Any:
    """The key function for the host's sort, min and max."""
    from engine.script.calls import invoke

    if key is not None:

        def guarded(item: Any) -> Any:
            result = invoke(key, (item,))
            return Ordered(result) if _is_nested(result) else result

        return guarded
    return Ordered if any(_is_nested(value) for value in values) else None


def _is_nested(value: Any) -> bool:
    return type(value) in (list, tuple) and any(type(item) in (list, tuple) for item in value)


def check_nested(value: Any, left: list[int] | None = None) -> None:
    """Refuse nested lists that hold more items than one container may: the host would walk through all of them."""
    if type(value) not in (list, tuple):
        return
    if left is None:
        left = [current.machine.limits.container_items]
    left[0] -= len(value)
    if left[0] < 0:
        exceeded("container_items", current.machine.limits.container_items, "nested lists with more items")
    for item in value:
        if type(item) is list or type(item) is tuple:
            check_nested(item, left)


def contains(a: Any, b: Any) -> Any:
    if type(b) in (list, tuple, deque):
        current.machine.count(len(b) // 16)
        if type(a) in NESTED:
            return any(a is item or equal(a, item) for item in b)
    if hasattr(type(b), "__next__"):
        for item in b:
            current.machine.count(1)
            if item is a or equal(item, a):
                return True
        return False
    check_key(a)
    return a in b


def _not_contains(a: Any, b: Any) -> Any:
    return not contains(a, b)


def _set_operation(function: Binary) -> Binary:
    """Operations on views of dicts make sets: ours."""

    def run(a: Any, b: Any) -> Any:
        result = function(a, b)
        if type(result) is set:
            from engine.script.containers import ScriptSet

            return ScriptSet(item for source in (a, b) for item in source if item in result)
        return result

    return run


FUNCTIONS: dict[type[ast.operator], Binary] = {
    ast.Add: add,
    ast.Mult: multiply,
    ast.Pow: power,
    ast.LShift: left_shift,
    ast.Mod: modulo,
    ast.Sub: operator.sub,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.MatMult: operator.matmul,
    ast.RShift: operator.rshift,
    ast.BitAnd: _set_operation(operator.and_),
    ast.BitOr: _set_operation(operator.or_),
    ast.BitXor: _set_operation(operator.xor),
}
COMPARISONS: dict[type[ast.cmpop], Binary] = {
    ast.Eq: equal,
    ast.NotEq: not_equal,
    ast.Lt: _ordered(operator.lt),
    ast.LtE: _ordered(operator.le),
    ast.Gt: _ordered(operator.gt),
    ast.GtE: _ordered(operator.ge),
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: contains,
    ast.NotIn: _not_contains,
}


def binary(kind: type[ast.operator], left: Evaluate, right: Evaluate, where: Where) -> Evaluate:
    """The closure for `left <kind> right`."""
    special = {ast.Add: _add, ast.Mult: _multiply, ast.Sub: _subtract}.get(kind)
    if special is not None:
        return special(left, right, where)
    function = FUNCTIONS[kind]

    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            return function(a, b)
        except BaseException as error:
            located(error, where)
            raise

    return run


def _add(left: Evaluate, right: Evaluate, where: Where) -> Evaluate:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            if type(a) in GROWING:
                return add(a, b)
            return a + b
        except BaseException as error:
            located(error, where)
            raise

    return run


def _multiply(left: Evaluate, right: Evaluate, where: Where) -> Evaluate:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            if type(a) in REPEATED or type(b) in GROWING:
                return multiply(a, b)
            return a * b
        except BaseException as error:
            located(error, where)
            raise

    return run


def _subtract(left: Evaluate, right: Evaluate, where: Where) -> Evaluate:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            return a - b
        except BaseException as error:
            located(error, where)
            raise

    return run


UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


def unary(kind: type[ast.unaryop], operand: Evaluate, where: Where) -> Evaluate:
    """The closure for a prefix operator."""
    function = UNARY[kind]

    def run(frame: Frame) -> Any:
        value = operand(frame)
        try:
            return function(value)
        except BaseException as error:
            located(error, where)
            raise

    return run


def comparison(kind: type[ast.cmpop]) -> Binary:
    return COMPARISONS[kind]


def compare(kind: type[ast.cmpop], left: Evaluate, right: Evaluate, where: Where) -> Evaluate:
    """The closure for one comparison."""
    function = COMPARISONS[kind]

    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            return function(a, b)
        except BaseException as error:
            located(error, where)
            raise

    return run


PLAIN_INDEX = frozenset({int, str, bool, float, type(None), slice})


def subscript(container: Evaluate, index: Evaluate, where: Where) -> Evaluate:
    """The closure for `container[index]`."""

    def run(frame: Frame) -> Any:
        value = container(frame)
        key = index(frame)
        try:
            if type(key) is tuple:
                check_key(key)
            if isinstance(value, type):
                return subscript_class(value, key)
            return value[key]
        except BaseException as error:
            located(error, where)
            raise

    return run


def subscript_class(value: type, key: Any) -> Any:
    """`list[int]` in an annotation: the class itself is enough. Other classes are not subscriptable."""
    if isinstance(value, EnumType):
        return value[key]
    if value in (list, dict, tuple, set, frozenset, type) or hasattr(value, "__class_getitem__"):
        return value
    raise TypeError(f"type '{value.__name__}' is not subscriptable")


def subscript_store(container: Evaluate, index: Evaluate, where: Where) -> Callable[[Frame, Any], None]:
    """The closure for `container[index] = value`."""

    def run(frame: Frame, value: Any) -> None:
        target = container(frame)
        key = index(frame)
        try:
            store_item(target, key, value)
        except BaseException as error:
            located(error, where)
            raise

    return run


def store_item(target: Any, key: Any, value: Any) -> None:
    """target[key] = value, with the growth of a slice assignment measured."""
    if type(key) is tuple:
        check_key(key)
    elif type(key) is slice and type(target) is list:
        from engine.script.calls import consume

        value = consume(value, len(target), "can only assign an iterable, not ")
        check_length(len(target) + len(value), list)
    target[key] = value


INPLACE: dict[type[ast.operator], Binary] = {
    ast.Sub: operator.isub,
    ast.Div: operator.itruediv,
    ast.FloorDiv: operator.ifloordiv,
    ast.MatMult: operator.imatmul,
    ast.RShift: operator.irshift,
    ast.BitAnd: operator.iand,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
}


def _inplace_add(a: Any, b: Any) -> Any:
    if type(a) in GROWING:
        if type(a) is list:
            from engine.script.calls import consume

            b = consume(b, len(a), "")
        if hasattr(b, "__len__"):
            check_length(len(a) + len(b), type(a))
    a += b
    return a


def _inplace_multiply(a: Any, b: Any) -> Any:
    if type(a) in GROWING or type(a) in NUMERIC or type(b) in GROWING:
        if type(a) is list and isinstance(b, int):
            check_length(len(a) * max(int(b), 0), list)
            a *= b
            return a
        return multiply(a, b)
    a *= b
    return a


def _inplace_power(a: Any, b: Any) -> Any:
    if isinstance(a, int):
        return power(a, b)
    a **= b
    return a


def _inplace_modulo(a: Any, b: Any) -> Any:
    if type(a) is str:
        return percent(a, b)
    a %= b
    return a


def _inplace_shift(a: Any, b: Any) -> Any:
    if isinstance(a, int):
        return left_shift(a, b)
    a <<= b
    return a


INPLACE.update(
    {
        ast.Add: _inplace_add,
        ast.Mult: _inplace_multiply,
        ast.Pow: _inplace_power,
        ast.Mod: _inplace_modulo,
        ast.LShift: _inplace_shift,
    }
)
