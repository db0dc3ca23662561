# type: ignore
"""pandas.values: what the values of columns are, which of them are missing, and the arrays that hold them."""

from datetime import datetime, timedelta
from types import NoneType

import numpy as np

nan = float("nan")
NONE = "NaN"  # what stands in a column of texts where nothing is known
SCALARS = (int, float, str, np.number, np.bool_, datetime, timedelta)


TEXTS, TRUTHS = {str, np.str_}, {bool, np.bool_}
NUMBERS = {int, float, complex, np.int64, np.int32, np.float64, np.float32}
TIMES = {datetime, timedelta, NoneType}


class StringDtype:
    """What columns of texts are."""

    name, kind = "str", "O"

    def __eq__(self, other):
        return isinstance(other, StringDtype) or (isinstance(other, str) and other in ("str", "string")) or other is str

    def __hash__(self):
        return hash("str")

    def __str__(self):
        return "str"

    def __repr__(self):
        return "<StringDtype(storage='python', na_value=nan)>"


STRINGS = StringDtype()


def dtype_of(values):
    if values.dtype.kind == "O" and len(values) and hasattr(values[0], "freqstr"):
        from pandas.periods import freq_of

        if (freq := freq_of(values.tolist())) is not None:
            return f"period[{freq}]"
    return "str" if values.dtype.kind == "U" else str(values.dtype)


def missing(values):
    """Which of the values are not known."""
    values = np.asarray(values)
    if values.dtype.kind == "O":
        lost = [each is None or (isinstance(each, (float, np.floating)) and each != each) for each in values.tolist()]
        return np.array(lost, dtype=bool)
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "Mm":
        return values != values
    return values == NONE if values.dtype.kind == "U" else np.zeros(len(values), dtype=bool)


def dated(labels):
    """Are the labels dates?"""
    return bool(labels) and all([isinstance(each, datetime) for each in labels])


def objects(values):
    """An array of objects, whatever they are."""
    held = np.empty(len(values), dtype=object)
    for place, each in enumerate(values):
        held[place] = each
    return held


def _apart(data):
    """Is a list of what no array of NumPy's own holds together: truth beside numbers, texts beside what is none, others?"""
    kinds = set([type(each) for each in data])
    empty = NoneType in kinds
    known = kinds - {NoneType}
    if known <= TEXTS | {float}:
        return (empty and not known) or (
            float in known and known & TEXTS and any([type(each) is float and each == each for each in data])
        )
    if known <= TRUTHS:
        return empty
    return not (known <= NUMBERS or known <= TIMES) and not all(
        [
            isinstance(each, (int, float, complex, np.number)) and type(each) not in TRUTHS or each is None
            for each in data
        ]
    )


def array_of(data, dtype=None):
    """The values of a column: an array of numbers, truth, texts or times, or one of objects."""
    data = getattr(data, "_values", data) if not isinstance(data, dict) else data
    if not isinstance(data, np.ndarray) and not hasattr(data, "__len__"):
        data = list(data)
    if dtype is None and isinstance(data, (list, tuple)) and _apart(data):
        times = [each for each in data if isinstance(each, (datetime, timedelta))]
        if not times or not all(
            [isinstance(each, (datetime, timedelta)) or each != each or each is None for each in data]
        ):
            return objects(data)
    if isinstance(data, (list, tuple)) and any([isinstance(each, str) for each in data]):
        data = [NONE if each is None or each != each else each for each in data]
    elif isinstance(data, (list, tuple)) and any([each is None for each in data]):
        data = [nan if each is None else each for each in data]
    if isinstance(data, (list, tuple)) and any([isinstance(each, (datetime, timedelta)) for each in data]):
        kind = datetime if any([isinstance(each, datetime) for each in data]) else timedelta
        if all([isinstance(each, kind) or each is None or each != each for each in data]):
            known = [each if isinstance(each, kind) else None for each in data]
            return np.array(known, dtype="datetime64[us]" if kind is datetime else "timedelta64[us]")
    return np.array(data) if dtype is None else np.array(data).astype(dtype)
