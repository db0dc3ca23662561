"""When a command must end."""

from __future__ import annotations

from engine.run.commands import ShouldStop
from engine.run.stepping import Halt

REPEATED = 9.0
"""A replay may take so many more times the time budget: where it ends is written down, and the machine may be busy."""


class Enough(BaseException):
    """Ends a replay of which no more is wanted."""


class Strayed(Exception):
    """What went on from a checkpoint came to something else than the run did."""


class Control:
    """When the command that is executing must end: somebody asked for it, or moment `until` is reached."""

    def __init__(self, most_moments: int) -> None:
        self.should_stop: ShouldStop | None = None
        self.until: int | None = None
        self._most_moments = most_moments

    def check(self, last: int, unsure: bool) -> None:
        """Called before every action, `last` being the number of the last moment. Raises Halt. A wish to stop waits
        while the records are `unsure` (see routine.py)."""
        if self.until is not None and last >= self.until:
            raise Halt(False)
        if last + 1 >= self._most_moments:
            raise Halt(True, f"A run keeps at most {self._most_moments} moments: fork it, or start over.")
        if self.stop_asked() and not unsure:
            raise Halt(True)

    def stop_asked(self) -> bool:
        """Whether somebody wants the command to end."""
        return self.should_stop is not None and self.should_stop()
