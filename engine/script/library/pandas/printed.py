# type: ignore
"""pandas.printed: tables as text."""

from pandas.display import options, shown_of
from pandas.shown import cells_of, cut, dots_of, labels_of, spelled


def _heads(names):
    """The texts of the columns' names: numbers are as wide as the widest."""
    texts = [str(name) for name in names]
    width = max([len(text) for text in texts])
    numbers = all([isinstance(name, int) for name in names])
    return [f"{text:<{width}}" for text in texts] if numbers else texts


def _cells(values, signs):
    """The texts of a column, with room for a sign, or without where none has one."""
    cells = cells_of(values)
    spare = not signs and all([cell[:1] == " " for cell in cells])
    return [cell[1:] for cell in cells] if spare else cells


def parts_of(table, places, signs=True):
    """The texts of the labels and of every column, in the rows that are shown; `signs`: numbers have room for one."""
    heading, texts = labels_of(table.index, places, 1)
    if len(table.columns.names) > 1:
        return _parts_of_levels(table, places, signs, heading, texts)
    above = table.columns.name
    between = [] if heading is None else [heading]
    parts = [["" if above is None else str(above), *between, *texts]]
    for name, values in zip(_heads(list(table.columns)), table._columns.values()):
        head = name if values.dtype.kind in "UOMm" else f" {name}"
        parts.append([head, *[""] * len(between), *_cells(values[places], signs)])
    return parts


def _parts_of_levels(table, places, signs, heading, texts):
    """The same of columns whose names have several levels: what repeats the name before it stays empty."""
    columns = table.columns
    count = len(columns.names)
    between = [] if heading is None else [heading]
    parts = [[*["" if name is None else str(name) for name in columns.names], *between, *texts]]
    before = [None] * count
    for names, values in zip(columns, table._columns.values()):
        heads = [str(name) for name in names]
        shown = list(heads)
        for level in range(count - 1):
            if heads[: level + 1] == before[: level + 1]:
                shown[level] = ""
        before = heads
        parts.append([*shown, *[""] * len(between), *_cells(values[places], signs)])
    return parts


def table_text(table):
    """The table as print() shows it."""
    if not table._columns or not len(table.index):
        return f"Empty DataFrame\nColumns: {list(table.columns)}\nIndex: {list(table.index)}".replace("'", "")
    places = shown_of(len(table))
    parts = [cut(part) for part in parts_of(table, places)]
    many = len(places) < len(table)
    if many:
        end = len(parts[0]) - len(places) // 2
        parts = [[*part[:end], dots_of(max([len(cell) for cell in part])), *part[end:]] for part in parts]
    most = options.display.max_columns
    if most == 0:
        fitting = _fitting(parts)
    elif most is not None and most < len(parts) - 1:
        half = max(most // 2, 1)
        fitting = [*parts[: half + 1], [" ..."] * len(parts[0]), *parts[-half:]]
    else:
        fitting = parts
    text = beside(fitting) if most == 0 else _below(fitting)
    fewer = many or fitting is not parts
    return f"{text}\n\n[{len(table)} rows x {len(table._columns)} columns]" if fewer else text


def _fitting(parts):
    """The columns of texts that fit into a line: of more, those in the middle are left out."""
    widths = [max([len(cell) for cell in part]) for part in parts]
    over = sum(widths) + len(widths) - 1 - options.display.width + 1
    if over > 0:
        over += len(" ...") + 1
    while over > 0 and len(widths) > 1:
        over -= widths.pop(round(len(widths) / 2)) + 1
    fitting = max(len(widths) - 1, 2)
    if fitting >= len(parts) - 1:
        return parts
    half = max(fitting // 2, 1)
    return [*parts[: half + 1], [" ..."] * len(parts[0]), *parts[-half:]]


def _below(parts):
    """All columns, as many in a line as fit, the others in blocks below."""
    width = options.display.width
    if width is None:
        return beside(parts)
    labels, columns = parts[0], parts[1:]
    room = width - max([len(cell) for cell in labels]) - 1
    blocks, block, used = [], [], 0
    for number, part in enumerate(columns):
        size = max([len(cell) for cell in part]) + 1
        used += size
        if block and used + (1 if number == len(columns) - 1 else 2) > room:
            blocks.append(block)
            block, used = [], size
        block.append(part)
    blocks.append(block)
    if len(blocks) == 1:
        return beside(parts)
    texts = []
    for number, block in enumerate(blocks):
        last = number == len(blocks) - 1
        end = [" "] * len(labels) if last else [" \\", *["  "] * (len(labels) - 1)]
        texts.append(beside([labels, *block, end]))
    return "\n\n".join(texts)


def beside(parts, labelled=True):
    """Columns of texts side by side: the first is flush left where it holds labels, all others flush right."""
    widths = [max([len(cell) for cell in part]) for part in parts]
    lines = []
    for row in zip(*parts):
        cells = [f"{cell:>{width}}" for cell, width in zip(row, widths)]
        if labelled:
            cells[0] = f"{row[0]:<{widths[0]}}"
        lines.append(" ".join(cells))
    return "\n".join(lines)


def column_text(column, kind):
    """A Series as print() shows it."""
    places = shown_of(len(column))
    heading, labels = labels_of(column.index, places, 2)
    cells = cut(cells_of(column._values[places]))
    many = len(places) < len(column)
    left, right = [max([len(each) for each in part]) for part in (labels, cells)]
    lines = [f"{label:<{left}}   {cell:>{right}}" for label, cell in zip(labels, cells)]
    if many:
        half = len(places) // 2
        lines = [*lines[:half], " " * left + "   " + dots_of(right).center(right), *lines[half:]]
    if heading is not None:
        lines = [heading, *lines]
    steps = column.index.freq or getattr([*column.index[:1], None][0], "freqstr", None)
    freq = [f"Freq: {steps}"] if steps is not None else []
    end = (
        freq
        + ([f"Name: {spelled(column.name)}"] if column.name is not None else [])
        + ([f"Length: {len(column)}"] if many else [])
    )
    return "\n".join([*lines, ", ".join([*end, kind])])
