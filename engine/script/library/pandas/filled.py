# type: ignore
"""pandas.filled: gaps filled, values replaced and kept within bounds; each of it in place too, which gives the same
table or column back."""

import re

import numpy as np
from pandas.values import array_of, missing, nan, objects


class _Nothing:
    """What stands for an argument that was not given."""

    def __repr__(self):
        return "<no_default>"


NOTHING = _Nothing()


def _carried(values, backwards, limit):
    """Values whose gaps have what stands before them (behind them), so many in a row at most."""
    gaps, held, last, run = missing(values).tolist(), values.tolist(), None, 0
    if not any(gaps):
        return values
    order = range(len(held))[::-1] if backwards else range(len(held))
    for place in order:
        if not gaps[place]:
            last, run = held[place], 0
        elif last is not None and (limit is None or run < limit):
            held[place], run = last, run + 1
        else:
            held[place] = nan
    return objects(held) if values.dtype.kind == "O" else array_of(held)


def filled(column, value, limit):
    """A column's array with `value` in its gaps: one for all, or by the labels one for each."""
    values, gaps = column._values, missing(column._values)
    if not gaps.any():
        return values.copy()
    if limit is not None:
        gaps = gaps & (np.cumsum(gaps) <= limit)
    if isinstance(value, dict) or hasattr(value, "index") and hasattr(value, "_values"):
        known = value if isinstance(value, dict) else dict(zip(value.index, value.tolist()))
        others = [known.get(label, nan) for label in column.index]
    else:
        others = [value] * len(values)
    if column._categories is not None:
        for place in np.arange(len(values))[gaps].tolist():
            if others[place] == others[place] and others[place] not in column._categories:
                raise TypeError(
                    f"Cannot setitem on a Categorical with a new category ({others[place]}), set the categories first"
                )
    kind = values.dtype.kind
    new = [other for other, gap in zip(others, gaps.tolist()) if gap]
    texts = [isinstance(each, str) for each in new]
    if kind in "fc" and not any(texts):
        return np.where(gaps, np.array(new[0] if len(new) == 1 else others, dtype=values.dtype), values)
    made = [other if gap else each for each, other, gap in zip(column.tolist(), others, gaps.tolist())]
    if kind == "U" and all([text or each != each for text, each in zip(texts, new)]):
        return array_of(made)
    return array_of(made) if kind in "Mm" else objects(made)


def replaced(column, given, regex):
    """A column's array with other values for those of `given`; a text for a part of texts where `regex` says so."""
    values, held = column._values, column.tolist()
    if regex:
        made = held
        for pattern, other in given.items():
            if isinstance(pattern, str) and isinstance(other, str):
                made = [re.sub(pattern, other, each) if isinstance(each, str) else each for each in made]
            else:
                found = [isinstance(each, str) and re.search(pattern, each) for each in made]
                made = [other if hit else each for each, hit in zip(made, found)]
    else:
        made = [given.get(each, each) for each in held]
        if any([key is None or key != key for key in given]):
            other = next(value for key, value in given.items() if key is None or key != key)
            made = [other if lost else each for each, lost in zip(made, missing(values).tolist())]
    text = values.dtype.kind == "U"
    changed = [each for each, before in zip(made, held) if each is not before and each == each and each is not None]
    if values.dtype.kind == "O" or any([isinstance(each, str) != text for each in changed]):
        return objects(made)
    found = array_of(made)
    return found.astype(values.dtype) if found.dtype.kind == values.dtype.kind == "f" else found


