"""Classes of scripts: real host classes in which only our own functions stand, so that the engine can use them; and
`super()`, `type()`, `isinstance()` as scripts know them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from enum import EnumType, Flag
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from engine.script.classes import states
from engine.script.classes.annotations import CLASS_MAKERS, Annotation, Maker
from engine.script.classes.duplicates import DeepCopy
from engine.script.classes.standing import meant
from engine.script.classes.standing import shown as shown_class
from engine.script.frames import ScriptFunction, current
from engine.script.limits import exceeded
from engine.script.surface import DEFINABLE, EXTENDED, RULES, Rule, names, register
from engine.script.values import attributes
from engine.script.values.mirror import Mirror
from engine.script.values.plain import NOTES, answers, closed, text
from engine.script.values.texts import class_text, text_repr
from engine.tensor import Tensor


class InstanceDict(Mirror):
    """`__dict__` of an instance: what is set in it is set on the instance, as if by `instance.name = value`."""

    def __init__(self, owner: Any, hidden: frozenset[str] = frozenset()) -> None:
        held = owner.__dict__
        super().__init__({name: held[name] for name in held if name not in hidden} if hidden else held)
        self._owner = owner

    def __setitem__(self, name: str, value: Any) -> None:
        attributes.put_plain(self._owner, name, value, states.in_dict)
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._owner.__dict__.pop(name, None)


class ScriptObject:
    """The root of classes that a script writes without a base."""

    __slots__ = ("__dict__", "__weakref__")

    def __repr__(self) -> str:
        given: Any = self
        if not isinstance(given, ScriptObject):  # the value of a member, which Enum shows by its bases' __repr__
            return text_repr(given)
        above = super().__repr__
        if getattr(above, "__objclass__", None) is not object:  # class Both(Mixin, dict)
            return above()
        module = "" if type(self) is ScriptObject else f"{type(self).__module__}."
        return f"<{module}{type(self).__qualname__} object at {current.machine.address(self)}>"


ScriptObject.__name__ = ScriptObject.__qualname__ = "object"
ScriptObject.__module__ = "builtins"
register(
    ScriptObject,
    Rule(
        open=True,
        class_names=names("__init__ __repr__ __str__ __eq__ __ne__ __hash__"),
        computed={"__dict__": lambda value: _dict_of(value)},
    ),
)


def _dict_of(value: Any) -> InstanceDict:
    kinds = [each for each in type(value).__mro__ if attributes.is_script_class(each)]
    if kinds and all("__slotted__" in vars(each) for each in kinds):
        raise attributes.missing(value, "__dict__")
    return InstanceDict(value)


class AbstractBase(ScriptObject):
    """abc.ABC."""

    __slots__ = ()


AbstractBase.__name__ = AbstractBase.__qualname__ = "ABC"


# Host classes that a script may inherit from; surface/torch.py adds nn.Module and others.
BASES: set[type] = {ScriptObject, AbstractBase}


MOST_ABOVE = 1_000
"""Classes above one with several bases, which the host brings into an order by comparing each with all."""


def own_value(name: str, value: Any) -> Any:
    """What is put into a class under `name`: lookups of missing attributes by the host never reach the script."""
    if name in HOOKS:
        if not isinstance(value, (ScriptFunction, FunctionType)):
            raise TypeError(f"{name} must be a function of the class in scripts here")
        return HOOKS[name](value)
    return value


class PublicGetattr:
    """A script's __getattr__: asked for public names only, so that it cannot answer for the protocols of the host
    (NumPy asks for `__array_interface__`, copy for `__deepcopy__`)."""

    __slots__ = ("function",)

    def __init__(self, function: ScriptFunction | FunctionType) -> None:
        self.function = function

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def __call__(self, instance: Any, name: str) -> Any:
        if name.startswith("__"):
            raise attributes.missing(instance, name)
        return self.function(instance, name)


def namespace_of(parents: list[Any]) -> dict[str, Any]:
    """The namespace in which the body of a class statement runs."""
    from engine.script.classes import kinds

    flags = any(isinstance(each, type) and issubclass(each, Flag) for each in parents)
    return kinds.FlagBody() if flags else {}


class PublicGetattribute(PublicGetattr):
    """A script's __getattribute__: likewise, what the host asks for is answered by the host."""

    __slots__ = ()

    def __call__(self, instance: Any, name: str) -> Any:
        if name.startswith("__"):
            return object.__getattribute__(instance, name)
        return self.function(instance, name)


HOOKS: dict[str, Callable[[Any], Any]] = {
    "__getattr__": PublicGetattr,
    "__getattribute__": PublicGetattribute,
    "__deepcopy__": DeepCopy,
    "__setstate__": states.SetState,
}
"""What stands in a class for a function of the script that the host would call."""


