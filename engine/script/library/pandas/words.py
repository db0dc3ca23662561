# type: ignore
"""pandas.words: texts in a row, without labels."""

import numpy as np
from pandas.values import STRINGS


class StringArray(list):
    """The texts that Series.unique() gives, and what lies in a row as they do."""

    @property
    def shape(self):
        return (len(self),)

    @property
    def size(self):
        return len(self)

    @property
    def dtype(self):
        return STRINGS

    def __getitem__(self, key):
        if isinstance(key, slice):
            return type(self)(list(self)[key])
        if isinstance(key, (list, np.ndarray)) or hasattr(key, "_values"):
            places = np.arange(len(self))[np.asarray(key)] if len(key) else []
            return type(self)([list.__getitem__(self, place) for place in places])
        return list.__getitem__(self, key)

    def __array__(self, dtype=None, copy=None):
        held = np.array([*self, None], dtype=object)[:-1]
        return held if dtype is None else held.astype(dtype)

    def __eq__(self, other):
        return np.array(list(self)) == (np.array(list(other)) if isinstance(other, list) else other)

    def __ne__(self, other):
        return np.array(list(self)) != (np.array(list(other)) if isinstance(other, list) else other)

    def astype(self, dtype):
        if dtype in (str, "str"):
            return type(self)(self)
        return (
            np.array(list(self), dtype=object)
            if dtype in (object, "object", "O")
            else np.array(list(self)).astype(dtype)
        )

    def to_numpy(self):
        return self.__array__()

    def copy(self):
        return type(self)(self)

    def isna(self):
        return np.array([each != each for each in self], dtype=bool)

    def unique(self):
        return type(self)(dict.fromkeys(self))

    def tolist(self):
        return list(self)

    def __repr__(self):
        return f"<StringArray>\n[{', '.join([repr(each) for each in self])}]\nLength: {len(self)}, dtype: str"
