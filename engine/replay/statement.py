"""A statement of a tape, and how the gradients that it computes come to the leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.optim.bunches import ByBunches
from engine.replay.calls import Call
from engine.replay.kernels import Differs
from engine.replay.reading import TapeStatement
from engine.replay.stepping import PlainSGD
from engine.replay.tape import External
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.script.frames import Frame

Array = np.ndarray[Any, Any]
Known = tuple[int, int, int]
"""How often the tensor for a gradient and its array are referred to, before anybody else can; and which array it is."""


@dataclass(slots=True)
class Statement:
    """A statement of the tape: its instructions in the code, and, once recorded, what replaces them."""

    text: TapeStatement
    first: int
    instructions: frozenset[int]
    original: Callable[[Frame], int]
    number: int = -1  # its place on the tape; -1 when it is not on it
    after: int = -1
    steps: int = 0  # that the machine counted
    step: PlainSGD | ByBunches | None = None
    owner: Any = None  # of a zero_grad() that only forgets the gradients of `leaves`
    leaves: list[Tensor] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    checks: list[Callable[[], bool]] = field(default_factory=list)
    externals: list[External] = field(default_factory=list)
    binds: list[tuple[str, Array | None, Tensor | Any]] = field(default_factory=list)
    root: Array | None = None  # what it goes backward from
    gradients: list[list[Any]] = field(default_factory=list)  # [leaf, the tensor for its .grad]
    known: list[Known] = field(default_factory=list)  # of these tensors

    def compute(self) -> None:
        for function, arguments in self.calls:
            function(*arguments)


def held(statement: Statement) -> list[Known]:
    return [(getrefcount(pair[1]), getrefcount(pair[1]._array), id(pair[1]._array)) for pair in statement.gradients]


def go(statement: Statement) -> bool:
    """Compute, and bring gradients to the leaves. False, with nothing done, where it must be executed as always."""
    try:
        if not statement.gradients:
            for function, arguments in statement.calls:
                function(*arguments)
        elif alone(statement):
            for function, arguments in statement.calls:
                function(*arguments)
            for leaf, gradient in statement.gradients:
                gradient._counter = None
                leaf._grad = gradient
        else:
            return accumulate(statement)
    except Differs:
        return False
    return True


def bind(statement: Statement, names: dict[str, Any], seen: frozenset[str]) -> None:
    """Give the names that a statement binds what it computed, where somebody else reads them."""
    for name, array, like in statement.binds:
        if array is None:
            names[name] = like
        elif name in seen:
            bound = Tensor._wrap(array.copy())
            bound._counter = [0]  # its own: the node saved another array
            bound._node, bound._needs, bound._number = like._node, True, like._number
            names[name] = bound


def alone(statement: Statement) -> bool:
    """Whether the leaves have no `.grad`, and nobody but the tape holds the tensors of the last ones, which are used
    again."""
    for (leaf, gradient), (tensors, arrays, array) in zip(statement.gradients, statement.known, strict=True):
        # `gradient` itself is a reference that was not there when they were counted.
        if leaf._grad is not None or getrefcount(gradient) > tensors + 1 or getrefcount(gradient._array) > arrays:
            return False
        if not as_made(gradient, array):
            return False
    return True


def as_made(gradient: Tensor, array: int) -> bool:
    """Whether the tensor for a gradient is what it was made as: a script may give it other memory (`w.grad.data = x`),
    or anything of its own."""
    plain = gradient._node is None and gradient._grad is None and not gradient._needs and not gradient.__dict__
    return plain and id(gradient._array) == array


def accumulate(statement: Statement) -> bool:
    """Go backward where a leaf has a `.grad`, to which its gradient is added. False, with nothing done, where a tensor
    of the tape's is in somebody else's hands."""
    ours = {id(pair[1]._array) for pair in statement.gradients}
    before: list[Array | None] = []
    for (leaf, gradient), (tensors, arrays, own) in zip(statement.gradients, statement.known, strict=True):
        if not as_made(gradient, own):
            return False
        there = leaf._grad
        if there is not gradient and (getrefcount(gradient) > tensors + 1 or getrefcount(gradient._array) > arrays):
            return False
        if there is None:
            before.append(None)
            continue
        array = there._array
        if there._node is not None or there._needs or there._base is not None or array.shape != leaf._array.shape:
            return False
        if there is gradient:
            before.append(array.copy())  # the new one is computed in its place
            continue
        owner: Any = array
        while owner is not None:
            if id(owner) in ours:
                return False
            owner = getattr(owner, "base", None)
        before.append(array)
    try:
        statement.compute()
    except Differs:
        for (leaf, gradient), array in zip(statement.gradients, before, strict=True):
            if leaf._grad is gradient and array is not None:
                np.copyto(gradient._array, array)
        raise
    for (leaf, gradient), array in zip(statement.gradients, before, strict=True):
        there = leaf._grad
        if array is None:
            gradient._counter = None
            leaf._grad = gradient
        else:
            np.add(array, gradient._array, out=there._array)
            there._changed()
    return True


def gradients_before(statement: Statement) -> list[Array | None]:
    """Copies of what the leaves' `.grad` are."""
    return [None if leaf._grad is None else leaf._grad._array.copy() for leaf, _ in statement.gradients]


def same_gradients(statement: Statement, before: list[Array | None]) -> bool:
    """Whether the leaves' `.grad` are what the tape computed, added to what they were."""
    for (leaf, gradient), array in zip(statement.gradients, before, strict=True):
        expected = gradient._array if array is None else array + gradient._array
        if leaf._grad is None or not alike(expected, leaf._grad._array):
            return False
    return True


def alike(a: Array, b: Array) -> bool:
    """Whether two arrays are the same to the bit."""
    return a.shape == b.shape and a.dtype == b.dtype and b.flags.c_contiguous and a.tobytes() == b.tobytes()


def apart(value: Any, statements: Iterable[Statement]) -> bool:
    """Whether what a script puts into something changes nothing that a tape reads."""
    if type(value) in (list, dict):
        return True
    array = value._array if type(value) is Tensor else value
    if not isinstance(array, np.ndarray):
        return False
    used = [each.tensor._array for s in statements for each in s.externals]
    used += [leaf._array for s in statements for leaf, _ in s.gradients]
    return not any(np.may_share_memory(array, each) for each in used)
