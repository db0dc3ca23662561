# type: ignore
"""threading: a script is one thread. What another would do is done when it is started, to its end."""

_count = 0


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        global _count
        _count += 1
        self.name = name or (f"Thread-{_count}" if target is None else f"Thread-{_count} ({target.__name__})")
        self.daemon, self.ident, self.native_id = bool(daemon), None, None
        self._target, self._args, self._kwargs, self._started = target, args, kwargs or {}, False

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        global _current
        if self._started:
            raise RuntimeError("threads can only be started once")
        self._started, self.ident = True, id(self)
        before, _current = _current, self
        try:
            self.run()
        finally:
            _current = before

    def join(self, timeout=None):
        if not self._started:
            raise RuntimeError("cannot join thread before it is started")

    def is_alive(self):
        return _current is self

    def setDaemon(self, daemon):
        self.daemon = daemon

    def getName(self):
        return self.name


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=args or (), kwargs=kwargs)

    def cancel(self):
        pass


_main = _current = Thread(name="MainThread")
_main._started, _main.ident, _count = True, 1, 0


def current_thread():
    return _current


def main_thread():
    return _main


def enumerate():
    return [_main] if _current is _main else [_main, _current]


def active_count():
    return len(enumerate())


def get_ident():
    return _current.ident


def _waits():
    raise RuntimeError("this waits for another thread, and a script is one thread here: it would never end")


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if self._value == 0:
            return _waits() if blocking and timeout is None else False
        self._value -= 1
        return True

    def release(self, n=1):
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *error):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._most = value

    def release(self, n=1):
        if self._value + n > self._most:
            raise ValueError("Semaphore released too many times")
        super().release(n)


class Lock(Semaphore):
    def __init__(self):
        super().__init__()

    def acquire(self, blocking=True, timeout=-1):
        return super().acquire(blocking, None if timeout == -1 else timeout)

    def release(self):
        if self._value:
            raise RuntimeError("release unlocked lock")
        self._value = 1

    def locked(self):
        return not self._value


class RLock(Lock):
    def __init__(self):
        super().__init__()
        self._held = 0

    def acquire(self, blocking=True, timeout=-1):
        self._held += 1
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("cannot release un-acquired lock")
        self._held -= 1


class Event:
    def __init__(self):
        self._set = False

    def is_set(self):
        return self._set

    def set(self):
        self._set = True

    def clear(self):
        self._set = False

    def wait(self, timeout=None):
        return True if self._set else _waits() if timeout is None else False


class Condition:
    def __init__(self, lock=None):
        self._lock = lock or RLock()
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.acquire()

    def __exit__(self, *error):
        self._lock.release()

    def wait(self, timeout=None):
        return _waits() if timeout is None else False

    def wait_for(self, predicate, timeout=None):
        return predicate() or self.wait(timeout)

    def notify(self, n=1):
        pass

    def notify_all(self):
        pass


class local:
    pass
