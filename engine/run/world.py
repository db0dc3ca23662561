"""The engine's process-wide state (random stream, grad and anomaly modes, default dtype, print options), one world per
run.

Several runs live in one process and take turns; each finds the world as it left it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine import dtypes, environment, printing, random, warn
from engine.autograd import anomaly, grad_mode, packing, wirtinger
from engine.nn import everywhere
from engine.ops import overriding
from engine.run.sharing import Refused
from engine.tensor import in_inference_mode, make_inference_tensors

NUMPY_PRINTS = dict(np.get_printoptions())
TOLD = environment.told


class World:
    """A fresh world, its random stream started from `seed`."""

    def __init__(self, seed: int) -> None:
        self._random = dict(vars(random.Generator().manual_seed(seed)))
        modes = True, False, (False, True), 0, ((), None), None, (False, False)
        self._settings: tuple[Any, ...] = (modes, dtypes.float32, printing.PrintOptions(), NUMPY_PRINTS, TOLD)

    @contextmanager
    def entered(self, warned: Callable[[str, str], None]) -> Iterator[None]:
        """Live in this world inside the block; `warned` gets the (category, text) of PyTorch's warnings. Division by
        zero and overflow are numbers here (inf, nan), as in PyTorch, and no warnings of NumPy's."""
        outer = dict(vars(random.default_generator)), _settings()
        sink = warn.sink
        _set(self._random, self._settings)
        warn.sink = warned
        try:
            with np.errstate(all="ignore"):
                yield
        finally:
            warn.sink = sink
            self._random, self._settings = dict(vars(random.default_generator)), _settings()
            _set(*outer)

    def now(self) -> tuple[Any, ...]:
        """A copy of this world as it is while somebody lives in it: for `become`."""
        return random.default_generator.clone_state(), _settings()

    def become(self, other: tuple[Any, ...]) -> None:
        """Be as the world was of which this is the copy. Nobody may live in this one."""
        stream, self._settings = other
        self._random = dict(vars(stream))

    def twin(self) -> World:
        """A world as this one is. Nobody may live in it. Raises Refused where functions of the program are on in it."""
        (*_, packing_hooks, module_hooks, _), *_ = self._settings
        if packing_hooks[0] or module_hooks:
            raise Refused("hooks that are on everywhere")
        made = World.__new__(World)
        stream = random.Generator()
        vars(stream).update(self._random)
        made._random, made._settings = dict(vars(stream.clone_state())), self._settings
        return made

    def random_state(self) -> bytes:
        """Where the random stream is."""
        generator = random.Generator()
        vars(generator).update(self._random)
        return generator.get_bytes()


@contextmanager
def untouched() -> Iterator[None]:
    """Whatever is done inside the block, the world is as it was afterwards. Random numbers in it are drawn from a
    stream of its own; what the engine warns of is not heard."""
    outer, sink = (dict(vars(random.default_generator)), _settings()), warn.sink
    _set(vars(random.Generator().manual_seed(random.initial_seed())), outer[1])
    warn.sink = lambda *_: None
    try:
        yield
    finally:
        warn.sink = sink
        _set(*outer)


def _settings() -> tuple[Any, ...]:
    modes = (
        grad_mode.enabled,
        in_inference_mode(),
        (anomaly.enabled, anomaly.check_nan),
        overriding.state(),
        packing.state(),
        everywhere.hooks,
        wirtinger.state(),
    )
    return modes, dtypes.get_default_dtype(), printing.options, np.get_printoptions(), environment.told


def _set(stream: dict[str, Any], settings: tuple[Any, ...]) -> None:
    vars(random.default_generator).clear()
    vars(random.default_generator).update(stream)
    modes, default, printing.options, numpy_prints, told = settings
    grad_mode.enabled, inference, looking, overriding_off, hooks, of_modules, complex_numbers = modes
    environment.become(told)
    anomaly.turn(*looking)
    overriding.become(overriding_off)
    packing.become(hooks)
    wirtinger.become(complex_numbers)
    everywhere.become(of_modules)
    make_inference_tensors(inference)
    if numpy_prints != np.get_printoptions():
        np.set_printoptions(**numpy_prints)
    if default is not dtypes.get_default_dtype():
        dtypes.set_default_dtype(default)
