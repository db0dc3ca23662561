"""The allow-list for what matplotlib draws on: calls that draw are recorded (plots.py); all else that an axis or a line
can be asked exists and does nothing. surface/pyplot.py has the modules."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import numpy as np

import engine
from engine.script.executing.calls import consume
from engine.script.frames import current
from engine.script.limits.nested import check_nested
from engine.script.limits.numpy_sizes import check_elements
from engine.script.limits.still import still
from engine.script.plots import SERIES, Array, Board, Kind, Panel, Series, frozen, matrix, series, thinned
from engine.script.surface import Rule, names, register
from engine.script.surface.drawn import Legend, Shown, Words, named, quiet
from engine.script.surface.keywords import asked
from engine.script.values.plain import written

FORMATS = set("bgrcmykw0123456789C.-:,ov^<>sp*hH+xXdD|_P ")


def board() -> Board:
    return current.machine.board


def _numbers(value: Any) -> tuple[Array, tuple[str, ...]]:
    """Values to be drawn as a flat array, and the categories when they are text. Raises as matplotlib does through
    Tensor.numpy() for a tensor that requires grad."""
    values, categories = _array(value)
    return np.atleast_1d(values).ravel(), categories


def _array(value: Any) -> tuple[Array, tuple[str, ...]]:
    check_nested(value)
    value = still(value)
    if isinstance(value, engine.Tensor):
        return value.numpy().astype(np.float64), ()
    if not isinstance(value, (list, tuple, np.ndarray, np.generic, int, float, str, dt.date)):
        value = list(consume(value))
    if isinstance(value, (list, tuple)):
        if any(isinstance(item, str) for item in value):
            return np.arange(len(value), dtype=np.float64), tuple(text_of(item) for item in value)
        value = [item.numpy() if isinstance(item, engine.Tensor) else item for item in value]
    elif isinstance(value, str):
        return np.zeros(1), (text_of(value),)
    array = np.asarray(value)
    if array.dtype.kind == "O" and array.size and all(isinstance(each, dt.date) for each in array.flat):
        array = array.astype("datetime64[us]")
    if array.dtype.kind == "M":  # as days since 1970
        return array.astype("datetime64[us]").astype(np.int64) / 86_400_000_000, ()
    if array.dtype.kind not in "biuf":
        if array.dtype.kind in "US":
            return np.arange(array.size, dtype=np.float64), tuple(written(str(item)) for item in array.ravel())
        raise TypeError(f"cannot draw values of type {array.dtype}")
    return array.astype(np.float64), ()


def text_of(value: Any) -> str:
    from engine.script.values.texts import text_str

    return written(value if isinstance(value, str) else "" if value is None else text_str(value))


def _color(kwargs: dict[str, Any], otherwise: str = "") -> str:
    for name in ("color", "c", "edgecolor", "edgecolors", "facecolor"):
        value = kwargs.get(name)
        if isinstance(value, str):
            return value
    return otherwise


def _fit(x: Array, y: Array) -> None:
    if x.size != y.size:
        raise ValueError(f"x and y must have same first dimension, but have shapes {x.shape} and {y.shape}")


class Artist:
    """What a drawing call gives back: a line, points, bars, a text. It can be changed and removed."""

    __slots__ = ("_series", "_waiting", "panel")

    def __init__(self, panel: Panel, drawn: Series) -> None:
        self.panel = panel
        self._series = drawn
        self._waiting: tuple[int, Array] | None = None  # the place of a coordinate, and its values

    def _replace(self, changed: Series | None) -> None:
        placed = self.panel.series
        for i, each in enumerate(placed):
            if each is self._series:
                placed[i : i + 1] = [changed] if changed is not None else []
        if changed is not None:
            self._series = changed
        board().changed(self.panel)

    def _with(self, x: Array | None, y: Array | None) -> None:
        was = self._series
        self._replace(series(was.kind, x, y, label=was.label, color=was.color))

    def _one(self, place: int, values: Array) -> None:
        """Another x (place 0) or y (1). One that is longer or shorter than the other waits for its like: only when
        matplotlib paints must they be of one length."""
        was = self._series
        if self._waiting is not None and self._waiting[0] != place and self._waiting[1].size == values.size:
            both = (self._waiting[1], values) if place else (values, self._waiting[1])
            self._waiting = None
            self._with(*both)
        elif values.size == was.points:
            kept = frozen(values[thinned(was.points)])
            self._replace(replace(was, y=kept) if place else replace(was, x=kept))
        else:
            self._waiting = (place, values)

    def set_data(self, *data: Any) -> None:
        x, y = data if len(data) == 2 else data[0]
        self._with(_numbers(x)[0], _numbers(y)[0])

    def set_xdata(self, x: Any) -> None:
        self._one(0, _numbers(x)[0])

    def set_ydata(self, y: Any) -> None:
        self._one(1, _numbers(y)[0])

    def set_offsets(self, points: Any) -> None:
        pairs = np.asarray(_array(points)[0]).reshape(-1, 2)
        self._with(pairs[:, 0], pairs[:, 1])

    def set_label(self, label: Any) -> None:
        was = self._series
        self._replace(Series(was.kind, was.x, was.y, was.z, text_of(label), was.color, was.names, was.points))

    def set_text(self, text: Any) -> None:
        was = self._series
        self._replace(Series(was.kind, was.x, was.y, was.z, was.label, was.color, (text_of(text),), was.points))

    def remove(self) -> None:
        self._replace(None)

    def read(self, name: str) -> Any:
        if name in ARTIST:
            return getattr(self, name)
        return Shown().read(name)


class Bars(Artist):
    """What bar() and hist() give."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<BarContainer object of {0 if self._series.x is None else self._series.x.size} artists>"


