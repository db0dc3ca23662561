# type: ignore
"""pandas: Series and DataFrame as lessons use them around a training loop: made from values or from a file of a table,
counted, smoothed, drawn and shown."""

import csv

import numpy as np
from pandas.bins import Interval, cut, qcut
from pandas.categories import Categorical, CategoricalDtype
from pandas.dates import Timedelta, Timestamp, bdate_range, date_range, read, to_datetime
from pandas.display import Display, options
from pandas.frame import DataFrame
from pandas.functions import figure_of
from pandas.given import ANY, only
from pandas.labels import DatetimeIndex, Labels, MultiIndex, RangeIndex
from pandas.merged import merge
from pandas.nested import json_normalize, read_json
from pandas.periods import Period
from pandas.pivots import pivoted
from pandas.series import Series
from pandas.together import concat
from pandas.values import NONE, missing, nan

NA = NaT = nan
Index = Labels
_EMPTY = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "n/a", "#N/A")


def _column(texts, empty=_EMPTY):
    """Texts as whole numbers, numbers, truth or texts: whatever all of them are."""
    known = [text for text in texts if text not in empty]
    for kind in (int, float):
        try:
            found = [kind(text) for text in known]
        except ValueError:
            continue
        if len(known) == len(texts):
            return np.array(found) if found else np.array([nan] * len(texts))
        found = iter(found)
        return np.array([nan if text in empty else float(next(found)) for text in texts])
    if len(known) == len(texts) and set(known) <= {"True", "False"}:
        return np.array([text == "True" for text in texts])
    return np.array([NONE if text in empty else text for text in texts])


_READ = """delimiter parse_dates date_format dayfirst dtype na_values skipinitialspace comment skipfooter decimal
thousands""".split()


def _plain(texts, decimal, thousands):
    """Numbers as Python writes them, of texts that write them with other signs."""
    made = [text.replace(thousands, "") if thousands else text for text in texts]
    made = [text.replace(decimal, ".") for text in made]
    try:
        [float(text) for text in made if text not in _EMPTY]
    except ValueError:
        return texts
    return made


def _typed(name, texts, dtype, empty):
    """A column of texts as what it is asked to be, or as what it is."""
    wanted = dtype.get(name) if isinstance(dtype, dict) else dtype
    if wanted in (str, "str", "string", object, "object"):
        return np.array([NONE if text in empty else text for text in texts])
    found = _column(texts, empty)
    return found if wanted is None else Series(found).astype(wanted)._values


def read_csv(
    path, sep=",", header="infer", names=None, index_col=None, usecols=None, nrows=None, skiprows=0, chunksize=None,
    **kwargs,
):  # fmt: skip
    """The table in a file, or in what can be read as one; with `chunksize` so many rows of it after the others."""
    if chunksize is not None:
        whole = read_csv(path, sep, header, names, index_col, usecols, nrows, skiprows, **kwargs)
        return iter([whole.iloc[i : i + chunksize] for i in range(0, len(whole), chunksize)])
    skiprows = 0 if skiprows is None else skiprows
    rest = {name: value for name, value in kwargs.items() if name not in _READ}
    only("read_csv", rest, encoding=ANY, engine=ANY, low_memory=ANY, memory_map=ANY, cache_dates=ANY, quotechar='"',
         on_bad_lines="error", skip_blank_lines=True)  # fmt: skip
    if hasattr(path, "read"):
        lines = path.read().splitlines()
    else:
        with open(path) as file:
            lines = file.read().splitlines()
    sep = kwargs.get("delimiter") or sep
    if kwargs.get("comment"):
        lines = [line for line in [each.split(kwargs["comment"])[0] for each in lines] if line]
    if not isinstance(skiprows, int):
        left = skiprows if callable(skiprows) else set(skiprows).__contains__
        lines, skiprows = [line for i, line in enumerate(lines) if not left(i)], 0
    lines = lines[: len(lines) - kwargs.get("skipfooter", 0)]
    first = bool(kwargs.get("skipinitialspace"))
    if sep == r"\s+":
        rows = [line.split() for line in lines[skiprows:] if line.strip()]
    else:
        rows = [row for row in csv.reader(lines[skiprows:], delimiter=sep, skipinitialspace=first) if row]
    header = (0 if names is None else None) if header == "infer" else header
    if header is not None:
        heads, rows = rows[header], rows[header + 1 :]
        names = [name or f"Unnamed: {i}" for i, name in enumerate(heads)] if names is None else names
    rows = rows[:nrows]
    names = list(range(len(rows[0]))) if names is None else list(names)
    more = kwargs.get("na_values")
    empty = (*_EMPTY, *([more] if isinstance(more, (str, int, float)) else more or ()))
    empty = tuple([f"{each}" for each in empty])
    texts = {name: [row[i] if i < len(row) else "" for row in rows] for i, name in enumerate(names)}
    if kwargs.get("decimal", ".") != "." or kwargs.get("thousands"):
        texts = {
            name: _plain(part, kwargs.get("decimal", "."), kwargs.get("thousands")) for name, part in texts.items()
        }
    made = {name: _typed(name, column, kwargs.get("dtype"), empty) for name, column in texts.items()}
    if usecols is not None:
        made = {name: part for i, (name, part) in enumerate(made.items()) if name in usecols or i in usecols}
    index = None
    if index_col is not None and index_col is not False:
        index_col = names[index_col] if isinstance(index_col, int) else index_col
    dates = kwargs.get("parse_dates") or []
    for name in [index_col] if dates is True else [names[each] if isinstance(each, int) else each for each in dates]:
        texts = ["" if each in _EMPTY else f"{each}" for each in made[name].tolist()]
        made[name] = read(texts, kwargs.get("date_format"), kwargs.get("dayfirst", False))
    if index_col is not None and index_col is not False:
        index = Labels(made.pop(index_col).tolist(), None if f"{index_col}".startswith("Unnamed: ") else index_col)
    return DataFrame(made, index=index)


