# type: ignore
"""pandas.groups: rows that share the values of some columns, and tables joined by them."""

import numpy as np
from pandas.shown import Labels, missing, nan
from pandas.together import picked

_FIGURES = ("mean", "sum", "min", "max", "std", "var", "median", "prod", "nunique", "count", "any", "all")


def figure_of(function):
    """What gives a column's figure: a method by its name, or a function."""
    if not isinstance(function, str):
        named = getattr(function, "__name__", "")
        return (lambda column: getattr(column, named)()) if named in _FIGURES else function
    if function in ("first", "last"):
        return lambda column: column.dropna().iloc[0 if function == "first" else -1]
    return len if function == "size" else lambda column: getattr(column, function)()


def _of_groups(figure):
    """The figure, which says of texts what groups of them say."""

    def made(part):
        try:
            return figure(part)
        except TypeError as problem:
            said = str(problem)
            if said.startswith("Cannot perform reduction '"):
                raise TypeError(f"dtype 'str' does not support operation {said.split()[3]}") from None
            raise

    return made


def name_of(function):
    return function if isinstance(function, str) else function.__name__


def _names_of(functions):
    """The names of figures beside each other: functions without a name are counted."""
    lambdas = iter(range(len(functions)))
    names = [name_of(each) for each in functions]
    if len(names) < 2:
        return names
    return [f"<lambda_{next(lambdas)}>" if name == "<lambda>" else name for name in names]


def _place_of(key, known):
    """What keys are ordered by: numbers stand before texts, and categories as they are `known`."""
    return [held.index(each) if held else (isinstance(each, str), each) for each, held in zip(key, known)]


def of_levels(index, level):
    """The labels of a level, or of several, to group by."""
    from pandas.series import Series

    if isinstance(level, list):
        return [of_levels(index, each) for each in level]
    labels = index.get_level_values(level)
    return Series(list(labels), name=labels.name)


class PrettyDict(dict):
    """The labels of the rows in each group."""

    def __repr__(self):
        return f"{{{', '.join([f'{key!r}: {list(labels)}' for key, labels in self.items()])}}}"


