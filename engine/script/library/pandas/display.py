# type: ignore
"""pandas.display: pandas.options.display, and which rows are shown by it."""

from _notebook import is_notebook


class Display:
    """pandas.options.display"""

    def __init__(self):
        self.max_rows, self.min_rows = 60, 10
        self.max_columns = 20 if is_notebook() else 0  # 0: as many columns as fit into a line
        self.width, self.max_colwidth = 80, 50
        self.precision, self.float_format = 6, None
        self.expand_frame_repr, self.show_dimensions = True, "truncate"


class Options:
    def __init__(self):
        self.display = Display()


options = Options()


def shown_of(count):
    """The rows that are shown of so many: all of them, or the first and last few."""
    most, least = options.display.max_rows, options.display.min_rows
    if most is None or most == 0 or count <= most:
        return list(range(count))
    half = min(most, most if least is None else least) // 2
    return [*range(half), *range(count - half, count)]
