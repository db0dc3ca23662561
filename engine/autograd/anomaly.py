"""Anomaly mode: which operation of the forward pass made a backward fail, or gave the first nan.

While it is on, every node remembers where its operation was called. `where` says that; whoever runs scripts in another
way than as Python's own code replaces it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from engine.autograd import careful
from engine.messages import called
from engine.warn import warn

enabled = False
check_nan = True

_ENGINE = __file__.rpartition("autograd")[0]


def called_from() -> str:
    """The frames outside of the engine, as Python prints a traceback."""
    import traceback

    frames = [each for each in traceback.extract_stack() if not each.filename.startswith(_ENGINE)]
    return "".join(traceback.format_list(frames))


where: Callable[[], str] = called_from


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode looks for nan in gradients."""
    return check_nan


class set_detect_anomaly:
    """Acts at once; as a context manager it restores what was before."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = (enabled, globals()["check_nan"])
        turn(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        turn(*self._before)


class detect_anomaly:
    """Anomaly mode inside a `with` block. Warns, since it is slow."""

    def __init__(self, check_nan: bool = True) -> None:
        self._check_nan = check_nan
        self._before = (enabled, globals()["check_nan"])
        warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for"
            " debugging."
        )

    def __enter__(self) -> None:
        self._before = (enabled, check_nan)
        turn(True, self._check_nan)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        turn(*self._before)


def turn(mode: bool, check: bool) -> None:
    """Switch anomaly mode, and whether it looks for nan."""
    global enabled, check_nan
    for position, (name, given) in enumerate((("enabled", mode), ("check_nan", check)), 1):
        if not isinstance(given, bool):
            raise TypeError(
                f"set_anomaly_enabled(): argument '{name}' (position {position}) must be bool, not {called(given)}"
            )
    enabled, check_nan = mode, check
    careful.want("anomaly", _remember if enabled else None)


def _remember(node: Any, output: Any) -> None:
    """Called for each node that is recorded while anomaly mode is on."""
    node.made_at = where()


def told(node: Any) -> None:
    """Warn that `node` failed, with the place where its operation was called."""
    if node.made_at is None:
        warn(
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during"
            " forward pass for more information."
        )
    else:
        warn(f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{node.made_at}")


def look(node: Any, contributions: tuple[Any, ...]) -> None:
    """Raises RuntimeError when a gradient that `node` computed has a nan."""
    for i, (target, each) in enumerate(zip(node.edges, contributions, strict=False)):
        if each is None or target is None:
            continue
        array = getattr(each, "_array", each)
        if np.isnan(array).any():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {i}th output.")
