"""The pool of worker processes, seen from the server: who executes what, for how long, and what happens when one dies.

A run is at home in one worker, so that its state is at hand; any other worker can rebuild it from the store. Each
worker is given one request at a time, and the others wait here, where they can still be moved: when a request turns
out to be long, whoever waits behind it goes to another worker, and a fresh process takes the place of the busy one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator

import msgspec

from app import wire
from app.errors import TooMany, Unavailable
from app.workers.jobs import OWN_DEATH, Job, Missed, Pieces, Progress, Sizes, WorkerDied
from app.workers.processes import cpu_seconds, give_way, log_lines, time_left, worker_environment

log = logging.getLogger("gradflow.workers")

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has only the latter, and means the same by it
PATIENCE = 0.4
"""Seconds after which nobody waits behind a request any more."""
SPARE_SECONDS = 60.0
"""How long a process stays that was started while others were busy."""
REST_SECONDS = 5.0
"""How long no process is started after several that did not get ready."""
HOMES = 10_000
"""Runs whose home is remembered."""


class Worker:
    """One process. `long`: what it executes has been going on for so long that nobody else should wait for it.
    `aside`: it is for what may take long, and gives way to the others."""

    def __init__(self, pool: Pool, aside: bool = False) -> None:
        self.pool = pool
        self.aside = self.born_aside = aside
        self.process: asyncio.subprocess.Process | None = None
        self.current: Job | None = None
        self.waiting: deque[Job] = deque()
        self.long = False
        self.ready = False
        self.ended = False
        self.doomed = False
        self.outside = False
        self.used = time.monotonic()
        self.task = asyncio.create_task(self._live())

    @property
    def load(self) -> int:
        return len(self.waiting) + (self.current is not None)

    def put(self, job: Job) -> None:
        self.waiting.append(job)
        self._next()

    def stop_current(self) -> None:
        """Ask the script to stop between two statements."""
        if self.current is not None:
            self._send(wire.Stop(self.current.request.number))

    def stop_soon(self, job: Job) -> None:
        """A person asked to stop `job`, which is being executed: between two statements, or at last with the
        process."""
        if not job.stop:
            job.stop = True
            self.stop_current()
            job.timers.append(asyncio.get_running_loop().call_later(self.pool.sizes.grace, self._too_long, job))

    def tell(self, request: wire.Forget) -> None:
        """Send what has no answer."""
        if self.ready:
            self._send(request)

    def kill(self) -> None:
        """End the process now, or as soon as it has started; what it was doing is reported as WorkerDied."""
        self.doomed = True
        if self.process is not None and self.process.returncode is None:
            # Not process.kill(): it polls first, and would take the exit status from under asyncio's feet.
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, KILL)

    def _next(self) -> None:
        if self.current is not None or not self.ready or self.ended:
            return
        while self.waiting:
            job = self.waiting.popleft()
            if job.done.cancelled():
                continue
            self.current = job
            self._send(job.request)
            if job.stop:
                job.stop = False
                self.stop_soon(job)
            job.began, job.used = time.monotonic(), self._cpu_seconds()
            loop = asyncio.get_running_loop()
            job.timers += [
                loop.call_later(min(self.pool.sizes.long_after, PATIENCE), self._became_long, job),
                loop.call_later(job.seconds, self._time_is_up, job),
            ]
            return

    def give_way(self, aside: bool) -> bool:
        """Let what is executed here be less urgent than the rest, or not any more. Whether it is."""
        return aside if self.process is None else give_way(self.process.pid, aside)

    def _not_started(self) -> None:
        if not self.ready and not self.ended:
            log.error("a worker did not get ready within %g seconds: ended", self.pool.sizes.start)
            self.kill()

    def _became_long(self, job: Job) -> None:
        if self.current is job:
            self.long = True
            self.aside = self.give_way(True)
            self.pool.busy(self)

    def _cpu_seconds(self) -> float | None:
        return None if self.process is None else cpu_seconds(self.process.pid)

    def _time_is_up(self, job: Job) -> None:
        """Stop what is executed, unless others' work has kept it from its time."""
        if self.current is not job:
            return
        now = self._cpu_seconds()
        used = None if now is None or job.used is None else now - job.used
        left = time_left(job.seconds, used, time.monotonic() - job.began)
        loop = asyncio.get_running_loop()
        if left > 0:
            job.timers.append(loop.call_later(max(left, 0.01), self._time_is_up, job))
            return
        self.stop_current()
        job.timers.append(loop.call_later(self.pool.sizes.grace, self._too_long, job))

    def _too_long(self, job: Job) -> None:
        if self.current is job:
            log.warning("a worker did not stop within its time: ended")
            job.killed = True
            self.kill()

    def _send(self, request: wire.Request) -> None:
        if self.process is not None and self.process.stdin is not None and not self.process.stdin.is_closing():
            self.process.stdin.write(wire.pack(request))

    async def _live(self) -> None:
        """From the start of the process to its end."""
        try:
            config = {
                "memory": self.pool.sizes.memory,
                "resident": self.pool.sizes.resident,
                "runs": self.pool.sizes.runs,
                "idle": self.pool.sizes.idle,
            }
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "app.worker.main",
                msgspec.json.encode(config).decode(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=worker_environment(),
                limit=wire.PIPE,
            )
            assert self.process.stdout is not None
            assert self.process.stderr is not None
            if self.aside and self.pool.ready:  # before that nobody is held up by a process that starts
                self.give_way(True)
            if self.doomed:
                self.kill()
            asyncio.get_running_loop().call_later(self.pool.sizes.start, self._not_started)
            errors = asyncio.create_task(log_lines(self.process.stderr))
            try:
                await self._read(self.process.stdout)
            finally:
                ours = self.doomed
                self.kill()
                errors.cancel()
                self.outside = await self.process.wait() == -KILL and not ours
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        except (msgspec.DecodeError, ValueError) as error:
            log.error("a worker sent what is no answer: %s", type(error).__name__)
        except OSError as error:
            log.error("a worker could not be started: %s", error)
        finally:
            self.ended = True
            self._finish(None)
            self.pool.ended(self)

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while True:
            size = int.from_bytes(await stream.readexactly(wire.LENGTH), "big")
            if size > wire.LARGEST:
                raise ValueError("too large")
            answer = wire.unpack_answer(await stream.readexactly(size))
            match answer:
                case wire.Ready():
                    self.ready = True
                    if self.aside:
                        self.give_way(True)
                    self._next()
                case wire.Piece():
                    job = self.current
                    if job is not None and job.pieces is not None and job.request.number == answer.number:
                        await job.pieces.put(answer.body)
                case wire.Told():
                    job = self.current
                    if job is not None and job.progress is not None and job.request.number == answer.number:
                        job.progress(answer.done, answer.asked)
                case _:
                    if self.current is not None and self.current.request.number == answer.number:
                        self._finish(answer)
                        self._next()

    def _finish(self, answer: wire.Answer | None) -> None:
        """End the current job; None: because the process ended."""
        job, self.current = self.current, None
        self.used = time.monotonic()
        if self.long and not self.born_aside and not self.ended:
            self.aside = self.give_way(False)
        self.long = False
        if job is None:
            return
        for timer in job.timers:
            timer.cancel()
        if job.done.done():
            return
        if isinstance(answer, wire.Missing):
            job.done.set_exception(Missed(self))
        elif answer is not None:
            job.done.set_result(answer)
        elif job.killed:
            what = "was stopped" if job.stop else f"did not end within {job.seconds:g} seconds"
            job.done.set_exception(
                TooMany(
                    f"the command {what} inside one statement, so nothing of it was kept",
                    "ask for less at once",
                )
            )
        else:
            job.done.set_exception(WorkerDied(self.outside))


