# type: ignore
"""rich.table: tables as wide as their contents, up to the width there is."""

from rich import box as boxes
from rich._lines import placed, text_of, wrapped


class Column:
    def __init__(
        self, header="", footer="", *, justify="left", width=None, min_width=None, max_width=None, ratio=None,
        no_wrap=False, **options,
    ):  # fmt: skip
        self.header, self.footer, self.justify, self.cells = header, footer, justify, []
        self.width, self.min_width, self.max_width = width, min_width, max_width
        self.ratio, self.no_wrap = ratio, no_wrap


class Table:
    def __init__(
        self, *headers, title=None, caption=None, width=None, box=boxes.HEAVY_HEAD, padding=(0, 1), show_header=True,
        show_footer=False, show_edge=True, show_lines=False, expand=False, title_justify="center",
        caption_justify="center", collapse_padding=False, pad_edge=True, **options,
    ):  # fmt: skip
        self.columns = [each if isinstance(each, Column) else Column(each) for each in headers]
        self.title, self.caption, self.box, self.width, self.expand = title, caption, box, width, expand
        self.show_header, self.show_footer, self.show_edge = show_header, show_footer, show_edge
        self.show_lines, self.title_justify, self.caption_justify = show_lines, title_justify, caption_justify
        self.pad_edge, self.sections = pad_edge, []
        padding = (padding,) * 4 if isinstance(padding, int) else tuple(padding)
        self.padding = padding[1], padding[3] if len(padding) == 4 else padding[1]

    @classmethod
    def grid(cls, *headers, padding=0, collapse_padding=True, pad_edge=False, expand=False):
        return cls(
            *headers, box=None, padding=padding, show_header=False, show_edge=False, pad_edge=pad_edge, expand=expand
        )

    def add_column(self, header="", footer="", **options):
        made = Column(header, footer, **options)
        made.cells = [""] * len(self.sections)
        self.columns.append(made)

    def add_row(self, *cells, style=None, end_section=False):
        while len(self.columns) < len(cells):
            self.add_column()
        for i, column in enumerate(self.columns):
            column.cells.append(cells[i] if i < len(cells) and cells[i] is not None else "")
        self.sections.append(end_section)

    def add_section(self):
        if self.sections:
            self.sections[-1] = True

    @property
    def row_count(self):
        return len(self.sections)

    def _natural(self, column):
        texts = [text_of(each) for each in column.cells]
        texts += [text_of(column.header)] * self.show_header + [text_of(column.footer)] * self.show_footer
        lines = [line for text in texts for line in text.split("\n")]
        longest = max([len(line) for line in lines], default=0)
        least = max(
            [len(word) for line in lines for word in (line.split(" ") if not column.no_wrap else [line])], default=0
        )
        if column.width is not None:
            return column.width, column.width
        longest = min(longest, column.max_width or longest)
        return max(longest, column.min_width or 0), max(min(least, longest), column.min_width or 0)

    def _pads(self, i):
        left, right = self.padding
        if not self.pad_edge:
            left = 0 if i == 0 else left
            right = 0 if i == len(self.columns) - 1 else right
        return left, right

    def _widths(self, width):
        """How wide the columns are, without what stands around them."""
        edges = (len(self.columns) - 1) * bool(self.box) + 2 * bool(self.box and self.show_edge)
        around = edges + sum([sum(self._pads(i)) for i in range(len(self.columns))])
        found = [self._natural(column) for column in self.columns]
        widths, least = [each for each, _ in found], [each for _, each in found]
        allowed = (self.width or width) - around
        while sum(widths) > allowed:
            free = [i for i, each in enumerate(widths) if each > least[i] and not self.columns[i].no_wrap]
            free = free or [i for i, each in enumerate(widths) if each > 1]
            if not free:
                break
            widths[max(free, key=lambda i: widths[i])] -= 1
        if (self.expand or self.width) and widths and sum(widths) < allowed:
            total, missing = sum(widths) or 1, allowed - sum(widths)
            shares = [missing * each // total for each in widths]
            for i in range(missing - sum(shares)):
                shares[-1 - i % len(shares)] += 1
            widths = [each + more for each, more in zip(widths, shares)]
        return widths

    def drawn(self, width):
        if not self.columns:
            return []
        widths = self._widths(width)
        outer = [each + sum(self._pads(i)) for i, each in enumerate(widths)]
        lines = self._framed(widths, outer)
        total = len(lines[0]) if lines else 0

        def beside(text, how):
            return [placed(line, total, how) for line in wrapped(text_of(text), total)] if text else []

        return [*beside(self.title, self.title_justify), *lines, *beside(self.caption, self.caption_justify)]

    def _framed(self, widths, outer):
        box, edge = self.box, self.show_edge

        def rule(signs):
            left, stroke, between, right = signs
            inner = between.join([stroke * each for each in outer])
            return left + inner + right if edge else inner

        def row(cells, signs):
            left, _, between, right = signs if box else ("", "", "", "")
            parts = []
            for i, (cell, column) in enumerate(zip(cells, self.columns)):
                text = text_of(cell)
                parts.append([text] if column.no_wrap and len(text) <= widths[i] else wrapped(text, widths[i]))
            high = max([len(each) for each in parts])
            found = []
            for k in range(high):
                texts = []
                for i, lines in enumerate(parts):
                    before, after = self._pads(i)
                    line = placed(lines[k] if k < len(lines) else "", widths[i], self.columns[i].justify)
                    texts.append(" " * before + line + " " * after)
                inner = between.join(texts)
                found.append(left + inner + right if edge else inner)
            return found

        lines = [rule(box.top)] if box and edge else []
        if self.show_header:
            lines += row([column.header for column in self.columns], box.head if box else None)
            lines += [rule(box.head_row)] if box else []
        for i in range(len(self.sections)):
            lines += row([column.cells[i] for column in self.columns], box.mid if box else None)
            if box and i + 1 < len(self.sections) and (self.show_lines or self.sections[i]):
                lines.append(rule(box.row))
        if self.show_footer:
            lines += [rule(box.foot_row)] if box else []
            lines += row([column.footer for column in self.columns], box.mid if box else None)
        return lines + ([rule(box.bottom)] if box and edge else [])
