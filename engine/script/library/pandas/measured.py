# type: ignore
"""pandas.measured: the memory that columns take."""

import numpy as np
from pandas.labels import Labels, RangeIndex
from pandas.values import missing


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


class MeasuredOfTables:
    def memory_usage(self, index=True, deep=False):
        held = {"Index": held_by_labels(self.index, deep)} if index else {}
        held.update({name: held_by(part, deep) for name, part in self._columns.items()})
        return self._column(np.array(list(held.values())), Labels(list(held)), None)

    def info(self, *args, **kwargs):
        print("<class 'pandas.DataFrame'>")
        ends = f", {self.index[0]} to {self.index[-1]}" if len(self) else ""
        print(f"{type(self.index).__name__}: {len(self)} entries{ends}")
        print(f"Data columns (total {len(self._columns)} columns):")
        rows = [["#", "Column", "Non-Null Count", "Dtype"]]
        kinds = self._kinds()
        for i, (name, kind) in enumerate(zip(self._columns, kinds)):
            rows.append([f"{i}", f"{name}", f"{self[name].count()} non-null", kind])
        widths = [max([len(row[i]) for row in rows]) for i in range(4)]
        rows.insert(1, ["-" * max(3 if i == 0 else 0, len(head)) for i, head in enumerate(rows[0])])
        widths[0] = max(widths[0], 3)
        for i, row in enumerate(rows):
            first = f"{row[0]:<{widths[0]}}" if i == 1 else f" {row[0]:<{widths[0] - 1}}"
            print("  ".join([first, *[f"{cell:<{width}}" for cell, width in zip(row[1:], widths[1:])]]))
        print("dtypes: " + ", ".join([f"{kind}({kinds.count(kind)})" for kind in sorted(set(kinds))]))
        objects = any([part.dtype.kind == "O" for part in self._columns.values()])
        held, more = sum(self.memory_usage().tolist()), "+" if objects or self.index.dtype.kind in "UO" else ""
        print(f"memory usage: {held / 1024:.1f}{more} KB" if held >= 1024 else f"memory usage: {held:.1f}{more} bytes")


class MeasuredOfColumns:
    def memory_usage(self, index=True, deep=False):
        return held_by(self._values, deep) + (held_by_labels(self.index, deep) if index else 0)

    @property
    def nbytes(self):
        return held_by(self._values, False)
