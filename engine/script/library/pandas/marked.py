# type: ignore
"""pandas.marked: tables and columns as JSON."""

import json
from datetime import datetime

import numpy as np
from pandas.values import missing


def _number(value):
    """A number with at most ten decimals."""
    if value != value or value in (float("inf"), float("-inf")):
        return "null"
    if abs(value) >= 1e16:
        digits, power = f"{value:.15e}".split("e")
        return f"{digits.rstrip('0').rstrip('.')}e{power}"
    text = f"{value:.10f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _text(value):
    return json.dumps(value).replace("/", "\\/")


def _cell(value):
    if value is None:
        return "null"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return f"{value}"
    if isinstance(value, (float, np.floating)):
        return _number(float(value))
    if isinstance(value, datetime):
        return f"{int((value - datetime(1970, 1, 1)).total_seconds() * 1000)}"
    if isinstance(value, (list, tuple)):
        return f"[{','.join([_cell(each) for each in value])}]"
    if isinstance(value, dict):
        return _object([f"{key}" for key in value], [_cell(each) for each in value.values()])
    return _text(f"{value}")


def _cells(values):
    return ["null" if lost else _cell(each) for each, lost in zip(values.tolist(), missing(values).tolist())]


def _object(names, cells):
    return f"{{{','.join([f'{_text(name)}:{cell}' for name, cell in zip(names, cells)])}}}"


def _list(cells):
    return f"[{','.join(cells)}]"


def _names(labels):
    return [_cell(each) if isinstance(each, datetime) else f"{each}" for each in labels]


def _indented(text, indent):
    return (
        text if not indent else json.dumps(json.loads(text), indent=indent, separators=(",", ":")).replace("/", "\\/")
    )


def _written(text, path):
    if path is None:
        return text
    if hasattr(path, "write"):
        path.write(text)
        return None
    with open(path, "w") as file:
        file.write(text)
    return None


def column_json(column, path_or_buf=None, orient=None, indent=0, **kwargs):
    """Series.to_json()"""
    cells = _cells(column._values)
    if orient in (None, "index"):
        text = _object(_names(column.index), cells)
    elif orient in ("values", "records"):
        text = _list(cells)
    elif orient == "split":
        parts = [_cell(column.name), _list([_cell(each) for each in column.index]), _list(cells)]
        text = _object(["name", "index", "data"], parts)
    else:
        raise ValueError(f"Invalid value '{orient}' for option 'orient'")
    return _written(_indented(text, indent), path_or_buf)


def table_json(table, path_or_buf=None, orient=None, lines=False, indent=0, **kwargs):
    """DataFrame.to_json()"""
    if lines and orient != "records":
        raise ValueError("'lines' keyword only valid when 'orient' is records")
    parts = [_cells(part) for part in table._columns.values()]
    names, rows = _names(table.columns), list(zip(*parts))
    if orient in (None, "columns"):
        text = _object(names, [_object(_names(table.index), part) for part in parts])
    elif orient == "records":
        found = [_object(names, row) for row in rows]
        text = "".join([f"{row}\n" for row in found]) if lines else _list(found)
    elif orient == "index":
        text = _object(_names(table.index), [_object(names, row) for row in rows])
    elif orient == "values":
        text = _list([_list(row) for row in rows])
    elif orient == "split":
        index = _list([_cell(each) for each in table.index])
        told = [_list([_cell(each) for each in table.columns]), index, _list([_list(row) for row in rows])]
        text = _object(["columns", "index", "data"], told)
    else:
        raise ValueError(f"Invalid value '{orient}' for option 'orient'")
    return _written(text if lines else _indented(text, indent), path_or_buf)