def read_table(path, sep="\t", **kwargs):
    """As read_csv(), with tabs between the cells."""
    return read_csv(path, sep, **kwargs)


def read_pickle(filepath_or_buffer):
    import pickle

    with open(filepath_or_buffer, "rb") as file:
        return pickle.load(file)


def factorize(values):
    if not hasattr(values, "dtype"):
        raise TypeError(
            "factorize requires a Series, Index, ExtensionArray, np.ndarray or NumpyExtensionArray got "
            f"{type(values).__name__}."
        )
    codes, found = Series(values).factorize()
    return codes, found if isinstance(values, Series) else found._values


def to_timedelta(arg, unit="ns"):
    """A number, a column or a list of them as spans of time."""
    size = {
        "D": 86400.0,
        "d": 86400.0,
        "h": 3600.0,
        "m": 60.0,
        "min": 60.0,
        "s": 1.0,
        "ms": 1e-3,
        "us": 1e-6,
        "ns": 1e-9,
    }
    if unit not in size:
        raise ValueError(f"invalid unit abbreviation: {unit}")
    if isinstance(arg, (int, float, np.number)):
        return Timedelta(seconds=float(arg) * size[unit])
    values = np.asarray(arg._values if isinstance(arg, Series) else arg).astype(float) * size[unit] * 1e6
    made = np.round(values).astype("timedelta64[us]")
    return arg._like(made) if isinstance(arg, Series) else made


def read_excel(io, sheet_name=0, **kwargs):
    """A table of a spreadsheet, which cannot be read here: a file that is missing is told as pandas tells it."""
    with open(io, "rb"):
        pass
    raise ImportError("`Import openpyxl` failed.  Use pip or conda to install the openpyxl package.")


def get_dummies(data, columns=None, dummy_na=False, drop_first=False, dtype=bool, prefix=None):
    """A column of truth for each text."""
    if not isinstance(data, DataFrame):
        data = data if isinstance(data, Series) else Series(data)
        before = "" if prefix is None else f"{prefix}_"
        return DataFrame(
            _dummies(data._values, data._categories, before, dummy_na, drop_first, dtype), index=data.index
        )
    texts = [name for name, part in data._columns.items() if part.dtype.kind in "UO" or name in data._categories]
    chosen = texts if columns is None else columns
    made = {name: part for name, part in data._columns.items() if name not in chosen}
    before = dict(zip(chosen, chosen)) if prefix is None else prefix
    before = dict.fromkeys(chosen, before) if isinstance(before, str) else before
    before = before if isinstance(before, dict) else dict(zip(chosen, before))
    for name in chosen:
        kinds = data._categories.get(name)
        made.update(_dummies(data._columns[name], kinds, f"{before[name]}_", dummy_na, drop_first, dtype))
    return DataFrame(made, index=data.index)


