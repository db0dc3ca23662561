"""What a run leaves behind in its process: nothing that grows."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.run import Command, Run
from engine.script.limits.watch import watch
from engine.script.surface import READY

LIBRARIES = (
    "from pandas import DataFrame\nfrom torch.distributions import Normal\nprint(DataFrame({'a': [1]}), Normal(0, 1))\n"
)


def test_the_classes_of_the_libraries_go_with_their_run() -> None:
    run = Run(LIBRARIES)
    run.execute(Command("finish"))
    assert run.moment(run.last).error is None
    names = run._session.interpreter.globals
    left = [weakref.ref(names["DataFrame"]), weakref.ref(names["Normal"])]
    del run, names
    Run("x = 1").execute(Command("finish"))
    gc.collect()
    assert [each() for each in left] == [None, None]


TENSORS = """
import torch
class Marked(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return super().__torch_function__(func, types, args, kwargs or {})
w = torch.nn.Parameter(torch.ones(2).as_subclass(Marked))
print((w * 2).sum(), type(w))
"""


def test_the_classes_of_a_script_s_tensors_go_with_it() -> None:
    run = Run(TENSORS)
    run.execute(Command("finish"))
    assert run.moment(run.last).error is None
    left = weakref.ref(run._session.interpreter.globals["Marked"])
    del run
    Run("x = 1").execute(Command("finish"))
    gc.collect()
    assert left() is None


def test_the_names_of_a_script_go_with_it() -> None:
    Run("x = 1").execute(Command("finish"))
    known = len(READY)
    for number in range(3):
        Run(f"x = 1\ntry:\n    x.name_{number}\nexcept AttributeError: pass").execute(Command("finish"))
    Run("x = 1").execute(Command("finish"))
    assert len(READY) == known


ENDED_AND_PROFILED = """
import sys, threading
from engine.script.limits.watch import watch
watch._executing, watch._fired = threading.get_ident(), True
watch.end()
sys.setprofile(lambda *_: None)
(lambda: None)()
"""


def test_after_a_limit_of_time_python_can_be_profiled() -> None:
    subprocess.run([sys.executable, "-c", ENDED_AND_PROFILED], check=True, timeout=60)


def test_a_limit_within_numpy_leaves_its_ways_with_errors_as_they_were() -> None:
    """It may strike after `svd` has said that errors are its own to tell, and before it can take that back."""
    machine: Any = SimpleNamespace(
        clock=lambda: 0, deadline=inf, base_memory=0, limits=SimpleNamespace(memory=inf), hurry=lambda: None
    )
    before = np.geterr(), np.geterrcall()
    watch.begin(machine)
    np.seterr(invalid="call")
    np.seterrcall(print)
    watch._fired = True
    watch.end()
    assert (np.geterr(), np.geterrcall()) == before
