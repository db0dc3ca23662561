"""The scripts of correct.txt and faulty.txt: `### name` before each."""

from __future__ import annotations

from pathlib import Path

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
