# type: ignore
"""pandas.shown: how values print, and the names of rows and columns."""

import numpy as np

nan = float("nan")
NONE = "NaN"  # what stands in a column of texts where nothing is known
SHOWN = 60  # rows; of more, the first and last five
WIDE = 12
SCALARS = (int, float, str)


text_of = str


def fixed_of(values):
    """Numbers with as many decimals as they need, six at most, one at least."""
    texts = [f"{each:.6f}" for each in values]
    spare = min([len(text) - len(text.rstrip("0")) for text in texts] or [0])
    return [text[: len(text) - min(spare, 5)] for text in texts]


def cells_of(values):
    """The texts of a column."""
    values = np.asarray(values)
    if values.dtype.kind != "f":
        return [signed_of(text_of(each)) for each in values.tolist()]
    known = values[np.isfinite(values)].tolist()
    texts = fixed_of(known)
    size = [abs(each) for each in known if each]
    long = max([len(text) for text in texts] or [0]) > WIDE
    if size and (min(size) < 1e-6 or (long and max(size) > 1e6)):
        texts = [f"{each:.6e}" for each in known]
    texts = iter(texts)
    shown = [next(texts) if np.isfinite(each) else "NaN" if each != each else text_of(each) for each in values.tolist()]
    return [signed_of(text) for text in shown]


def signed_of(text):
    """A text with room for a sign."""
    return text if text[:1] == "-" else " " + text


def dots_of(width):
    return ".." if width < 4 else "..."


def dtype_of(values):
    return "str" if values.dtype.kind == "U" else text_of(values.dtype)


def missing(values):
    """Which of the values are not known."""
    values = np.asarray(values)
    if values.dtype.kind == "f":
        return np.isnan(values)
    return values == NONE if values.dtype.kind == "U" else np.zeros(len(values), dtype=bool)


_WIDE = 80  # characters of a line


class Labels(list):
    """The names of rows or columns."""

    @property
    def values(self):
        return np.array(list(self))

    def tolist(self):
        return list(self)

    to_list = tolist

    def get_loc(self, label):
        return self.index(label)

    def __repr__(self):
        if list(self) == list(range(len(self))):
            return f"RangeIndex(start=0, stop={len(self)}, step=1)"
        kind = "str" if all([isinstance(each, str) for each in self]) else np.array(list(self)).dtype
        attribute = f"dtype='{kind}'"
        before = "\n       "
        lines, line = "", before
        for number, each in enumerate(self):
            last = number == len(self) - 1
            word = repr(each) if last else f"{each!r}, "
            if len(line.rstrip()) + len(word.rstrip()) >= (_WIDE - 2 if last else _WIDE):
                lines += line.rstrip()
                line = before
            line += word
        text = f"Index([{(lines + line)[len(before) :]}],"
        ended = len(text.split("\n")[-1]) + 1 + len(attribute)
        between = before[:-1] if len(lines + line) + 2 > _WIDE or ended > _WIDE else " "
        return f"{text}{between}{attribute})"
