"""Functions and methods as Python shows them, which a script prints for want of parentheses: `print(loss.item)`. What
PyTorch, NumPy and Python write in C tells the kind and the address of what it belongs to, a function in Python its own
address. A name is the one under which the script finds it."""

from __future__ import annotations

import builtins
import inspect
import re
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from engine import Size
from engine.chains import OrderedDict, defaultdict, deque
from engine.messages import IN_PYTHON, called
from engine.nn import functional
from engine.random import Generator
from engine.script.frames import ScriptFunction, current
from engine.script.modules import MODULES
from engine.script.surface import ScriptModule
from engine.script.values import attributes
from engine.script.values.containers import ScriptFrozenSet, ScriptSet
from engine.script.values.in_c import is_in_c
from engine.tensor import Tensor

ADDRESS = re.compile(r"\bat 0x[0-9A-Fa-f]+")
KINDS: dict[type, str] = {
    ScriptSet: "set",
    ScriptFrozenSet: "frozenset",
    Generator: "torch._C.Generator",
    Size: "torch.Size",
    re.Pattern: "re.Pattern",
    **{kind: f"collections.{kind.__name__}" for kind in (deque, defaultdict, OrderedDict)},
}
OF_PYTHON = (str, bytes, list, tuple, dict, set, frozenset, int, float, complex, np.ndarray)
ALONE = (
    " avg_pool2d avg_pool3d elu_ gelu hardtanh_ leaky_relu_ linear logsigmoid one_hot scaled_dot_product_attention"
    " softplus softshrink get_default_dtype get_num_interop_threads get_num_threads is_anomaly_enabled"
    " is_autocast_enabled is_grad_enabled is_inference_mode_enabled set_flush_denormal set_num_interop_threads"
    " set_num_threads "
)
"""Functions of PyTorch's in C that belong to no class."""
IN_ONE_PIECE = ("torch.linalg", "torch.fft", "torch.special")
"""Modules of PyTorch's whose functions in C are called linalg_norm."""
HOMES = {
    "torch": "torch",
    "torch.nn.functional": "torch._C._nn",
    **{place: place.replace("torch.", "torch._C._") for place in IN_ONE_PIECE},
}
"""Where PyTorch keeps its functions in C."""
FLAGS = ("IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "UNICODE", "VERBOSE")
TABLES = ("DataFrame", "Series")
NDFRAME = (
    " abs add_prefix add_suffix align asfreq asof astype at_time between_time bfill clip convert_dtypes copy droplevel"
    " equals ewm expanding ffill fillna filter first_valid_index get head infer_objects interpolate last_valid_index"
    " mask pct_change pipe rank reindex_like replace resample rolling sample set_flags squeeze tail take to_csv"
    " to_excel to_json to_latex to_pickle to_sql truncate tz_convert tz_localize where xs "
)
INDEXED = " argmax argmin factorize item nunique to_numpy tolist transpose value_counts "
"""What pandas defines for tables and columns in one class, and for columns and indexes in another."""


def function_text(value: Any) -> str:
    """repr of a function of the host's."""
    address = f"at {current.machine.address(value)}"
    owner = getattr(value, "__self__", None)
    if isinstance(value, BuiltinFunctionType):
        if owner is None or isinstance(owner, ModuleType):
            return f"<built-in function {value.__name__}>"
        return _of(value.__name__, owner)
    place, name = _place(value)
    found = _found(place, name)
    if found is not None:
        return ADDRESS.sub(address, repr(found))
    if place in IN_ONE_PIECE:
        return f"<built-in function {place.rpartition('.')[2]}_{name}>"
    if place in ("torch", "torch.nn.functional") and is_in_c(value):
        alone = f" {name} " in ALONE
        return f"<built-in function {name}>" if alone else f"<built-in method {name} of type object {address}>"
    if place == "":  # read from its class
        if (method := _key(value, Tensor)) is not None:
            in_c = f" {method} " not in IN_PYTHON
            return (
                f"<method '{method}' of 'torch._C.TensorBase' objects>"
                if in_c
                else f"<function Tensor.{method} {address}>"
            )
        name = value.__qualname__ if "<locals>" not in value.__qualname__ else name
    return f"<function {name} {address}>"


def _key(function: Any, kind: type) -> str | None:
    """The name of `function` in a class."""
    if any(vars(each).get(function.__name__) is function for each in kind.__mro__):
        return str(function.__name__)
    names = [key for each in kind.__mro__ for key, item in vars(each).items() if item is function]
    return next((name for name in names if not name.startswith("_")), names[0] if names else None)


def _place(function: Any) -> tuple[str, str]:
    """The module in which the script finds `function`, and its name there."""
    from engine.script.values.builtin import BUILTINS

    name = function.__name__
    if getattr(functional, name, None) is function:
        return "torch.nn.functional", name
    held: list[tuple[str, Any]] = [("builtins", BUILTINS)]
    for place, module in current.machine.modules.items():
        if isinstance(module, ScriptModule):
            held.append((place, module._members))
    for place, members in held:
        if members.get(name) is function:
            return place, name
    for place, members in held:
        for key, value in members.items():
            if value is function:
                return place, key
    return "", name


def _found(place: str, name: str) -> Any:
    """What Python and NumPy themselves have there."""
    top = place.partition(".")[0]
    if (place not in MODULES and place != "builtins") or not (top == "numpy" or top in sys.stdlib_module_names):
        return None
    found = getattr(builtins if place == "builtins" else sys.modules.get(place), name, None)
    return found if callable(found) else None


def method_text(method: MethodType) -> str | None:
    """repr of a method that is written in C; None of others."""
    owner = method.__self__
    if isinstance(method.__func__, ScriptFunction) or isinstance(owner, type) or not is_in_c(method):
        return None
    if isinstance(owner, Tensor) or type(owner) in KINDS or not type(owner).__flags__ & 1 << 9:
        return _of(script_name(method), owner)
    return None


def of_pandas(method: MethodType) -> str | None:
    """A method of a table or column by the class that has it in pandas; None of other methods."""
    function, kind = method.__func__, type(method.__self__)
    pandas = next((each for each in kind.__mro__ if each.__name__ in TABLES and _is_of_pandas(each)), None)
    name = None if pandas is None else _key(function, pandas)
    if pandas is None or name is None:
        return None
    owner = pandas.__name__
    if f" {name} " in NDFRAME:
        owner = "NDFrame"
    elif f" {name} " in INDEXED and owner == "Series":
        owner = "IndexOpsMixin"
    return f"{owner}.{name}"


def _is_of_pandas(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "pandas"


def _of(name: str, owner: Any) -> str:
    kind = KINDS.get(type(owner)) or called(owner)
    return f"<built-in method {name} of {kind} object at {current.machine.address(owner)}>"


def script_name(method: MethodType) -> str:
    """The name under which a script reads a method of the host's."""
    from engine.script.values.spoken import METHODS

    rule = attributes.rule_of(type(method.__self__))
    for held in (rule.wrapped if rule is not None else {}, METHODS):
        for name, function in held.items():
            if function is method.__func__:
                return name
    return _key(method.__func__, type(method.__self__)) or method.__name__


def in_notebook(value: Any) -> str | None:
    """A function of the host's as IPython shows it, by what it takes; None of what IPython shows as its repr."""
    if isinstance(value, MethodType):
        if method_text(value) is None:
            return None
        kind, name = type(value.__self__), script_name(value)
        empty: dict[type, Any] = {ScriptSet: set(), ScriptFrozenSet: frozenset()}
        own = empty.get(kind, value.__self__)
        found = getattr(own, name, None) if isinstance(own, OF_PYTHON) and kind is not Size else None
        return f"<function {type(own).__name__}.{name}{_taken(found)}>"
    if isinstance(value, re.Pattern):
        return _pattern(value)
    found = value
    if isinstance(value, FunctionType):
        place, name = _place(value)
        found, text = _found(place, name), function_text(value)
        if found is None and text.startswith("<built-in"):
            home = "torch._VariableFunctionsClass" if " method " in text else HOMES[place]
            return f"<function {home}.{text.split()[2].strip('>')}>"
    if not isinstance(found, (FunctionType, BuiltinFunctionType)):
        return None
    home = f"{found.__module__}." if found.__module__ not in (None, "builtins") else ""
    return f"<function {home}{found.__qualname__}{_taken(found)}>"


def _pattern(value: re.Pattern[Any]) -> str:
    literal = repr(value.pattern).replace("\\\\", "\\")
    flags = "|".join(f"re.{name}" for name in FLAGS if value.flags & getattr(re, name))
    return (
        f"re.compile({'rb' + literal[1:] if literal[0] == 'b' else 'r' + literal}{', ' if value.flags else ''}{flags})"
    )


def _taken(function: Any) -> str:
    try:
        return str(inspect.signature(function))
    except (TypeError, ValueError):
        return ""
