"""bfloat16 against PyTorch's own sample inputs: dtypes, shapes, and how many numbers are PyTorch's to the bit.

PyTorch makes one operation of some, and several, each of which rounds, of others; the engine rounds once an operation.
So some numbers are off by a unit in the last of their eight binary places, and what cancels is off by more.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import op_samples, oracle
from tests.differential.op_table import ROWS

AT_MOST = 8  # samples an operation

OTHERWISE = {
    "as_strided.partial_views": "messages count bytes",
    "nn.functional.fractional_max_pool2d": "draws where PyTorch's sample is given",
    "nn.functional.fractional_max_pool3d": "draws where PyTorch's sample is given",
}
"""Operations of which not all dtypes, shapes and errors are PyTorch's."""


def _samples(name: str) -> list[op_samples.Sample]:
    small = [each for each in op_samples.samples(name, "bfloat16") if op_samples.size_of(each) < 4_000]
    return small[:AT_MOST]


def _compared(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """ "equal", "close" (within one unit in the last place of each number), "far", or what is another thing."""
    for part in ("error", "backward error"):
        if ours.get(part) != theirs.get(part):
            return f"{part}: {ours.get(part)}, PyTorch: {theirs.get(part)}"
    furthest = 0.0
    for part in ("outputs", "gradients"):
        for a, b in zip(ours.get(part) or (), theirs.get(part) or (), strict=True):
            if a is None or b is None:
                if a is not b:
                    return f"{part}: None is {'ours' if a is None else 'theirs'}"
                continue
            kinds = [(each["tensor"]["dtype"], each["tensor"]["shape"]) for each in (a, b)]
            if kinds[0] != kinds[1]:
                return f"{part}: {kinds[0]}, PyTorch: {kinds[1]}"
            furthest = max(furthest, _units(*(oracle.unpack(each["tensor"]) for each in (a, b))))
    return "equal" if not furthest else "close" if furthest <= 1 else "far"


def _units(x: np.ndarray, y: np.ndarray) -> float:
    """By how many units of the last of eight binary places the numbers that differ most do."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    other = ~((x == y) | (np.isnan(x) & np.isnan(y)))
    if not other.any():
        return 0.0
    x, y = x[other], y[other]
    size = np.maximum(np.maximum(np.abs(x), np.abs(y)), 1e-30)
    with np.errstate(all="ignore"):
        units = np.abs(x - y) / 2.0 ** (np.floor(np.log2(size)) - 7)
    return float(np.nan_to_num(units, nan=np.inf).max())


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_samples_of_all_operations() -> None:
    torch, found, wrong = oracle.torch(), Counter[str](), []
    for row in ROWS:
        if row.name in OTHERWISE:
            continue
        theirs = row.looked_at(op_samples.database()[row.name].op)
        for sample in _samples(row.name):
            ours = op_samples.outcome(engine, row.function(engine), sample)
            told = _compared(ours, op_samples.outcome(torch, theirs, sample))
            found[told if told in ("equal", "close", "far") else "wrong"] += 1
            if told not in ("equal", "close", "far"):
                wrong.append(f"{row.name}: {told}")
    assert not wrong, wrong[:10]
    total = found.total()
    assert total > 2_000, found
    assert found["equal"] > 0.78 * total, found
    assert found["equal"] + found["close"] > 0.86 * total, found
