# type: ignore
"""seaborn: pictures of tables, drawn with matplotlib."""

import matplotlib.pyplot as plt
import numpy as np


def _quiet(*args, **kwargs):
    """Styles and palettes: nothing of them is kept."""


set = set_theme = set_style = set_context = set_palette = reset_orig = reset_defaults = despine = _quiet
_BY_HUE = ("hue", "style", "size")


def color_palette(palette=None, n_colors=None, **kwargs):
    return [f"C{i}" for i in range(n_colors or 10)]


def load_dataset(name, **kwargs):
    raise OSError(
        f"load_dataset({name!r}) would download it, which a script cannot do here: write the table in the script"
    )


def _values(data, given):
    """What `given` means: a column of the data by its name, or values."""
    if given is None or (isinstance(given, str) and data is None):
        return None
    found = data[given] if isinstance(given, str) or (data is not None and np.ndim(given) == 0) else given
    return np.asarray(found)


def _axes(ax, data, x, y):
    """The axes to draw on, with the names of the columns on them."""
    ax = plt.gca() if ax is None else ax
    for place, given in ((ax.set_xlabel, x), (ax.set_ylabel, y)):
        name = given if isinstance(given, str) else getattr(given, "name", None)
        if name is not None:
            place(str(name))
    return ax


def _parts(data, x, y, hue):
    """(label, x, y) of each kind of rows, in the order in which they come."""
    across, up, kinds = _values(data, x), _values(data, y), _values(data, hue)
    if across is None:
        across = np.arange(len(up))
    if kinds is None:
        return [(None, across, up)]
    found = dict.fromkeys(kinds.tolist())
    return [(str(kind), across[kinds == kind], None if up is None else up[kinds == kind]) for kind in found]


def _points(draw, ax, data, x, y, hue, options):
    ax = _axes(ax, data, x, y)
    parts = _parts(data, x, y, hue)
    for label, across, up in parts:
        draw(ax, across, up, options.get("label", label))
    if len(parts) > 1:
        ax.legend()
    return ax


def scatterplot(data=None, *, x=None, y=None, hue=None, ax=None, **options):
    return _points(lambda ax, x, y, label: ax.scatter(x, y, label=label), ax, data, x, y, hue, options)


def lineplot(data=None, *, x=None, y=None, hue=None, ax=None, **options):
    if x is None and y is None and hasattr(data, "columns"):
        ax = plt.gca() if ax is None else ax
        for name in data.columns:
            ax.plot(list(data.index), data[name]._values, label=str(name))
        ax.legend()
        return ax
    if x is None and y is None:
        data, y = None, data

    def draw(ax, across, up, label):
        places = sorted(dict.fromkeys(across.tolist()))
        ax.plot(places, [np.mean(up[across == place]) for place in places], label=label)

    return _points(draw, ax, data, x, y, hue, options)


def regplot(data=None, *, x=None, y=None, ax=None, **options):
    ax = _axes(ax, data, x, y)
    across, up = _values(data, x), _values(data, y)
    ax.scatter(across, up)
    line = np.polyfit(across, up, 1)
    ends = np.array([across.min(), across.max()])
    ax.plot(ends, np.polyval(line, ends))
    return ax


def histplot(data=None, *, x=None, hue=None, bins=10, ax=None, **options):
    values = _values(data, x) if x is not None else data
    if hasattr(values, "columns"):
        parts = [(str(name), values[name]._values, None) for name in values.columns]
    else:
        parts = _parts(data, values, None, hue)
    ax = _axes(ax, data, x if x is not None else getattr(data, "name", None), "Count")
    for label, across, _ in parts:
        ax.hist(across, 10 if bins == "auto" else bins, label=label)
    return ax


distplot = kdeplot = displot = histplot


def countplot(data=None, *, x=None, y=None, ax=None, **options):
    given = x if x is not None else y if y is not None else data
    counts = {}
    for each in _values(data, given).tolist():
        counts[each] = counts.get(each, 0) + 1
    ax = _axes(ax, data, given, "count")
    ax.bar([str(each) for each in counts], list(counts.values()))
    return ax


def barplot(data=None, *, x=None, y=None, ax=None, **options):
    ax = _axes(ax, data, x, y)
    across, up = _values(data, x), _values(data, y)
    kinds = list(dict.fromkeys(across.tolist()))
    ax.bar([str(each) for each in kinds], [np.mean(up[across == each]) for each in kinds])
    return ax


def boxplot(data=None, *, x=None, y=None, ax=None, **options):
    """The points of each kind, as a column of them."""
    ax = _axes(ax, data, x, y)
    up = _values(data, y if y is not None else x)
    if up is None:
        return ax
    across = _values(data, x) if y is not None and x is not None else np.zeros(len(up))
    ax.scatter([str(each) for each in across.tolist()] if across.dtype.kind == "U" else across, up)
    return ax


violinplot = stripplot = swarmplot = boxplot


def heatmap(data, *, annot=None, fmt=".2g", cmap=None, ax=None, xticklabels="auto", yticklabels="auto", **options):
    ax = plt.gca() if ax is None else ax
    values = np.asarray(data)
    ax.imshow(values)
    if annot is True:
        for row, part in enumerate(values.tolist()):
            for column, each in enumerate(part):
                ax.text(column, row, f"{each:{fmt}}")
    return ax


class PairGrid:
    """What pairplot() gives."""

    def __init__(self, fig, axes):
        self.fig = self.figure = fig
        self.axes = axes


def pairplot(data, *, hue=None, vars=None, **options):
    names = [name for name in data.columns if name != hue and data[name]._values.dtype.kind in "biuf"]
    names = (list(vars) if vars is not None else names)[:6]
    fig, axes = plt.subplots(len(names), len(names), squeeze=False)
    for row, up in enumerate(names):
        for column, across in enumerate(names):
            ax = axes[row, column]
            if row == column:
                histplot(data, x=across, hue=hue, ax=ax)
            else:
                scatterplot(data, x=across, y=up, hue=hue, ax=ax)
    return PairGrid(fig, axes)
