# type: ignore
"""pandas.operators: what columns, tables and labels calculate, over `_with(other, operation, comparing, ...)`."""

import numpy as np


def _plain(a, b):
    """Two operands of which none is of truth values, which divisions take for numbers."""
    return (part.astype(int) if getattr(part, "dtype", None) == bool else part for part in (a, b))


def _whole(a, b):
    return np.asarray(a).dtype.kind in "biu" and np.asarray(b).dtype.kind in "biu"


def floored(a, b):
    """a // b; whole numbers over 0 are infinite, as numbers with decimals are."""
    a, b = _plain(a, b)
    made = a // b
    return np.where(np.equal(b, 0), np.divide(a, b), made) if _whole(a, b) and np.any(np.equal(b, 0)) else made


def rest(a, b):
    """a % b; of whole numbers over 0 nothing is known."""
    a, b = _plain(a, b)
    made = a % b
    return np.where(np.equal(b, 0), np.nan, made) if _whole(a, b) and np.any(np.equal(b, 0)) else made


def times(a, b):
    """a * b; a text so many times over."""
    if getattr(a, "dtype", np.dtype(float)).kind == "U":
        return np.array([each * b for each in a.tolist()])
    return a * b


def _one(part):
    """A value of an operand: the first that is known."""
    from pandas.values import missing, nan

    if getattr(part, "ndim", 0):
        known = part[~missing(part)].tolist()
        return known[0] if known else nan
    return part.item() if hasattr(part, "item") else part


def _told(operation):
    """The operation, which says of texts that it is not for what Python says of one of them."""

    def made(a, b):
        try:
            return operation(a, b)
        except TypeError:
            if any([getattr(part, "dtype", np.dtype(float)).kind == "U" for part in (a, b)]):
                operation(_one(a), _one(b))
            raise

    return made


def _pair(operation, comparing=False):
    """An operator, and the method that does the same with the rows or columns that are named, and fills gaps."""

    operation = _told(operation)

    def operator(self, other):
        return self._with(other, operation, comparing)

    def method(self, other, axis="columns", level=None, fill_value=None):
        return self._with(other, operation, comparing, axis, fill_value)

    return operator, method


def _logic(name, operation):
    """&, | or ^, which numbers with decimals do not have."""

    def asked(a, b):
        kinds = [np.asarray(part).dtype for part in (a, b)]
        if any([kind.kind not in "biu" for kind in kinds]):
            raise TypeError(
                f"Cannot perform '{name}' with a dtyped [{kinds[0]}] array and scalar of type [{type(b).__name__}]"
            )
        made = operation(a, b)
        return made.astype(bool) if any([kind.kind == "b" for kind in kinds]) else made

    return lambda self, other: self._with(other, asked)


class Operators:
    __array_priority__ = 1000  # an array on the left leaves the calculation to them

    __add__, add = _pair(lambda a, b: a + b)
    __sub__, sub = _pair(lambda a, b: a - b)
    __mul__, mul = _pair(times)
    __truediv__, truediv = _pair(lambda a, b: a / b)
    __floordiv__, floordiv = _pair(floored)
    __mod__, mod = _pair(rest)
    __pow__, pow = _pair(lambda a, b: a**b)
    __radd__, radd = _pair(lambda a, b: b + a)
    __rsub__, rsub = _pair(lambda a, b: b - a)
    __rmul__, rmul = _pair(times)
    __rtruediv__, rtruediv = _pair(lambda a, b: b / a)
    __rfloordiv__, rfloordiv = _pair(lambda a, b: floored(b, a))
    __rmod__, rmod = _pair(lambda a, b: rest(b, a))
    __rpow__, rpow = _pair(lambda a, b: b**a)
    __eq__, eq = _pair(lambda a, b: a == b, True)
    __ne__, ne = _pair(lambda a, b: a != b, True)
    __gt__, gt = _pair(lambda a, b: a > b, True)
    __lt__, lt = _pair(lambda a, b: a < b, True)
    __ge__, ge = _pair(lambda a, b: a >= b, True)
    __le__, le = _pair(lambda a, b: a <= b, True)
    div = divide = truediv
    rdiv, multiply, subtract = rtruediv, mul, sub

    __and__, __rand__ = _logic("and_", lambda a, b: a & b), _logic("rand_", lambda a, b: b & a)
    __or__, __ror__ = _logic("or_", lambda a, b: a | b), _logic("ror_", lambda a, b: b | a)
    __xor__, __rxor__ = _logic("xor", lambda a, b: a ^ b), _logic("rxor", lambda a, b: b ^ a)

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self

    def __pos__(self):
        return self._alone(lambda a: a if a.dtype.kind == "b" else +a, "unary +")

    def __neg__(self):
        return self._alone(lambda a: ~a if a.dtype.kind == "b" else -a, "unary -")

    def __invert__(self):
        return self._alone(lambda a: ~a, "unary ~")

    def __abs__(self):
        return self._alone(lambda a: np.abs(a), "abs()")

    def __bool__(self):
        raise ValueError(
            f"The truth value of a {self._called()} is ambiguous. Use a.empty, a.item(), a.any() or a.all()."
        )

    def _called(self):
        return type(self).__name__

    def _alone(self, operation, called):
        """What an operator of one operand makes."""

        def asked(a, b):
            if a.dtype.kind == "U":
                raise TypeError(f"bad operand type for {called}: 'str'")
            return operation(a)

        return self._with(0, asked)
