# type: ignore
"""pandas.series: a column of values with labels."""

from datetime import datetime, timedelta

import numpy as np
from pandas.arithmetic import OfColumns
from pandas.categories import NO_CATEGORY, Categorical, Categories, Ordered
from pandas.cells import Rows, aligned, array_of, is_mask, labelled, places_of, same_labels, united
from pandas.chosen import PickedOfColumns
from pandas.dates import Moments, Resampled, Timestamp, read, to_datetime
from pandas.filled import NDFrame, objects
from pandas.groups import Groups, of_levels, figure_of, name_of
from pandas.levels import partly, rows_of_levels, unstacked
from pandas.more import MoreOfColumns
from pandas.ordering import order_of
from pandas.periods import DatetimeArray, PeriodArray, freq_of
from pandas.plotted import Plots
from pandas.printed import column_text
from pandas.repeats import repeated
from pandas.rolling import Rolling, Weighted
from pandas.shown import NONE, SCALARS, STRINGS, Labels, Words, dates_texts, dtype_of, even, missing, nan, text_of
from pandas.texts import Texts


class Series(NDFrame, MoreOfColumns, PickedOfColumns, OfColumns):
    """Values with labels."""

    def __init__(self, data=(), index=None, dtype=None, name=None):
        if isinstance(data, dict):
            index = even(list(data)) if index is None else index
            data = list(data.values())
        if isinstance(data, SCALARS):
            data = [data] * len(index)
        if hasattr(dtype, "kinds"):
            data, dtype = Categorical(data, dtype=dtype), "category"
        kinds = isinstance(dtype, str) and dtype == "category"
        self._values = array_of(data, None if kinds else dtype)
        self._categories = None  # the values that a category can have
        if kinds or hasattr(data, "_categories"):
            held = getattr(data, "_categories", None)
            self._categories = (
                sorted(set(array_of(data)[~missing(self._values)].tolist())) if held is None and kinds else held
            )
        self.index = Labels(range(len(self._values)) if index is None else index)
        if len(self.index) != len(self._values):
            raise ValueError(
                f"Length of values ({len(self._values)}) does not match length of index ({len(self.index)})"
            )
        self.name = name

    def _at(self, places):
        """The rows at the places."""
        made = Series(self._values[list(places)], self.index.at(places), name=self.name)
        made._categories = self._categories
        return made

    def _cell(self, place):
        """One value: a text is a Python text."""
        value = self._values[place]
        if self._values.dtype.kind in "Mm":
            return self._values[[place]].tolist()[0]
        return f"{value}" if isinstance(value, str) else value

    def _under(self, key):
        """The rows whose labels begin with the key."""
        places, labels = rows_of_levels(self.index, key)
        made = self._at(places)
        made.index = labels
        return made

    def _renamed(self, name):
        self.name = name
        return self

    @property
    def dtype(self):
        if self._categories is not None:
            return "category"
        if self._values.dtype.kind == "O" and (kind := dtype_of(self._values)) != "object":
            return kind
        return STRINGS if self._values.dtype.kind == "U" else self._values.dtype

    @property
    def values(self):
        """The values without labels: texts as an array of them, categories as such."""
        if self._categories is not None:
            return Categorical(self)
        return self._values if self._values.dtype.kind != "U" else Words(self.tolist())

    array = values

    @property
    def shape(self):
        return self._values.shape

    @property
    def size(self):
        return len(self._values)

    @property
    def iloc(self):
        return Rows(self, False)

    @property
    def loc(self):
        return Rows(self, True)

    @property
    def str(self):
        return Texts(self)

    @property
    def dt(self):
        return Moments(self)

    def resample(self, rule):
        return Resampled(self, rule)

    @property
    def cat(self):
        return Categories(self)

    @property
    def empty(self):
        return not len(self)

    @property
    def T(self):
        return self

    def _like(self, values):
        return Series(values, self.index, name=self.name)

    def __array__(self, dtype=None, copy=None):
        held = self._values
        if held.dtype.kind == "U" and missing(held).any():
            held = objects(self.tolist())  # where nothing is known there is no text
        return held if dtype is None else held.astype(dtype)

    def _as_objects(self):
        """What np.asarray() gives: texts are objects, as they are in pandas."""
        return objects(self.tolist()) if self._values.dtype.kind == "U" else self._values

    def _of_ufunc(self, values, given):
        names = {each.name for each in given if isinstance(each, Series)}
        return Series(values, self.index, name=names.pop() if len(names) == 1 else None)

    def to_numpy(self, dtype=None, copy=False):
        held = self._values if self._values.dtype.kind != "U" else objects(self.tolist())
        return held if dtype is None else held.astype(dtype)

    def tolist(self):
        values = self._values.tolist()
        return [nan if each == NONE else each for each in values] if self._values.dtype.kind == "U" else values

    to_list = tolist

    def to_dict(self):
        found = self.tolist()
        if self._values.dtype.kind == "O":
            found = [each.item() if isinstance(each, (np.number, np.bool_)) else each for each in found]
        return dict(zip(self.index, found))

    def keys(self):
        return self.index

    def items(self):
        return zip(self.index, self.tolist())

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self.tolist())

    def __contains__(self, label):
        return label in self.index

    def __getitem__(self, key):
        if isinstance(key, slice):
            if isinstance(key.start, (str, datetime)) or isinstance(key.stop, (str, datetime)):
                return self.loc[key]
            return self._at(range(len(self))[key])
        if isinstance(key, (Series, np.ndarray, list)):
            mask = array_of(key)
            if mask.dtype.kind == "b":
                places = np.arange(len(mask))[mask].tolist()
                if places and places[-1] - places[0] == len(places) - 1:
                    places = range(places[0], places[-1] + 1)  # in a row: dates keep their step
            else:
                places = [self.index.index(each) for each in mask.tolist()]
            return self._at(places)
        if key not in self.index:
            if partly(self.index, key):
                return self._under(key)
            if isinstance(key, str) and len(self) and isinstance(self.index[0], datetime):
                return self.loc[key]
            raise KeyError(key)
        return self._cell(self.index.index(key))

    def __getattr__(self, name):
        if name[:1] != "_" and name in self.index:
            return self[name]
        if name == "cat":
            raise AttributeError(NO_CATEGORY)
        raise AttributeError(f"'Series' object has no attribute '{name}'")

    def __setitem__(self, key, value):
        if isinstance(key, slice) or is_mask(key):
            named = isinstance(key, slice) and any([isinstance(each, str) for each in (key.start, key.stop)])
            self._put(labelled(self.index, key) if named else key, value, True)
        elif isinstance(key, (list, np.ndarray)) or hasattr(key, "_values"):
            self._put(labelled(self.index, key), value, True)
        elif key in self.index:
            self._put(self.index.index(key), value, True)
        else:
            self.index, self._values = self.index.with_one(key), array_of([*self._values.tolist(), value])

    def _put(self, places, value, by_label):
        """Values into places. Raises TypeError for those that it does not take."""
        from pandas.taken import put

        given, whole = value, isinstance(places, slice) and len(range(len(self))[places]) == len(self)
        if not isinstance(places, (int, np.integer)):
            places = places_of(len(self), places)
            if hasattr(value, "index") and hasattr(value, "_values"):
                value = aligned(value, [self.index[place] for place in places.tolist()]) if by_label else value._values
        self._values = put(self._values, places, value, given, False if not isinstance(given, SCALARS) else whole)

    def head(self, n=5):
        return self[:n]

    def tail(self, n=5):
        return self[len(self) - min(n, len(self)) :]

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

    def item(self):
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.tolist()[0]

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
        return Series(found, q, name=self.name) if isinstance(q, list) else found

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
            return Series(np.array([int(self.count()), *dates], dtype=object), names, name=self.name)
        if self._values.dtype.kind in "UbO" or self._categories is not None:
            most = self.value_counts()
            found = [int(self.count()), self.nunique(), most.index[0], int(most._values[0])]
            return Series(found, ["count", "unique", "top", "freq"], name=self.name)
        found = [self.count(), self.mean(), self.std(), self.min(), *np.quantile(self._known(), [0.25, 0.5, 0.75])]
        names = ["count", "mean", "std", "min", "25%", "50%", "75%", "max"]
        return Series(np.array([*found, self.max()], dtype=float), names, name=self.name)

    def isna(self):
        return self._like(missing(self._values))

    isnull = isna

    def notna(self):
        return self._like(~missing(self._values))

    notnull = notna

    def isin(self, values):
        return self._like([each in list(values) for each in self.tolist()])

    def between(self, left, right):
        return self._like((self._values >= left) & (self._values <= right))

    def copy(self, deep=True):
        made = self._like(self._values.copy())
        made._categories = self._categories
        return made

    def shift(self, periods=1):
        if self._values.dtype.kind in "MmUO":
            gap, held = [None] * min(abs(periods), len(self)), self.tolist()
            moved = gap + held[: len(held) - len(gap)] if periods > 0 else held[len(gap) :] + gap
            return self._like(moved if self._values.dtype.kind in "UO" else np.array(moved, dtype=self._values.dtype))
        held = self._values.astype(float)
        gap = np.full(min(abs(periods), len(held)), nan)
        return self._like(
            np.append(gap, held[: len(held) - len(gap)]) if periods > 0 else np.append(held[len(gap) :], gap)
        )

    def diff(self, periods=1):
        return self - self.shift(periods)

    def pct_change(self):
        return self / self.shift() - 1

    def sort_values(
        self,
        ascending=True,
        inplace=False,
        kind="quicksort",
        na_position="last",
        ignore_index=False,
        key=None,
        axis=0,
    ):
        made = self.iloc[order_of(self if key is None else key(self), ascending, kind, na_position)]
        made = made.reset_index(drop=True) if ignore_index else made
        if not inplace:
            return made
        self._values, self.index = made._values, made.index
        return None

    def sort_index(self, ascending=True):
        order = sorted(range(len(self)), key=lambda i: self.index[i], reverse=not ascending)
        return self.iloc[order]

    def reset_index(self, drop=False, inplace=False, name=None):
        if drop:
            return Series(self._values, name=self.name)
        return self.to_frame(name or (0 if self.name is None else self.name)).reset_index()

    def to_frame(self, name=None):
        from pandas.frame import DataFrame

        return DataFrame({self.name if name is None else name: self._values}, index=self.index)

    def unstack(self, level=-1, fill_value=None):
        return unstacked(self, level, fill_value)

    def groupby(self, by=None, level=None, sort=True, group_keys=True, observed=True):
        by = of_levels(self.index, level) if by is None else by
        made = Groups(self, by if isinstance(by, list) else [by], True, sort)
        made._group_keys = group_keys
        return made

    def agg(self, function):
        if isinstance(function, list):
            return Series(
                [figure_of(each)(self) for each in function], [name_of(each) for each in function], name=self.name
            )
        return figure_of(function)(self)

    def nlargest(self, n=5):
        return self.sort_values(ascending=False, kind="stable").head(n)

    def nsmallest(self, n=5):
        return self.sort_values(kind="stable").head(n)

    def duplicated(self, keep="first"):
        return Series(repeated(list(self), keep), self.index, name=self.name)

    def drop_duplicates(self, *, keep="first", inplace=False, ignore_index=False):
        made = self[~self.duplicated(keep)._values]
        made = made.reset_index(drop=True) if ignore_index else made
        if not inplace:
            return made
        self._values, self.index = made._values, made.index
        return None

    def hist(self, bins=10, **kwargs):
        import matplotlib.pyplot as plt

        plt.hist(self._values, bins)
        return plt.gca()

    def argmax(self):
        return int(np.argmax(self._values))

    def argmin(self):
        return int(np.argmin(self._values))

    def equals(self, other):
        gaps = missing(self._values)
        return bool(
            np.array_equal(gaps, missing(other._values)) and np.array_equal(self._values[~gaps], other._values[~gaps])
        )

    def idxmax(self):
        return self.index[int(np.argmax(self._values))]

    def idxmin(self):
        return self.index[int(np.argmin(self._values))]

    def abs(self):
        return self._like(np.abs(self._values))

    def rank(self, ascending=True):
        """Places from 1 in the order of the values; equal values share the mean of theirs."""
        values = self._values if ascending else -self._values
        ordered = np.sort(values)
        low = np.searchsorted(ordered, values, side="left")
        return self._like((low + np.searchsorted(ordered, values, side="right") + 1) / 2)

    def cumsum(self, axis=0, dtype=None, out=None):
        return self._like(np.cumsum(self._values))

    def round(self, decimals=0, out=None):
        return self._like(np.round(self._values, decimals) if self._values.dtype.kind != "b" else self._values)

    def astype(self, dtype):
        if hasattr(dtype, "kinds"):
            made = Categorical(self, dtype=dtype)._column
            made.index, made.name = self.index, self.name
            return made
        if isinstance(dtype, str) and dtype == "category":
            made = self._like(self._values)
            made._categories = sorted(set(self.dropna().tolist()))
            return made
        if isinstance(dtype, str) and dtype.startswith("datetime64"):
            return to_datetime(self)
        if self._values.dtype.kind == "M" and dtype in (str, "str", "string"):
            return self._like([NONE if text == "NaT" else text for text in dates_texts(self.tolist())])
        if dtype in ("object", "O", object):
            return self._like(np.array(self._values.tolist(), dtype=object))
        if dtype in ("str", "string", text_of):
            unknown = missing(self._values).tolist()
            texts = [NONE if lost else text_of(each) for each, lost in zip(self.tolist(), unknown)]
            return self._like(texts)
        try:
            return self._like(self._values.astype(dtype))
        except ValueError as problem:
            said = str(problem).replace("np.str_(", "")
            raise ValueError(said[:-1] if said.endswith("')") or said.endswith('")') else said) from None

    def apply(self, function):
        return self._like([function(each) for each in self])

    progress_apply = apply  # tqdm's

    def map(self, function):
        if isinstance(function, Series):
            function = dict(zip(function.index, function._values))
        if isinstance(function, dict):
            return self._like([function.get(each, nan) for each in self])
        return self.apply(function)

    def unique(self):
        found = list(dict.fromkeys(self))
        if self._values.dtype.kind == "M":
            return DatetimeArray(found)
        if self._values.dtype.kind == "O" and freq_of(found) is not None:
            return PeriodArray(found)
        if self._values.dtype.kind == "O":
            return array_of([*found, None])[:-1]
        return Words(found) if self._values.dtype.kind == "U" else np.array(found)

    def mode(self):
        counts = self.dropna().value_counts()
        most = counts._values.max() if len(counts) else 0
        return Series(sorted([label for label in counts.index if counts[label] == most]), name=self.name)

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
        return Series(numbers, Labels(order, self.name), name="proportion" if normalize else "count")

    def rolling(self, window, min_periods=None, center=False):
        return Rolling(self, window, window if min_periods is None else min_periods, center)

    def ewm(self, com=None, span=None, alpha=None, adjust=True):
        return Weighted(self, alpha or (2 / (span + 1) if span else 1 / (1 + com)), adjust)

    @property
    def plot(self):
        return Plots(self)

    def __repr__(self):
        kind = f"dtype: {dtype_of(self._values)}"
        if self._categories is not None:
            kind = f"dtype: category\n{self.cat.text()}"
        return column_text(self, kind) if len(self) else f"Series([], {kind})"


class OfLabels(Series):
    """The labels of rows or columns as values: what is made of them are labels again, or an array of truth."""

    def _like(self, values):
        made = array_of(values)
        return made if made.dtype.kind == "b" else Labels(made.tolist(), self.name)
