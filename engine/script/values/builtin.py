"""The builtins of scripts. Each takes what Python's takes and answers as Python does; what would run away is measured
first, and what leads out of the script is not there."""

from __future__ import annotations

import builtins
from typing import Any, NoReturn

import numpy as np

from engine.script.classes.annotations import Annotation
from engine.script.classes.kinds import told_to_be
from engine.script.classes.making import BASES, Hidden, ScriptObject, Super, Unbound, make_class, script_type
from engine.script.classes.standing import meant, stand_in
from engine.script.executing.calls import consume, invoke
from engine.script.frames import Frame, current
from engine.script.limits import nested
from engine.script.limits.lazy import held, make_enumerate, make_slice, make_zip
from engine.script.limits.lengthy import is_long
from engine.script.modules import module
from engine.script.surface import names
from engine.script.surface.objects import is_objects
from engine.script.surface.python import fill, pairs
from engine.script.values import attributes, hashed, listed, operators, strings, texts
from engine.script.values.containers import LongRange, ScriptFrozenSet, ScriptSet, script_range
from engine.script.values.in_c import as_in_c
from engine.script.values.plain import whole
from engine.tensor import Tensor

MISSING = object()
PROTOCOLS = names("__iter__ __next__ __len__ __getitem__ __contains__ __call__ __enter__ __exit__")


def script_print(*values: Any, sep: Any = " ", end: Any = "\n", file: Any = None, flush: bool = False) -> None:
    """print(...): into the run's output."""
    for name, value in (("sep", sep), ("end", end)):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} must be None or a string, not {type(value).__name__}")
    parts = [texts.text_str(value) for value in values]
    separator = " " if sep is None else sep
    operators.check_length(sum(map(len, parts)) + len(separator) * len(parts), str)
    text = separator.join(parts) + ("\n" if end is None else end)
    target = printed_to() if file is None else file
    if target is None:
        current.machine.write(text)
    else:
        invoke(attributes.get(target, "write"), (text,))


def printed_to() -> Any:
    """What the script has put into the place of sys.stdout; None when nothing."""
    system = current.machine.modules.get("sys")
    target = None if system is None else system.read("stdout")
    return None if getattr(target, "error", None) is False else target


def script_sum(items: Any, /, start: Any = 0) -> Any:
    if isinstance(start, (str, bytes)):
        raise TypeError(
            "sum() can't sum strings [use ''.join(seq) instead]"
            if isinstance(start, str)
            else "sum() can't sum bytes [use b''.join(seq) instead]"
        )
    total = start
    values = consume(items)
    plain = type(start) in (int, float) and all(type(value) in (int, float, bool) for value in values)
    if plain and (len(values) < 1000 or not any(map(is_long, values))):
        return sum(values, start)
    for value in values:
        current.machine.count(1)
        try:
            total = operators.add(total, value)
        except TypeError as error:
            as_in_c(error, total, value)
            raise
    return total


def _extreme(function: Any) -> Any:
    def extreme(*args: Any, key: Any = None, default: Any = MISSING) -> Any:
        values = consume(args[0]) if len(args) == 1 else args
        options: dict[str, Any] = {} if default is MISSING else {"default": default}
        if not args:
            return function()
        options["key"] = operators.sort_key(values, key)
        return function(values, **options) if len(args) == 1 else function(*args, **options)

    extreme.__name__ = function.__name__
    return extreme


def script_sorted(items: Any, /, *, key: Any = None, reverse: bool = False) -> list[Any]:
    values = consume(items)
    current.machine.count(len(values))
    return sorted(values, key=operators.sort_key(values, key), reverse=reverse)


def script_any(items: Any, /) -> bool:
    for count, value in enumerate(items):
        if value:
            return True
        if not count & 15:
            current.machine.count(1)
    return False


def script_all(items: Any, /) -> bool:
    for count, value in enumerate(items):
        if not value:
            return False
        if not count & 15:
            current.machine.count(1)
    return True


def script_map(function: Any, *iterables: Any) -> Any:
    from engine.script.executing.iterators import Mapped

    return Mapped(function, [iter(each) for each in iterables])


def script_filter(function: Any, iterable: Any) -> Any:
    from engine.script.executing.iterators import Filtered

    return Filtered(function, iter(iterable))


