# type: ignore
"""asyncio: coroutines take turns in one thread. Nobody really waits: sleeping only moves the clock of the run."""

from _futures import (
    CancelledError,
    Future,
    Handle,
    InvalidStateError,
    Loop,
    Task,
    ensure_future,
    get_event_loop,
    get_running_loop,
    set_event_loop,
)
from _locks import (
    BoundedSemaphore,
    Condition,
    Event,
    LifoQueue,
    Lock,
    PriorityQueue,
    Queue,
    QueueEmpty,
    QueueFull,
    Semaphore,
)
from _waiting import iscoroutine, iscoroutinefunction

AbstractEventLoop = BaseEventLoop = Loop
TimeoutError = TimeoutError
TimerHandle = Handle
FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"


def new_event_loop():
    return Loop()


def isfuture(value):
    return isinstance(value, Future)


class Runner:
    def __init__(self, *, debug=None, loop_factory=None):
        self._loop = (loop_factory or Loop)()

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self.close()

    def get_loop(self):
        return self._loop

    def run(self, coro, *, context=None):
        if not iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        return self._loop.run_until_complete(coro)

    def close(self):
        self._loop._cancel_all()
        self._loop.close()


def run(main, *, debug=None):
    try:
        get_running_loop()
    except RuntimeError:
        pass
    else:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    with Runner() as runner:
        return runner.run(main)


def create_task(coro, *, name=None, context=None):
    return get_running_loop().create_task(coro, name=name)


def current_task(loop=None):
    return (loop or get_running_loop())._task


def all_tasks(loop=None):
    return {each for each in (loop or get_running_loop())._tasks if not each.done()}


class _Turn:
    """What gives the others a turn, once."""

    def __await__(self):
        yield


async def sleep(delay, result=None):
    if delay <= 0:
        await _Turn()
        return result
    loop = get_running_loop()
    future = loop.create_future()

    def wake():
        if not future.done():
            future.set_result(result)

    timer = loop.call_later(delay, wake)
    try:
        return await future
    finally:
        timer.cancel()


async def to_thread(func, /, *args, **kwargs):
    await _Turn()
    return func(*args, **kwargs)


class _Gathering(Future):
    """What gather() gives: cancelled, it cancels all that it gathers."""

    def __init__(self, children, *, loop):
        super().__init__(loop=loop)
        self._children, self._wanted_off = children, False

    def cancel(self, msg=None):
        if self.done():
            return False
        asked = False
        for each in self._children:
            asked = each.cancel(msg) or asked
        self._wanted_off = self._wanted_off or asked
        return asked


def gather(*coros_or_futures, return_exceptions=False):
    loop = get_event_loop()
    if not coros_or_futures:
        outer = loop.create_future()
        outer.set_result([])
        return outer
    known, children = {}, []
    for each in coros_or_futures:
        if id(each) not in known:
            known[id(each)] = ensure_future(each, loop=loop)
        children.append(known[id(each)])
    different = list(known.values())
    outer = _Gathering(different, loop=loop)
    left = [len(different)]

    def done(child):
        left[0] -= 1
        if outer.done():
            return
        if not return_exceptions:
            if child.cancelled():
                outer.set_exception(child._cancelled_error())
                return
            if child.exception() is not None:
                outer.set_exception(child.exception())
                return
        if left[0]:
            return
        if outer._wanted_off:
            outer.set_exception(CancelledError())
            return
        results = []
        for each in children:
            if each.cancelled():
                results.append(each._cancelled_error())
            else:
                results.append(each.result() if each.exception() is None else each.exception())
        outer.set_result(results)

    for each in different:
        each.add_done_callback(done)
    return outer


def shield(arg):
    inner = ensure_future(arg)
    if inner.done():
        return inner
    outer = get_event_loop().create_future()

    def done(child):
        if outer.done():
            return
        if child.cancelled():
            outer.cancel()
        elif child.exception() is not None:
            outer.set_exception(child.exception())
        else:
            outer.set_result(child.result())

    inner.add_done_callback(done)
    return outer


