"""A copy of everything that a suspended program holds, with its aliasing: what was one object in two places is one
object in both places of the copy, arrays that share memory still do, and nothing that may change is shared with the
original.

`copy.deepcopy` is no help here: it asks the objects, and what a script copies must go by PyTorch's rules (a tensor that
is no leaf refuses). So each kind of object has a function of its own below, and what is not known is Refused: whoever
wanted the copy does without. What never changes (numbers, syntax trees, the engine's functions and classes, moments) is
shared.

No code of the script and no method of a copied object runs here; objects are filled from a list of things to do, so
that a long chain of them needs no deep stack.
"""

from __future__ import annotations

import collections
import random as python_random
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from engine import chains
from engine.brief import Brief
from engine.ops.folded import Folded
from engine.random import Generator, default_generator
from engine.run.copying_python import POINTER, PYTHON, Make, copy_class, copy_tuple, fill_dict, host_base
from engine.run.sharing import SAME, SHARED_BASES, Refused, is_named_tuple, is_of_script
from engine.script.frames import Code
from engine.script.values.containers import ScriptSet
from engine.tensor import INFERENCE
from engine.tracing.copies import same

Array = np.ndarray[Any, Any]
Made = TypeVar("Made")

MOST_OBJECTS = 50_000
"""More take too long to copy."""


@dataclass(slots=True)
class Known:
    """What earlier copies of the same program have found, by id(): functions that are shared, copies of arrays."""

    functions: dict[int, Any] = field(default_factory=dict)
    arrays: dict[int, Array] = field(default_factory=dict)


class Copier:
    """Copies one graph of objects. `codes` says which code stands for which; `budget` is how many bytes of arrays may
    be copied. `again`: an array that is as it was in the copy before is that one again, for copies that are only
    copied from. Raises Refused."""

    def __init__(self, budget: float, codes: Mapping[Code, Code], known: Known, again: bool = False) -> None:
        self.nbytes = 0
        self.arrays: dict[int, Array] = {}  # the copies of arrays, by id() of the original
        self.known = known
        self.again = again
        self._budget = budget
        self._codes = codes
        self._made: dict[int, tuple[Any, Any]] = {id(each): (each, each) for each in (INFERENCE, default_generator)}
        self._todo: collections.deque[Callable[[], None]] = collections.deque()

    def copy(self, root: Any) -> Any:
        """The copy of `root` and of all that it leads to."""
        made = self.part(root)
        while self._todo:
            self._todo.popleft()()
        return made

    def part(self, x: Any) -> Any:
        """The copy of something; it may still be empty."""
        kind = type(x)
        if kind in SAME:
            return x
        found = self._made.get(id(x))
        if found is not None:
            return found[1]
        if len(self._made) > MOST_OBJECTS:
            raise Refused("so many objects")
        make = MAKERS.get(kind)
        if make is None:
            make = _maker_of(kind)
        return make(self, x)

    def keep(self, x: Any, made: Made) -> Made:
        """Remember what the copy of `x` is."""
        self._made[id(x)] = (x, made)
        return made

    def later(self, do: Callable[[], None]) -> None:
        """Fill an object when those before it have been filled."""
        self._todo.append(do)

    def code(self, x: Code) -> Code:
        if x.is_shipped:
            return x
        if x.part is not None and x.part.place is not None:
            home, pc = x.part.place
            part = self.code(home).info[pc].part
            assert part is not None
            return part.taken()
        found = self._codes.get(x)
        if found is None:
            raise Refused("code of a free statement")
        return found

    def weigh(self, nbytes: int) -> None:
        self.nbytes += nbytes
        if self.nbytes > self._budget:
            raise Refused("so many bytes")


# -- arrays and random numbers -----------------------------------------------------------------------------------------


def _array(copier: Copier, x: Array) -> Array:
    if x.dtype.hasobject:
        raise Refused("an array of objects")
    owner: Any = x
    while type(owner.base) in (np.ndarray, Brief):
        owner = owner.base
    if owner.base is not None:
        if type(owner.base) is bytes and not x.flags.writeable:
            return x
        raise Refused(f"an array over {type(owner.base).__name__}")
    if owner is x:
        if not x.flags.writeable:
            return x  # a copy that was made to be kept
        made = copier.known.arrays.get(id(x)) if copier.again else None
        if made is None or made.strides != x.strides or not same(made, x):
            copier.weigh(x.nbytes)
            made = x.copy(order="K")
        if made.strides != x.strides:
            raise Refused("an array of strange strides")
        copier.arrays[id(x)] = made
        return copier.keep(x, made)
    memory = copier.part(owner)
    if memory is owner:
        return x
    if x.size == 0:
        return copier.keep(x, x.copy())
    flat = memory if memory.flags.c_contiguous else memory.T
    if not flat.flags.c_contiguous:
        raise Refused("a view of strange strides")
    made = np.ndarray(x.shape, x.dtype, flat, _address(x) - _address(owner), x.strides).view(type(x))
    made.flags.writeable = x.flags.writeable
    return copier.keep(x, made)


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def _generator(copier: Copier, x: Generator) -> Generator:
    return copier.keep(x, x.clone_state())


