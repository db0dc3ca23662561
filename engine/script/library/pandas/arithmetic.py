# type: ignore
"""pandas.arithmetic: what tables and columns have in common: the labels of their rows, and what they calculate, over
`_with`."""

from pandas.shown import Labels


class Arithmetic:
    @property
    def index(self):
        return self._index

    @index.setter
    def index(self, labels):
        self._index = Labels(labels)

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    def __floordiv__(self, other):
        return self._with(other, lambda a, b: a // b)

    def __mod__(self, other):
        return self._with(other, lambda a, b: a % b)

    def __pow__(self, other):
        return self._with(other, lambda a, b: a**b)

    __radd__, __rmul__ = __add__, __mul__
    add, sub, mul, div = __add__, __sub__, __mul__, __truediv__

    def __rsub__(self, other):
        return self._with(other, lambda a, b: b - a)

    def __rtruediv__(self, other):
        return self._with(other, lambda a, b: b / a)

    def __rpow__(self, other):
        return self._with(other, lambda a, b: b**a)

    def __neg__(self):
        return self._with(0, lambda a, b: -a)

    def __invert__(self):
        return self._with(0, lambda a, b: ~a)

    def __and__(self, other):
        return self._with(other, lambda a, b: a & b)

    def __or__(self, other):
        return self._with(other, lambda a, b: a | b)

    def __eq__(self, other):
        return self._with(other, lambda a, b: a == b, True)

    def __ne__(self, other):
        return self._with(other, lambda a, b: a != b, True)

    def __gt__(self, other):
        return self._with(other, lambda a, b: a > b, True)

    def __lt__(self, other):
        return self._with(other, lambda a, b: a < b, True)

    def __ge__(self, other):
        return self._with(other, lambda a, b: a >= b, True)

    def __le__(self, other):
        return self._with(other, lambda a, b: a <= b, True)

    eq, ne, gt, lt, ge, le = __eq__, __ne__, __gt__, __lt__, __ge__, __le__
    pow, mod, floordiv, truediv = __pow__, __mod__, __floordiv__, __truediv__
