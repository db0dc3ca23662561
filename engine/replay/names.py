"""What names mean while a script executes, and what stands at the end of a path of attributes (`self.model`) or
is picked from a tensor (`X[i:i + b]`)."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import nn
from engine.replay.pure import is_pick, path_of, pick
from engine.script.classes.making import ScriptObject
from engine.script.surface import ScriptModule
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.script.frames import Frame


class Names:
    """The variables that a frame sees, and what they hold: its own, those of the functions around it, the program's.
    `local` are the names of the function's own; None outside of functions."""

    __slots__ = ("_frame", "_local")

    def __init__(self, frame: Frame, local: frozenset[str] | None) -> None:
        self._frame, self._local = frame, local

    def get(self, path: str) -> Any:
        """What a name or a path means; None where there is nothing, or what only a call could tell."""
        if is_pick(path):
            place = self.place(path)
            return None if place is None else _taken(*place)
        name, attributes = _parts(path)
        value = self._variable(name)
        for attribute in attributes:
            value = _held(value, attribute)
        return value

    def place(self, path: str) -> tuple[Tensor, Any] | None:
        """Of what is picked (`X[i:i + b]`) the tensor and the place in it; None where they are no plain tensor without
        a gradient, and no numbers, slices and tensors."""
        node = pick(path)
        base = self.get(path_of(node.value) or "")
        key = self._key(node.slice)
        return (base, key) if _is_plain(base) and key is not _NOWHERE else None

    def _key(self, node: ast.expr | None) -> Any:
        if isinstance(node, ast.Name):
            value = self._variable(node.id)
            return value if type(value) is int or _is_plain(value) else _NOWHERE
        if isinstance(node, ast.Constant):
            return node.value if node.value is None or type(node.value) is int else _NOWHERE
        if isinstance(node, ast.Slice):
            ends = [None if each is None else self._key(each) for each in (node.lower, node.upper, node.step)]
            return slice(*ends) if all(each is None or type(each) is int for each in ends) else _NOWHERE
        if isinstance(node, ast.Tuple):
            parts = tuple(map(self._key, node.elts))
            return _NOWHERE if any(each is _NOWHERE for each in parts) else parts
        if isinstance(node, ast.BinOp):
            return _number(node.op, self._key(node.left), self._key(node.right))
        return _number(ast.Sub(), 0, self._key(node.operand)) if isinstance(node, ast.UnaryOp) else _NOWHERE

    def _variable(self, name: str) -> Any:
        frame = self._frame
        if self._local is None:
            return frame.locals.get(name)
        if name in self._local:
            return frame.locals.get(name)
        for names in frame.outer:
            if name in names:
                return names[name]
        return frame.globals.get(name)


_NOWHERE = object()
FARTHEST = 1 << 40
"""Numbers beyond are not computed with: a script may have made them long."""


def _number(kind: ast.operator, a: Any, b: Any) -> Any:
    if type(a) is not int or type(b) is not int or max(abs(a), abs(b)) > FARTHEST:
        return _NOWHERE
    return a * b if isinstance(kind, ast.Mult) else a + b if isinstance(kind, ast.Add) else a - b


def _is_plain(value: Any) -> bool:
    plain = type(value) is Tensor and type(value._array) is np.ndarray
    return plain and value._node is None and not value._needs


def _taken(base: Tensor, key: Any) -> Tensor | None:
    try:
        found: Tensor = base[key]
    except (IndexError, TypeError, ValueError):  # which the script sees, when it comes there as always
        return None
    return found


@lru_cache(maxsize=1024)
def _parts(path: str) -> tuple[str, tuple[str, ...]]:
    name, *attributes = path.split(".")
    return name, tuple(attributes)


def _held(value: Any, attribute: str) -> Any:
    """What an object of the script's, or a module, holds under a name of its own; of PyTorch's namespaces, those in
    them."""
    if isinstance(value, nn.Module):
        own = vars(value)
        for table in (own, own["_parameters"], own["_modules"], own["_buffers"]):
            if attribute in table:
                return table[attribute]
    elif isinstance(value, ScriptObject):
        return vars(value).get(attribute)
    elif isinstance(value, ScriptModule) and attribute in value.listed():
        held = value.read(attribute)
        return held if isinstance(held, ScriptModule) else None
    return None
