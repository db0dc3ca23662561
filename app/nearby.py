"""What Python adds to a NameError or an AttributeError where a name that there is is spelled nearly so: "Did you mean:
'optimizer'?"."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from typing import Any

import numpy as np

LONGEST, MOST = 40, 750  # names that are longer, or more of them, are not compared


def hint(tree: ast.Module, line: int, wrong: str, known: Iterable[str]) -> str:
    """What follows a NameError at `line` of the top level of `tree`, "" where nothing is near. `known`:
    the global names in their order."""
    for statement in tree.body:
        inside = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if inside and statement.lineno <= line <= (statement.end_lineno or line):
            return ""  # where names of its own come first
    near = nearest(wrong, list(known)) or nearest(wrong, list(vars(builtins)))
    return f". Did you mean: '{near}'?" if near else ""


def hint_of_attribute(error: AttributeError) -> str:
    """What follows an AttributeError, "" where nothing is near."""
    if not error.name:
        return ""
    near = nearest(error.name, sorted(_names(error.obj)))
    return f". Did you mean: '{near}'?" if near else ""


def _names(holder: Any) -> set[str]:
    """What Python compares with: all names of what is Python's, NumPy's or the script's, those without _ of what is
    PyTorch's. Of the module torch, none: it has more than are compared."""
    from engine import Tensor
    from engine.nn import Module
    from engine.script.surface import ScriptModule
    from engine.script.values.attributes import is_script_class

    if type(holder) is ScriptModule:
        name = holder.read("__name__")
        return set() if name == "torch" else set(dir(np) if name == "numpy" else holder.listed())
    kind = holder if isinstance(holder, type) else type(holder)
    if holder is Tensor:
        return set()
    known = set(dir(object))
    for each in kind.__mro__:
        whole = is_script_class(each) or each.__module__ in ("builtins", "numpy")
        known.update(name for name in vars(each) if whole or not name.startswith("_"))
    if holder is not kind:
        whole = is_script_class(kind) or isinstance(holder, Module)
        known.update(name for name in getattr(holder, "__dict__", ()) if whole or not name.startswith("_"))
    if isinstance(holder, Module):
        for held in ("_parameters", "_buffers", "_modules"):
            known.update(vars(holder).get(held, ()))
    return {name for name in known if not name[:1].isdigit()}


def nearest(wrong: str, known: list[str]) -> str | None:
    """The first of the names that take the least to become `wrong`, if that is little for their length."""
    if len(known) > MOST:
        return None
    best, least = None, None
    for name in known:
        allowed = (len(wrong) + len(name) + 3) * 2 // 6
        if least is not None:
            allowed = min(allowed, least - 1)
        cost = distance(wrong, name) if name != wrong and len(name) <= LONGEST >= len(wrong) else allowed + 1
        if cost <= allowed:
            best, least = name, cost
    return best


def distance(a: str, b: str) -> int:
    """How far two names are apart: 2 for a letter more, less or another, 1 for one in the other case."""
    row = [2 * count for count in range(len(b) + 1)]
    for count, letter in enumerate(a, 1):
        last, row = row, [2 * count]
        for place, other in enumerate(b):
            change = 0 if letter == other else 1 if letter.lower() == other.lower() else 2
            row.append(min(last[place] + change, last[place + 1] + 2, row[place] + 2))
    return row[-1]