def _pairs(to_replace, value):
    """What is replaced by what, as a dict."""
    if isinstance(to_replace, dict):
        return to_replace
    many = isinstance(to_replace, (list, tuple, np.ndarray))
    others = list(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    if others is not None and many and len(others) != len(to_replace):
        raise ValueError(f"Replacement lists must match in length. Expecting {len(to_replace)} got {len(others)} ")
    keys = list(to_replace) if many else [to_replace]
    return dict(zip(keys, others if others is not None else [value] * len(keys)))


def _on_line(values, direction, limit):
    """Gaps between known numbers on the line between them; those at the end (at the beginning) as what is next."""
    gaps = missing(values)
    if not gaps.any() or gaps.all():
        return values.copy()
    places = np.arange(len(gaps))
    made = np.interp(places, places[~gaps], values[~gaps].astype(float))
    if direction == "forward":
        made[: places[~gaps][0]] = nan
    elif direction == "backward":
        made[places[~gaps][-1] + 1 :] = nan
    if limit is not None:
        run = 0
        for place in places.tolist():
            run = run + 1 if gaps[place] else 0
            made[place] = nan if run > limit else made[place]
    return made.astype(values.dtype) if values.dtype.kind == "f" else made


class NDFrame:
    """What tables and columns have alike; what is wrong with a call is told with this name."""

    def _changed(self, change, inplace):
        """Every column changed by a function that gives its array; in place the table itself is what is given."""
        whole = not hasattr(self, "_columns")
        if whole:
            made = self._like(change(self))
            made._categories = self._categories
        else:
            made = self._each(lambda column: column._like(change(column)))
        if not inplace:
            return made
        if whole:
            self._values = made._values
        else:
            self._columns = made._columns
        return self

    def fillna(self, value, *, axis=None, inplace=False, limit=None):
        if isinstance(value, (list, tuple)):
            raise TypeError(f'"value" parameter must be a scalar or dict, but you passed a "{type(value).__name__}"')
        if not hasattr(self, "_columns"):
            return self._changed(lambda column: filled(column, value, limit), inplace)
        given = value
        if hasattr(value, "_columns"):
            given = {name: value[name] for name in value.columns}
        elif hasattr(value, "index") and hasattr(value, "_values"):
            given = dict(zip(value.index, value.tolist()))
        each = given if isinstance(given, dict) else dict.fromkeys(self.columns, given)
        return self._changed(
            lambda column: filled(column, each[column.name], limit) if column.name in each else column._values, inplace
        )

    def ffill(self, *, axis=None, inplace=False, limit=None, limit_area=None):
        return self._changed(lambda column: _carried(column._values, False, limit), inplace)

    def bfill(self, *, axis=None, inplace=False, limit=None, limit_area=None):
        return self._changed(lambda column: _carried(column._values, True, limit), inplace)

    def interpolate(self, method="linear", *, axis=0, limit=None, inplace=False, limit_direction=None, limit_area=None):
        if method != "linear" or limit_area is not None:
            raise NotImplementedError(f"interpolate(method={method!r}) is not supported in scripts here")
        if limit is not None and limit_direction not in (None, "forward"):
            raise NotImplementedError("interpolate() of so many gaps backwards is not supported in scripts here")
        way = limit_direction or "forward"
        return self._changed(
            lambda column: (
                _on_line(column._values, way, limit) if column._values.dtype.kind in "iuf" else column._values
            ),
            inplace,
        )

    def replace(self, to_replace=None, value=NOTHING, *, inplace=False, regex=False):
        if to_replace is None and regex is not False:
            to_replace, regex = regex, True
        if value is NOTHING and not isinstance(to_replace, dict):
            raise ValueError(
                f"{type(self).__name__}.replace must specify either 'value', a dict-like 'to_replace', "
                "or dict-like 'regex'."
            )
        named = isinstance(to_replace, dict) and (
            value is not NOTHING or any([isinstance(each, dict) for each in to_replace.values()])
        )
        if hasattr(self, "_columns") and named:  # of every column something else

            def pairs(name):
                other = value.get(name) if isinstance(value, dict) else value
                return _pairs(to_replace[name], other)

            return self._changed(
                lambda column: (
                    replaced(column, pairs(column.name), regex) if column.name in to_replace else column._values
                ),
                inplace,
            )
        given = _pairs(to_replace, value)
        return self._changed(lambda column: replaced(column, given, regex), inplace)

    def clip(self, lower=None, upper=None, *, axis=None, inplace=False, **kwargs):
        def bound(given, column):
            named = hasattr(given, "index") and hasattr(given, "_values") and hasattr(self, "_columns")
            return given[column.name] if named and axis in (1, "columns") else getattr(given, "_values", given)

        def clipped(column):
            low, high = bound(lower, column), bound(upper, column)
            return column._values if low is None and high is None else np.clip(column._values, low, high)

        return self._changed(clipped, inplace)
