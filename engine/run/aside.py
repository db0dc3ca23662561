"""Executing a script aside, in a session of which nothing stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from engine.script.frames import current
from engine.script.limits.memory import resident

MUCH = 32 * 2**20
"""Bytes that are worth a look through all objects."""


@contextmanager
def aside() -> Iterator[None]:
    """Around a function that executes a script aside: what executed before is current again, and what the session
    leaves, a web of objects that hold each other, goes at once where it holds much."""
    machine, before = getattr(current, "machine", None), resident()
    try:
        yield
    finally:
        if machine is not None:
            current.machine = machine
        elif hasattr(current, "machine"):
            del current.machine
        if resident() - before > MUCH:
            gc.collect()
