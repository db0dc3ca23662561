"""Arrays of objects: library/_objects.py, which no loop of NumPy over objects is reached by. Here functions of NumPy
are led to library/_objects_led.py when they are given one, and asked for one make it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.script.executing.calls import invoke
from engine.script.frames import ScriptFunction, current
from engine.script.limits.nested import SEQUENCES, check_nested
from engine.script.limits.numpy_sizes import OfObjects, check_elements, elements, plain
from engine.script.modules import MODULES, module
from engine.script.surface import ScriptModule
from engine.script.values import named
from engine.script.values.attributes import is_script_class
from engine.script.values.texts import text_str
from engine.tensor import Tensor

MODULE, LED = "_objects", "_objects_led"
FILLED = {"zeros": 0, "ones": 1, "empty": None}
ARRAYS = ("array", "asarray", "asanyarray")


def _read(name: str) -> Any:
    found = module(MODULE)
    kind = found.read("ndarray")
    if kind.__module__ != "numpy":  # as it is printed; an array of numbers leaves the operators to it
        kind.__module__ = "numpy"
        kind.__array_ufunc__ = None
    return found.read(name)


def is_objects(value: Any) -> bool:
    """Whether `value` is an array of objects of the run that executes now."""
    return MODULE in current.machine.modules and isinstance(value, _read("ndarray"))


def asks_for_objects(dtype: Any) -> bool:
    """Whether a data type is that of objects."""
    if isinstance(dtype, np.dtype):
        return dtype.hasobject
    if dtype is object or (type(dtype) is str and dtype in ("O", "object", "|O")):
        return True
    return MODULE in current.machine.modules and dtype is kind()


def kind() -> Any:
    """The data type of objects."""
    return _read("KIND")


def _given(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether an array of objects is among the arguments, or in a list among them."""
    array = _read("ndarray")
    for value in (*args, *kwargs.values()):
        if isinstance(value, array):
            return True
        if type(value) in (list, tuple) and any(type(each) is array for each in value):
            return True
    return False


def stated(value: Any) -> Any:
    """`value`, or the array that it says it is to NumPy, as a column of objects does."""
    return told(value) if MODULE in current.machine.modules else value


def told(value: Any) -> Any:
    """As `stated`, where no array of objects may have been made so far: the first may be what `value` says it is."""
    if not is_script_class(type(value)) or not hasattr(type(value), "__array__") or is_objects(value):
        return value
    objects = getattr(type(value), "_as_objects", None)
    found = invoke(value.__array__, ()) if not isinstance(objects, ScriptFunction) else invoke(objects, (value,))
    return found if isinstance(found, np.ndarray) or is_objects(found) else value


def asked(value: Any, name: str = "") -> Any:
    """As `stated`, and of any other class of the script the array that it says it is: NumPy would ask once more, and
    what is measured has to be what is calculated with. Not where it has a method `name`, to which NumPy leaves it."""
    kind = type(value)
    if not is_script_class(kind) or not hasattr(kind, "__array__") or isinstance(value, (np.ndarray, Tensor)):
        return value
    if name and type(getattr(kind, name, None)) is ScriptFunction:
        return value
    value = stated(value)
    return value if is_objects(value) or hasattr(type(value), "__array_ufunc__") else np.asarray(value)


def lifted(args: tuple[Any, ...], kwargs: dict[str, Any], name: str = "") -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The same arguments: lists of which NumPy would make arrays of objects are such arrays already, and where the
    function `name` is measured what says that it is an array is that array."""

    def lift(value: Any) -> Any:
        check_nested(value)
        value = asked(value, name) if name else stated(value)
        try:
            return plain(value)
        except OfObjects:
            if isinstance(value, SEQUENCES):
                return made(value)
            raise

    if kwargs:
        kwargs = {key: value if key == "dtype" else lift(value) for key, value in kwargs.items()}
    return tuple([lift(value) for value in args]), kwargs


def led(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What np.`name` gives for arrays of objects; NotImplemented where there are none."""
    if MODULE not in current.machine.modules or not _given(args, kwargs):
        return NotImplemented
    for value in args:
        check_nested(value)
    return invoke(module(LED).read("applied"), (name, function, args, kwargs))


def made(data: Any) -> Any:
    """np.array(data, dtype=object)."""
    check_nested(data)
    check_elements(np.size(data) if isinstance(data, np.ndarray) else 1, "np.array")
    return invoke(_read("make"), (data,))


def created(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """np.zeros(..., dtype=object) and its like; NotImplemented for other functions and data types."""
    place = 2 if name in ("full", "full_like") else 1
    dtype = args[place] if len(args) > place else kwargs.get("dtype")
    like = name.endswith("_like")
    if name == "full" and dtype is None and (args[1] if len(args) > 1 else kwargs.get("fill_value", 0)) is None:
        dtype = object
    if not asks_for_objects(dtype) and not (like and dtype is None and args and is_objects(args[0])):
        return NotImplemented
    first: Any = args[0] if args else kwargs.get("shape")
    if like:
        first = np.shape(first) if not is_objects(first) else first.shape
        name = name.removesuffix("_like")
    if name == "full":
        value = args[1] if len(args) > 1 else kwargs.get("fill_value")
    elif name in FILLED:
        value = FILLED[name]
    else:
        return NotImplemented
    check_elements(2 * elements(first), f"np.{name}")
    return invoke(_read("filled"), (first, value))


def _text_of_places(places: Any, shown: Any, whole: bool) -> str:
    """An array of places printed as NumPy prints objects; `shown` tells what stands at one."""

    def tell(place: Any) -> str:
        return text_str(invoke(shown, (int(place),)))

    if not whole:
        return np.array2string(places, formatter={"int_kind": tell}, separator=" ")
    inner = np.array2string(places, formatter={"int_kind": tell}, separator=", ", prefix="array(", suffix=")")
    last = inner.rpartition("\n")[2]
    indent = 6 if "\n" not in inner else 0
    between = "\n      " if len(last) + indent + len("dtype=object)") + 2 > np.get_printoptions()["linewidth"] else " "
    return f"array({inner},{between}dtype=object)"


MODULES["_named"] = lambda: ScriptModule("_named", {"in_notebook": named.in_notebook})
MODULES["_places"] = lambda: ScriptModule("_places", {"text_of_places": _text_of_places})