def _random_state(copier: Copier, x: np.random.RandomState) -> np.random.RandomState:
    made = np.random.RandomState(0)
    made.set_state(x.get_state(legacy=False))
    return copier.keep(x, made)


def _random_generator(copier: Copier, x: np.random.Generator) -> np.random.Generator:
    made = np.random.Generator(type(x.bit_generator)(0))
    made.bit_generator.state = x.bit_generator.state
    return copier.keep(x, made)


def _python_random(copier: Copier, x: python_random.Random) -> python_random.Random:
    made = python_random.Random(0)  # noqa: S311  (it goes on where the script's is)
    made.setstate(x.getstate())
    return copier.keep(x, made)


# -- objects -----------------------------------------------------------------------------------------------------------

_ERRORS = {
    BaseException, Exception, ArithmeticError, ZeroDivisionError, OverflowError, FloatingPointError, AssertionError,
    LookupError, IndexError, KeyError, NotImplementedError, RuntimeError, RecursionError, TypeError, ValueError,
}  # fmt: skip


_SLOTS: dict[type, tuple[Any, ...]] = {}


def _slots_of(kind: type) -> tuple[Any, ...]:
    """The descriptors of all slots of the objects of a class. Classes of scripts have none of their own."""
    engines = next(each for each in kind.__mro__ if not is_of_script(each))
    if engines not in _SLOTS:
        _SLOTS[engines] = tuple(
            value
            for each in engines.__mro__
            for value in vars(each).values()
            if type(value) is types.MemberDescriptorType
        )
    return _SLOTS[engines]


def _is_plain(kind: type) -> bool:
    """Whether all that an object holds is in its `__dict__` and its slots (and in the container that it extends)."""
    room = host_base(kind).__basicsize__ + POINTER * len(_slots_of(kind))
    room += POINTER * (kind.__dictoffset__ > 0) + POINTER * (kind.__weakrefoffset__ > 0)
    return bool(kind.__flags__ & 1 << 9) and kind.__basicsize__ <= room and not kind.__itemsize__


def _object(copier: Copier, x: Any) -> Any:
    kind = type(x)
    own = copier.part(kind) if is_of_script(kind) else kind
    host = host_base(kind)
    made = copier.keep(x, host.__new__(own))
    if host is chains.deque:
        host.__init__(made, (), x.maxlen)
    slots = _slots_of(kind)

    def fill() -> None:
        part = copier.part
        for slot in slots:
            try:
                value = slot.__get__(x)
            except AttributeError:
                continue
            slot.__set__(made, part(value))
        held = _dict_of(x)
        if held:
            _dict_of(made).update({key: part(value) for key, value in held.items()})
        if host is list:
            list.extend(made, [part(each) for each in list.__iter__(x)])
        elif host is chains.deque:
            host.extend(made, [part(each) for each in host.__iter__(x)])
        elif host is not object:
            if host is chains.defaultdict:
                made.default_factory = part(x.default_factory)
            fill_dict(copier, x, made, dict.__setitem__)

    copier.later(fill)
    return made


def _dict_of(x: Any) -> Any:
    """The `__dict__` itself: a class may show another one."""
    try:
        return object.__getattribute__(x, "__dict__")
    except AttributeError:
        return None


def _error(copier: Copier, x: BaseException) -> BaseException:
    kind = type(x)
    own = copier.part(kind)
    made: BaseException = copier.keep(x, own.__new__(own))

    def fill() -> None:
        made.args = copier.part(BaseException.args.__get__(x))  # type: ignore[attr-defined]
        _dict_of(made).update({key: copier.part(value) for key, value in (_dict_of(x) or {}).items()})
        made.__cause__, made.__context__ = copier.part(x.__cause__), copier.part(x.__context__)
        made.__suppress_context__ = x.__suppress_context__

    copier.later(fill)
    return made


MAKERS: dict[type, Make] = {
    **PYTHON,
    np.ndarray: _array,
    Brief: _array,
    Generator: _generator,
    np.random.RandomState: _random_state,
    np.random.Generator: _random_generator,
    python_random.Random: _python_random,
    Code: lambda copier, x: copier.code(x),
    Folded: lambda copier, x: _object(copier, x.seen()),
}
"""What copies a value of each type. Others are judged by `_maker_of`."""


def _maker_of(kind: type) -> Make:
    """What copies values of a type that is not listed: by what it extends. Raises Refused."""
    made: Make | None = None
    if issubclass(kind, type):
        made = copy_class
    elif issubclass(kind, SHARED_BASES) and kind is not np.void:
        SAME.add(kind)
        return lambda copier, x: x
    elif is_named_tuple(kind) or (issubclass(kind, tuple) and not any(is_of_script(each) for each in kind.__mro__)):
        made = copy_tuple
    elif issubclass(kind, BaseException):
        base = next(each for each in kind.__mro__ if not each.__flags__ & 1 << 9)
        made = _error if base in _ERRORS else None
    elif _is_plain(kind) and not issubclass(kind, (types.GeneratorType, int, float, str, ScriptSet)):
        made = _object
    if made is None:
        raise Refused(kind.__name__)
    if not any(is_of_script(each) for each in kind.__mro__):
        MAKERS[kind] = made
    return made
