# type: ignore
"""timeit: a function is called as often as it is said; the clock is the script's own."""

import itertools as _itertools
import time as _time

default_timer = _time.perf_counter
default_number = 1000000
_TEXT = "a statement as a text cannot be executed in scripts here: give a function, timeit.timeit(lambda: ...)"


class Timer:
    def __init__(self, stmt="pass", setup="pass", timer=default_timer, globals=None):
        self._calls = [_callable(setup), _callable(stmt)]
        self._timer = timer

    def timeit(self, number=default_number):
        setup, call = self._calls
        setup()
        start = self._timer()
        for _ in _itertools.repeat(None, number):
            call()
        return self._timer() - start

    def repeat(self, repeat=5, number=default_number):
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback=None):
        return 1, self.timeit(1)


def _callable(given):
    if given == "pass":
        return lambda: None
    if not callable(given):
        raise NotImplementedError(_TEXT)
    return given


def timeit(stmt="pass", setup="pass", timer=default_timer, number=default_number, globals=None):
    return Timer(stmt, setup, timer).timeit(number)


def repeat(stmt="pass", setup="pass", timer=default_timer, repeat=5, number=default_number, globals=None):
    return Timer(stmt, setup, timer).repeat(repeat, number)
