"""Every operation of op_table.py against PyTorch's own sample inputs: values, shapes, dtypes, gradients.

`make test` checks a recorded selection of samples; `make test-all` checks all of them, live, and second derivatives.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import op_samples, oracle
from tests.differential.op_table import REFUSED_OTHERWISE, ROWS, Row

SELECTED = 6  # samples per operation in `make test`
SHOWN = 5  # failures told per operation

pytestmark = pytest.mark.filterwarnings("ignore")  # what an operation warns of is tested elsewhere


def check(row: Row, cases: Iterable[tuple[op_samples.Sample, dict[str, Any]]], order: int = 1) -> None:
    """Fail with the first samples for which the engine's outcome is not the one given."""
    tolerance = row.tolerance * (row.second if order > 1 else 1)
    function = row.function(engine)
    failures, total = [], 0
    for sample, theirs in cases:
        total += 1
        ours = op_samples.outcome(engine, function, sample, order)
        wrong = op_samples.differences(ours, theirs, tolerance)
        if wrong:
            failures.append(f"{op_samples.text(sample)}\n      " + "\n      ".join(wrong))
    if failures:
        told = "\n    ".join(failures[:SHOWN])
        pytest.fail(f"{row}: {len(failures)} of {total} samples differ\n    {told}", pytrace=False)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_selected_samples(row: Row) -> None:
    def ask(torch: Any) -> list[Any]:
        function = row.looked_at(op_samples.database()[row.name].op)
        chosen = op_samples.selection(row.name, SELECTED)
        return [[each, op_samples.outcome(torch, function, each)] for each in chosen]

    cases = oracle.answer(f"op_db/{row.name}", "samples", ask)
    assert cases, "no samples: nothing is proved"
    check(row, cases)


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_all_samples(row: Row) -> None:
    torch = oracle.torch()
    function = row.looked_at(op_samples.database()[row.name].op)
    given = (each for dtype in op_samples.dtypes_of(row.name) for each in op_samples.samples(row.name, dtype))
    check(row, ((each, op_samples.outcome(torch, function, each)) for each in given))


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_whole_numbers(row: Row) -> None:
    torch, op = oracle.torch(), op_samples.database()[row.name]
    function, known = row.looked_at(op.op), op.supported_dtypes("cpu")
    dtypes = [each for each in ("int64", "int32", "uint8", "bool") if getattr(torch, each) in known]
    given = (each for dtype in dtypes for each in op_samples.samples(row.name, dtype))
    small = (each for each in given if op_samples.size_of(each) < 4_000)  # where many are equal, sorting may mix them
    check(row, ((each, op_samples.outcome(torch, function, each, order=0)) for each in small), order=0)


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("row", [each for each in ROWS if each.second], ids=str)
def test_second_derivatives(row: Row) -> None:
    torch, op = oracle.torch(), op_samples.database()[row.name]
    if not (op.supports_autograd and op.supports_gradgrad):
        return
    small = [each for each in op_samples.samples(row.name, "float64") if op_samples.size_of(each) < 20_000][:40]
    check(row, ((each, op_samples.outcome(torch, row.looked_at(op.op), each, order=2)) for each in small), order=2)


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("row", [each for each in ROWS if each.name not in REFUSED_OTHERWISE], ids=str)
def test_wrong_inputs(row: Row) -> None:
    torch, op = oracle.torch(), op_samples.database()[row.name]
    given = op_samples.wrong_samples(row.name)
    cases = ((each, op_samples.outcome(torch, op.op, each, order=0)) for each in given)
    # A tensor over NumPy's memory cannot grow in PyTorch: that says something about the sample as we give it only.
    refused = (case for case in cases if "error" in case[1] and "not resizable" not in case[1]["error"][1])
    check(row, refused, order=0)


def test_every_row_is_an_operation_of_the_engine() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert callable(row.function(engine)), row


NO_ROWS = {
    "broadcast_shapes": "takes no tensor",
    "nn.functional.batch_norm.without_cudnn": "has no samples for the CPU",
    **{
        f"nn.functional.linear_cross_entropy.{name}": "is computed in portions, by options that are not here"
        for name in ("chunked", "chunked_none")
    },
    **dict.fromkeys(("imag", "istft", "nn.functional.silu.complex", "view_as_real"), "has complex samples only"),
    "nn.functional.triplet_margin_with_distance_loss": "takes functions, which are not recorded",
}


@pytest.mark.slow
@pytest.mark.oracle
def test_every_operation_that_the_engine_has_is_a_row() -> None:
    rows, forgotten = {row.name for row in ROWS} | NO_ROWS.keys(), []
    for name in op_samples.database():
        with contextlib.suppress(AttributeError):
            if callable(Row(name).function(engine)) and name not in rows:
                forgotten.append(name)
    assert not forgotten


# ------------------------------------------------------------------------------------- the runner sees what is wrong


class _Wrong:
    """An operation that is right, or wrong in one way."""

    def __init__(self, way: str) -> None:
        self.way = way

    def __call__(self, x: Any) -> Any:
        result = x * 2
        if self.way == "value":
            return result + 1e-4
        if self.way == "gradient":
            return result.detach() + x - x.detach()
        if self.way == "dtype":
            return result.double()
        if self.way == "shape":
            return result.reshape(-1, 1)
        if self.way == "detached":
            return result.detach()
        if self.way == "error":
            raise RuntimeError("no")
        return result


SAMPLE = {
    "input": {"tensor": oracle.pack(np.array([1.0, 2.0], np.float32)), "requires_grad": True},
    "args": {"tuple": []},
    "kwargs": {"dict": []},
}


def test_the_comparison_accepts_what_is_right() -> None:
    right = op_samples.outcome(engine, _Wrong(""), SAMPLE, order=2)
    assert right["gradients"]
    assert not op_samples.differences(right, right, 1)


@pytest.mark.parametrize("way", ["value", "gradient", "dtype", "shape", "detached", "error"])
def test_the_comparison_sees_what_is_wrong(way: str) -> None:
    right = op_samples.outcome(engine, _Wrong(""), SAMPLE)
    wrong = op_samples.outcome(engine, _Wrong(way), SAMPLE)
    assert op_samples.differences(wrong, right, 16)
    assert op_samples.differences(right, wrong, 16)