class Label(Artist):
    """What text() and annotate() give."""

    __slots__ = ()

    def __repr__(self) -> str:
        x, y = ([0.0] if each is None else each.ravel().tolist() for each in (self._series.x, self._series.y))
        return f"Text({x[0]:g}, {y[0]:g}, {self._series.names[0]!r})"


ARTIST = names("set_data set_xdata set_ydata set_offsets set_label set_text remove")
KINDS = {
    name: named(f"matplotlib.{module}", name, Artist)
    for module, name in (
        ("lines", "Line2D"),
        ("collections", "PathCollection"),
        ("image", "AxesImage"),
        ("contour", "QuadContourSet"),
        ("collections", "FillBetweenPolyCollection"),
    )
}


class Axes:
    """A panel as scripts see it; pyplot's functions are those of the current one."""

    __slots__ = ("panel",)

    def __init__(self, panel: Panel) -> None:
        self.panel = panel

    def _draw(self, kind: str | type, *drawn: Series) -> list[Any]:
        panel = self.panel
        panel.series.extend(drawn)
        del panel.series[:-SERIES]
        board().changed(panel)
        made = KINDS[kind] if isinstance(kind, str) else kind
        return [made(panel, each) for each in drawn]

    # -- drawing -------------------------------------------------------------------------------------------------

    def plot(self, *args: Any, **kwargs: Any) -> list[Artist]:
        """plot([x], y, [format], ...): any number of such groups."""
        made: list[Series] = []
        label, rest = kwargs.get("label"), list(args)
        while rest:
            group = [rest.pop(0)]
            if rest and not isinstance(rest[0], str):
                group.append(rest.pop(0))
            text = rest.pop(0) if rest and isinstance(rest[0], str) and set(rest[0]) <= FORMATS else ""
            made += self._lines(group, text, kwargs, label)
        return self._draw("Line2D", *made)

    def _lines(self, group: list[Any], text: str, kwargs: dict[str, Any], label: Any) -> list[Series]:
        values = _array(group[-1])[0]
        count = values.shape[0] if values.ndim else 1
        table = values.reshape(count, -1 if count else 1)
        x, categories = _numbers(group[0]) if len(group) == 2 else (np.arange(count, dtype=np.float64), ())
        across = _array(group[0])[0] if len(group) == 2 else x
        if across.ndim < 2 or across.shape[1] == 1:
            _fit(x, table[:, 0] if table.shape[1] else table)
        marks = text.replace("-", "") if "-" not in text else ""
        points = bool(set(marks) & set(".,ov^<>sp*hH+xXdD|_")) or kwargs.get("linestyle", kwargs.get("ls")) in (
            "",
            "None",
            "none",
            " ",
        )
        color = _color(kwargs, next((mark for mark in text if mark in "bgrcmykw"), ""))
        columns = across if across.shape == table.shape else np.tile(x.reshape(-1, 1)[:count], (1, table.shape[1]))
        labels = label if isinstance(label, (list, tuple)) else [label] * table.shape[1]
        return [
            series(
                "scatter" if points else "line",
                columns[:, i].astype(np.float64),
                table[:, i],
                names=categories,
                label=text_of(labels[i] if i < len(labels) else ""),
                color=color,
            )
            for i in range(min(table.shape[1], SERIES))
        ]

    def scatter(self, x: Any, y: Any, s: Any = None, c: Any = None, *args: Any, **kwargs: Any) -> Artist:
        (across, categories), (up, _) = _numbers(x), _numbers(y)
        if across.size != up.size:
            raise ValueError("x and y must be the same size")
        if isinstance(c, str):
            kwargs = {"c": c, **kwargs}
        shades = (
            _numbers(c)[0] if c is not None and not isinstance(c, str) and np.size(_array(c)[0]) == up.size else None
        )
        label = text_of(kwargs.get("label"))
        drawn = series("scatter", across, up, shades, names=categories, label=label, color=_color(kwargs))
        return self._draw("PathCollection", drawn)[0]

    def bar(self, x: Any, height: Any, width: Any = 0.8, *args: Any, **kwargs: Any) -> Artist:
        return self._bars("bar", x, height, width, kwargs)

    def barh(self, y: Any, width: Any, height: Any = 0.8, *args: Any, **kwargs: Any) -> Artist:
        return self._bars("barh", y, width, height, kwargs)

    def _bars(self, kind: Kind, places: Any, lengths: Any, widths: Any, kwargs: dict[str, Any]) -> Artist:
        (at, categories), (far, _), (wide, _) = _numbers(places), _numbers(lengths), _numbers(widths)
        size = max(at.size, far.size)
        at, far, wide = (np.broadcast_to(each, (size,)) for each in (at, far, wide))
        label = text_of(kwargs.get("label"))
        x, y = (at, far) if kind == "bar" else (far, at)
        return self._draw(Bars, series(kind, x, y, wide, names=categories, label=label, color=_color(kwargs)))[0]

    def hist(self, x: Any, bins: Any = 10, range: Any = None, density: bool = False, **kwargs: Any) -> Any:
        """Counts, edges and the bars, as NumPy's histogram gives them."""
        if isinstance(bins, int):
            check_elements(bins, "plt.hist")
        edges = bins if isinstance(bins, (int, str)) else _numbers(bins)[0]
        weights = kwargs.get("weights")
        counts, edges = np.histogram(
            _numbers(x)[0], edges, range, density=density, weights=None if weights is None else _numbers(weights)[0]
        )
        if kwargs.get("cumulative"):
            counts = counts.cumsum()
        counts = counts.astype(np.float64)
        drawn = series(
            "bar",
            (edges[:-1] + edges[1:]) / 2,
            counts,
            np.diff(edges),
            label=text_of(kwargs.get("label")),
            color=_color(kwargs),
        )
        return counts, edges, self._draw(Bars, drawn)[0]

    def imshow(self, X: Any, *args: Any, **kwargs: Any) -> Artist:
        values = _array(X)[0]
        if values.ndim not in (2, 3) or (values.ndim == 3 and values.shape[2] not in (1, 3, 4)):
            raise TypeError(f"Invalid shape {values.shape} for image data")
        return self._draw("AxesImage", matrix("image", values))[0]

    matshow = imshow

    def contour(self, *args: Any, **kwargs: Any) -> Artist:
        grids = [_array(each)[0] for each in args[: 3 if len(args) >= 3 else 1]]
        values = grids[-1]
        if values.ndim != 2:
            raise TypeError(f"Input z must be 2D, not {values.ndim}D")
        x = y = None
        if len(grids) == 3:
            x, y = grids[0], grids[1]
            x, y = x[0] if x.ndim == 2 else x, y[:, 0] if y.ndim == 2 else y
        return self._draw("QuadContourSet", matrix("contour", values, x, y))[0]

    contourf = pcolormesh = plot_surface = contour

    def fill_between(self, x: Any, y1: Any, y2: Any = 0, *args: Any, **kwargs: Any) -> Artist:
        across, one, two = (_numbers(each)[0] for each in (x, y1, y2))
        one, two = (np.broadcast_to(each, across.shape) for each in (one, two))
        label = text_of(kwargs.get("label"))
        drawn = series("fill", across, one, two, label=label, color=_color(kwargs))
        return self._draw("FillBetweenPolyCollection", drawn)[0]

    def errorbar(self, x: Any, y: Any, *args: Any, **kwargs: Any) -> list[Artist]:
        return self.plot(x, y, label=kwargs.get("label"), color=_color(kwargs))

    def step(self, x: Any, y: Any, *args: Any, **kwargs: Any) -> list[Artist]:
        return self.plot(x, y, *args, **kwargs)

    def stem(self, *args: Any, **kwargs: Any) -> list[Artist]:
        return self.plot(*args, **kwargs)

    def semilogx(self, *args: Any, **kwargs: Any) -> list[Artist]:
        self.panel.x_scale = "log"
        return self.plot(*args, **kwargs)

    def semilogy(self, *args: Any, **kwargs: Any) -> list[Artist]:
        self.panel.y_scale = "log"
        return self.plot(*args, **kwargs)

    def loglog(self, *args: Any, **kwargs: Any) -> list[Artist]:
        self.panel.x_scale = self.panel.y_scale = "log"
        return self.plot(*args, **kwargs)

    def axhline(self, y: Any = 0, *args: Any, **kwargs: Any) -> Artist:
        label = text_of(kwargs.get("label"))
        drawn = series("horizontal", None, _numbers(y)[0], label=label, color=_color(kwargs))
        return self._draw("Line2D", drawn)[0]

    def axvline(self, x: Any = 0, *args: Any, **kwargs: Any) -> Artist:
        label = text_of(kwargs.get("label"))
        drawn = series("vertical", _numbers(x)[0], label=label, color=_color(kwargs))
        return self._draw("Line2D", drawn)[0]

    def text(self, x: Any, y: Any, s: Any = "", *args: Any, **kwargs: Any) -> Artist:
        drawn = series("text", _numbers(x)[0], _numbers(y)[0], names=(text_of(s),), color=_color(kwargs))
        return self._draw(Label, drawn)[0]

    def annotate(self, text: Any, xy: Any, *args: Any, **kwargs: Any) -> Artist:
        x, y = xy
        return self.text(x, y, text, **kwargs)

    def pie(self, x: Any, *args: Any, **kwargs: Any) -> Artist:
        parts = kwargs.get("labels") or ()
        drawn = series("pie", None, _numbers(x)[0], names=tuple(text_of(part) for part in parts))
        return self._draw(Artist, drawn)[0]

    # -- what stands around --------------------------------------------------------------------------------------

    def _note(self, name: str, value: Any) -> None:
        setattr(self.panel, name, value)
        board().changed(self.panel)

    def set_title(self, label: Any, *args: Any, **kwargs: Any) -> Words:
        self._note("title", text_of(label))
        return Words(0.5, 1.0, text_of(label))

    def set_xlabel(self, label: Any, *args: Any, **kwargs: Any) -> Words:
        self._note("x_label", text_of(label))
        return Words(0.5, 0, text_of(label))

    def set_ylabel(self, label: Any, *args: Any, **kwargs: Any) -> Words:
        self._note("y_label", text_of(label))
        return Words(0, 0.5, text_of(label))

    def set_zlabel(self, label: Any, *args: Any, **kwargs: Any) -> Words:
        return Words(0.5, 0, text_of(label))

    def set_xscale(self, value: Any, *args: Any, **kwargs: Any) -> None:
        self._note("x_scale", "log" if value in ("log", "symlog") else "linear")

    def set_yscale(self, value: Any, *args: Any, **kwargs: Any) -> None:
        self._note("y_scale", "log" if value in ("log", "symlog") else "linear")

    def set_xlim(self, *args: Any, **kwargs: Any) -> Any:
        self._note("x_limits", _limits(args, kwargs, "left", "right", self.panel.x_limits))
        return self.panel.x_limits if args and self.panel.x_limits else self._reach()[:2]

    def set_ylim(self, *args: Any, **kwargs: Any) -> Any:
        self._note("y_limits", _limits(args, kwargs, "bottom", "top", self.panel.y_limits))
        return self.panel.y_limits if args and self.panel.y_limits else self._reach()[2:]

    def _reach(self) -> tuple[Any, ...]:
        """From where to where the panel goes, across and up: what was set, or what is drawn and a margin."""
        panel, images = self.panel, [each.z for each in self.panel.series if each.kind == "image"]
        across, up = [[each.x for each in panel.series], [each.y for each in panel.series]]
        ends = [_ends(across), _ends(up)]
        if images and images[-1] is not None:
            rows, columns = images[-1].shape[:2]
            ends = [(-0.5, columns - 0.5), (rows - 0.5, -0.5)]
        return tuple(np.float64(end) for pair in (panel.x_limits or ends[0], panel.y_limits or ends[1]) for end in pair)

    def axis(self, *args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], (list, tuple)) and len(args[0]) == 4:
            left, right, bottom, top = (float(each) for each in args[0])
            self._note("x_limits", (left, right))
            self._note("y_limits", (bottom, top))
        return self._reach()

    def set(self, **kwargs: Any) -> list[Any]:
        made = []
        for name, value in kwargs.items():
            setter = getattr(self, f"set_{name}", quiet) if f"set_{name}" in AXES else quiet
            made.append(setter(*(value if name in ("xlim", "ylim") else (value,))))
        return made

    def legend(self, *args: Any, **kwargs: Any) -> Any:
        """Labels given here are those of the lines in order."""
        labels = kwargs.get("labels", args[-1] if args else None)
        if isinstance(labels, (list, tuple)) and all(isinstance(label, str) for label in labels):
            for drawn, label in zip([Artist(self.panel, each) for each in self.panel.series], labels, strict=False):
                drawn.set_label(label)
        self._note("legend", True)
        return Legend()

    def cla(self, *args: Any, **kwargs: Any) -> None:
        self.panel.clear()
        board().changed(self.panel)

    clear = cla

    def read(self, name: str) -> Any:
        if name in AXES or name == "boxplot":
            return asked(self, name)
        if name == "figure":
            from engine.script.surface.pyplot import Canvas

            return Canvas(self.panel.figure)
        if name == "lines":
            return [Artist(self.panel, each) for each in self.panel.series if each.kind in ("line", "scatter")]
        if name in ASKED:
            return self._asked(name)
        return Shown().read(name)

    def _asked(self, name: str) -> Any:
        """What get_title() and its like give."""

        def get(*args: Any, **kwargs: Any) -> Any:
            if name in ("get_xlim", "get_ylim"):
                return self._reach()[:2] if name == "get_xlim" else self._reach()[2:]
            return getattr(self.panel, ASKED[name])

        get.__name__ = name
        return get

    def __repr__(self) -> str:
        panel = self.panel
        told = [f"title={{'center': {panel.title!r}}}"] if panel.title else []
        told += [f"{name}={text!r}" for name, text in (("xlabel", panel.x_label), ("ylabel", panel.y_label)) if text]
        return f"<Axes: {', '.join(told)}>"


