"""What a script uses that is outside the subset, found in the text before anything runs. These are warnings: a name
that is never reached does no harm."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from engine.script import interpreter as _filled
from engine.script.executing.machine import Machine
from engine.script.frames import current
from engine.script.limits import Limits
from engine.script.modules import MODULES, has, module, offered
from engine.script.reading.notebook import left_out
from engine.script.reading.source import Script
from engine.script.reading.unused import unused_imports
from engine.script.reading.walk import walk
from engine.script.surface import DEFINABLE, RULES, ScriptModule
from engine.script.surface.absent import Absent
from engine.script.values.attributes import KINDS_TELL
from engine.script.values.builtin import BUILTINS, CALLS

assert _filled


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A name or construct outside the subset; columns count from 1."""

    line: int
    column: int
    end_column: int
    name: str
    message: str
    suggestion: str


MISSING_BUILTINS = {
    "exec": "Write the statements themselves.",
    "eval": "Write the expression itself.",
    "compile": "Write the statements themselves.",
    "__import__": "Use an import statement.",
    "breakpoint": "Press next: every statement is a place to stop.",
}
FILES = "files are inside the run here: open() writes to no disk, and reads what this run has written"
FROM_ELSEWHERE = (
    "Data from elsewhere go into the script: as a text for io.StringIO(), or as numbers for torch.tensor()."
)
MISSING_MODULES = {
    "torchvision": "There are transforms, utils, datasets.FakeData and models.resnet18(): write others yourself.",
    "torchaudio": "Make the data in the script, for example with torch.randn.",
    "sklearn": "There are datasets, model_selection, preprocessing, metrics, text, pipeline, PCA, KMeans and lines.",
    "scipy": "There are stats, special, spatial, signal, ndimage, interpolate, linalg, sparse, linear_sum_assignment.",
    "seaborn": "Use matplotlib.pyplot.",
    "PIL": "There is Image, for pictures that the script makes.",
    "cv2": "Make the data in the script.",
    "mlflow": "Print what you want to follow.",
    "tensorboard": "Print what you want to follow.",
    "subprocess": "A script is one process: leave it out.",
    "socket": "Scripts have no network.",
    "torchviz": "The picture of the graph is beside the script.",
    "gym": "Write the environment as a class with reset() and step().",
    "gymnasium": "Write the environment as a class with reset() and step().",
}
PASSED_OVER = "Nothing uses it: the import is passed over."


