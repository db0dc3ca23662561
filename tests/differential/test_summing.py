"""Sums are added up in PyTorch's order: to the bit."""

from __future__ import annotations

import hashlib
from threading import Thread, get_ident
from typing import Any

import numpy as np
import pytest

import engine
from engine.ops import prepared
from engine.ops.summing import add_up, column_sums
from tests.differential import oracle

SIZES = [64, 65, 71, 100, 127, 255, 256, 511, 512, 513, 1000, 2047, 2048, 5000, 8191, 20_000, 32_767]


def _drawn(size: int, kind: str) -> np.ndarray[Any, Any]:
    return np.random.RandomState(size).randn(size).astype(kind)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_whole_sums_are_pytorchs_to_the_bit(kind: str) -> None:
    def ask(torch: Any) -> list[str]:
        return [float(torch.tensor(_drawn(size, kind)).sum()).hex() for size in SIZES]

    wanted = oracle.answer("summing", kind, ask)
    assert [float(add_up(_drawn(size, kind))).hex() for size in SIZES] == wanted
    assert [float(np.add.reduce(_drawn(size, kind))).hex() for size in SIZES] != wanted, "NumPy's order is another"


SHAPES = [
    *(
        (5,),
        (6,),
        (7,),
        (8,),
        (9,),
        (20,),
        (63,),
        (20, 1),
        (1, 20),
        (32, 10),
        (10, 5),
        (64, 7),
        (33, 40),
        (500, 16),
        (300, 2),
    ),
    *((4, 9, 20), (20, 3, 5), (3, 17, 33), (2, 3, 100), (6, 5, 4, 3), (0, 3), (3, 0)),
]
"""Rows and columns, with and without a rest behind full lanes, and blocks of them."""


def _added(shape: tuple[int, ...], kind: str, function: Any) -> list[str]:
    x = np.random.RandomState(len(shape)).randn(*shape).astype(kind)
    found = []
    for first in range(len(shape)):
        for after in range(first + 1, len(shape) + 1):
            sums = np.asarray(function(x, tuple(range(first, after))))
            found.append(f"{sums.shape} {hashlib.sha256(sums.tobytes()).hexdigest()[:12]}")
    return found


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_sums_of_rows_and_columns_are_pytorchs_to_the_bit(kind: str) -> None:
    def ask(torch: Any) -> list[list[str]]:
        return [_added(shape, kind, lambda x, axes: torch.tensor(x).sum(axes).numpy()) for shape in SHAPES]

    wanted = oracle.answer("summing", f"rows and columns {kind}", ask)
    assert [_added(shape, kind, lambda x, axes: add_up(x, axis=axes)) for shape in SHAPES] == wanted


def test_sums_of_columns_are_those_of_add_up() -> None:
    for rows in (4, 8, 60, 64, 68, 100, 124, 128, 132, 30):
        for width in (2, 7, 8, 16, 31, 32, 40):
            for kind in ("float32", "float64"):
                x = np.random.RandomState(rows).randn(rows, width).astype(kind)
                assert column_sums(x).tobytes() == add_up(x, 0).tobytes(), (rows, width, kind)
                assert column_sums(x.T).tobytes() == add_up(x.T, 0).tobytes()


def test_a_sum_of_zeros_below_zero_is_zero() -> None:
    for size in (64, 72, 96, 100, 127, 128, 300, 1024):
        x = np.full((size, 1), -0.0, np.float32)
        assert not np.signbit(add_up(x)), size
        assert not np.signbit(column_sums(x)).any(), size


def test_sums_stay_when_others_of_the_same_shape_are_computed() -> None:
    x = _drawn(1600, "float32").reshape(100, 16)
    sums, ends, total = column_sums(x), column_sums(x[:, :1].copy()), add_up(x[0:4].copy())
    were = (sums.tolist(), ends.tolist(), float(total))
    column_sums(x * 2), column_sums(x[:, 1:2].copy()), add_up(x[4:8].copy())
    assert (sums.tolist(), ends.tolist(), float(total)) == were


def test_threads_sum_in_places_of_their_own() -> None:
    x = _drawn(100, "float32")
    places, sums = [prepared.of_all(100, x.dtype, get_ident())], [float(add_up(x))]

    def other() -> None:
        places.append(prepared.of_all(100, x.dtype, get_ident()))
        sums.append(float(add_up(x)))

    thread = Thread(target=other)
    thread.start()
    thread.join()
    assert None not in places
    assert not np.shares_memory(places[0][0], places[1][0])
    assert sums[0] == sums[1]


def test_the_rest_is_numpys() -> None:
    x = _drawn(600, "float32").reshape(20, 30)
    np.testing.assert_array_equal(add_up(x[:, ::2], axis=1), np.add.reduce(x[:, ::2], axis=1))
    y = x.reshape(5, 2, 2, 30)
    np.testing.assert_array_equal(add_up(y, axis=(0, 2)), np.add.reduce(y, axis=(0, 2)))
    assert add_up(x, axis=(0, 1), keepdims=True).shape == (1, 1)
    assert add_up(np.arange(100), axis=None) == 4950
    out = np.empty((), np.float32)
    assert add_up(x, None, None, out) is out
    assert out == add_up(x)
    row = np.empty((1, 30), np.float32)
    assert add_up(x, 0, None, row, True) is row
    np.testing.assert_array_equal(row[0], add_up(x, axis=-2))


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_losses_of_classes_are_pytorchs_to_the_bit(kind: str) -> None:
    def losses(torch: Any) -> list[str]:
        found = []
        for size in (1, 2, 16, 17, 18, 33, 100, 256, 257, 500, 5000):
            logs, weight = torch.tensor(_drawn(size * 3, kind).reshape(size, 3)), torch.tensor(_drawn(3, kind) ** 2)
            both = [torch.nn.functional.nll_loss(logs, torch.arange(size) % 3, given) for given in (None, weight)]
            found += [float(each).hex() for each in both]
        return found

    assert losses(engine) == oracle.answer("summing", f"losses of classes {kind}", losses)
