"""Recorded plots: what a script draws with matplotlib.pyplot, as plain data.

A `Board` belongs to one run. Its panels (matplotlib's axes) grow as the script draws; `take()` gives those that have
changed since it was asked last, as `Plot` records, which are part of a moment. Nothing here draws anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Array = np.ndarray[Any, Any]
Kind = Literal["line", "scatter", "bar", "barh", "image", "contour", "fill", "horizontal", "vertical", "text", "pie"]

POINTS = 1000
"""Points of one series that are kept; of more, every n-th, the first and the last."""
PIXELS = 64
"""Rows and columns of an image or contour that are kept."""
SERIES = 100
"""Series of one panel that are kept: the newest."""
PANELS = 64
"""Panels of one figure that are kept."""
TEXT = 200
"""Characters of a title or label that are kept."""


@dataclass(frozen=True, slots=True)
class Series:
    """One thing drawn: a line, a cloud of points, bars ...

    `x` and `y` are float64, of one length (for "horizontal", "vertical" lines: only the one that is fixed; "fill": `z`
    is the other edge). "image" and "contour": `z` is the matrix, `x` and `y` the coordinates of its columns and rows,
    or None. "bar", "barh": `z` holds the widths. `names` are the categories, where `x` was text, and the texts of
    "text". `points` is how many there were before some were left out. `color` is what the script asked for, or ""."""

    kind: Kind
    x: Array | None = None
    y: Array | None = None
    z: Array | None = None
    label: str = ""
    color: str = ""
    names: tuple[str, ...] = ()
    points: int = 0


@dataclass(frozen=True, slots=True)
class Plot:
    """One panel of a figure as it stands: matplotlib's axes. `figure` counts from 1; the panel is number `cell`, from
    0, of a grid of `rows` x `columns`. `heading` is the figure's own title. Limits are None where the data decide.
    `shown`: plt.show() or savefig() was called for the figure."""

    figure: int
    rows: int
    columns: int
    cell: int
    heading: str
    title: str
    x_label: str
    y_label: str
    x_limits: tuple[float, float] | None
    y_limits: tuple[float, float] | None
    x_scale: Literal["linear", "log"]
    y_scale: Literal["linear", "log"]
    legend: bool
    shown: bool
    series: tuple[Series, ...]

    def arrays(self) -> list[Array]:
        """Every array it holds."""
        return [array for each in self.series for array in (each.x, each.y, each.z) if array is not None]


@dataclass(eq=False, slots=True)
class Panel:
    """A plot while it is being drawn."""

    figure: Figure
    rows: int = 1
    columns: int = 1
    cell: int = 0
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    x_limits: tuple[float, float] | None = None
    y_limits: tuple[float, float] | None = None
    x_scale: Literal["linear", "log"] = "linear"
    y_scale: Literal["linear", "log"] = "linear"
    legend: bool = False
    series: list[Series] = field(default_factory=list)

    def record(self) -> Plot:
        """As plain data."""
        return Plot(
            self.figure.number,
            self.rows,
            self.columns,
            self.cell,
            self.figure.heading,
            self.title,
            self.x_label,
            self.y_label,
            self.x_limits,
            self.y_limits,
            self.x_scale,
            self.y_scale,
            self.legend,
            self.figure.shown,
            tuple(self.series),
        )

    def clear(self) -> None:
        """Empty again, in its place."""
        self.title = self.x_label = self.y_label = ""
        self.x_limits = self.y_limits = None
        self.x_scale = self.y_scale = "linear"
        self.legend = False
        self.series = []


@dataclass(eq=False, slots=True)
class Figure:
    """Panels of one figure, by (rows, columns, cell). `size` is the text that the script said, in dots."""

    number: int
    heading: str = ""
    size: str = "640x480"
    shown: bool = False
    panels: dict[tuple[int, int, int], Panel] = field(default_factory=dict)

    def panel(self, rows: int, columns: int, cell: int) -> Panel:
        """The panel in a place, made when it is new. A figure of more panels than are kept: the last one again."""
        place = rows, columns, cell
        if place not in self.panels:
            if len(self.panels) >= PANELS:
                return next(reversed(self.panels.values()))
            self.panels[place] = Panel(self, rows, columns, cell)
        return self.panels[place]


class Board:
    """The figures of one run. `figure` and `panel` are the current ones (None: the next drawing makes one)."""

    def __init__(self) -> None:
        self.figures = 0
        self.figure: Figure | None = None
        self.panel: Panel | None = None
        self.names: dict[object, Figure] = {}  # figures by the number or name that the script gave them
        self._changed: dict[Panel, None] = {}

    def new_figure(self, name: object = None) -> Figure:
        """Make a figure, or come back to the one of that name."""
        if name is not None and name in self.names:
            self.figure = self.names[name]
            self.panel = next(reversed(self.figure.panels.values()), None)
            return self.figure
        self.figures += 1
        self.figure = Figure(self.figures)
        self.panel = None
        if name is not None and len(self.names) < SERIES:
            self.names[name] = self.figure
        return self.figure

    def current_figure(self) -> Figure:
        return self.figure if self.figure is not None else self.new_figure()

    def current(self) -> Panel:
        """The panel that pyplot's functions draw on."""
        if self.panel is None:
            self.panel = self.current_figure().panel(1, 1, 0)
        return self.panel

    def changed(self, panel: Panel) -> None:
        """Something of `panel` is new."""
        self._changed[panel] = None
        if len(self._changed) > SERIES:
            del self._changed[next(iter(self._changed))]

    def show(self) -> None:
        """Everything drawn so far is shown; what comes next is a new figure."""
        if self.figure is not None:
            self.figure.shown = True
            for panel in self.figure.panels.values():
                self.changed(panel)
        self.close()

    def close(self) -> None:
        """The current figure is done with."""
        self.names = {name: figure for name, figure in self.names.items() if figure is not self.figure}
        self.figure = self.panel = None

    def take(self) -> tuple[Plot, ...]:
        """The panels that have changed since the last take()."""
        if not self._changed:
            return ()
        plots = tuple(panel.record() for panel in self._changed if panel.series or panel.title)
        self._changed = {}
        return plots


