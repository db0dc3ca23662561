"""What a tensor prints is PyTorch's to the byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from engine import dtypes, printing
from tests.differential import oracle

OPTIONS: list[dict[str, Any]] = [
    {},
    {"precision": 2},
    {"sci_mode": True},
    {"sci_mode": False},
    {"threshold": 10},
    {"threshold": 5, "edgeitems": 1},
    {"threshold": 3, "edgeitems": 0},
    {"linewidth": 30},
    {"profile": "short"},
    {"profile": "full", "precision": 7},
    {"profile": "unknown", "linewidth": 120, "precision": 8},
]

INF, NAN = float("inf"), float("nan")
VALUES: dict[str, Any] = {
    "whole floats": np.array([1.0, -2.0, 3.0], np.float32),
    "decimals": np.array([[0.5, -1.25], [3.0, 10.125]], np.float32),
    "ratio over 1000": np.array([0.01, 100.0], np.float32),
    "large whole": np.array([1e9, 1.0], np.float32),
    "large": np.array([1e9 + 0.5, 2e9], np.float64),
    "tiny": np.array([1e-5, 2e-5], np.float32),
    "not finite": np.array([1.5, NAN, INF, -INF], np.float32),
    "whole and not finite": np.array([1.0, NAN, INF], np.float32),
    "nothing finite": np.array([NAN, INF, -INF, 0.0], np.float32),
    "zeros": np.zeros((2, 3), np.float32),
    "negative zero": np.array([-0.0, 1.5], np.float32),
    "scalar": np.array(2.5, np.float32),
    "whole scalar": np.array(3.0, np.float32),
    "int scalar": np.array(3),
    "bool scalar": np.array(True),
    "float64": np.array([0.1, 0.2]),
    "float16": np.array([0.1, 0.2], np.float16),
    "ints": np.array([[1, -20], [300, 4]]),
    "int32": np.array([1, 2], np.int32),
    "uint8": np.array([1, 255], np.uint8),
    "bools": np.array([True, False]),
    "empty": np.zeros(0, np.float32),
    "empty ints": np.zeros(0, np.int64),
    "empty with a shape": np.zeros((0, 3), np.float32),
    "empty doubles with a shape": np.zeros((2, 0)),
    "three dimensions": np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 8,
    "one line": np.arange(10, dtype=np.float32) / 3,
    "several lines": np.arange(40, dtype=np.float32) / 3,
    "just not summarised": np.arange(1000, dtype=np.float32),
    "summarised": np.arange(1001, dtype=np.float32),
    "summarised matrix": np.arange(2000, dtype=np.float32).reshape(50, 40) / 7,
    "summarised high": np.arange(2000).reshape(2, 10, 5, 20),
    "long rows": np.arange(60, dtype=np.float64).reshape(2, 30) / 7,
}


@pytest.fixture(autouse=True)
def fresh_options() -> Iterator[None]:
    yield
    printing.reset_printoptions()
    if oracle.LIVE:
        oracle.torch().set_printoptions(profile="default")


def ours(array: np.ndarray, requires_grad: bool = False, grad_fn: str | None = None) -> str:
    return printing.tensor_repr(array, dtypes.OF[array.dtype], requires_grad, grad_fn)


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_recorded_values(number: int) -> None:
    options = OPTIONS[number]

    def ask(torch: Any) -> dict[str, str]:
        torch.set_printoptions(profile="default")
        torch.set_printoptions(**options)
        return {name: repr(torch.from_numpy(array.copy())) for name, array in VALUES.items()}

    printing.set_printoptions(**options)
    answers = oracle.answer("printing", f"options {number}", ask)
    assert {name: ours(array) for name, array in VALUES.items()} == answers


def test_suffixes() -> None:
    wide = np.arange(10, dtype=np.float64) / 3

    def ask(torch: Any) -> list[str]:
        leaf = torch.tensor([1.5], requires_grad=True)
        long = torch.from_numpy(wide.copy()).requires_grad_()
        parameter = torch.nn.Parameter(torch.ones(2, 2))
        frozen = torch.nn.Parameter(torch.ones(2), requires_grad=False)
        return [repr(each) for each in (leaf, leaf * 2, long, long * 1, parameter, frozen)]

    found = [
        ours(np.array([1.5], np.float32), requires_grad=True),
        ours(np.array([3.0], np.float32), True, "MulBackward0"),
        ours(wide, requires_grad=True),
        ours(wide, True, "MulBackward0"),
        printing.parameter_repr(np.ones((2, 2), np.float32), dtypes.float32),
        printing.parameter_repr(np.ones(2, np.float32), dtypes.float32, False),
    ]
    assert found == oracle.answer("printing", "suffixes", ask)


def test_the_default_dtype_is_not_shown() -> None:
    doubles, floats = np.array([0.5]), np.array([0.5], np.float32)

    def ask(torch: Any) -> list[str]:
        torch.set_default_dtype(torch.float64)
        try:
            return [repr(torch.from_numpy(each.copy())) for each in (doubles, floats, doubles[:0], floats[:0])]
        finally:
            torch.set_default_dtype(torch.float32)

    dtypes.set_default_dtype(dtypes.float64)
    try:
        found = [ours(each) for each in (doubles, floats, doubles[:0], floats[:0])]
    finally:
        dtypes.set_default_dtype(dtypes.float32)
    assert found == oracle.answer("printing", "default dtype", ask)


@pytest.mark.parametrize("spec", ["", ".2f", "8.3e", ">10"])
def test_format(spec: str) -> None:
    values = [np.array(0.1, np.float32), np.array(1234.5678), np.array(7), np.array([1.0], np.float32)]

    def answer_of(write: Callable[[np.ndarray], str], array: np.ndarray) -> list[str]:
        try:
            return ["text", write(array)]
        except TypeError as error:
            return ["TypeError", str(error)]

    def ask(torch: Any) -> list[Any]:
        return [answer_of(lambda array: format(torch.from_numpy(array.copy()), spec), each) for each in values]

    def written(array: np.ndarray) -> str:
        text = printing.format_with_spec(array, spec, "Tensor")
        return ours(array) if text is None else text

    found = [answer_of(written, each) for each in values]
    assert found == oracle.answer("printing", f"format {spec}", ask)


KINDS = [np.float32, np.float64, np.float16, np.int64, np.int32, np.int8, np.uint8, np.bool_]


def drawn(rng: np.random.RandomState) -> np.ndarray:
    """An array of any shape and dtype, the same on every machine: any bits at all, or numbers of everyday size."""
    dtype = np.dtype(KINDS[rng.randint(len(KINDS))])
    shape = tuple(rng.randint(0, 7, rng.randint(0, 5)))
    count = int(np.prod(shape, dtype=int))
    if dtype.kind == "f" and rng.randint(3):
        digits = rng.randint(0, 5)
        return np.round(rng.uniform(-20, 20, count), digits).astype(dtype).reshape(shape)
    if dtype == np.bool_:
        return rng.randint(0, 2, count).astype(dtype).reshape(shape)
    if rng.randint(3):
        return rng.randint(-30 if dtype.kind != "u" else 0, 100, count).astype(dtype).reshape(shape)
    return np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).reshape(shape)


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_drawn_tensors(number: int) -> None:
    rng = np.random.RandomState(number)
    arrays = [drawn(rng) for _ in range(40)]
    options = OPTIONS[number]

    def ask(torch: Any) -> list[str]:
        torch.set_printoptions(profile="default")
        torch.set_printoptions(**options)
        return [repr(torch.from_numpy(each.copy())) for each in arrays]

    printing.set_printoptions(**options)
    for each, text in zip(arrays, oracle.answer("printing_drawn", f"options {number}", ask), strict=True):
        assert ours(each) == text


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray:
    """Arrays of any shape and dtype: extreme values, and floats of everyday size."""
    dtype = np.dtype(draw(st.sampled_from(KINDS)))
    elements = arrays_of.from_dtype(dtype)
    if dtype.kind == "f":
        elements = st.one_of(elements, st.floats(-20, 20, width=16))
    shape = draw(arrays_of.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6))
    return draw(arrays_of.arrays(dtype, shape, elements=elements))


@pytest.mark.oracle
@pytest.mark.slow
@settings(max_examples=400, derandomize=True, deadline=None)
@given(array=arrays(), requires_grad=st.booleans(), options=st.sampled_from(OPTIONS))
def test_any_tensor(array: np.ndarray, requires_grad: bool, options: dict[str, Any]) -> None:
    torch = oracle.torch()
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**options)
    printing.reset_printoptions()
    printing.set_printoptions(**options)
    theirs = torch.from_numpy(array.copy())
    assert ours(array) == repr(theirs)
    if requires_grad and array.dtype.kind == "f":
        theirs.requires_grad_()
        assert ours(array, requires_grad=True) == repr(theirs)
        assert ours(array, True, "MulBackward0") == repr(theirs * 1)
