# type: ignore
"""decimal: numbers with as many decimal digits as the context says."""

from collections import namedtuple

import _decimal
from _decimal import (
    ROUND_05UP,
    ROUND_CEILING,
    ROUND_DOWN,
    ROUND_FLOOR,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_HALF_UP,
    ROUND_UP,
    Clamped,
    DecimalException,
    DivisionByZero,
    FloatOperation,
    Inexact,
    InvalidOperation,
    Overflow,
    Rounded,
    Subnormal,
    Underflow,
)

DecimalTuple = namedtuple("DecimalTuple", "sign digits exponent")
MAX_PREC, MAX_EMAX, MIN_EMIN = 999999999999999999, 999999999999999999, -999999999999999999
_SIGNALS = (
    InvalidOperation,
    FloatOperation,
    DivisionByZero,
    Overflow,
    Subnormal,
    Underflow,
    Rounded,
    Inexact,
    Clamped,
)


class Context:
    def __init__(
        self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None, traps=None
    ):
        self.prec = 28 if prec is None else prec
        self.rounding = ROUND_HALF_EVEN if rounding is None else rounding
        trapped = (InvalidOperation, DivisionByZero, Overflow) if traps is None else traps
        self.traps = dict(trapped) if isinstance(trapped, dict) else {each: each in trapped for each in _SIGNALS}
        self.flags = dict.fromkeys(_SIGNALS, False)
        self.Emin, self.Emax, self.capitals, self.clamp = -999999, 999999, 1, 0

    def _settings(self):
        return self.prec, self.rounding, [each for each in self.traps if self.traps[each]]

    def copy(self):
        return Context(self.prec, self.rounding, traps=self.traps)

    __copy__ = copy

    def clear_flags(self):
        self.flags = dict.fromkeys(_SIGNALS, False)

    def clear_traps(self):
        self.traps = dict.fromkeys(_SIGNALS, False)

    def create_decimal(self, num="0"):
        return _of(_decimal.calc("plus", self._settings(), Decimal(num)._held))

    def create_decimal_from_float(self, f):
        return self.create_decimal(f)

    def __getattr__(self, name):
        if name.startswith("_") or name not in _METHODS:
            raise AttributeError(f"'decimal.Context' object has no attribute '{name}'")

        def calculate(*values):
            return _result(_decimal.calc(name, self._settings(), *[_number(each) for each in values]))

        return calculate

    def __repr__(self):
        trapped = ", ".join([each.__name__ for each in _SIGNALS if self.traps.get(each)])
        return (
            f"Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, Emax={self.Emax}, capitals=1, "
            f"clamp=0, flags=[], traps=[{trapped}])"
        )


_METHODS = (
    "abs add compare copy_sign divide divide_int exp fma ln log10 logb max min minus multiply next_minus next_plus "
    "normalize plus power quantize remainder remainder_near scaleb sqrt subtract to_integral_exact to_integral_value "
    "to_eng_string to_sci_string"
).split()
DefaultContext = Context()
BasicContext = Context(9, ROUND_HALF_UP, traps=[InvalidOperation, DivisionByZero, Overflow, Clamped, Underflow])
ExtendedContext = Context(9, traps=[])
_current = [Context()]


def getcontext():
    return _current[0]


def setcontext(context):
    _current[0] = context


class _Local:
    def __init__(self, context):
        self._context = context

    def __enter__(self):
        self._before = getcontext()
        setcontext(self._context)
        return self._context

    def __exit__(self, *details):
        setcontext(self._before)


def localcontext(ctx=None, **kwargs):
    made = (getcontext() if ctx is None else ctx).copy()
    for name, value in kwargs.items():
        if name not in ("prec", "rounding", "traps"):
            raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        setattr(made, name, value)
    return _Local(made)


def _of(held):
    made = Decimal.__new__(Decimal)
    made._held = held
    return made


def _number(value):
    """What an operand holds. A float is none: it would bring digits that nobody wrote."""
    if isinstance(value, Decimal):
        return value._held
    if isinstance(value, int):
        return _decimal.made(int(value), getcontext()._settings())
    raise TypeError(f"conversion from {type(value).__name__} to Decimal is not supported")


def _is_operand(value):
    return isinstance(value, (Decimal, int))


def _result(value):
    return value if isinstance(value, (str, bool)) else _of(value)


def _both(name, one, other):
    if not _is_operand(one) or not _is_operand(other):
        return NotImplemented
    return _of(_decimal.calc(name, getcontext()._settings(), _number(one), _number(other)))


def _compare(way, one, other):
    """Floats can be compared, exactly."""
    if not isinstance(other, (Decimal, int, float)):
        return NotImplemented
    held = _decimal.made(other, getcontext()._settings()) if isinstance(other, float) else _number(other)
    return _decimal.compared(one._held, held, way)


