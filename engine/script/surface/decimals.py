"""What library/decimal.py is made of: each operation on host Decimals, with the context given, so that no state is
shared. Numbers are measured first: a Decimal may have more digits than anybody waits for."""

from __future__ import annotations

import decimal
from typing import Any

from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.modules import MODULES
from engine.script.surface import Rule, ScriptModule, names, register
from engine.script.values.operators import check_bits
from engine.script.values.strings import check_width

MOST_DIGITS = 1_000  # that a context may ask for: products and roots of more take long
LONGEST = 10_000  # characters of a text that becomes a number
SIGNALS = names("""
DecimalException InvalidOperation DivisionByZero Inexact Rounded Subnormal Overflow Underflow Clamped FloatOperation
""")
ROUNDINGS = names("""
ROUND_CEILING ROUND_FLOOR ROUND_UP ROUND_DOWN ROUND_HALF_UP ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_05UP
""")
OPERATIONS = names("""
abs add compare copy_sign divide divide_int exp fma ln log10 logb max max_mag min min_mag minus multiply next_minus
next_plus next_toward normalize number_class plus power quantize remainder remainder_near same_quantum scaleb sqrt
subtract to_eng_string to_integral_exact to_integral_value to_sci_string
""")
TELLING = names("is_finite is_infinite is_nan is_signed is_zero is_normal is_subnormal is_qnan is_snan adjusted")
BIG = 30_000  # decimal places of an int within the budget


def _is_plain(value: Any) -> bool:
    return type(value) is decimal.Decimal


def _context(settings: Any) -> decimal.Context:
    """A context of (precision, rounding, what is trapped)."""
    precision, rounding, traps = settings
    if type(precision) is not int or precision < 1:
        raise ValueError("valid range for prec is [1, MAX_PREC]")
    if precision > MOST_DIGITS:
        exceeded("integer_bits", MOST_DIGITS, f"decimal numbers of {precision:,} digits")
    if rounding not in ROUNDINGS:
        raise TypeError("valid values for rounding are:\n  [" + ", ".join(sorted(ROUNDINGS)) + "]")
    wanted = [kind for kind in traps if isinstance(kind, type) and issubclass(kind, decimal.DecimalException)]
    return decimal.Context(prec=precision, rounding=rounding, Emin=-999999, Emax=999999, traps=wanted, flags=[])


def _made(value: Any, settings: Any) -> decimal.Decimal:
    """Decimal(value), of a text, a whole number, a float or (sign, digits, exponent)."""
    if isinstance(value, str) and len(value) > LONGEST:
        exceeded("integer_bits", LONGEST, f"a decimal number of {len(value):,} characters")
    if isinstance(value, (tuple, list)):
        if len(value) == 3 and isinstance(value[1], (tuple, list)) and len(value[1]) > LONGEST:
            exceeded("integer_bits", LONGEST, f"a decimal number of {len(value[1]):,} digits")
        value = tuple(tuple(each) if isinstance(each, list) else each for each in value)
    elif not isinstance(value, (str, int, float, decimal.Decimal)):
        raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")
    return decimal.Decimal(value, _context(settings))


def _calc(name: Any, settings: Any, *values: Any) -> Any:
    """One operation in a context."""
    if name not in OPERATIONS or not all(map(_is_plain, values)):
        raise TypeError(f"no operation of numbers: {name}")
    current.machine.count(1 + sum(len(value.as_tuple().digits) for value in values) // 64)
    return getattr(_context(settings), name)(*values)


def _rounded(value: Any, settings: Any, places: Any) -> Any:
    """To `places` decimal places, half to even."""
    unit = decimal.Decimal((0, (1,), -places))
    return _context((settings[0], "ROUND_HALF_EVEN", settings[2])).quantize(value, unit)


def _compared(one: Any, other: Any, way: Any) -> bool:
    if way == "eq":
        return bool(one == other)
    if one.is_nan() or other.is_nan():
        raise decimal.InvalidOperation("comparison involving NaN")
    return bool(one < other if way == "lt" else one <= other)


def _measured(value: Any) -> Any:
    """`value`, whose digits can be written out."""
    if value.is_finite() and abs(value.adjusted()) > BIG:
        check_bits(int(abs(value.adjusted()) * 3.3), "decimal")
    return value


def _formatted(value: Any, spec: Any, settings: Any) -> str:
    check_width(spec)
    _measured(value)
    with decimal.localcontext(_context(settings)):  # whose rounding it takes
        return format(value, spec)


def _tuple(value: Any) -> Any:
    return tuple(value.as_tuple())


HELPERS: dict[str, Any] = {
    "made": _made,
    "calc": _calc,
    "compared": _compared,
    "formatted": _formatted,
    "rounded": _rounded,
    "shown": lambda value: str(value),
    "hashed": lambda value: hash(value),
    "as_tuple": _tuple,
    "truncated": lambda value, way: (
        int(_measured(value).to_integral_value(rounding=way)) if way else int(_measured(value))
    ),
    "as_float": lambda value: float(value),
    "ratio": lambda value: _measured(value).as_integer_ratio(),
    "told": lambda name, value: getattr(value, name)() if name in TELLING else None,
    "TELLING": tuple(sorted(TELLING)),
}
register(decimal.Decimal, Rule())
_SHARED = {name: getattr(decimal, name) for name in sorted(SIGNALS | ROUNDINGS)}
MODULES["_decimal"] = lambda: ScriptModule("_decimal", {**HELPERS, **_SHARED})
