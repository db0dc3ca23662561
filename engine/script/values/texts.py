"""repr and str of values: containers are walked here, with the length counted, so that a list that holds itself many
times over cannot fill the memory; nothing shows an address of the host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import EnumType, Flag
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, MethodWrapperType, WrapperDescriptorType
from typing import Any

from engine.autograd.graph import AccumulateGrad, Node
from engine.chains import OrderedDict, defaultdict, deque
from engine.nn.module import Module
from engine.script.frames import ScriptFunction, current
from engine.script.limits import exceeded
from engine.script.limits.nested import FLAT, ITEMS, KEYS, VALUES, check_compared, check_nested
from engine.script.values.containers import ScriptSet
from engine.script.values.hidden import without_addresses

TORCH_MODULES = {
    **dict.fromkeys(("Tensor", "Size", "dtype", "device", "layout", "memory_format", "finfo", "iinfo"), "torch"),
    "Parameter": "torch.nn.parameter",
    "Generator": "torch._C",
    "DataLoader": "torch.utils.data.dataloader",
    **dict.fromkeys(
        ("Dataset", "TensorDataset", "Subset", "ConcatDataset", "IterableDataset"), "torch.utils.data.dataset"
    ),
    **dict.fromkeys(
        ("Sampler", "RandomSampler", "SequentialSampler", "BatchSampler", "SubsetRandomSampler",
         "WeightedRandomSampler"), "torch.utils.data.sampler"
    ),
    **dict.fromkeys(("no_grad", "enable_grad", "set_grad_enabled", "inference_mode"), "torch.autograd.grad_mode"),
}  # fmt: skip
"""Where PyTorch keeps its classes, where that is another place than the engine's."""
ATOMS = frozenset({int, float, bool, str, bytes, complex, type(None), range})
REPEATED: dict[type, str] = {list: "[...]", tuple: "(...)", dict: "{...}"}
_busy: set[int] = set()


def slot(kind: type, name: str) -> Any:
    """What a class has under the name of a special method."""
    return getattr(kind, name)


def text_str(value: Any) -> str:
    """str(value) as a script sees it."""
    kind = type(value)
    if kind is str:
        return value
    if isinstance(value, BaseException):
        return error_text(value)
    if kind in ATOMS:
        return str(value)
    if not _walked(value) and slot(kind, "__str__") is not object.__str__:
        return str(value) if _is_own(value, "__str__") else _of_host(value, str)
    return text_repr(value)


def error_text(error: BaseException) -> str:
    """str(error): what the script gave it is shown by our rules."""
    kind, args = type(error), error.args
    if isinstance(slot(kind, "__str__"), ScriptFunction) or all(type(arg) in FLAT for arg in args):
        return str(error)
    if isinstance(error, BaseExceptionGroup):  # whose text is made of its message and a number
        return str(error)
    if len(args) != 1:
        return text_repr(args)
    return text_repr(args[0]) if issubclass(kind, KeyError) else text_str(args[0])


def text_ascii(value: Any) -> str:
    return text_repr(value).encode("ascii", "backslashreplace").decode("ascii")


def _is_own(value: Any, name: str) -> bool:
    """Whether what a value says of itself is the script's text, and nothing of the host's."""
    return isinstance(value, WRITTEN) or isinstance(slot(type(value), name), ScriptFunction)


def text_repr(value: Any) -> str:
    """repr(value) as a script sees it."""
    if type(value) in ATOMS:
        return repr(value)
    parts: list[str] = []
    _write(value, parts, [current.machine.limits.string_chars])
    return "".join(parts)


def _of_host(value: Any, tell: Callable[[Any], str]) -> str:
    """What a value of the host tells of itself, and with it of what it holds (an optimizer its settings), after a look
    at what is nested there."""
    if hasattr(value, "__dict__"):
        for each in Module.modules(value) if isinstance(value, Module) else (value,):
            check_compared(list(vars(each).values()))
    return without_addresses(tell(value))