class Pool:
    """Workers, started when the first request comes."""

    def __init__(self, sizes: Sizes) -> None:
        self.sizes = sizes
        self._workers: list[Worker] = []
        self._homes: OrderedDict[str, Worker] = OrderedDict()
        self._slow: OrderedDict[str, None] = OrderedDict()
        self._number = 0
        self._closed = False
        self._failures = 0
        self._rest_until = 0.0
        self.deaths = 0

    def number(self) -> int:
        """A number for a request."""
        self._number += 1
        return self._number

    @property
    def processes(self) -> list[int]:
        """The process ids of the workers that are alive."""
        return [worker.process.pid for worker in self._workers if worker.process is not None]

    @property
    def waiting(self) -> int:
        """Requests that wait or are being executed."""
        return sum(worker.load for worker in self._workers)

    @property
    def ready(self) -> bool:
        """At least one worker has started."""
        return any(worker.ready for worker in self._workers)

    def start(self) -> None:
        """Bring the number of workers that are not aside up to what is wanted."""
        if self._closed or time.monotonic() < self._rest_until:
            return
        free = sum(not worker.aside for worker in self._workers)
        room = self.sizes.workers + self.sizes.long_workers - len(self._workers)
        for _ in range(min(self.sizes.workers - free, room)):
            self._workers.append(Worker(self))
        # One for what takes long is kept at hand: whoever asks for that need not wait for a process to start.
        if self.sizes.long_workers and not any(worker.aside for worker in self._workers):
            self._workers.append(Worker(self, aside=True))

    async def ask(
        self,
        run: str,
        request: wire.Request,
        seconds: float,
        progress: Progress | None = None,
        near: Worker | None = None,
    ) -> wire.Answer:
        """Send a request to where the run is at home, or to the worker `near`, and wait for the answer.

        Raises Missed when the worker does not hold the run in that state, WorkerDied, Unavailable when no worker
        starts, TooMany when it took too long or too many are waiting."""
        done: asyncio.Future[wire.Answer] = asyncio.get_running_loop().create_future()
        return await self._submit(Job(request, run, seconds, done, progress, near))

    async def stream(self, run: str, request: wire.Request, seconds: float) -> AsyncIterator[bytes]:
        """Send a request whose answer comes in pieces. Raises as `ask`, and RunError when the worker refuses."""
        pieces = Pieces()
        job = Job(request, run, seconds, asyncio.get_running_loop().create_future(), pieces=pieces)
        answer = asyncio.ensure_future(self._submit(job))
        try:
            async for body in pieces.take(answer):
                yield body
            refused = answer.result()
            if isinstance(refused, wire.Refused):
                raise TooMany(refused.message, refused.suggestion)
        finally:
            pieces.close()
            self.stop(run)
            self.leave(run)
            answer.cancel()

    async def _submit(self, job: Job) -> wire.Answer:
        if self._closed:
            raise Unavailable("the server is about to end", "try again in a moment")
        if self.waiting >= self.sizes.queue:
            raise TooMany(f"{self.sizes.queue} requests are waiting already", "try again in a moment", retry_after=2)
        self.start()
        if not self._workers:
            raise Unavailable("no process that executes scripts can be started; the server's log says why")
        self._place(job)
        return await job.done

    def stop(self, run: str) -> bool:
        """Ask the script of this run to stop; False when nothing of it is being executed or waits to be."""
        found = False
        for worker in self._workers:
            if worker.current is not None and _stoppable(worker.current, run):
                worker.stop_soon(worker.current)
                found = True
            for job in worker.waiting:
                if _stoppable(job, run):
                    job.stop = found = True
        return found

    def settle(self, run: str, neighbour: str) -> None:
        """A new run lives where `neighbour` does."""
        if neighbour in self._homes:
            self._settle(run, self._homes[neighbour])

    def expect_long(self, run: str, long: bool) -> None:
        """Whether the next command of the run is to be executed aside, though it is of a kind that takes little."""
        if not long:
            self._slow.pop(run, None)
            return
        self._slow[run] = None
        if len(self._slow) > HOMES:
            self._slow.popitem(last=False)

    def leave(self, run: str) -> None:
        """The run has no home any more."""
        self._homes.pop(run, None)

    def forget(self, run: str) -> None:
        """Have the worker at home drop the run. Others that hold an old state of it never use it again."""
        self._slow.pop(run, None)
        home = self._homes.pop(run, None)
        if home is not None:
            home.tell(wire.Forget(self.number(), run))

    async def close(self) -> None:
        """End all workers now."""
        self._closed = True
        for worker in self._workers:
            worker.kill()
        await asyncio.gather(*(worker.task for worker in self._workers), return_exceptions=True)

    # ------------------------------------------------------------------ what workers report

    def busy(self, worker: Worker) -> None:
        """The worker's request is a long one: let nobody else wait for it."""
        self.start()
        waiting, worker.waiting = list(worker.waiting), deque()
        for job in waiting:
            self._place(job)

    def ended(self, worker: Worker) -> None:
        """The worker's process has ended."""
        if worker in self._workers:
            self._workers.remove(worker)
        for run in [run for run, home in self._homes.items() if home is worker]:
            del self._homes[run]
        if self._closed:
            for job in worker.waiting:
                if not job.done.done():
                    job.done.set_exception(WorkerDied())
            return
        self.deaths += 1
        if worker.ready:
            self._failures = 0
        else:
            # A process that never got ready will not the next time either: do not start one after the other for ever.
            # One that somebody killed might have got ready.
            self._failures += 1 if worker.outside else OWN_DEATH
            if self._failures >= OWN_DEATH * max(4, 2 * self.sizes.workers):
                self._rest_until = time.monotonic() + REST_SECONDS
                log.error("processes end before they are ready: none is started for %g seconds", REST_SECONDS)
        self.start()
        for job in worker.waiting:
            if self._workers:
                self._place(job)
            elif not job.done.done():
                job.done.set_exception(WorkerDied())

    def _place(self, job: Job) -> None:
        if job.near is not None and not job.near.ended and not job.near.long:
            job.near.put(job)
            return
        home = self._homes.get(job.run)
        heavy = job.heavy or (isinstance(job.request, wire.Execute) and job.run in self._slow)
        if home is None or home.long or (heavy and not home.aside and self.sizes.long_workers):
            chosen = self._choose(heavy)
            # A look at a run whose own command is long is a guest there: the run stays at home where it is changing.
            if home is None or home.current is None or home.current.run != job.run:
                self._settle(job.run, chosen)
            home = chosen
        home.put(job)
        self._retire()

    def _choose(self, heavy: bool) -> Worker:
        """The worker with the least to do, among those that are for this kind of work if there are any."""
        living = Counter(self._homes.values())
        free = [worker for worker in self._workers if not worker.long and not worker.ended]
        fitting = [worker for worker in free if worker.aside == heavy]
        room = self.sizes.workers + self.sizes.long_workers - len(self._workers)
        if heavy and room > 0 and not any(worker.load == 0 for worker in fitting):
            self._workers.append(Worker(self, aside=True))
            return self._workers[-1]
        return min(fitting or free or self._workers, key=lambda worker: (worker.load, living[worker]))

    def _settle(self, run: str, worker: Worker) -> None:
        self._homes[run] = worker
        self._homes.move_to_end(run)
        if len(self._homes) > HOMES:
            self._homes.popitem(last=False)

    def _retire(self) -> None:
        """End one process that was started beside the others and has had nothing to do for a while."""
        if len(self._workers) > self.sizes.workers + 1:
            idle = [w for w in self._workers if w.load == 0 and time.monotonic() - w.used > SPARE_SECONDS]
            if idle:
                min(idle, key=lambda worker: (not worker.aside, worker.used)).kill()


def _stoppable(job: Job, run: str) -> bool:
    return job.run == run and isinstance(job.request, wire.Execute | wire.Load | wire.Retell)
