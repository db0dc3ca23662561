# type: ignore
"""pydantic: classes whose fields are checked, and made what they are annotated as, when an object is made."""

import copy
import json
from typing import get_type_hints

from pydantic._kinds import (
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    confloat,
    conint,
    conlist,
    constr,
    fitted,
)
from pydantic._wrong import ValidationError, Wrong


class _Undefined:
    def __repr__(self):
        return "PydanticUndefined"


PydanticUndefined = _Undefined()
_BOUNDS = ("gt", "ge", "lt", "le", "multiple_of", "min_length", "max_length", "pattern")


class ConfigDict(dict):
    pass


class FieldInfo:
    def __init__(self, default, default_factory, options):
        self.default, self.default_factory, self.options = default, default_factory, options
        self.annotation, self.description, self.title = None, options.get("description"), options.get("title")
        self.alias, self.exclude, self.frozen = options.get("alias"), options.get("exclude"), options.get("frozen")
        self.repr = options.get("repr", True)
        self.bounds = {name: options[name] for name in _BOUNDS if options.get(name) is not None}

    def is_required(self):
        return self.default is PydanticUndefined and self.default_factory is None

    def get_default(self):
        if self.default_factory is not None:
            return self.default_factory()
        return copy.deepcopy(self.default)


def Field(default=PydanticUndefined, *, default_factory=None, **options):
    return FieldInfo(PydanticUndefined if default is Ellipsis else default, default_factory, options)


class _Private:
    def __init__(self, default, factory):
        self.default, self.factory = default, factory


def PrivateAttr(default=PydanticUndefined, *, default_factory=None, init=False):
    return _Private(default, default_factory)


class _Marked:
    """A method that checks fields, or the whole object where it names none."""

    def __init__(self, method, names, mode, whole):
        self.method = getattr(method, "__func__", method)  # a class method is called with the class, as others are
        self.names, self.mode, self.whole = names, mode, whole

    def __get__(self, holder, kind=None):
        return self.method


def field_validator(*names, mode="after", check_fields=None):
    return lambda method: _Marked(method, names, mode, False)


def validator(*names, pre=False, always=False, each_item=False, allow_reuse=False):
    return field_validator(*names, mode="before" if pre else "after")


def model_validator(*, mode):
    return lambda method: _Marked(method, (), mode, True)


def root_validator(*args, pre=False, skip_on_failure=False, allow_reuse=False):
    raise NotImplementedError("root_validator() is pydantic 1's: use model_validator()")


def computed_field(func=None, **options):
    return (lambda each: each) if func is None else func


def field_serializer(*names, **options):
    raise NotImplementedError("field_serializer() does not exist here: change what model_dump() gives")


