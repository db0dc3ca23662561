# type: ignore
"""What asyncio's tasks wait for one another with: locks, events, queues."""

import heapq
from collections import deque

from _futures import CancelledError, get_event_loop


class QueueEmpty(Exception):
    pass


class QueueFull(Exception):
    pass


async def _wait_in(waiters):
    """Wait until somebody wakes this one up, in the order of coming."""
    future = get_event_loop().create_future()
    waiters.append(future)
    try:
        return await future
    finally:
        if future in waiters:
            waiters.remove(future)


def _wake(waiters, count=1):
    """Wake up the first who still wait."""
    for each in list(waiters):
        if count and not each.done():
            each.set_result(True)
            count -= 1


class _Entered:
    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, *details):
        self.release()


class Lock(_Entered):
    def __init__(self):
        self._locked, self._waiters = False, deque()

    def locked(self):
        return self._locked

    async def acquire(self):
        if not self._locked and not self._waiters:
            self._locked = True
            return True
        try:
            await _wait_in(self._waiters)
        except CancelledError:
            if not self._locked:
                _wake(self._waiters)
            raise
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        _wake(self._waiters)


class Event:
    def __init__(self):
        self._value, self._waiters = False, deque()

    def is_set(self):
        return self._value

    def set(self):
        self._value = True
        _wake(self._waiters, len(self._waiters))

    def clear(self):
        self._value = False

    async def wait(self):
        if not self._value:
            await _wait_in(self._waiters)
        return True


class Condition(_Entered):
    def __init__(self, lock=None):
        self._lock, self._waiters = lock or Lock(), deque()

    def locked(self):
        return self._lock.locked()

    async def acquire(self):
        return await self._lock.acquire()

    def release(self):
        self._lock.release()

    async def wait(self):
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        try:
            await _wait_in(self._waiters)
        finally:
            await self.acquire()
        return True

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        _wake(self._waiters, n)

    def notify_all(self):
        self.notify(len(self._waiters))


class Semaphore(_Entered):
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._value, self._waiters = value, deque()

    def locked(self):
        return self._value == 0 or any([not each.cancelled() for each in self._waiters])

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        await _wait_in(self._waiters)
        return True

    def release(self):
        for each in self._waiters:
            if not each.done():
                each.set_result(True)  # who waits has it at once
                return
        self._value += 1


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._bound = value

    def release(self):
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class Queue:
    def __init__(self, maxsize=0):
        self._maxsize, self._unfinished = maxsize, 0
        self._getters, self._putters, self._ended = deque(), deque(), Event()
        self._ended.set()
        self._queue = self._made()

    def _made(self):
        return deque()

    def _get(self):
        return self._queue.popleft()

    def _put(self, item):
        self._queue.append(item)

    @property
    def maxsize(self):
        return self._maxsize

    def qsize(self):
        return len(self._queue)

    def empty(self):
        return not self._queue

    def full(self):
        return 0 < self._maxsize <= len(self._queue)

    async def put(self, item):
        while self.full():
            await _wait_in(self._putters)
        self.put_nowait(item)

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._put(item)
        self._unfinished += 1
        self._ended.clear()
        _wake(self._getters)

    async def get(self):
        while self.empty():
            await _wait_in(self._getters)
        return self.get_nowait()

    def get_nowait(self):
        if self.empty():
            raise QueueEmpty
        item = self._get()
        _wake(self._putters)
        return item

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if not self._unfinished:
            self._ended.set()

    async def join(self):
        if self._unfinished:
            await self._ended.wait()


class PriorityQueue(Queue):
    def _made(self):
        return []

    def _put(self, item):
        heapq.heappush(self._queue, item)

    def _get(self):
        return heapq.heappop(self._queue)


class LifoQueue(Queue):
    def _made(self):
        return []

    def _get(self):
        return self._queue.pop()
