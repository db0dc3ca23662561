# type: ignore
"""pandas.categories: Series.cat, a column as codes of its sorted values."""

import numpy as np
from pandas.shown import Labels, missing


NO_CATEGORY = "Can only use .cat accessor with a 'category' dtype"


class Categories:
    """What `Series.cat` gives of a column that is `astype("category")`."""

    def __init__(self, column):
        if column._categories is None:
            raise AttributeError(NO_CATEGORY)
        self._column = column

    @property
    def categories(self):
        return Labels(self._column._categories)

    @property
    def codes(self):
        """The place of each value among the categories as int8; -1 where it is missing."""
        places = {each: place for place, each in enumerate(self.categories)}
        unknown = missing(self._column.values).tolist()
        found = [-1 if lost else places[each] for each, lost in zip(self._column.tolist(), unknown)]
        return self._column._like(np.array(found, dtype="int8" if len(places) < 128 else "int16"))._renamed(None)

    def text(self):
        """The line below a column that is shown."""
        names = self.categories
        texts = [repr(each) for each in names]
        kind = "str" if isinstance(names[0], str) else f"{names.values.dtype}"
        shown = ", ".join(texts) if len(texts) <= 10 else ", ".join([*texts[:4], "...", *texts[-4:]])
        return f"Categories ({len(texts)}, {kind}): [{shown}]"