def _dummies(values, kinds, prefix, dummy_na, drop_first, dtype):
    known = values[~missing(values)]
    labels = (sorted(set(known.tolist())) if kinds is None else kinds)[1 if drop_first else 0 :]
    made = {f"{prefix}{label}" if prefix else label: (values == label).astype(dtype) for label in labels}
    return {**made, f"{prefix}nan": missing(values).astype(dtype)} if dummy_na else made


def isna(obj):
    """What is not known: of a table, a column or an array each value, otherwise whether it is one."""
    if hasattr(obj, "isna"):
        return obj.isna()
    if isinstance(obj, (list, np.ndarray)) or hasattr(obj, "_values"):
        held = np.asarray(obj)
        return missing(held.ravel()).reshape(held.shape)
    return obj is None or bool(obj != obj)


def notna(obj):
    found = isna(obj)
    return not found if isinstance(found, bool) else ~found


isnull, notnull = isna, notna


def unique(values):
    return Series(values).unique()


def to_numeric(values, errors="raise", downcast=None):
    if downcast is not None:
        raise NotImplementedError("to_numeric() with downcast is not supported in scripts here")
    if not isinstance(values, Series):
        return values
    made = _column([f"{each}" for each in values.tolist()])
    return values._like(made if made.dtype.kind != "U" else _read(values.tolist(), errors))


def _read(values, errors):
    """Numbers of values of which some are none."""
    made = []
    for place, each in enumerate(values):
        try:
            made.append(float(each))
        except ValueError:
            if errors != "coerce":
                raise ValueError(f"Unable to parse string {each!r} at position {place}") from None
            made.append(nan)
    return made


def melt(frame, *args, **kwargs):
    return frame.melt(*args, **kwargs)


def pivot_table(data, *args, **kwargs):
    return data.pivot_table(*args, **kwargs)


def pivot(data, **kwargs):
    return data.pivot(**kwargs)


def crosstab(
    index, columns, values=None, rownames=None, colnames=None, aggfunc=None, margins=False, margins_name="All",
    dropna=True, normalize=False,
):  # fmt: skip
    """How often the values of columns occur together, or a figure of what else is there where they do."""
    parts, names = {}, []
    for given, called, default in ((index, rownames, "row"), (columns, colnames, "col")):
        many = (
            given
            if isinstance(given, list) and hasattr(given[0], "__len__") and not isinstance(given[0], str)
            else [given]
        )
        held = [getattr(part, "name", None) for part in many]
        held = [f"{default}_{i}" if name is None else name for i, name in enumerate(held)]
        held = list(called) if called is not None else held
        parts.update(zip(held, [np.asarray(part) for part in many]))
        names.append(held)
    table = DataFrame({**parts, "": 1 if values is None else np.asarray(values)})
    whole = margins_name if margins and not normalize else None
    figure = len if values is None else figure_of(aggfunc)
    made = pivoted(table, "", *names, figure, 0 if values is None else None, whole)
    if not normalize:
        return made
    if margins:
        raise NotImplementedError("crosstab() of shares with margins is not supported in scripts here")
    numbers = made._values
    axis = {"index": 1, 0: 1, "columns": 0, 1: 0, "all": None, True: None}[
        normalize if normalize is not True else "all"
    ]
    shares = numbers / np.sum(numbers, axis=axis, keepdims=True)
    return made._like(dict(zip(made.columns, shares.T)), made.index)


def _setting(name):
    return name.split(".")[-1]


def set_option(*pairs):
    """How tables are shown: set_option(name, value, name, value ...)."""
    for name, value in zip(pairs[::2], pairs[1::2]):
        if hasattr(options.display, _setting(name)):
            setattr(options.display, _setting(name), value)


def get_option(name):
    return getattr(options.display, _setting(name))


def reset_option(name):
    for each, value in vars(Display()).items():
        if _setting(name) in (each, "display", "all"):
            setattr(options.display, each, value)


class option_context:
    """with pd.option_context(name, value): ..."""

    def __init__(self, *pairs):
        self._pairs = pairs

    def __enter__(self):
        self._held = [part for name in self._pairs[::2] for part in (name, get_option(name))]
        set_option(*self._pairs)

    def __exit__(self, *error):
        set_option(*self._held)