WRITTEN = (str, bytes, bytearray, BaseException, ScriptSet)


def _walked(value: Any) -> bool:
    kind = type(value)
    return kind in WALKED or isinstance(value, type)


WALKED = (
    list,
    tuple,
    dict,
    OrderedDict,
    defaultdict,
    Counter,
    deque,
    slice,
    *KEYS,
    *VALUES,
    *ITEMS,
    FunctionType,
    BuiltinFunctionType,
    MethodType,
    GeneratorType,
)


def _write(value: Any, parts: list[str], left: list[int]) -> None:
    kind = type(value)
    if kind is list or kind is tuple or kind is dict or kind is OrderedDict:
        _write_container(value, kind, parts, left)
        return
    if isinstance(value, (tuple, BaseException)) or kind in INSIDE:
        shown = _inside(value, kind)
        if shown is not None:
            _write_inside(value, shown, parts, left)
            return
    if kind is FunctionType or kind is BuiltinFunctionType:
        text = _named().function_text(value)
    elif kind is MethodType:
        in_c = _named().method_text(value)
        text = in_c or f"<bound method {_where_defined(value)} of {text_repr(value.__self__)}>"
    elif kind is MethodWrapperType or kind is WrapperDescriptorType:
        text = f"<method {value.__name__}>"
    elif kind is GeneratorType:
        text = f"<generator object {value.__name__} at {current.machine.address(value)}>"
    elif isinstance(value, type):
        text = repr(value) if isinstance(slot(type(value), "__repr__"), ScriptFunction) else class_text(value)
    elif kind is defaultdict:
        _put("defaultdict(", parts, left)
        _write(value.default_factory, parts, left)
        _put(", ", parts, left)
        _write_container(value, dict, parts, left)
        text = ")"
    elif kind is Counter and value:
        check_nested(value)  # it is sorted by its counts
        _put("Counter(", parts, left)
        _write_container(_most_common_first(value), dict, parts, left)
        text = ")"
    elif slot(kind, "__repr__") is object.__repr__:
        text = f"<{class_text(kind)[8:-2]} object at {current.machine.address(value)}>"
    elif isinstance(value, Node):  # whose number is the process's
        same = value.variable if isinstance(value, AccumulateGrad) else value
        text = value.written(current.machine.address(same))
    else:
        text = repr(value) if _is_own(value, "__repr__") else _of_host(value, repr)
    _put(text, parts, left)


def _most_common_first(counter: Counter[Any]) -> dict[Any, Any]:
    try:
        return dict(counter.most_common())
    except TypeError:  # counts that cannot be compared
        return dict(counter)


INSIDE = frozenset({deque, slice, *KEYS, *VALUES, *ITEMS})


Inside = tuple[str, list[Any], tuple[str, ...], str]


def _inside(value: Any, kind: type) -> Inside | None:
    """(how the text begins, the items inside, their names, how it ends) of a value that is shown as `name(items)`;
    None when it shows itself in another way."""
    if kind is deque:
        return "deque([", list(value), (), f"], maxlen={value.maxlen})" if value.maxlen is not None else "])"
    if kind is slice:
        return "slice(", [value.start, value.stop, value.step], (), ")"
    if kind in INSIDE:
        return f"{kind.__name__}([", list(value), (), "])"
    own = isinstance(slot(kind, "__repr__"), ScriptFunction)
    if isinstance(value, BaseException):
        flat = own or all(type(arg) in FLAT for arg in value.args)
        return None if flat else (f"{kind.__name__}(", list(value.args), (), ")")
    if own or not hasattr(kind, "_fields") or kind.__module__ != "__main__":
        return None
    return f"{kind.__name__}(", list(value), tuple(f"{name}=" for name in kind._fields), ")"


