# type: ignore
"""pandas.categories: Series.cat, a column as codes of its sorted values."""

import numpy as np
from pandas.display import options
from pandas.labels import Labels
from pandas.values import missing

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
        unknown = missing(self._column._values).tolist()
        found = [-1 if lost else places[each] for each, lost in zip(self._column.tolist(), unknown)]
        return self._column._like(np.array(found, dtype="int8" if len(places) < 128 else "int16"))._renamed(None)

    @property
    def ordered(self):
        return isinstance(self._column._categories, Ordered)

    def _with(self, kinds, ordered=None, values=None):
        """The column with other categories; what is none of them is missing."""
        known = set(kinds)
        held = self._column.tolist() if values is None else values
        if not all([each in known for each in held]):
            held = [each if each in known else None for each in held]
        made = self._column._like(held)
        made._categories = Ordered(kinds) if (self.ordered if ordered is None else ordered) else list(kinds)
        return made

    def as_ordered(self):
        return self._with(list(self.categories), True)

    def as_unordered(self):
        return self._with(list(self.categories), False)

    def set_categories(self, new_categories, ordered=None, rename=False):
        return self._with(list(new_categories), ordered)

    def reorder_categories(self, new_categories, ordered=None):
        if set(new_categories) != set(self.categories):
            raise ValueError("items in new_categories are not the same as in old categories")
        return self._with(list(new_categories), ordered)

    def add_categories(self, new_categories):
        more = [new_categories] if isinstance(new_categories, str) else list(new_categories)
        return self._with([*self.categories, *more])

    def remove_categories(self, removals):
        gone = [removals] if isinstance(removals, str) else list(removals)
        return self._with([each for each in self.categories if each not in gone])

    def remove_unused_categories(self):
        there = set(self._column.dropna().tolist())
        return self._with([each for each in self.categories if each in there])

    def rename_categories(self, new_categories):
        old = list(self.categories)
        if isinstance(new_categories, dict):
            new = [new_categories.get(each, each) for each in old]
        else:
            new = [new_categories(each) for each in old] if callable(new_categories) else list(new_categories)
        if len(new) != len(old):
            raise ValueError("new categories need to have the same number of items as the old categories!")
        names = dict(zip(old, new))
        return self._with(new, None, [names.get(each) for each in self._column.tolist()])

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


class CategoricalDtype:
    """What columns of a few different values are."""

    name, kind = "category", "O"

    def __init__(self, categories=None, ordered=False):
        self.categories = None if categories is None else Labels(list(categories))
        self.ordered = ordered

    def __eq__(self, other):
        return isinstance(other, CategoricalDtype) or (isinstance(other, str) and other == "category")

    def __hash__(self):
        return hash("category")

    def __str__(self):
        return "category"

    def kinds(self):
        """The categories as a column holds them; None where its values say which there are."""
        if self.categories is None:
            return None
        return Ordered(self.categories) if self.ordered else list(self.categories)


class Categorical:
    """Values of which there are a few different ones, without labels."""

    def __init__(self, values, categories=None, ordered=None, dtype=None):
        from pandas.series import Series

        if hasattr(dtype, "kinds"):
            categories, ordered = dtype.categories, dtype.ordered
        column = Series(values)
        known = column._categories if categories is None else list(categories)
        if known is None:
            known = sorted(set(column.dropna().tolist()))
        elif categories is not None:
            held = set(known)
            if not all([each in held for each in column.dropna().tolist()]):
                column = Series([each if each in held else None for each in column.tolist()])
        self._column = column
        column._categories = (
            Ordered(known) if ordered or isinstance(known, Ordered) and ordered is None else list(known)
        )

    @staticmethod
    def from_codes(codes, categories=None, ordered=None, dtype=None):
        if hasattr(dtype, "kinds"):
            categories, ordered = dtype.categories, dtype.ordered
        categories = list(categories)
        return Categorical([None if code < 0 else categories[code] for code in codes], categories, ordered)

    @property
    def _categories(self):
        return self._column._categories

    @property
    def _values(self):
        return self._column._values

    @property
    def categories(self):
        return Labels(list(self._column._categories))

    @property
    def codes(self):
        return self._column.cat.codes._values

    @property
    def ordered(self):
        return self._column.cat.ordered

    @property
    def dtype(self):
        return CategoricalDtype(self.categories, self.ordered)

    @property
    def shape(self):
        return (len(self),)

    def value_counts(self, dropna=True):
        return self._column.value_counts(sort=False, dropna=dropna)

    def astype(self, dtype):
        return self._column.astype(dtype)._values

    def tolist(self):
        return self._column.tolist()

    def isna(self):
        return missing(self._column._values)

    def __array__(self, dtype=None, copy=None):
        held = self._column._values
        held = np.array(self.tolist(), dtype=object) if held.dtype.kind == "U" else held
        return held if dtype is None else held.astype(dtype)

    def __len__(self):
        return len(self._column)

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, key):
        found = self._column.iloc[key]
        return Categorical(found) if hasattr(found, "_values") else found

    def __eq__(self, other):
        return (self._column == other)._values

    def __repr__(self):
        def told(each):
            return "NaN" if each is None or each != each else f"{each}" if hasattr(each, "closed") else repr(each)

        held = [told(each) for each in self.tolist()]
        more = [f"Length: {len(held)}"] if len(held) > 10 else []
        held = [*held[:5], "...", *held[-5:]] if more else held
        return "\n".join([f"[{', '.join(held)}]", *more, self._column.cat.text()])
