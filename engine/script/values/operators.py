"""Operators on values. Python's own, except where an operand could make the result explode: those are measured
first. `compare` and hashing walk nested containers themselves, so that no host loop runs away."""

from __future__ import annotations

import ast
import math
import operator
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.chains import deque
from engine.script.frames import Evaluate, Frame, Where, current, located
from engine.script.limits import exceeded
from engine.script.limits.lengthy import is_long
from engine.script.limits.nested import (
    CONTAINERS,
    ITEMS,
    KEYS,
    SEQUENCES,
    check_keys,
    check_nested,
    contains,
    equal,
    has_item,
    not_equal,
)
from engine.script.limits.numpy_sizes import OBJECTS, plain
from engine.script.limits.work import check_product
from engine.script.values.asked import NUMPYS, as_numpy_asks, asked_first
from engine.script.values.in_c import as_in_c
from engine.script.values.plain import whole
from engine.script.values.strings import percent, percent_of_bytes

Binary = Callable[[Any, Any], Any]

SIZED = (str, bytes, list, tuple)
GROWING = frozenset({*SIZED, bytearray, deque})
NUMERIC = frozenset({int, bool})
GUARDED = GROWING | {np.ndarray, Counter}
VIEWS = frozenset({*KEYS, *ITEMS})
REPEATED = GROWING | NUMERIC | {np.ndarray}


def operands(a: Any, b: Any) -> tuple[Any, Any]:
    """Two values with which the host calculates, after a look at all that is nested in them; what NumPy would make an
    array of as that array. Raises TypeError for arrays of objects."""
    check_nested(a)
    check_nested(b)
    if isinstance(a, NUMPYS):
        return a, plain(b)
    return (plain(a), b) if isinstance(b, NUMPYS) else (a, b)


def measured(function: Binary, look: Callable[[Any, Any], tuple[Any, Any]] = operands) -> Binary:
    """An operator that the host may apply to every item of nested lists (an array and a list), after a `look` at them.
    Most operands are none of these, and nothing more is asked of them."""

    @asked_first(f"__{function.__name__}__")
    def guarded(a: Any, b: Any) -> Any:
        return function(*look(a, b))

    def run(a: Any, b: Any) -> Any:
        if type(a) in GUARDED or type(b) in GUARDED:
            return guarded(a, b)
        return function(a, b)

    return run


def factors(a: Any, b: Any) -> tuple[Any, Any]:
    """As `operands`, for a product of matrices, whose cost is measured."""
    if type(a) is np.ndarray or type(b) is np.ndarray:
        a, b = as_numpy_asks(a, "__matmul__"), as_numpy_asks(b, "__rmatmul__")
        check_product(a, b)
    return operands(a, b)


_sum = measured(operator.add)


def add(a: Any, b: Any) -> Any:
    if type(a) in GROWING and isinstance(b, (*SIZED, bytearray, deque)):
        check_length(len(a) + len(b), type(a))
        return a + b
    return _sum(a, b)


def check_objects(a: Any, b: Any) -> None:
    """Refuse to let NumPy calculate with arrays of ints of any size: it would not stop to look at the budgets."""
    for value in (a, b):
        if type(value) is np.ndarray and value.dtype.hasobject:
            raise TypeError(OBJECTS)


@asked_first("__mul__")
def multiply(a: Any, b: Any) -> Any:
    check_objects(a, b)
    if type(a) in GROWING:
        b = _times(a, b)
    elif type(b) in GROWING:
        a = _times(b, a)
    if isinstance(a, int) and isinstance(b, int):
        a, b = whole(a), whole(b)
        check_bits(a.bit_length() + b.bit_length(), "multiplying two large ints")
    elif not isinstance(a, int) and not isinstance(b, int):
        a, b = operands(a, b)
    return a * b


def _times(many: Any, times: Any) -> Any:
    """How often a text or a list is to be repeated: measured, and what the host will take it for."""
    if isinstance(times, (int, np.integer)) or not hasattr(type(times), "__rmul__"):
        times = whole(times)
    if type(times) is int:
        check_length(len(many) * max(times, 0), type(many))
    return times


@asked_first("__pow__")
def power(a: Any, b: Any) -> Any:
    check_objects(a, b)
    if isinstance(a, int) and isinstance(b, int):
        a, b = whole(a), whole(b)
        if b <= 0:
            return a**b
        bits = (math.log2(abs(a)) * b if b < 10**9 else a.bit_length() * b) if abs(a) > 1 else 1
        check_bits(int(bits), "an int to the power of a large int")
    elif type(a) in GUARDED or type(b) in GUARDED or isinstance(a, NUMPYS) or isinstance(b, NUMPYS):
        a, b = operands(a, b)
    return a**b


def product(a: Any, b: Any) -> Any:
    """a * b."""
    if type(a) in REPEATED or type(b) in GROWING:
        return multiply(a, b)
    return a * b


def left_shift(a: Any, b: Any) -> Any:
    check_objects(a, b)
    if isinstance(a, int) and isinstance(b, int):
        a, b = whole(a), whole(b)
        check_bits(a.bit_length() + max(b, 0), "a shift to the left")
    elif isinstance(a, NUMPYS) or isinstance(b, NUMPYS):
        a, b = operands(a, b)
    return a << b


@asked_first("__mod__")
def modulo(a: Any, b: Any) -> Any:
    if type(a) is str:
        return percent(a, b)
    if isinstance(a, (bytes, bytearray)):
        return percent_of_bytes(a, b)
    if type(b) in GUARDED or type(a) in GUARDED:
        a, b = operands(a, b)
    return a % b


MOST_DIGITS = 400
"""Ten to this is more than any number of NumPy."""


