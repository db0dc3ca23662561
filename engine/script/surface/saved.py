"""torch.save(), np.save() and their loads: what a script saves it can load again in the same run."""

from __future__ import annotations

import posixpath
from typing import Any

import numpy as np

from engine.script import files
from engine.script.executing.calls import invoke
from engine.script.frames import current
from engine.script.limits.nested import check_nested
from engine.script.limits.still import still
from engine.script.surface import Rule, names, objects, register
from engine.script.values import attributes
from engine.script.values.attributes import script_definition
from engine.script.values.pickles import LENGTH, keep, to_file, value_of
from engine.script.values.weights import check_weights


def _is_open(file: Any) -> bool:
    """Whether it is a file or a buffer rather than a name."""
    return script_definition(type(file), "write")


def save(obj: Any, f: Any, *args: Any, **kwargs: Any) -> None:
    """Keep a copy of `obj` for a load() of the same name in this run. `f`: a path, or a file that is open for writing
    bytes. Raises RuntimeError for a path in a folder that is not there."""
    above = "" if _is_open(f) else posixpath.dirname(files.text_of(f))
    if above and not files.isdir(above):
        raise RuntimeError(f"Parent directory {above} does not exist.")
    _keep(obj, f)


def _keep(obj: Any, f: Any) -> None:
    current.machine.check()
    if _is_open(f):
        invoke(attributes.get(f, "write"), (keep(obj, getattr(f, "place", None)),))
    else:
        files.keep_value(f, to_file(obj))


def _found(file: Any) -> Any:
    """A copy of what was saved. Raises FileNotFoundError, UnpicklingError."""
    if _is_open(file):
        return value_of(invoke(attributes.get(file, "read"), (LENGTH,)))
    return files.stored(file)


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: Any = None, **kwargs: Any
) -> Any:
    """A copy of what was saved under the name. Raises FileNotFoundError for other names."""
    found = _found(f)
    if weights_only in (None, True):
        check_weights(found)
    return found


def _array_name(file: Any, ending: str) -> Any:
    if _is_open(file):
        return file
    name = files.text_of(file)
    return name if name.endswith(ending) else name + ending


def _array(value: Any) -> Any:
    """The array that is saved: of objects where NumPy would pickle what it is given, a dict for example."""
    check_nested(value)
    value = objects.told(value)
    if objects.is_objects(value):
        return value
    made = np.array(still(value))
    return objects.made(value) if made.dtype.hasobject else made


def save_array(file: Any, arr: Any, *args: Any, **kwargs: Any) -> None:
    """np.save(). Raises ValueError for rows of several lengths."""
    _keep(_array(arr), _array_name(file, ".npy"))


def save_arrays(file: Any, *args: Any, **kwargs: Any) -> None:
    """np.savez(): arrays by name, those without one as arr_0, arr_1 and so on. Raises ValueError as np.save() does."""
    given = {**{f"arr_{number}": each for number, each in enumerate(args)}, **kwargs}
    _keep(Archive({name: _array(each) for name, each in given.items()}), _array_name(file, ".npz"))


def load_array(file: Any, mmap_mode: Any = None, allow_pickle: Any = False, *args: Any, **kwargs: Any) -> Any:
    """np.load() of what this run saved. Raises FileNotFoundError for other names, ValueError for objects that are not
    asked for."""
    found = _found(file)
    if isinstance(found, Archive):
        found.whole = bool(allow_pickle)
    return _allowed(found, bool(allow_pickle))


def _allowed(found: Any, whole: bool) -> Any:
    if not whole and objects.is_objects(found):
        raise ValueError("Object arrays cannot be loaded when allow_pickle=False")
    return found


class Archive(dict[str, Any]):
    """What np.load() gives for several arrays; those of objects only if it is asked for the `whole`."""

    whole = True

    def __getitem__(self, name: str) -> Any:
        return _allowed(super().__getitem__(name), self.whole)

    @property
    def files(self) -> list[str]:
        return list(self)

    def close(self) -> None:
        return

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        return


Archive.__name__ = Archive.__qualname__ = "NpzFile"
register(Archive, Rule(names=names("files close keys values items get")))
