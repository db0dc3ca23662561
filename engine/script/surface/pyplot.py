"""The allow-list for matplotlib's modules: figures, their grids of axes, and pyplot's functions."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import splitext
from typing import Any

import numpy as np

from engine.script.files import place_for
from engine.script.files import text_of as path_text
from engine.script.modules import MODULES, module
from engine.script.plots import PANELS, Figure
from engine.script.surface import Later, Rule, ScriptModule, names, register
from engine.script.surface.colors import to_hex, to_rgba
from engine.script.surface.drawn import QUIET, Colorbar, ExitStack, Shown, Words, quiet
from engine.script.surface.keywords import boxplot, check
from engine.script.surface.plots import DRAWING, SETTERS, Axes, board, text_of


class Canvas:
    """A figure as scripts see it."""

    __slots__ = ("_figure",)

    def __init__(self, figure: Figure) -> None:
        self._figure = figure

    def add_subplot(self, *args: Any, **kwargs: Any) -> Axes:
        return _subplot(self._figure, args, kwargs)

    def subplots(self, *args: Any, **kwargs: Any) -> Any:
        return _grid(self._figure, args, kwargs)

    def suptitle(self, text: Any, *args: Any, **kwargs: Any) -> Words:
        self._figure.heading = text_of(text)
        for panel in self._figure.panels.values():
            board().changed(panel)
        return Words(0.5, 0.98, self._figure.heading)

    def colorbar(self, *args: Any, **kwargs: Any) -> Any:
        return Colorbar()

    def gca(self, *args: Any, **kwargs: Any) -> Axes:
        _takes_nothing("FigureBase.gca", 1, args, kwargs)
        panels = list(self._figure.panels.values())
        return Axes(panels[-1] if panels else self._figure.panel(1, 1, 0))

    def show(self, *args: Any, **kwargs: Any) -> None:
        self._figure.shown = True
        for panel in self._figure.panels.values():
            board().changed(panel)

    def savefig(self, *args: Any, **kwargs: Any) -> None:
        """Shows the figure; no file is made. Raises FileNotFoundError for a folder that is not there."""
        name = args[0] if args else kwargs.get("fname")
        if name is None:
            raise TypeError("savefig() missing 1 required positional argument: 'fname'")
        if not hasattr(name, "write"):  # which a file has
            path = path_text(name)
            place_for(path if splitext(path)[1] else f"{path}.{kwargs.get('format') or 'png'}")
        self.show()

    def clf(self, *args: Any, **kwargs: Any) -> None:
        self._figure.panels.clear()
        if board().figure is self._figure:
            board().panel = None

    clear = clf

    def read(self, name: str) -> Any:
        if name in FIGURE:
            return getattr(self, name)
        if name == "add_axes":
            return self.add_subplot
        if name == "axes":
            return [Axes(panel) for panel in self._figure.panels.values()]
        if name == "number":
            return self._figure.number
        return Shown().read(name)

    def __repr__(self) -> str:
        count = len(self._figure.panels)
        return f"<Figure size {self._figure.size} with {count} Axes>"


def _takes_nothing(name: str, own: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise TypeError for arguments of what takes none; `own`: how many it counts before those."""
    if kwargs:
        raise TypeError(f"{name}() got an unexpected keyword argument {next(iter(kwargs))!r}")
    if args:
        number = len(args) + own
        raise TypeError(
            f"{name}() takes {own} positional argument{'' if own == 1 else 's'} but {number} "
            f"{'was' if number == 1 else 'were'} given"
        )


def _current_axes(*args: Any, **kwargs: Any) -> Axes:
    _takes_nothing("gca", 0, args, kwargs)
    return Axes(board().current())


FIGURE = names("add_subplot subplots suptitle colorbar gca savefig show clf clear")


class Grid:
    """The axes that plt.subplots gives: an array of one or two dimensions."""

    __slots__ = ("_items", "shape")

    def __init__(self, items: Sequence[Any], shape: tuple[int, ...]) -> None:
        self._items = list(items)
        self.shape = shape

    def __getitem__(self, key: Any) -> Any:
        places = np.arange(len(self._items)).reshape(self.shape)[key]
        if isinstance(places, np.ndarray):
            return Grid([self._items[place] for place in places.ravel()], places.shape)
        return self._items[int(places)]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Any:
        return iter([self[row] for row in range(self.shape[0])])

    def flatten(self, *args: Any) -> Grid:
        return Grid(self._items, (len(self._items),))

    def __repr__(self) -> str:
        shown = np.empty(len(self._items), dtype=object)
        shown[:] = self._items
        return repr(shown.reshape(self.shape))


