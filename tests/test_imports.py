"""The walls of docs/architecture.md, read from the source: who may import whom, and how long a file may be.

Imports under `if TYPE_CHECKING:` do not count: they draw no wall at run time.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_FILE = 500

# Lower rooms never import higher ones. A room is named by the longest prefix of a module's name; the rest of engine
# (`engine` itself) is the face on top of the numbers.
FLOORS = [
    [
        "engine.errors",
        "engine.observe",
        "engine.brief",
        "engine.devices",
        "engine.dtypes",
        "engine.layouts",
        "engine.gauss",
        "engine.random",
        "engine.printing",
        "engine.warn",
        "engine.messages",
        "engine.rooms",
        "engine.library",
        "engine.environment",
        "engine.chains",
        "engine.copies",
    ],
    ["engine.tensor", "engine.autograd", "engine.ops", "engine.saving"],
    ["engine.nn", "engine.optim", "engine.data"],
    ["engine"],
    ["engine.script"],
    ["engine.replay"],
    ["engine.tracing"],
    ["engine.run"],
]
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

WEB = ["fastapi", "starlette", "uvicorn", "jinja2", "httpx"]

# importer's prefix -> prefixes that it may not import
CLOSED = {
    "engine": ["app"],
    "engine.script.reading": [f"engine.script.{room}" for room in ("compiling", "executing", "values", "classes")],
    "app.api": ["app.pages", "app.store", "app.workers"],
    "app.pages": ["app.api", "app.store", "app.workers"],
    "app.drawing": ["app.api", "app.pages", "app.runs", "app.workers", "app.store", "app.settings", *WEB],
    "app.runs": ["app.api", "app.pages", "app.main", "app.cli", *WEB],
    "app.workers": ["app.api", "app.pages", "app.main", "app.cli", "app.runs", "app.store", "app.worker", *WEB],
    "app.worker": ["app.api", "app.pages", "app.main", "app.cli", "app.runs", "app.store", "app.workers", *WEB],
    "app.store": ["app.api", "app.pages", "app.main", "app.cli", "app.runs", "app.workers", "engine", *WEB],
    "app.scenarios": ["app", "engine"],
}


@cache
def source_files() -> list[Path]:
    """The Python that ships. Scenarios are data, and the scripts' library is executed as scripts are."""
    files = [*ROOT.joinpath("engine").rglob("*.py"), *ROOT.joinpath("app").rglob("*.py")]
    files = [path for path in files if "library" not in path.relative_to(ROOT).parts]
    return sorted(path for path in files if path.parent.name != "scenarios" or path.name == "__init__.py")


def module_name(path: Path) -> str:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_inside(module: str, prefix: str) -> bool:
    return module == prefix or module.startswith(prefix + ".")


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement, but for what is under `if TYPE_CHECKING:`. There are none in expressions, which are most of a
    tree."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.expr):
            continue
        if (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name | ast.Attribute)
            and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
        ):
            for other in node.orelse:
                yield other
                yield from statements(other)
        else:
            yield node
            yield from statements(node)


def imports(source: str, module: str, *, package: bool = False) -> set[str]:
    """The full names that `source`, the text of `module`, imports: `from a import b` counts as a.b where that is a
    module or package of ours, else as a."""
    found = set()
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")[: None if package and node.level == 1 else (1 if package else 0) - node.level]
                base = ".".join([*above, base] if base else above)
            for alias in node.names:
                inside = ROOT.joinpath(*base.split("."), alias.name)
                ours = inside.is_dir() or inside.with_suffix(".py").exists()
                found.add(f"{base}.{alias.name}" if ours else base)
    return found


def room_of(module: str) -> str:
    """The room of a module inside engine."""
    return max((room for room in FLOOR_OF if is_inside(module, room)), key=len)


@cache
def imports_of(path: Path) -> set[str]:
    return imports(path.read_text(encoding="utf-8"), module_name(path), package=path.name == "__init__.py")


def test_walls() -> None:
    through = []
    for path in source_files():
        module = module_name(path)
        closed = {prefix for room, prefixes in CLOSED.items() if is_inside(module, room) for prefix in prefixes}
        through += [
            f"{module} imports {name}" for name in imports_of(path) if any(is_inside(name, prefix) for prefix in closed)
        ]
    assert not through


def test_engine_stands_on_numpy_and_its_own_lower_floors() -> None:
    wrong = []
    for path in source_files():
        module = module_name(path)
        if not is_inside(module, "engine"):
            continue
        for name in imports_of(path):
            top = name.split(".")[0]
            if top not in ("engine", "numpy") and top not in sys.stdlib_module_names:
                wrong.append(f"{module} imports {name}")
            elif top == "engine" and FLOOR_OF[room_of(name)] > FLOOR_OF[room_of(module)]:
                wrong.append(f"{module} imports {name}, which is above it")
    assert not wrong


def test_no_file_is_longer_than_one_job() -> None:
    library = [path for path in ROOT.joinpath("engine").rglob("*.py") if "library" in path.relative_to(ROOT).parts]
    files = [*source_files(), *library]  # no wall stands in the scripts' library, whose imports are those of scripts
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert not {path: length for path, length in lengths.items() if length > LONGEST_FILE}


def test_every_room_named_here_is_there() -> None:
    places = {room: ROOT.joinpath(*room.split(".")) for room in [*FLOOR_OF, *CLOSED]}
    assert not [room for room, place in places.items() if not (place.is_dir() or place.with_suffix(".py").exists())]


def test_a_worker_needs_no_web() -> None:
    """Nothing that a worker imports brings the server's side with it: its start and its memory count for everybody."""
    heavy = ("fastapi", "starlette", "sqlalchemy", "uvicorn", "app.runs", "app.store")
    text = f"import sys, app.worker.main; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=ROOT).stdout == "[]\n"


def test_the_engine_imports_nothing_slow_that_numpy_does_not() -> None:
    """`import engine` is what a script waits for first."""
    text = "import sys, numpy; before = set(sys.modules); import engine; print(set(sys.modules) - before)"
    shown = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    tops = {name.partition(".")[0] for name in ast.literal_eval(shown)} - {"engine", "numpy"}
    assert tops.isdisjoint(("pathlib", "urllib", "ipaddress", "subprocess", "asyncio", "logging", "unittest", "http"))


@pytest.mark.parametrize(
    ("source", "module", "package", "expected"),
    [
        ("import a.b, c", "engine.x", False, {"a.b", "c"}),
        ("from engine import errors", "engine.x", False, {"engine.errors"}),
        ("from engine.errors import ScriptError", "engine.x", False, {"engine.errors"}),
        ("from . import errors", "engine.x", False, {"engine.errors"}),
        ("from . import errors", "engine", True, {"engine.errors"}),
        ("from .. import errors", "engine.tracing", True, {"engine.errors"}),
        ("from ..errors import ScriptError", "engine.tracing.events", False, {"engine.errors"}),
        ("def f():\n    import app", "engine.x", False, {"app"}),
        ("if TYPE_CHECKING:\n    import app\nelse:\n    import b", "engine.x", False, {"b"}),
    ],
)
def test_how_imports_are_read(source: str, module: str, package: bool, expected: set[str]) -> None:
    assert imports(source, module, package=package) == expected
