"""Which optimizers a script's text calls step() on: by the last part of their names, as far as the text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from engine.tracing.diagnosis.reading import Place, Reading, names_in


def stepped(text: Reading) -> frozenset[str] | None:
    """The last parts of the names ("opt" of `self.opt`) on which, or with which, step() is called anywhere. None where
    that cannot be told: `optimizers[i].step()`."""
    found: set[str] = set()
    for place in text.step_calls:
        call = place.node
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Attribute)
        for which in (call.func.value, *call.args[:1]):
            names = _meant(text, which, place, 3)
            if names is None and which is call.func.value:
                return None
            found |= names or set()
    return frozenset(found)


def last_part(name: str) -> str:
    """ "opt" of "trainer.opt"."""
    return name if name.endswith("]") else name.rpartition(".")[2]


def _meant(text: Reading, node: ast.expr, place: Place, deep: int) -> set[str] | None:
    """What an expression may stand for; None: anything."""
    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return {ast.unparse(node)}
    if not isinstance(node, ast.Name) or not deep:
        return None
    found = {node.id}
    for given in _given(text, node.id, place):
        if given is None:
            return None
        more = _meant(text, given, place, deep - 1)
        if more is None:
            return None
        found |= more
    return found


def _given(text: Reading, name: str, place: Place) -> Iterator[ast.expr | None]:
    """What is put into a variable: by the loop around it, by other names, by the calls of the function whose parameter
    it is."""
    for around in place.around:
        if isinstance(around, ast.For) and name in names_in(around.target):
            if not isinstance(around.iter, (ast.Tuple, ast.List)) or not isinstance(around.target, ast.Name):
                yield None
                return
            yield from around.iter.elts
    function = place.function
    if isinstance(function, ast.FunctionDef):
        parameters = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        if name in parameters:
            yield from _passed(text, function.name, parameters, name)
    for other in text.assignments:
        node = other.node
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            if isinstance(node.value, (ast.Name, ast.Attribute)):
                yield node.value
            elif isinstance(node.value, (ast.IfExp, ast.Subscript)):
                yield None


def _passed(text: Reading, function: str, parameters: list[str], name: str) -> Iterator[ast.expr | None]:
    for call in text.calls.get(function, ()):
        at = parameters.index(name) - (parameters[0] == "self")
        if at < len(call.args) and not any(isinstance(each, ast.Starred) for each in call.args):
            yield call.args[at]
        else:
            yield next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
