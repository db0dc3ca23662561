"""Sixty training loops as they stand in tutorials, courses and repositories, in ordinary.txt: which share of their
iterations is replayed, and that it makes no difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.replay.test_replay import held_against_eager

TEXT = (Path(__file__).parent / "ordinary.txt").read_text(encoding="utf-8")
PROGRAMS = dict(part.split("\n", 1) for part in TEXT.split("### ")[1:])
AS_ALWAYS = {
    "gan": "backward() twice in an iteration",
    "gan dcgan": "backward() three times",
    "l2 loop": "a sum that a loop over all parameters adds to",
    "rnncell": "a loop over time in the script, which counts",
    "phases": "backward() under a condition",
    "bigram": "an index made of tensors",
    "makemore mlp": "an index made of tensors",
    "pinn": "gradients of gradients",
    "if alternating": "another network every other time",
    "transformer": "positions made of a shape",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_replayed(name: str) -> None:
    loops = held_against_eager(PROGRAMS[name])
    replayed, all_of_them = (sum(getattr(each.tally, what) for each in loops) for what in ("replayed", "iterations"))
    if name in AS_ALWAYS:
        assert not replayed
    else:
        assert replayed >= 0.7 * all_of_them, [each.tally for each in loops]