def _write_inside(value: Any, shown: Inside, parts: list[str], left: list[int]) -> None:
    opening, items, labels, closing = shown
    if id(value) in _busy:
        _put("...", parts, left)
        return
    _busy.add(id(value))
    try:
        current.machine.count(len(items))
        _put(opening, parts, left)
        for index, item in enumerate(items):
            _put((", " if index else "") + (labels[index] if labels else ""), parts, left)
            _write(item, parts, left)
        _put(closing, parts, left)
    finally:
        _busy.discard(id(value))


def _named() -> Any:
    from engine.script.values import named

    return named


def _where_defined(method: Any) -> str:
    """A bound method's name with that of the class that defines it, as Python shows it: Module.parameters."""
    function, name = method.__func__, _named().script_name(method)
    if isinstance(function, ScriptFunction):
        return _named().of_pandas(method) or function.shown_name
    kind = method.__self__ if isinstance(method.__self__, type) else type(method.__self__)
    hosts = [each for each in kind.__mro__ if "__script__" not in vars(each)]
    named = ((each, key) for each in hosts for key, item in vars(each).items() if item is function)
    owner, name = next(named, None) or (next((each for each in hosts if name in vars(each)), kind), name)
    if owner.__name__.startswith("_") and owner.__name__ not in PYTORCHS_OWN:
        owner = next((each for each in hosts if not each.__name__.startswith("_")), owner)
    return f"{owner.__name__}.{name}"


PYTORCHS_OWN = frozenset({"_BatchNorm", "_InstanceNorm", "_NormBase", "_ConvNd", "_ConvTransposeNd", "_Loss"})
"""Classes with an underscore that PyTorch has, too; what others of the engine's define PyTorch's classes do."""
BARE = ("engine.script", "engine.ops", "engine.autograd.graph")
"""Where classes are that PyTorch and Python name without a module."""


def class_text(value: type) -> str:
    """repr of a class: engine classes are shown with PyTorch's module names."""
    if isinstance(value, EnumType) and len(value):
        return f"<{'flag' if issubclass(value, Flag) else 'enum'} '{value.__qualname__}'>"
    module = module_of(value)
    return f"<class '{value.__qualname__}'>" if module == "builtins" else f"<class '{module}.{value.__qualname__}'>"


def module_of(kind: type) -> str:
    """Where PyTorch or Python has a class; "builtins" for what they name without a module."""
    module = getattr(kind, "__module__", "builtins")
    if not isinstance(module, str) or module.startswith(BARE):
        return "builtins"
    if module == "engine" or module.startswith("engine."):
        return TORCH_MODULES.get(kind.__name__, module.replace("engine", "torch", 1))
    return module


def _put(text: str, parts: list[str], left: list[int]) -> None:
    left[0] -= len(text)
    if left[0] < 0:
        exceeded("string_chars", current.machine.limits.string_chars, "a longer text")
    parts.append(text)


def _write_container(value: Any, kind: type, parts: list[str], left: list[int]) -> None:
    """A list, tuple, dict or OrderedDict."""
    key = id(value)
    if key in _busy:
        _put(REPEATED.get(kind, "..."), parts, left)
        return
    _busy.add(key)
    try:
        current.machine.count(len(value))
        if kind is list or kind is tuple:
            _put("[" if kind is list else "(", parts, left)
            for index, item in enumerate(value):
                if index:
                    _put(", ", parts, left)
                _write(item, parts, left)
            if kind is tuple and len(value) == 1:
                _put(",", parts, left)
            _put("]" if kind is list else ")", parts, left)
            return
        _put("{" if kind is dict else "OrderedDict({" if value else "OrderedDict(", parts, left)
        if kind is OrderedDict and value:
            parts[-1] = "OrderedDict(["
            for index, (name, item) in enumerate(value.items()):
                if index:
                    _put(", ", parts, left)
                _write((name, item), parts, left)
            _put("])", parts, left)
            return
        for index, (name, item) in enumerate(value.items()):
            if index:
                _put(", ", parts, left)
            _write(name, parts, left)
            _put(": ", parts, left)
            _write(item, parts, left)
        _put("}" if kind is dict else ")", parts, left)
    finally:
        _busy.discard(key)
