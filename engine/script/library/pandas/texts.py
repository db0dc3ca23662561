# type: ignore
"""pandas.texts: what Series.str offers."""

from pandas.shown import nan


class Texts:
    """Methods of text, for each value of a column."""

    def __init__(self, column):
        self._column = column

    def _each(self, function):
        return self._column._like(
            [
                function(each) if isinstance(each, str) else None if each is None else nan
                for each in self._column.tolist()
            ]
        )

    def lower(self):
        return self._each(lambda each: each.lower())

    def upper(self):
        return self._each(lambda each: each.upper())

    def cat(self, sep=""):
        return (sep or "").join(self._column.dropna().tolist())

    def strip(self):
        return self._each(lambda each: each.strip())

    def len(self):
        return self._each(lambda each: len(each))

    def contains(self, part, **kwargs):
        return self._each(lambda each: part in each)

    def startswith(self, part):
        return self._each(lambda each: each.startswith(part))

    def replace(self, old, new, **kwargs):
        return self._each(lambda each: each.replace(old, new))
