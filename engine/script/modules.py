"""import: modules are proxies with a fixed set of names. Nothing is loaded from anywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.script.frames import current
from engine.script.surface import ScriptModule

Factory = Callable[[], ScriptModule]
MODULES: dict[str, Factory] = {}


def offered(name: str) -> bool:
    """Whether scripts may import a module: those that begin with _ are for the files of library/ alone."""
    return name in MODULES and (name[:1] != "_" or name == "__future__")


def has(name: str, attribute: str) -> bool:
    """Whether a script's `from name import attribute` finds something."""
    if not offered(name):
        return False
    return f"{name}.{attribute}" in MODULES or module(name).has(attribute)


def module(name: str) -> ScriptModule:
    """The module `name` of the run that executes now. Raises ModuleNotFoundError as Python words it."""
    made = current.machine.modules
    if name not in made:
        if name not in MODULES:
            raise _missing(name)
        made[name] = MODULES[name]()
    found: ScriptModule = made[name]
    return found


def _missing(name: str) -> ModuleNotFoundError:
    """As Python words it: the outermost package that is not there is what is missing."""
    parts = name.split(".")
    outer = [".".join(parts[:count]) for count in range(1, len(parts))]
    lost = next((each for each in outer if each not in MODULES), name)
    above = lost.rpartition(".")[0]
    alone = above and not any(each.startswith(f"{above}.") for each in MODULES)
    said = f"No module named '{lost}'" + (f"; '{above}' is not a package" if alone else "")
    return ModuleNotFoundError(said, name=lost)


def import_module(name: str, whole: bool, ours: bool) -> ScriptModule:
    """`import a.b` gives a; `import a.b as c` (whole) gives a.b. `ours`: a file of library/ imports it."""
    if not ours and not offered(name):
        raise _missing(name)
    top = name.partition(".")[0]
    result = module(top)
    found = module(name) if name != top else result
    return found if whole else result


def import_from(name: str, attribute: str, level: int, ours: bool) -> Any:
    """`from name import attribute`; all public names for "*". `ours`: a file of library/ imports it."""
    if level:
        raise ImportError("attempted relative import with no known parent package")
    if not ours and not offered(name):
        raise _missing(name)
    source = module(name)
    if attribute == "*":
        return source.public()
    try:
        return source.read(attribute)
    except AttributeError:
        if f"{name}.{attribute}" in MODULES:
            return module(f"{name}.{attribute}")
        raise ImportError(f"cannot import name '{attribute}' from '{name}' (unknown location)", name=name) from None
