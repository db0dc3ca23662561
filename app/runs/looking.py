"""Looking at a run: at a moment, as a page, a picture, a file; and following what happens to it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from app import errors, wire
from app.runs.core import Core
from app.views import Happening, ProgressView, RunView

if TYPE_CHECKING:
    from app.drawing.page import Page

LONGEST_LIST = 10_000


class Looking(Core):
    async def info(self, run_id: str) -> RunView:
        """A run through any of its ids, or "scenario:SLUG" (the shared recording; nothing is stored)."""
        kept, role, claim = await self._settled(run_id)
        facts = await self.execution.facts(kept)
        return self._view(kept, run_id, role, facts, running=claim is not None)

    async def etag(self, run_id: str) -> str:
        """The run's etag, from the store alone. Raises NotFound."""
        return (await self._find(run_id))[0].etag

    async def moment(self, run_id: str, number: int) -> bytes:
        """One moment whole, as JSON."""
        return (await self._look(run_id, "moment", number)).body

    async def moments(self, run_id: str, first: int, last: int) -> tuple[bytes, int | None]:
        """Moments `first`..`last` as a JSON list, and the number to go on from when the list was cut."""
        looked = await self._look(run_id, "moments", first, last=min(last, first + LONGEST_LIST))
        return looked.body, looked.following

    async def page(self, run_id: str, number: int, event: int | None = None, sight: str = "") -> Page:
        """What the debugger draws at a cursor, for a viewer who chose to see `sight`. Raises NotFound when there is no
        such moment."""
        from app.drawing.page import Page

        looked = await self._look(run_id, "page", number, event=event, name=sight)
        return msgspec.msgpack.decode(looked.body, type=Page)

    async def picture(self, run_id: str, number: int, form: str, theme: str = "light") -> bytes:
        """The graph of a moment: `form` is "svg" (in the colours of `theme`, "light" or "dark"), "json" or "dot"."""
        forms: Mapping[str, wire.What] = {"svg": "svg", "json": "json", "dot": "dot"}
        if form not in forms:
            raise errors.NotFound(f"there is no picture in the form {form!r}", f"there are {', '.join(forms)}")
        return (await self._look(run_id, forms[form], number, name=theme)).body

    async def tensor(self, run_id: str, number: int, name: str, form: str = "json") -> bytes:
        """A tensor's full values and `.grad` (`form` "json"), or its values as .npy ("npy")."""
        return (await self._look(run_id, "npy" if form == "npy" else "tensor", number, name=name)).body

    async def transcript(self, run_id: str) -> str:
        """The program executed so far."""
        return (await self._look(run_id, "transcript")).body.decode()

    async def trace(self, run_id: str, short: bool = False) -> AsyncGenerator[bytes]:
        """The trace, in pieces of NDJSON lines, as far as the run has come now; in the `short` form if it is wanted."""
        kept = (await self._settled(run_id)).kept
        last = (await self.execution.facts(kept)).last
        following: int | None = 0
        while following is not None:
            looked = await self.execution.look(kept, "trace", following, last=last, short=short)
            yield looked.body
            following = looked.following
            if looked.gone is not None and following is not None:
                async for body in self.execution.retell(kept, following, looked.gone - 1, short):
                    yield body
                following = looked.gone if looked.gone <= last else None

    async def follow(self, run_id: str, seen: str | None = None) -> AsyncIterator[Happening]:
        """What happens to a run from now on: the newest state first unless it is `seen` (an etag), then progress
        and new moments; a slow follower gets the latest, not all."""
        kept, role, _ = await self._see(run_id)
        if role == "shared":
            kept = replace(kept, last=(await self.execution.facts(kept)).last)
        with self._followers.following(kept.id, counted=True) as follower:
            if role != "shared":
                kept, _, claim = await self._see(kept.id)  # what happened before this is not told by the follower
                active = self._active.get(kept.id)
            else:
                claim = active = None
            progress = active.progress if active is not None else None
            if progress is None and claim is not None and claim.of:
                progress = ProgressView(claim.done, claim.of)
            if progress is not None:
                yield Happening("progress", kept.etag, kept.last, "running", progress)
            elif kept.etag != seen:
                state = "running" if claim is not None else (await self.execution.facts(kept)).state
                yield Happening("moment", kept.etag, kept.last, state)
            async for happening in follower.listen():
                yield happening
