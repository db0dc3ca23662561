# type: ignore
"""pandas.nested: tables of what JSON holds: lists of records, and records within records."""

import json

from pandas.frame import DataFrame
from pandas.labels import even
from pandas.series import Series
from pandas.values import array_of


def _labels(names):
    """The keys of an object as labels: whole numbers where all of them are."""
    names = list(names)
    digits = [name.lstrip("-").isdigit() for name in names]
    return even([int(name) for name in names]) if names and all(digits) else names


def read_json(path_or_buf, orient=None, typ="frame", lines=False, **kwargs):
    """The table in a file of JSON, or in what can be read as one."""
    if hasattr(path_or_buf, "read"):
        text = path_or_buf.read()
    else:
        with open(path_or_buf) as file:
            text = file.read()
    held = [json.loads(line) for line in text.splitlines() if line.strip()] if lines else json.loads(text)
    if typ == "series":
        return Series(list(held.values()), _labels(held)) if isinstance(held, dict) else Series(held)
    if orient == "split":
        return DataFrame(held["data"], index=held["index"], columns=held["columns"])
    if orient == "index":
        names = list(dict.fromkeys([name for row in held.values() for name in row]))
        return DataFrame({name: array_of([row.get(name) for row in held.values()]) for name in names}, _labels(held))
    if isinstance(held, dict) and held and all([isinstance(part, dict) for part in held.values()]):
        rows = list(dict.fromkeys([row for part in held.values() for row in part]))
        made = {name: array_of([part.get(row) for row in rows]) for name, part in held.items()}
        return DataFrame(made, index=_labels(rows))
    return DataFrame(held)


def _flat(record, sep, before="", depth=None):
    made = {}
    for name, value in record.items():
        called = f"{before}{name}"
        if isinstance(value, dict) and value and (depth is None or depth > 0):
            made.update(_flat(value, sep, f"{called}{sep}", None if depth is None else depth - 1))
        else:
            made[called] = value
    return made


def json_normalize(data, record_path=None, meta=None, sep=".", max_level=None):
    """A row for each record; what is nested in it has a column for each of its values."""
    if record_path is not None:
        path = [record_path] if isinstance(record_path, str) else list(record_path)
        meta = [] if meta is None else [meta] if isinstance(meta, str) else list(meta)
        rows = []
        for record in [data] if isinstance(data, dict) else data:
            found = record
            for step in path:
                found = found[step]
            more = {each if isinstance(each, str) else sep.join(each): record for each in meta}
            for name, each in zip(list(more), meta):
                value = record
                for step in [each] if isinstance(each, str) else each:
                    value = value[step]
                more[name] = value
            rows += [{**(_flat(each, sep) if isinstance(each, dict) else {0: each}), **more} for each in found]
        return DataFrame(rows)
    return DataFrame([_flat(each, sep, depth=max_level) for each in ([data] if isinstance(data, dict) else data)])
