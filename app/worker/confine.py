"""How a worker gives up what it does not need: rights, files, memory, the debugger. Linux mostly; where something
cannot be given up, the interpreter's own limits are what is left, and the log says so once."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Sequence

FILES = 64
"""Open files: the pipes, and what a late import needs."""
NOBODY = 65534
SET_DUMPABLE, SET_NO_NEW_PRIVILEGES = 4, 38


def set_limits(memory: int) -> None:
    """Hold this process to its limits. No limit on CPU time: it would end a worker for having lived long."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_NOFILE: FILES}
    if memory:
        limits[resource.RLIMIT_AS] = memory
    for which, value in limits.items():
        hard = resource.getrlimit(which)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        try:
            resource.setrlimit(which, (value, value))
        except (ValueError, OSError):  # macOS refuses RLIMIT_AS
            complain(f"limit {which} could not be set")


def leave_terminal() -> None:
    """Not be ended by Ctrl-C at the server's terminal: the server ends its workers. In a group of its own, but not in
    a session of its own: where the system shares the processors among sessions (Linux: autogroup), a worker would take
    as much as the server and all of the others together, whatever its priority."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpgid(0, 0)


def drop_rights(needed: Sequence[str | None]) -> None:
    """Become a user without rights, if this one is root and that user can still read `needed` (the code: a module may
    be imported later); never gain any again; let no other process of that user look into this one."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        os.setgroups([])
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        as_nobody = os.access in os.supports_effective_ids
        closed = [path for path in needed if path and not os.access(path, os.R_OK, effective_ids=as_nobody)]
        os.seteuid(0)
        os.setegid(0)
        if not closed:
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        else:
            complain(f"it stays root: no other user can read {closed[0]}")
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            libc = ctypes.CDLL(None, use_errno=True)
            libc.prctl(SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
            libc.prctl(SET_DUMPABLE, 0, 0, 0, 0)


def complain(what: str) -> None:
    print(what, file=sys.stderr)  # noqa: T201
