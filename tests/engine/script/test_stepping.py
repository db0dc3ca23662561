"""One statement at a time: what is next, what a step did, where it may be moved."""

from __future__ import annotations

import ast

import pytest

from engine.autograd import grad_mode
from engine.errors import SourceError, Stopped
from engine.script.interpreter import Interpreter
from engine.script.reading.source import read_script


def interpret(source: str, **options) -> Interpreter:
    return Interpreter(read_script(source), **options)


def walk(interpreter: Interpreter, into: bool = False) -> list[tuple[int, int]]:
    """(depth, line) of every step to the end."""
    steps = []
    while not interpreter.finished:
        step = interpreter.step(into=into)
        assert step.error is None, step.error
        steps.append((step.depth, step.line))
    return steps


LOOP = """\
total = 0
for i in range(2):
    if i:
        total += i
print(total)
"""


def test_headers_are_statements_of_their_own() -> None:
    assert [line for _, line in walk(interpret(LOOP))] == [1, 2, 3, 2, 3, 4, 2, 5]


CALLS = """\
def f(x):
    y = x + 1
    return y
a = f(1)
f(2)
def g():
    return f(5)
b = g()
c = f(f(1)) + 1
"""


def test_over_and_into() -> None:
    assert walk(interpret(CALLS)) == [(0, 1), (0, 4), (0, 5), (0, 6), (0, 8), (0, 9)]
    interpreter = interpret(CALLS)
    assert walk(interpreter, into=True) == [
        (0, 1),
        (0, 4),
        (1, 2),
        (1, 3),
        (0, 5),
        (1, 2),
        (1, 3),
        (0, 6),
        (0, 8),
        (1, 7),
        (2, 2),
        (2, 3),
        (0, 9),
        *[(1, 2), (1, 3)] * 2,
    ]
    assert {name: interpreter.globals[name] for name in "abc"} == {"a": 2, "b": 6, "c": 4}
    assert not any(name.startswith(".") for name in interpreter.globals)


def test_try_with_and_finally_take_no_step_of_their_own() -> None:
    source = """\
try:
    1 / 0
except ZeroDivisionError as e:
    a = 1
finally:
    b = 2
c = 3
"""
    assert [line for _, line in walk(interpret(source))] == [2, 4, 6, 7]


def test_an_error_leaves_everything_where_it_was() -> None:
    interpreter = interpret("x = [1]\nx.append(missing)\ny = 2\n")
    interpreter.step()
    for _ in range(2):
        before = interpreter.position
        step = interpreter.step()
        assert step.error is not None
        assert (step.error.type, step.error.line, step.error.column, step.error.end_column) == ("NameError", 2, 10, 17)
        assert interpreter.position == before
    assert interpreter.execute("missing = 5").error is None
    assert interpreter.step().error is None
    assert interpreter.globals["x"] == [1, 5]


def test_an_error_in_a_call_unwinds_to_the_statement() -> None:
    interpreter = interpret("def f():\n    for i in range(3):\n        1 / 0\nf()\n")
    interpreter.step()
    step = interpreter.step()
    assert step.error is not None
    assert (step.line, step.error.line) == (4, 3)
    assert interpreter.position is not None
    assert (interpreter.position.line, interpreter.position.depth) == (4, 0)
    interpreter.step(into=True)
    interpreter.step()
    assert interpreter.step().error is not None
    assert interpreter.position.line == 3
    assert interpreter.depth == 1


def test_jump_and_skip() -> None:
    source = "a = 1\nfor i in range(3):\n    b = i\n    if b:\n        c = b\n    d = i\ne = 5\n"
    interpreter = interpret(source)
    loop = interpreter.script.tree.body[1]
    assert isinstance(loop, ast.For)
    with pytest.raises(ValueError, match="inside a loop"):
        interpreter.jump(loop.body[0])
    interpreter.step()
    interpreter.step()
    interpreter.jump(loop.body[2])
    interpreter.step()
    assert interpreter.globals["d"] == 0
    assert "b" not in interpreter.globals
    interpreter.jump(loop.body[0])
    interpreter.step()
    condition = loop.body[1]
    assert isinstance(condition, ast.If)
    interpreter.jump(condition.body[0])
    interpreter.step()
    assert interpreter.globals["c"] == 0
    interpreter.skip()
    assert interpreter.position is not None
    assert interpreter.position.statement is loop
    interpreter.jump(interpreter.script.tree.body[2])
    interpreter.step()
    assert interpreter.finished


def test_skip_passes_over_a_whole_loop() -> None:
    interpreter = interpret("for i in range(3):\n    a = i\nb = 2\n")
    interpreter.skip()
    assert interpreter.position is not None
    assert interpreter.position.line == 3


def test_jumping_out_of_a_with_leaves_it() -> None:
    source = """\
import torch
with torch.no_grad():
    a = 1
b = torch.is_grad_enabled()
"""
    interpreter = interpret(source)
    interpreter.step()
    interpreter.step()
    interpreter.jump(interpreter.script.tree.body[2])
    interpreter.step()
    assert interpreter.globals["b"] is True