def _subplot(figure: Figure, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Axes:
    """The panel that subplot(rows, columns, number) or subplot(211) means."""
    numbers: list[Any] = [each for each in args if isinstance(each, (int, tuple, list))]
    if len(numbers) == 1 and isinstance(numbers[0], int) and 111 <= numbers[0] <= 999:
        numbers = [int(digit) for digit in str(numbers[0])]
    rows, columns, number = numbers if len(numbers) == 3 else (1, 1, 1)
    number = number[0] if isinstance(number, (tuple, list)) else number
    if not 1 <= number <= rows * columns:
        raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {number}")
    panel = figure.panel(rows, columns, number - 1)
    if board().figure is figure:
        board().panel = panel
    return Axes(panel)


def _grid(figure: Figure, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The axes of subplots(rows, columns): one, a row or column, or a grid."""
    rows, columns = [int(kwargs.get(key, args[i] if len(args) > i else 1)) for i, key in enumerate(("nrows", "ncols"))]
    if not (rows > 0 and columns > 0 and rows * columns <= PANELS):
        raise ValueError(f"Number of rows and columns must be positive, and at most {PANELS} panels here")
    panels = [figure.panel(rows, columns, cell) for cell in range(rows * columns)]
    board().panel = panels[-1]
    if len(panels) == 1 and kwargs.get("squeeze", True):
        return Axes(panels[0])
    one = 1 in (rows, columns) and kwargs.get("squeeze", True)
    return Grid([Axes(panel) for panel in panels], (len(panels),) if one else (rows, columns))


def _placed(shape: Any, loc: Any, *args: Any, **kwargs: Any) -> Axes:
    """The panel that subplot2grid(shape, (row, column)) begins in."""
    (rows, columns), (row, column) = shape, loc
    return _subplot(board().current_figure(), (rows, columns, row * columns + column + 1), {})


def _sized(figure: Figure, size: Any, dpi: Any) -> Figure:
    """The figure, told how large it would be, in inches and dots."""
    if isinstance(size, (list, tuple)) and len(size) == 2 and isinstance(dpi, (int, float)):
        figure.size = "x".join(f"{float(each) * dpi:g}" for each in size)
    return figure


def _figure(num: Any = None, figsize: Any = (6.4, 4.8), dpi: Any = 100, **kwargs: Any) -> Canvas:
    check("figure", kwargs)
    return Canvas(_sized(board().new_figure(num if isinstance(num, (int, str)) else None), figsize, dpi))


def _subplots(*args: Any, **kwargs: Any) -> tuple[Canvas, Any]:
    check("subplots", kwargs)
    figure = _sized(board().new_figure(), kwargs.get("figsize"), kwargs.get("dpi", 100))
    return Canvas(figure), _grid(figure, args, kwargs)


def _choose(axes: Any) -> None:
    if isinstance(axes, Axes):
        board().figure, board().panel = axes.panel.figure, axes.panel


def _on_current(name: str) -> Any:
    """A function of pyplot: the method of the current axes."""

    def draw(*args: Any, **kwargs: Any) -> Any:
        return Axes(board().current()).read(name)(*args, **kwargs)

    draw.__name__ = name
    return draw


def _of_figure(name: str) -> Any:
    def apply(*args: Any, **kwargs: Any) -> Any:
        return getattr(Canvas(board().current_figure()), name)(*args, **kwargs)

    apply.__name__ = name
    return apply


OTHERS = """xticks yticks quiver cm style rcParams arrow violinplot hlines vlines colormaps get_cmap
margins table polar streamplot triplot setp isinteractive Circle Rectangle get_current_fig_manager waitforbuttonpress
axhspan axline axvspan bar_label barbs broken_barh clabel eventplot figlegend figtext fill fill_betweenx getp hexbin
hist2d pcolor quiverkey rc_context sci spy stackplot stairs subplot_mosaic thetagrids tricontour tricontourf tripcolor
twinx twiny xkcd"""
COLORS = """autumn bone cool copper gray hot hsv inferno jet magma nipy_spectral pink plasma prism spring summer viridis
winter"""


def _pyplot(name: str) -> ScriptModule:
    members: dict[str, Any] = {each: Shown() for each in OTHERS.split()}
    members |= dict.fromkeys([*QUIET, *COLORS.split()], quiet)
    members |= {each: _on_current(each) for each in DRAWING}
    members |= {each: _on_current(f"set_{each}") for each in SETTERS}
    members |= {each: _of_figure(each) for each in ("suptitle", "colorbar", "savefig", "clf")}
    members |= dict.fromkeys(("ion", "ioff"), lambda: ExitStack())
    members |= {
        "figure": _figure,
        "boxplot": lambda x, *args, **kwargs: boxplot(None, x, *args, **kwargs),
        "subplots": _subplots,
        "subplot": lambda *args, **kwargs: _subplot(board().current_figure(), args, kwargs),
        "axes": lambda *args, **kwargs: Axes(board().current()),
        "gca": _current_axes,
        "gcf": lambda: Canvas(board().current_figure()),
        "sca": _choose,
        "subplot2grid": _placed,
        "fignum_exists": lambda num: board().current_figure().number == num,
        "get_fignums": lambda: [board().current_figure().number],
        "show": lambda *args, **kwargs: board().show(),
        "close": lambda *args: board().close(),
    }
    return ScriptModule(name, members)


def _pylab() -> ScriptModule:
    """pyplot among what is NumPy's."""
    arrays, drawing = module("numpy"), module("matplotlib.pyplot")
    inside = [module(f"numpy.{part}").public() for part in ("fft", "random", "linalg")]
    names = {name: value for part in (arrays.public(), *inside, drawing.public()) for name, value in part.items()}
    return ScriptModule("matplotlib.pylab", {**names, "np": arrays, "plt": drawing})


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(name, dict(members))


def _drawing(name: str, **members: Any) -> None:
    """A module of things that only draw: what it does not list is there all the same, and does nothing."""
    MODULES[name] = lambda: ScriptModule(name, dict(members), rest=Shown)


def _matplotlib() -> ScriptModule:
    inside = {part: module(f"matplotlib.{part}") for part in ("pyplot", "animation", "cm", "colors", "patches")}
    nothing = {"rcParams": Shown(), "use": quiet, "rc": quiet}
    inside |= {part: module(f"matplotlib.{part}") for part in DRAWN}
    return ScriptModule("matplotlib", {**nothing, **inside, "get_backend": lambda: "agg"})


DRAWN = (
    *("ticker", "gridspec", "lines", "image", "font_manager", "style", "collections", "dates", "offsetbox", "text"),
    *("axes", "axis", "figure", "transforms"),
)


def _fill() -> None:
    register(Canvas, Rule(getter=Canvas.read))
    register(
        Grid,
        Rule(names=names("flatten shape"), computed={"flat": Grid.flatten, "ravel": lambda self: self.flatten}),
    )
    MODULES["matplotlib.pyplot"] = lambda: _pyplot("matplotlib.pyplot")
    MODULES["matplotlib.pylab"] = MODULES["pylab"] = _pylab
    MODULES["matplotlib"] = _matplotlib
    _drawing("matplotlib.animation")
    _drawing("matplotlib.colors", to_rgba=to_rgba, to_rgb=lambda c: to_rgba(c)[:3], to_hex=to_hex)
    for name in ("cm", "patches", *DRAWN):
        _drawing(f"matplotlib.{name}")
    _module("mpl_toolkits")
    _module("mpl_toolkits.mplot3d", Axes3D=Shown())
    _drawing("mpl_toolkits.axes_grid1")
    _module("matplotlib_inline", backend_inline=Later(lambda: module("matplotlib_inline.backend_inline")))
    _module("matplotlib_inline.backend_inline", set_matplotlib_formats=quiet)
    _drawing("seaborn", **dict.fromkeys(("set", "set_theme", "set_style", "set_context", "despine"), quiet))


_fill()
