# type: ignore
"""pandas.relabelled: rows and columns under other labels."""

from pandas.alignment import same_labels
from pandas.filled import NOTHING
from pandas.labels import Labels, even
from pandas.values import array_of, nan


def renamed(labels, change):
    """Labels, each changed by a dict or a function."""
    made = [(change.get(each, each) if isinstance(change, dict) else change(each)) for each in labels]
    return labels if made == list(labels) else Labels(made, labels.name)


class Relabelled:
    """What tables and columns have alike."""

    def rename_axis(self, mapper=NOTHING, *, index=NOTHING, columns=NOTHING, axis=0):
        """What the labels are called, of the rows or of the columns."""
        if mapper is not NOTHING:
            index, columns = (index, mapper) if axis in (1, "columns") else (mapper, columns)
        made = self.copy()
        if index is not NOTHING:
            made.index = self.index.at(range(len(self.index)))
            made.index.names = list(index) if isinstance(index, (list, tuple)) else [index]
        if columns is not NOTHING:
            made._above = columns
        return made

    def _placed(self, labels):
        """The places of labels among the rows', None where there is none."""
        known = {label: place for place, label in enumerate(self.index)}
        if len(known) < len(self.index):
            raise ValueError("cannot reindex on an axis with duplicate labels")
        return [known.get(label) for label in labels]


class RelabelledOfTables(Relabelled):
    def rename(self, mapper=None, *, index=None, columns=None, axis=None, copy=None, inplace=False, errors="ignore"):
        if mapper is not None:
            index, columns = (index, mapper) if axis in (1, "columns") else (mapper, columns)
        if errors == "raise" and isinstance(columns, dict):
            lost = [name for name in columns if name not in self._columns]
            if lost:
                raise KeyError(f"{lost} not found in axis")
        names = list(self.columns if columns is None else renamed(self.columns, columns))
        made = self._like(dict(zip(names, self._columns.values())), self.index)
        made._categories = {
            new: self._categories[old] for new, old in zip(names, self._columns) if old in self._categories
        }
        if index is not None:
            made.index = renamed(self.index, index)
        done = self._done(made, inplace)
        if inplace:
            self._categories = made._categories
        return done

    def add_prefix(self, prefix):
        return self.rename(columns=lambda name: f"{prefix}{name}")

    def add_suffix(self, suffix):
        return self.rename(columns=lambda name: f"{name}{suffix}")

    def set_axis(self, labels, axis=0):
        made = self.copy()
        if axis in (1, "columns"):
            made.columns = labels
        else:
            made.index = labels
        return made

    def reindex(self, labels=None, index=None, columns=None, fill_value=nan):
        index = labels if index is None else index
        made = self
        if index is not None:
            parts = {name: self[name].reindex(index, fill_value)._values for name in self.columns}
            made = self._like(parts, Labels(index))
        if columns is not None:
            empty = [fill_value] * len(made)
            made = made._like({name: made._columns.get(name, empty) for name in columns}, made.index)
        return made

    def reset_index(self, drop=False, inplace=False):
        names = self.index.names
        levels = zip(*self.index) if len(names) > 1 else [self.index]
        called = [f"level_{i}" if len(names) > 1 else "index" for i in range(len(names))]
        kept = {more if name is None else name: array_of(list(part)) for name, more, part in zip(names, called, levels)}
        several = len(self.columns.names)
        kept = {(name, *[""] * (several - 1)) if several > 1 else name: part for name, part in kept.items()}
        made = self._like({**({} if drop else kept), **self._columns})
        return self._done(made, inplace)

    def set_index(self, keys, drop=True, inplace=False):
        names = keys if isinstance(keys, list) else [keys]
        parts = [self[name].tolist() for name in names]
        labels = Labels(list(zip(*parts)) if len(names) > 1 else even(parts[0]))
        labels.names = list(names)
        kept = {name: part for name, part in self._columns.items() if not drop or name not in names}
        return self._done(type(self)(kept, index=labels), inplace)


class RelabelledOfColumns(Relabelled):
    def rename(self, index=None, inplace=False):
        """Another name, or with a dict or a function other labels."""
        made = self if inplace else self.copy()
        if isinstance(index, dict) or callable(index):
            made.index = renamed(self.index, index)
        else:
            made.name = index
        return None if inplace else made

    def add_prefix(self, prefix):
        return self.rename(lambda label: f"{prefix}{label}")

    def add_suffix(self, suffix):
        return self.rename(lambda label: f"{label}{suffix}")

    def set_axis(self, labels):
        made = self.copy()
        made.index = labels
        return made

    def reindex(self, index, fill_value=nan):
        if same_labels(self.index, index):
            return self.copy()
        from pandas.together import picked

        places, values = self._placed(index), self._values
        if None in places and fill_value == fill_value:
            held = self.tolist()
            values = array_of([fill_value if place is None else held[place] for place in places])
        else:
            values = picked(values, places)
        made = self._like_at(values, Labels(index))
        return made

    def reset_index(self, drop=False, inplace=False, name=None):
        if drop:
            return self._column(self._values, None, self.name)
        return self.to_frame(name or (0 if self.name is None else self.name)).reset_index()
