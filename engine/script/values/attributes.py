"""The one door to attributes. Reading, setting and deleting go through `get`, `put` and `drop`: by the type of the
value, by the list in surface.py, by name; what is not listed does not exist. `loader` is `get` with a memory."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, EnumType
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, MethodType
from typing import Any
from weakref import ref

from engine.script.classes.standing import meant, shown
from engine.script.frames import Evaluate, Frame, ScriptFunction, Where, located
from engine.script.surface import CLASS_NAMES, DEFINABLE, EXTENDED, NAMES_SET, READY, RULES, Rule, ScriptModule
from engine.script.values.plain import text
from engine.tensor import Tensor

ERRORS_TELL = frozenset({"__bases__", "__base__", "__mro__", "mro"})
"""What Python's own classes of errors tell of themselves, as the script's classes do."""
KINDS_TELL = frozenset({"__class__", "__slots__", "__bases__", "__base__", "__mro__", "mro", "__subclasses__"})
DESCRIPTORS = frozenset({GetSetDescriptorType, MemberDescriptorType})


REMEMBERED: list[ref[set[type]]] = []
"""The memories of loaders that hold classes of scripts."""
UNLISTED: list[str] = []
"""Names that scripts read and no rule has."""


def forget_scripts() -> None:
    """Forget the classes and names of the scripts before: code of the libraries is compiled once for all runs, and
    would keep whatever a run has made."""
    for each in REMEMBERED:
        if (own := each()) is not None:
            own.clear()
    REMEMBERED.clear()
    for name in UNLISTED:
        if name in READY and not READY[name]:
            del READY[name]
    UNLISTED.clear()


def loader(value: Evaluate, name: str, where: Where) -> Evaluate:
    """The closure for `value.name`."""
    if name not in READY:
        UNLISTED.append(name)
    ready = READY[name]
    own: set[type] = set()  # classes of this script for which `get` would do no more than getattr

    def load(frame: Frame) -> Any:
        owner = value(frame)
        try:
            kind = type(owner)
            if kind in ready or kind in own:
                return getattr(owner, name)
            if is_script_class(kind) and _is_plain(kind, name):
                if not own:
                    REMEMBERED.append(ref(own))
                own.add(kind)
            return get(owner, name)
        except BaseException as error:
            located(error, where)
            raise

    return load


def storer(value: Evaluate, name: str, where: Where) -> Callable[[Frame, Any], None]:
    """The closure for `value.name = ...`."""

    def store(frame: Frame, result: Any) -> None:
        owner = value(frame)
        try:
            put(owner, name, result)
        except BaseException as error:
            located(error, where)
            raise

    return store


def deleter(value: Evaluate, name: str, where: Where) -> Callable[[Frame], None]:
    """The closure for `del value.name`."""

    def delete(frame: Frame) -> None:
        owner = value(frame)
        try:
            drop(owner, name)
        except BaseException as error:
            located(error, where)
            raise

    return delete


def is_dunder(name: str) -> bool:
    return name.startswith("__")


def rule_of(kind: type) -> Rule | None:
    """The rule for values of `kind`: that of the nearest listed class."""
    if type(kind) is EnumType:
        return RULES[Enum]  # not that of a str or int mixed in
    for each in kind.__mro__:
        rule = RULES.get(each)
        if rule is not None:
            return rule
    return None


def is_script_class(kind: type) -> bool:
    return "__script__" in kind.__dict__


def script_definition(kind: type, name: str) -> bool:
    """Whether a class of the script among the bases of `kind` defines `name`, before any host class does."""
    for each in kind.__mro__:
        if name in each.__dict__:
            return is_script_class(each)
    return False


def host_base(kind: type) -> type:
    """The first class in the order of bases that the script did not make."""
    return next(each for each in kind.__mro__ if not is_script_class(each))


def get(value: Any, name: str) -> Any:
    """value.name as a script may read it. Raises AttributeError for everything else."""
    if type(name) is not str:
        name = text(name)
    kind = type(value)
    if kind is ScriptModule:
        return value.read(name)
    if isinstance(value, type):
        return class_attribute(value, name)
    if name == "__class__":
        from engine.script.classes.making import script_type

        return script_type(value)
    rule = rule_of(kind)
    if rule is not None:
        if rule.getter is not None:
            return rule.getter(value, name)
        if name in rule.wrapped and not script_definition(kind, name):
            if name in rule.settable and name in vars(value):
                return vars(value)[name]  # what the script has put in the method's place
            return MethodType(rule.wrapped[name], value)
        if name in rule.names:
            return getattr(value, name)
        if name in rule.static:
            return rule.static[name]
        if name in rule.computed and not script_definition(kind, name):
            return rule.computed[name](value)
        if rule.open and _is_open(value, kind, rule, name):
            return getattr(value, name)
        if not is_dunder(name) and script_definition(kind, name):
            return getattr(value, name)
    elif is_script_class(kind) and not is_dunder(name):
        return getattr(value, name)
    if is_dunder(name) and (found := _spoken(value, name)) is not None:
        return found
    raise missing(value, name)


def _spoken(value: Any, name: str) -> Any:
    from engine.script.values.spoken import spoken

    return spoken(value, name)


def _is_plain(kind: type, name: str) -> bool:
    """Whether reading `name` on instances of a script's class is always allowed and needs no wrapping."""
    rule = rule_of(kind)
    return (
        rule is not None
        and rule.open
        and rule.getter is None
        and not name.startswith("_")
        and not (name in rule.wrapped or name in rule.static or name in rule.computed or name in rule.hidden)
    )


