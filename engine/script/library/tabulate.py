# type: ignore
"""tabulate: rows as a table of text."""

import re
import textwrap
from itertools import zip_longest

_INVISIBLE = re.compile(r"\x1b\[[0-9;]*m")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_ESCAPED = {
    **dict(zip("&%$#_{}", (r"\&", r"\%", r"\$", r"\#", r"\_", r"\{", r"\}"))),
    **{"~": r"\textasciitilde{}", "^": r"\^{}", "\\": r"\textbackslash{}", "<": r"\ensuremath{<}"},
    ">": r"\ensuremath{>}",
}


def _boxed(top, header, between, bottom, bars):
    return top, header, between, bottom, bars, 1


# Lines above, below the header, between rows, and below; what stands around cells; how many spaces are inside of them.
# A line is its left end, what it is made of, what is between columns, and its right end.
_LIGHT = ("├", "─", "┼", "┤")
_FORMATS = {
    "plain": (None, None, None, None, ("", "  ", ""), 0),
    "simple": (("", "-", "  ", ""), ("", "-", "  ", ""), None, ("", "-", "  ", ""), ("", "  ", ""), 0),
    "rst": (("", "=", "  ", ""), ("", "=", "  ", ""), None, ("", "=", "  ", ""), ("", "  ", ""), 0),
    "github": _boxed("|-||", "|-||", None, None, "|||"),
    "pipe": _boxed("|-||", "|-||", None, None, "|||"),
    "orgtbl": _boxed(None, "|-+|", None, None, "|||"),
    "psql": _boxed("+-++", "|-+|", None, "+-++", "|||"),
    "pretty": _boxed("+-++", "+-++", None, "+-++", "|||"),
    "presto": _boxed(None, ("", "-", "+", ""), None, None, ("", "|", "")),
    "jira": _boxed(None, None, None, None, "|||"),
    "tsv": (None, None, None, None, ("", "\t", ""), 0),
    "grid": _boxed("+-++", "+=++", "+-++", "+-++", "|||"),
    "simple_grid": _boxed("┌─┬┐", _LIGHT, _LIGHT, "└─┴┘", "│││"),
    "rounded_grid": _boxed("╭─┬╮", _LIGHT, _LIGHT, "╰─┴╯", "│││"),
    "heavy_grid": _boxed("┏━┳┓", "┣━╋┫", "┣━╋┫", "┗━┻┛", "┃┃┃"),
    "mixed_grid": _boxed("┍━┯┑", "┝━┿┥", _LIGHT, "┕━┷┙", "│││"),
    "double_grid": _boxed("╔═╦╗", "╠═╬╣", "╠═╬╣", "╚═╩╝", "║║║"),
    "fancy_grid": _boxed("╒═╤╕", "╞═╪╡", _LIGHT, "╘═╧╛", "│││"),
    "latex": (None, None, None, None, (" ", "&", r"\\"), 1),
    "html": (None, None, None, None, ("", "", ""), 0),
}
for _name in ("", "simple_", "rounded_", "heavy_", "mixed_", "double_", "fancy_"):
    _above, _header, _, _below, _bars, _inside = _FORMATS[f"{_name}grid"]
    _FORMATS[f"{_name}outline"] = _above, _header, None, _below, _bars, _inside
_FORMATS["latex_raw"] = _FORMATS["latex_booktabs"] = _FORMATS["latex"]
_FORMATS["unsafehtml"] = _FORMATS["html"]
_ALONE = "simple rst github pipe".split()
"""Formats whose lines above, and for some below, are there to stand for a header that is not."""
_ELSEWHERE = "asciidoc colon_grid latex_longtable mediawiki moinmoin textile youtrack".split()
tabulate_formats = sorted([*_FORMATS, *_ELSEWHERE])
multiline_formats = dict.fromkeys(tabulate_formats)


def _width(text):
    return max(len(line) for line in _INVISIBLE.sub("", text).split("\n"))


def _kind(value, parse):
    """int, float, bool, str, or None for what is missing."""
    if value is None:
        return None
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return bool
    if not isinstance(value, str):
        if hasattr(value, "__index__") or type(value).__name__.startswith(("int", "uint")):
            return int
        return float if isinstance(value, float) or type(value).__name__.startswith("float") else str
    if not value.strip() or not parse:
        return str if value else None
    plain = value.replace(",", "") if _THOUSANDS.fullmatch(value) else value
    for kind in (int, float):
        try:
            kind(plain)
        except ValueError:
            continue
        return kind
    return str


def _joined(kinds):
    """The kind of a column."""
    found = {kind for kind in kinds if kind is not None}
    if not found:
        return str
    if len(found) == 1:
        return found.pop()
    return str if str in found or bool in found and float in found else float if float in found else int


def _formatted(value, kind, floatfmt, intfmt, missing):
    if value is None:
        return missing
    if kind is float:
        if isinstance(value, str) and "," in value:
            return value
        return format(float(value), floatfmt)
    if kind is int and not isinstance(value, str):
        return format(value, intfmt)
    if kind is int and intfmt:
        return format(int(value.replace(",", "")), intfmt)
    return f"{value}"


