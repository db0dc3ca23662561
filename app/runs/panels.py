"""What the panels of the page show beside the moment itself."""

from __future__ import annotations

from app.runs.looking import Looking


class Panels(Looking):
    async def series(self, run_id: str) -> bytes:
        """The rows of the charts (losses, gradient norms, learning rates), as JSON."""
        return (await self._look(run_id, "series")).body
