"""What the server does to a worker's process from outside: what it is told of the machine, how urgent it is, what it
prints."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from pathlib import Path

log = logging.getLogger("gradflow.workers")

WIDER = 2.0
"""How many times as long a command may take on a machine that does much else."""
LOW = 10
"""How much lower than the server's own (nice) the priority of processes is that are for what takes long: beside presses
they get a tenth of a processor, and all that is left over."""


def give_way(process: int, aside: bool) -> bool:
    """Let the system prefer the others' work to that process's, or not any more (which only root may). Whether it
    does."""
    if not hasattr(os, "setpriority"):
        return aside
    try:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, process, min(19, own + LOW) if aside else own)
    except OSError:
        return True
    return aside


def cpu_seconds(process: int) -> float | None:
    """Seconds of a processor that a process has used; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None


def time_left(seconds: float, used: float | None, passed: float) -> float:
    """What is left of `seconds` of a processor, of which `used` are gone, `passed` seconds after the beginning: on a
    machine that does much else it may take WIDER as long. Where the system does not tell what was used, all was."""
    return min(seconds - (passed if used is None else used), WIDER * seconds - passed)


def worker_environment() -> dict[str, str]:
    """What a worker is told of the machine: no secrets (DATABASE_URL), one thread for each."""
    kept = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "SYSTEMROOT", "LD_LIBRARY_PATH")
    one = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    # Which kernels NumPy multiplies with: results are those of `gradflow run` to the last digit.
    environment |= {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_")}
    environment |= dict.fromkeys(one, "1")
    # The packages may have been imported from a source tree that is no current folder of ours.
    paths = [path for path in sys.path if path]
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    return environment | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}


async def log_lines(stream: asyncio.StreamReader) -> None:
    """What a worker prints by itself is about its own trouble; scripts print into their moments."""
    try:
        while line := await stream.readline():
            log.warning("worker: %s", line.decode(errors="replace").rstrip()[:500])
    except ValueError:  # a line beyond the reader's limit
        pass