def _after_point(text):
    """How many characters of a number stand after its point, -1 where it has none."""
    if _kind(text, True) is int:
        return -1
    at = text.rfind(".") if "." in text else text.lower().rfind("e")
    return len(text) - at - 1 if at >= 0 and _kind(text, True) is float else -1


def _aligned(text, width, how):
    lines = []
    for line in text.split("\n"):
        missing = width - _width(line)
        left = {"left": 0, "right": missing, "decimal": missing, "center": missing // 2}[how]
        lines.append(" " * left + line + " " * (missing - left))
    return "\n".join(lines)


def _of_pandas(data, showindex):
    """Keys, rows and labels. Columns are asked for their values, so that each keeps its own kind of number."""
    keys, rows = [*data.keys()], [[*row] for row in data.values]
    if keys and hasattr(data, "dtypes"):
        rows = [[*row] for row in zip(*[data[key].tolist() for key in keys])]
    if showindex in ("default", "always", True):
        keys = [getattr(data.index, "name", None) or "", *keys]
    return keys, rows, [*data.index]


def _of_dicts(rows, headers):
    """Rows and headers where each row is a dict."""
    first = headers == "firstrow"
    keys = [*rows[0]] if first else []
    for row in rows:
        keys.extend([key for key in row if key not in keys])
    names = headers if isinstance(headers, dict) else {}
    if headers == "keys" or isinstance(headers, dict):
        headers = [str(names.get(key, key)) for key in keys]
    if first:
        headers, rows = [str(rows[0].get(key)) for key in keys], rows[1:]
    return [[row.get(key) for key in keys] for row in rows], headers


def _table(data, headers, showindex):
    """Rows and headers as lists."""
    index = None
    if hasattr(data, "keys") and hasattr(data, "values"):
        if hasattr(data, "index"):
            keys, rows, index = _of_pandas(data, showindex)
        else:
            keys, rows = [*data.keys()], [[*row] for row in zip_longest(*data.values())]
        headers = [str(key) for key in keys] if headers == "keys" else headers
    else:
        rows = [*data]
        if rows and isinstance(rows[0], dict):
            rows, headers = _of_dicts(rows, headers)
        elif headers == "keys" and rows:
            first = rows[0]
            headers = [*first._fields] if hasattr(first, "_fields") else [str(i) for i in range(len(first))]
        rows = [[*row] for row in rows]
        if headers == "firstrow" and rows:
            headers, rows = [str(each) for each in rows[0]], rows[1:]
    headers = [] if isinstance(headers, str) else [str(each) for each in headers]
    if showindex in ("always", True) and index is None:
        index = [*range(len(rows))]
    elif not isinstance(showindex, (str, bool)):
        index = [*showindex]
        if len(index) != len(rows):
            raise ValueError(
                f"index must be as long as the number of data rows: len(index)={len(index)} len(rows)={len(rows)}"
            )
    elif showindex in ("never", False):
        index = None
    if index is not None:
        rows = [[label, *row] for label, row in zip(index, rows)]
    columns = max([len(row) for row in rows], default=len(headers))
    headers = ["" if headers else None] * (columns - len(headers)) + headers if headers else []
    return [row + [None] * (columns - len(row)) for row in rows], headers


def tabulate(
    tabular_data,
    headers=(),
    tablefmt="simple",
    floatfmt="g",
    intfmt="",
    numalign="default",
    stralign="default",
    missingval="",
    showindex="default",
    disable_numparse=False,
    colglobalalign=None,
    colalign=None,
    preserve_whitespace=False,
    maxcolwidths=None,
    headersglobalalign=None,
    headersalign=None,
    rowalign=None,
    maxheadercolwidths=None,
):
    """The table as a text."""
    if tablefmt in _ELSEWHERE:
        raise NotImplementedError(f"the table format {tablefmt!r} does not exist here: {', '.join(_FORMATS)} do")
    rows, headers = _table([] if tabular_data is None else tabular_data, headers, showindex)
    fmt = tablefmt if tablefmt in _FORMATS else "simple"
    pretty = fmt == "pretty"
    if maxcolwidths is not None:
        rows = _wrapped(rows, maxcolwidths)
    count = len(rows[0]) if rows else len(headers)
    columns = [[row[i] for row in rows] for i in range(count)] if rows else [[] for _ in range(count)]
    every = lambda given, usual: [*given, *[usual] * count] if isinstance(given, (list, tuple)) else [given] * count
    floats, ints, missing = every(floatfmt, "g"), every(intfmt, ""), every(missingval, "")
    quiet = (
        [disable_numparse] * count
        if isinstance(disable_numparse, bool)
        else [i in disable_numparse for i in range(count)]
    )
    kinds = [
        str if pretty else _joined([_kind(value, not quiet[i]) for value in column]) for i, column in enumerate(columns)
    ]
    for i, column in enumerate(columns):
        texts = [_formatted(value, kinds[i], floats[i] or "g", ints[i], missing[i]) for value in column]
        columns[i] = [text if preserve_whitespace or "\n" in text else text.strip() for text in texts]
    usual = "center" if pretty else "left"
    number, text = [given if given != "default" else own for given, own in ((numalign, "decimal"), (stralign, usual))]
    ways = [colglobalalign or (number if kind in (int, float) else text) for kind in kinds]
    for i, way in enumerate(colalign or ()):
        if i < count and way != "global":
            ways[i] = way
    padding = 0 if pretty else 2
    least = [_width(header) + padding for header in headers]
    widths = []
    for i, column in enumerate(columns):
        if ways[i] == "decimal":
            places = [_after_point(each) for each in column]
            most = max(places, default=-1)
            column = [each + " " * (most - at) for each, at in zip(column, places)]
        ways[i] = ways[i] or "left"
        widths.append(max([least[i] if headers else 0, *map(_width, column)]))
        columns[i] = [_aligned(each, widths[i], ways[i]) for each in column]
    heads = [headersglobalalign or ("right" if way == "decimal" else way) for way in ways]
    for i, way in enumerate(headersalign or ()):
        if i < count and way != "global":
            heads[i] = ways[i] if way == "same" else way
    titles = [_aligned(title, width, way) for title, width, way in zip(headers, widths, heads)]
    made = [[column[i] for column in columns] for i in range(len(rows))]
    if "html" in fmt:
        return _as_html(titles, made, ways, fmt)
    if "latex" in fmt:
        return _as_latex(titles, made, ways, fmt)
    return _drawn(fmt, titles, made, widths, ways)


def _wrapped(rows, widths):
    limit = lambda i: widths if isinstance(widths, int) else widths[i] if i < len(widths) else None
    found = []
    for row in rows:
        cells = []
        for i, value in enumerate(row):
            if value is not None and limit(i) is not None and not isinstance(value, (int, float)):
                parts = [textwrap.fill(line, limit(i)) for line in str(value).split("\n")]
                value = "\n".join(parts)
            cells.append(value)
        found.append(cells)
    return found


def _line(line, widths, inside):
    left, stroke, between, right = line
    return (left + between.join([stroke * (width + 2 * inside) for width in widths]) + right).rstrip()


def _colons(widths, ways):
    parts = []
    for width, way in zip(widths, ways):
        inner = "-" * width
        parts.append({"left": f":{inner}-", "center": f":{inner}:"}.get(way, f"-{inner}:"))
    return f"|{'|'.join(parts)}|"


def _row(cells, bars, inside):
    """One row, whose cells may have several lines."""
    left, between, right = bars
    split = [cell.split("\n") for cell in cells]
    high = max([len(each) for each in split], default=1)
    widths = [_width(each[0]) for each in split]
    lines = []
    for i in range(high):
        parts = [each[i] if i < len(each) else " " * width for each, width in zip(split, widths)]
        space = " " * inside
        lines.append((left + between.join([f"{space}{part}{space}" for part in parts]) + right).rstrip())
    return lines


def _drawn(fmt, titles, rows, widths, ways):
    above, header, between, below, bars, inside = _FORMATS[fmt]
    lines = []
    line = lambda what: _colons(widths, ways) if fmt == "pipe" else _line(what, widths, inside)
    if above and widths and not (titles and fmt in ("simple", "github", "pipe")):
        lines.append(line(above))
    if titles:
        lines += _row(titles, ("||", "||", "||") if fmt == "jira" else bars, inside)
        if header:
            lines.append(line(header))
    for i, row in enumerate(rows):
        if i and between:
            lines.append(line(between))
        lines += _row(row, bars, inside)
    if below and widths and not (titles and fmt == "simple"):
        lines.append(line(below))
    return "\n".join(lines)


def _as_html(titles, rows, ways, fmt):
    import html

    say = (lambda text: text) if fmt == "unsafehtml" else html.escape

    def row(cells, tag):
        found = ""
        for cell, way in zip(cells, ways):
            way = {"decimal": "right", "left": ""}.get(way, way)
            style = f' style="text-align: {way};"' if way else ""
            found += f"<{tag}{style}>{say(cell)}</{tag}>"
        return f"<tr>{found}</tr>"

    lines = ["<table>"]
    if titles:
        lines += ["<thead>", row(titles, "th"), "</thead>"]
    return "\n".join([*lines, "<tbody>", *[row(each, "td") for each in rows], "</tbody>", "</table>"])


def _as_latex(titles, rows, ways, fmt):
    top, middle, bottom = ("toprule", "midrule", "bottomrule") if "booktabs" in fmt else ("hline",) * 3
    letters = "".join([{"left": "l", "center": "c"}.get(way, "r") for way in ways])

    def row(cells):
        if fmt != "latex_raw":
            cells = ["".join([_ESCAPED.get(each, each) for each in cell]) for cell in cells]
        return f" {' & '.join(cells)} \\\\"

    lines = [f"\\begin{{tabular}}{{{letters}}}", f"\\{top}"]
    if titles:
        lines += [row(titles), f"\\{middle}"]
    return "\n".join([*lines, *[row(each) for each in rows], f"\\{bottom}", "\\end{tabular}"])
