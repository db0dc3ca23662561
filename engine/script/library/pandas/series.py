# type: ignore
"""pandas.series: a column of values with labels."""

from datetime import datetime

import numpy as np
from pandas.alignment import aligned
from pandas.arithmetic import OfColumns
from pandas.categories import Categorical, Categories, NO_CATEGORY
from pandas.cells import Rows, is_mask, labelled, places_of
from pandas.chosen import PickedOfColumns
from pandas.dates import Moments, Resampled, to_datetime
from pandas.filled import NDFrame
from pandas.groups import Groups, of_levels
from pandas.labels import Labels, even
from pandas.levels import partly, rows_of_levels, unstacked
from pandas.measured import MeasuredOfColumns
from pandas.more import MoreOfColumns
from pandas.ordering import SortedOfColumns
from pandas.periods import DatetimeArray, PeriodArray, freq_of
from pandas.plotted import DrawnOfColumns
from pandas.printed import column_text
from pandas.relabelled import RelabelledOfColumns
from pandas.repeats import RepeatsOfColumns
from pandas.running import RunningOfColumns
from pandas.shown import dates_texts
from pandas.texts import Texts
from pandas.told import Told
from pandas.values import NONE, SCALARS, STRINGS, array_of, dtype_of, missing, nan, objects
from pandas.words import StringArray
from pandas.written import WrittenOfColumns


class Series(
    NDFrame, Told, RelabelledOfColumns, SortedOfColumns, RepeatsOfColumns, RunningOfColumns, DrawnOfColumns,
    MeasuredOfColumns, WrittenOfColumns, MoreOfColumns, PickedOfColumns, OfColumns,
):  # fmt: skip
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

    def _column(self, values, index, name):
        return Series(values, index, name=name)

    def _done(self, made, inplace):
        """What a method gives, or, in place, None."""
        if not inplace:
            return made
        self._values, self.index = made._values, made.index
        return None

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
        return self._values if self._values.dtype.kind != "U" else StringArray(self.tolist())

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

    def item(self):
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.tolist()[0]

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

    def equals(self, other):
        gaps = missing(self._values)
        return bool(
            np.array_equal(gaps, missing(other._values)) and np.array_equal(self._values[~gaps], other._values[~gaps])
        )

    def abs(self):
        return self._like(np.abs(self._values))

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
        if dtype in ("str", "string", str):
            unknown = missing(self._values).tolist()
            texts = [NONE if lost else str(each) for each, lost in zip(self.tolist(), unknown)]
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
        return StringArray(found) if self._values.dtype.kind == "U" else np.array(found)

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
