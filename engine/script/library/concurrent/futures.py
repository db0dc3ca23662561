# type: ignore
"""concurrent.futures: a script is one thread. What is submitted is done at once."""

from collections import namedtuple

FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"
DoneAndNotDoneFutures = namedtuple("DoneAndNotDoneFutures", "done not_done")


class Future:
    def __init__(self):
        self._value = self._error = None

    def result(self, timeout=None):
        if self._error is not None:
            raise self._error
        return self._value

    def exception(self, timeout=None):
        return self._error

    def done(self):
        return True

    def running(self):
        return False

    cancelled = cancel = running

    def add_done_callback(self, fn):
        fn(self)


class Executor:
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=(), **options):
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        self._open = True
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn, /, *args, **kwargs):
        if not self._open:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        try:
            future._value = fn(*args, **kwargs)
        except Exception as error:
            future._error = error
        return future

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        futures = [self.submit(fn, *each) for each in zip(*iterables)]
        return (each.result() for each in futures)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._open = False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.shutdown()


class ThreadPoolExecutor(Executor):
    pass


class ProcessPoolExecutor(Executor):
    pass


def as_completed(fs, timeout=None):
    return iter(list(fs))


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    return DoneAndNotDoneFutures(set(fs), set())