def missing(value: Any, name: str) -> AttributeError:
    """What Python says about an attribute that is not there."""
    if isinstance(value, (FunctionType, MethodType)):
        from engine.script.values.in_c import is_in_c

        word = "builtin_function_or_method" if is_in_c(value) else "function"
        return AttributeError(f"'{word}' object has no attribute '{name}'", name=name, obj=value)
    try:
        object.__getattribute__(value, "\0")
    except AttributeError as error:  # which calls a class as Python does: with its module where it is written in C
        return AttributeError(str(error).replace("\0", name), name=name, obj=value)
    raise AssertionError("nothing is called so")


def _is_open(value: Any, kind: type, rule: Rule, name: str) -> bool:
    """Whether `name` is the script's own on a value whose attributes are open."""
    if is_dunder(name):
        held = name in NAMES_SET and name in getattr(value, "__dict__", ())
        return held or name in CLASS_NAMES or (name in DEFINABLE and script_definition(kind, name))
    if name.startswith("_") and not _may_begin_so(kind, rule):
        return False
    if name in rule.hidden:
        return script_definition(kind, name)
    return True


def class_attribute(kind: type, name: str) -> Any:
    """kind.name for a class."""
    kind = meant(kind)
    if name in ("__name__", "__qualname__"):
        return getattr(kind, name)
    if name == "__doc__":
        return kind.__dict__.get("__doc__") if is_script_class(kind) else None
    if name == "__module__":
        from engine.script.values.texts import module_of

        return kind.__module__ if is_script_class(kind) else module_of(kind)
    of_error = issubclass(kind, BaseException) and name in ERRORS_TELL
    if (of_error or (name in KINDS_TELL and is_script_class(kind))) and not (name == "mro" and "mro" in kind.__dict__):
        from engine.script.classes.kinds import told

        return told(kind, name)
    if name == "__class__":
        return shown(type)
    if name == "__annotations__" and is_script_class(kind):
        return dict(kind.__dict__.get("__annotations__", {}))  # noqa: RUF063
    if name == "__dict__" and is_script_class(kind):
        hidden = "_" if type(kind) is EnumType else "__"
        return {key: item for key, item in kind.__dict__.items() if not key.startswith(hidden)}
    if name == "__new__" and (kind is object or kind in EXTENDED or not script_definition(kind, name)):
        from engine.script.classes.making import new_instance

        return new_instance
    if kind is object and name in ("__init__", "__setattr__", "__delattr__", "__getattribute__"):
        from engine.script.classes.making import GENERIC

        return GENERIC[name]
    if type(kind) is EnumType and name.startswith("_"):
        if name == "__members__":
            return dict(kind.__members__)
        raise AttributeError(name)
    extended = None if issubclass(kind, Tensor) else EXTENDED.get(kind)
    if extended is not None and name in RULES[extended].names | RULES[extended].class_names:
        found = getattr(extended, name)
        if type(found) not in DESCRIPTORS:
            return found
    return _listed_of_class(kind, name)


def _listed_of_class(kind: type, name: str) -> Any:
    for each in kind.__mro__:
        rule = RULES.get(each)
        if is_script_class(each):
            if name in each.__dict__ and (not is_dunder(name) or name in DEFINABLE):
                return getattr(kind, name)
            continue
        if rule is None:
            continue
        if name in rule.static:
            return rule.static[name]
        if name in rule.wrapped:
            return checked_method(each, name, rule.wrapped[name])
        if name in rule.names or name in rule.class_names:
            found = getattr(kind, name)
            if type(found) in DESCRIPTORS:
                break
            return found
    if type(kind) is EnumType:
        raise AttributeError(name)
    if (
        is_script_class(type(kind))
        and script_definition(type(kind), name)
        and (not is_dunder(name) or name in DEFINABLE)
    ):
        return getattr(kind, name)
    if is_dunder(name) and kind in RULES and (spoken := _spoken_of_class(kind, name)) is not None:
        return spoken
    raise AttributeError(f"type object '{kind.__name__}' has no attribute '{name}'", name=name, obj=kind)


def _spoken_of_class(kind: type, name: str) -> Any:
    from engine.script.values.spoken import spoken_of_class

    return spoken_of_class(kind, name)