class BaseModel:
    model_config = ConfigDict()
    model_fields = {}
    _checks = ()
    _private = {}

    def __init_subclass__(cls, **options):
        own = dict(vars(cls))
        cls.model_config = ConfigDict({**cls.model_config, **own.get("model_config", {}), **options})
        inner = own.get("Config")
        if inner is not None:
            names = ("extra", "frozen", "validate_assignment", "arbitrary_types_allowed")
            cls.model_config.update({name: getattr(inner, name) for name in names if hasattr(inner, name)})
        found, private = dict(cls.model_fields), dict(cls._private)
        for name, annotation in cls.__annotations__.items():
            if name in ("model_config", "model_fields") or "ClassVar" in repr(annotation):
                continue
            default = own.get(name, PydanticUndefined)
            if name.startswith("_"):
                private[name] = default if isinstance(default, _Private) else _Private(default, None)
                continue
            info = default if isinstance(default, FieldInfo) else FieldInfo(default, None, {})
            info.annotation = annotation
            found[name] = info
            if name in own:
                delattr(cls, name)
        for name, value in own.items():
            if isinstance(value, _Private) and name not in private:
                private[name] = value
        cls.model_fields, cls._private = found, private
        checks = {each.method.__name__: each for each in cls._checks}
        checks.update({each.method.__name__: each for each in own.values() if isinstance(each, _Marked)})
        cls._checks = tuple(checks.values())

    def __init__(self, /, **data):
        kind = type(self)
        values, told, extra, wrong = kind._fitted(data)
        if wrong:
            raise ValidationError(kind.__name__, wrong)
        self._fill(values, told, extra)
        for each in kind._checks:
            if each.whole and each.mode == "after":
                try:
                    each.method(self)
                except (ValueError, AssertionError) as error:
                    raise ValidationError(kind.__name__, [Wrong.of_error(error, (), data)]) from None

    def _fill(self, values, told, extra):
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_told", told)
        object.__setattr__(self, "_extra", extra)
        for name, each in type(self)._private.items():
            value = each.factory() if each.factory is not None else copy.deepcopy(each.default)
            if value is not PydanticUndefined:
                object.__setattr__(self, name, value)
        after = getattr(self, "model_post_init", None)
        if after is not None:
            after(None)

    @classmethod
    def _hints(cls):
        if "_known" not in vars(cls):
            cls._known = {}
            for base in cls.__mro__[::-1]:
                if base is not object and base is not BaseModel and "model_fields" in vars(base):
                    cls._known.update(get_type_hints(base))
        return cls._known

    @classmethod
    def _fitted(cls, data):
        wrong, values, told = [], {}, set()
        for each in cls._checks:
            if each.whole and each.mode == "before":
                try:
                    data = each.method(cls, data)
                except (ValueError, AssertionError) as error:
                    return {}, set(), {}, [Wrong.of_error(error, (), data)]
        names, hints = set(), cls._hints()
        for name, info in cls.model_fields.items():
            key = info.alias or name
            if key not in data and cls.model_config.get("populate_by_name"):
                key = name
            names.add(key)
            if key not in data:
                if info.is_required():
                    wrong.append(Wrong("missing", (key,), "Field required", data))
                else:
                    values[name] = info.get_default()
                continue
            told.add(name)
            cls._fit_one(name, info, hints.get(name), data[key], (key,), values, wrong)
        extra = {key: value for key, value in data.items() if key not in names}
        allowed = cls.model_config.get("extra", "ignore")
        if allowed == "forbid":
            for key, value in extra.items():
                wrong.append(Wrong("extra_forbidden", (key,), "Extra inputs are not permitted", value))
        return values, told, extra if allowed == "allow" else {}, wrong

    @classmethod
    def _fit_one(cls, name, info, hint, value, place, values, wrong):
        given, before = value, len(wrong)
        checks = [each for each in cls._checks if not each.whole and (name in each.names or "*" in each.names)]
        try:
            for each in checks:
                if each.mode == "before":
                    value = _called(each, cls, value, values)
            if not any(each.mode == "plain" for each in checks):
                value = fitted(hint, value, place, wrong, info.bounds)
            if len(wrong) == before:
                for each in checks:
                    if each.mode in ("after", "plain"):
                        value = _called(each, cls, value, values)
        except (ValueError, AssertionError) as error:
            wrong.append(Wrong.of_error(error, place, given))
        if len(wrong) == before:
            values[name] = value

    def __getattr__(self, name):
        for held in (self.__dict__.get("_values", {}), self.__dict__.get("_extra", {})):
            if name in held:
                return held[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        kind = type(self)
        if name.startswith("_"):
            object.__setattr__(self, name, value)
            return
        info = kind.model_fields.get(name)
        frozen = "instance" if kind.model_config.get("frozen") else "field" if info is not None and info.frozen else ""
        if frozen:
            said = f"{frozen.capitalize()} is frozen"
            raise ValidationError(kind.__name__, [Wrong(f"frozen_{frozen}", (name,), said, value)])
        if info is None and kind.model_config.get("extra") != "allow":
            raise ValueError(f'"{kind.__name__}" object has no field "{name}"')
        if info is None:
            self._extra[name] = value
            return
        if kind.model_config.get("validate_assignment"):
            values, wrong = {}, []
            kind._fit_one(name, info, kind._hints().get(name), value, (name,), values, wrong)
            if wrong:
                raise ValidationError(kind.__name__, wrong)
            value = values[name]
        self._values[name] = value
        self._told.add(name)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(self._shown())})"

    def __str__(self):
        return " ".join(self._shown())

    def _shown(self):
        fields = type(self).model_fields
        return [f"{name}={value!r}" for name, value in self if name not in fields or fields[name].repr]

    def __iter__(self):
        return iter([*self._values.items(), *self._extra.items()])

    def __eq__(self, other):
        return (
            type(self) is type(other) and self._values == other._values
            if isinstance(other, BaseModel)
            else NotImplemented
        )

    @property
    def model_fields_set(self):
        return set(self._told)

    @property
    def model_extra(self):
        return self._extra

    def model_dump(
        self, *, mode="python", include=None, exclude=None, by_alias=False, exclude_unset=False,
        exclude_defaults=False, exclude_none=False, **options,
    ):  # fmt: skip
        rest = {"mode": mode, "by_alias": by_alias, "exclude_unset": exclude_unset}
        rest |= {"exclude_defaults": exclude_defaults, "exclude_none": exclude_none}
        found, fields = {}, type(self).model_fields
        for name, value in self:
            info = fields.get(name)
            if include is not None and name not in include:
                continue
            if exclude is not None and name in exclude and not isinstance(exclude, dict):
                continue
            if (exclude_unset and name not in self._told) or (exclude_none and value is None):
                continue
            if info is not None and (info.exclude or (exclude_defaults and value == _default_of(info))):
                continue
            found[info.alias if by_alias and info is not None and info.alias else name] = _dumped(value, rest)
        return found

    def model_dump_json(self, *, indent=None, **options):
        separators = (",", ":") if indent is None else None
        return json.dumps(
            self.model_dump(mode="json", **options), indent=indent, separators=separators, ensure_ascii=False
        )

    def dict(self, **options):
        return self.model_dump(**options)

    def json(self, **options):
        return self.model_dump_json(**options)

    def model_copy(self, *, update=None, deep=False):
        values = copy.deepcopy(self._values) if deep else dict(self._values)
        made = object.__new__(type(self))
        made._fill({**values, **(update or {})}, self._told | set(update or ()), dict(self._extra))
        return made

    def copy(self, *, update=None, deep=False):
        return self.model_copy(update=update, deep=deep)

    def __copy__(self):
        return self.model_copy()

    def __deepcopy__(self, memo):
        return self.model_copy(deep=True)

    @classmethod
    def model_validate(cls, obj, **options):
        if isinstance(obj, cls):
            return obj
        if not isinstance(obj, dict):
            said = f"Input should be a valid dictionary or instance of {cls.__name__}"
            raise ValidationError(cls.__name__, [Wrong("model_type", (), said, obj)])
        return cls(**obj)

    parse_obj = model_validate

    @classmethod
    def model_validate_json(cls, text, **options):
        return cls.model_validate(json.loads(text))

    parse_raw = model_validate_json

    @classmethod
    def model_construct(cls, _fields_set=None, **values):
        made = object.__new__(cls)
        held = {}
        for name, info in cls.model_fields.items():
            if name in values or not info.is_required():
                held[name] = values[name] if name in values else info.get_default()
        made._fill(held, set(values), {})
        return made

    @classmethod
    def model_json_schema(cls, **options):
        raise NotImplementedError("model_json_schema() does not exist here")


