"""The scripts of correct.txt and faulty.txt: `### name` before each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.run.trial import Trial, attempt

HERE = Path(__file__).parent


def scripts(file: str) -> dict[str, str]:
    """By name, in the order of the file."""
    found = {}
    for block in HERE.joinpath(file).read_text(encoding="utf-8").split("### ")[1:]:
        name, _, source = block.partition("\n")
        assert name not in found
        found[name] = source
    return found


CORRECT = scripts("correct.txt")
FAULTY = scripts("faulty.txt")


@cache
def tried(name: str) -> Trial:
    """The first iterations of a faulty script."""
    return attempt(FAULTY[name], iterations=12, seconds=60)
