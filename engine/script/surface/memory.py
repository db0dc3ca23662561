"""What NumPy tells of the memory of an array: its flags, and whose memory it is."""

from __future__ import annotations

import gc
from operator import attrgetter
from typing import Any

import numpy as np

from engine.script.surface import Rule, names, register
from engine.tensor import Tensor

SHORT = {
    "C": "C_CONTIGUOUS", "CONTIGUOUS": "C_CONTIGUOUS", "F": "F_CONTIGUOUS", "FORTRAN": "F_CONTIGUOUS", "O": "OWNDATA",
    "W": "WRITEABLE", "A": "ALIGNED", "X": "WRITEBACKIFCOPY",
}  # fmt: skip
FLAGS = names("C_CONTIGUOUS F_CONTIGUOUS OWNDATA WRITEABLE ALIGNED WRITEBACKIFCOPY")


class Flags:
    """`array.flags`. An array may be made read-only; what is read-only stays so, as it may be another's."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getitem__(self, name: Any) -> Any:
        if not isinstance(name, str) or SHORT.get(name, name) not in FLAGS:
            raise KeyError("Unknown flag")
        return self._array.flags[name]

    def __setitem__(self, name: Any, value: Any) -> None:
        if not isinstance(name, str) or SHORT.get(name, name) != "WRITEABLE":
            raise KeyError("Unknown flag")
        self.writeable = value

    def __repr__(self) -> str:
        return repr(self._array.flags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and bool(self._array.flags == other._array.flags)

    __hash__ = None  # type: ignore[assignment]

    @property
    def writeable(self) -> bool:
        return bool(self._array.flags.writeable)

    @writeable.setter
    def writeable(self, value: Any) -> None:
        writeable = bool(value)  # asked once: an object of the script's may say something else the next time
        if writeable and not self._array.flags.writeable:
            raise ValueError("cannot set WRITEABLE flag to True of this array")
        self._array.flags.writeable = writeable


Flags.__name__ = Flags.__qualname__ = "flagsobj"
_READ = (
    "c_contiguous f_contiguous contiguous fortran owndata aligned writebackifcopy fnc forc behaved carray farray num"
)
register(
    Flags,
    Rule(
        names=names("writeable"),
        computed={name: attrgetter(f"_array.flags.{name}") for name in _READ.split()},
        settable=names("writeable"),
    ),
)


def base_of(array: Any) -> Any:
    """The array whose memory this one is a view of; None where it has its own. Of one that is a tensor's own, whose
    shape is the tensor's, another view."""
    base = array.base
    if type(base) is not np.ndarray:
        return None
    return base.view() if any(isinstance(each, Tensor) for each in gc.get_referrers(base)) else base


def set_flags(array: Any, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """array.setflags()."""
    if align is not None or uic is not None:
        raise TypeError("setflags() sets write alone in scripts here")
    if write is not None:
        Flags(array).writeable = write
