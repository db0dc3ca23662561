# type: ignore
"""attr.validators: what may stand in a field."""

import operator
import re


def _checks(holds, said, kind=ValueError):
    """A validator: `holds(value)`, or an error that says `said(attribute, value)`."""

    def validate(inst, attribute, value):
        if not holds(value):
            raise kind(said(attribute, value))

    return validate


def instance_of(type):
    def validate(inst, attribute, value):
        if not isinstance(value, type):
            said = f"{attribute.name!r} must be {type!r} (got {value!r} that is a {value.__class__!r})."
            raise TypeError(said, attribute, type, value)

    return validate


def in_(options):
    def validate(inst, attribute, value):
        try:
            found = value in options
        except TypeError:
            found = False
        if not found:
            said = f"{attribute.name!r} must be in {options!r} (got {value!r})"
            raise ValueError(said, attribute, options, value)

    return validate


def _compared(sign, holds):
    def made(bound):
        return _checks(
            lambda value: holds(value, bound), lambda each, value: f"{each.name!r} must be {sign} {bound}: {value}"
        )

    return made


lt, le = _compared("<", operator.lt), _compared("<=", operator.le)
gt, ge = _compared(">", operator.gt), _compared(">=", operator.ge)


def optional(validator):
    inner = and_(*validator) if isinstance(validator, (list, tuple)) else validator

    def validate(inst, attribute, value):
        if value is not None:
            inner(inst, attribute, value)

    return validate


def and_(*validators):
    def validate(inst, attribute, value):
        for each in validators:
            each(inst, attribute, value)

    return validate


def or_(*validators):
    def validate(inst, attribute, value):
        for each in validators:
            try:
                each(inst, attribute, value)
            except Exception:
                continue
            return
        raise ValueError(f"None of {validators!r} satisfied for value {value!r}")

    return validate


def not_(validator, *, msg=None, exc_types=(ValueError, TypeError)):
    def validate(inst, attribute, value):
        try:
            validator(inst, attribute, value)
        except exc_types:
            return
        raise ValueError(msg or f"not_ validator child '{validator!r}' did not raise a captured error")

    return validate


def is_callable():
    return _checks(
        callable,
        lambda each, value: f"'{each.name}' must be callable (got {value!r} that is a {type(value)!r}).",
        TypeError,
    )


def matches_re(regex, flags=0, func=None):
    return _checks(
        lambda value: (func or re.fullmatch)(regex, value, flags),
        lambda each, value: f"{each.name!r} must match regex {regex!r} ({value!r} doesn't)",
    )


def max_len(length):
    return _checks(
        lambda value: len(value) <= length,
        lambda each, value: f"Length of '{each.name}' must be <= {length}: {len(value)}",
    )


def min_len(length):
    return _checks(
        lambda value: len(value) >= length,
        lambda each, value: f"Length of '{each.name}' must be >= {length}: {len(value)}",
    )


def deep_iterable(member_validator, iterable_validator=None):
    member = and_(*member_validator) if isinstance(member_validator, (list, tuple)) else member_validator

    def validate(inst, attribute, value):
        if iterable_validator is not None:
            iterable_validator(inst, attribute, value)
        for each in value:
            member(inst, attribute, each)

    return validate
