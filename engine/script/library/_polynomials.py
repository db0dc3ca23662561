# type: ignore
"""np.poly1d: a polynomial of one variable, over NumPy's own functions of coefficients."""

import numpy as np

WIDEST = 70


class poly1d:
    def __init__(self, c_or_r, r=False, variable=None):
        if isinstance(c_or_r, poly1d):
            coeffs, variable = c_or_r.coeffs, variable or c_or_r.variable
        else:
            coeffs = np.atleast_1d(c_or_r)
            if r:
                made = np.array([1.0])
                for root in coeffs:
                    made = np.convolve(made, [1.0, -root])
                coeffs = made
        if coeffs.ndim > 1:
            raise ValueError("Polynomial must be 1d only.")
        held = [place for place, each in enumerate(coeffs.tolist()) if each != 0]
        self.coeffs = coeffs[held[0] :] if held else np.array([0], dtype=coeffs.dtype)
        self.variable = variable or "x"

    @property
    def order(self):
        return len(self.coeffs) - 1

    @property
    def roots(self):
        return np.roots(self.coeffs)

    c = coef = coefficients = property(lambda self: self.coeffs)
    o = property(lambda self: self.order)
    r = property(lambda self: self.roots)

    def __call__(self, value):
        if isinstance(value, poly1d):
            total = poly1d([0])
            for each in self.coeffs:
                total = total * value + each
            return total
        return np.polyval(self.coeffs, value)

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self.coeffs)

    def __getitem__(self, power):
        if not 0 <= power <= self.order:
            return self.coeffs.dtype.type(0)
        return self.coeffs[self.order - power]

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.coeffs.shape == other.coeffs.shape and bool((self.coeffs == other.coeffs).all())

    __hash__ = None

    def __neg__(self):
        return poly1d(-self.coeffs)

    def __add__(self, other):
        mine, its = _as_long(self.coeffs, poly1d(other).coeffs)
        return poly1d(mine + its)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -poly1d(other)

    def __rsub__(self, other):
        return poly1d(other) - self

    def __mul__(self, other):
        if np.ndim(other) == 0 and not isinstance(other, poly1d):
            return poly1d(self.coeffs * other)
        return poly1d(np.convolve(self.coeffs, poly1d(other).coeffs))

    __rmul__ = __mul__

    def __pow__(self, power):
        if not isinstance(power, int) or power < 0:
            raise ValueError("Power to non-negative integers only.")
        made = poly1d([1])
        for _ in range(power):
            made = made * self
        return made

    def __truediv__(self, other):
        if np.ndim(other) == 0 and not isinstance(other, poly1d):
            return poly1d(self.coeffs / other)
        by = poly1d(other).coeffs
        rest, found = self.coeffs * 1.0, []
        while len(rest) >= len(by):
            found.append(rest[0] / by[0])
            rest = (rest - found[-1] * _as_long(by, rest, "end")[0])[1:]
        return poly1d(found or [0.0]), poly1d(rest if len(rest) else [0.0])

    def deriv(self, m=1):
        coeffs = self.coeffs
        for _ in range(m):
            coeffs = coeffs[:-1] * np.arange(len(coeffs) - 1, 0, -1) if len(coeffs) > 1 else np.array([0])
        return poly1d(coeffs)

    def integ(self, m=1, k=0):
        coeffs = self.coeffs
        for place in range(m):
            constant = k[place] if isinstance(k, (list, tuple)) else k
            coeffs = np.concatenate([coeffs / np.arange(len(coeffs), 0, -1), [constant]])
        return poly1d(coeffs)

    def __repr__(self):
        return "poly1d(" + repr(self.coeffs)[6:-1] + ")"

    def __str__(self):
        text, above, below = "", " ", ""
        for place, coefficient in enumerate(self.coeffs):
            power = self.order - place
            shown = f"{abs(coefficient):.4g}"
            if shown == "0" and self.order > 0:
                continue
            first = not (text or below)
            sign = ("-" if first else " - ") if coefficient < 0 else "" if first else " + "
            term = f"{sign}{shown}" + (f" {self.variable}" if power else "")
            raised = str(power) if power > 1 else ""
            wide = len(below) + len(term) + len(raised) - 1
            if raised and wide > WIDEST:
                text += above + "\n" + below + "\n "
                above = below = ""
            above += (" " * (len(term) - 1) + raised) if raised else ""
            below += term + " " * (len(raised) - 1)
        return text + above + "\n" + below


def _as_long(a, b, where="start"):
    """Both with zeros added, so that one is as long as the other."""
    most = max(len(a), len(b))

    def longer(each):
        zeros = np.zeros(most - len(each), dtype=each.dtype)
        return np.concatenate([zeros, each] if where == "start" else [each, zeros])

    return longer(a), longer(b)
