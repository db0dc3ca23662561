"""A request on its way to a worker, and what comes back before its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app import wire

if TYPE_CHECKING:
    from app.workers.pool import Worker

Progress = Callable[[int, int], None]
HEAVY = frozenset(("finish", "to_line", "out"))
MANY = 20
"""Iterations or statements of one command from which on it may take long."""

OWN_DEATH = 4
"""How many times a process is killed from outside counts as much as that it ended by itself."""


class WorkerDied(Exception):
    """The process ended before it answered. `outside`: somebody killed it who was not this server."""

    def __init__(self, outside: bool = False) -> None:
        super().__init__()
        self.outside = outside


class Missed(Exception):
    """The worker that was asked does not hold the run in that state. What is loaded now is of use only there."""

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self.worker = worker


class Pieces:
    """What a worker sends before its answer, for someone who takes it piece by piece. A worker that is faster waits."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(maxsize=4)
        self._closed = False

    async def put(self, body: bytes) -> None:
        if not self._closed:
            await self._queue.put(body)

    async def take(self, job: asyncio.Future[wire.Answer]) -> AsyncIterator[bytes]:
        """Until the job is done. Raises what the job raised."""
        while True:
            waiting = asyncio.ensure_future(self._queue.get())
            await asyncio.wait((waiting, job), return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                waiting.cancel()
                return
            yield waiting.result()

    def close(self) -> None:
        """Nobody takes any more: what comes is thrown away."""
        self._closed = True
        while not self._queue.empty():
            self._queue.get_nowait()


@dataclass(eq=False, slots=True)
class Job:
    """A request on its way. `near`: the worker that it is for, unless others would wait there. `seconds` of a processor
    is its time limit once it is being executed: `began` is when that was, `used` what its process had used by then
    (None: not told)."""

    request: wire.Request
    run: str
    seconds: float
    done: asyncio.Future[wire.Answer]
    progress: Progress | None = None
    near: Worker | None = None
    pieces: Pieces | None = None
    stop: bool = False
    killed: bool = False
    began: float = 0.0
    used: float | None = None
    timers: list[asyncio.TimerHandle] = field(default_factory=list)

    @property
    def heavy(self) -> bool:
        """Whether it may well take long: then it is executed aside, where it holds up nobody's presses."""
        match self.request:
            case wire.Execute(command=command):
                return command.do in HEAVY or (command.do in ("run", "next", "into") and command.times > MANY)
            case wire.Load() | wire.Fork() | wire.Look() | wire.Forget() | wire.Stop():
                return False
        return True


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many processes, and what each may use (see app/settings.py). `start`: seconds that one may take to start."""

    workers: int
    long_workers: int
    queue: int
    long_after: float
    grace: float
    memory: int
    resident: int
    runs: int
    idle: float
    start: float = 60.0
