# type: ignore
"""prettytable: a table of text that is filled row by row."""


class HRuleStyle:
    """Where lines are drawn across: plain numbers, because a run can be copied with these."""

    FRAME = 0
    ALL = 1
    NONE = 2
    HEADER = 3


class VRuleStyle:
    """Where lines are drawn down."""

    FRAME = 0
    ALL = 1
    NONE = 2


class TableStyle:
    """What a table is drawn with."""

    DEFAULT = 10
    PLAIN_COLUMNS = 12
    MARKDOWN = 13
    DOUBLE_BORDER = 15
    SINGLE_BORDER = 16


FRAME, ALL, NONE, HEADER = HRuleStyle.FRAME, HRuleStyle.ALL, HRuleStyle.NONE, HRuleStyle.HEADER
DEFAULT, PLAIN_COLUMNS, MARKDOWN = TableStyle.DEFAULT, TableStyle.PLAIN_COLUMNS, TableStyle.MARKDOWN
DOUBLE_BORDER, SINGLE_BORDER = TableStyle.DOUBLE_BORDER, TableStyle.SINGLE_BORDER

_STROKES = {
    TableStyle.DEFAULT: ("|", "-", "+++", "+++", "+++"),
    TableStyle.SINGLE_BORDER: ("│", "─", "┌┬┐", "├┼┤", "└┴┘"),
    TableStyle.DOUBLE_BORDER: ("║", "═", "╔╦╗", "╠╬╣", "╚╩╝"),
    TableStyle.MARKDOWN: ("|", "-", "|||", "|||", "|||"),
}


