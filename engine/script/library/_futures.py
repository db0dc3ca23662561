# type: ignore
"""The loop of asyncio, its futures and tasks. Time passes only where everybody waits: the clock then goes on to when the
next one wakes up."""

import heapq
import math
import time as _time
from collections import deque

from _waiting import iscoroutine, isawaitable

_TURN = 1e-5  # seconds that a turn takes on the loop's clock, so that later timers are later


class CancelledError(BaseException):
    pass


class InvalidStateError(Exception):
    pass


class Handle:
    def __init__(self, function, args, when=None):
        self._function, self._args, self._when, self._cancelled = function, args, when, False

    def cancel(self):
        self._cancelled = True

    def cancelled(self):
        return self._cancelled

    def when(self):
        return self._when

    def _run(self):
        if not self._cancelled:
            self._function(*self._args)


class Loop:
    def __init__(self):
        self._ready, self._timers, self._count = deque(), [], 0
        self._now, self._closed, self._task, self._stopping = 0.0, False, None, False
        self._tasks, self._running = [], False

    def time(self):
        return self._now

    def is_running(self):
        return self._running

    def is_closed(self):
        return self._closed

    def close(self):
        self._closed = True

    def stop(self):
        self._stopping = True

    def call_soon(self, callback, *args, context=None):
        made = Handle(callback, args)
        self._ready.append(made)
        return made

    call_soon_threadsafe = call_soon

    def call_later(self, delay, callback, *args, context=None):
        return self.call_at(self._now + delay, callback, *args)

    def call_at(self, when, callback, *args, context=None):
        made = Handle(callback, args, when)
        self._count += 1
        heapq.heappush(self._timers, (when, self._count, made))
        return made

    def create_future(self):
        return Future(loop=self)

    def create_task(self, coro, *, name=None, context=None):
        return Task(coro, loop=self, name=name)

    def run_in_executor(self, executor, func, *args):
        made = self.create_future()
        try:
            made.set_result(func(*args))
        except Exception as error:
            made.set_exception(error)
        return made

    def run_until_complete(self, future):
        global _running
        if self._closed:
            raise RuntimeError("Event loop is closed")
        if _running is not None:
            raise RuntimeError(
                "This event loop is already running"
                if _running is self
                else "Cannot run the event loop while another loop is running"
            )
        future = ensure_future(future, loop=self)
        _running, self._running = self, True
        try:
            while not future.done():
                self._turn()
        finally:
            _running, self._running = None, False
        return future.result()

    def run_forever(self):
        global _running
        self._stopping = False
        _running, self._running = self, True
        try:
            while not self._stopping:
                self._turn()
        finally:
            _running, self._running = None, False

    def shutdown_asyncgens(self):
        return _nothing()

    def shutdown_default_executor(self):
        return _nothing()

    def _turn(self):
        """Run what is ready now; where nothing is, wait for the next timer."""
        timers = self._timers
        while timers and timers[0][2]._cancelled:
            heapq.heappop(timers)
        if not self._ready:
            if not timers:
                raise RuntimeError("nothing is left to run, and what is awaited has not happened: it never would")
            left = math.ceil((timers[0][0] - self._now) * 1000) / 1000  # systems wait for whole milliseconds
            if left > 0:
                _time.sleep(left)
                self._now += left
        while timers and timers[0][0] <= self._now:
            self._ready.append(heapq.heappop(timers)[2])
        for _ in range(len(self._ready)):
            self._now += _TURN
            self._ready.popleft()._run()

    def _cancel_all(self):
        """What still runs when the main task has ended is cancelled."""
        left = [each for each in self._tasks if not each.done()]
        for each in left:
            each.cancel()
        while any([not each.done() for each in left]):
            self._turn()


_running = None
_set = None


async def _nothing():
    return None


def get_running_loop():
    if _running is None:
        raise RuntimeError("no running event loop")
    return _running


def get_event_loop():
    global _set
    if _running is not None:
        return _running
    if _set is None or _set._closed:
        _set = Loop()
    return _set


def set_event_loop(loop):
    global _set
    _set = loop


