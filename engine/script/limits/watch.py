"""The watch: a thread that looks at the clock and at the memory twenty times a second while a script executes.

The interpreter counts steps, but one step may be a loop of the host over millions of items. When a budget is used up,
the watch makes the machine look at its budgets before the next step; when no step comes, because the engine itself
loops, it raises the limit there, and once more when that was dropped: Python ignores what is raised in a finalizer or
in a callback. One call into NumPy cannot be ended: a process that exists for one script may say what is done then
(`last_resort`)."""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import LimitExceeded
from engine.script.limits.memory import resident

if TYPE_CHECKING:
    from engine.script.executing.machine import Machine

PERIOD = 0.05
IDLE_ROUNDS = 40
PATIENCE = 1.0
"""Seconds that one step may take beyond the deadline."""


HOPELESS = 8.0
"""Seconds beyond the deadline after which a step will not end by itself."""


class OutOfTime(LimitExceeded):
    """Raised by the watch, in the thread that executes: made by the host without arguments."""

    def __init__(self) -> None:
        super().__init__("time", "one statement runs longer than the budget `time` allows")
        watch.raised = weakref.ref(self)


OutOfTime.__name__ = OutOfTime.__qualname__ = "LimitExceeded"


def _without_limits(hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`hook`, which is told of errors that Python ignores, but not of limits: who raises them does it again, or the
    next one does."""

    def tell(ignored: Any) -> None:
        if not issubclass(ignored.exc_type, (LimitExceeded, MemoryError, RecursionError)):
            hook(ignored)

    return tell


class Watch:
    """Watches the machine in `machine`, when there is one."""

    def __init__(self) -> None:
        self.machine: Machine | None = None
        self.last_resort: Callable[[Machine], None] | None = None
        self._executing = 0
        self._fired = False
        self._taken = False
        self.raised: weakref.ref[OutOfTime] | None = None
        self._on_errors: tuple[Any, Any] = {}, None
        self._lock = threading.Lock()
        self._awake = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, machine: Machine) -> None:
        """`machine` executes from now on, in this thread."""
        self._executing = threading.get_ident()
        self._fired = self._taken = False
        self.raised = None
        self._on_errors = np.geterr(), np.geterrcall()
        self.machine = machine
        if not self._awake.is_set():
            self.start()
            self._awake.set()

    def start(self) -> None:
        """Start the thread; for processes that may not start one later."""
        if self._thread is None:
            sys.unraisablehook = _without_limits(sys.unraisablehook)
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
            with contextlib.suppress(RuntimeError):  # no thread may be started: steps are counted all the same
                self._thread.start()

    def taken(self) -> None:
        """A limit has arrived where it is told: nothing is raised any more until something else executes."""
        self._taken = True

    def end(self) -> None:
        """Nothing executes now. What was raised and has not arrived arrives here: where it is only taken back, Python
        goes on to look for it at each call, and one that is profiled never gets any further. What NumPy does about
        errors of floating point is as it was: a limit that strikes between the lines of its `svd` leaves behind that
        each of them is an error."""
        try:
            self.machine = None
            if self._fired:
                with self._lock:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._executing), ctypes.py_object(OutOfTime)
                    )
                while True:
                    pass
        except LimitExceeded:
            self.machine = None
        if self._fired:
            np.seterr(**self._on_errors[0])
            np.seterrcall(self._on_errors[1])

    def _look(self) -> None:
        idle = 0
        while True:
            machine = None  # what has ended is not kept while this waits
            self._awake.wait()
            time.sleep(PERIOD)
            machine = self.machine
            idle = 0 if machine is not None else idle + 1
            if idle > IDLE_ROUNDS:
                self._awake.clear()
                if self.machine is not None:
                    self._awake.set()
            if machine is None:
                continue
            late = machine.clock() - machine.deadline
            if late > 0 or resident() - machine.base_memory > machine.limits.memory:
                machine.hurry()
            if late > PATIENCE and (not self._fired or self._dropped()):
                self._raise(machine)
            if late > HOPELESS and self.last_resort is not None and self.machine is machine:
                self.last_resort(machine)

    def _dropped(self) -> bool:
        """Whether nobody holds what was raised: it has arrived long ago, or was ignored on the way. It is asked for
        from here: a finalizer of its own would be a line of Python at which the next limit could strike in vain."""
        return self.raised is not None and self.raised() is None

    def _raise(self, machine: Machine) -> None:
        with self._lock:
            if self.machine is machine and not self._taken:
                self._fired, self.raised = True, None
                kind = ctypes.py_object(OutOfTime)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._executing), kind)


watch = Watch()