def make_class(
    name: str,
    qualname: str,
    parents: list[Any],
    namespace: dict[str, Any],
    options: dict[str, Any],
    documentation: str | None,
) -> type:
    """The class of a `class` statement. Raises TypeError for bases and dunder names that are not allowed."""
    from engine.script.classes import kinds

    namespace = {text(key): value for key, value in namespace.items()}
    made = kinds.by_metaclass(name, qualname, parents, namespace, options, documentation)
    if made is not None:  # a metaclass may say that its classes are empty
        return made
    return build_class(name, qualname, parents, namespace, options, documentation, type)


def build_class(
    name: str,
    qualname: str,
    parents: list[Any],
    namespace: dict[str, Any],
    options: dict[str, Any],
    documentation: str | None,
    metaclass: type,
) -> type:
    """As `make_class`, by `metaclass`, which has no more to say."""
    from engine.script.classes import kinds

    parents = [meant(base) for base in parents]
    makers = [base for base in parents if isinstance(base, Maker)]
    if makers:
        return _made_by(makers[0], name, namespace)
    parents = [base.kind if isinstance(base, Annotation) and base.kind is not None else base for base in parents]
    generic = any(isinstance(base, Annotation) for base in parents)
    protocol = any(kinds.is_protocol(base) for base in parents)
    parents = [base for base in parents if not isinstance(base, Annotation)]
    abstract = options.pop("metaclass", None) is ABC_META if options.get("metaclass") is ABC_META else False
    hooked = any(isinstance(base, type) and attributes.script_definition(base, "__init_subclass__") for base in parents)
    if options and (not hooked or "metaclass" in options):
        key = next(iter(options))
        raise TypeError(f"{name}: the class option '{key}' is not supported in scripts here")
    over_enum = any(isinstance(base, EnumType) for base in parents)
    if not over_enum:
        parents = [EXTENDED.get(base, base) if isinstance(base, type) else base for base in parents]
    bases = tuple(ScriptObject if base is object else base for base in parents) or (ScriptObject,)
    for base in bases:
        if not isinstance(base, type):
            raise TypeError(f"{name}: a base must be a class, not {type(base).__name__}")
        if not (attributes.is_script_class(base) or base in BASES or (base in MIXED_IN and over_enum)):
            raise TypeError(f"type '{base.__name__}' is not an acceptable base type in scripts here")
    body = _body(name, namespace)
    body.update(__script__=True, __module__="__main__", __qualname__=qualname, __doc__=documentation)
    if protocol:
        kinds.protocol(body, bases, body.get("__annotations__", ()))
    if "__slots__" in namespace and not any(issubclass(base, Tensor) for base in bases):  # which take any attribute
        kinds.slotted(body, namespace["__slots__"])
    if generic and "__class_getitem__" not in body:
        body["__class_getitem__"] = classmethod(lambda cls, key: cls)
    states.kept(name, body, bases)
    every = inherited(bases) | body
    refuse_closed(frozenset(name for base in bases for name in closed(base)), every)
    if "__getattribute__" in every and not all(issubclass(base, ScriptObject) for base in bases):
        raise TypeError(f"{name}: a class over one of Python's or PyTorch's may not define __getattribute__ here")
    if any(isinstance(base, EnumType) for base in bases):
        return kinds.make_enum(name, bases, body)
    if len(bases) > 1 and (above := sum(len(each.__mro__) for each in bases)) > MOST_ABOVE:
        exceeded("container_items", MOST_ABOVE, f"a class over {above:,} others")
    made: type = type.__new__(metaclass, name, bases, body, **options)
    if (
        abstract
        or issubclass(metaclass, kinds.OpenAbstractType)
        or any(issubclass(base, AbstractBase) or "__abstractmethods__" in vars(base) for base in bases)
    ):
        _mark_abstract(made)
    return made


