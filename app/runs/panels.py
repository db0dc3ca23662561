"""What the panels of the page show beside the moment itself."""

from __future__ import annotations

import msgspec

from app.runs.looking import Looking
from engine.tracing.moments import Summary


class Panels(Looking):
    async def series(self, run_id: str) -> bytes:
        """The rows of the charts (losses, gradient norms, learning rates), as JSON."""
        return (await self._look(run_id, "series")).body

    async def outline(self, run_id: str) -> tuple[Summary, ...]:
        """One line for every moment."""
        body = (await self._look(run_id, "outline")).body
        return msgspec.msgpack.decode(body, type=tuple[Summary, ...])
