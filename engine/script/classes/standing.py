"""Classes of the host that no script holds, and what stands for them. Called by the host, as a hook or a method is,
they would do what no script may: np.ndarray() gives memory as it was found, or at any address; type() makes classes
that tell NumPy of one (`__array_interface__`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

STANDS: dict[type, type] = {}
MEANT: dict[type, type] = {}


def stand_in(kind: type, make: Callable[..., Any]) -> type:
    """A class for scripts in place of `kind`; called, by whomever, it is `make`."""
    body = {"__slots__": (), "__module__": kind.__module__, "__qualname__": kind.__qualname__}
    made = type(kind.__name__, (), {**body, "__new__": lambda cls, *args, **kwargs: make(*args, **kwargs)})
    STANDS[kind], MEANT[made] = made, kind
    return made


def shown(kind: type) -> type:
    """`kind` as a script has it."""
    return STANDS.get(kind, kind)


def meant(kind: Any) -> Any:
    """The class that a script means by `kind`; others as they are."""
    return MEANT.get(kind, kind) if isinstance(kind, type) else kind
