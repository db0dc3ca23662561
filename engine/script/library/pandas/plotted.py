# type: ignore
"""pandas.plotted: what tables and columns draw, with matplotlib."""

import numpy as np

_PASSED = ("color", "alpha", "lw", "linewidth", "ls", "linestyle", "marker", "s", "c", "cmap", "bins")


class Plots:
    """DataFrame.plot and Series.plot: called, or asked for a kind of picture."""

    def __init__(self, data):
        self._data = data

    def _axes(self, options):
        import matplotlib.pyplot as plt

        ax = options.get("ax")
        if ax is None:
            ax = plt.subplots(figsize=options.get("figsize"))[1] if hasattr(self._data, "_columns") else plt.gca()
        return ax, {name: value for name, value in options.items() if name in _PASSED}

    def _named(self, ax, options):
        for name in ("title", "xlabel", "ylabel"):
            if options.get(name) is not None:
                getattr(ax, f"set_{name}")(str(options[name]))
        return ax

    def __call__(self, x=None, y=None, kind="line", **options):
        if kind != "line":
            named = {name: each for name, each in (("x", x), ("y", y)) if each is not None}
            return getattr(self, kind)(**named, **options)
        ax, passed = self._axes(options)
        data = self._data
        if not hasattr(data, "_columns"):
            ax.plot(list(data.index), data._values, label=options.get("label") or data.name, **passed)
            return self._named(ax, {"xlabel": data.index.name, **options})
        places = list(data.index) if x is None else data[x]._values
        for column in self._columns(x, y):
            ax.plot(places, column._values, label=str(column.name), **passed)
        ax.legend()
        return self._named(ax, {"xlabel": data.index.name if x is None else x, **options})

    line = __call__

    def scatter(self, x, y, **options):
        ax, passed = self._axes(options)
        ax.scatter(self._data[x]._values, self._data[y]._values, **passed)
        return self._named(ax, {"xlabel": x, "ylabel": y, **options})

    def bar(self, x=None, y=None, **options):
        ax, passed = self._axes(options)
        data = self._data
        places = list(data.index) if x is None else data[x].tolist()
        for column in self._columns(x, y):
            ax.bar([str(place) for place in places], column._values, **passed)
        return self._named(ax, {"xlabel": data.index.name if x is None else x, **options})

    def hist(self, bins=10, **options):
        ax, passed = self._axes(options)
        for column in self._columns(None, None):
            ax.hist(column.dropna()._values, bins, **passed)
        return self._named(ax, {"ylabel": "Frequency", **options})

    def barh(self, x=None, y=None, **options):
        ax, passed = self._axes(options)
        data = self._data
        places = list(data.index) if x is None else data[x].tolist()
        for column in self._columns(x, y):
            ax.barh([str(place) for place in places], column._values, **passed)
        return self._named(ax, {"ylabel": data.index.name if x is None else x, **options})

    def _columns(self, x, y):
        data = self._data
        if not hasattr(data, "_columns"):
            return [data]
        names = [name for name in data._numbers() if name != x] if y is None else y if isinstance(y, list) else [y]
        return [data[name] for name in names]

    def pie(self, y=None, autopct=None, labels=None, **options):
        ax, _ = self._axes(options)
        (column, *_) = self._columns(None, y)
        held = [str(each) for each in column.index] if labels is None else labels
        ax.pie(column._values, labels=held, autopct=autopct)
        return self._named(ax, options)

    def box(self, y=None, **options):
        ax, _ = self._axes(options)
        ax.boxplot([column.dropna().tolist() for column in self._columns(None, y)])
        return self._named(ax, options)

    def area(self, x=None, y=None, **options):
        ax, passed = self._axes(options)
        places = list(self._data.index) if x is None else self._data[x]._values
        below = np.zeros(len(self._data))
        for column in self._columns(x, y):
            ax.fill_between(places, below, below + column._values, label=str(column.name), **passed)
            below = below + column._values
        return self._named(ax, options)


class Drawn:
    @property
    def plot(self):
        return Plots(self)


class DrawnOfTables(Drawn):
    def boxplot(self, column=None, by=None, ax=None, **kwargs):
        import matplotlib.pyplot as plt

        ax = plt.gca() if ax is None else ax
        names = self._numbers() if column is None else column if isinstance(column, list) else [column]
        if by is not None:
            ax.boxplot([part[names[0]].dropna().tolist() for _, part in self.groupby(by)])
            return ax
        ax.boxplot([self[name].dropna().tolist() for name in names])
        return ax

    def hist(self, bins=10, **kwargs):
        import matplotlib.pyplot as plt

        for name in self._numbers():
            plt.hist(self._columns[name], bins)


class DrawnOfColumns(Drawn):
    def hist(self, bins=10, **kwargs):
        import matplotlib.pyplot as plt

        plt.hist(self._values, bins)
        return plt.gca()
