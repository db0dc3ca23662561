# type: ignore
"""Values made what an annotation says, or told to be wrong, for pydantic."""

import re
from typing import Any, Literal, Union, get_args, get_origin

from pydantic._wrong import Wrong

_TRUE, _FALSE = {"true", "t", "yes", "y", "on", "1"}, {"false", "f", "no", "n", "off", "0"}


def fitted(kind, value, place, wrong, bounds=None):
    """`value` as `kind`. What is wrong is added to `wrong`."""
    before = len(wrong)
    found = _fitted(kind, value, place, wrong)
    if len(wrong) == before and bounds and found is not None:
        _check_bounds(found, bounds, place, value, wrong)
    return found


def _check_bounds(found, bounds, place, value, wrong):
    for name, code, said, holds in (
        ("gt", "greater_than", "greater than", lambda x, y: x > y),
        ("ge", "greater_than_equal", "greater than or equal to", lambda x, y: x >= y),
        ("lt", "less_than", "less than", lambda x, y: x < y),
        ("le", "less_than_equal", "less than or equal to", lambda x, y: x <= y),
        ("multiple_of", "multiple_of", "a multiple of", lambda x, y: x % y == 0),
    ):
        if name in bounds and not holds(found, bounds[name]):
            wrong.append(Wrong(code, place, f"Input should be {said} {bounds[name]}", value))
            return
    if "min_length" in bounds or "max_length" in bounds:
        _check_length(found, bounds, place, value, wrong)
    if "pattern" in bounds and not re.search(bounds["pattern"], found):
        wrong.append(
            Wrong("string_pattern_mismatch", place, f"String should match pattern '{bounds['pattern']}'", value)
        )


def _check_length(found, bounds, place, value, wrong):
    text = isinstance(found, str)
    for name, word, short in (("min_length", "at least", "short"), ("max_length", "at most", "long")):
        count = bounds.get(name)
        if count is None or (len(found) >= count if name == "min_length" else len(found) <= count):
            continue
        plural = "" if count == 1 else "s"
        if text:
            said = f"String should have {word} {count} character{plural}"
        else:
            title = type(found).__name__.capitalize()
            said = f"{title} should have {word} {count} item{plural} after validation, not {len(found)}"
        wrong.append(Wrong(f"{'string' if text else 'too'}_{'too_' if text else ''}{short}", place, said, value))


def _fitted(kind, value, place, wrong):
    if kind is None or kind is Any or isinstance(kind, str):
        return value
    origin = get_origin(kind)
    if origin is not None:
        return _generic(kind, origin, value, place, wrong)
    if kind in _PLAIN:
        return _PLAIN[kind](value, place, wrong)
    if kind in _CONTAINERS:
        return _items(kind, (), value, place, wrong)
    if getattr(kind, "__name__", "") == "NoneType":
        return value if value is None else _add(wrong, "none_required", place, "Input should be None", value)
    limits = getattr(kind, "_limits", None)
    if limits is not None:
        return fitted(kind._of, value, place, wrong, limits)
    if not isinstance(kind, type):
        return value
    if hasattr(kind, "model_fields"):
        if isinstance(value, kind):
            return value
        if not isinstance(value, dict):
            said = f"Input should be a valid dictionary or instance of {kind.__name__}"
            return _add(wrong, "model_type", place, said, value)
        values, told, extra, inner = kind._fitted(value)
        for each in inner:
            each.place = (*place, *each.place)
            wrong.append(each)
        return None if inner else kind(**value)
    if hasattr(kind, "__members__"):
        try:
            return value if isinstance(value, kind) else kind(value)
        except ValueError:
            options = [repr(each.value) for each in kind]
            return _add(wrong, "enum", place, f"Input should be {_choice(options)}", value)
    if isinstance(value, kind):
        return value
    if kind.__name__ in ("Path", "PosixPath") and isinstance(value, str):
        return kind(value)
    return _add(wrong, "is_instance_of", place, f"Input should be an instance of {kind.__name__}", value)


def _add(wrong, code, place, said, value):
    wrong.append(Wrong(code, place, said, value))


def _choice(options):
    return options[0] if len(options) == 1 else f"{', '.join(options[:-1])} or {options[-1]}"


def _generic(kind, origin, value, place, wrong):
    args = get_args(kind)
    name = repr(origin)
    if origin is Literal:
        for each in args:
            if value == each and type(value) is type(each):
                return each
        return _add(wrong, "literal_error", place, f"Input should be {_choice([repr(a) for a in args])}", value)
    if origin is Union or "UnionType" in name:
        return _one_of(args, value, place, wrong)
    if "Annotated" in name:
        limits = {}
        for each in args[1:]:
            limits.update(getattr(each, "bounds", {}))
        return fitted(args[0], value, place, wrong, limits)
    if origin in _CONTAINERS:
        return _items(origin, args, value, place, wrong)
    return value


