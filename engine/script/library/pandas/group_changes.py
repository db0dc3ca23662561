# type: ignore
"""pandas.group_changes: a value for each row, made within its group."""

from pandas.functions import figure_of
from pandas.values import nan


class GroupChanges:
    """What is made of each row within its group."""

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
        if self._several:
            from pandas.frame import DataFrame

            names = self._columns()
            parts = [self._alone(name).transform(function)._values for name in names]
            return DataFrame(dict(zip(names, parts)), index=self._table.index)
        column = self._one
        made = [nan] * len(column)
        for places in self.indices.values():
            part = column.iloc[places]
            found = figure_of(function)(part)
            for number, place in enumerate(places):
                made[place] = found._values[number] if hasattr(found, "_values") else found
        return column._like(made)
