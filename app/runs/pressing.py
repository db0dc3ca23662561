"""A press: a command whose page is drawn while the store takes it down. And a look: a run and its page at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from app.runs.commanding import Commanding
from app.views import CommandView, RunView
from engine.run import Command

if TYPE_CHECKING:
    from app.drawing.page import Page


@dataclass(frozen=True, slots=True)
class Pressed:
    """What came of a press. `view` and `page`: the run that it changed, as it was then, and what is seen of its last
    moment; None when that has to be asked for: of a command that goes on, and where a worker could not draw it."""

    answer: CommandView
    view: RunView | None = None
    page: Page | None = None


class Pressing(Commanding):
    async def press(self, run_id: str, command: Command, *, at: int | None = None, sight: str = "") -> Pressed:
        """`command`, for somebody who looks at what comes of it, and has chosen to see `sight`. Raises what `command`
        raises."""
        if command.do == "stop":
            return Pressed(await self.command(run_id, command, bare=True))
        active = await self._give(run_id, command, at, bare=True, sight=sight)
        answer = await self._wait_for(active, self.settings.long_after)
        if answer.running or active.drawn is None or active.became is None:
            return Pressed(answer)
        drawn = await active.drawn
        kept, facts = active.became
        return Pressed(answer, self._view(kept, kept.id, "drive", facts), _read(drawn) if drawn else None)

    async def seen(self, run_id: str, number: int, event: int | None = None, sight: str = "") -> tuple[RunView, Page]:
        """`info` and `page` at once, of the same state; of the last moment when there is none of that number. Raises
        NotFound."""
        seen = await self._settled(run_id)
        kept, role, claim = seen
        facts = await self.execution.facts(kept)
        view = self._view(kept, run_id, role, facts, running=claim is not None)
        looked = await self._look_at(seen, "page", min(number, view.last), event=event, name=sight)
        return view, _read(looked.body)


def _read(body: bytes) -> Page:
    from app.drawing.page import Page

    return msgspec.msgpack.decode(body, type=Page)
