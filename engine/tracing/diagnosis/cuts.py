"""Which line cuts a result off from its history, as far as the text tells."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from engine.tracing.diagnosis.reading import CUTTING_METHODS, MAKERS, Place, Reading, assigns, called, names_in


def cut_before_backward(text: Reading) -> Place | None:
    """The call or attribute that cuts the root of a backward() from its history: the last one that stands in the same
    loop before a backward(), or in a function, and is not only printed or added up."""
    last = max((back.line for back in text.backwards), default=0)
    cuts = [cut for cut in text.cuts if not _only_told(cut)]
    if text.script is not None and text.script.phases:
        lines = [range(first, end + 1) for p in text.script.phases if p.do == "forward" for first, end in p.lines]
        inside = [cut for cut in cuts if any(cut.line in span for span in lines)]
        if inside:
            return inside[-1]
    near = [cut for cut in cuts if cut.line < last and (cut.loops or cut.function is not None)]
    return near[-1] if near else None


def cut_before(text: Reading, root: str, words: Sequence[str] = (*CUTTING_METHODS, *MAKERS, "data")) -> Place | None:
    """The cut where `root` is computed, or what it is computed of: no cut of what is only printed or kept. `words` are
    the methods, functions and attributes that count."""
    wanted, known = [root], {root}
    for name in wanted:
        made = [p.node for p in text.assignments if isinstance(p.node, ast.Assign) and assigns(p.node, name)]
        for cut in text.cuts:
            if _word(cut) in words and any(part is cut.node for node in made for part in ast.walk(node.value)):
                return cut
        read = {part for node in made for part in names_in(node.value)} - known
        wanted += sorted(read)
        known |= read
    return None


def cut_behind(text: Reading, parameters: Sequence[str]) -> Place | None:
    """The cut that what is computed of these parameters goes through: of the innermost module's result, else of that
    of the module around it, and so on; else the last cut before a backward()."""
    parts = [part for part in parameters[0].split(".") if part.isidentifier()] if parameters else []
    for own in reversed(parts[:-1]):
        computed = _computed_of(text, own)
        cuts = [cut for cut in text.cuts if not _only_told(cut) and _reads(cut, own, computed)]
        cuts = [cut for cut in cuts if not _after_backward(text, cut)]
        if cuts:
            return cuts[-1]
    return cut_before_backward(text)


def _computed_of(text: Reading, own: str) -> dict[ast.AST | None, set[str]]:
    """By function: the variables whose values come from calls of a module."""
    found: dict[ast.AST | None, set[str]] = {}
    for place in text.assignments:
        node = place.node
        names = found.setdefault(place.function, set())
        if isinstance(node, ast.Assign) and (_calls(node.value, own) or names & names_in(node.value)):
            names |= {name for target in node.targets for name in names_in(target)} - {"self"}
    return found


def _reads(cut: Place, own: str, computed: dict[ast.AST | None, set[str]]) -> bool:
    """Whether what is cut is a result of the module, or is computed of one."""
    within = cut.node.func if isinstance(cut.node, ast.Call) and _word(cut) not in MAKERS else cut.node
    return _calls(within, own) or bool(computed.get(cut.function, set()) & names_in(within))


def _after_backward(text: Reading, cut: Place) -> bool:
    """Whether a cut stands behind every backward() of its function."""
    lines = [back.line for back in text.backwards if back.function is cut.function]
    return bool(lines) and cut.line > max(lines)


def _calls(node: ast.AST, own: str) -> bool:
    return any(isinstance(part, ast.Call) and called(part) == own for part in ast.walk(node))


def _only_told(cut: Place) -> bool:
    """Whether the result of a cut is printed, or added to a total, and goes nowhere else."""
    statement = cut.around[-1] if cut.around else None
    if isinstance(statement, ast.AugAssign):
        return _word(cut) == "item"
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return called(statement.value) == "print"
    return False


def _word(cut: Place) -> str:
    return called(cut.node) if isinstance(cut.node, ast.Call) else getattr(cut.node, "attr", "")
