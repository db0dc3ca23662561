"""The short form of a trace: the same moments, said once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cli import main
from app.encode import encode, moment_json
from app.short import LEAST, REACH, Shortener, expand, writer_of
from engine.run import Command, Run
from tests.app.conftest import SCALAR, Service
from tests.engine.run.programs import SOURCES

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["two-moons", "linear-regression"])
def test_it_says_the_same_to_the_byte_in_a_fraction_of_it(name: str) -> None:
    run = Run(SOURCES[name])
    for _ in range(3):
        run.execute(Command("run", times=1))
        run.execute(Command("next", times=4))
    moments = [run.moment(number) for number in range(run.last + 1)]
    write = writer_of(True)
    short = [write(moment) for moment in moments]
    whole = [moment_json(moment) for moment in moments]
    assert whole == [writer_of(False)(moment) for moment in moments]
    assert [encode(moment) for moment in expand(short)] == whole
    assert sum(map(len, short)) < sum(map(len, whole)) / 2.5


VALUES = st.recursive(
    st.none() | st.integers(-2, 2) | st.sampled_from(["nan", "$same", "x" * LEAST, 0.1]),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(st.sampled_from(["$same", "is", "a", "b" * LEAST]), part, max_size=3)
    ),
    max_leaves=12,
)


@given(st.lists(st.tuples(VALUES, VALUES, st.integers(1, 3)), max_size=8))
@settings(derandomize=True, max_examples=50, deadline=None)
def test_anything_comes_back(values: list[tuple[Any, Any, int]]) -> None:
    """Also what looks like a reference, and what stands in a moment twice."""
    moments: list[dict[str, Any]] = []
    for first, second, times in values:
        for _ in range(times):
            parts = {"a": first, "b": [second, first], "$same": {"c": [1.5] * 20, "d": [first, second]}}
            moments.append({"number": len(moments), **json.loads(json.dumps(parts))})
    shortener = Shortener()
    short = [shortener.line(moment) for moment in moments]
    assert [encode(moment) for moment in expand(short)] == [encode(moment) for moment in moments]


def test_a_reference_never_goes_further_back_than_a_reader_keeps() -> None:
    shortener = Shortener()
    known: list[float] = [0.5] * LEAST
    moments = [
        {"number": number, "a": known if number in (0, REACH, 2 * REACH + 1, 5 * REACH) else number}
        for number in range(5 * REACH + 1)
    ]
    short = [shortener.line(moment) for moment in moments]
    assert b"$same" in short[REACH]
    assert b"$same" not in short[2 * REACH + 1] + short[5 * REACH]
    assert list(expand(short)) == moments


def test_the_reader_in_the_documentation_reads_it() -> None:
    [code] = re.findall(r"```python\n(.*?)```", (DOCS / "trace-format.md").read_text(encoding="utf-8"), re.DOTALL)
    scope: dict[str, Any] = {}
    exec(code, scope)
    run = Run(SOURCES["linear-regression"])
    run.execute(Command("run", times=8))
    write = writer_of(True)
    lines = [write(run.moment(number)) for number in range(run.last + 1)]
    assert list(scope["expand"](lines)) == list(expand(lines))
    odd = {"number": 0, "a": {"$same": 1, "is": 2}, "b": [{"c": [2] * LEAST}, {"c": [2] * LEAST}]}
    assert list(scope["expand"]([Shortener().line(odd)])) == [odd]


def test_the_command_line_writes_it(tmp_path: Path) -> None:
    script, long, short = tmp_path / "script.py", tmp_path / "long.ndjson", tmp_path / "short.ndjson"
    script.write_text(SCALAR)
    assert main(["run", str(script), "--trace", str(long)]) == 0
    assert main(["run", str(script), "--trace", str(short), "--short"]) == 0
    with short.open("rb") as lines:
        assert [encode(moment) for moment in expand(lines)] == long.read_bytes().splitlines()
    assert short.stat().st_size < long.stat().st_size


async def test_the_service_sends_it(service: Service) -> None:
    run = (await service.create(SCALAR.replace("range(20)", "range(200)")))["id"]
    await service.do(run, "run", times=40)  # some of whose moments are computed again
    long = (await service.client.get(f"/runs/{run}/trace.ndjson")).content
    short = (await service.client.get(f"/runs/{run}/trace.ndjson", params={"short": True})).content
    assert [encode(moment) for moment in expand(short.splitlines())] == long.splitlines()
    assert len(short) < len(long) / 1.5
