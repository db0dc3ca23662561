"""dtypes and sizes as Python objects."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import dtypes
from engine.dtypes import Size


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_keep_identity(again) -> None:
    for each in dtypes.ALL:
        assert again(each) is each
    assert again(Size([2, 3])) == Size([2, 3])
    assert type(again(Size([2, 3]))) is Size


@pytest.mark.parametrize("each", dtypes.ALL, ids=str)
def test_the_dtype_of_an_array(each: dtypes.dtype) -> None:
    array = np.zeros(2, each.numpy)
    assert dtypes.OF[array.dtype] is each
    assert dtypes.from_numpy(array.dtype) is each
    assert dtypes.named(each.short) is each
    assert isinstance(array[0], each.type)


def test_arrays_that_cannot_be_tensors() -> None:
    with pytest.raises(TypeError, match=r"^can't convert np.ndarray of type numpy.str_. The only supported types are"):
        dtypes.from_numpy(np.array(["a"]).dtype)
    with pytest.raises(ValueError, match="byte order different from the native byte order"):
        dtypes.from_numpy(np.dtype(">f4"))


@given(st.lists(st.integers(0, 9), max_size=5), st.lists(st.integers(0, 9), max_size=5), st.slices(5))
def test_a_size_behaves_as_a_tuple(a: list[int], b: list[int], part: slice) -> None:
    assert Size(a) == tuple(a)
    assert hash(Size(a)) == hash(tuple(a))
    for size, expected in ((Size(a) + Size(b), (*a, *b)), (Size(a)[part], tuple(a)[part]), (Size(a) * 2, (*a, *a))):
        assert type(size) is Size
        assert size == expected


def test_the_result_of_no_operands() -> None:
    with pytest.raises(ValueError, match="no operands"):
        dtypes.result_type()


def test_the_default_dtype_changes_what_numbers_become() -> None:
    dtypes.set_default_dtype(dtypes.float64)
    try:
        assert dtypes.get_default_dtype() is dtypes.float64
        assert dtypes.promote_scalar(dtypes.int64, 0.5) is dtypes.float64
        assert dtypes.promote_scalar(dtypes.float32, 0.5) is dtypes.float32
    finally:
        dtypes.set_default_dtype(dtypes.float32)
    assert dtypes.promote_scalar(dtypes.int64, 0.5) is dtypes.float32