def test_free_statements() -> None:
    interpreter = interpret("def f(x):\n    y = x * 2\n    return y\nz = f(3)\n")
    interpreter.step()
    interpreter.step(into=True)
    assert interpreter.execute("x").value == 3
    assert interpreter.execute("x = 10").error is None
    assert interpreter.execute("[x + i for i in range(2)]").value == [10, 11]
    assert interpreter.execute("(lambda k: k + x)(1)").value == 11
    walk(interpreter)
    assert interpreter.execute("z").value == 20
    failed = interpreter.execute("z + unknown").error
    assert failed is not None
    assert failed.message == "name 'unknown' is not defined"
    with pytest.raises(SourceError):
        interpreter.execute("z +")


@pytest.mark.parametrize("typed", ["global w", "w = 1\nif w:\n    global w", "nonlocal w"])
def test_nobody_types_whose_a_name_is(typed: str) -> None:
    """Python would want it before all that is done with the name: a transcript with it could not be read."""
    interpreter = Interpreter(read_script("w = 1\nglobal x\n"))
    assert interpreter.run() is None
    with pytest.raises(SourceError):
        interpreter.execute(typed)


def test_what_only_declares_does_nothing() -> None:
    script = read_script("w = 1\ndef f():\n    global w\n    w = 2\nf()\n")
    interpreter = Interpreter(script)
    assert interpreter.run() is None
    assert interpreter.perform(script.tree.body[1].body[0]).error is None  # type: ignore[attr-defined]


def test_namespace_keeps_the_order_of_binding() -> None:
    interpreter = interpret("b = 1\na = 2\nb = 3\ndef f(q):\n    pass\nf(7)\n")
    for _ in range(4):
        interpreter.step()
    assert list(interpreter.namespace()) == ["b", "a", "f"]
    interpreter.step(into=True)
    assert list(interpreter.namespace()) == ["q", "b", "a", "f"]


def test_line_is_the_innermost_line() -> None:
    lines: list[int] = []
    interpreter = interpret("def f():\n    print(1)\n\nf()\n", write=lambda text: lines.append(interpreter.line))
    walk(interpreter)
    assert set(lines) == {2}


def test_a_person_can_stop_it() -> None:
    stop = False
    interpreter = interpret("while True:\n    pass\n", should_stop=lambda: stop)
    interpreter.step()
    stop = True
    with pytest.raises(Stopped):
        interpreter.run()
    stop = False
    assert interpreter.step().error is None


def test_uncaught_error_runs_finally_only_when_the_program_ends() -> None:
    out: list[str] = []
    interpreter = interpret("try:\n    1 / 0\nfinally:\n    print('cleanup')\n", write=out.append)
    failed = interpreter.run()
    assert failed is not None
    assert out == []
    assert interpreter.position is not None
    assert interpreter.position.line == 2
    last = interpreter.end()
    assert last is not None
    assert last.type == "ZeroDivisionError"
    assert out == ["cleanup\n"]
    assert interpreter.finished


MODES = """\
import torch
@torch.no_grad()
def f(n):
    if n == 0:
        raise KeyError(n)
    return f(n - 1)
try:
    f(1)
except KeyError:
    a = torch.is_grad_enabled()
f(0)
"""


def test_a_mode_is_on_while_a_frame_of_its_function_is_on_the_stack() -> None:
    interpreter = interpret(MODES)
    seen = []
    while not seen or seen[-1][3] is None:
        error = interpreter.step(into=True).error
        position = interpreter.position
        assert position is not None
        seen.append((position.depth, position.line, grad_mode.enabled, None if error is None else error.type))
    within = [(1, 4, False, None), (1, 6, False, None), (2, 4, False, None), (2, 5, False, None)]
    caught = [(0, 10, True, None), (0, 11, True, None)]
    again = [(1, 4, False, None), (1, 5, False, None), (1, 5, False, "KeyError")]
    assert seen == [(0, 3, True, None), (0, 8, True, None), *within, *caught, *again]
    assert interpreter.execute("torch.is_grad_enabled()").value is False
    assert interpreter.end() is not None
    assert grad_mode.enabled
    assert interpreter.globals["a"] is True


ENTERED = """\
import functools
class Scale:
    def __init__(self, by):
        self.by = by
    def __call__(self, x):
        return self.by * x
double = Scale(2)
a = double(3)
part = functools.partial(Scale, 4)
b = part()
"""


def test_into_objects_and_what_makes_them() -> None:
    interpreter = interpret(ENTERED)
    steps = [(0, 1), (0, 2), (0, 7), (1, 4), (0, 8), (1, 6), (0, 9), (0, 10), (1, 4)]
    assert walk(interpreter, into=True) == steps
    assert interpreter.execute("(double.by, a, b.by)").value == (2, 6, 4)


def test_into_the_forward_of_a_module() -> None:
    source = """\
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        y = x * 2
        return y
net = Net()
out = net(torch.ones(1))
"""
    interpreter = interpret(source)
    assert walk(interpreter, into=True) == [(0, 1), (0, 2), (0, 6), (0, 7), (1, 4), (1, 5)]
    assert interpreter.execute("out.item()").value == 2.0
