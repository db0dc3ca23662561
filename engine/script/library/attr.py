# type: ignore
"""attr: classes whose fields are told once, in the names that attrs had first."""

import _python
from _bound import bound
from _ordered import order as _order

from attr.exceptions import FrozenInstanceError, NotAnAttrsClassError, UnannotatedAttributeError
from attr.validators import and_


class _Nothing:
    def __repr__(self):
        return "_Nothing.NOTHING"

    def __bool__(self):
        return False


NOTHING = _Nothing()


class Factory:
    """A default that is made anew for each object."""

    def __init__(self, factory, takes_self=False):
        self.factory, self.takes_self = factory, takes_self


class Attribute:
    """A field: as attr.ib() tells it, and as attr.fields() does."""

    def __init__(
        self, default, validator, repr, eq, order, hash, init, metadata, type, converter, kw_only, alias, on_setattr
    ):
        self.name, self.default, self.repr, self.eq, self.order = None, default, repr, eq, order
        self.hash, self.init, self.metadata, self.type, self.kw_only = hash, init, metadata or {}, type, kw_only
        self.alias, self.on_setattr = alias, on_setattr
        self.converter = _piped(converter) if isinstance(converter, (list, tuple)) else converter
        self.validator = and_(*validator) if isinstance(validator, (list, tuple)) else validator

    # Decorators in the class: the field's default, and what looks at its value.
    def _set_default(self, method):
        self.default = Factory(method, takes_self=True)
        return method

    def _add_validator(self, method):
        self.validator = method if self.validator is None else and_(self.validator, method)
        return method

    def __repr__(self):
        return f"Attribute(name={self.name!r}, default={self.default!r}, type={self.type!r})"


class _CountingAttr:
    """A field inside of the class statement."""

    def __init__(self, made):
        self.made = made
        self.default, self.validator = made._set_default, made._add_validator


def _piped(converters):
    def convert(value):
        for each in converters:
            value = each(value)
        return value

    return convert


def ib(
    default=NOTHING, validator=None, repr=True, cmp=None, hash=None, init=True, metadata=None, type=None,
    converter=None, factory=None, kw_only=False, eq=True, order=None, on_setattr=None, alias=None,
):  # fmt: skip
    if factory is not None:
        if default is not NOTHING:
            raise ValueError("The `default` and `factory` arguments are mutually exclusive.")
        default = Factory(factory)
    shown = eq if cmp is None else cmp
    return _CountingAttr(
        Attribute(
            default, validator, repr, shown, order, hash, init, metadata, type, converter, kw_only, alias, on_setattr
        )
    )


attrib = ib


def field(**options):
    return ib(**options)


def _fields_of(cls, auto, these, kw_only):
    own = vars(cls)
    annotations = cls.__annotations__
    found = {}
    for base in cls.__mro__[:0:-1]:
        for each in getattr(base, "__attrs_attrs__", ()):
            found.pop(each.name, None)
            found[each.name] = each
    given = (
        these if these is not None else {name: each for name, each in own.items() if isinstance(each, _CountingAttr)}
    )
    if auto is None:
        auto = all(name in annotations for name in given)
    if auto and these is None:
        for name in given:
            if name not in annotations:
                raise UnannotatedAttributeError(f"The following `attr.ib`s lack a type annotation: {name}.")
        plain = {name: own.get(name, NOTHING) for name, kind in annotations.items() if "ClassVar" not in repr(kind)}
        given = {name: each if isinstance(each, _CountingAttr) else ib(default=each) for name, each in plain.items()}
    for name, each in given.items():
        each = each.made
        each.name, each.type = name, annotations.get(name, each.type)
        each.alias = each.alias or name.lstrip("_")
        each.kw_only = each.kw_only or kw_only
        if name in vars(cls):
            delattr(cls, name)
        found.pop(name, None)
        found[name] = each
    seen = False
    for each in found.values():
        if each.init and not each.kw_only:
            if seen and each.default is NOTHING:
                raise ValueError(
                    f"No mandatory attributes allowed after an attribute with a default value or factory.  Attribute in question: {each!r}"
                )
            seen = seen or each.default is not NOTHING
    return tuple(found.values())


