"""What runs often is made into one function. It can be told from the statements one by one only by its speed."""

from __future__ import annotations

import sys

import pytest

from engine.replay import entering
from engine.script.compiling import native
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.reading.source import read_script

LOOP = """
total = 0
kept = []
for i in range(12):
    if i % 3 == 0:
        kept.append(i)
        continue
    total = total + i * 2.5
    for j in range(i):
        total -= j
print(total, kept, i, j)
"""


def finish(steps: int) -> tuple[str, dict[str, object]]:
    """The output and the variables when `steps` statements are stepped through and the rest runs."""
    out: list[str] = []
    interpreter = Interpreter(read_script(LOOP), write=out.append)
    for _ in range(steps):
        interpreter.step()
    assert interpreter.run() is None
    return "".join(out), dict(interpreter.globals)


@pytest.mark.parametrize("steps", range(0, 60, 3))
def test_the_rest_runs_from_wherever_one_has_stepped_to(steps: int) -> None:
    assert finish(steps) == finish(0)


def test_a_loop_is_made_into_one_function(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    make = native._Region.make
    monkeypatch.setattr(native._Region, "make", lambda region, last: made.append(region) or make(region, last))
    finish(0)
    assert len(made) == 1


@pytest.mark.parametrize(
    "text",
    [
        "for i in range(2):\n    x = x + {n}",
        "def f{n}(a):\n    return a + {n}\nx = f{n}(x)",
        "for i in range(2):\n    loss = (w * {n}).sum()\n    loss.backward()",
    ],
)
def test_twice_as_many_loops_take_twice_as_long(text: str) -> None:
    def calls(times: int) -> int:
        start = "import torch\nw = torch.ones(2, requires_grad=True)\nx = 0\n"
        interpreter = Interpreter(read_script(start + "\n".join(text.format(n=n) for n in range(times))))
        count = 0

        def counted(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(counted)
        try:
            assert entering.run(interpreter) is None
        finally:
            sys.setprofile(None)
        return count

    calls(1)  # what is imported when it is first asked for
    few, more, most = calls(40), calls(80), calls(160)
    assert most - more < 2.2 * (more - few)


def test_where_a_loop_fails_the_frame_stands_at_the_statement_and_goes_on() -> None:
    source = "a = [1, 2]\nfor i in range(3):\n    x = i\n    y = a[i] + 1\nprint(x, y)\n"
    interpreter = Interpreter(read_script(source))
    failed = interpreter.run()
    assert failed is not None
    assert (failed.type, failed.line, failed.column) == ("IndexError", 4, 9)
    assert interpreter.position is not None
    assert interpreter.position.line == 4
    assert interpreter.globals["x"] == 2
    interpreter.execute("a.append(5)")
    out: list[str] = []
    interpreter.machine.write_out = out.append
    assert interpreter.run() is None
    assert out == ["2 6\n"]


def test_steps_are_counted_and_limits_name_the_line() -> None:
    source = "x = 0\nwhile True:\n    x = x + 1\n    if x < 0:\n        break\n"
    interpreter = Interpreter(read_script(source), limits=Limits(steps=10_000))
    failed = interpreter.run()
    assert failed is not None
    assert failed.limit == "steps"
    assert 2 <= failed.line <= 4
    assert 2_000 < interpreter.globals["x"] < 10_000


@pytest.mark.parametrize(
    ("source", "column"),
    [
        ("for i in range(2):\n    x = 1 + missing\n", 13),
        ("for i in range(2):\n    x = (i + 1) * 'é' + i\n", 9),
        ("for i in range(2):\n    x = 5 < 'a'\n", 9),
        ("for i in range(2):\n    x = i.nope + 1\n", 9),
        ("for i in range(2):\n    x = 2 + int('z')\n", 13),
        ("for i in range(2):\n    'é'; x = [0][i + 5]\n", 14),
    ],
)
def test_errors_are_where_a_debugger_finds_them(source: str, column: int) -> None:
    at_once = Interpreter(read_script(source)).run()
    stepped = Interpreter(read_script(source))
    while (step := stepped.step()).error is None:
        pass
    assert at_once is not None
    assert (at_once.type, at_once.message) == (step.error.type, step.error.message)
    assert (at_once.line, at_once.column, at_once.end_column) == (
        step.error.line,
        step.error.column,
        step.error.end_column,
    )
    assert at_once.column == column


def test_operands_on_the_right_of_operands_are_translated_once() -> None:
    source = "for i in range(3):\n    x = " + "i - (" * 80 + "i" + ")" * 80 + "\nprint(x)\n"
    out: list[str] = []
    assert Interpreter(read_script(source), write=out.append).run() is None
    assert out == ["2\n"]


def test_loops_nested_as_deep_as_python_allows_run() -> None:
    source = "n = 0\n" + "".join("    " * i + f"for v{i} in range(1):\n" for i in range(20)) + "    " * 20 + "n += 1\n"
    interpreter = Interpreter(read_script(source))
    assert interpreter.run() is None
    assert interpreter.globals["n"] == 1