class Groups:
    """DataFrame.groupby() and Series.groupby()."""

    def __init__(self, table, by, as_index=True, sort=True, chosen=None):
        from pandas.series import Series

        self._table, self._by, self._as_index, self._sort = table, by, as_index, sort
        many = by if isinstance(by, list) else [by]
        many = [[each(label) for label in table.index] if callable(each) else each for each in many]
        many = [np.array(each) if isinstance(each, list) else each for each in many]
        parts = [each if isinstance(each, (Series, np.ndarray)) else table[each] for each in many]
        self._names = [getattr(each, "name", None) for each in parts]
        self._chosen, self._group_keys = chosen, True
        gaps = np.any([missing(np.asarray(part)) for part in parts], axis=0)
        values = [np.asarray(part).tolist() for part in parts]
        self.indices = {}
        for place, key in enumerate(zip(*values)):
            if not gaps[place]:
                self.indices.setdefault(key, []).append(place)
        if sort:
            known = [getattr(part, "_categories", None) for part in parts]
            self.indices = {
                key: self.indices[key] for key in sorted(self.indices, key=lambda key: _place_of(key, known))
            }

    @property
    def ngroups(self):
        return len(self.indices)

    @property
    def groups(self):
        return PrettyDict({self._key(key): self._table.index.at(places) for key, places in self.indices.items()})

    def _key(self, key):
        return key if isinstance(self._by, list) else key[0]

    def __len__(self):
        return len(self.indices)

    def __iter__(self):
        return iter([(self._key(key), self._part(places)) for key, places in self.indices.items()])

    def _part(self, places):
        rows = self._table.iloc[places]
        return rows if self._chosen is None else rows[self._chosen]

    def get_group(self, key):
        return self._part(self.indices[key if isinstance(key, tuple) else (key,)])

    def __getitem__(self, chosen):
        made = Groups(self._table, self._by, self._as_index, self._sort, chosen)
        made._group_keys = self._group_keys
        return made

    def __getattr__(self, name):
        if name in self._table:
            return self[name]
        kind = "DataFrame" if hasattr(self._table, "columns") and not isinstance(self._chosen, str) else "Series"
        raise AttributeError(f"'{kind}GroupBy' object has no attribute '{name}'")

    def __repr__(self):
        many = hasattr(self._table, "columns") and not isinstance(self._chosen, str)
        return f"<pandas.api.typing.{'DataFrame' if many else 'Series'}GroupBy object at 0x{id(self):012x}>"

    def _columns(self, numeric_only=False):
        if not hasattr(self._table, "columns"):
            return []
        chosen = [self._chosen] if isinstance(self._chosen, str) else self._chosen
        names = [name for name in self._table.columns if name not in self._names] if chosen is None else chosen
        return [name for name in names if not numeric_only or self._table[name]._values.dtype.kind in "biuf"]

    def _labels(self):
        keys = list(self.indices)
        made = Labels(keys if len(self._names) > 1 else [key[0] for key in keys])
        made.names = list(self._names)
        return made

    def _made(self, columns, alone):
        """A table of columns, or where there is but one and it was `alone` the column, under the labels of the groups."""
        from pandas.frame import DataFrame
        from pandas.series import Series

        if alone and self._as_index:
            ((name, values),) = columns.items()
            return Series(values, self._labels(), name=name)
        made = DataFrame(columns, index=self._labels())
        return made if self._as_index else made.reset_index()

    def _figures(self, figure, numeric_only=False):
        names, figure = self._columns(numeric_only), _of_groups(figure)
        if not hasattr(self._table, "columns"):
            return self._made(
                {self._table.name: [figure(self._table.iloc[each]) for each in self.indices.values()]}, True
            )
        found = {name: [figure(self._table[name].iloc[each]) for each in self.indices.values()] for name in names}
        return self._made(found, isinstance(self._chosen, str))

    def mean(self, numeric_only=False):
        return self._figures(figure_of("mean"), numeric_only)

    def sum(self, numeric_only=False):
        return self._figures(figure_of("sum"), numeric_only)

    def min(self, numeric_only=False):
        return self._figures(figure_of("min"), numeric_only)

    def max(self, numeric_only=False):
        return self._figures(figure_of("max"), numeric_only)

    def std(self, numeric_only=False):
        return self._figures(figure_of("std"), numeric_only)

    def var(self, numeric_only=False):
        return self._figures(figure_of("var"), numeric_only)

    def median(self, numeric_only=False):
        return self._figures(figure_of("median"), numeric_only)

    def count(self):
        return self._figures(figure_of("count"))

    def nunique(self):
        return self._figures(figure_of("nunique"))

    def first(self):
        return self._figures(figure_of("first"))

    def last(self):
        return self._figures(figure_of("last"))

    def prod(self, numeric_only=False):
        return self._figures(figure_of("prod"), numeric_only)

    def sem(self, numeric_only=False):
        return self._figures(figure_of("sem"), numeric_only)

    def skew(self, numeric_only=False):
        return self._figures(figure_of("skew"), numeric_only)

    def any(self):
        return self._figures(figure_of("any"))

    def all(self):
        return self._figures(figure_of("all"))

    def idxmax(self):
        return self._figures(lambda part: part.idxmax())

    def idxmin(self):
        return self._figures(lambda part: part.idxmin())

    def quantile(self, q=0.5, numeric_only=False):
        if not isinstance(q, (list, tuple, np.ndarray)):
            return self._figures(lambda part: part.quantile(q), numeric_only)
        from pandas.frame import DataFrame
        from pandas.levels import named
        from pandas.series import Series

        labels = named([(*key, share) for key in self.indices for share in q], [*self._names, None])
        whole = not hasattr(self._table, "columns")
        columns = {name: self._table[name] for name in self._columns(numeric_only)} if not whole else {}
        columns = {self._table.name: self._table} if whole else columns
        made = {
            name: [part.iloc[places].quantile(share) for places in self.indices.values() for share in q]
            for name, part in columns.items()
        }
        if whole or isinstance(self._chosen, str):
            ((name, values),) = made.items()
            return Series(values, labels, name=name)
        return DataFrame(made, index=labels)

    def filter(self, func, dropna=True):
        """The rows of the groups of which a function says yes."""
        kept = [place for places in self.indices.values() if func(self._part(places)) for place in places]
        return self._part(sorted(kept))

    def nth(self, n):
        kept = [places[n] for places in self.indices.values() if -len(places) <= n < len(places)]
        return self._part(sorted(kept))

    def sample(self, n=None, frac=None, replace=False, random_state=None):
        draw = np.random.RandomState(random_state) if isinstance(random_state, int) else random_state or np.random
        kept = []
        for places in self.indices.values():
            count = n if n is not None else round(len(places) * frac) if frac is not None else 1
            kept += [places[i] for i in draw.choice(len(places), size=count, replace=replace).tolist()]
        return self._part(kept)

    def nlargest(self, n=5):
        return self._longest(lambda part: part.nlargest(n))

    def nsmallest(self, n=5):
        return self._longest(lambda part: part.nsmallest(n))

    def _longest(self, choose):
        """Some rows of each group, under its label and their own."""
        from pandas.levels import named

        column = self._table[self._chosen] if hasattr(self._table, "columns") else self._table
        parts = [(key, choose(column.iloc[places])) for key, places in self.indices.items()]
        labels = [(*key, label) for key, part in parts for label in part.index]
        values = [value for _, part in parts for value in part.tolist()]
        return column._like_at(np.array(values), named(labels, [*self._names, column.index.name]))

    def size(self):
        counts = [len(places) for places in self.indices.values()]
        if not self._as_index:
            return self._made({"size": counts}, False)
        made = self._made({"size": counts}, True)
        whole = hasattr(self._table, "columns")
        made.name = (self._chosen if isinstance(self._chosen, str) else None) if whole else self._table.name
        return made

    def agg(self, function=None, **named):
        if named and (isinstance(self._chosen, str) or not hasattr(self._table, "columns")):
            return self._made({name: self.agg(how)._values for name, how in named.items()}, False)
        if named:
            found = {name: self[column].agg(how) for name, (column, how) in named.items()}
            return self._made({name: part._values for name, part in found.items()}, False)
        if isinstance(function, dict):
            if any([isinstance(how, list) for how in function.values()]):
                made = {}
                for name, how in function.items():
                    part = self._figured([name], how if isinstance(how, list) else [how])
                    made.update(part._columns)
                return self._made(made, False)
            found = {name: Groups(self._table, self._by, chosen=name).agg(how) for name, how in function.items()}
            return self._made({name: part._values for name, part in found.items()}, False)
        if isinstance(function, list):
            if hasattr(self._table, "columns") and not isinstance(self._chosen, str):
                return self._made(self._figured(self._columns(), function)._columns, False)
            found = {name: self._figures(figure_of(how)) for name, how in zip(_names_of(function), function)}
            return self._made({name: part._values for name, part in found.items()}, False)
        return self.size() if function == "size" else self._figures(figure_of(function))

    aggregate = agg

    def _figured(self, names, functions):
        """A table of figures under the names of their columns and of the functions."""
        from pandas.frame import DataFrame

        made = {}
        for name in names:
            column = Groups(self._table, self._by, True, self._sort, name)
            for called, how in zip(_names_of(functions), functions):
                made[name, called] = column.agg(how)._values
        return DataFrame(made, index=self._labels())

    def value_counts(self, normalize=False, sort=True, ascending=False, dropna=True):
        """How often each value occurs in each group."""
        from pandas.series import Series

        labels, counts = [], []
        for key, places in self.indices.items():
            column = self._table[self._chosen] if hasattr(self._table, "columns") else self._table
            found = column.iloc[places].value_counts(normalize, sort, ascending, None, dropna)
            labels += [(*key, label) for label in found.index]
            counts += found.tolist()
        made = Labels(labels)
        made.names = [*self._names, self._chosen if isinstance(self._chosen, str) else self._table.name]
        return Series(counts, made, name="proportion" if normalize else "count")

    def describe(self):
        if hasattr(self._table, "columns") and not isinstance(self._chosen, str):
            made = {}
            for name in self._columns(True):
                part = Groups(self._table, self._by, True, self._sort, name).describe()
                made.update({(name, each): held for each, held in part._columns.items()})
            return self._made(made, False)
        if not hasattr(self._table, "columns"):
            found = [self._table.iloc[places].describe() for places in self.indices.values()]
            return self._made({name: [part[name] for part in found] for name in found[0].index}, False)
        found = [self._table[self._chosen].iloc[places].describe() for places in self.indices.values()]
        return self._made({name: [part[name] for part in found] for name in found[0].index}, False)

    def apply(self, function, include_groups=False):
        from pandas.series import Series

        names = self._chosen if self._chosen is not None else self._columns()
        whole = not hasattr(self._table, "columns")
        parts = [self._table.iloc[places] for places in self.indices.values()]
        parts = parts if whole else [part[names] for part in parts]
        found = [function(part) for part in parts]
        if found and (hasattr(found[0], "_columns") or (isinstance(found[0], Series) and self._stacks(found, parts))):
            return self._below(found, parts)
        if found and isinstance(found[0], Series):
            return self._made({name: [each[name] for each in found] for name in found[0].index}, False)
        made = self._made({None: found}, True)
        made.name = self._chosen if isinstance(self._chosen, str) else None
        return made

    progress_apply = apply  # tqdm's

    def _stacks(self, found, parts):
        """Do the columns that a function gave stand one below the other, and not each as a row?"""
        same = all([list(each.index) == list(found[0].index) for each in found])
        rows = all([list(each.index) == list(part.index) for each, part in zip(found, parts)])
        return not same or rows or not hasattr(parts[0], "_columns")

    def _below(self, found, parts):
        """Tables or columns one below the other, each under its group's label, where `group_keys` says so."""
        from pandas.together import concat

        if not self._group_keys:
            made = concat(found)
            if all([list(each.index) == list(part.index) for each, part in zip(found, parts)]):
                order = sorted(
                    range(len(made)), key=[i for places in self.indices.values() for i in places].__getitem__
                )
                return made.iloc[order]
            return made
        keys = [key if len(key) > 1 else key[0] for key in self.indices]
        made = concat(found, keys=keys)
        rest = made.index.names[1:] if len(self._names) == 1 else found[0].index.names
        if len(self._names) > 1:
            labels = [
                (*key, *(label if isinstance(label, tuple) else (label,)))
                for key, part in zip(self.indices, found)
                for label in part.index
            ]
            made.index = type(made.index)(labels)
        made.index.names = [*self._names, *rest]
        return made

    def cumcount(self, ascending=True):
        """The number of each row in its group, from 0."""
        return self._numbered(lambda group, places: range(len(places)) if ascending else range(len(places))[::-1])

    def ngroup(self):
        return self._numbered(lambda group, places: [group] * len(places))

    def _numbered(self, numbers):
        from pandas.series import Series

        made = [nan] * len(self._table)
        for group, places in enumerate(self.indices.values()):
            for place, number in zip(places, numbers(group, places)):
                made[place] = number
        return Series(made, self._table.index)

    def head(self, n=5):
        return self._part(sorted([place for places in self.indices.values() for place in places[:n]]))

    def tail(self, n=5):
        return self._part(
            sorted([place for places in self.indices.values() for place in places[max(len(places) - n, 0) :]])
        )

    def cumsum(self):
        return self.transform(lambda part: part.cumsum())

    def cummax(self):
        return self.transform(lambda part: part.cummax())

    def cummin(self):
        return self.transform(lambda part: part.cummin())

    def cumprod(self):
        return self.transform(lambda part: part.cumprod())

    def ffill(self, limit=None):
        return self.transform(lambda part: part.ffill(limit=limit))

    def bfill(self, limit=None):
        return self.transform(lambda part: part.bfill(limit=limit))

    def shift(self, periods=1):
        return self.transform(lambda part: part.shift(periods))

    def diff(self, periods=1):
        return self.transform(lambda part: part.diff(periods))

    def pct_change(self):
        return self.transform(lambda part: part.pct_change())

    def rank(self, ascending=True):
        return self.transform(lambda part: part.rank(ascending=ascending))

    def transform(self, function):
        if hasattr(self._table, "columns") and not isinstance(self._chosen, str):
            from pandas.frame import DataFrame

            names = self._columns()
            parts = [Groups(self._table, self._by, chosen=name).transform(function)._values for name in names]
            return DataFrame(dict(zip(names, parts)), index=self._table.index)
        column = self._table[self._chosen] if hasattr(self._table, "columns") else self._table
        made = [nan] * len(column)
        for places in self.indices.values():
            part = column.iloc[places]
            found = figure_of(function)(part)
            for number, place in enumerate(places):
                made[place] = found._values[number] if hasattr(found, "_values") else found
        return column._like(made)