def _one_of(args, value, place, wrong):
    kinds = [each for each in args if getattr(each, "__name__", "") != "NoneType"]
    if value is None and len(kinds) < len(args):
        return None
    for each in kinds:  # what fits as it is comes first
        if isinstance(each, type) and type(value) is each:
            return value
    failures = []
    for each in kinds:
        mine = []
        label = () if len(kinds) == 1 else (each.__name__ if isinstance(each, type) else str(each),)
        found = _fitted(each, value, (*place, *label), mine)
        if not mine:
            return found
        failures += mine
    wrong.extend(failures)
    return None


def _items(kind, args, value, place, wrong):
    name = kind.__name__
    if kind is dict:
        if not isinstance(value, dict):
            return _add(wrong, "dict_type", place, "Input should be a valid dictionary", value)
        keys, values = args or (Any, Any)
        return {
            _fitted(keys, key, (*place, key, "[key]"), wrong): _fitted(values, each, (*place, key), wrong)
            for key, each in value.items()
        }
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        return _add(wrong, f"{name}_type", place, f"Input should be a valid {name}", value)
    if kind is tuple and args and args[-1] is not Ellipsis:
        given = [*value]
        if len(given) != len(args):
            if len(given) < len(args):
                return _add(wrong, "missing", (*place, len(given)), "Field required", value)
            said = (
                f"Tuple should have at most {len(args)} item{'s' * (len(args) != 1)} after validation, not {len(given)}"
            )
            return _add(wrong, "too_long", place, said, value)
        return tuple([_fitted(a, each, (*place, i), wrong) for i, (a, each) in enumerate(zip(args, given))])
    inner = args[0] if args else Any
    return kind([_fitted(inner, each, (*place, i), wrong) for i, each in enumerate(value)])


def _parsed(kind, said, text, place, wrong):
    try:
        return kind(text.strip())
    except ValueError:
        return _add(wrong, f"{kind.__name__}_parsing", place, f"Input should be a valid {said}", text)


def _as_int(value, place, wrong):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        if value.is_integer():
            return int(value)
        said = "Input should be a valid integer, got a number with a fractional part"
        return _add(wrong, "int_from_float", place, said, value)
    if isinstance(value, str):
        return _parsed(int, "integer, unable to parse string as an integer", value, place, wrong)
    if hasattr(value, "__index__"):
        return int(value)
    return _add(wrong, "int_type", place, "Input should be a valid integer", value)


def _as_float(value, place, wrong):
    if isinstance(value, float):
        return value
    if isinstance(value, (int, bool)):
        return float(value)
    if isinstance(value, str):
        return _parsed(float, "number, unable to parse string as a number", value, place, wrong)
    if hasattr(value, "__float__"):
        return float(value)
    return _add(wrong, "float_type", place, "Input should be a valid number", value)


def _as_text(value, place, wrong):
    if isinstance(value, str):
        return value
    return _add(wrong, "string_type", place, "Input should be a valid string", value)


def _as_bool(value, place, wrong):
    if isinstance(value, bool):
        return value
    if value in (0, 1) and isinstance(value, (int, float)):
        return bool(value)
    if isinstance(value, str):
        if value.lower() in _TRUE or value.lower() in _FALSE:
            return value.lower() in _TRUE
        said = "Input should be a valid boolean, unable to interpret input"
        return _add(wrong, "bool_parsing", place, said, value)
    return _add(wrong, "bool_type", place, "Input should be a valid boolean", value)


_PLAIN = {int: _as_int, float: _as_float, str: _as_text, bool: _as_bool}
_CONTAINERS = (list, tuple, set, frozenset, dict)


class PositiveInt:
    _of, _limits = int, {"gt": 0}


class NonNegativeInt:
    _of, _limits = int, {"ge": 0}


class PositiveFloat:
    _of, _limits = float, {"gt": 0}


class NonNegativeFloat:
    _of, _limits = float, {"ge": 0}


def _limited(kind):
    def made(**limits):
        return type(f"Constrained{kind.__name__.capitalize()}", (), {"_of": kind, "_limits": limits})

    return made


conint, confloat, constr = _limited(int), _limited(float), _limited(str)


def conlist(item_type, *, min_length=None, max_length=None):
    limits = {"min_length": min_length, "max_length": max_length}
    return type(
        "ConstrainedList", (), {"_of": list[item_type], "_limits": {k: v for k, v in limits.items() if v is not None}}
    )
