"""What the processor is: PyTorch's libraries add and round in other ways on one maker's than on another's, and work on
as many numbers at once as fit its registers."""

from __future__ import annotations

import os
from itertools import pairwise


def _told() -> bytes:
    """What the system says of the first processor, where it is Linux."""
    try:
        file = os.open("/proc/cpuinfo", os.O_RDONLY)  # pathlib takes longer to import than all of this
    except OSError:
        return b""
    try:
        return os.read(file, 1 << 13).partition(b"\n\n")[0]
    finally:
        os.close(file)


_first = _told()
AMD = b"AuthenticAMD" in _first
_wide = all(name in _first.split() for name in (b"avx512f", b"avx512bw", b"avx512vl", b"avx512dq"))
INTEL = b"GenuineIntel" in _first and _wide
"""Whether it is Intel's, with AVX-512: older ones of Intel's add up in other ways."""
REGISTER = 16 if _wide else 8
"""Numbers of 32 bits in one of the registers that PyTorch uses."""
THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
"""As many as PyTorch uses by itself."""


def shared(work: int, threads: int) -> list[tuple[int, int]]:
    """Which part of the work each thread does, where the first ones do one more if it does not come out even."""
    each, more = divmod(work, threads)
    ends = [n * each + min(n, more) for n in range(threads + 1)]
    return [(a, b) for a, b in pairwise(ends) if b > a]


def chunks(work: int, least: int = 1) -> list[tuple[int, int]]:
    """The same where all do as much, as far as it goes (PyTorch's `parallel_for`), but no less than `least`."""
    each = -(-work // max(1, min(THREADS, -(-work // least))))
    return [(at, min(at + each, work)) for at in range(0, work, each)]
