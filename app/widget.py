"""The figure in a Jupyter notebook, as an anywidget (extra `widget`): docs/embedding.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import anywidget
import traitlets

from app.places import find_folder

MODULE = find_folder("static") / "dist" / "widget.js"
CHOICES = ("scenario", "run", "source")


class GradientFlow(anywidget.AnyWidget):
    """A scenario, a run or a script of a Gradient Flow server, in a cell.

    One of `scenario` (a slug), `run` (an id) and `source` (the text of a script) is given, and `server`, an address
    that the browser reaches. `moment` says where it opens and then where it is; setting it moves the figure. `says` is
    the explanation that it shows, `predictions` a list of `{"card", "right", "asked"}`. The other options are those of
    the element. Raises ValueError for what cannot be shown.
    """

    _esm = MODULE

    scenario = traitlets.Unicode("").tag(sync=True)
    run = traitlets.Unicode("").tag(sync=True)
    source = traitlets.Unicode("").tag(sync=True)
    server = traitlets.Unicode("http://127.0.0.1:8000/").tag(sync=True)
    title = traitlets.Unicode("Gradient Flow").tag(sync=True)
    moment = traitlets.Int(None, allow_none=True, min=0).tag(sync=True)
    panels = traitlets.List(traitlets.Unicode(), None, allow_none=True).tag(sync=True)
    buttons = traitlets.List(traitlets.Unicode(), None, allow_none=True).tag(sync=True)
    theme = traitlets.Enum(("auto", "light", "dark"), "auto").tag(sync=True)
    lang = traitlets.Enum(("en",), "en").tag(sync=True)
    height = traitlets.Unicode("").tag(sync=True)
    readonly = traitlets.Bool(False).tag(sync=True)
    locked = traitlets.Bool(False).tag(sync=True)
    autoplay = traitlets.Bool(False).tag(sync=True)
    predict = traitlets.Bool(False).tag(sync=True)
    says = traitlets.Unicode("").tag(sync=True)
    predictions = traitlets.List(traitlets.Dict()).tag(sync=True)

    def __init__(self, *, server: str = "http://127.0.0.1:8000", **options: Any) -> None:
        given = [name for name in CHOICES if options.get(name)]
        if len(given) != 1:
            raise ValueError(f"one of scenario, run and source is needed, not {' and '.join(given) or 'none'}")
        unknown = [name for name in options if not self.class_traits().get(name)]
        if unknown:
            raise ValueError(
                f"there is no option {unknown[0]!r}; there are {', '.join(sorted(self.class_own_traits()))}"
            )
        if not re.match(r"https?://[^/]", server):
            raise ValueError(f"server is an address as https://YOUR-SERVER, not {server!r}")
        # Addresses are resolved against it: a folder that ends without a slash would be dropped.
        super().__init__(server=server.rstrip("/") + "/", **options)

    def press(self, what: str, phase: str | None = None) -> None:
        """Press a phase or a button: "forward", "next"; `phase` chooses one of several of a kind by its id."""
        self._ask("press", [what, phase])

    def look(self, moment: int, event: int | None = None) -> None:
        """Look at a moment, and at an event inside of it."""
        self._ask("look", [moment, event])

    def _ask(self, kind: str, values: Sequence[object]) -> None:
        self.send({"type": kind, "values": list(values)})
