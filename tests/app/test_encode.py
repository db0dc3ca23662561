"""Moments and tensors as JSON."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hn

from app import encode
from app.api.moment_models import MomentOut
from engine.run import Command, Run

ARRAYS = hn.arrays(
    st.sampled_from([np.float32, np.float64, np.float16, np.int64, np.uint8, np.bool_]), hn.array_shapes(max_dims=3)
)


def back(value: Any) -> Any:
    if isinstance(value, list):
        return [back(entry) for entry in value]
    return float(value) if isinstance(value, str) else value


@given(ARRAYS)
def test_arrays_come_back_from_json(values: np.ndarray[Any, Any]) -> None:
    text = encode.encode(encode.nested(values))
    again = np.asarray(
        back(json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))), dtype=values.dtype
    )
    np.testing.assert_array_equal(again, values)


@given(ARRAYS)
def test_arrays_come_back_from_npy(values: np.ndarray[Any, Any]) -> None:
    again = np.load(io.BytesIO(encode.tensor_npy(values)), allow_pickle=False)
    assert again.dtype == values.dtype
    np.testing.assert_array_equal(again, values)


@given(ARRAYS)
def test_a_summary_is_of_the_finite_elements(values: np.ndarray[Any, Any]) -> None:
    figures = json.loads(encode.encode(encode.summary(values)))
    assert (figures["shape"], figures["elements"]) == (list(values.shape), values.size)
    finite = [float(value) for value in values.ravel() if math.isfinite(value)]
    assert figures["finite"] == len(finite)
    if finite:
        assert (figures["min"], figures["max"]) == (min(finite), max(finite))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner),
    )
)
def test_plain_values_are_json(value: Any) -> None:
    json.loads(encode.encode(encode.plain(value)), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


@pytest.mark.slow
def test_every_moment_of_the_library_fits_its_model() -> None:
    from app.library import scenarios

    for scenario in scenarios().values():
        run = Run(scenario.source)
        run.begin()
        for do in ("step", "zero_grad", "forward", "backward", "backward", "step"):
            if any(phase.do == do for phase in run.phases):
                run.execute(Command(do))
        run.execute(Command("run", times=2))
        for number in range(run.last + 1):
            MomentOut.model_validate_json(encode.moment_json(run.moment(number)))
