"""The use cases: create a run, command it, look at it, fork it, check a scenario. No web here.

Ids: a *drive id* drives, a *view id* only looks, and "scenario:SLUG" is the shared recording of a scenario, which
only looks as well. Every method raises errors of app/errors.py.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from app.views import CheckView, CommandView, Happening, RunView, ScenarioView
from engine.run import Command

if TYPE_CHECKING:
    from app.drawing.page import Page
    from app.settings import Settings


class Runs:
    """The service behind pages and REST. One per server process; its methods may be called concurrently."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    async def close(self) -> None:
        """Stop what is running, store what it reached, end the workers."""
        raise NotImplementedError

    def scenarios(self) -> tuple[ScenarioView, ...]:
        """The library, in its order."""
        raise NotImplementedError

    def scenario(self, slug: str) -> ScenarioView:
        """Raises NotFound."""
        raise NotImplementedError

    async def create(
        self, *, source: str | None = None, scenario: str | None = None, seed: int | None = None
    ) -> RunView:
        """A new run of a script or of a scenario; everything before its training loop is executed.

        Raises BadSource, TooLarge, NotFound (scenario)."""
        raise NotImplementedError

    async def info(self, run_id: str) -> RunView:
        """A run through any of its ids, or "scenario:SLUG" (the shared recording; nothing is stored)."""
        raise NotImplementedError

    async def command(
        self, run_id: str, command: Command, *, at: int | None = None, if_match: str | None = None,
        key: str | None = None, wait: float = 1.0,
    ) -> CommandView:
        """Execute a command. `at` a moment before the last forks: the answer names the new run. `if_match` refuses
        (Stale) when the run's etag is another. `key` makes a repeated request answer the same without executing again.
        After `wait` seconds the answer is `running` and the command goes on. `Command("stop")` ends a running one.

        Raises NotFound, ReadOnly, Busy, Stale, KeyReused, BadCommand, TooMany, Crashed."""
        raise NotImplementedError

    async def moment(self, run_id: str, number: int) -> bytes:
        """One moment whole, as JSON."""
        raise NotImplementedError

    async def moments(self, run_id: str, first: int, last: int) -> bytes:
        """Moments `first`..`last`, as a JSON list."""
        raise NotImplementedError

    async def page(self, run_id: str, number: int, event: int | None = None) -> Page:
        """What the debugger draws at a cursor. Raises NotFound when there is no such moment or event."""
        raise NotImplementedError

    async def picture(self, run_id: str, number: int, form: str) -> bytes:
        """The graph of a moment: `form` is "svg", "json" or "dot"."""
        raise NotImplementedError

    async def tensor(self, run_id: str, number: int, name: str, form: str = "json") -> bytes:
        """A tensor's full values and `.grad` (`form` "json"), or its values as .npy ("npy")."""
        raise NotImplementedError

    async def transcript(self, run_id: str) -> str:
        """The program executed so far."""
        raise NotImplementedError

    def trace(self, run_id: str) -> AsyncIterator[bytes]:
        """The trace, in pieces of NDJSON lines."""
        raise NotImplementedError

    async def fork(self, run_id: str, moment: int) -> RunView:
        """A new run that shares the past up to `moment`. Any id that can look can be forked from."""
        raise NotImplementedError

    async def delete(self, run_id: str) -> None:
        """Forget a run. Raises ReadOnly unless it is a drive id."""
        raise NotImplementedError

    async def breakpoints(self, run_id: str, lines: Sequence[int]) -> RunView:
        """Set the lines before which `run` and `finish` pause."""
        raise NotImplementedError

    def follow(self, run_id: str, seen: str | None = None) -> AsyncIterator[Happening]:
        """What happens to a run from now on: the newest state first unless it is `seen` (an etag), then progress
        and new moments; a slow follower gets the latest, not all."""
        raise NotImplementedError

    async def check(self, scenario: dict[str, Any]) -> CheckView:
        """Execute a scripted scenario ({"source" or "scenario", "commands", "expect"}) and say what held."""
        raise NotImplementedError