def _make_init(cls, fields):
    title = cls.__qualname__
    positional = [each.alias for each in fields if each.init and not each.kw_only]
    named = [each.alias for each in fields if each.init and each.kw_only]
    needed = {each.alias for each in fields if each.init and each.default is NOTHING}
    required, required_named = [[name for name in names if name in needed] for names in (positional, named)]

    def __init__(self, *args, **keywords):
        before = getattr(self, "__attrs_pre_init__", None)
        if before is not None:
            before()
        values = bound(title, positional, named, required, required_named, args, keywords)
        for each in fields:
            if each.init and each.alias in values:
                value = values[each.alias]
            elif each.default is NOTHING:
                continue
            elif isinstance(each.default, Factory):
                value = each.default.factory(self) if each.default.takes_self else each.default.factory()
            else:
                value = each.default
            object.__setattr__(self, each.name, value if each.converter is None else each.converter(value))
        for each in fields:
            if each.validator is not None and (each.init or each.default is not NOTHING):
                each.validator(self, each, getattr(self, each.name))
        after = getattr(self, "__attrs_post_init__", None)
        if after is not None:
            after()

    return __init__


def s(
    maybe_cls=None, these=None, repr_ns=None, repr=None, cmp=None, hash=None, init=None, slots=False, frozen=False,
    weakref_slot=True, str=False, auto_attribs=False, kw_only=False, cache_hash=False, auto_exc=False, eq=None,
    order=None, auto_detect=False, collect_by_mro=False, getstate_setstate=None, on_setattr=None, field_transformer=None,
    match_args=True, unsafe_hash=None, _checked=False,
):  # fmt: skip
    def decorated(cls):
        return _process(
            cls, these, repr, eq if cmp is None else cmp, order, unsafe_hash if hash is None else hash, init, slots,
            frozen, auto_attribs, kw_only, _checked, match_args, auto_detect,
        )  # fmt: skip

    return decorated if maybe_cls is None else decorated(maybe_cls)


attrs = attributes = s


def dataclass(maybe_cls=None, **options):
    return s(maybe_cls, auto_attribs=True, **options)


def define(maybe_cls=None, *, auto_attribs=None, slots=True, on_setattr=None, order=False, auto_detect=True, **options):
    return s(
        maybe_cls, auto_attribs=auto_attribs, slots=slots, order=order, auto_detect=auto_detect,
        _checked=not options.get("frozen", False), **options,
    )  # fmt: skip


mutable = define


def frozen(maybe_cls=None, **options):
    return define(maybe_cls, frozen=True, **options)


def _process(cls, these, show, eq, order, hashed, init, slots, frozen, auto, kw_only, checked, match_args, detect):
    own = dict(vars(cls))
    fields = _fields_of(cls, auto, these, kw_only)
    cls.__attrs_attrs__ = fields
    wanted = lambda given, name: given is True or (given is not False and not (detect and name in own))
    if match_args and "__match_args__" not in own:
        cls.__match_args__ = tuple([each.name for each in fields if each.init and not each.kw_only])
    if wanted(init, "__init__"):
        cls.__init__ = _make_init(cls, fields)
    else:
        cls.__attrs_init__ = _make_init(cls, fields)
    if wanted(show, "__repr__"):

        def __repr__(self):
            shown = []
            for each in fields:
                if each.repr:
                    value = getattr(self, each.name, NOTHING)
                    shown.append(f"{each.name}={each.repr(value) if callable(each.repr) else value.__repr__()}")
            return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(shown)})"

        cls.__repr__ = __repr__
    compared = [each for each in fields if each.eq]

    def values(self):
        return tuple([getattr(self, e.name) if not callable(e.eq) else e.eq(getattr(self, e.name)) for e in compared])

    if wanted(eq, "__eq__"):

        def __eq__(self, other):
            return values(self) == values(other) if type(other) is type(self) else NotImplemented

        cls.__eq__ = __eq__
        if order is not False:
            _order(cls, values)
        if hashed or (hashed is None and frozen):
            counted = [each.name for each in fields if (each.eq if each.hash is None else each.hash)]
            cls.__hash__ = lambda self: hash(tuple([getattr(self, name) for name in counted]))
        elif hashed is None and "__hash__" not in own:
            cls.__hash__ = None
    _guard(cls, {each.name: each for each in fields}, own, slots, frozen, checked)
    return cls


