# type: ignore
"""multiprocessing: a script is one process. What others would do is done here, one after the other, when it is asked
for; they share what the script has."""

import queue
import threading
from threading import BoundedSemaphore, Condition, Event, Lock, RLock, Semaphore

_method = ["fork"]


class Process(threading.Thread):
    _made = 0

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        super().__init__(group, target, name, args, kwargs, daemon=daemon)
        Process._made += 1
        self.name, self.exitcode, self.pid = name or f"Process-{Process._made}", None, None

    def start(self):
        self.pid = Process._made
        super().start()
        self.exitcode = 0

    def terminate(self):
        pass

    kill = close = terminate


_main = Process(name="MainProcess")
Process._made = 0


def current_process():
    return _main


def active_children():
    return []


def parent_process():
    return None


def cpu_count():
    return 1


def freeze_support():
    pass


def set_start_method(method, force=False):
    if method not in get_all_start_methods():
        raise ValueError(f"cannot find context for {method!r}")
    _method[0] = method


def get_start_method(allow_none=False):
    return _method[0]


def get_all_start_methods():
    return ["fork", "spawn", "forkserver"]


class _Result:
    def __init__(self, value, callback=None):
        self._value = value
        if callback is not None:
            callback(value)

    def get(self, timeout=None):
        return self._value

    def wait(self, timeout=None):
        pass

    def ready(self):
        return True

    successful = ready


class Pool:
    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None, context=None):
        if processes is not None and processes < 1:
            raise ValueError("Number of processes must be at least 1")
        self._open = True
        if initializer is not None:
            initializer(*initargs)

    def _check(self):
        if not self._open:
            raise ValueError("Pool not running")

    def apply(self, func, args=(), kds={}):
        self._check()
        return func(*args, **kds)

    def map(self, func, iterable, chunksize=None):
        self._check()
        return [func(each) for each in iterable]

    def starmap(self, func, iterable, chunksize=None):
        self._check()
        return [func(*each) for each in iterable]

    def imap(self, func, iterable, chunksize=1):
        return iter(self.map(func, iterable))

    imap_unordered = imap

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        return _Result(self.apply(func, args, kwds), callback)

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return _Result(self.map(func, iterable), callback)

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return _Result(self.starmap(func, iterable), callback)

    def close(self):
        self._open = False

    terminate = close

    def join(self):
        if self._open:
            raise ValueError("Pool is still running")

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *error):
        self.close()


class _Queue(queue.Queue):
    def close(self):
        pass

    join_thread = cancel_join_thread = close


def Queue(maxsize=0, *, ctx=None):
    return _Queue(maxsize)


SimpleQueue = JoinableQueue = Queue


class _Value:
    def __init__(self, value):
        self.value, self._lock = value, RLock()

    def get_lock(self):
        return self._lock


def Value(typecode_or_type, value=0, *, lock=True):
    return _Value(value)


def Array(typecode_or_type, size_or_initializer, *, lock=True):
    return [0] * size_or_initializer if isinstance(size_or_initializer, int) else list(size_or_initializer)


class _Manager:
    def dict(self, *args, **kwargs):
        return {}.__class__(*args, **kwargs)

    def list(self, items=()):
        return [*items]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def shutdown(self):
        pass


_Manager.Queue, _Manager.Value, _Manager.Lock, _Manager.Event = (
    staticmethod(each) for each in (Queue, Value, Lock, Event)
)


def Manager():
    return _Manager()


class _Context:
    def __init__(self, method):
        self._method = method

    def get_start_method(self, allow_none=False):
        return self._method


for _each in (Process, Pool, Queue, SimpleQueue, JoinableQueue, Value, Array, Manager, cpu_count, set_start_method,
              Lock, RLock, Event, Condition, Semaphore, BoundedSemaphore, current_process):  # fmt: skip
    setattr(_Context, _each.__name__, staticmethod(_each))
_Context.SimpleQueue = _Context.JoinableQueue = staticmethod(Queue)


def get_context(method=None):
    if method is not None and method not in get_all_start_methods():
        raise ValueError(f"cannot find context for {method!r}")
    return _Context(method or _method[0])