def rounded(number: Any, ndigits: Any = None) -> Any:
    """round(number, ndigits)."""
    if ndigits is None:
        return round(number)
    if isinstance(number, (int, np.generic)):  # which calculate a power of ten
        ndigits = whole(ndigits)
        if type(ndigits) is int:
            most = int.bit_length(number) // 3 + 1 if isinstance(number, int) else MOST_DIGITS
            if ndigits < -most:
                return type(number)(0)
            ndigits = min(ndigits, MOST_DIGITS)
    return round(number, ndigits)


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


def _ordered(function: Binary) -> Binary:
    def compare_sequences(a: Any, b: Any) -> Any:
        if isinstance(a, slice) and isinstance(b, slice):
            return compare_sequences((a.start, a.stop, a.step), (b.start, b.stop, b.step))
        if isinstance(a, SEQUENCES):
            if not isinstance(b, next(kind for kind in SEQUENCES if isinstance(a, kind))):
                check_nested(a)
                return function(a, b)
            current.machine.count(min(len(a), len(b)) + 1)
            for x, y in zip(a, b, strict=False):
                if x is not y and not equal(x, y):
                    return compare_sequences(x, y)
            return function(len(a), len(b))
        if isinstance(b, SEQUENCES) or isinstance(a, Counter):
            a, b = operands(a, b)
        if isinstance(a, ITEMS) and isinstance(b, ITEMS):
            less, more = (a, b) if function in (operator.lt, operator.le) else (b, a)
            return function(len(a), len(b)) and all(has_item(each, more) for each in less)
        return function(a, b)

    return compare_sequences


class Ordered:
    """A nested container or a long text to be sorted: compared by us, also with what is neither."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Any) -> Any:
        return _LESS(self.value, other.value if type(other) is Ordered else other)

    def __gt__(self, other: Any) -> Any:
        return _LESS(other.value if type(other) is Ordered else other, self.value)


_LESS = _ordered(operator.lt)


def sort_key(values: Any, key: Any) -> Any:
    """The key function for the host's sort, min and max."""
    from engine.script.executing.calls import invoke

    if key is not None:

        def guarded(item: Any) -> Any:
            result = invoke(key, (item,))
            return Ordered(result) if _is_nested(result) else result

        return guarded
    return Ordered if any(_is_nested(value) for value in values) else None


def _is_nested(value: Any) -> bool:
    """Whether the host's comparison of `value` could take long."""
    if not isinstance(value, (list, tuple)):
        return isinstance(value, slice) or is_long(value)
    return len(value) > LONG or any(isinstance(item, CONTAINERS) or is_long(item) for item in value)


LONG = 16


def _not_contains(a: Any, b: Any) -> Any:
    return not contains(a, b)


CHANGES = {operator.sub: "difference_update", operator.or_: "update", operator.xor: "symmetric_difference_update"}


def of_sets(function: Binary) -> Binary:
    """Operations on views of dicts make sets: ours."""

    def calculated(a: Any, b: Any) -> Any:
        if type(a) in ITEMS or type(b) in ITEMS:  # which are hashed whole
            for each in (a, b):
                if type(each) in ITEMS:
                    check_keys(each)
        result = function(a, b)
        return _own_set(function, a, b, result) if type(result) is set else result

    @asked_first(f"__{function.__name__.strip('_')}__")
    def guarded(a: Any, b: Any) -> Any:
        a, b = operands(a, b)
        if type(a) in VIEWS and isinstance(b, (list, tuple)) and any(map(is_long, b)):
            from engine.script.values.containers import ScriptSet

            b = ScriptSet(b)
        return calculated(a, b)

    def run(a: Any, b: Any) -> Any:
        return guarded(a, b) if type(a) in GUARDED or type(b) in GUARDED else calculated(a, b)

    return run


def _own_set(function: Binary, a: Any, b: Any, result: set[Any]) -> Any:
    """The `result` that `function` made of a and b as a set of ours, in the order that CPython's has."""
    from engine.script.values.containers import ScriptSet

    if function in CHANGES:  # CPython changes a set of the first; of keys, with room for the whole dict
        found = ScriptSet(dict.fromkeys(a) if type(a) in KEYS else a)
        getattr(found, CHANGES[function])(b)
        return found
    found = ScriptSet(item for item in a if item in result)
    return found if len(found) == len(result) else found.union(item for item in b if item in result)


FUNCTIONS: dict[type[ast.operator], Binary] = {
    ast.Add: add,
    ast.Mult: multiply,
    ast.Pow: power,
    ast.LShift: left_shift,
    ast.Mod: modulo,
    ast.Sub: of_sets(operator.sub),
    ast.Div: measured(operator.truediv),
    ast.FloorDiv: measured(operator.floordiv),
    ast.MatMult: measured(operator.matmul, factors),
    ast.RShift: measured(operator.rshift),
    ast.BitAnd: of_sets(operator.and_),
    ast.BitOr: of_sets(operator.or_),
    ast.BitXor: of_sets(operator.xor),
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
            as_in_c(error, a, b)
            located(error, where)
            raise

    return run


def _add(left: Evaluate, right: Evaluate, where: Where) -> Evaluate:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            if type(a) in GUARDED or type(b) in GUARDED:
                return add(a, b)
            return a + b
        except BaseException as error:
            as_in_c(error, a, b)
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
            as_in_c(error, a, b)
            located(error, where)
            raise

    return run


def _subtract(left: Evaluate, right: Evaluate, where: Where) -> Evaluate:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            if type(b) in GUARDED or type(a) in GUARDED or type(a) in VIEWS or type(b) in VIEWS:
                return FUNCTIONS[ast.Sub](a, b)
            return a - b
        except BaseException as error:
            as_in_c(error, a, b)
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
            as_in_c(error, value)
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
            as_in_c(error, a, b)
            located(error, where)
            raise

    return run
