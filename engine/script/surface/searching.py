"""Searching with regular expressions, which the host does in one step: an alarm ends it. Patterns like (a+)+b would
take for ever."""

from __future__ import annotations

import re
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from engine.script.frames import current
from engine.script.limits import exceeded

SECONDS = 2.0
"""Searching longer than this ends the script."""
AGAIN = 0.5
"""Seconds after which the alarm rings again: Python ignores what it raises in a callback of the garbage collector."""
LONG, LONGEST = 50_000, 1_000_000
"""Characters of a text that is looked through with care, and of one that takes too long where something is repeated."""
OPTIONS = re.compile(r"\s*\(\?[aiLmsux]+\)")
REPEATS, REPEATS_OF_BYTES = ("*", "+", "{"), (b"*", b"+", b"{")


@contextmanager
def bounded() -> Iterator[None]:
    """The host's search looks for signals now and then: an alarm ends it."""
    machine = current.machine
    machine.check()
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("re can only be used where scripts have a process of their own")
    over = False

    def ring(*_: Any) -> None:
        if not over and machine.executing:
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            exceeded("time", machine.limits.time, "a regular expression takes too long")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(min(machine.deadline - time.monotonic(), SECONDS), 0.01))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def look_ahead(pattern: re.Pattern[Any], text: Any, start: int = 0, *end: int, every: bool = False) -> None:
    """Before the host looks for the next place in a long text where the pattern fits (or for `every` one): it counts
    its steps at each place anew, so that it never comes to look for signals. Here the way there is one match, which
    does, after some thousand steps: none of them may take long."""
    if not isinstance(text, (str, bytes)) or len(text) <= LONG or type(text) is not type(pattern.pattern):
        return
    written: Any = pattern.pattern
    if not any(each in written for each in (REPEATS if isinstance(text, str) else REPEATS_OF_BYTES)):
        return
    if len(text) > LONGEST:
        exceeded("string_chars", LONGEST, f"repeats of a regular expression in {len(text):,} characters")
    way = _way(pattern.pattern, pattern.flags, every)
    if way is not None:
        way.match(text, start, *end)


@lru_cache(64)
def _way(pattern: Any, flags: int, every: bool) -> re.Pattern[Any] | None:
    """What matches from anywhere up to where `pattern` fits, or up to the last of all such places."""
    written = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    if OPTIONS.match(written):
        written = OPTIONS.sub("", written, count=1)
    if flags & re.VERBOSE:
        written += "\n"  # its last line may be a comment
    way = f"(?:(?s:.*?)(?:{written})(?s:.?))*+" if every else f"(?s:.*?)(?={written})"
    try:
        return re.compile(way.encode("latin-1") if isinstance(pattern, bytes) else way, flags)
    except re.error:
        return None