def _guard(cls, fields, own, slots, frozen, checked):
    """What setting an attribute does."""
    if frozen:

        def refuse(self, name, value=None):
            raise FrozenInstanceError

        cls.__setattr__, cls.__delattr__ = refuse, refuse
    elif (slots or checked) and "__setattr__" not in own:

        def __setattr__(self, name, value):
            each = fields.get(name)
            if each is None and slots:
                held = {part for base in type(self).__mro__ for part in getattr(base, "__slots__", ())}
                if name not in held and not hasattr(type(self), name):
                    raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            if each is not None and checked:
                value = value if each.converter is None else each.converter(value)
                if each.validator is not None:
                    each.validator(self, each, value)
            object.__setattr__(self, name, value)

        cls.__setattr__ = __setattr__
    if slots:
        above = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
        _python.slots(cls, tuple([name for name in fields if name not in above]))


class _Fields(tuple):
    """The fields of a class, by their names too."""

    def __getattr__(self, name):
        for each in self:
            if each.name == name:
                return each
        raise AttributeError(name)


def fields(cls):
    if not isinstance(cls, type):
        raise TypeError("Passed object must be a class.")
    if not has(cls):
        raise NotAnAttrsClassError(f"{cls!r} is not an attrs-decorated class.")
    return _Fields(cls.__attrs_attrs__)


def fields_dict(cls):
    return {each.name: each for each in fields(cls)}


def has(cls):
    return hasattr(cls, "__attrs_attrs__")


def _plain(value, whole):
    """A value whose objects are told by `whole`, however deep they are."""
    if has(type(value)):
        return whole(value)
    if isinstance(value, (list, tuple, set)):
        return type(value)([_plain(each, whole) for each in value])
    if isinstance(value, dict):
        return {key: _plain(each, whole) for key, each in value.items()}
    return value


def asdict(inst, recurse=True, filter=None, dict_factory=dict, retain_collection_types=False, value_serializer=None):
    found = dict_factory()
    again = lambda each: asdict(each, True, filter, dict_factory, retain_collection_types, value_serializer)
    for each in fields(type(inst)):
        value = getattr(inst, each.name)
        if filter is not None and not filter(each, value):
            continue
        if value_serializer is not None:
            value = value_serializer(inst, each, value)
        found[each.name] = _plain(value, again) if recurse else value
    return found


def astuple(inst, recurse=True, filter=None, tuple_factory=tuple, retain_collection_types=False):
    again = lambda each: astuple(each, True, filter, tuple_factory, retain_collection_types)
    kept = [(each, getattr(inst, each.name)) for each in fields(type(inst))]
    return tuple_factory([_plain(v, again) if recurse else v for each, v in kept if filter is None or filter(each, v)])


def evolve(inst, **changes):
    for each in fields(type(inst)):
        if each.init and each.alias not in changes:
            changes[each.alias] = getattr(inst, each.name)
    return type(inst)(**changes)


assoc = evolve


def validate(inst):
    for each in fields(type(inst)):
        if each.validator is not None:
            each.validator(inst, each, getattr(inst, each.name))


def make_class(name, attributes, bases=(object,), **options):
    body = attributes if isinstance(attributes, dict) else {each: ib() for each in attributes}
    return s(_python.new_class(name, bases, dict(body)), **options)


class _Converters:
    @staticmethod
    def optional(converter):
        return lambda value: None if value is None else converter(value)

    @staticmethod
    def default_if_none(default=NOTHING, factory=None):
        made = (lambda: default) if factory is None else factory
        return lambda value: made() if value is None else value

    @staticmethod
    def pipe(*converters):
        return _piped(converters)

    @staticmethod
    def to_bool(value):
        if value in (True, "true", "t", "yes", "y", "on", "1", 1):
            return True
        if value in (False, "false", "f", "no", "n", "off", "0", 0):
            return False
        raise ValueError(f"Cannot convert value to bool: {value!r}")


converters = _Converters()
