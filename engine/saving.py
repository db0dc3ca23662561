"""torch.save() and torch.load() of a program that imports the engine. (Scripts of a run have no files: theirs are kept
with the run, engine/script/surface/saved.py.)

Files are pickles of Python's, in which a tensor is its array; PyTorch's own files are of another format.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from operator import attrgetter
from typing import IO, Any

import numpy as np

from engine import library, messages
from engine.brief import Brief, brief, wide
from engine.tensor import Parameter, Tensor

_HARMLESS = {
    ("collections", "OrderedDict"),
    ("collections", "Counter"),
    ("collections", "defaultdict"),
    ("builtins", "set"),
    ("builtins", "frozenset"),
    ("builtins", "complex"),
    ("builtins", "slice"),
    ("builtins", "bytearray"),
    ("_codecs", "encode"),
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
}
_OF_DTYPES = (("engine.dtypes", "named"), ("engine.dtypes", "Size"), ("engine.dtypes", "device"))
"""Not all that the file holds: a name may have dots (`np.load`), and would be followed."""


def _tensor(array: np.ndarray, requires_grad: bool, parameter: bool, of_bfloat16: bool = False) -> Tensor:
    made = Tensor._wrap(brief(array) if of_bfloat16 else array)
    if parameter:
        return Parameter(made, requires_grad)
    return made.requires_grad_() if requires_grad else made


def _named(module: str, name: str, shown: str) -> Any:
    """The engine's class that stands there, which PyTorch calls `shown`."""
    return attrgetter(name)(import_module(module))


def _places() -> dict[int, tuple[str, str]]:
    """Where the engine's classes are: they say of themselves where PyTorch has them."""
    parts = [(name, module) for name, module in list(sys.modules.items()) if name.partition(".")[0] == "engine"]
    return {
        id(kind): (place, name)
        for place, module in parts
        for name, kind in list(vars(module).items())
        if isinstance(kind, type) and kind.__module__.partition(".")[0] == "torch"
    }


class _Pickler(pickle.Pickler):
    def __init__(self, file: IO[bytes], protocol: int) -> None:
        super().__init__(file, protocol)
        self.places = _places()

    def reducer_override(self, obj: Any) -> Any:
        if type(obj) in (Tensor, Parameter):
            told = np.array(wide(obj._array)), obj.requires_grad, type(obj) is Parameter
            return _tensor, (*told, True) if obj._array.__class__ is Brief else told
        if isinstance(obj, type) and id(obj) in self.places:
            return _named, (*self.places[id(obj)], f"{obj.__module__}.{obj.__qualname__}")
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: IO[bytes], weights_only: bool) -> None:
        super().__init__(file)
        self.weights_only = weights_only

    def find_class(self, module: str, name: str) -> Any:
        if not self.weights_only or (module, name) in _HARMLESS or (module, name) in _allowed():
            return super().find_class(module, name)
        if (module, name) in ((__name__, "_tensor"), *_OF_DTYPES):
            return super().find_class(module, name)
        if name in ("_reconstruct", "scalar", "_frombuffer") and module.startswith(("numpy.core.", "numpy._core.")):
            return super().find_class(module, name)
        return _refused if (module, name) == (__name__, "_named") else _refused(module, name, f"{module}.{name}")


def _allowed() -> set[tuple[str, str]]:
    """What torch.serialization was told to allow, if anybody has asked for it."""
    told = library.executed("torch.serialization")
    given = () if told is None else told.get_safe_globals()
    return {(each.__module__, each.__qualname__) for each in given}


def _refused(module: str, name: str, shown: str) -> Callable[..., Any]:
    raise pickle.UnpicklingError(messages.weights_only(shown))


def _opened(f: Any, mode: str) -> Any:
    from pathlib import Path  # which an import of the engine does not need

    return Path(f).open(mode) if isinstance(f, (str, os.PathLike)) else nullcontext(f)


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, **kwargs: Any) -> None:
    """Write `obj` to `f`: a path, or a file that is open for bytes. Nothing of a file is left when `obj` cannot be
    pickled. Raises PicklingError, AttributeError or TypeError as pickle does."""
    held = io.BytesIO()
    _Pickler(held, max(pickle_protocol, 4)).dump(obj)
    with _opened(f, "wb") as file:
        file.write(held.getvalue())


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None, **kwargs: Any
) -> Any:
    """What save() wrote. With `weights_only` (None counts as true) only tensors and plain values are made: then nothing
    of a file can call anything. Raises UnpicklingError for what else is in it, and for files of PyTorch's own."""
    with _opened(f, "rb") as file:
        return _Unpickler(file, weights_only is not False).load()
