# type: ignore
"""pandas.categories: Series.cat, a column as codes of its sorted values."""

import numpy as np
from pandas.shown import Labels, missing, options


NO_CATEGORY = "Can only use .cat accessor with a 'category' dtype"


class Ordered(list):
    """Categories that stand in an order."""


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

    @property
    def ordered(self):
        return isinstance(self._column._categories, Ordered)

    def text(self):
        """The lines below a column that is shown."""
        names = list(self._column._categories)
        spans = hasattr(names[0], "closed")
        texts = [f"{each}" if spans else repr(each) for each in names]
        kind = "str" if isinstance(names[0], str) else f"{np.asarray(names).dtype}"
        if spans:
            kind = f"interval[{np.asarray([names[0].left]).dtype}, {names[0].closed}]"
        head = f"Categories ({len(texts)}, {kind}): "
        texts = texts if len(texts) <= 8 else [*texts[:4], "...", *texts[-4:]]
        between = " < " if self.ordered else ", "
        shown, width = "", len(head)
        for place, text in enumerate(texts):
            if width + len(between) + len(text) > options.display.width:
                shown += f"{between.rstrip()}\n{' ' * (len(head) + 1)}"
                width = len(head) + 1
            elif place:
                shown += between
                width += len(between)
            shown += text
            width += len(text)
        return f"{head}[{shown}]"
