# type: ignore
"""fractions: numbers as one whole number over another."""

import math
import re

_TEXT = re.compile(r"\s*([-+]?)(?=\d|\.\d)(\d*)(?:(?:/(\d+))|(?:\.(\d*))?(?:[eE]([-+]?\d+))?)\s*")
_LARGEST_EXPONENT = 10_000


class Fraction:
    def __init__(self, numerator=0, denominator=None):
        if denominator is None:
            if isinstance(numerator, str):
                top, bottom = _read(numerator)
            elif isinstance(numerator, (int, float, Fraction)):
                top, bottom = numerator.as_integer_ratio()
            else:
                raise TypeError("argument should be a string or a Rational instance")
        elif isinstance(numerator, (int, Fraction)) and isinstance(denominator, (int, Fraction)):
            a, b = numerator.as_integer_ratio(), denominator.as_integer_ratio()
            top, bottom = a[0] * b[1], a[1] * b[0]
        else:
            raise TypeError("both arguments should be Rational instances")
        if bottom == 0:
            raise ZeroDivisionError(f"Fraction({top}, 0)")
        common = math.gcd(top, bottom) * (-1 if bottom < 0 else 1)
        self.numerator, self.denominator = top // common, bottom // common

    @classmethod
    def from_float(cls, value):
        return cls(value)

    def as_integer_ratio(self):
        return self.numerator, self.denominator

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self.denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self.numerator, self.denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        if 2 * d * (q0 + k * q1) <= self.denominator:
            return Fraction(p1, q1)
        return Fraction(p0 + k * p1, q0 + k * q1)

    def _with(self, other, exact, rounded):
        if isinstance(other, (int, Fraction)):
            return exact(self, other if isinstance(other, Fraction) else Fraction(other))
        if isinstance(other, float):
            return rounded(float(self), other)
        return NotImplemented

    def __add__(self, other):
        return self._with(
            other,
            lambda a, b: Fraction(
                a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator
            ),
            lambda a, b: a + b,
        )

    __radd__ = __add__

    def __neg__(self):
        return Fraction(-self.numerator, self.denominator)

    def __pos__(self):
        return Fraction(self)

    def __abs__(self):
        return Fraction(abs(self.numerator), self.denominator)

    def __sub__(self, other):
        return self._with(
            other,
            lambda a, b: Fraction(
                a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator
            ),
            lambda a, b: a - b,
        )

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        return self._with(
            other,
            lambda a, b: Fraction(a.numerator * b.numerator, a.denominator * b.denominator),
            lambda a, b: a * b,
        )

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._with(
            other,
            lambda a, b: Fraction(a.numerator * b.denominator, a.denominator * b.numerator),
            lambda a, b: a / b,
        )

    def __rtruediv__(self, other):
        if isinstance(other, int):
            return Fraction(other) / self
        return other / float(self) if isinstance(other, float) else NotImplemented

    def __floordiv__(self, other):
        return self._with(
            other,
            lambda a, b: (a.numerator * b.denominator) // (a.denominator * b.numerator),
            lambda a, b: a // b,
        )

    def __rfloordiv__(self, other):
        return Fraction(other) // self if isinstance(other, int) else other // float(self)

    def __mod__(self, other):
        return self._with(other, lambda a, b: a - b * (a // b), lambda a, b: a % b)

    def __rmod__(self, other):
        return Fraction(other) % self if isinstance(other, int) else other % float(self)

    def __pow__(self, power):
        if isinstance(power, Fraction) and power.denominator == 1:
            power = power.numerator
        if not isinstance(power, int):
            return float(self) ** float(power)
        if power >= 0:
            return Fraction(self.numerator**power, self.denominator**power)
        return Fraction(self.denominator**-power, self.numerator**-power)

    def __rpow__(self, base):
        if self.denominator == 1:
            return base**self.numerator
        return base ** float(self)

    def __float__(self):
        return self.numerator / self.denominator

    def __int__(self):
        return self.__trunc__()

    def __trunc__(self):
        whole = abs(self.numerator) // self.denominator
        return -whole if self.numerator < 0 else whole

    def __floor__(self):
        return self.numerator // self.denominator

    def __ceil__(self):
        return -(-self.numerator // self.denominator)

    def __round__(self, digits=None):
        if digits is None:
            whole, rest = divmod(self.numerator, self.denominator)
            if rest * 2 < self.denominator:
                return whole
            if rest * 2 > self.denominator:
                return whole + 1
            return whole if whole % 2 == 0 else whole + 1
        shift = 10 ** abs(digits)
        if digits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __bool__(self):
        return self.numerator != 0

    def __hash__(self):
        if self.denominator == 1:
            return hash(self.numerator)
        return hash((self.numerator, self.denominator))

    def __eq__(self, other):
        if isinstance(other, (int, Fraction)):
            return (self.numerator, self.denominator) == other.as_integer_ratio()
        if isinstance(other, float):
            return math.isfinite(other) and self == Fraction(other)
        return NotImplemented

    def _below(self, other, compare):
        if isinstance(other, (int, Fraction)):
            top, bottom = other.as_integer_ratio()
            return compare(self.numerator * bottom, self.denominator * top)
        if isinstance(other, float):
            if not math.isfinite(other):
                return compare(0.0, other)
            return self._below(Fraction(other), compare)
        return NotImplemented

    def __lt__(self, other):
        return self._below(other, lambda a, b: a < b)

    def __le__(self, other):
        return self._below(other, lambda a, b: a <= b)

    def __gt__(self, other):
        return self._below(other, lambda a, b: a > b)

    def __ge__(self, other):
        return self._below(other, lambda a, b: a >= b)

    def __str__(self):
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    def __repr__(self):
        return f"Fraction({self.numerator}, {self.denominator})"


def _read(text):
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    sign, whole, below, decimals, exponent = found.groups()
    top, bottom = int(whole or "0"), int(below or "1")
    if decimals:
        bottom = 10 ** len(decimals)
        top = top * bottom + int(decimals)
    if exponent:
        power = int(exponent)
        if abs(power) > _LARGEST_EXPONENT:
            raise ValueError(f"the exponent of {text!r} is too large here")
        top, bottom = (top * 10**power, bottom) if power >= 0 else (top, bottom * 10**-power)
    return (-top if sign == "-" else top), bottom
