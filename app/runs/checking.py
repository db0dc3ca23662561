"""Scripted scenarios: a script, commands, and what has to hold afterwards."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from app import errors
from app.runs.core import Core
from app.views import CheckView
from engine.tracing.copies import of_size

DEEPEST = 80
"""Levels of a scripted scenario: an array has 64 dimensions at most."""


class Checking(Core):
    async def check(self, scenario: Mapping[str, Any]) -> CheckView:
        """Execute a scripted scenario ({"source" or "scenario", "commands", "expect"}) and say what held."""
        slug = scenario.get("scenario")
        source = self.scenario(str(slug)).source if slug is not None else scenario.get("source")
        if not isinstance(source, str):
            raise errors.BadCommand("a scripted scenario needs a `source` or a `scenario`")
        self._measure(source)
        try:
            written = msgspec.json.encode(_readable(dict(scenario)))
        except UnicodeEncodeError:
            raise errors.BadCommand("a text has half a character in it (a lone surrogate)") from None
        return (await self.execution.check(source, written)).check


def _readable(value: Any, depth: int = 0) -> Any:
    """What JSON and MessagePack know: "nan", "inf" and "-inf" instead of numbers that are not finite, as in answers; of
    an int of many digits the number nearest to it."""
    if depth > DEEPEST:
        raise errors.BadCommand(f"something is nested deeper than {DEEPEST} levels, which no tensor is")
    if isinstance(value, dict):
        return {name: _readable(entry, depth + 1) for name, entry in value.items()}
    if isinstance(value, list):
        return [_readable(entry, depth + 1) for entry in value]
    value = of_size(value) if type(value) is int else value
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
