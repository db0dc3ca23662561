# type: ignore
"""pandas.groups: rows that share the values of some columns."""

import numpy as np
from pandas.group_changes import GroupChanges
from pandas.group_figures import GroupFigures
from pandas.labels import Labels
from pandas.values import missing


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


class Groups(GroupFigures, GroupChanges):
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
        raise AttributeError(f"'{self._kind()}' object has no attribute '{name}'")

    def __repr__(self):
        return f"<pandas.api.typing.{self._kind()} object at 0x{id(self):012x}>"

    def _kind(self):
        return "DataFrameGroupBy" if self._several else "SeriesGroupBy"

    @property
    def _several(self):
        """Are columns of a table grouped, and not one column alone?"""
        return hasattr(self._table, "_columns") and not isinstance(self._chosen, str)

    @property
    def _one(self):
        """The column that is grouped alone."""
        return self._table[self._chosen] if hasattr(self._table, "_columns") else self._table

    def _alone(self, name=None):
        """The groups of one column, the `name`d one of several: its figures stand under their labels."""
        return Groups(self._table, self._by, True, self._sort, self._chosen if name is None else name)

    def _columns(self, numeric_only=False):
        """The names of a table's columns that are grouped."""
        chosen = [self._chosen] if isinstance(self._chosen, str) else self._chosen
        names = [name for name in self._table.columns if name not in self._names] if chosen is None else chosen
        return [name for name in names if not numeric_only or self._table[name]._values.dtype.kind in "biuf"]

    def _parts(self, numeric_only=False):
        """The columns that are grouped, by their names."""
        if not hasattr(self._table, "_columns"):
            return {self._table.name: self._table}
        return {name: self._table[name] for name in self._columns(numeric_only)}

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

        column = self._one
        parts = [(key, choose(column.iloc[places])) for key, places in self.indices.items()]
        labels = [(*key, label) for key, part in parts for label in part.index]
        values = [value for _, part in parts for value in part.tolist()]
        return column._like_at(np.array(values), named(labels, [*self._names, column.index.name]))

    def apply(self, function, include_groups=False):
        from pandas.series import Series

        parts = [self._table.iloc[places] for places in self.indices.values()]
        if hasattr(self._table, "_columns"):
            names = self._chosen if self._chosen is not None else self._columns()
            parts = [part[names] for part in parts]
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

    def head(self, n=5):
        return self._part(sorted([place for places in self.indices.values() for place in places[:n]]))

    def tail(self, n=5):
        return self._part(
            sorted([place for places in self.indices.values() for place in places[max(len(places) - n, 0) :]])
        )