def _stretched(widths, inside):
    """The widths of columns that fill `inside`, each as large a part of it as it was before."""
    total = sum(widths)
    scaled = [width * inside // total for width in widths]
    return [each + (i < inside - sum(scaled)) for i, each in enumerate(scaled)]


class PrettyTable:
    """`_settings` are of the whole table; of those in `_fields` each column may have its own."""

    def __init__(self, field_names=None, **options):
        self._names, self._rows, self._dividers = [], [], []
        self._settings = {
            "title": None, "border": True, "header": True, "padding_width": 1, "left_padding_width": None,
            "right_padding_width": None, "sortby": None, "reversesort": False, "hrules": HRuleStyle.FRAME,
            "vrules": VRuleStyle.ALL, "start": 0, "end": None, "sort_key": None, "row_filter": None, "fields": None,
        }  # fmt: skip
        self._fields = {"align": {}, "float_format": {}, "int_format": {}, "max_width": {}, "min_width": {}}
        self._style = TableStyle.DEFAULT
        if field_names is not None:
            self.field_names = field_names
        for name, value in options.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        for where in ("_settings", "_fields"):
            held = self.__dict__.get(where, {})
            if name in held:
                return held[name]
        raise AttributeError(name)

    def __setattr__(self, name, value):
        if name in self.__dict__.get("_settings", {}):
            self._settings[name] = value
        elif name in self.__dict__.get("_fields", {}):
            if isinstance(value, dict):
                self._fields[name].update(value)
            else:
                self._fields[name].update(dict.fromkeys([*self._names, ""], value))
        else:
            object.__setattr__(self, name, value)

    @property
    def field_names(self):
        return self._names

    @field_names.setter
    def field_names(self, names):
        names = [str(each) for each in names]
        if self._rows and len(names) != len(self._rows[0]):
            raise ValueError(
                f"Field name list has incorrect number of values, (actual) {len(names)}!={len(self._rows[0])} (expected)"
            )
        if len(names) != len(set(names)):
            raise ValueError("Field names must be unique")
        self._names = names

    @property
    def rows(self):
        return [[*row] for row in self._rows]

    def add_row(self, row, *, divider=False):
        row = [*row]
        if self._names and len(row) != len(self._names):
            raise ValueError(f"Row has incorrect number of values, (actual) {len(row)}!={len(self._names)} (expected)")
        if not self._names:
            self._names = [f"Field {i + 1}" for i in range(len(row))]
        self._rows.append(row)
        self._dividers.append(divider)

    def add_rows(self, rows, *, divider=False):
        for row in rows:
            self.add_row(row)
        if divider and self._dividers:
            self._dividers[-1] = True

    def add_divider(self):
        if self._dividers:
            self._dividers[-1] = True

    def add_column(self, fieldname, column, align="c", valign="t"):
        column = [*column]
        if self._rows and len(column) != len(self._rows):
            raise ValueError(f"Column length {len(column)} does not match number of rows {len(self._rows)}")
        self._names = [*self._names, str(fieldname)]
        self._fields["align"][str(fieldname)] = align
        if not self._rows:
            self._rows, self._dividers = [[] for _ in column], [False] * len(column)
        for row, value in zip(self._rows, column):
            row.append(value)

    def del_row(self, row_index):
        if row_index > len(self._rows) - 1:
            raise IndexError(f"Can't delete row at index {row_index}, table only has {len(self._rows)} rows")
        del self._rows[row_index], self._dividers[row_index]

    def del_column(self, fieldname):
        if fieldname not in self._names:
            raise ValueError(f"Can't delete column {fieldname!r} which is not a field name of this table.")
        at = self._names.index(fieldname)
        self._names = [each for each in self._names if each != fieldname]
        for row in self._rows:
            del row[at]

    def clear_rows(self):
        self._rows, self._dividers = [], []

    def clear(self):
        self.clear_rows()
        self._names = []

    def set_style(self, style):
        if style == TableStyle.PLAIN_COLUMNS:
            self.border, self.left_padding_width, self.right_padding_width = False, 0, 8
        elif style not in _STROKES:
            raise ValueError("Invalid pre-set style")
        else:
            self._style = style

    def copy(self):
        made = PrettyTable()
        made._names, made._rows, made._dividers = [*self._names], self.rows, [*self._dividers]
        made._settings.update(self._settings)
        for name, each in self._fields.items():
            made._fields[name].update(each)
        made._style = self._style
        return made

    def _of(self, option, name):
        held = self._fields[option]
        return held.get(name, held.get("", None))

    def _text(self, value, name):
        if isinstance(value, float) and self._of("float_format", name):
            form = self._of("float_format", name)
            return form(name, value) if callable(form) else f"%{form}f" % value
        if isinstance(value, int) and not isinstance(value, bool) and self._of("int_format", name):
            form = self._of("int_format", name)
            return form(name, value) if callable(form) else f"%{form}d" % value
        return str(value)

    def _shown_rows(self, options):
        rows = [*zip(self._rows, self._dividers)]
        if options["row_filter"]:
            rows = [each for each in rows if options["row_filter"](each[0])]
        if options["sortby"] is not None:
            at = self._names.index(options["sortby"])
            key = options["sort_key"]
            own = (lambda each: [each[0][at], *each[0]]) if key is None else lambda each: key([each[0][at], *each[0]])
            rows = sorted(rows, key=own, reverse=options["reversesort"])
        return rows[options["start"] : options["end"]]

    def get_string(self, **given):
        """The table as a text."""
        options = dict(self._settings)
        for name, value in given.items():
            if name in options:
                options[name] = value
        kept = [i for i, name in enumerate(self._names) if options["fields"] is None or name in options["fields"]]
        names = [self._names[i] for i in kept]
        shown = self._shown_rows(options)
        said = [[self._text(row[i], self._names[i]) for i in kept] for row, _ in shown]
        widths = [len(name) * bool(options["header"]) for name in names]
        for row in said:
            widths = [max([width, *map(len, text.split("\n"))]) for width, text in zip(widths, row)]
        for i, name in enumerate(names):
            most = self._of("max_width", name) or widths[i]
            widths[i] = max(min(widths[i], most), self._of("min_width", name) or 0)
        texts = [[self._lines(text, name) for text, name in zip(row, names)] for row in said]
        left, right = [
            options["padding_width"] if options[f"{side}_padding_width"] is None else options[f"{side}_padding_width"]
            for side in ("left", "right")
        ]
        title = options["title"]
        if title and widths:
            inside = len(title) + left + right - (left + right + 1) * len(widths) + 1
            if inside > sum(widths):
                widths = _stretched(widths, inside)
        return "\n".join(self._drawn(options, names, texts, [mark for _, mark in shown], widths, left, right))

    def _lines(self, text, name):
        most, lines = self._of("max_width", name), text.split("\n")
        if not most:
            return lines
        import textwrap

        return [part for line in lines for part in textwrap.wrap(line, most) or [""]]

    def _cell(self, text, width, way):
        missing = width - len(text)
        if way == "l":
            before = 0
        elif way == "r":
            before = missing
        else:  # the odd space stands after a text of odd length, and before one of even length
            before = missing // 2 + (missing % 2 and not len(text) % 2)
        return " " * before + text + " " * (missing - before)

    def _drawn(self, options, names, rows, dividers, widths, left, right):
        bar, stroke, top, middle, bottom = _STROKES[self._style]
        markdown = self._style == TableStyle.MARKDOWN
        border = options["border"]
        ways = [(self._of("align", name) or "c")[0] for name in names]

        def rule(ends):
            parts = [stroke * (width + left + right) for width in widths]
            if markdown:
                parts = []
                for width, way in zip(widths, ways):
                    inner = "-" * (width - 2)
                    parts.append(" " + {"l": f":{inner}-", "r": f"-{inner}:"}.get(way, f":{inner}:") + " ")
            return ends[0] + ends[1].join(parts) + ends[2]

        def lines(cells):
            high = max([len(each) for each in cells], default=1)
            found = []
            for i in range(high):
                parts = [
                    " " * left + self._cell(each[i] if i < len(each) else "", width, way) + " " * right
                    for each, width, way in zip(cells, widths, ways)
                ]
                found.append(bar + bar.join(parts) + bar if border else "".join(parts))
            return found

        if markdown:
            widths = [max(width, 3) for width in widths]
        out = []
        rules = options["hrules"] if border else HRuleStyle.NONE
        framed = border and rules in (HRuleStyle.FRAME, HRuleStyle.ALL) and not markdown
        if options["title"]:
            inner = sum(widths) + (left + right + 1) * len(widths) - 1
            said = self._cell(options["title"], inner, "c")
            if framed:
                out.append(top[0] + stroke * inner + top[2])
            out.append(bar + said + bar if border else f" {said} ")
            top = middle
        if framed:
            out.append(rule(top))
        if options["header"]:
            out += lines([self._lines(name, name) for name in names])
            if border and rules != HRuleStyle.NONE:
                out.append(rule(middle))
        for i, row in enumerate(rows):
            out += lines(row)
            if border and i + 1 < len(rows) and (rules == HRuleStyle.ALL or dividers[i]):
                out.append(rule(middle))
        if framed:
            out.append(rule(bottom))
        return out

    def get_csv_string(self, **options):
        import csv
        import io

        out = io.StringIO()
        writer = csv.writer(out)
        if options.get("header", True):
            writer.writerow(self._names)
        for row in self._rows:
            writer.writerow([str(value) for value in row])
        return out.getvalue()

    def get_html_string(self, **options):
        raise NotImplementedError("get_html_string() does not exist here: get_string() does")

    def __str__(self):
        return self.get_string()

    def __repr__(self):
        return self.get_string()

    def __len__(self):
        return len(self._rows)

    def __getitem__(self, index):
        made = self.copy()
        made._rows = self._rows[index] if isinstance(index, slice) else [self._rows[index]]
        made._dividers = [False] * len(made._rows)
        return made
