# type: ignore
"""pandas.frame: columns of values with names."""

import numpy as np
from pandas.arithmetic import Arithmetic
from pandas.series import Series, array_of, labelled, places_of
from pandas.shown import NONE, SCALARS, SHOWN, Labels, cells_of, dots_of, dtype_of, missing, nan


class _Cells:
    """DataFrame.iloc and DataFrame.loc."""

    def __init__(self, table, by_label):
        self._table, self._by_label = table, by_label

    def _split(self, key):
        """Rows and columns as places."""
        table = self._table
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        if self._by_label:
            mask = isinstance(rows, (Series, np.ndarray)) and array_of(rows).dtype.kind == "b"
            rows = rows if mask else labelled(table.index, rows)
            columns = labelled(table.columns, columns)
        return rows, columns

    def __getitem__(self, key):
        table = self._table
        rows, columns = self._split(key)
        names = table.columns[columns] if isinstance(columns, (int, slice)) else [table.columns[i] for i in columns]
        if isinstance(rows, int):
            if isinstance(columns, int):
                return table[names].values[rows]
            return Series([table[name].values[rows] for name in names], names, name=table.index[rows])
        chosen = places_of(len(table), rows).tolist()
        index = [table.index[i] for i in chosen]
        if isinstance(columns, int):
            return Series(table[names].values[chosen], index, name=names)
        return DataFrame({name: table[name].values[chosen] for name in names}, index=index)

    def __setitem__(self, key, value):
        table = self._table
        rows, columns = self._split(key)
        names = table.columns[columns]
        for name in [names] if isinstance(columns, int) else names:
            table._columns[name][places_of(len(table), rows) if not isinstance(rows, int) else rows] = value


