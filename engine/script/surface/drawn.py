"""What drawing gives scripts back: things that can be asked for anything and do nothing, and that print as matplotlib's
do, because notebooks show what the last call of a cell gave."""

from __future__ import annotations

from typing import Any

from engine.script.surface import Rule, names, register
from engine.script.values import attributes


class Shown:
    """What else a figure can be asked for: every method exists and does nothing that a script could see."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Shown()

    def __getitem__(self, key: Any) -> Shown:
        return Shown()

    def __setitem__(self, key: Any, value: Any) -> None:
        return

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *args: object) -> None:
        return

    def __iter__(self) -> Any:
        return iter(())

    def __repr__(self) -> str:
        return "<Figure>"

    def read(self, name: str) -> Any:
        if name.startswith("__"):
            raise attributes.missing(self, name)
        return quiet if name in QUIET or name.startswith("set_") else Shown()


class Words(Shown):
    """A text that stands around a panel: a title, the name of an axis."""

    __slots__ = ("_text", "_x", "_y")

    def __init__(self, x: float, y: float, text: str) -> None:
        self._x, self._y, self._text = x, y, text

    def __repr__(self) -> str:
        return f"Text({self._x}, {self._y}, {self._text!r})"


def quiet(*args: Any, **kwargs: Any) -> None:
    """A call that changes how things look and gives nothing back."""


QUIET = names("""
grid tight_layout pause draw subplots_adjust rc use minorticks_on minorticks_off tick_params set_cmap autoscale box
clim delaxes locator_params ticklabel_format rcdefaults switch_backend sca invert_xaxis invert_yaxis relim view_init
autofmt_xdate despine clear_output label_outer autoscale_view draw_if_interactive
""")
"""What of pyplot, of figures, panels and of seaborn gives None; so does whatever begins with `set_`."""


def named(module: str, name: str, base: type = Shown) -> type:
    """A class of things that print as `<module.name object at ...>`."""
    return type(name, (base,), {"__slots__": (), "__module__": module, "__repr__": object.__repr__})


Legend = named("matplotlib.legend", "Legend")
Colorbar = named("matplotlib.colorbar", "Colorbar")
ExitStack = named("contextlib", "ExitStack")
"""What switching drawing on and off gives."""
for _kind in (Shown, Words, Legend, Colorbar, ExitStack):
    register(_kind, Rule(getter=Shown.read))
