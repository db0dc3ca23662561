# type: ignore
"""pandas.written: tables as text, for files and for reading."""

from pathlib import Path

from pandas.display import options
from pandas.given import ANY, only
from pandas.marked import column_json, table_json
from pandas.printed import beside, parts_of, table_text
from pandas.shown import dates_texts
from pandas.values import dated, missing


def _cell(text, sep):
    """A text between separators: in quotes where it has one of them in it."""
    if any([each in text for each in (sep, '"', "\n", "\r")]):
        doubled = text.replace('"', '""')
        return f'"{doubled}"'
    return text


def _formatted(float_format):
    """What makes a text of a number with decimals."""
    if float_format is None:
        return str
    if callable(float_format):
        return float_format
    return (lambda each: float_format % each) if "%" in float_format else float_format.format


class Written:
    """What tables and columns have alike."""

    def to_pickle(self, path):
        import pickle

        with open(path, "wb") as file:
            pickle.dump(self, file)


class WrittenOfTables(Written):
    def to_json(self, *args, **kwargs):
        return table_json(self, *args, **kwargs)

    def to_csv(
        self, path_or_buf=None, sep=",", na_rep="", float_format=None, columns=None, header=True, index=True,
        index_label=None, mode="w", **kwargs,
    ):  # fmt: skip
        """The table as lines of cells: a text, or written to a file."""
        only("to_csv", kwargs, encoding=ANY, lineterminator="\n", quotechar='"', date_format=None)
        names = list(self.columns if columns is None else columns)
        lines = []
        if header:
            called = self.index.name if index_label is None else index_label
            heads = names if header is True else header
            lines.append(["" if called is None else f"{called}"] * index + [f"{name}" for name in heads])
        labels = dates_texts(list(self.index)) if dated(list(self.index)) else [f"{label}" for label in self.index]
        number = _formatted(float_format)
        parts = []
        for part in [self._columns[name] for name in names]:
            values = part.tolist()
            if part.dtype.kind == "f" and float_format is None:
                texts = [str(each) for each in part]  # with the digits of its own precision
            else:
                texts = [number(each) if isinstance(each, float) else f"{each}" for each in values]
            texts = dates_texts(values) if part.dtype.kind == "M" else texts
            parts.append([na_rep if lost else text for text, lost in zip(texts, missing(part).tolist())])
        for i, label in enumerate(labels):
            lines.append([label] * index + [part[i] for part in parts])
        text = "".join([sep.join([_cell(each, sep) for each in line]) + "\n" for line in lines])
        if path_or_buf is None:
            return text
        if hasattr(path_or_buf, "write"):
            path_or_buf.write(text)
        else:
            folder = Path(path_or_buf).parent
            if not folder.is_dir():
                raise OSError(f"Cannot save file into a non-existent directory: '{folder}'")
            with open(path_or_buf, mode) as file:
                file.write(text)

    def to_markdown(self, buf=None, mode="wt", index=True, **options):
        """The table as tabulate draws it."""
        from tabulate import tabulate

        text = tabulate(self, **{"headers": "keys", "tablefmt": "pipe", "showindex": index, **options})
        if buf is None:
            return text
        if hasattr(buf, "write"):
            buf.write(text)
            return None
        with open(buf, mode) as file:
            file.write(text)
        return None

    def to_string(self, buf=None, columns=None, index=True, float_format=None, **kwargs):
        only(
            "to_string", kwargs, header=True, na_rep="NaN", justify=None, max_rows=None, max_cols=None, line_width=None
        )
        table = self if columns is None else self[list(columns)]
        if not table._columns or not len(table.index):
            return table_text(table)
        held = options.display.float_format
        options.display.float_format = held if float_format is None else _formatted(float_format)
        try:
            parts = parts_of(table, list(range(len(table))), index)
        finally:
            options.display.float_format = held
        text = beside(parts if index else parts[1:], index)
        return text if buf is None else buf.write(text) and None

    def __repr__(self):
        return table_text(self)


class WrittenOfColumns(Written):
    def to_json(self, *args, **kwargs):
        return column_json(self, *args, **kwargs)

    def to_markdown(self, *args, **kwargs):
        return self.to_frame(0 if self.name is None else self.name).to_markdown(*args, **kwargs)

    def to_csv(self, *args, **kwargs):
        return self.to_frame(0 if self.name is None else self.name).to_csv(*args, **kwargs)