class DataFrame(Arithmetic):
    """Columns of values with names."""

    def __init__(self, data=None, index=None, columns=None):
        if isinstance(data, DataFrame):
            data, index = data._columns, data.index if index is None else index
        if isinstance(data, dict):
            self._columns = {name: array_of(part) for name, part in data.items() if columns is None or name in columns}
        elif isinstance(data, (list, tuple)) and len(data) and isinstance(data[0], dict):
            names = list(dict.fromkeys([name for row in data for name in row]))
            self._columns = {name: np.array([row.get(name, nan) for row in data]) for name in names}
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
        self.index = Labels(range(count) if index is None else index)

    @property
    def columns(self):
        return Labels(self._columns)

    @columns.setter
    def columns(self, names):
        self._columns = dict(zip(names, self._columns.values()))

    @property
    def values(self):
        return np.stack(list(self._columns.values()), axis=1) if self._columns else np.zeros((len(self.index), 0))

    @property
    def shape(self):
        return len(self.index), len(self._columns)

    @property
    def iloc(self):
        return _Cells(self, False)

    @property
    def loc(self):
        return _Cells(self, True)

    @property
    def dtypes(self):
        return Kinds([dtype_of(part) for part in self._columns.values()], self.columns)

    @property
    def empty(self):
        return not len(self.index)

    @property
    def size(self):
        return len(self.index) * len(self._columns)

    @property
    def T(self):
        values = self.values
        return DataFrame({label: values[i] for i, label in enumerate(self.index)}, index=self.columns)

    def keys(self):
        return self.columns

    def items(self):
        return [(name, self[name]) for name in self.columns]

    def iterrows(self):
        return iter([(label, self.iloc[i]) for i, label in enumerate(self.index)])

    def to_dict(self, orient="dict"):
        if orient == "records":
            return [{name: part[i].item() for name, part in self._columns.items()} for i in range(len(self))]
        if orient == "list":
            return {name: part.tolist() for name, part in self._columns.items()}
        return {name: dict(zip(self.index, part.tolist())) for name, part in self._columns.items()}

    def to_numpy(self, dtype=None, copy=False):
        return self.values if dtype is None else self.values.astype(dtype)

    def __len__(self):
        return len(self.index)

    def __iter__(self):
        return iter(self.columns)

    def __contains__(self, name):
        return name in self._columns

    def __getitem__(self, key):
        if isinstance(key, list):
            return DataFrame({name: self._columns[name] for name in key}, index=self.index)
        if isinstance(key, (Series, np.ndarray)):
            places = np.arange(len(self))[array_of(key)].tolist()
            return self.iloc[places]
        if isinstance(key, slice):
            return self.iloc[key]
        return Series(self._columns[key], self.index, name=key)

    def __setitem__(self, name, values):
        if isinstance(values, SCALARS):
            values = [values] * len(self.index)
        self._columns[name] = array_of(values)
        if not self.index:
            self.index = list(range(len(self._columns[name])))

    def __delitem__(self, name):
        del self._columns[name]

    def __getattr__(self, name):
        if name in self._columns:
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
        return DataFrame({name: change(self[name]).values for name in self.columns}, index=self.index)

    def _numbers(self):
        return [name for name, part in self._columns.items() if part.dtype.kind in "biuf"]

    def drop(self, labels=None, axis=0, index=None, columns=None, inplace=False, errors="raise"):
        gone = columns if columns is not None else index if index is not None else labels
        gone = list(gone) if isinstance(gone, (list, tuple)) else [gone]
        if columns is None and axis in (0, "index"):
            made = self.iloc[[i for i, label in enumerate(self.index) if label not in gone]]
        else:
            lost = [name for name in gone if name not in self._columns]
            if lost and errors == "raise":
                raise KeyError(f"{lost} not found in axis")
            made = self[[name for name in self.columns if name not in gone]]
        return self._done(made, inplace)

    def _figures(self, figure, axis=0):
        if axis in (1, "columns"):
            return Series([figure(Series(row)) for row in self[self._numbers()].values], self.index)
        return Series([figure(self[name]) for name in self.columns], self.columns)

    def mean(self, axis=0, numeric_only=False):
        return (self[self._numbers()] if numeric_only else self)._figures(lambda column: column.mean(), axis)

    def std(self, axis=0, numeric_only=False, ddof=1):
        return (self[self._numbers()] if numeric_only else self)._figures(lambda column: column.std(ddof=ddof), axis)

    def var(self, axis=0, numeric_only=False, ddof=1):
        return (self[self._numbers()] if numeric_only else self)._figures(lambda column: column.var(ddof=ddof), axis)

    def median(self, axis=0, numeric_only=False):
        return (self[self._numbers()] if numeric_only else self)._figures(lambda column: column.median(), axis)

    def sum(self, axis=0, numeric_only=False):
        return (self[self._numbers()] if numeric_only else self)._figures(lambda column: column.sum(), axis)

    def min(self, axis=0, numeric_only=False):
        return (self[self._numbers()] if numeric_only else self)._figures(lambda column: column.min(), axis)

    def max(self, axis=0, numeric_only=False):
        return (self[self._numbers()] if numeric_only else self)._figures(lambda column: column.max(), axis)

    def count(self):
        return self._figures(lambda column: column.count())

    def nunique(self):
        return self._figures(lambda column: column.nunique())

    def mode(self):
        found = {name: self[name].mode().values for name in self.columns}
        most = max([len(part) for part in found.values()])
        made = {}
        for name, part in found.items():
            gap = most - len(part)
            filler = NONE if part.dtype.kind == "U" else nan
            made[name] = np.append(part, [filler] * gap) if gap else part
        return DataFrame(made)

    def describe(self, include=None, **kwargs):
        words = include is not None and include in ("object", "O", object, ["object"], ["O"], [object])
        texts = [name for name in self.columns if name not in self._numbers()]
        if include == "all" and texts and self._numbers():
            rows = ["count", "unique", "top", "freq", "mean", "std", "min", "25%", "50%", "75%", "max"]
            found = {name: self[name].describe().to_dict() for name in self.columns}
            return DataFrame({name: [part.get(row) for row in rows] for name, part in found.items()}, index=rows)
        names = texts if words else self._numbers() or self.columns
        parts = [self[name].describe() for name in names]
        return DataFrame({name: part.values for name, part in zip(names, parts)}, index=parts[0].index)

    def corr(self, numeric_only=False):
        names = self._numbers()
        return DataFrame(np.corrcoef(self[names].values.T), index=names, columns=names)

    def isna(self):
        return self._each(lambda column: column.isna())

    isnull = isna

    def notna(self):
        return self._each(lambda column: column.notna())

    notnull = notna

    def abs(self):
        return self._each(lambda column: column.abs())

    def round(self, decimals=0):
        return self._each(lambda column: column.round(decimals) if column.values.dtype.kind == "f" else column)

    def astype(self, dtype):
        given = dtype if isinstance(dtype, dict) else dict.fromkeys(self.columns, dtype)
        return self._each(lambda column: column.astype(given[column.name]) if column.name in given else column)

    def copy(self, deep=True):
        return self._each(lambda column: column.copy())

    def fillna(self, value, inplace=False):
        given = dict(zip(value.index, value.values)) if isinstance(value, Series) else value
        each = given if isinstance(given, dict) else dict.fromkeys(self.columns, given)
        filled = self._each(lambda column: column.fillna(each[column.name]) if column.name in each else column)
        return self._done(filled, inplace)

    def dropna(self, inplace=False, **kwargs):
        known = ~np.any([missing(part) for part in self._columns.values()], axis=0)
        return self._done(self.iloc[np.arange(len(self))[known].tolist()], inplace)

    def rename(self, columns=None, inplace=False):
        change = columns.get if isinstance(columns, dict) else lambda name, _: columns(name)
        made = {change(name, name): part for name, part in self._columns.items()}
        return self._done(DataFrame(made, index=self.index), inplace)

    def reset_index(self, drop=False, inplace=False):
        kept = {} if drop else {"index": np.array(self.index)}
        return self._done(DataFrame({**kept, **self._columns}), inplace)

    def sort_values(self, by, ascending=True, **kwargs):
        order = np.argsort(self[by if isinstance(by, str) else by[0]].values, kind="stable").tolist()
        return self.iloc[order if ascending else order[::-1]]

    def sample(self, n=None, frac=None, random_state=None, **kwargs):
        count = n if n is not None else round(len(self) * frac) if frac is not None else 1
        draw = np.random if random_state is None else np.random.RandomState(random_state)
        return self.iloc[draw.choice(len(self), size=count, replace=False).tolist()]

    def select_dtypes(self, include=None, exclude=None):
        kinds = {"number": "biuf", "float": "f", "float64": "f", "int": "iu", "int64": "iu", "bool": "b", "object": "U"}
        wanted = include if include is not None else exclude
        letters = "".join([kinds.get(each, "biuf") for each in ([wanted] if not isinstance(wanted, list) else wanted)])
        same = [name for name, part in self._columns.items() if (part.dtype.kind in letters) == (include is not None)]
        return self[same]

    def apply(self, function, axis=0):
        found = [function(self.iloc[i]) for i in range(len(self))] if axis in (1, "columns") else None
        if found is not None:
            return Series(found, self.index)
        made = {name: function(self[name]) for name in self.columns}
        if isinstance(made[self.columns[0]], Series):
            return DataFrame({name: part.values for name, part in made.items()}, index=self.index)
        return Series(list(made.values()), list(made))

    def map(self, function):
        return self._each(lambda column: column.map(function))

    applymap = map

    def pop(self, name):
        column = self[name]
        del self._columns[name]
        return column

    def insert(self, loc, column, value):
        names = [*self.columns[:loc], column, *self.columns[loc:]]
        self[column] = value
        self._columns = {name: self._columns[name] for name in names}

    def plot(self, *args, **kwargs):
        import matplotlib.pyplot as plt

        for name in self._numbers():
            plt.plot(self.index, self._columns[name], label=name)
        return plt.gca()

    def hist(self, bins=10, **kwargs):
        import matplotlib.pyplot as plt

        for name in self._numbers():
            plt.hist(self._columns[name], bins)

    def info(self, *args, **kwargs):
        print("<class 'pandas.DataFrame'>")
        print(f"RangeIndex: {len(self)} entries, 0 to {len(self) - 1}")
        print(f"Data columns (total {len(self._columns)} columns):")
        rows = [["#", "Column", "Non-Null Count", "Dtype"]]
        for i, (name, part) in enumerate(self._columns.items()):
            rows.append([f"{i}", f"{name}", f"{self[name].count()} non-null", dtype_of(part)])
        widths = [max([len(row[i]) for row in rows]) for i in range(4)]
        rows.insert(1, ["-" * max(3 if i == 0 else 0, len(head)) for i, head in enumerate(rows[0])])
        widths[0] = max(widths[0], 3)
        for i, row in enumerate(rows):
            first = f"{row[0]:<{widths[0]}}" if i == 1 else f" {row[0]:<{widths[0] - 1}}"
            print("  ".join([first, *[f"{cell:<{width}}" for cell, width in zip(row[1:], widths[1:])]]))
        kinds = [dtype_of(part) for part in self._columns.values()]
        print("dtypes: " + ", ".join([f"{kind}({kinds.count(kind)})" for kind in sorted(set(kinds))]))
        held = sum([len(part) * 8 if part.dtype.kind == "U" else part.nbytes for part in self._columns.values()]) + 132
        print(f"memory usage: {held / 1024:.1f} KB" if held >= 1024 else f"memory usage: {held:.1f} bytes")

    def _with(self, other, operation):
        made = {}
        for name, part in self._columns.items():
            if isinstance(other, DataFrame):
                against = other._columns[name]
            elif isinstance(other, Series):
                against = other[name]
            else:
                against = other
            made[name] = operation(part, against)
        return DataFrame(made, index=self.index)

    def to_csv(self, path=None, index=True, header=True, sep=",", **kwargs):
        lines = [sep.join([""] * index + [f"{name}" for name in self.columns])] if header else []
        for i, label in enumerate(self.index):
            cells = ["" if missing([part[i]])[0] else f"{part[i]}" for part in self._columns.values()]
            lines.append(sep.join([f"{label}"] * index + cells))
        text = "\n".join(lines) + "\n"
        if path is None:
            return text
        if hasattr(path, "write"):
            path.write(text)
        else:
            with open(path, "w") as file:
                file.write(text)

    def _parts(self, shown):
        """The texts of the labels and of every column, in the rows that are shown."""
        parts = [["", *[str(self.index[i]) for i in shown]]]
        for name, values in self._columns.items():
            head = str(name) if values.dtype.kind in "UO" else f" {name}"
            parts.append([head, *cells_of(values[list(shown)])])
        return parts

    def __repr__(self):
        if not self._columns or not self.index:
            return f"Empty DataFrame\nColumns: {self.columns}\nIndex: {self.index}"
        many = len(self) > SHOWN
        shown = [*range(5), *range(len(self) - 5, len(self))] if many else range(len(self))
        parts = self._parts(shown)
        if many:
            parts = [[*part[:6], dots_of(max([len(cell) for cell in part])), *part[6:]] for part in parts]
        fitting = _fitting(parts)
        many = many or fitting is not parts
        text = _beside(fitting)
        return f"{text}\n\n[{len(self)} rows x {len(self._columns)} columns]" if many else text

    def to_string(self, *args, **kwargs):
        return _beside(self._parts(range(len(self)))) if self._columns and self.index else repr(self)


_PAGE = 80  # characters of a line


def _fitting(parts):
    """The columns of texts that fit into a line: of more, those in the middle are left out."""
    widths = [max([len(cell) for cell in part]) for part in parts]
    over = sum(widths) + len(widths) - 1 - _PAGE + 1
    if over > 0:
        over += len(" ...") + 1
    while over > 0 and len(widths) > 1:
        over -= widths.pop(round(len(widths) / 2)) + 1
    fitting = max(len(widths) - 1, 2)
    if fitting >= len(parts) - 1:
        return parts
    half = max(fitting // 2, 1)
    return [*parts[: half + 1], [" ..."] * len(parts[0]), *parts[-half:]]


def _beside(parts):
    widths = [max([len(cell) for cell in part]) for part in parts]
    lines = []
    for row in zip(*parts):
        cells = [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:])]
        lines.append(" ".join([f"{row[0]:<{widths[0]}}", *cells]))
    return "\n".join(lines)


class Kinds(Series):
    """The data types of columns."""

    def __repr__(self):
        return "\n".join([*Series.__repr__(self).split("\n")[:-1], "dtype: object"])
