"""A worker: the process in which scripts are executed. `python -m app.worker.main`, started by app/workers/pool.py.

It reads requests from standard input and writes answers to standard output, one request at a time; a second thread
reads, so that a `Stop` arrives while a script is being executed. It ends when its input does. It keeps nothing that
could not be built again from the store: it may be killed at any time.
"""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import sys
import threading
import time
import traceback
from typing import BinaryIO

import msgspec

from app import wire
from app.worker import confine
from app.worker.workshop import Workshop
from engine.script.limits.watch import watch

if sys.platform == "linux":
    import fcntl

REST = 0.25
"""Seconds without a request after which what is left to tidy up is in nobody's way."""
RARELY = 40
"""How many collections of the younger objects come before one of all, which takes 0.1 s when large graphs are held."""


class Config(msgspec.Struct, frozen=True):
    """What the server tells a worker on its command line, as JSON. Bytes (0: no limit) and seconds."""

    memory: int = 0
    resident: int = 1 << 30
    runs: int = 64
    idle: float = 900.0


class Line:
    """The pipes to the server. Answers may be sent while a request is executed (progress)."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.source = source
        self.sink = sink
        self.requests: queue.SimpleQueue[wire.Request] = queue.SimpleQueue()
        self.stopping: set[int] = set()

    def read_forever(self) -> None:
        """Run in a thread. The end of the input ends the process, whatever it is doing."""
        try:
            while len(head := self.source.read(wire.LENGTH)) == wire.LENGTH:
                size = int.from_bytes(head, "big")
                body = self.source.read(size)
                if len(body) < size:
                    break
                request = wire.unpack_request(body)
                if isinstance(request, wire.Stop):
                    self.stopping.add(request.number)
                else:
                    self.requests.put(request)
        finally:
            os._exit(0)

    def send(self, answer: wire.Answer) -> None:
        self.write(wire.pack(answer))

    def write(self, packed: bytes) -> None:
        self.sink.write(packed)
        self.sink.flush()


def serve(line: Line, workshop: Workshop) -> None:
    """Answer requests, one after the other, for ever."""
    line.send(wire.Ready())
    while True:
        request = wait_for(line, workshop)
        number = request.number
        told = time.monotonic()

        def progress(done: int, asked: int, number: int = number) -> None:
            nonlocal told
            if time.monotonic() - told > 0.1:
                told = time.monotonic()
                line.send(wire.Told(number, done, asked))

        try:
            stopping = lambda number=number: number in line.stopping  # noqa: E731
            answer = workshop.answer(request, stopping, progress, line.send)
            packed = b"" if answer is None else wire.pack(answer)
        except MemoryError:
            # Whose memory it was cannot be told from here. A fresh process has room; there it is tried again.
            os._exit(70)
        except Exception:
            # A bug of ours: this run may be in any state, so it is forgotten; the others live on.
            traceback.print_exc()
            run = getattr(request, "run", "")
            workshop.forget(run)
            answer = wire.Refused(
                number,
                "Broken",
                "the engine failed inside this command; this is a bug of ours",
                "the run is as it was before: try another way",
            )
            packed = wire.pack(answer)
        if packed:
            line.write(packed)
        line.stopping.discard(number)


def wait_for(line: Line, workshop: Workshop) -> wire.Request:
    """The next request. What all objects are looked through for is done meanwhile, before it holds up an answer."""
    try:
        return line.requests.get(timeout=min(REST, workshop.idle / 4))
    except queue.Empty:
        if gc.get_count()[2]:
            gc.collect()
    while True:
        try:
            return line.requests.get(timeout=workshop.idle / 4)
        except queue.Empty:
            workshop.evict()


def widen(sink: BinaryIO) -> None:
    """Let a pipe hold a whole page: else its writer and its reader wait for each other every 64 KiB. Where the system
    does not let it, it stays as it is."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, wire.PIPE)


def main() -> None:
    confine.leave_terminal()
    # Descriptors 0 and 1 carry messages; whatever prints by accident must not get between them.
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    widen(sink)
    os.dup2(2, 1)
    config = msgspec.json.decode(sys.argv[1] if len(sys.argv) > 1 else "{}", type=Config)
    workshop = Workshop(runs=config.runs, resident=config.resident, idle=config.idle)
    confine.set_limits(config.memory)
    confine.drop_rights((__file__, os.__file__, msgspec.__file__))
    line = Line(source, sink)
    gc.freeze()  # modules stay for ever
    gc.set_threshold(*gc.get_threshold()[:2], RARELY)
    threading.Thread(target=line.read_forever, name="reader", daemon=True).start()
    watch.start()
    serve(line, workshop)


if __name__ == "__main__":
    main()