def script_isinstance(value: Any, kinds: Any, /) -> bool:
    if isinstance(kinds, Hidden):
        return kinds == script_type(value)
    if type(kinds) is tuple and any(isinstance(each, Hidden) and each == script_type(value) for each in kinds):
        return True
    wanted = _kinds(kinds, "isinstance", "must be a type, a tuple of types, or a union")
    if ScriptSet in wanted and isinstance(value, ScriptFrozenSet):  # which is over it for us alone
        wanted = tuple([each for each in wanted if each is not ScriptSet])
    if isinstance(value, wanted) or _follows(value, wanted) or _is_of_objects(value, wanted):
        return True
    if hasattr(type(value), "_is_tensor") and Tensor in wanted:  # one of torch.sparse
        return True
    return any(type(kind) is not type for kind in wanted) and told_to_be(value, wanted)


def script_issubclass(kind: Any, kinds: Any, /) -> bool:
    if not isinstance(kind, type):
        raise TypeError("issubclass() arg 1 must be a class")
    kind = meant(kind)
    wanted = _kinds(kinds, "issubclass", "must be a class, a tuple of classes, or a union")
    if ScriptSet in wanted and issubclass(kind, ScriptFrozenSet):
        wanted = tuple([each for each in wanted if each is not ScriptSet])
    return issubclass(kind, wanted) or _follows(kind, wanted)


