"""Each budget ends a script that would use it up, before the damage, naming itself and the line; nothing in the script
can catch that."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import LimitExceeded, SourceError
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.limits.watch import OutOfTime, _without_limits
from engine.script.reading.source import read_script
from engine.script.surface import numpy, searching
from tests.selection import some

HOGS: list[tuple[str, str]] = [
    tuple(part.split(": ", 1)) for part in (Path(__file__).parent / "hogs.txt").read_text().split("---\n")
]
SMALL = Limits(time=0.4, memory=256 << 20, output_bytes=1 << 20, container_items=200_000, string_chars=1_000_000)


@pytest.mark.parametrize("hog", some(HOGS, 3), ids=lambda hog: f"{hog[0]}-{hog[1].strip().splitlines()[-1][:50]}")
def test_budget_ends_the_script(hog: tuple[str, str]) -> None:
    name, source = hog
    limits = SMALL if name == "time" else replace(SMALL, time=60.0)
    interpreter = Interpreter(read_script(source), limits=limits)
    failed = interpreter.run()
    assert failed is not None
    assert failed.limit == name, failed
    assert name in failed.message
    assert 1 <= failed.line <= source.count("\n") + 1


def test_steps() -> None:
    interpreter = Interpreter(read_script("while True: pass"), limits=Limits(steps=10_000))
    for _ in range(100_000):
        step = interpreter.step()
        if step.error is not None:
            break
    assert step.error is not None
    assert step.error.limit == "steps"


@pytest.mark.parametrize("way", ["run", "step", "execute"])
@pytest.mark.parametrize("source", ["while True: pass", "1 / 0"])
def test_the_watch_may_raise_while_another_error_is_on_its_way_out(
    source: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    interpreter = Interpreter(read_script(source), limits=Limits(steps=1000))
    tell, late = interpreter._failed, [OutOfTime()]

    def telling(error, info):
        if late:
            raise late.pop()
        return tell(error, info)

    monkeypatch.setattr(interpreter, "_failed", telling)
    failed = None
    while failed is None:
        failed = (
            interpreter.run()
            if way == "run"
            else (interpreter.execute(source) if way == "execute" else interpreter.step()).error
        )
    assert (failed.type, failed.limit, failed.line) == ("LimitExceeded", "time", 1)


def test_the_watch_raises_once_more_when_a_finalizer_drops_what_it_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python ignores an exception in `__del__`, says so, and goes on. (pytest would hold it, to tell of it later.)"""
    monkeypatch.setattr(sys, "unraisablehook", lambda told: None)
    dropped = []

    class Finalized:
        def __del__(self) -> None:
            try:
                while True:
                    pass
            except OutOfTime:
                dropped.append(True)
                raise

    def host() -> str:
        Finalized()
        for _ in range(500_000_000):
            pass
        return "as if there were no limit"

    interpreter = Interpreter(read_script("host()"), limits=Limits(time=0.1))
    interpreter.globals["host"] = host
    failed = interpreter.run()
    assert dropped
    assert failed is not None
    assert (failed.type, failed.limit, failed.line) == ("LimitExceeded", "time", 1)


def test_the_alarm_of_a_search_rings_again_when_a_finalizer_drops_what_it_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "unraisablehook", lambda told: None)
    monkeypatch.setattr(searching, "AGAIN", 0.1)
    dropped = []

    class Finalized:
        def __del__(self) -> None:
            try:
                while True:
                    pass
            except LimitExceeded:
                dropped.append(True)
                raise

    def host() -> str:
        with searching.bounded():
            Finalized()
            for _ in range(500_000_000):
                pass
        return "as if there were no limit"

    interpreter = Interpreter(read_script("host()"), limits=Limits(time=0.2))
    interpreter.globals["host"] = host
    failed = interpreter.run()
    assert dropped
    assert failed is not None
    assert (failed.type, failed.limit, failed.line) == ("LimitExceeded", "time", 1)


@pytest.mark.parametrize(
    "search",
    [
        "re.search('a.*b', text)",
        "re.findall('(?x) a .* b # c', text)",
        "re.split(b'a.*b', text.encode())",
        "re.sub('(?i:A).*b', '', text)",
    ],
)
def test_a_search_through_a_long_text_comes_to_an_end(search: str) -> None:
    """The host counts its steps anew at each place: it would not look for the alarm before the day is over."""
    failed = Interpreter(read_script(f"import re\ntext = 'a' * 100_000\n{search}"), limits=Limits(time=0.2)).run()
    assert failed is not None
    assert (failed.type, failed.limit, failed.line) == ("LimitExceeded", "time", 3)


