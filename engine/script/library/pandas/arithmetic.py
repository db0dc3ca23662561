# type: ignore
"""pandas.arithmetic: what tables and columns calculate, over `_with`."""


class Arithmetic:
    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    def __pow__(self, other):
        return self._with(other, lambda a, b: a**b)

    __radd__, __rmul__ = __add__, __mul__

    def __gt__(self, other):
        return self._with(other, lambda a, b: a > b)

    def __lt__(self, other):
        return self._with(other, lambda a, b: a < b)