def _follows(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether `value` has what one of the typing.Protocols among `kinds` names."""
    found = [each for each in kinds if "__protocol__" in each.__dict__]
    if not found:
        return False
    from engine.script.classes.kinds import follows

    return any(follows(value, each) for each in found)


def _is_of_objects(value: Any, kinds: tuple[type, ...]) -> bool:
    """Whether `value` is an array of objects, where np.ndarray is among `kinds`."""
    return np.ndarray in kinds and is_objects(value)


def _kinds(kinds: Any, by: str, wanted: str) -> tuple[type, ...]:
    """The classes that isinstance() or issubclass(), `by`, is asked for."""
    result: list[type] = []
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(kind, tuple):
            result += _kinds(kind, by, wanted)
        elif kind is range:
            result += [range, LongRange]
        elif isinstance(kind, type):
            result.append(meant(kind))
        elif isinstance(kind, Hidden):
            continue
        elif isinstance(kind, Annotation):
            result += _kinds(kind.asked(by), by, wanted)
        elif not isinstance(kind, dict) and hasattr(kind, "__args__"):
            result += _kinds(tuple(kind.__args__), by, wanted)
        else:
            raise TypeError(f"{by}() arg 2 {wanted}")
    return tuple(result)


def script_getattr(value: Any, name: Any, /, *default: Any) -> Any:
    if not isinstance(name, str):
        raise TypeError("attribute name must be string, not '" + type(name).__name__ + "'")
    if not default:
        return attributes.get(value, name)
    try:
        return attributes.get(value, name)
    except AttributeError:
        return default[0]


def script_hasattr(value: Any, name: Any, /) -> bool:
    if not isinstance(name, str):
        raise TypeError("hasattr(): attribute name must be string")
    if name in PROTOCOLS:  # asked for to find out what a value can do: there is nothing to hand out
        kinds = (*type(value).__mro__, *(value.__mro__ if isinstance(value, type) else ()))
        return any(name in kind.__dict__ for kind in kinds)
    try:
        attributes.get(value, name)
    except AttributeError:
        return False
    return True


def script_setattr(value: Any, name: Any, item: Any, /) -> None:
    if not isinstance(name, str):
        raise TypeError("attribute name must be string, not '" + type(name).__name__ + "'")
    attributes.put(value, name, item)


def script_delattr(value: Any, name: Any, /) -> None:
    attributes.drop(value, name)


def script_vars(*values: Any) -> dict[str, Any]:
    if not values:
        return script_locals()
    try:
        return attributes.get(values[0], "__dict__")
    except AttributeError:
        raise TypeError("vars() argument must have __dict__ attribute") from None


def _here() -> Frame:
    """The innermost frame of the script's own: what a file of library/ is given to call tells nothing of that file."""
    stack = current.machine.stack
    return next((frame for frame in reversed(stack) if not frame.code.is_shipped), stack[0])


def script_locals() -> dict[str, Any]:
    here = _here()
    return next(frame for frame in current.machine.stack if frame.locals is here.locals).variables()


def script_globals() -> dict[str, Any]:
    return {"__name__": "__main__", **_here().globals}


def script_dir(*values: Any) -> list[str]:
    return listed.names_of(values[0]) if values else sorted(script_locals())


def script_repr(value: Any, /) -> str:
    return texts.text_repr(value)


def script_format(value: Any, spec: str = "", /) -> str:
    return strings.format_value(value, spec)


def script_id(value: Any, /) -> int:
    return int(current.machine.address(value), 16)


def script_hash(value: Any, /) -> int:
    nested.check_key(value)
    if type(value) in (str, bytes, tuple) and hashed.has_place(value):
        return hash(hashed.place(value))
    if isinstance(value, str) and not attributes.script_definition(type(value), "__hash__"):
        placed = hashed.place(value)
        if type(placed) is hashed.Place:
            return hash(placed)
        import zlib

        return zlib.crc32(value.encode()) * 2654435761 % (1 << 61)
    if texts.slot(type(value), "__hash__") is object.__hash__:
        return current.machine.number(value)
    return hash(value)


def script_pow(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return operators.power(base, exp)
    if attributes.script_definition(type(base), "__pow__"):
        return pow(base, exp, mod)
    base, exp, mod = whole(base), whole(exp), whole(mod)
    for value in (base, exp, mod):
        if isinstance(value, int):
            operators.check_bits(value.bit_length() * 30, "pow() with a modulus")
    return pow(base, exp, mod)


def script_iter(value: Any, *sentinel: Any) -> Any:
    if sentinel:
        from engine.script.executing.iterators import until

        return until(value, sentinel[0])
    return iter(value)


def script_open(file: Any, *args: Any, **kwargs: Any) -> Any:
    """open(): files of the run itself, never of the host."""
    return invoke(module("io").own("open"), (file, *args), kwargs)


def script_input(prompt: Any = "", /) -> str:
    script_print(prompt, end="")
    raise EOFError("EOF when reading a line")


def script_exit(code: Any = None) -> NoReturn:
    raise SystemExit(*(() if code is None else (code,)))


def make_type(*args: Any) -> Any:
    if len(args) == 3:
        name, bases, body = args
        if not isinstance(name, str) or not isinstance(bases, tuple) or not isinstance(body, dict):
            raise TypeError("type() takes a name, a tuple of bases and a dict")
        return make_class(name, name, list(bases), dict(body), {}, None)
    if len(args) != 1:
        raise TypeError("type() takes 1 or 3 arguments")
    return script_type(args[0])


def make_int(*args: Any, **kwargs: Any) -> int:
    if len(args) + len(kwargs) > 1 and isinstance(args[0] if args else None, (str, bytes, bytearray)):
        operators.check_bits(len(args[0]), "an int of so many digits")  # at least a bit each, and at most six
    return int(*args, **kwargs)


def make_str(*args: Any, **kwargs: Any) -> str:
    if len(args) == 1 and not kwargs:
        return texts.text_str(args[0])
    if args and isinstance(args[0], str):
        raise TypeError("decoding str is not supported")
    return str(*strings.with_encoding(args, kwargs), **kwargs)


def make_list(*args: Any) -> list[Any]:
    return list(consume(args[0])) if len(args) == 1 else list(*args)


def make_tuple(*args: Any) -> tuple[Any, ...]:
    return tuple(consume(args[0])) if len(args) == 1 else tuple(*args)


def make_dict(*args: Any, **kwargs: Any) -> dict[Any, Any]:
    if len(args) != 1:
        return dict(*args, **kwargs)
    items = pairs(args[0])
    return dict(items, **kwargs) if len(items) < 1000 else {**fill({}, items), **kwargs}


def make_super(*args: Any) -> Any:
    if len(args) == 1 and isinstance(args[0], type) and attributes.is_script_class(args[0]):
        return Unbound()
    if args and not isinstance(args[0], type):
        raise TypeError(f"super() argument 1 must be a type, not {type(args[0]).__name__}")
    if len(args) != 2 or not (isinstance(args[0], type) and attributes.is_script_class(args[0])):
        raise TypeError("super() takes a class of the script and an object here")
    return Super(*args)


def make_object(*args: Any) -> Any:
    if args:
        raise TypeError("object() takes no arguments")
    return ScriptObject()


EXCEPTIONS = tuple(
    getattr(builtins, name)
    for name in sorted(
        names("""
BaseException Exception BaseExceptionGroup ExceptionGroup StopAsyncIteration
ArithmeticError AssertionError AttributeError BufferError EOFError FileNotFoundError
FileExistsError FloatingPointError GeneratorExit ImportError IndentationError IndexError IOError
IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError
NotADirectoryError NotImplementedError OSError OverflowError PermissionError RecursionError ReferenceError
RuntimeError StopIteration SyntaxError SystemError
SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
ValueError ZeroDivisionError Warning UserWarning DeprecationWarning FutureWarning RuntimeWarning
PendingDeprecationWarning SyntaxWarning ResourceWarning ConnectionError
""")
    )
)

Type = stand_in(type, make_type)
# What calling a class means. A class that is neither here nor the script's own cannot be called.
SETS = (ScriptSet, ScriptFrozenSet)

CALLS: dict[Any, Any] = {
    int: make_int,
    float: float,
    bool: bool,
    complex: complex,
    str: make_str,
    list: make_list,
    tuple: make_tuple,
    dict: make_dict,
    ScriptSet: lambda items=(), /: ScriptSet(items if type(items) in SETS else consume(items)),
    ScriptFrozenSet: lambda items=(), /: ScriptFrozenSet(items if type(items) in SETS else consume(items)),
    range: script_range,
    LongRange: script_range,
    slice: make_slice,
    enumerate: make_enumerate,
    zip: make_zip,
    reversed: reversed,
    property: held(property),
    staticmethod: held(staticmethod),
    classmethod: held(classmethod),
    type: make_type,
    Type: make_type,
    object: make_object,
    ScriptObject: make_object,
    Super: make_super,
    **{kind: kind for kind in EXCEPTIONS},
}
BASES.update(EXCEPTIONS)

BUILTINS: dict[str, Any] = {
    "abs": abs,
    "all": script_all,
    "any": script_any,
    "ascii": texts.text_ascii,
    "bin": bin,
    "bool": bool,
    "bytes": bytes,
    "callable": callable,
    "chr": chr,
    "classmethod": classmethod,
    "complex": complex,
    "delattr": script_delattr,
    "dict": dict,
    "dir": script_dir,
    "divmod": operators.measured(divmod),
    "enumerate": enumerate,
    "filter": script_filter,
    "float": float,
    "format": script_format,
    "frozenset": ScriptFrozenSet,
    "getattr": script_getattr,
    "globals": script_globals,
    "hasattr": script_hasattr,
    "hash": script_hash,
    "hex": hex,
    "id": script_id,
    "input": script_input,
    "int": int,
    "isinstance": script_isinstance,
    "issubclass": script_issubclass,
    "iter": script_iter,
    "len": len,
    "list": list,
    "locals": script_locals,
    "map": script_map,
    "max": _extreme(max),
    "min": _extreme(min),
    "next": next,
    "object": object,
    "oct": oct,
    "open": script_open,
    "ord": ord,
    "pow": script_pow,
    "print": script_print,
    "property": property,
    "range": range,
    "repr": script_repr,
    "reversed": reversed,
    "round": operators.rounded,
    "set": ScriptSet,
    "setattr": script_setattr,
    "slice": slice,
    "sorted": script_sorted,
    "staticmethod": staticmethod,
    "str": str,
    "sum": script_sum,
    "super": Super,
    "tuple": tuple,
    "type": Type,
    "vars": script_vars,
    "exit": script_exit,
    "quit": script_exit,
    "zip": zip,
    "NotImplemented": NotImplemented,
    "Ellipsis": Ellipsis,
    "__name__": "__main__",
    "__debug__": True,
    "__doc__": None,
    "__file__": "script.py",
    **{kind.__name__: kind for kind in EXCEPTIONS},
    "IOError": OSError,
    "EnvironmentError": OSError,
}
for _name, _function in BUILTINS.items():
    if getattr(_function, "__module__", "").startswith("engine.script") and not isinstance(_function, type):
        _function.__name__ = _function.__qualname__ = _name
