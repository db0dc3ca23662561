"""Scripted scenarios: a script, commands, and what has to hold afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from app import errors
from app.runs.core import Core
from app.views import CheckView


class Checking(Core):
    async def check(self, scenario: Mapping[str, Any]) -> CheckView:
        """Execute a scripted scenario ({"source" or "scenario", "commands", "expect"}) and say what held."""
        slug = scenario.get("scenario")
        source = self.scenario(str(slug)).source if slug is not None else scenario.get("source")
        if not isinstance(source, str):
            raise errors.BadCommand("a scripted scenario needs a `source` or a `scenario`")
        self._measure(source)
        return (await self.execution.check(source, msgspec.json.encode(dict(scenario)))).check
