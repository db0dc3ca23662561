"""The use cases: create a run, command it, look at it, fork it, check a scenario. No web here.

Ids: a *drive id* drives, a *view id* only looks, and "scenario:SLUG" is the shared recording of a scenario, which
only looks as well. Every method raises errors of app/errors.py. A room of use cases is a class over `Core` (core.py)
in a file of its own; `Runs` is all of them together.
"""

from __future__ import annotations

from app.runs.checking import Checking
from app.runs.keeping import Keeping
from app.runs.panels import Panels
from app.runs.pressing import Pressing
from app.runs.probing import Probing
from app.runs.repeating import Repeating
from app.runs.sharing import Sharing
from app.runs.teaching import Teaching


class Runs(Keeping, Pressing, Panels, Repeating, Sharing, Checking, Teaching, Probing):
    """The service behind pages and REST. One per server process; its methods may be called concurrently."""


__all__ = ["Runs"]