def _default_of(info):
    return PydanticUndefined if info.is_required() else info.get_default()


def _called(each, cls, value, values):
    code = getattr(each.method, "__code__", None)
    if code is not None and code.co_argcount > 2:
        return each.method(cls, value, _Info(values))
    return each.method(cls, value)


class _Info:
    """What a check is told beside the value: the fields before it."""

    def __init__(self, values):
        self.data = values

    def __getitem__(self, name):
        return self.data[name]

    def get(self, name, default=None):
        return self.data.get(name, default)


ValidationInfo = _Info


def _dumped(value, options):
    if isinstance(value, BaseModel):
        return value.model_dump(**options)
    if isinstance(value, dict):
        return {key: _dumped(each, options) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        made = [_dumped(each, options) for each in value]
        return made if options["mode"] == "json" else type(value)(made)
    if options["mode"] == "json" and hasattr(value, "value") and hasattr(value, "name"):
        return value.value
    return value


def create_model(name, __base__=None, **fields):
    import _python

    annotations, body = {}, {}
    for field, told in fields.items():
        annotations[field], default = told if isinstance(told, tuple) else (type(told), told)
        if default is not Ellipsis:
            body[field] = default
    return _python.new_class(name, (__base__ or BaseModel,), {**body, "__annotations__": annotations})