def test_what_the_watch_raises_in_a_finalizer_is_not_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", _without_limits(told.append))

    class Finalized:
        def __init__(self, error: BaseException) -> None:
            self.error = error

        def __del__(self) -> None:
            raise self.error

    Finalized(OutOfTime())
    assert not told
    Finalized(ValueError())
    assert len(told) == 1


def test_a_product_of_matrices_where_little_memory_is_left_ends() -> None:
    """In a process of its own: the library behind the products keeps what it was given once."""
    source = (
        "import numpy as np\nheld = [np.empty(170 << 17) for i in range(4)]\nwide = np.ones((300, 300))\n"
        "while True: held.append(wide @ wide)"
    )
    program = (
        "from engine.script.interpreter import Interpreter\nfrom engine.script.limits import Limits\n"
        "from engine.script.reading.source import read_script\n"
        f"failed = Interpreter(read_script({source!r}), limits=Limits(memory=512 << 20, time=5.0)).run()\n"
        "print(failed.limit, failed.line)"
    )
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # as in the workers: with more, the library ends the process
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=alone)
    assert (done.stdout, done.stderr) == ("memory 4\n", "")


@pytest.mark.parametrize(
    "source",
    some(
        [
            "sorted([s, t] * 10**6)",
            "max([s, t] * 10**6)",
            "[s] * 10**6 == [t] * 10**6",
            "t[1:] + 'b' in [s] * 10**6",
            "([s] * 10**6).count(t)",
            "([s] * 10**6).index(t[1:] + 'b')",
            "([s] * 10**6).remove(t[1:] + 'b')",
            "s.startswith((t[1:] + 'b',) * 10**6)",
            "{s}.intersection([t] * 10**6)",
            "{s: 1}.keys() & ([t] * 10**6)",
            "sum([3**63000] * 5_000_000)",
        ],
        3,
    ),
)
def test_long_values_are_compared_in_steps_that_can_be_ended(source: str) -> None:
    """The host compares texts of as many characters to their ends, millions of times in one step: it would take hours.
    What is done sooner is done again until the time is up."""
    given = f"s = 'a' * 10**7\nt = 'a' * 10**7\nwhile True:\n    {source}"
    failed = Interpreter(read_script(given), limits=Limits(time=0.3)).run()
    assert failed is not None
    assert (failed.limit, failed.line) in {("time", 3), ("time", 4)}


@pytest.mark.parametrize(("asked", "few"), [(2, 2), (-3, -3), (10**9, 400), (-(10**9), -400), (10**12, 10**12)])
def test_numpy_multiplies_by_so_few_tens_in_a_rounding(asked: int, few: int) -> None:
    assert numpy.few(asked) == few


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "lambda: " * 80 + "1",
        "x = " + "(lambda: [" * 20 + "1" + " for a in b])" * 20,
        "x = " + "(lambda: (" * 20 + "1" + " for a in b))" * 20,
        "\n".join(f"def f{i}(): pass" for i in range(1000)),
    ],
)
def test_a_text_takes_no_longer_than_it_is_long(source: str) -> None:
    """No time budget runs yet: lambdas within lambdas would be translated 2 to the power of 80 times."""
    began = time.process_time()
    Interpreter(read_script(source))
    assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "(" * 1000 + ")" * 1000,
        "x = " + "-" * 100_000 + "1",
        "x = " + "lambda: " * 10_000 + "1",
        "x = 1" + " + 1" * 100_000,
        "x" + ".a" * 50_000,
        "if 1: pass\n" + "elif 1: pass\n" * 50_000,
        "pass\n" * 50_000,
        "#" * 300_000,
        "x = '\\ud800'\n\0",
        "if 1:\n" + "".join(" " * i + "if 1:\n" for i in range(1, 120)) + " " * 120 + "pass",
        "f(" * 500 + ")" * 500,
    ],
)
def test_the_text_itself_is_limited(source: str) -> None:
    with pytest.raises(SourceError):
        read_script(source)


def test_time_that_went_by_beside_is_looked_at_before_the_next_statement() -> None:
    """Recording takes its time between two statements, of which each is too short for the watch to meet."""
    interpreter = Interpreter(read_script("x = 1\ny = 2"), limits=Limits(time=1.0))
    interpreter.latest = interpreter.machine.clock() - 0.1
    failed = interpreter.step().error
    assert failed is not None
    assert (failed.limit, failed.line) == ("time", 1)
