"""np.savetxt(), np.loadtxt() and np.genfromtxt(): numbers as rows of text, in files of the run or in open ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.script import files
from engine.script.executing.calls import consume, invoke
from engine.script.frames import current
from engine.script.limits.nested import check_nested
from engine.script.limits.numpy_sizes import OBJECTS
from engine.script.limits.still import still
from engine.script.modules import module
from engine.script.values import attributes
from engine.script.values.attributes import script_definition
from engine.script.values.operators import check_length
from engine.script.values.strings import check_text, percent

Array = np.ndarray[Any, Any]


def _write(file: Any, text: str) -> None:
    if script_definition(type(file), "write"):
        invoke(attributes.get(file, "write"), (text,))
        return
    opened = invoke(module("io").own("open"), (file, "w"))
    invoke(attributes.get(opened, "write"), (text,))
    invoke(attributes.get(opened, "close"), ())


def save_text(
    fname: Any,
    X: Any,
    fmt: Any = "%.18e",
    delimiter: str = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str = "# ",
    encoding: Any = None,
) -> None:
    """np.savetxt(). Raises ValueError and TypeError as NumPy does."""
    check_nested(X)
    rows: Array = np.asarray(still(X))
    if rows.dtype.hasobject:
        raise TypeError(OBJECTS)
    if rows.ndim == 0 or rows.ndim > 2:
        raise ValueError(f"Expected 1D or 2D array, got {rows.ndim}D array instead")
    if rows.ndim == 1:
        rows = rows[:, None]
    columns = rows.shape[1]
    if isinstance(fmt, str):
        fits = fmt.count("%") == columns and columns > 1
        row = fmt if fits else delimiter.join([fmt] * columns)
    else:
        forms = list(consume(fmt))
        if len(forms) != columns:
            raise AttributeError(f"fmt has wrong shape.  {forms}")
        row = delimiter.join(forms)
    parts = [comments + line for line in header.split("\n")] if header else []
    length = 0
    for values in rows.tolist():
        current.machine.count(1)
        parts.append(percent(row, tuple(values)))
        length += len(parts[-1]) + len(newline)
        check_text(length)
    parts += [comments + line for line in footer.split("\n")] if footer else []
    _write(fname, "".join(part + newline for part in parts))


def _lines(file: Any) -> list[str]:
    if not (isinstance(file, str) or hasattr(type(file), "as_posix")):
        found = list(consume(file))
        return [each.decode("latin-1") if isinstance(each, bytes) else each for each in found]
    if not files.isfile(file):
        raise FileNotFoundError(f"{files.text_of(file)} not found.")
    text = files.data(file).decode("latin-1")
    return text.splitlines()


def load_text(
    fname: Any,
    dtype: Any = float,
    comments: Any = "#",
    delimiter: Any = None,
    converters: Any = None,
    skiprows: int = 0,
    usecols: Any = None,
    unpack: bool = False,
    ndmin: int = 0,
    encoding: Any = None,
    max_rows: Any = None,
) -> Array:
    """np.loadtxt() of numbers. Raises FileNotFoundError and ValueError as NumPy does."""
    if converters is not None:
        raise TypeError("np.loadtxt(): converters are not supported in scripts here")
    wanted = None if usecols is None else [usecols] if isinstance(usecols, int) else list(consume(usecols))
    rows: list[list[float]] = []
    for line in _lines(fname)[skiprows:]:
        current.machine.count(1 + len(line) // 64)
        bare = line.split(comments)[0].strip() if comments else line.strip()
        if not bare or (max_rows is not None and len(rows) >= max_rows):
            continue
        cells = bare.split(delimiter)
        if wanted is not None:
            cells = [cells[place] for place in wanted]
        if rows and len(cells) != len(rows[0]):
            raise ValueError(
                f"the number of columns changed from {len(rows[0])} to {len(cells)} at row {len(rows) + 1}; "
                "use `usecols` to select a subset and avoid this error"
            )
        rows.append([_number(cell, len(rows), place) for place, cell in enumerate(cells)])
        check_length(len(rows) * len(cells), list)
    made: Array = np.array(rows, dtype=np.float64).astype(np.dtype(dtype))
    if made.dtype.hasobject:
        raise TypeError(OBJECTS)
    if made.size and ndmin < 2:
        made = made.reshape([size for size in made.shape if size != 1] or ([1] if ndmin else []))
    return made.T if unpack else made


def _number(cell: str, row: int, column: int) -> float:
    try:
        return float(cell)
    except ValueError:
        raise ValueError(f"could not convert string {cell!r} to float64 at row {row}, column {column + 1}.") from None


def read_table(
    fname: Any,
    dtype: Any = float,
    comments: Any = "#",
    delimiter: Any = None,
    skip_header: int = 0,
    skip_footer: int = 0,
    filling_values: Any = None,
    usecols: Any = None,
    names: Any = None,
    max_rows: Any = None,
    unpack: bool = False,
    autostrip: bool = False,
    encoding: Any = None,
) -> Array:
    """np.genfromtxt(): what is missing or no number is nan. With `names` an array of records; `dtype=None` tells each
    column's kind from its texts. Raises FileNotFoundError and ValueError as NumPy does."""
    texts: list[list[str]] = []
    lines = _lines(fname)[skip_header:]
    for line in lines[: len(lines) - skip_footer]:
        current.machine.count(1 + len(line) // 64)
        bare = line.split(comments)[0].strip("\r\n") if comments else line.strip("\r\n")
        if bare.strip() and (max_rows is None or len(texts) < max_rows + (names is True)):
            texts.append([cell.strip() for cell in bare.split(delimiter)])
            check_length(len(texts) * len(texts[0]), list)
    heads = texts.pop(0) if names is True and texts else names.split(",") if isinstance(names, str) else names
    width = len(texts[0]) if texts else 0
    wrong = [f"    Line #{at + 1} (got {len(row)} columns instead of {width})" for at, row in enumerate(texts)]
    wrong = [told for told, row in zip(wrong, texts, strict=True) if len(row) != width]
    if wrong:
        raise ValueError("Some errors were detected !\n" + "\n".join(wrong))
    places = (
        list(range(width)) if usecols is None else [usecols] if isinstance(usecols, int) else list(consume(usecols))
    )
    columns = [_column([row[place] for row in texts], dtype, filling_values) for place in places]
    if heads is not None or len({each.dtype.kind for each in columns}) > 1:
        titles = [f"f{place}" for place in range(len(places))]
        if heads is not None:
            every = list(consume(heads))
            titles = [every[place] if len(every) > len(places) else every[at] for at, place in enumerate(places)]
        fields = [
            ("".join(c for c in str(name).strip().replace(" ", "_") if c.isalnum() or c == "_"), each.dtype)
            for name, each in zip(titles, columns, strict=True)
        ]
        return np.array([tuple(row) for row in zip(*[each.tolist() for each in columns], strict=True)], dtype=fields)
    made = np.array(columns).T if columns else np.zeros((0, 0))
    if 1 in made.shape:
        made = made.reshape(-1)
    return made.T if unpack else made


def _column(cells: list[str], dtype: Any, filling: Any) -> Array:
    """One column: of the type that is asked for, or of the narrowest that holds it."""
    empty = float("nan") if filling is None else filling
    if dtype is None:
        for kind in (int, float):
            try:
                return np.array([kind(cell) if cell or kind is int else empty for cell in cells])
            except ValueError:
                continue
        return _texts(cells)
    wanted = np.dtype(dtype)
    if wanted.kind == "U":
        return _texts(cells, wanted.itemsize // TEXT)
    if wanted.kind not in "biuf":
        raise TypeError(f"np.genfromtxt(): dtype {wanted} is not supported in scripts here: use numbers, str or None")
    if wanted.kind in "iu" and filling is None:
        empty = -1
    return np.array([_read(cell, empty) for cell in cells], dtype=np.float64).astype(wanted)


TEXT = np.dtype("U1").itemsize


def _texts(cells: list[str], width: int = 0) -> Array:
    """A column of texts, each of which takes as much room as the longest."""
    width = width or max(map(len, cells), default=1)
    check_length(len(cells) * width, str)
    return np.array(cells, dtype=f"U{max(width, 1)}")


def _read(cell: str, empty: Any) -> float:
    try:
        return float(cell)
    except ValueError:
        return float(empty)