def find_unsupported(script: Script) -> tuple[Unsupported, ...]:
    """Everything in `script` that would raise when it is reached, calls without their parentheses and cells that were
    left out, in the order of the text."""
    current.machine = Machine(Limits())
    current.machine.calls = dict(CALLS)  # modules in the language of scripts are executed
    current.machine.executing = True
    known = _imports(script.tree)
    bound = {node.id for node in walk(script.tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {
        node.name
        for node in walk(script.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    found = [
        *_modules(script.tree),
        *_names(script.tree, known, bound),
        *_uncalled(script.tree),
        *_not_python(script.lines),
    ]
    return tuple(sorted(set(found), key=lambda each: (each.line, each.column)))


CALLED = frozenset(("zero_grad", "backward", "step", "train", "eval", "zero_"))


def _uncalled(tree: ast.Module) -> Iterator[Unsupported]:
    """`optimizer.zero_grad` as a statement: Python says nothing, and nothing happens."""
    for node in walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute) and node.value.attr in CALLED:
            text = ast.unparse(node.value)
            yield _at(node, text, f"{text} is named but not called: this line does nothing.", f"Write {text}().")


def _not_python(lines: list[str]) -> Iterator[Unsupported]:
    for line, cell, message in left_out(lines):
        yield Unsupported(
            line,
            1,
            len(lines[line - 1]) + 1,
            cell,
            f"{cell} of the notebook is left out, it is not Python: {message}",
            "The others run. Mend it in the notebook, or here, where its lines are comments.",
        )


def _at(node: ast.AST, name: str, message: str, suggestion: str) -> Unsupported:
    column = getattr(node, "col_offset", 0)
    line = getattr(node, "lineno", 1)
    end = getattr(node, "end_col_offset", column) if getattr(node, "end_lineno", line) == line else column
    return Unsupported(line, column + 1, (end or column) + 1, name, message, suggestion)


def _imports(tree: ast.Module) -> dict[str, ScriptModule]:
    """Names that stand for modules: `import torch.nn as nn`, `from torch import nn`."""
    found: dict[str, ScriptModule] = {}
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                if name in MODULES:
                    found[alias.asname or name] = module(name)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in MODULES:
                    found[alias.asname or alias.name] = module(name)
    return found


def _modules(tree: ast.Module) -> Iterator[Unsupported]:
    unused = unused_imports(tree)
    for node in walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if not offered(alias.name):
                    yield _no_module(node, alias.name, alias in unused)
        elif isinstance(node, ast.ImportFrom):
            name = node.module or "."
            if node.level or not offered(name):
                yield _no_module(node, name, unused.issuperset(node.names))
                continue
            source = module(name)
            for alias in node.names:
                if alias.name != "*" and not has(name, alias.name):
                    suggestion = PASSED_OVER if alias in unused else _like(alias.name, source)
                    yield _at(node, f"{name}.{alias.name}", f"{name} has no {alias.name} here", suggestion)
                elif alias.name != "*" and alias not in unused and source.has(alias.name):
                    absent, text = source.read(alias.name), f"{name}.{alias.name}"
                    if isinstance(absent, Absent):
                        yield _at(node, text, f"{text}() does not exist here", _sentence(absent.instead))


def _no_module(node: ast.AST, name: str, unused: bool) -> Unsupported:
    top = name.partition(".")[0]
    suggestion = MISSING_MODULES.get(top, "It can only be used where the import is inside try/except ImportError.")
    suggestion = PASSED_OVER if unused else suggestion
    return _at(node, name, f"there is no module {name} here", suggestion)


def _like(name: str, source: ScriptModule) -> str:
    close = get_close_matches(name, source.listed(), 1)
    return f"Did you mean {close[0]}?" if close else "See docs/support.md for what there is."


def _names(tree: ast.Module, known: dict[str, ScriptModule], bound: set[str]) -> Iterator[Unsupported]:
    set_ = [node for node in walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    added = {(owner, node.attr) for node in set_ if (owner := _module_of(node.value, known, bound)) is not None}
    for node in walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound:
            if node.id in MISSING_BUILTINS and node.id not in BUILTINS:
                yield _at(node, node.id, f"there is no {node.id}() here", MISSING_BUILTINS[node.id])
            elif node.id == "open":
                yield _at(node, "open", FILES, FROM_ELSEWHERE)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            owner = _module_of(node.value, known, bound)
            if owner is not None and not owner.has(node.attr):
                if (owner, node.attr) in added:  # np.mine = 3
                    continue
                text = ast.unparse(node)
                yield _at(node, text, f"{text} does not exist here", _like(node.attr, owner))
            elif owner is not None and isinstance(absent := owner.read(node.attr), Absent):
                yield _at(node, text := ast.unparse(node), f"{text}() does not exist here", _sentence(absent.instead))
            elif node.attr.startswith("__") and node.attr.endswith("__") and not _dunder(node.attr):
                yield _at(node, node.attr, f"{node.attr} cannot be reached from scripts", "Leave it out.")


ALLOWED_DUNDERS = DEFINABLE | {
    "__name__",
    "__class__",
    "__doc__",
    "__dict__",
    "__qualname__",
    "__module__",
    "__self__",
    "__func__",
    "__cause__",
    "__version__",
    "__annotations__",
    "__defaults__",
    "__kwdefaults__",
    "__wrapped__",
    *KINDS_TELL,
    "__context__",
    "__suppress_context__",
    "__traceback__",
    "__notes__",
}


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."


def _dunder(name: str) -> bool:
    return name in ALLOWED_DUNDERS


def _module_of(node: ast.expr, known: dict[str, ScriptModule], bound: set[str]) -> ScriptModule | None:
    if isinstance(node, ast.Name):
        return known.get(node.id) if node.id not in bound else None
    if isinstance(node, ast.Attribute):
        outer = _module_of(node.value, known, bound)
        if outer is not None:
            try:
                inner = outer.read(node.attr)
            except AttributeError:
                return None
            return inner if isinstance(inner, ScriptModule) else None
    return None


assert RULES
