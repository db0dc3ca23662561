"""Values as bytes: what pickle.dumps() gives, and torch.save() into a file that is open. The bytes only stand for a
copy that the run keeps; nothing is ever made from them, so that bytes from elsewhere load nothing and call nothing."""

from __future__ import annotations

import copy
from pickle import PicklingError, UnpicklingError
from typing import Any

from engine.copies import APART, FILED
from engine.script.frames import ScriptFunction, ScriptGenerator, current
from engine.script.limits import exceeded
from engine.script.limits.nested import FLAT
from engine.script.surface import ScriptModule
from engine.script.values.attributes import is_script_class
from engine.script.values.texts import text_repr

HEAD = b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00"
"""How pickles of protocol 4 begin; 16 bytes follow."""
LENGTH = len(HEAD) + 16
MOST = 10_000


class Pickles:
    """What pickle.dumps() was given, by number. Bytes stand for it: nothing is ever made from them."""

    __slots__ = ("held", "last", "of")

    def __init__(self) -> None:
        self.held: dict[int, Any] = {}
        self.last = 0
        self.of: dict[str, list[int]] = {}  # the numbers that stand in a file only, so that they go with it

    def forget(self, place: str) -> None:
        """A file is gone."""
        for number in self.of.pop(place, ()):
            self.held.pop(number, None)

    def read(self, place: str) -> None:
        """A script has seen the bytes of a file: they may be anywhere from now on."""
        self.of.pop(place, None)


def to_file(value: Any, apart: bool = False) -> Any:
    """A copy of `value` as a file has it: its tensors are leaves and have no gradients. `apart`: none shares its memory
    with another."""
    memo: dict[Any, Any] = {FILED: FILED, **({APART: APART} if apart else {})}
    return copy.deepcopy(value, memo)


def keep(value: Any, place: str | None = None, apart: bool = False) -> bytes:
    """Bytes that stand for a copy of `value` (`apart`: as to_file() says). `place`: the file that they are written to,
    and nowhere else."""
    pickles = current.machine.pickles
    if len(pickles.held) >= MOST:
        exceeded("files", MOST, "the script keeps more pickles")
    current.machine.check()
    made = to_file(value, apart)
    pickles.last += 1
    pickles.held[pickles.last] = made
    if place is not None:
        pickles.of.setdefault(place, []).append(pickles.last)
    return HEAD + b"\x94%014d." % pickles.last


def dumped(value: Any, place: str | None = None) -> bytes:
    """pickle.dumps(). Raises PicklingError, AttributeError and TypeError where Python does."""
    _refuse(value, set())
    return keep(value, place, apart=True)


def value_of(content: Any) -> Any:
    """A copy of the value that bytes of `keep` stand for. Raises UnpicklingError for all others."""
    if not isinstance(content, bytes):
        raise TypeError(f"a bytes-like object is required, not '{type(content).__name__}'")
    if not content:
        raise EOFError("Ran out of input")
    number = content[len(HEAD) + 1 : LENGTH - 1]
    held = current.machine.pickles.held
    if content[:LENGTH] != HEAD + b"\x94" + number + b"." or not number.isdigit() or int(number) not in held:
        raise UnpicklingError("these bytes are no pickle that this run has made: only those can be loaded here")
    return copy.deepcopy(held[int(number)])


def _refuse(value: Any, known: set[int]) -> None:
    """Raises what Python raises for values that cannot be pickled."""
    kind = type(value)
    if kind in FLAT or id(value) in known:
        return
    known.add(id(value))
    current.machine.count(1)
    if kind is ScriptFunction:
        if "<locals>" in value.code.qualname:
            raise AttributeError(f"Can't pickle local object '{value.code.qualname}'")
        if value.code.name == "<lambda>":
            shown = text_repr(value)
            raise PicklingError(f"Can't pickle {shown}: attribute lookup <lambda> on __main__ failed")
    elif kind is ScriptGenerator or kind is ScriptModule:
        raise TypeError(f"cannot pickle '{kind.__name__}' object")
    elif isinstance(value, dict):
        for each in (*dict.keys(value), *dict.values(value)):
            _refuse(each, known)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _refuse(each, known)
    elif is_script_class(kind):
        if "<locals>" in kind.__qualname__:
            raise AttributeError(f"Can't pickle local object '{kind.__qualname__}'")
        for each in getattr(value, "__dict__", {}).values():
            _refuse(each, known)
