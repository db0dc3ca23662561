"""Patterns of match statements. A pattern becomes `f(frame, subject, found) -> bool`; what it captures is collected in
`found` and bound only when the whole pattern fits, as in CPython."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from engine.chains import deque
from engine.script.classes.standing import meant
from engine.script.frames import Frame, current, located
from engine.script.limits import nested
from engine.script.values import attributes, operators
from engine.script.values.containers import LongRange, ScriptFrozenSet, ScriptSet

if TYPE_CHECKING:
    from engine.script.compiling.expressions import Expressions

Found = list[tuple[Callable[[Frame, Any], None], Any]]
Matches = Callable[[Frame, Any, Found], bool]

SEQUENCES = (list, tuple, range, LongRange, deque)
WHOLE = (bool, bytes, dict, float, int, list, str, tuple, ScriptSet, ScriptFrozenSet)
"""Classes whose one positional pattern is matched against the value itself."""


def pattern(node: ast.pattern, scope: Expressions) -> Matches:
    """The closure for `node`."""
    match node:
        case ast.MatchValue(value=value):
            evaluate = scope.expression(value)
            return lambda frame, subject, found: bool(nested.equal(subject, evaluate(frame)))
        case ast.MatchSingleton(value=constant):
            return lambda frame, subject, found: subject is constant
        case ast.MatchSequence(patterns=patterns):
            return _sequence(patterns, scope)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
            return _mapping(keys, patterns, rest, scope)
        case ast.MatchClass():
            return _class(node, scope)
        case ast.MatchOr(patterns=patterns):
            return _either([pattern(each, scope) for each in patterns])
        case ast.MatchAs(pattern=inner, name=name):
            return _capture(pattern(inner, scope) if inner is not None else None, name, scope)
        case _:
            raise AssertionError(node)


def _capture(inner: Matches | None, name: str | None, scope: Expressions) -> Matches:
    store = scope._store_name(name) if name is not None else None

    def run(frame: Frame, subject: Any, found: Found) -> bool:
        if inner is not None and not inner(frame, subject, found):
            return False
        if store is not None:
            found.append((store, subject))
        return True

    return run


def _either(parts: list[Matches]) -> Matches:
    def run(frame: Frame, subject: Any, found: Found) -> bool:
        kept = len(found)
        for part in parts:
            if part(frame, subject, found):
                return True
            del found[kept:]
        return False

    return run


def _sequence(patterns: list[ast.pattern], scope: Expressions) -> Matches:
    star = next((i for i, each in enumerate(patterns) if isinstance(each, ast.MatchStar)), None)
    rest = patterns[star] if star is not None else None
    name = rest.name if isinstance(rest, ast.MatchStar) else None
    store = scope._store_name(name) if name is not None else None
    parts = [pattern(each, scope) for each in patterns if not isinstance(each, ast.MatchStar)]
    count = len(parts)
    before = count if star is None else star

    def run(frame: Frame, subject: Any, found: Found) -> bool:
        if not isinstance(subject, SEQUENCES):
            return False
        length = len(subject)
        if length < count or (star is None and length > count):
            return False
        if not all(part(frame, subject[i], found) for i, part in enumerate(parts[:before])):
            return False
        if store is not None:
            machine = current.machine
            operators.check_length(length - count, list)
            machine.count(length - count)
            found.append((store, [subject[i] for i in range(before, length - count + before)]))
        return all(part(frame, subject[i - count + length], found) for i, part in enumerate(parts) if i >= before)

    return run


def _mapping(keys: list[ast.expr], patterns: list[ast.pattern], rest: str | None, scope: Expressions) -> Matches:
    pairs = [(scope.expression(key), pattern(each, scope)) for key, each in zip(keys, patterns, strict=True)]
    store = scope._store_name(rest) if rest is not None else None

    def run(frame: Frame, subject: Any, found: Found) -> bool:
        if not isinstance(subject, dict):
            return False
        used = []
        for key, part in pairs:
            name = key(frame)
            if name not in subject or not part(frame, subject[name], found):
                return False
            used.append(name)
        if store is not None:
            current.machine.count(len(subject))
            found.append((store, {name: value for name, value in subject.items() if name not in used}))
        return True

    return run


def _class(node: ast.MatchClass, scope: Expressions) -> Matches:
    kind, where = scope.expression(node.cls), scope.where(node.cls)
    positional = [pattern(each, scope) for each in node.patterns]
    named = [(name, pattern(each, scope)) for name, each in zip(node.kwd_attrs, node.kwd_patterns, strict=True)]

    def names(wanted: type) -> tuple[Any, ...]:
        listed: Any = ()
        for each in wanted.__mro__:
            if attributes.is_script_class(each) and "__match_args__" in each.__dict__:
                listed = each.__dict__["__match_args__"]
                break
        if len(listed) < len(positional):
            allowed = 1 if wanted in WHOLE else len(listed)
            raise TypeError(
                f"{wanted.__name__}() accepts {allowed} positional sub-pattern"
                f"{'s' * (allowed != 1)} ({len(positional)} given)"
            )
        return tuple(listed)

    def run(frame: Frame, subject: Any, found: Found) -> bool:
        try:
            wanted = meant(kind(frame))
            if not isinstance(wanted, type):
                raise TypeError("called match pattern must be a type")
            if not isinstance(subject, wanted) or (wanted is ScriptSet and isinstance(subject, ScriptFrozenSet)):
                return False
            whole = wanted in WHOLE and len(positional) == 1
            if whole:
                if not positional[0](frame, subject, found):
                    return False
                parts = named
            else:
                parts = [*zip(names(wanted) if positional else (), positional, strict=False), *named]
            for name, part in parts:
                try:
                    value = attributes.get(subject, name)
                except AttributeError:
                    return False
                if not part(frame, value, found):
                    return False
            return True
        except BaseException as error:
            located(error, where)
            raise

    return run