class Future:
    def __init__(self, *, loop=None):
        self._loop = loop or get_event_loop()
        self._state, self._result, self._exception, self._callbacks = "PENDING", None, None, []
        self._message = None

    def get_loop(self):
        return self._loop

    def done(self):
        return self._state != "PENDING"

    def cancelled(self):
        return self._state == "CANCELLED"

    def result(self):
        if self._state == "CANCELLED":
            raise self._cancelled_error()
        if self._state == "PENDING":
            raise InvalidStateError("Result is not set.")
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self):
        if self._state == "CANCELLED":
            raise self._cancelled_error()
        if self._state == "PENDING":
            raise InvalidStateError("Exception is not set.")
        return self._exception

    def _cancelled_error(self):
        return CancelledError() if self._message is None else CancelledError(self._message)

    def add_done_callback(self, callback, *, context=None):
        if self.done():
            self._loop.call_soon(callback, self)
        else:
            self._callbacks.append(callback)

    def remove_done_callback(self, callback):
        kept = [each for each in self._callbacks if each != callback]
        removed, self._callbacks = len(self._callbacks) - len(kept), kept
        return removed

    def set_result(self, result):
        if self.done():
            raise InvalidStateError("invalid state")
        self._result = result
        self._finish("FINISHED")

    def set_exception(self, exception):
        if self.done():
            raise InvalidStateError("invalid state")
        self._exception = exception() if isinstance(exception, type) else exception
        self._finish("FINISHED")

    def cancel(self, msg=None):
        if self.done():
            return False
        self._message = msg
        self._finish("CANCELLED")
        return True

    def _finish(self, state):
        self._state = state
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            self._loop.call_soon(callback, self)

    def __await__(self):
        if not self.done():
            yield self
        if not self.done():
            raise RuntimeError("await wasn't used with future")
        return self.result()

    __iter__ = __await__

    def __repr__(self):
        state = self._state.lower()
        if self._state == "FINISHED":
            told = f"result={self._result!r}" if self._exception is None else f"exception={self._exception!r}"
            return f"<{self._shown()} {state} {told}>"
        return f"<{self._shown()} {state}>"

    def _shown(self):
        return "Future"


class Task(Future):
    _made = 0

    def __init__(self, coro, *, loop=None, name=None, context=None):
        if not iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        super().__init__(loop=loop)
        Task._made += 1
        self._name = f"Task-{Task._made}" if name is None else str(name)
        self._coro, self._waiting, self._must_cancel, self._asked = coro, None, False, 0
        self._loop._tasks.append(self)
        self._loop.call_soon(self._step)

    def get_name(self):
        return self._name

    def set_name(self, value):
        self._name = str(value)

    def get_coro(self):
        return self._coro

    def cancel(self, msg=None):
        if self.done():
            return False
        self._asked += 1
        if self._waiting is not None and self._waiting.cancel(msg):
            return True
        self._must_cancel, self._message = True, msg
        return True

    def cancelling(self):
        return self._asked

    def uncancel(self):
        self._asked = max(self._asked - 1, 0)
        return self._asked

    def _step(self, error=None):
        if self.done():
            return
        if self._must_cancel:
            error = error if isinstance(error, CancelledError) else self._cancelled_error()
            self._must_cancel = False
        self._waiting, before, self._loop._task = None, self._loop._task, self
        try:
            found = self._coro.send(None) if error is None else self._coro.throw(error)
        except StopIteration as stop:
            if self._must_cancel:
                self._end("cancel")
            else:
                self._end("result", stop.value)
        except CancelledError as stopped:
            self._message = stopped.args[0] if stopped.args else None
            self._end("cancel")
        except (KeyboardInterrupt, SystemExit) as failure:
            self._end("exception", failure)
            raise
        except BaseException as failure:
            self._end("exception", failure)
        else:
            self._wait(found)
        finally:
            self._loop._task = before

    def _end(self, how, value=None):
        self._loop._tasks.remove(self)
        if how == "cancel":
            super().cancel(self._message)
        elif how == "result":
            super().set_result(value)
        else:
            super().set_exception(value)

    def _wait(self, found):
        if found is None:
            self._loop.call_soon(self._step)
        elif not isinstance(found, Future):
            self._loop.call_soon(self._step, RuntimeError(f"Task got bad yield: {found!r}"))
        elif found is self:
            self._loop.call_soon(self._step, RuntimeError(f"Task cannot await on itself: {self!r}"))
        else:
            found.add_done_callback(self._wakeup)
            self._waiting = found
            if self._must_cancel and found.cancel(self._message):
                self._must_cancel = False

    def _wakeup(self, future):
        try:
            future.result()
        except BaseException as error:
            self._step(error)
        else:
            self._step()

    def set_result(self, result):
        raise RuntimeError("Task does not support set_result operation")

    def set_exception(self, exception):
        raise RuntimeError("Task does not support set_exception operation")

    def _shown(self):
        return f"Task name={self._name!r}"


async def _awaits(awaitable):
    return await awaitable


def ensure_future(value, *, loop=None):
    if isinstance(value, Future):
        return value
    if iscoroutine(value):
        return Task(value, loop=loop)
    if isawaitable(value):
        return Task(_awaits(value), loop=loop)
    raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
