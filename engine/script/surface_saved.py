"""torch.save() and torch.load(): a script has no files, but what it saves it can load again in the same run."""

from __future__ import annotations

import copy
from pickle import UnpicklingError
from typing import Any

from engine import nn
from engine.script.frames import current
from engine.script.texts import text_str


def _name(file: Any) -> str:
    return text_str(file) if not isinstance(file, str) else file


def saved() -> dict[str, Any]:
    """What this run has saved, by path."""
    return current.machine.saved


def save(obj: Any, f: Any, *args: Any, **kwargs: Any) -> None:
    """Keep a copy of `obj` for a load() of the same name in this run."""
    current.machine.check()
    saved()[_name(f)] = copy.deepcopy(obj)
    if len(saved()) > 1000:
        raise OSError("torch.save(): a run keeps up to 1,000 files")


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: Any = None, **kwargs: Any
) -> Any:
    """A copy of what was saved under the name. Raises FileNotFoundError for other names."""
    name = _name(f)
    if name not in saved():
        raise FileNotFoundError(2, "No such file or directory", name)
    found = saved()[name]
    if weights_only in (None, True) and isinstance(found, nn.Module):
        kind = type(found)
        place = "__main__" if "__script__" in vars(kind) else kind.__module__
        raise UnpicklingError(
            "Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only` argument in"
            f" `torch.load` from `False` to `True`: GLOBAL {place}.{kind.__qualname__} was not an allowed global by"
            " default. Set `weights_only=False` to load whole modules"
        )
    return copy.deepcopy(found)
