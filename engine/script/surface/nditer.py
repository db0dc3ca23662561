"""np.nditer, and whether two arrays have memory in common."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from engine.script.executing.calls import consume
from engine.script.frames import current
from engine.script.surface import Rule, names, register
from engine.script.surface.numpy import check_options, without_objects

SHARING_WORK: Any = 100_000
"""Steps after which it is not found out any more whether two arrays have an element in common (the question is as hard
as they come), but whether they lie in the same region."""
ITERATED = names("multi_index c_index f_index external_loop readonly readwrite writeonly no_broadcast")


def _shares(a: Any, b: Any, max_work: Any = None) -> bool:
    """np.shares_memory()."""
    check_options((None, a, b), {})
    try:
        return bool(np.shares_memory(a, b, SHARING_WORK))
    except np.exceptions.TooHardError:
        return bool(np.may_share_memory(a, b))


def _may_share(a: Any, b: Any, max_work: Any = None) -> bool:
    """np.may_share_memory()."""
    check_options((None, a, b), {})
    return bool(np.may_share_memory(a, b))


def _words(given: Any) -> list[Any]:
    """A list of flags, or of lists of them."""
    return [each if isinstance(each, str) else list(consume(each)) for each in consume(given or ())]


class Elements:
    """np.nditer: the elements of an array (or of several, broadcast) as arrays of no dimension, each over the memory of
    its own."""

    __slots__ = ("_all",)

    def __init__(self, op: Any, flags: Any = (), op_flags: Any = None, op_dtypes: Any = None, order: Any = "K") -> None:
        check_options((None, op), {})
        given, kinds = _words(flags), _words(op_flags)
        told = {word for each in (*given, *kinds) for word in ([each] if isinstance(each, str) else each)}
        if not told <= ITERATED or op_dtypes is not None:
            raise TypeError(f"np.nditer takes the flags {', '.join(sorted(ITERATED))} in scripts here")
        several = isinstance(op, (tuple, list)) and any(isinstance(each, np.ndarray) for each in op)
        operands = [without_objects(np.asarray(each)) for each in (op if several else (op,))]
        self._all: Any = np.nditer(operands if several else operands[0], given, kinds or None, order=order)

    def __iter__(self) -> Elements:
        return self

    def __next__(self) -> Any:
        current.machine.count(1)
        return next(self._all)

    def __getitem__(self, key: Any) -> Any:
        return self._all[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._all[key] = value

    def __len__(self) -> int:
        return len(self._all)

    def __enter__(self) -> Elements:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def iternext(self) -> bool:
        """On to the next element; whether there is one."""
        return bool(self._all.iternext())

    def reset(self) -> None:
        self._all.reset()

    def close(self) -> None:
        """The end. What it gave is memory of the operands, which NumPy's close() would let go of beneath it."""
        self._all = np.nditer(0)
        self._all.close()


Elements.__name__ = Elements.__qualname__ = "nditer"
_TOLD = "multi_index index finished itersize iterindex ndim nop shape value operands"
register(
    Elements,
    Rule(
        names=names("iternext reset close"),
        computed={name: attrgetter(f"_all.{name}") for name in _TOLD.split()},
    ),
)


GUARDED: dict[str, Any] = {
    "shares_memory": _shares,
    "may_share_memory": _may_share,
    "nditer": lambda *args, **kwargs: Elements(*args, **kwargs),
}
