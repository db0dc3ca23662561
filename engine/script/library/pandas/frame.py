# type: ignore
"""pandas.frame: columns of values with names."""

import re
from datetime import datetime

import numpy as np
from pandas.alignment import aligned, same_labels, united
from pandas.arithmetic import OfTables
from pandas.asking import Condition
from pandas.cells import Cells
from pandas.chosen import PickedOfTables
from pandas.dates import Resampled
from pandas.figures import Figures
from pandas.filled import NDFrame
from pandas.kinds import KindsOfTables
from pandas.labels import Labels, MultiIndex, even
from pandas.levels import part_of_levels, rows_of_levels
from pandas.measured import MeasuredOfTables
from pandas.merged import joined_by_labels, merge
from pandas.more import MoreOfTables
from pandas.ordering import SortedOfTables
from pandas.pivots import PivotsOfTables
from pandas.plotted import DrawnOfTables
from pandas.relabelled import RelabelledOfTables
from pandas.repeats import RepeatsOfTables
from pandas.running import RunningOfTables
from pandas.series import Series
from pandas.values import SCALARS, array_of, nan, objects
from pandas.written import WrittenOfTables


def _repeated(value, index, columns):
    """The columns of a table that holds one value everywhere; None is what nothing is known of."""
    if index is None or columns is None:
        raise ValueError("DataFrame constructor not properly called!")
    return {name: objects([nan] * len(index)) if value is None else [value] * len(index) for name in columns}


