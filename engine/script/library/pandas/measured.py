# type: ignore
"""pandas.measured: the memory that columns take."""

from pandas.shown import RangeIndex, missing


def _text_size(text):
    """The bytes of a Python text."""
    most = max([ord(each) for each in text] or [0])
    width = 1 if most < 256 else 2 if most < 65536 else 4
    return (49 if most < 128 else 73 if most < 256 else 74 if most < 65536 else 76) + width * len(text)


def held_by(values, deep):
    """The bytes of a column; of texts and objects those of the references to them, and with `deep` of the texts too."""
    if values.dtype.kind not in "UO":
        return values.nbytes
    more = 0
    if deep:
        lost = missing(values).tolist()
        more = sum([24 if gap else _text_size(f"{each}") for each, gap in zip(values.tolist(), lost)])
    return 8 * len(values) + more


def held_by_labels(index, deep):
    if isinstance(index, RangeIndex):
        return 132
    return held_by(index._values, deep)
