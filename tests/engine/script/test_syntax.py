"""Syntax errors are CPython's: the same kind, words, line and column."""

from __future__ import annotations

import pytest

from engine.errors import SourceError
from engine.script.reading.source import read_script
from tests.engine.script.compare import in_interpreter

BROKEN = (
    "x = = 1\n",
    "for i in range(3)\n    pass\n",
    "if x:\npass\n",
    "if x = 1:\n    pass\n",
    "print 'a'\n",
    "loss = (a,\n",
    "s = 'abc\n",
    "f(a=1, 2)\n",
    "x = “a”\n",
    "f'{x'\n",
    "def f():\n\tx = 1\n        y = 2\n",
    "return 1\n",
    "for i in x:\n    pass\nbreak\n",
    "class A:\n    return 1\n",
    "while True:\n    def f():\n        continue\n",
    "def f(a, a):\n    pass\n",
    "def f():\n    print(x)\n    global x\n",
    "def f():\n    nonlocal x\n",
    "def f(x):\n    global x\n",
    "x = 1\nf(a=1, a=2)\n",
    "x = *a\n",
    "try:\n    pass\nexcept:\n    pass\nexcept ValueError:\n    pass\n",
    "def f():\n    await x\n",
)


@pytest.mark.parametrize("source", BROKEN)
def test_the_same_as_cpython(source: str) -> None:
    with pytest.raises(SyntaxError) as theirs:
        compile(source, "script.py", "exec")
    with pytest.raises(SourceError) as ours:
        read_script(source)
    expected, found = theirs.value, ours.value
    assert (found.kind, found.message) == (type(expected).__name__, expected.msg)
    assert (found.line, found.column) == (expected.lineno, expected.offset)


@pytest.mark.parametrize(
    "source",
    [
        "async def f():\n    for i in range(3):\n        pass\n",
        "if False:\n    try:\n        while 1:\n            pass\n    except* ValueError:\n        pass\n",
    ],
)
def test_loops_inside_of_what_is_not_supported_do_not_keep_a_script_from_running(source: str) -> None:
    ending = in_interpreter("print(1)\n" + source)
    assert ending.stdout == "1\n"
