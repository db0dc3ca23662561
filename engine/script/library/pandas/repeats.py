# type: ignore
"""pandas.repeats: which of several things are there more than once."""

from pandas.labels import Labels


def repeated(things, keep="first"):
    """Whether each is there a second time: the first, the last or (keep=False) none of them is left out."""
    if keep not in ("first", "last", False):
        raise ValueError('keep must be either "first", "last" or False')
    things = ["\0none" if each is None or each != each else each for each in things]
    counts = {}
    for each in things:
        counts[each] = counts.get(each, 0) + 1
    if keep is False:
        return [counts[each] > 1 for each in things]
    seen, made = {}, []
    for place, each in enumerate(things):
        seen[each] = seen.get(each, 0) + 1
        made.append(seen[each] > 1 if keep == "first" else seen[each] < counts[each])
    return made


class RepeatsOfTables:
    def duplicated(self, subset=None, keep="first"):
        names = self.columns if subset is None else subset if isinstance(subset, (list, tuple)) else [subset]
        lost = [name for name in names if name not in self._columns]
        if lost:
            raise KeyError(Labels(lost))
        rows = list(zip(*[self._columns[name].tolist() for name in names]))
        return self._column(repeated(rows, keep), self.index, None)

    def drop_duplicates(self, subset=None, *, keep="first", inplace=False, ignore_index=False):
        made = self[~self.duplicated(subset, keep)._values]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)


class RepeatsOfColumns:
    def duplicated(self, keep="first"):
        return self._like(repeated(list(self), keep))

    def drop_duplicates(self, *, keep="first", inplace=False, ignore_index=False):
        made = self[~self.duplicated(keep)._values]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)