def thinned(count: int) -> slice | Array:
    """Which of `count` points are kept: every one, or some from the first to the last."""
    if count <= POINTS:
        return slice(None)
    return np.unique(np.linspace(0, count - 1, POINTS).round().astype(np.int64))


def series(kind: Kind, *columns: Array | None, names: tuple[str, ...] = (), label: str = "", color: str = "") -> Series:
    """A series of points: x, y and perhaps z, of one length, thinned."""
    count = max((column.size for column in columns if column is not None), default=0)
    keep = thinned(count)
    kept_names = names if isinstance(keep, slice) else [names[int(place)] for place in keep] if names else ()
    kept = [None if column is None else frozen(column[keep]) for column in columns]
    x, y, z = (*kept, None, None)[:3]
    return Series(kind, x, y, z, label[:TEXT], color[:TEXT], tuple(name[:TEXT] for name in kept_names), count)


def matrix(kind: Kind, values: Array, x: Array | None = None, y: Array | None = None) -> Series:
    """An image or contour, down-sampled. A picture in colours becomes its brightness."""
    if values.ndim == 3:
        values = values[..., :3].mean(axis=-1)
    rows, columns = (-(-size // PIXELS) or 1 for size in values.shape)
    return Series(
        kind,
        None if x is None else frozen(x[::columns]),
        None if y is None else frozen(y[::rows]),
        frozen(values[::rows, ::columns]),
        points=values.size,
    )


def frozen(values: Array) -> Array:
    """A copy that nobody changes."""
    copy = np.array(values, dtype=np.float64)
    copy.flags.writeable = False
    return copy
