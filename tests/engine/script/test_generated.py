"""Programs put together at random: the same end in CPython and in the interpreter, whatever they do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.script.compare import in_cpython, in_interpreter

NAMES = st.sampled_from(["a", "b", "c", "f"])
ATOMS = st.one_of(
    NAMES, st.sampled_from(["0", "1", "2.5", "-3", "'s'", "[1, 2]", "(1, 'x')", "{'k': 1}", "None", "True", "[]", "''"])
)
OPERATORS = st.sampled_from(["+", "-", "*", "/", "//", "%", "==", "<", ">=", "in", "and", "or", "is", "&", "|"])
SLICES = st.sampled_from(["1:", ":-1", "::-1", "::2", "5:0:-2", "0:1"])
METHODS = st.sampled_from(["append", "extend", "index", "count", "get", "pop", "setdefault", "join", "split", "send"])


def bigger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, OPERATORS, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        st.tuples(inner, inner).map(lambda t: f"{t[0]}[{t[1]}]"),
        st.tuples(inner, inner).map(lambda t: f"[x for x in {t[0]} if {t[1]}]"),
        st.tuples(NAMES, inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"[{t[0]}, *{t[1]}]"),
        inner.map(lambda e: f"(lambda y: {e})(1)"),
        inner.map(lambda e: f"len({e})"),
        inner.map(lambda e: f"f'{{{e}}}'" if "'" not in e and "{" not in e else f"str({e})"),
        inner.map(lambda e: f"(not {e})"),
        inner.map(lambda e: f"sorted({e})"),
        st.tuples(inner, SLICES).map(lambda t: f"({t[0]})[{t[1]}]"),
        inner.map(lambda e: f"('%s' % ({e},) != '')"),
        inner.map(lambda e: f"hasattr({e}, '__iter__')"),
        st.tuples(inner, METHODS, inner).map(lambda t: f"({t[0]}).{t[1]}({t[2]})"),
        st.tuples(NAMES, inner).map(lambda t: f"({t[0]} := {t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"{{{t[0]}: {t[1]}}}"),
    )


EXPRESSIONS = st.recursive(ATOMS, bigger, max_leaves=5)


def indented(block: list[str]) -> str:
    return "\n".join("    " + line for statement in block for line in statement.split("\n"))


def nested(block: str) -> str:
    return "\n".join("    " + line for line in block.split("\n"))


TARGETS = st.sampled_from(["", " as c", " as (a, b)", " as a[0]", " as f.x"])


def blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(indented)
    return st.one_of(
        st.tuples(EXPRESSIONS, body, body).map(lambda t: f"if {t[0]}:\n{t[1]}\nelse:\n{t[2]}"),
        st.tuples(NAMES, EXPRESSIONS, body, body).map(lambda t: f"for {t[0]} in {t[1]}:\n{t[2]}\nelse:\n{t[3]}"),
        st.tuples(body, body, body).map(
            lambda t: f"try:\n{t[0]}\nexcept (TypeError, KeyError) as b:\n{t[1]}\nfinally:\n{t[2]}"
        ),
        st.tuples(EXPRESSIONS, body).map(lambda t: f"def f(c=1):\n{t[1]}\n    return {t[0]}"),
        body.map(lambda t: f"for a in range(2):\n{t}\n    if a: continue\n    break"),
        st.tuples(body, EXPRESSIONS).map(lambda t: f"def f(c):\n{t[0]}\n    yield {t[1]}\n    yield c"),
        st.tuples(EXPRESSIONS, TARGETS, body).map(lambda t: f"with P({t[0]}), P('s'){t[1]}:\n{t[2]}"),
        st.tuples(EXPRESSIONS, TARGETS, body).map(lambda t: f"with P('s'){t[1]}, P({t[0]}):\n{t[2]}"),
        st.tuples(body, EXPRESSIONS).map(
            lambda t: (
                f"def f(c):\n    b = yield\n{t[0]}\n    return (yield {t[1]})\n"
                "f = f(0)\nprint(next(f) is None, f.send(1) is None, f.send(2))"
            )
        ),
        st.tuples(EXPRESSIONS, body, body).map(
            lambda t: f"match {t[0]}:\n    case [a, *_] | {{'k': a}}:\n{nested(t[1])}\n    case _:\n{nested(t[2])}"
        ),
    )


SIMPLE = st.one_of(
    st.tuples(NAMES, EXPRESSIONS).map(lambda t: f"{t[0]} = {t[1]}"),
    st.tuples(NAMES, st.sampled_from(["+=", "-=", "*="]), EXPRESSIONS).map(lambda t: f"{t[0]} {t[1]} {t[2]}"),
    st.tuples(NAMES, NAMES, EXPRESSIONS).map(lambda t: f"{t[0]}, {t[1]} = {t[2]}"),
    EXPRESSIONS.map(lambda e: f"print({e} is None)"),
    EXPRESSIONS.map(lambda e: f"assert {e}"),
    NAMES.map(lambda n: f"del {n}"),
    st.just("pass"),
)
MANAGER = """class P:
    def __init__(self, x): self.x = x
    def __enter__(self): print("enter"); return self.x
    def __exit__(self, kind, value, trace):
        print("exit", kind and kind.__name__, self.x == "s")
        return self.x == "s"
"""
PROGRAMS = st.lists(st.recursive(SIMPLE, blocks, max_leaves=6), min_size=1, max_size=6).map(
    lambda lines: MANAGER + "a, b, c = 1, 'two', [3]\n" + "\n".join(lines) + "\n"
)


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, deadline=None)
@given(PROGRAMS)
def test_generated_programs_end_alike(source: str) -> None:
    wanted = in_cpython(source)
    if wanted.type not in ("SyntaxError", "RecursionError"):
        assert in_interpreter(source) == wanted
        assert in_interpreter(source, into=True) == wanted
