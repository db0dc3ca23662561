# type: ignore
"""dataclasses."""

import copy

import _python
from _bound import bound
from _ordered import order as _order


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


MISSING = _Missing()


class _InitVar:
    """InitVar[kind]: an argument for __post_init__ alone."""

    def __init__(self, kind=None):
        self.type = kind

    def __getitem__(self, kind):
        return _InitVar(kind)

    def __repr__(self):
        shown = self.type.__name__ if isinstance(self.type, type) else repr(self.type)
        return f"dataclasses.InitVar[{shown}]"


class _KeywordOnly:
    pass


InitVar, KW_ONLY = _InitVar(), _KeywordOnly()


class FrozenInstanceError(AttributeError):
    pass


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = metadata or {}
        self.kw_only = kw_only
        self._passed = False  # an InitVar: handed to __post_init__ alone


def field(
    *,
    default=MISSING,
    default_factory=MISSING,
    init=True,
    repr=True,
    hash=None,
    compare=True,
    metadata=None,
    kw_only=False,
):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def fields(thing):
    try:
        found = thing.__dataclass_fields__
    except AttributeError:
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple([each for each in found.values() if not each._passed])


def is_dataclass(thing):
    return hasattr(thing, "__dataclass_fields__")


def _means(annotation, what):
    """Whether an annotation is, or is written as, `what`."""
    return what in (annotation if isinstance(annotation, str) else repr(annotation))


def dataclass(
    cls=None,
    /,
    *,
    init=True,
    repr=True,
    eq=True,
    order=False,
    unsafe_hash=False,
    frozen=False,
    match_args=True,
    kw_only=False,
    slots=False,
    weakref_slot=False,
):
    if cls is None:
        return lambda each: _process(each, init, repr, eq, order, unsafe_hash, frozen, kw_only, match_args, slots)
    return _process(cls, init, repr, eq, order, unsafe_hash, frozen, kw_only, match_args, slots)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    annotations, body = {}, dict(namespace or {})
    for each in fields:
        name, kind, *default = (each, "typing.Any") if isinstance(each, str) else each
        annotations[name] = kind
        if default:
            body[name] = default[0]
    return dataclass(_python.new_class(cls_name, bases, {**body, "__annotations__": annotations}), **options)


def _process(cls, init, show, eq, order, unsafe_hash, frozen, kw_only, match_args, slots):
    own = vars(cls)
    found = {}
    for base in cls.__mro__[:0:-1]:
        found.update(getattr(base, "__dataclass_fields__", {}))
    for name, annotation in cls.__annotations__.items():
        if _means(annotation, "ClassVar"):
            continue
        if annotation is KW_ONLY or (isinstance(annotation, str) and annotation.endswith("KW_ONLY")):
            kw_only = True
            continue
        default = own.get(name, MISSING)
        if isinstance(default, Field):
            each = default
            if each.default is not MISSING:
                setattr(cls, name, each.default)
            else:
                delattr(cls, name)
        else:
            each = field(default=default)
        if isinstance(each.default, (list, dict, set)):
            raise ValueError(
                f"mutable default {type(each.default)} for field {name} is not allowed: use default_factory"
            )
        each.name, each.type = name, annotation
        each.kw_only = each.kw_only or kw_only
        if isinstance(annotation, _InitVar) or (isinstance(annotation, str) and "InitVar" in annotation):
            each._passed = True
        found[name] = each
    seen = None
    for each in found.values():
        if each.init and not each.kw_only:
            has_default = each.default is not MISSING or each.default_factory is not MISSING
            if seen is not None and not has_default:
                raise TypeError(f"non-default argument {each.name!r} follows default argument")
            seen = each if has_default else seen
    cls.__dataclass_fields__ = found
    given = [each for each in found.values() if each.init and not each.kw_only]
    named = [each for each in found.values() if each.init and each.kw_only]
    title = cls.__qualname__
    if match_args and "__match_args__" not in own:
        cls.__match_args__ = tuple(each.name for each in given)
    if init and "__init__" not in own:
        cls.__init__ = _make_init(cls, title, found, given, named)
    found = {name: each for name, each in found.items() if not each._passed}
    if show and "__repr__" not in own:
        shown = [each.name for each in found.values() if each.repr]

        def __repr__(self):
            return f"{type(self).__qualname__}({', '.join([f'{n}={getattr(self, n)!r}' for n in shown])})"

        cls.__repr__ = __repr__
    compared = [each.name for each in found.values() if each.compare]

    def values(self):
        return tuple([getattr(self, name) for name in compared])

    if eq and "__eq__" not in own:

        def __eq__(self, other):
            return values(self) == values(other) if type(other) is type(self) else NotImplemented

        cls.__eq__ = __eq__
    if order:
        _order(cls, values)
    if unsafe_hash or (eq and frozen):
        hashed = [each.name for each in found.values() if (each.compare if each.hash is None else each.hash)]
        cls.__hash__ = lambda self: hash(tuple([getattr(self, name) for name in hashed]))
    elif eq and "__hash__" not in own:
        cls.__hash__ = None
    if frozen:

        def __setattr__(self, name, value):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise FrozenInstanceError(f"cannot delete field {name!r}")

        cls.__setattr__ = __setattr__
        cls.__delattr__ = __delattr__
    elif slots:

        def __setattr__(self, name, value):
            if name not in found:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            object.__setattr__(self, name, value)

        cls.__setattr__ = __setattr__
    if slots:
        above = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
        _python.slots(cls, tuple([name for name in found if name not in above]))
    return cls


def _make_init(cls, title, found, given, named):
    positional = [each.name for each in given]
    by_name = [each.name for each in named]
    required = [each.name for each in given if each.default is MISSING and each.default_factory is MISSING]
    required_named = [each.name for each in named if each.default is MISSING and each.default_factory is MISSING]

    def __init__(self, *args, **keywords):
        values = bound(title, positional, by_name, required, required_named, args, keywords)
        handed = []
        for each in found.values():
            if each.name in values:
                value = values[each.name]
            elif each.default_factory is not MISSING:
                value = each.default_factory()
            elif each.default is not MISSING:
                value = each.default
            else:
                continue
            if each._passed:
                handed.append(value)
            else:
                object.__setattr__(self, each.name, value)
        after = getattr(self, "__post_init__", None)
        if after is not None:
            after(*handed)

    return __init__


def _plain(value, as_tuple, factory):
    if is_dataclass(value) and not isinstance(value, type):
        pairs = [(each.name, _plain(getattr(value, each.name), as_tuple, factory)) for each in fields(value)]
        return factory([item for _, item in pairs]) if as_tuple else factory(pairs)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)([_plain(item, as_tuple, factory) for item in value])
    if isinstance(value, dict):
        return {_plain(k, as_tuple, factory): _plain(v, as_tuple, factory) for k, v in value.items()}
    return copy.deepcopy(value)


def asdict(thing, *, dict_factory=dict):
    if not is_dataclass(thing) or isinstance(thing, type):
        raise TypeError("asdict() should be called on dataclass instances")
    return _plain(thing, False, dict_factory)


def astuple(thing, *, tuple_factory=tuple):
    if not is_dataclass(thing) or isinstance(thing, type):
        raise TypeError("astuple() should be called on dataclass instances")
    return _plain(thing, True, tuple_factory)


def replace(thing, /, **changes):
    for each in fields(thing):
        if each.init and each.name not in changes:
            changes[each.name] = getattr(thing, each.name)
    return type(thing)(**changes)
