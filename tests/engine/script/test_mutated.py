"""Programs with a part of their syntax tree replaced by another part: whatever comes of it, only errors of scripts
come out, in time."""

from __future__ import annotations

import ast
import copy
import random
from pathlib import Path

import pytest

from engine.errors import SourceError
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.reading.source import read_script

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = [
    part for path in sorted(FOLDER.glob("*.txt")) for part in path.read_text().split("# ----\n") if part.strip()
]
LIMITS = Limits(time=0.5, memory=256 << 20, steps=50_000, output_bytes=1 << 16, container_items=50_000)


def mutated(rng: random.Random) -> str:
    """A program in which a few expressions or statements were swapped for others of the same kind."""
    tree = ast.parse(rng.choice(PROGRAMS))
    donor = ast.parse(rng.choice(PROGRAMS))
    for kind in (ast.expr, ast.stmt):
        parts = [node for node in ast.walk(donor) if isinstance(node, kind)]
        places = [
            (node, name, i)
            for node in ast.walk(tree)
            for name, value in ast.iter_fields(node)
            for i, child in enumerate(value if isinstance(value, list) else [value])
            if isinstance(child, kind)
        ]
        for node, name, i in rng.sample(places, min(len(places), rng.randint(1, 3))):
            value = getattr(node, name)
            part = copy.deepcopy(rng.choice(parts))
            if isinstance(value, list):
                value[i] = part
            else:
                setattr(node, name, part)
    return ast.unparse(tree)


def end(source: str) -> None:
    try:
        script = read_script(source, LIMITS)
    except SourceError:
        return
    interpreter = Interpreter(script, limits=LIMITS)
    if interpreter.run() is not None:
        interpreter.end()
    assert interpreter.finished


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 60))])
def test_mutated_programs_end_as_scripts_do(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        try:
            source = mutated(rng)
        except (ValueError, TypeError, AttributeError, IndexError, RecursionError):
            continue  # the tree has become one that cannot be written out
        end(source)