class MergeError(ValueError):
    pass


def merge(
    left, right, how="inner", on=None, left_on=None, right_on=None, left_index=False, right_index=False, sort=False,
    suffixes=("_x", "_y"), copy=None, indicator=False, validate=None,
):  # fmt: skip
    """The rows of two tables that share the values of some columns, or labels, side by side; all with all where `how` is
    "cross"."""
    if hasattr(right, "to_frame"):
        right = right.to_frame()
    if left_index or right_index:
        return _by_index(left, right, how, left_on, right_on, left_index, right_index, suffixes)
    if how == "cross":
        if on is not None or left_on is not None or right_on is not None:
            raise MergeError("Can not pass on, right_on, left_on or set right_index=True or left_index=True")
        pairs = [(i, j) for i in range(len(left)) for j in range(len(right))]
        return _beside(left, right, pairs, suffixes, [])
    if how not in ("left", "right", "inner", "outer"):
        raise ValueError(
            f"'{how}' is not a valid Merge type: left, right, inner, outer, left_anti, right_anti, cross, asof"
        )
    if on is None and left_on is None:
        on = [name for name in left.columns if name in right]
        if not on:
            raise ValueError("No common columns to perform merge on.")
    ours = on if left_on is None else left_on
    theirs = on if right_on is None else right_on
    ours, theirs = [[keys] if isinstance(keys, str) else list(keys) for keys in (ours, theirs)]
    lost = [name for name in ours if name not in left] + [name for name in theirs if name not in right]
    if lost:
        raise KeyError(lost[0])
    a = list(zip(*[left[name].tolist() for name in ours]))
    b = list(zip(*[right[name].tolist() for name in theirs]))
    found = {}
    for place, key in enumerate(b):
        found.setdefault(key, []).append(place)
    if how == "right":
        mine = {}
        for place, key in enumerate(a):
            mine.setdefault(key, []).append(place)
        pairs = [(i, j) for j, key in enumerate(b) for i in mine.get(key, [None])]
    else:
        alone = [None] if how in ("left", "outer") else []
        pairs = [(i, j) for i, key in enumerate(a) for j in found.get(key, alone)]
    if how == "outer":
        known = set(a)
        pairs += [(None, j) for j, key in enumerate(b) if key not in known]
        pairs.sort(key=lambda pair: b[pair[1]] if pair[0] is None else a[pair[0]])
    shared = [name for name, other in zip(ours, theirs) if name == other]
    made = _beside(left, right, pairs, suffixes, shared)
    if indicator:
        made[indicator if isinstance(indicator, str) else "_merge"] = _sides(pairs)
    return made


