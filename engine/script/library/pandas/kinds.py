# type: ignore
"""pandas.kinds: the data types of a table's columns, and the choice of columns by them."""

import numpy as np
from pandas.series import Series
from pandas.values import dtype_of

_LETTERS = {
    "number": "iufmc", "float": "f", "floating": "f", "int": "iu", "integer": "iu", "bool": "b", "object": "UO",
    "O": "UO", "str": "U", "string": "U", "datetime": "M", "datetime64": "M", "timedelta": "m", "timedelta64": "m",
}  # fmt: skip


def _is_kind(part, wanted):
    """Is a column of the kind that select_dtypes() is asked for: one of NumPy's, or what several are called?"""
    name = wanted if isinstance(wanted, str) else getattr(wanted, "__name__", f"{wanted}")
    if name in _LETTERS:
        return part.dtype.kind in _LETTERS[name] and not (name == "int" and part.dtype.itemsize != 8)
    if name == "category":
        return False
    return dtype_of(part) == name or name.startswith("datetime64") and part.dtype.kind == "M"


class Kinds(Series):
    """The data types of columns."""

    def __repr__(self):
        if not len(self):
            return "Series([], dtype: object)"
        return "\n".join([*Series.__repr__(self).split("\n")[:-1], "dtype: object"])

    def __eq__(self, other):
        return Series.__eq__(self, str(np.dtype(other)) if isinstance(other, type) else other)

    def __ne__(self, other):
        return Series.__ne__(self, str(np.dtype(other)) if isinstance(other, type) else other)


class KindsOfTables:
    @property
    def dtypes(self):
        return Kinds(self._kinds(), self.columns)

    def _kinds(self):
        """The names of the dtypes of the columns."""
        parts = self._columns.items()
        return ["category" if name in self._categories else dtype_of(part) for name, part in parts]

    def select_dtypes(self, include=None, exclude=None):
        def among(name, part, wanted):
            chosen = wanted if isinstance(wanted, (list, tuple)) else [wanted]
            if name in self._categories:
                return any([str(each) == "category" for each in chosen])
            return any([_is_kind(part, each) for each in chosen])

        if include is None and exclude is None:
            raise ValueError("at least one of include or exclude must be nonempty")
        same = [
            name
            for name, part in self._columns.items()
            if (include is None or among(name, part, include)) and (exclude is None or not among(name, part, exclude))
        ]
        return self[same]
