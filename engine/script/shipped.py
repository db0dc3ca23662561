"""Modules that are executed as scripts are: the files of library/. What happens in them counts for the line of the
script that called them, and a debugger does not step into them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from engine.script.frames import Code, Frame, current
from engine.script.modules import MODULES
from engine.script.program import Program
from engine.script.scopes import Scope, collect
from engine.script.surface import ScriptModule

FOLDER = Path(__file__).parent / "library"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__"))


@cache
def _code(name: str) -> Code:
    """The module's text, translated once for all runs."""
    from engine.script.compound import Statements

    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    scope = collect(Scope("module", None), tree.body)
    return Statements(scope, Program((), hidden=True), "<module>", "<module>").translate(tree.body)


def _execute(name: str) -> dict[str, object]:
    """The public names of the module, made anew for the run that executes now."""
    made: dict[str, object] = {}
    frame = Frame(_code(name), made, made, ())
    current.machine.run(frame)
    return {key: value for key, value in made.items() if not key.startswith("_")}


def fill() -> None:
    """Offer every file of library/; what the host has under the same name stays."""
    for name in NAMES:
        beside = MODULES.get(name)

        def make(name: str = name, beside: object = beside) -> ScriptModule:
            members = _execute(name)
            if callable(beside):
                members.update(beside().public())
            return ScriptModule(name, members)

        MODULES[name] = make
