# type: ignore
"""pandas.told: the figures that a column tells of its values."""

import numpy as np
from pandas.categories import Ordered
from pandas.dates import Timestamp
from pandas.functions import figure_of, name_of
from pandas.labels import Labels
from pandas.values import missing, nan


class Told:
    def _known(self, skipna=True, **how):
        return self._values[~missing(self._values)] if skipna else self._values

    def _counted(self, figure, **how):
        """The known values, which a figure of numbers is of."""
        known = self._known(**how)
        if known.dtype.kind == "O":
            text = next((each for each in known.tolist() if isinstance(each, str)), None)
            if text is not None:
                raise TypeError(f"Could not convert {text!r} to numeric")
            return known.astype(float)
        if known.dtype.kind != "U":
            return known
        if len(known):
            raise TypeError(f"Cannot perform reduction '{figure}' with string dtype")
        return np.array([nan])

    def count(self):
        return np.sum(~missing(self._values))

    def mean(self, *args, **kwargs):
        return np.mean(self._counted("mean", **kwargs))

    def sum(self, *args, **kwargs):
        return (
            "".join(self._known(**kwargs).tolist()) if self._values.dtype.kind == "U" else np.sum(self._known(**kwargs))
        )

    def prod(self, *args, **kwargs):
        return np.prod(self._counted("prod", **kwargs))

    def _ranked(self, choose):
        """The least or the greatest of categories that stand in an order."""
        if not isinstance(self._categories, Ordered):
            raise TypeError(
                f"Categorical is not ordered for operation {choose.__name__}\n"
                "you can use .as_ordered() to change the Categorical to an ordered one\n"
            )
        return choose(self._known().tolist(), key=list(self._categories).index)

    def min(self, *args, **kwargs):
        if self._categories is not None:
            return self._ranked(min)
        return (
            min(self._known(**kwargs).tolist()) if self._values.dtype.kind in "UMmO" else np.min(self._known(**kwargs))
        )

    def max(self, *args, **kwargs):
        if self._categories is not None:
            return self._ranked(max)
        return (
            max(self._known(**kwargs).tolist()) if self._values.dtype.kind in "UMmO" else np.max(self._known(**kwargs))
        )

    def median(self, *args, **kwargs):
        return np.median(self._counted("median", **kwargs))

    def var(self, axis=None, ddof=1, **kwargs):
        return np.var(self._counted("var", **kwargs), ddof=ddof)

    def std(self, axis=None, ddof=1, **kwargs):
        return np.std(self._counted("std", **kwargs), ddof=ddof)

    def quantile(self, q=0.5):
        found = np.quantile(self._known(), q)
        return self._column(found, q, self.name) if isinstance(q, list) else found

    def any(self, *args, **kwargs):
        return np.any(self._values)

    def all(self, *args, **kwargs):
        return np.all(self._values)

    def describe(self):
        """Count, mean, spread and quartiles; of texts, how many, how many different and the most frequent."""
        if self._values.dtype.kind == "M":
            known = np.sort(self._known()).astype("int64")
            shares = np.quantile(known, [0.25, 0.5, 0.75]) if len(known) else [0] * 3
            places = [np.mean(known), known[0], *shares, known[-1]] if len(known) else []
            dates = [Timestamp(each) for each in np.array(places).astype("int64").astype("datetime64[us]").tolist()]
            names = ["count", "mean", "min", "25%", "50%", "75%", "max"]
            return self._column(np.array([int(self.count()), *dates], dtype=object), names, self.name)
        if self._values.dtype.kind in "UbO" or self._categories is not None:
            most = self.value_counts()
            found = [int(self.count()), self.nunique(), most.index[0], int(most._values[0])]
            return self._column(found, ["count", "unique", "top", "freq"], self.name)
        found = [self.count(), self.mean(), self.std(), self.min(), *np.quantile(self._known(), [0.25, 0.5, 0.75])]
        names = ["count", "mean", "std", "min", "25%", "50%", "75%", "max"]
        return self._column(np.array([*found, self.max()], dtype=float), names, self.name)

    def agg(self, function):
        if isinstance(function, list):
            found = [figure_of(each)(self) for each in function]
            return self._column(found, [name_of(each) for each in function], self.name)
        return figure_of(function)(self)

    def argmax(self):
        return int(np.argmax(self._values))

    def argmin(self):
        return int(np.argmin(self._values))

    def idxmax(self):
        return self.index[int(np.argmax(self._values))]

    def idxmin(self):
        return self.index[int(np.argmin(self._values))]

    def mode(self):
        counts = self.dropna().value_counts()
        most = counts._values.max() if len(counts) else 0
        return self._column(sorted([label for label in counts.index if counts[label] == most]), None, self.name)

    def nunique(self, dropna=True):
        return len((self.dropna() if dropna else self).unique())

    def value_counts(self, normalize=False, sort=True, ascending=False, bins=None, dropna=True):
        """How often each known value occurs, the most frequent first."""
        if bins is not None:
            from pandas.bins import cut

            made = cut(self, bins, include_lowest=True).value_counts(normalize, sort, ascending)
            made.index.name = None
            return made
        counts = dict.fromkeys(self._categories or (), 0)
        known = self.dropna() if dropna else self
        for each in known:
            counts[each] = counts.get(each, 0) + 1
        order = sorted(counts, key=lambda each: counts[each], reverse=not ascending) if sort else list(counts)
        numbers = [counts[each] / len(known) if normalize else counts[each] for each in order]
        return self._column(numbers, Labels(order, self.name), "proportion" if normalize else "count")