async def wait(fs, *, timeout=None, return_when=ALL_COMPLETED):
    fs = set(fs)
    if any([iscoroutine(each) for each in fs]):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    if not fs:
        raise ValueError("Set of Tasks/Futures is empty.")
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f"Invalid return_when value: {return_when}")
    loop = get_running_loop()
    waiter = loop.create_future()

    def enough():
        ended = [each for each in fs if each.done()]
        failed = any([not each.cancelled() and each.exception() is not None for each in ended])
        return (
            len(ended) == len(fs)
            or (return_when == FIRST_COMPLETED and ended)
            or (return_when == FIRST_EXCEPTION and failed)
        )

    def look(child=None):
        if not waiter.done() and (child is None or enough()):
            waiter.set_result(None)

    if not enough():
        timer = loop.call_later(timeout, look) if timeout is not None else None
        for each in fs:
            each.add_done_callback(look)
        try:
            await waiter
        finally:
            if timer is not None:
                timer.cancel()
            for each in fs:
                each.remove_done_callback(look)
    return {each for each in fs if each.done()}, {each for each in fs if not each.done()}


async def wait_for(fut, timeout):
    if timeout is None:
        return await fut
    task = ensure_future(fut)
    if timeout <= 0 and not task.done():
        task.cancel()
        try:
            await task
        except CancelledError:
            raise TimeoutError() from None
    loop = get_running_loop()
    waiter, late = loop.create_future(), []

    def ring():
        late.append(True)
        if not waiter.done():
            waiter.set_result(None)

    def done(child):
        if not waiter.done():
            waiter.set_result(None)

    timer = loop.call_later(timeout, ring)
    task.add_done_callback(done)
    try:
        await waiter
    except CancelledError:
        task.remove_done_callback(done)
        task.cancel()
        raise
    finally:
        timer.cancel()
    if task.done():
        return task.result()
    task.cancel()
    try:
        return await task
    except CancelledError:
        raise TimeoutError() from None


def as_completed(fs, *, timeout=None):
    tasks = [ensure_future(each) for each in fs]
    ended = Queue()
    for each in tasks:
        each.add_done_callback(ended.put_nowait)

    async def following():
        return (await ended.get()).result()

    for _ in tasks:
        yield following()


class Timeout:
    """A block that is cancelled when it takes longer."""

    def __init__(self, when):
        self._when, self._timer, self._late = when, None, False

    def when(self):
        return self._when

    def expired(self):
        return self._late

    def reschedule(self, when):
        if self._timer is not None:
            self._timer.cancel()
        self._when = when
        self._timer = None if when is None else get_running_loop().call_at(when, self._ring)

    def _ring(self):
        self._late = True
        self._task.cancel()

    async def __aenter__(self):
        self._task = current_task()
        self.reschedule(self._when)
        return self

    async def __aexit__(self, kind, value, trace):
        if self._timer is not None:
            self._timer.cancel()
        if self._late:
            self._task.uncancel()
            if isinstance(value, CancelledError):
                raise TimeoutError() from value


def timeout(delay):
    return Timeout(None if delay is None else get_running_loop().time() + delay)


def timeout_at(when):
    return Timeout(when)


class TaskGroup:
    """Tasks that end together: where one fails, the others are cancelled."""

    def __init__(self):
        self._tasks, self._errors, self._entered, self._leaving = [], [], False, False
        self._aborting, self._waiter = False, None

    async def __aenter__(self):
        self._parent, self._entered = current_task(), True
        return self

    def create_task(self, coro, *, name=None, context=None):
        if not self._entered:
            raise RuntimeError(f"TaskGroup {self!r} has not been entered")
        if self._leaving and not self._tasks:
            raise RuntimeError(f"TaskGroup {self!r} is finished")
        task = create_task(coro, name=name)
        self._tasks.append(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task):
        self._tasks.remove(task)
        if self._waiter is not None and not self._tasks and not self._waiter.done():
            self._waiter.set_result(True)
        if task.cancelled() or task.exception() is None:
            return
        self._errors.append(task.exception())
        if not self._aborting:
            self._abort()
            if not self._leaving:
                self._asked = True
                self._parent.cancel()

    def _abort(self):
        self._aborting = True
        for each in list(self._tasks):
            each.cancel()

    async def __aexit__(self, kind, value, trace):
        self._leaving = True
        cancelled = value if isinstance(value, CancelledError) else None
        if getattr(self, "_asked", False) and self._parent.uncancel() == 0:
            cancelled = None
        if kind is not None and not self._aborting:
            self._abort()
        while self._tasks:
            self._waiter = get_running_loop().create_future()
            try:
                await self._waiter
            except CancelledError as error:
                if not self._aborting:
                    cancelled = error
                    self._abort()
            self._waiter = None
        if cancelled is not None and not self._errors:
            raise cancelled
        if value is not None and not isinstance(value, CancelledError):
            self._errors.append(value)
        if self._errors:
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors)
