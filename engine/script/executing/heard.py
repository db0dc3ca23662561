"""What the engine and the host warn of while a script executes ("Mean of empty slice"): told as the script's own
warnings. Python would print the host's with the path of its file, and only the first of the process."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from engine import warn
from engine.script.frames import current

if TYPE_CHECKING:
    from engine.script.executing.machine import Machine

KINDS = (RuntimeWarning, UserWarning, FutureWarning)
"""What is told of the host's, under these names; deprecations are not the script's."""


def begin(machine: Machine) -> Any:
    """From now on what is warned of is told by `machine`. Gives what `end` puts back."""
    _each_time()
    usual = warn.sink, warnings.showwarning
    warn.sink = machine.engine_warns
    warnings.showwarning = _tell  # type: ignore[assignment]  # of how it is called only the first two count
    return usual


def end(usual: Any) -> None:
    warn.sink, warnings.showwarning = usual


_first: list[Any] = []
"""The filter that says so, once it is there."""


def _each_time() -> None:
    """Another script of this process has been told of the same before: Python would not say it again. What is around
    (pytest, for one) may have put filters of its own before it, or have taken it away."""
    if _first and warnings.filters[:1] == _first:
        return
    for kind in KINDS:
        warnings.filterwarnings("always", category=kind, module=r"(numpy|engine)\b")
    _first[:] = warnings.filters[:1]


def _tell(message: Any, category: type[Warning], *_: Any) -> None:
    kind = next((each for each in KINDS if issubclass(category, each)), None)
    if kind is not None:
        current.machine.engine_warns(kind.__name__, str(message))
