"""What the processor is: PyTorch's libraries add and round in other ways on one maker's than on another's, and work on
as many numbers at once as fit its registers."""

from __future__ import annotations

from pathlib import Path


def _told() -> bytes:
    """What the system says of the first processor, where it is Linux."""
    try:
        with Path("/proc/cpuinfo").open("rb") as file:
            return file.read(1 << 13).partition(b"\n\n")[0]
    except OSError:
        return b""


_first = _told()
AMD = b"AuthenticAMD" in _first
REGISTER = 16 if all(name in _first.split() for name in (b"avx512f", b"avx512bw", b"avx512vl", b"avx512dq")) else 8
"""Numbers of 32 bits in one of the registers that PyTorch uses."""