def checked_method(owner: type, name: str, function: Callable[..., Any]) -> Any:
    """A guarded method read from its class: its first argument must be of that class."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(self, owner):
            raise TypeError(
                f"descriptor '{name}' for '{owner.__name__}' objects doesn't apply to a '{type(self).__name__}' object"
            )
        return function(self, *args, **kwargs)

    method.__name__ = name
    method.__qualname__ = getattr(getattr(owner, name, None), "__qualname__", f"{owner.__name__}.{name}")
    return method


def put(value: Any, name: str, item: Any) -> None:
    """value.name = item as a script may do it."""
    if type(name) is not str:
        name = text(name)
    kind = type(value)
    if kind is ScriptModule:
        value.write(name, item)
        return
    if isinstance(value, type):
        if not is_script_class(value):
            raise TypeError(f"cannot set '{name}' attribute of immutable type '{value.__name__}'")
        if is_dunder(name) and name not in DEFINABLE:
            raise TypeError(f"cannot set '{name}' on a class here")
        from engine.script.classes.making import own_value, refuse_closed_below

        if name in ("__getattribute__", "__getstate__", "__setstate__"):
            raise TypeError(f"cannot set '{name}' on a class here")
        refuse_closed_below(value, name, item)
        setattr(value, name, own_value(name, item))
        return
    rule = rule_of(kind)
    if rule is not None and (name in rule.settable or (rule.open and _may_set(kind, rule, name))):
        setattr(value, name, item)
        return
    if name == "__class__" and is_script_class(kind):
        _change_class(value, kind, item)
        return
    if rule is not None and name == "__dict__" and rule.adopt is not None:
        rule.adopt(value, item)
        return
    if isinstance(value, tuple) and name in getattr(kind, "_fields", ()):
        raise AttributeError("can't set attribute")
    if rule is not None and name in rule.names:
        owner = "torch._C.TensorBase" if issubclass(kind, Tensor) else kind.__name__
        raise AttributeError(f"attribute '{name}' of '{owner}' objects is not writable")
    raise missing(value, name)


def _change_class(value: Any, kind: type, item: Any) -> None:
    """value.__class__ = item, between classes of the script that stand on the same class of the engine."""
    if not isinstance(item, type):
        raise TypeError(f"__class__ must be set to a class, not '{type(item).__name__}' object")
    rule = rule_of(kind)
    if not is_script_class(item) or type(item) is EnumType or rule is None or not rule.open:
        raise TypeError("__class__ assignment only supported for classes of the script here")
    if host_base(kind) is not host_base(item):
        raise TypeError(f"__class__ assignment: '{item.__name__}' object layout differs from '{kind.__name__}'")
    object.__setattr__(value, "__class__", item)


def check_may_read(value: Any, name: str) -> None:
    """Raise AttributeError where a script may not read `name` past its own __getattribute__."""
    kind = type(value)
    rule = rule_of(kind)
    closed = rule is None or isinstance(value, type) or not rule.open or name in rule.computed or name in rule.wrapped
    if closed or rule is None or not _is_open(value, kind, rule, name):
        raise missing(value, name)


def _may_set(kind: type, rule: Rule, name: str) -> bool:
    if is_dunder(name):
        if kind is ScriptFunction or is_script_class(kind):
            return name in (("__name__", "__doc__") if kind is ScriptFunction else NAMES_SET)
        return rule.private and name in ("__name__", "__qualname__")  # layer.__name__ = "conv1"
    if name.startswith("_") and (name in rule.computed or not _may_begin_so(kind, rule)):
        return False
    return name not in rule.hidden


def _may_begin_so(kind: type, rule: Rule) -> bool:
    """Whether a script's own names on a value may begin with an underscore."""
    return rule.private or is_script_class(kind) or kind is ScriptFunction


def drop(value: Any, name: str) -> None:
    """del value.name as a script may do it."""
    if type(name) is not str:
        name = text(name)
    if isinstance(value, type):
        if is_script_class(value) and not is_dunder(name):
            delattr(value, name)
            return
    else:
        rule = rule_of(type(value))
        if rule is not None and (name in rule.settable or (rule.open and _may_set(type(value), rule, name))):
            delattr(value, name)
            return
    raise missing(value, name)


def put_plain(value: Any, name: str, item: Any, setter: Callable[[Any, str, Any], None]) -> None:
    """As `put`, past the script's own __setattr__ (for `super().__setattr__`)."""
    _check_may_set(value, name)
    setter(value, name, item)


def drop_plain(value: Any, name: str) -> None:
    """As `drop`, past the script's own __delattr__."""
    _check_may_set(value, name)
    object.__delattr__(value, name)


def _check_may_set(value: Any, name: Any) -> None:
    if type(name) is not str:
        raise TypeError(f"attribute name must be string, not '{type(name).__name__}'")
    if not may_set(value, name):
        raise missing(value, name)


def may_set(value: Any, name: str) -> bool:
    """Whether a script may set `name` on `value`, which is no class."""
    rule = rule_of(type(value))
    if rule is None or isinstance(value, type):
        return False
    return name in rule.settable or (rule.open and _may_set(type(value), rule, name))
