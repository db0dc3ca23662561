"""How much memory the process holds now, and having the system refuse more than a budget."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
from functools import cache

import numpy as np

try:
    import resource
except ImportError:  # not on this system
    resource = None  # type: ignore[assignment]

try:
    PAGE = os.sysconf("SC_PAGE_SIZE")
except (AttributeError, ValueError, OSError):
    PAGE = 4096

SIDE = 128
"""Rows of a matrix that is no small one for the libraries behind NumPy."""
SLACK = 192 << 20
"""Bytes that Python and NumPy may map beside what a script asks for."""


_statm: dict[str, int] = {}


def _pages() -> tuple[int, int]:
    """(all, resident) pages of this process; zeros where the system does not tell."""
    try:  # asked for every statement: the file stays open, and there are no layers above the system's calls
        process = os.getpid()
        if _statm.get("process") != process:  # what a forked process inherits tells of the one that opened it
            _statm.update(process=process, file=os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC))
        every, here, *_ = os.pread(_statm["file"], 128, 0).split()
        return int(every), int(here)
    except (OSError, ValueError):
        _statm.clear()
        return 0, 0


def resident() -> int:
    """Resident bytes of this process; 0 where the system does not tell."""
    return _pages()[1] * PAGE


def give_back() -> None:
    """Have the C library return freed memory, which it would keep for later (glibc; elsewhere nothing happens)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def exceeds(budget: int, base: int) -> bool:
    """Whether this process holds more than `budget` bytes beyond the `base`: neither what only objects hold that nobody
    holds any more counts, nor what is kept for later."""
    if resident() - base <= budget:
        return False
    gc.collect()
    give_back()
    return resident() - base > budget


@cache
def _prepare() -> None:
    """Have the library behind NumPy's products get the memory that it works in and keeps: where it is refused that, it
    asks again without end."""
    matrix = np.eye(SIDE)
    np.linalg.inv(matrix @ matrix)


def hold(budget: int, base: int) -> tuple[int, int] | None:
    """Have the system refuse to this process what goes more than `budget` bytes (and some slack) beyond the `base` that
    was resident: one large array is refused before it is made, as a MemoryError. Returns the limits before, for
    `release`."""
    _prepare()
    every, here = _pages()
    if resource is None or not every:
        return None
    before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = every * PAGE + max(budget - max(here * PAGE - base, 0), 0) + SLACK
    if before[0] != resource.RLIM_INFINITY and before[0] <= wanted:
        return None
    try:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, before[1]))
    except (ValueError, OSError):
        return None
    return before


def release(before: tuple[int, int] | None) -> None:
    """Undo `hold`."""
    if before is not None:
        resource.setrlimit(resource.RLIMIT_AS, before)