class Decimal:
    def __init__(self, value="0", context=None):
        self._held = (
            value._held if isinstance(value, Decimal) else _decimal.made(value, (context or getcontext())._settings())
        )

    @classmethod
    def from_float(cls, f):
        return cls(f)

    def __repr__(self):
        return f"Decimal('{_decimal.shown(self._held)}')"

    def __str__(self):
        return _decimal.shown(self._held)

    def __format__(self, spec):
        return _decimal.formatted(self._held, spec, getcontext()._settings())

    def __hash__(self):
        return _decimal.hashed(self._held)

    def __bool__(self):
        return not self.is_zero()

    def __int__(self):
        return _decimal.truncated(self._held, None)

    __trunc__ = __int__

    def __float__(self):
        return _decimal.as_float(self._held)

    def __floor__(self):
        return _decimal.truncated(self._held, ROUND_FLOOR)

    def __ceil__(self):
        return _decimal.truncated(self._held, ROUND_CEILING)

    def __round__(self, n=None):
        if n is None:
            return _decimal.truncated(self._held, ROUND_HALF_EVEN)
        return _of(_decimal.rounded(self._held, getcontext()._settings(), n))

    def __neg__(self):
        return self._with("minus")

    def __pos__(self):
        return self._with("plus")

    def __abs__(self):
        return self._with("abs")

    def __add__(self, other):
        return _both("add", self, other)

    def __radd__(self, other):
        return _both("add", other, self)

    def __sub__(self, other):
        return _both("subtract", self, other)

    def __rsub__(self, other):
        return _both("subtract", other, self)

    def __mul__(self, other):
        return _both("multiply", self, other)

    def __rmul__(self, other):
        return _both("multiply", other, self)

    def __truediv__(self, other):
        return _both("divide", self, other)

    def __rtruediv__(self, other):
        return _both("divide", other, self)

    def __floordiv__(self, other):
        return _both("divide_int", self, other)

    def __rfloordiv__(self, other):
        return _both("divide_int", other, self)

    def __mod__(self, other):
        return _both("remainder", self, other)

    def __rmod__(self, other):
        return _both("remainder", other, self)

    def __divmod__(self, other):
        return (self // other, self % other) if _is_operand(other) else NotImplemented

    def __rdivmod__(self, other):
        return (other // self, other % self) if _is_operand(other) else NotImplemented

    def __pow__(self, other):
        return _both("power", self, other)

    def __rpow__(self, other):
        return _both("power", other, self)

    def __eq__(self, other):
        return _compare("eq", self, other)

    def __lt__(self, other):
        return _compare("lt", self, other)

    def __le__(self, other):
        return _compare("le", self, other)

    def __gt__(self, other):
        found = _compare("le", self, other)
        return found if found is NotImplemented else not found

    def __ge__(self, other):
        found = _compare("lt", self, other)
        return found if found is NotImplemented else not found

    def _with(self, name, *values, context=None):
        settings = (context or getcontext())._settings()
        return _of(_decimal.calc(name, settings, self._held, *[_number(each) for each in values]))

    def _rounding(self, name, values, rounding, context):
        made = (context or getcontext()).copy()
        made.rounding = made.rounding if rounding is None else rounding
        return self._with(name, *values, context=made)

    def quantize(self, exp, rounding=None, context=None):
        return self._rounding("quantize", (exp,), rounding, context)

    def to_integral_value(self, rounding=None, context=None):
        return self._rounding("to_integral_value", (), rounding, context)

    to_integral = to_integral_value

    def to_integral_exact(self, rounding=None, context=None):
        return self._rounding("to_integral_exact", (), rounding, context)

    def to_eng_string(self, context=None):
        return _decimal.calc("to_eng_string", (context or getcontext())._settings(), self._held)

    def as_tuple(self):
        return DecimalTuple(*_decimal.as_tuple(self._held))

    def as_integer_ratio(self):
        return _decimal.ratio(self._held)

    def conjugate(self):
        return self

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return Decimal(0)

    def copy_abs(self):
        return abs(self)

    def copy_negate(self):
        return -self

    def same_quantum(self, other):
        return self.as_tuple().exponent == other.as_tuple().exponent


def _offer(name, many):
    if many:

        def method(self, other, context=None):
            return self._with(name, other, context=context)
    else:

        def method(self, context=None):
            return self._with(name, context=context)

    method.__name__ = name
    setattr(Decimal, name, method)


for _name in ("compare", "copy_sign", "max", "min", "remainder_near", "scaleb", "max_mag", "min_mag", "next_toward"):
    _offer(_name, True)
for _name in ("sqrt", "exp", "ln", "log10", "logb", "normalize", "next_minus", "next_plus"):
    _offer(_name, False)


def _tell(name):
    def method(self):
        return _decimal.told(name, self._held)

    method.__name__ = name
    setattr(Decimal, name, method)


for _name in _decimal.TELLING:
    _tell(_name)
