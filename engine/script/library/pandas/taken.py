# type: ignore
"""pandas.taken: which values a column takes without becoming another, and what is said of the others."""

from datetime import datetime, timedelta

import numpy as np
from pandas.values import NONE, SCALARS, array_of, dtype_of, nan

WHOLE, TRUTH = (int, np.integer), (bool, np.bool_)


def fits(held, value):
    """Whether a value may stand in a column: whole numbers, truth and texts do not become something else."""
    kind, gap = held.dtype.kind, _gap(value)
    if kind == "U" or gap:
        return gap and kind != "b" or isinstance(value, str)
    if kind in "biuf":
        truth, text = isinstance(value, TRUTH), isinstance(value, (str, datetime, timedelta))
        return truth if kind == "b" else not (truth or text) and (kind == "f" or value == int(value))
    return True


def _gap(value):
    return isinstance(value, (float, np.floating)) and value != value


def all_fit(held, values, whole):
    """The same of many: an array's numbers are looked at, a list's kinds. Gaps make decimals of whole numbers, where not
    all rows (`whole`) are meant."""
    kind = held.dtype.kind
    if kind not in "Ubiuf" or not isinstance(values, (list, tuple, range, np.ndarray)):
        return True
    if isinstance(values, np.ndarray) and values.dtype.kind != "O":
        given = values.dtype.kind
        if given == "f" and kind in "iu":
            known = values if whole else values[~np.isnan(values)]
            return bool(np.isfinite(known).all()) and bool((known == np.floor(known)).all())
        if given == "f" and kind == "U":
            return bool(np.isnan(values).all())
        return given in {"U": "U", "b": "b", "f": "iuf"}.get(kind, "iu")
    if kind == "U":
        return all([isinstance(each, str) or each is None or _gap(each) for each in values])
    if kind == "b":
        return all([isinstance(each, TRUTH) for each in values])
    numbers = WHOLE if kind in "iu" else (*WHOLE, float, np.floating)
    return all([isinstance(each, numbers) and not isinstance(each, TRUTH) for each in values])


def refusal(held, value, given, whole):
    """What is said of a value that a column does not take: `given` is what the script gave, a Series for example, and
    `whole` says that all rows were meant."""
    dtype = dtype_of(held)
    if isinstance(value, SCALARS):
        more = f". Value should be a string or missing value, got '{type(value).__name__}' instead."
        return f"Invalid value '{value}' for dtype '{dtype}'{more if held.dtype.kind == 'U' and not whole else ''}"
    if held.dtype.kind == "U" and not whole:
        return "Invalid value for dtype 'str'. Value should be a string or missing value (or array of those)."
    if hasattr(given, "index") and isinstance(value, np.ndarray) and value.dtype.kind in "UM":
        texts, name = value.dtype.kind == "U", dtype_of(value)
        items = ", ".join([repr(each if texts else str(each)) for each in given.tolist()])
        value = f"<{'String' if texts else 'Datetime'}Array>\n[{items}]\nLength: {len(value)}, dtype: {name}"
    return f"Invalid value '{value}' for dtype '{dtype}'"


def put(held, places, value, given, whole):
    """A column's array with `value` at the places: it becomes a wider one of texts, or one of decimals where gaps make
    whole numbers so. Raises TypeError for what the column does not take."""
    held = held.copy()  # a column that was taken from a table does not change with it, nor the table with the column
    if held.dtype.kind == "O":
        held[places] = value
        return held
    value = nan if value is None else value
    if not (fits(held, value) if isinstance(value, SCALARS) else all_fit(held, value, whole)):
        raise TypeError(refusal(held, value, given, whole))
    if held.dtype.kind == "U" and isinstance(value, (float, np.floating)):
        value = NONE
    values = array_of(value) if not isinstance(value, SCALARS) else np.asarray(value)
    if values.dtype.kind == held.dtype.kind == "U":
        held = held.astype(np.result_type(held, values))
    elif values.dtype.kind == "f" and held.dtype.kind in "iu" and np.isnan(values).any():
        held = held.astype(float)
    held[places] = values
    return held


def lengthened(held, value):
    """A column's array and one value more: it stays what it is where the value is a number that it takes."""
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, TRUTH) and not _gap(value)
    if number and len(held) and held.dtype.kind in "iuf" and fits(held, value):
        return np.append(held, np.asarray(value).astype(held.dtype))
    return array_of([*held.tolist(), value])