def _body(name: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """What the body of a class statement defines, as it is put into the class."""
    body: dict[str, Any] = {}
    for key, value in namespace.items():
        if key.startswith("__") and key.endswith("__") and key not in DEFINABLE and key not in IGNORED:
            if type(value) in NOTES and not hasattr(type, key) and not hasattr(np.ndarray, key):
                continue
            raise TypeError(f"{name}: a class may not define {key} in scripts here")
        if key in IGNORED and key != "__annotations__":
            continue
        body[key] = own_value(key, value)
    if isinstance(body.get("__new__"), ScriptFunction):
        body["__new__"] = staticmethod(body["__new__"])
    for key in ("__init_subclass__", "__class_getitem__"):
        if isinstance(body.get(key), ScriptFunction):
            body[key] = classmethod(body[key])
    if "__eq__" in body and "__hash__" not in body:
        body["__hash__"] = None
    return body


def inherited(bases: tuple[type, ...]) -> dict[str, Any]:
    """What classes of the script among the bases define."""
    kinds = [each for base in bases for each in base.__mro__ if attributes.is_script_class(each)]
    return {name: value for each in reversed(kinds) for name, value in vars(each).items()}


def refuse_closed(names: frozenset[str], body: dict[str, Any]) -> None:
    """Raise TypeError where a class over an int or a text says of it what the host reads past."""
    for name in names & body.keys():
        if answers(name, body[name]):
            raise TypeError(f"a class over a type of Python may not define {name} in scripts here")


def refuse_closed_below(kind: type, name: str, value: Any) -> None:
    """As `refuse_closed`, for a name that is set on a class: for those over it too."""
    if answers(name, value) and any(name in closed(each) for each in (kind, *_below(kind))):
        refuse_closed(frozenset({name}), {name: value})


def _below(kind: type) -> list[type]:
    """The classes over `kind`, however far."""
    found: list[type] = type.__subclasses__(kind)
    return found + [deeper for each in found for deeper in _below(each)]


def _mark_abstract(kind: type) -> None:
    """Let the host refuse instances of a class some of whose methods are abstract still."""
    found = set()
    for each in kind.__mro__:
        for name, value in vars(each).items():
            if isinstance(value, (ScriptFunction, property, staticmethod, classmethod)) and _is_abstract(value):
                found.add(name)
    open_ones = {name for name in found if _is_abstract(inspect.getattr_static(kind, name))}
    kind.__abstractmethods__ = frozenset(open_ones)  # type: ignore[attr-defined]


MIXED_IN = frozenset({int, float, str, tuple})
"""Host classes that may stand before Enum."""
ABC_META = Annotation("<class 'abc.ABCMeta'>")
"""abc.ABCMeta, the one metaclass that a class statement may name; it changes nothing."""


def _is_abstract(value: Any) -> bool:
    return getattr(value, "__isabstractmethod__", False) is True


def _made_by(maker: Maker, name: str, namespace: dict[str, Any]) -> type:
    """A class statement over typing.NamedTuple or TypedDict."""
    fields = list(namespace.get("__annotations__", {}))
    if maker.name not in CLASS_MAKERS or maker.name == "TypedDict":
        return CLASS_MAKERS["TypedDict"](name, namespace.get("__annotations__", {}), maker)
    made = CLASS_MAKERS[maker.name](name, fields, [namespace[each] for each in fields if each in namespace])
    made.__annotations__ = dict(namespace.get("__annotations__", {}))
    for key, value in namespace.items():
        if key in fields or key in IGNORED:
            continue
        if key.startswith("__") and (key not in DEFINABLE or key in states.STATE):
            raise TypeError(f"{name}: a class may not define {key} in scripts here")
        setattr(made, key, own_value(key, value))
    return made


IGNORED = frozenset({"__prepare__", "__annotations__", "__slots__", "__doc__", "__module__", "__qualname__", "__del__"})


class Unbound:
    """super(C), which is of no instance: its own __init__() does nothing."""

    __slots__ = ()


Unbound.__name__ = Unbound.__qualname__ = "super"
register(Unbound, Rule(computed={"__init__": lambda value: MethodType(GENERIC["__init__"], value)}))


class Super:
    """super(): attributes of the classes behind `owner` in the order of bases of `instance`."""

    __slots__ = ("instance", "kind", "owner")

    def __init__(self, owner: type, instance: Any) -> None:
        self.owner = owner
        self.instance = instance
        self.kind = instance if isinstance(instance, type) and issubclass(instance, owner) else type(instance)
        if not issubclass(self.kind, owner):
            raise TypeError("super(type, obj): obj must be an instance or subtype of type")

    def find(self, name: str) -> Any:
        """The attribute, bound. Host classes give only what surface.py lists for them."""
        order = self.kind.__mro__
        for each in order[order.index(self.owner) + 1 :]:
            if attributes.is_script_class(each):
                if name not in each.__dict__ or (name.startswith("__") and name not in DEFINABLE):
                    continue
                return self.bind(each.__dict__[name])
            if name == "__new__":
                return new_instance
            rule = RULES.get(each)
            if each is object:
                if name in GENERIC:
                    return MethodType(GENERIC[name], self.instance)
                continue
            if rule is None or each is ScriptObject:  # which stands for object, behind all others
                continue
            if name == "__setattr__":
                return MethodType(guarded_setattr_of(each), self.instance)
            if name in rule.wrapped:
                return MethodType(rule.wrapped[name], self.instance)
            if name in rule.names or name in rule.class_names:
                for owner in each.__mro__:
                    if name in owner.__dict__:
                        return self.bind(owner.__dict__[name])
        raise AttributeError(f"'super' object has no attribute '{name}'")

    def bind(self, value: Any) -> Any:
        getter = getattr(type(value), "__get__", None)
        bound = None if self.instance is self.kind else self.instance
        return value if getter is None else getter(value, bound, self.kind)


Super.__name__ = Super.__qualname__ = "super"


def _bare_init(*args: Any) -> None:
    """super.__init__(), which lacks the brackets of super()."""
    if not args:
        raise TypeError("descriptor '__init__' of 'super' object needs an argument")
    raise TypeError(f"descriptor '__init__' requires a 'super' object but received a '{type(args[0]).__name__}'")


register(Super, Rule(getter=Super.find, static={"__init__": _bare_init}))


def _generic_init(self: Any, *args: Any, **kwargs: Any) -> None:
    if args or kwargs:
        raise TypeError("object.__init__() takes exactly one argument (the instance to initialize)")


def _generic_setattr(self: Any, name: str, value: Any) -> None:
    attributes.put_plain(self, name, value, object.__setattr__)


def _generic_getattribute(self: Any, name: str) -> Any:
    name = text(name)
    rule = attributes.rule_of(type(self))
    if rule is not None and name in rule.computed and isinstance(self, ScriptObject):
        return rule.computed[name](self)
    attributes.check_may_read(self, name)
    return object.__getattribute__(self, name)


def _generic_delattr(self: Any, name: str) -> None:
    attributes.drop_plain(self, name)


def _generic_repr(self: Any) -> str:
    return f"<{type(self).__module__}.{type(self).__qualname__} object at {current.machine.address(self)}>"


def _generic_init_subclass(cls: Any, **options: Any) -> None:
    if options:
        raise TypeError(f"{cls.__qualname__}.__init_subclass__() takes no keyword arguments")


GENERIC: dict[str, Any] = {
    "__init__": _generic_init,
    "__setattr__": _generic_setattr,
    "__getattribute__": _generic_getattribute,
    "__delattr__": _generic_delattr,
    "__repr__": _generic_repr,
    "__str__": lambda self: repr(self),
    "__eq__": lambda self, other: True if self is other else NotImplemented,
    "__hash__": lambda self: current.machine.number(self),
    "__init_subclass__": _generic_init_subclass,
    "__getstate__": states.state_of,
}


def guarded_setattr_of(kind: type) -> Any:
    """super().__setattr__ into a host class: by the rules of `put`."""

    def setattr_of(self: Any, name: str, value: Any) -> None:
        attributes.put_plain(self, name, value, kind.__setattr__)  # type: ignore[arg-type]

    return setattr_of


def new_instance(cls: Any, *args: Any, **kwargs: Any) -> Any:
    """super().__new__(cls), object.__new__(cls); members of an enumeration are made as what they hold."""
    if not (isinstance(cls, type) and attributes.is_script_class(cls)):
        raise TypeError("object.__new__(X): X is not a class of this script")
    base: Any = vars(cls)["_member_type_"] if isinstance(cls, EnumType) else attributes.host_base(cls)
    if base is ScriptObject:  # of class Both(Mixin, list): what follows is what an object of it is made of
        base = [*[each for each in cls.__mro__[:-1] if not attributes.is_script_class(each)], base][1]
    if issubclass(cls, BaseException):
        return base.__new__(cls, *args, **kwargs)
    if base in MIXED_IN or (base in RULES and "__new__" in RULES[base].class_names):
        return base.__new__(cls, *args, **kwargs)
    if (args or kwargs) and not issubclass(cls, (dict, list)):
        raise TypeError("object.__new__() takes exactly one argument (the type to instantiate)")
    return base.__new__(cls)


class Hidden:
    """Stands for the class of values whose class a script may not have; it can be compared and shown."""

    __slots__ = ("__name__", "text")

    def __init__(self, name: str, text: str) -> None:
        self.__name__ = name
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hidden) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return self.text


Hidden.__name__ = Hidden.__qualname__ = "type"
register(
    Hidden,
    Rule(
        names=frozenset({"__name__"}),
        computed={"__qualname__": lambda value: value.__name__, "__module__": lambda value: "builtins"},
    ),
)


def script_type(value: Any) -> Any:
    """type(value): a class that scripts may have, or a stand-in that can be shown and compared."""
    kind = vars(type(value)).get("_parameters_of", type(value)) if isinstance(value, Tensor) else type(value)
    if kind in current.machine.calls or attributes.is_script_class(kind):
        return shown_class(kind)
    name, shown = kind.__name__, class_text(kind)
    if kind is FunctionType:  # what PyTorch and NumPy have in C is in Python here
        name, shown = "builtin_function_or_method", "<class 'builtin_function_or_method'>"
    return _HIDDEN.setdefault(shown, Hidden(name, shown))


_HIDDEN: dict[str, Hidden] = {}
"""There is one for each class: `type(f) is type(g)`."""