def _sides(pairs):
    """Where each row comes from."""
    from pandas.categories import Categorical

    found = ["right_only" if i is None else "left_only" if j is None else "both" for i, j in pairs]
    return Categorical(found, ["left_only", "right_only", "both"])


def _by_index(left, right, how, left_on, right_on, left_index, right_index, suffixes):
    """merge() by the labels of one table or of both."""
    both = [name for name in left.columns if name in right]
    mine, theirs = ({name: f"{name}{suffix}" for name in both} for suffix in suffixes)
    left, right = left.rename(columns=mine), right.rename(columns=theirs)
    if left_index and right_index:
        made = left.join(right, how=how)
        return made
    if right_index:
        return left.join(right, on=mine.get(left_on, left_on), how=how)
    made = right.join(left, on=theirs.get(right_on, right_on), how={"left": "right", "right": "left"}.get(how, how))
    return made[[*left.columns, *right.columns]]


def _beside(left, right, pairs, suffixes, shared):
    """Rows of two tables side by side, by their places; the columns of `shared` once."""
    from pandas.frame import DataFrame

    first, second = [i for i, _ in pairs], [j for _, j in pairs]
    made = {}
    for name, values in left._columns.items():
        if name in shared:
            mine, theirs = values.tolist(), right._columns[name].tolist()
            cells = [theirs[j] if i is None else mine[i] for i, j in pairs]
            made[name] = np.array(cells, dtype=values.dtype) if values.dtype.kind != "U" else cells
        else:
            made[f"{name}{suffixes[0]}" if name in right else name] = picked(values, first)
    for name, values in right._columns.items():
        if name not in shared:
            made[f"{name}{suffixes[1]}" if name in left else name] = picked(values, second)
    return DataFrame(made)


def melted(table, ids, names, var_name, value_name, ignore_index):
    """A row for each cell of some columns: its column's name, its value, and what the other columns have in its row."""
    from pandas.frame import DataFrame

    ids = [] if ids is None else [ids] if isinstance(ids, str) else list(ids)
    if names is None:
        names = [name for name in table.columns if name not in ids]
    names = [names] if isinstance(names, str) else list(names)
    lost = [name for name in [*ids, *names] if name not in table]
    if lost:
        raise KeyError(f"The following id_vars or value_vars are not present in the DataFrame: {lost}")
    parts = [table._columns[name] for name in names]
    if len({part.dtype.kind == "U" for part in parts}) > 1:
        values = [cell for part in parts for cell in part.tolist()]
    else:
        values = np.concatenate(parts)
    made = {name: np.concatenate([table._columns[name]] * len(names)) for name in ids}
    made["variable" if var_name is None else var_name] = [name for name in names for _ in range(len(table))]
    made[value_name] = values
    return DataFrame(made, index=None if ignore_index else list(table.index) * len(names))
