"""The engine's process-wide state (random stream, grad mode, default dtype, print options), one world per run.

Several runs live in one process and take turns; each finds the world as it left it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine import dtypes, printing, random
from engine.autograd import grad_mode


class World:
    """A fresh world, its random stream started from `seed`."""

    def __init__(self, seed: int) -> None:
        self._random = dict(vars(random.Generator().manual_seed(seed)))
        self._settings: tuple[Any, ...] = (True, dtypes.float32, printing.PrintOptions())

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Live in this world inside the block."""
        outer = dict(vars(random.default_generator)), _settings()
        _set(self._random, self._settings)
        try:
            yield
        finally:
            self._random, self._settings = dict(vars(random.default_generator)), _settings()
            _set(*outer)

    def random_state(self) -> bytes:
        """Where the random stream is."""
        generator = random.Generator()
        vars(generator).update(self._random)
        return generator.get_state()


def _settings() -> tuple[Any, ...]:
    return grad_mode.enabled, dtypes.get_default_dtype(), printing.options


def _set(stream: dict[str, Any], settings: tuple[Any, ...]) -> None:
    vars(random.default_generator).clear()
    vars(random.default_generator).update(stream)
    grad_mode.enabled, default, printing.options = settings
    if default is not dtypes.get_default_dtype():
        dtypes.set_default_dtype(default)