DRAWING = names("""
plot scatter bar barh hist imshow matshow contour contourf pcolormesh plot_surface fill_between errorbar step stem
semilogx semilogy loglog axhline axvline text annotate pie axis legend cla
""")
AXES = DRAWING | names("set_title set_xlabel set_ylabel set_zlabel set_xscale set_yscale set_xlim set_ylim set clear")
ASKED = {"get_title": "title", "get_xlabel": "x_label", "get_ylabel": "y_label", "get_xscale": "x_scale"}
ASKED |= {"get_yscale": "y_scale", "get_xlim": "x_limits", "get_ylim": "y_limits"}
SETTERS = names("title xlabel ylabel xscale yscale xlim ylim")


def _ends(drawn: list[Array | None]) -> tuple[float, float]:
    """The least and the largest of what is drawn, with matplotlib's margin of a twentieth."""
    values = np.concatenate(
        [each.ravel() for each in drawn if each is not None and each.size] or [np.array([0.0, 1.0])]
    )
    margin = 0.05 * (values.max() - values.min()) if any(each is not None for each in drawn) else 0.0
    return values.min() - margin, values.max() + margin


def _limits(args: tuple[Any, ...], kwargs: dict[str, Any], low: str, high: str, was: Any) -> Any:
    given = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
    short = low[0] if low == "x" else {"left": "xmin", "bottom": "ymin"}[low]
    long = {"right": "xmax", "top": "ymax"}[high]
    first = given[0] if given else kwargs.get(low, kwargs.get(short))
    last = given[1] if len(given) > 1 else kwargs.get(high, kwargs.get(long))
    if first is None or last is None:
        return was
    return float(first), float(last)


for _kind in (Artist, *KINDS.values(), Bars, Label):
    register(_kind, Rule(getter=Artist.read))
register(Axes, Rule(getter=Axes.read))