class DataFrame(
    NDFrame, Figures, KindsOfTables, RelabelledOfTables, SortedOfTables, RepeatsOfTables, RunningOfTables,
    PivotsOfTables, DrawnOfTables, MeasuredOfTables, WrittenOfTables, MoreOfTables, PickedOfTables, OfTables,
):  # fmt: skip
    """Columns of values with names."""

    def __init__(self, data=None, index=None, columns=None, dtype=None, copy=None):
        if isinstance(data, SCALARS) or (data is None and index is not None and columns is not None):
            data = _repeated(data, index, columns)
        elif data is not None and not hasattr(data, "__len__") and hasattr(data, "__iter__"):
            data = list(data)
        if isinstance(data, DataFrame):
            data, index = data._columns, data.index if index is None else index
        if isinstance(data, dict) and data and all([isinstance(part, dict) for part in data.values()]):
            rows = list(dict.fromkeys([label for part in data.values() for label in part])) if index is None else index
            data = {name: [part.get(label, nan) for label in rows] for name, part in data.items()}
            index = Labels(dict.fromkeys(rows), None)
        if isinstance(data, dict):
            given = {name: data[name] for name in data if columns is None or name in columns}
            series = [part for part in given.values() if isinstance(part, Series)]
            if series and not all(
                [same_labels(part.index, series[0].index if index is None else index) for part in series]
            ):
                if index is None:
                    index = series[0].index
                    for part in series[1:]:
                        index = index if same_labels(index, part.index) else united(index, part.index)
                    index = Labels(even(list(index)))
                given = {
                    name: aligned(part, index) if isinstance(part, Series) else part for name, part in given.items()
                }
            sized = [len(part) for part in given.values() if hasattr(part, "__len__") and not isinstance(part, str)]
            count = sized[0] if sized else 0 if index is None else len(index)
            if given and not sized and index is None:
                raise ValueError("If using all scalar values, you must pass an index")
            self._columns = {
                name: array_of([part] * count if isinstance(part, SCALARS) else part) for name, part in given.items()
            }
            held = [part.index for part in given.values() if isinstance(part, Series)]
            index = held[0] if held and index is None else index
        elif isinstance(data, (list, tuple)) and len(data) and isinstance(data[0], dict):
            names = list(dict.fromkeys([name for row in data for name in row]))
            self._columns = {name: array_of([row.get(name, nan) for row in data]) for name in names}
        elif isinstance(data, (list, tuple)) and len(data) and isinstance(data[0], (list, tuple)):
            names = list(range(len(data[0]))) if columns is None else list(columns)
            if len(names) != len(data[0]):
                raise ValueError(f"{len(names)} columns passed, passed data had {len(data[0])} columns")
            self._columns = {name: array_of(list(part)) for name, part in zip(names, zip(*data))}
        elif data is None:
            self._columns = {name: np.array([]) for name in columns or []}
        else:
            table = np.asarray(data)
            table = table.reshape(len(table), -1)
            names = list(range(table.shape[1])) if columns is None else list(columns)
            if len(names) != table.shape[1]:
                raise ValueError(f"Shape of passed values is {table.shape}, indices imply {(len(table), len(names))}")
            self._columns = {name: table[:, i] for i, name in enumerate(names)}
        lengths = {len(part) for part in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError("All arrays must be of the same length")
        count = lengths.pop() if lengths else 0
        self.index = range(count) if index is None else index
        self._above = None  # what the columns are called
        parts = data.items() if isinstance(data, dict) else ()
        self._categories = {name: part._categories for name, part in parts if getattr(part, "_categories", None)}
        if dtype is not None:
            self._columns = self.astype(dtype)._columns

    @property
    def columns(self):
        names = list(self._columns)
        if isinstance(self._above, list) or names and all([type(name) is tuple for name in names]):
            above = self._above if isinstance(self._above, list) else [self._above] * len(names[0])
            return MultiIndex(names, names=above)
        made = Labels(range(len(names)) if names == list(range(len(names))) else names, self._above)
        made._owner = self  # whose columns get another name where these labels do
        return made

    @columns.setter
    def columns(self, names):
        if len(list(names)) != len(self._columns):
            raise ValueError(
                f"Length mismatch: Expected axis has {len(self._columns)} elements, new values have {len(list(names))} elements"
            )
        self._columns = dict(zip(names, self._columns.values()))
        held = getattr(names, "names", [None])
        self._above = list(held) if len(held) > 1 else held[0]

    def _column(self, values, index, name):
        return Series(values, index, name=name)

    def _like(self, data=None, index=None, columns=None):
        made = DataFrame(data, index, columns)
        made._above, made._categories = self._above, self._categories
        return made

    def _grow(self, label, column, value):
        """A row more."""
        from pandas.taken import lengthened

        value = value.tolist() if isinstance(value, np.ndarray) else value
        names = list(self.columns)
        row = dict(zip(names, value)) if isinstance(value, (list, tuple)) else value if isinstance(value, dict) else {}
        if isinstance(value, Series):
            row = dict(zip(value.index, value.tolist()))
        elif isinstance(value, (list, tuple)) and not any([isinstance(each, str) for each in value]):
            row = dict(zip(names, array_of(list(value)).tolist()))
        elif not row:
            row = dict.fromkeys(names if isinstance(column, slice) else [column], value)
        grown = {name: lengthened(part, row.get(name)) for name, part in self._columns.items()}
        self._columns, self.index = grown, self.index.with_one(label)

    @property
    def values(self):
        return self._values

    @property
    def _values(self):
        parts = list(self._columns.values())
        kinds = {part.dtype.kind for part in parts}
        if not kinds:
            return np.zeros((len(self.index), 0))
        if kinds <= {"i", "u", "f"} or (len(kinds) == 1 and "U" not in kinds):
            return np.stack(parts, axis=1)
        held = np.empty((len(self.index), len(parts)), dtype=object)
        for place, part in enumerate(parts):
            held[:, place] = objects(Series(part).tolist()) if part.dtype.kind == "U" else part
        return held

    @property
    def shape(self):
        return len(self.index), len(self._columns)

    @property
    def iloc(self):
        return Cells(self, False)

    @property
    def loc(self):
        return Cells(self, True)

    iat, at = iloc, loc

    @property
    def empty(self):
        return not len(self.index)

    @property
    def size(self):
        return len(self.index) * len(self._columns)

    @property
    def T(self):
        values = self._values
        made = DataFrame({label: values[i] for i, label in enumerate(self.index)}, index=self.columns)
        made._above = self.index.name
        return made

    def keys(self):
        return self.columns

    def items(self):
        return [(name, self[name]) for name in self.columns]

    def iterrows(self):
        return iter([(label, self._row(i)) for i, label in enumerate(self.index)])

    def _row(self, place):
        """A row; of columns of several kinds with Python's own numbers."""
        row = self.iloc[place]
        if row._values.dtype.kind != "O":
            return row
        cells = [each.item() if isinstance(each, (np.number, np.bool_)) else each for each in row.tolist()]
        return self._column(cells, row.index, row.name)

    def itertuples(self, index=True, name="Pandas"):
        from collections import namedtuple

        parts = [self[each].tolist() for each in self.columns]
        rows = zip(*[list(self.index)] * index, *parts)
        if name is None:
            return rows
        kind = namedtuple(name, ["Index"] * index + [str(each) for each in self.columns])
        return iter([kind(*row) for row in rows])

    def to_dict(self, orient="dict"):
        if orient == "records":
            lists = {name: self[name].tolist() for name in self.columns}
            return [{name: part[i] for name, part in lists.items()} for i in range(len(self))]
        if orient == "list":
            return {name: self[name].tolist() for name in self.columns}
        return {name: dict(zip(self.index, self[name].tolist())) for name in self.columns}

    def __array__(self, dtype=None, copy=None):
        return self._values if dtype is None else self._values.astype(dtype)

    def _of_ufunc(self, values, given):
        return self._like(dict(zip(self.columns, values.T)), self.index)

    def to_numpy(self, dtype=None, copy=False):
        return self._values if dtype is None else self._values.astype(dtype)

    def __len__(self):
        return len(self.index)

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, name):
        return name in self._columns

    def __getitem__(self, key):
        if callable(key):
            return self[key(self)]
        if isinstance(key, list):
            return self._like({name: self._columns[name] for name in key}, self.index)
        if isinstance(key, DataFrame):
            return self.where(key)
        if isinstance(key, (Series, np.ndarray)):
            places = np.arange(len(self))[array_of(key)].tolist()
            return self.iloc[places]
        if isinstance(key, slice):
            named = any([isinstance(each, (str, datetime)) for each in (key.start, key.stop)])
            return self.loc[key] if named else self.iloc[key]
        if key not in self._columns and isinstance(next(iter(self._columns), None), tuple):
            return part_of_levels(self, key)
        made = Series(self._columns[key], self.index, name=key)
        made._categories = self._categories.get(key)
        return made

    def __setitem__(self, name, values):
        if isinstance(name, list):
            if isinstance(values, DataFrame):
                columns = [values[each] for each in values.columns]
            else:
                columns = [values] * len(name) if isinstance(values, SCALARS) else list(np.asarray(values).T)
            for each, column in zip(name, columns):
                self[each] = column
            return
        if isinstance(name, DataFrame):
            for each in name.columns:
                self[each] = np.where(name[each]._values, values, self[each]._values)
            return
        if isinstance(values, SCALARS):
            values = [values] * len(self.index)
        known = isinstance(values, Series) and len(self.index)
        made = array_of(aligned(values, self.index) if known else values)
        self._columns[name] = made[:, 0] if made.ndim == 2 and made.shape[1] == 1 else made
        self._categories = {each: held for each, held in self._categories.items() if each != name}
        if getattr(values, "_categories", None) is not None:
            self._categories[name] = values._categories
        if not len(self.index):
            self.index = range(len(self._columns[name]))
        elif len(self._columns[name]) != len(self.index):
            count = len(self._columns.pop(name))
            raise ValueError(f"Length of values ({count}) does not match length of index ({len(self.index)})")

    def __delitem__(self, name):
        del self._columns[name]

    def __getattr__(self, name):
        if (
            name in self._columns
            or name[:1] != "_"
            and any([isinstance(each, tuple) and each[0] == name for each in self._columns])
        ):
            return self[name]
        raise AttributeError(f"'DataFrame' object has no attribute '{name}'")

    def head(self, n=5):
        return self.iloc[:n]

    def tail(self, n=5):
        return self.iloc[len(self) - min(n, len(self)) :]

    def _done(self, made, inplace):
        """What a method gives, or, in place, None."""
        if not inplace:
            return made
        self._columns, self.index = made._columns, made.index
        return None

    def _each(self, change):
        return self._like({name: change(self[name])._values for name in self.columns}, self.index)

    def _numbers(self):
        return [name for name, part in self._columns.items() if part.dtype.kind in "biuf"]

    def astype(self, dtype):
        given = dtype if isinstance(dtype, dict) else dict.fromkeys(self.columns, dtype)
        return self._each(lambda column: column.astype(given[column.name]) if column.name in given else column)

    def equals(self, other):
        same = list(self.columns) == list(other.columns) and list(self.index) == list(other.index)
        return same and all([self[name].equals(other[name]) for name in self.columns])

    def copy(self, deep=True):
        return self._each(lambda column: column.copy())

    def query(self, expr):
        return self[Condition(self, expr).mask()]

    def eval(self, expr, inplace=False):
        """What the text makes of the columns; with a name and = before it, a table with that column too."""
        found = re.match(r"\s*(\w+)\s*=(?!=)(.*)", expr, re.DOTALL)
        if found is None:
            return Condition(self, expr).mask()
        made = self if inplace else self.copy()
        made[found.group(1)] = Condition(self, found.group(2)).mask()
        return None if inplace else made

    def assign(self, **columns):
        made = self.copy()
        for name, values in columns.items():
            made[name] = values(made) if callable(values) else values
        return made

    def merge(self, right, *args, **kwargs):
        return merge(self, right, *args, **kwargs)

    def join(self, other, on=None, how="left", lsuffix="", rsuffix=""):
        return joined_by_labels(self, other, on, how, lsuffix, rsuffix)

    def resample(self, rule, on=None):
        return Resampled(self, rule, on)

    def apply(self, function, axis=0):
        found = [function(self._row(i)) for i in range(len(self))] if axis in (1, "columns") else None
        if found is not None:
            return Series(found, self.index)
        made = {name: function(self[name]) for name in self.columns}
        if isinstance(made[self.columns[0]], Series):
            return DataFrame({name: part._values for name, part in made.items()}, index=self.index)
        return Series(list(made.values()), list(made))

    progress_apply = apply  # tqdm's

    def map(self, function):
        return self._each(lambda column: column.map(function))

    applymap = map

    def _under(self, key):
        """The rows whose labels begin with the key."""
        places, labels = rows_of_levels(self.index, key)
        made = self.iloc[places]
        made.index = labels
        return made

    def xs(self, key, axis=0, level=None):
        """The rows of a label, or of one of a level."""
        if axis in (1, "columns"):
            return self[key]
        if level is None:
            return self.loc[key]
        index = self.index
        where = index.names.index(level) if level in index.names else level
        made = self.iloc[[place for place, label in enumerate(list(index)) if label[where] == key]]
        made.index = made.index.droplevel(where)
        return made

    def pop(self, name):
        column = self[name]
        del self._columns[name]
        return column

    def insert(self, loc, column, value):
        names = [*self.columns[:loc], column, *self.columns[loc:]]
        self[column] = value
        self._columns = {name: self._columns[name] for name in names}

    @staticmethod
    def from_dict(data, orient="columns", dtype=None, columns=None):
        """A table of columns, or with orient="index" of rows."""
        if orient == "index":
            rows = list(data.values())
            if rows and isinstance(rows[0], dict):
                return DataFrame(rows, index=Labels(list(data)))
            return DataFrame([list(row) for row in rows], index=Labels(list(data)), columns=columns)
        return DataFrame(data)

    @staticmethod
    def from_records(data, index=None, exclude=None, columns=None):
        return DataFrame(data, index=index, columns=columns)
