"""Modules that are executed as scripts are: the files of library/, and PyTorch's in engine/library/. What happens in
them counts for the line of the script that called them, and a debugger does not step into them."""

from __future__ import annotations

import ast
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from engine import library
from engine.script.compiling.program import Program
from engine.script.compiling.scopes import Scope, collect
from engine.script.frames import Code, Frame, current
from engine.script.modules import MODULES, module
from engine.script.surface import Later, ScriptModule

FOLDERS = (Path(__file__).parent / "library", Path(library.__file__).parent)
FILES = {
    ".".join(path.relative_to(folder).with_suffix("").parts): path
    for folder in FOLDERS
    for path in sorted(folder.rglob("*.py"))
    if path.stem != "__init__"
}
NAMES = tuple(FILES)


@cache
def _code(name: str) -> Code:
    """The module's text, translated once for all runs."""
    from engine.script.compiling.compound import Statements

    tree = ast.parse(FILES[name].read_text(encoding="utf-8"))
    scope = collect(Scope("module", None), tree.body)
    return Statements(scope, Program((), hidden=True), "<module>", "<module>").translate(tree.body)


def _execute(name: str) -> dict[str, object]:
    """The public names of the module, made anew for the run that executes now."""
    made: dict[str, object] = {}
    code = _code(name)
    if code.run:  # a file may be nothing but words
        current.machine.run(Frame(code, made, made, ()))
    listed = made.pop("__all__", ())
    assert isinstance(listed, (list, tuple))
    public = {key: value for key, value in made.items() if not key.startswith("_") or key in listed}
    for value in public.values():
        if isinstance(value, type) and "__script__" in vars(value):
            home = value.__module__
            if name[0] != "_" and (home == "__main__" or home.startswith(f"{name}.")):  # what its own parts define, too
                value.__module__ = name
    return public


def fill() -> None:
    """Offer every file of library/, and what these alone may import; what the host has under the same name stays."""
    for name, place in library.OWN.items():
        functions = {each.__name__: each for each in import_module(place).FUNCTIONS}
        MODULES[name] = partial(ScriptModule, name, functions)
    for name in NAMES:
        beside = MODULES.get(name)

        def make(name: str = name, beside: object = beside) -> ScriptModule:
            members = _execute(name)
            if callable(beside):
                members.update(beside().whole())
            inner = {each.rpartition(".")[2]: each for each in MODULES if each.rpartition(".")[0] == name}
            return ScriptModule(name, {part: Later(partial(module, each)) for part, each in inner.items()} | members)

        MODULES[name] = make
    for package in {name.rpartition(".")[0] for name in NAMES if "." in name} - MODULES.keys():
        parts = [name.rpartition(".")[2] for name in NAMES if name.rpartition(".")[0] == package]

        def gather(package: str = package, parts: tuple[str, ...] = tuple(parts)) -> ScriptModule:
            return ScriptModule(package, {part: module(f"{package}.{part}") for part in parts})

        MODULES[package] = gather
