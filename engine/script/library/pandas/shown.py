# type: ignore
"""pandas.shown: how values and labels print."""

from datetime import timedelta

import numpy as np
from pandas.display import options
from pandas.values import dated


def fixed_of(values):
    """Numbers with as many decimals as they need, `precision` at most, one at least."""
    digits = options.display.precision
    texts = [f"{each:.{digits}f}" for each in values]
    spare = min([len(text) - len(text.rstrip("0")) for text in texts] or [0])
    return [text[: len(text) - min(spare, digits - 1)] for text in texts]


def cells_of(values):
    """The texts of a column."""
    values = np.asarray(values)
    if values.dtype.kind == "O":
        return [signed_of(spelled(each)) for each in values.tolist()]
    if values.dtype.kind in "Mm":
        return (dates_texts if values.dtype.kind == "M" else spans_texts)(values.tolist())
    if values.dtype.kind != "f":
        return [signed_of(str(each)) for each in values.tolist()]
    if options.display.float_format is not None:
        return ["NaN" if each != each else options.display.float_format(each) for each in values.tolist()]
    known = values[np.isfinite(values)].tolist()
    if not known and np.isnan(values).all():
        return ["NaN"] * len(values)
    texts = fixed_of(known)
    size = [abs(each) for each in known if each]
    digits = options.display.precision
    long = max([len(text) for text in texts] or [0]) > digits + 6
    if size and (min(size) < 10**-digits or (long and max(size) > 1e6)):
        texts = [f"{each:.{digits}e}" for each in known]
    texts = iter(texts)
    shown = [next(texts) if np.isfinite(each) else "NaN" if each != each else str(each) for each in values.tolist()]
    return [signed_of(text) for text in shown]


def spelled(value):
    """One thing in a table: what a list holds stands without quotes."""
    if isinstance(value, (float, np.floating)):
        if value != value:
            return "NaN"
        text = f"{value:.{options.display.precision}f}".rstrip("0") if np.isfinite(value) else str(value)
        return text + "0" if text[-1:] == "." else text
    if isinstance(value, np.ndarray) and value.ndim:
        value = value.tolist()
    if type(value) in (list, tuple, set, frozenset):
        inner = ", ".join([spelled(each) if type(each) in (list, tuple, str) else str(each) for each in value])
        if type(value) is tuple:
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]" if type(value) is list else f"{{{inner}}}"
    return str(value)


def cut(texts):
    """Texts as they are printed: of long ones the beginning."""
    most = options.display.max_colwidth
    return texts if most is None else [text if len(text) <= most else text[: most - 3] + "..." for text in texts]


def dates_texts(dates):
    """Dates as texts, without the time where all are at midnight."""
    known = [each for each in dates if each is not None]
    whole = all([each.hour == each.minute == each.second == each.microsecond == 0 for each in known])
    return ["NaT" if each is None else f"{each:%Y-%m-%d}" if whole else str(each) for each in dates]


def spans_texts(spans):
    """Spans of time as texts."""
    known = [each for each in spans if each is not None]
    whole = all([each.seconds == each.microseconds == 0 for each in known])
    days = ["" if each is None else f"{each.days} days" for each in spans]
    clocks = [
        "" if each is None or whole else f" {timedelta(0, each.seconds, each.microseconds)!s:0>8}" for each in spans
    ]
    return ["NaT" if each is None else day + clock for each, day, clock in zip(spans, days, clocks)]


def signed_of(text):
    """A text with room for a sign."""
    return text if text[:1] == "-" else " " + text


def dots_of(width):
    return ".." if width < 4 else "..."


def heading_of(index):
    """What the labels are called, or None."""
    names = ["" if name is None else str(name) for name in index.names]
    return names if any(names) else None


def labels_of(index, places, gap):
    """(heading, texts): what the labels are called, or None, and the labels at the places, their levels side by side. Of
    several levels those that repeat the row above stay empty."""
    labels = list(index)
    picked = [labels[i] for i in places]
    count = len(index.names)
    columns = []
    for level in range(count):
        labels = [each[level] for each in picked] if count > 1 else picked
        texts = [str(each) for each in labels]
        if labels and all([isinstance(each, float) for each in labels]):
            texts = cells_of(labels)
            texts = texts if any([text[:1] != " " for text in texts]) else [text[1:] for text in texts]
        elif dated(labels):
            texts = dates_texts(labels)
        if level < count - 1:
            same = [i > 0 and picked[i][: level + 1] == picked[i - 1][: level + 1] for i in range(len(picked))]
            texts = ["" if repeats else text for text, repeats in zip(texts, same)]
        columns.append(texts)
    heading = heading_of(index)
    if heading is not None and count == 1 and gap > 1:
        return heading[0], columns[0]
    if heading is not None:
        columns = [[head, *texts] for head, texts in zip(heading, columns)]
    widths = [max([len(text) for text in texts] or [0]) for texts in columns]
    lines = [(" " * gap).join([f"{text:<{width}}" for text, width in zip(row, widths)]) for row in zip(*columns)]
    return (None, lines) if heading is None else (lines[0], lines[1:])
