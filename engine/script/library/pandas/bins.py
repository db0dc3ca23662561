# type: ignore
"""pandas.bins: numbers as the intervals in which they lie: cut() and qcut()."""

import numpy as np
from pandas.categories import Categorical, Ordered
from pandas.series import Series
from pandas.values import missing, nan


class Interval:
    """The numbers between two, of which one belongs to them."""

    def __init__(self, left, right, closed="right"):
        self.left, self.right, self.closed = left, right, closed

    @property
    def mid(self):
        return 0.5 * (self.left + self.right)

    @property
    def length(self):
        return self.right - self.left

    def __contains__(self, number):
        if self.closed == "right":
            return self.left < number <= self.right
        return self.left <= number < self.right

    def __eq__(self, other):
        return isinstance(other, Interval) and f"{self}" == f"{other}"

    def __hash__(self):
        return hash((self.left, self.right))

    def __lt__(self, other):
        return (self.left, self.right) < (other.left, other.right)

    def __str__(self):
        left, right = ("(", "]") if self.closed == "right" else ("[", ")")
        return f"{left}{self.left}, {self.right}{right}"

    def __repr__(self):
        sides = ", ".join([f"{side!r}" for side in (self.left, self.right)])
        return f"Interval({sides}, closed={self.closed!r})"


def _rounded(number, digits):
    """A number with so many digits behind the point, or behind the zeros there."""
    whole = np.trunc(number)
    if not np.isfinite(number) or number == 0:
        return float(number)
    if whole == 0:
        digits = digits - 1 - int(np.floor(np.log10(np.abs(number - whole))))
    return float(np.around(number, digits))


def _intervals(edges, right, lowest, precision):
    """The intervals between edges, told with as few digits as keep the edges apart."""
    shown = edges.tolist()
    if edges.dtype.kind == "f":
        for digits in range(precision, 20):
            shown = [_rounded(edge, digits) for edge in edges.tolist()]
            if len(set(shown)) == len(set(edges.tolist())):
                precision = digits
                break
    if right and lowest:
        shown[0] = shown[0] - 10.0**-precision
        if edges.dtype.kind == "f":
            shown[0] = float(np.round(shown[0], 12))
    closed = "right" if right else "left"
    if isinstance(shown[0], float):
        shown = [float(edge) for edge in shown]
    return [Interval(a, b, closed) for a, b in zip(shown, shown[1:])]


def _placed(x, edges, right, labels, precision, lowest, duplicates, ordered):
    """Which interval each number is in, as numbers, as labels or as the intervals themselves."""
    values = np.asarray(x)
    if len(set(edges.tolist())) < len(edges):
        if duplicates == "raise":
            raise ValueError(
                f"Bin edges must be unique: Index({edges.tolist()}, dtype='{edges.dtype}').\n"
                "You can drop duplicate edges by setting the 'duplicates' kwarg"
            )
        edges = np.unique(edges)
    places = np.searchsorted(edges, values, side="left" if right else "right")
    if lowest:
        places[values == edges[0]] = 1
    places = np.where(missing(values) | (places == len(edges)), 0, places) - 1
    if labels is False:
        found = np.where(places < 0, nan, places) if (places < 0).any() else places
        return (x._like(found) if isinstance(x, Series) else found), edges
    if labels is None:
        labels = _intervals(edges, right, lowest, precision)
    elif len(labels) != len(edges) - 1:
        raise ValueError("Bin labels must be one fewer than the number of bin edges")
    labels = list(labels)
    made = np.array([*[nan if place < 0 else labels[place] for place in places.tolist()], None], dtype=object)[:-1]
    if isinstance(labels[0], str) and not (places < 0).any():
        made = np.array(made.tolist())
    column = x._like(made) if isinstance(x, Series) else Series(made)
    column._categories = Ordered(labels) if ordered else labels
    return (column if isinstance(x, Series) else Categorical(column)), edges


def cut(
    x, bins, right=True, labels=None, retbins=False, precision=3, include_lowest=False, duplicates="raise", ordered=True
):
    """Numbers by the intervals between `bins`, or by so many intervals of the same length."""
    values = np.asarray(x).astype(float)
    if isinstance(bins, (int, np.integer)):
        low, high = np.nanmin(values), np.nanmax(values)
        if low == high:
            low, high = low - 0.001 * (abs(low) or 1), high + 0.001 * (abs(high) or 1)
            edges = np.linspace(low, high, bins + 1)
        else:
            edges = np.linspace(low, high, bins + 1)
            side = (high - low) * 0.001
            edges[0 if right else -1] += -side if right else side
    else:
        edges = np.asarray(bins)
        if (np.diff(edges.astype(float)) < 0).any():
            raise ValueError("bins must increase monotonically.")
    found, edges = _placed(x, edges, right, labels, precision, include_lowest, duplicates, ordered)
    return (found, edges) if retbins else found


def qcut(x, q, labels=None, retbins=False, precision=3, duplicates="raise"):
    """Numbers by intervals that hold as many of them each: so many, or those between the given shares."""
    values = np.asarray(x).astype(float)
    shares = np.linspace(0, 1, q + 1) if isinstance(q, (int, np.integer)) else np.asarray(q)
    edges = np.quantile(values[~np.isnan(values)], shares)
    found, edges = _placed(x, edges, True, labels, precision, True, duplicates, True)
    return (found, edges) if retbins else found
