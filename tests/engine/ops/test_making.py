"""Where tensors come from: what is shared, what is copied, and what the memory is asked for."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as torch

NESTED = st.recursive(st.integers(-5, 5) | st.floats(-5, 5, width=32), lambda inner: st.lists(inner, max_size=3))


def test_frombuffer_shares_what_can_be_written_and_copies_what_cannot() -> None:
    held = bytearray(range(10))
    shared = torch.frombuffer(held, dtype=torch.uint8, count=3, offset=2)
    shared += 1
    assert (shared.tolist(), list(held[:6])) == ([3, 4, 5], [0, 1, 3, 4, 5, 5])
    fixed = bytes(range(8))
    with pytest.warns(UserWarning, match="The given buffer is not writable"):
        copied = torch.frombuffer(fixed, dtype=torch.int16)
    copied.zero_()
    assert fixed == bytes(range(8))
    assert torch.frombuffer(bytearray(8), dtype=torch.float32, requires_grad=True).requires_grad


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"dtype": torch.int32},
            "buffer length (10 bytes) after offset (0 bytes) must be a multiple of element size (4)",
        ),
        (
            {"dtype": torch.int32, "count": 2, "offset": 4},
            "requested buffer length (2 * 4 bytes) after offset (4 bytes) must not be greater than actual buffer",
        ),
        (
            {"dtype": torch.uint8, "offset": 10},
            "offset (10 bytes) must be non-negative and no greater than buffer length (10 bytes) minus 1",
        ),
        ({"dtype": torch.uint8, "count": 0}, "both buffer length (10) and count (0) must not be 0"),
    ],
)
def test_frombuffer_says_what_does_not_fit(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        torch.frombuffer(bytearray(10), **options)


def test_frombuffer_reads_no_objects() -> None:
    with pytest.raises(ValueError, match="does not implement Python buffer protocol"):
        torch.frombuffer([1], dtype=torch.uint8)
    with pytest.raises(ValueError, match="objects"):
        torch.frombuffer(np.array([[]], dtype=object), dtype=torch.uint8)


def test_from_numpy_shares_storage() -> None:
    array = np.zeros(3)
    shared = torch.from_numpy(array)
    array[0] = 5
    shared[1] = 7
    assert shared.tolist() == array.tolist() == [5, 7, 0]


def test_tensor_copies() -> None:
    array = np.zeros(3)
    copy = torch.tensor(array)
    array[0] = 5
    assert copy.tolist() == [0, 0, 0]


def test_as_tensor_shares_where_it_can() -> None:
    array = np.zeros(2, np.float32)
    assert np.shares_memory(torch.as_tensor(array).numpy(), array)
    tensor = torch.ones(2)
    assert torch.as_tensor(tensor) is tensor
    assert torch.as_tensor(tensor, dtype=torch.float64).dtype is torch.float64
    assert torch.as_tensor([1, 2]).dtype is torch.int64


def test_legacy_constructors_know_their_dtype() -> None:
    assert isinstance(torch.ones(2), torch.FloatTensor)
    assert not isinstance(torch.ones(2), torch.LongTensor)
    assert isinstance(torch.LongTensor([1]), torch.LongTensor)
    assert type(torch.LongTensor([1])) is torch.Tensor


def test_more_memory_than_there_is_raises_what_pytorch_raises() -> None:
    with pytest.raises(RuntimeError, match="DefaultCPUAllocator: can't allocate memory: you tried to allocate 4"):
        torch.zeros(10**6, 10**6, 10**6)
    with pytest.raises(RuntimeError, match="DefaultCPUAllocator: can't allocate memory"):
        torch.arange(10**15)


@given(NESTED)
def test_nested_lists_are_what_numpy_reads_or_refused(data: object) -> None:
    try:
        made = torch.tensor(data)
    except (TypeError, ValueError):
        with pytest.raises(ValueError, match="inhomogeneous"):
            np.array(data, dtype=np.float64)
        return
    assert np.array_equal(made.numpy().astype(np.float64), np.array(made.tolist(), np.float64))
    assert list(made.shape)[:1] == ([len(data)] if isinstance(data, list) else [])


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30), st.data())
def test_topk_is_the_front_of_the_sorted_values(values: list[int], data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(values)))
    tensor = torch.tensor(values)
    found, places = torch.topk(tensor, count)
    assert found.tolist() == sorted(values, reverse=True)[:count]
    assert tensor[places].tolist() == found.tolist()
    assert len(set(places.tolist())) == count


@given(st.lists(st.integers(0, 5), max_size=20))
def test_unique_puts_a_tensor_apart_and_together(values: list[int]) -> None:
    tensor = torch.tensor(values, dtype=torch.int64)
    different, inverse, counts = torch.unique(tensor, return_inverse=True, return_counts=True)
    assert different[inverse].tolist() == values
    assert counts.sum().item() == len(values)


def test_a_view_that_becomes_a_leaf_cannot_be_changed_in_part() -> None:
    leaf = torch.arange(6.0).reshape(2, 3).requires_grad_()
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        leaf[0] = 1.0
    with torch.no_grad():
        leaf[0] = 1.0
    assert leaf.tolist() == [[1, 1, 1], [3, 4, 5]]


def test_types_of_tensors_are_no_dtypes() -> None:
    with pytest.raises(TypeError, match=r"must be torch.dtype, not torch.tensortype$"):
        torch.zeros(1, dtype=torch.FloatTensor)
    with pytest.raises(TypeError, match=r"got \(torch.tensortype\), but expected"):
        torch.ones(1).to(torch.cuda.FloatTensor)


def test_a_shape_that_is_changed_in_place_is_the_array_s_alone() -> None:
    """What saved a tensor for going backward counts on its shape."""
    tensor = torch.ones(2, 3)
    for array in (tensor.numpy(), np.asarray(tensor), tensor.detach().numpy()):
        array.shape = (6,)
    array = np.zeros((2, 3))
    shared = torch.from_numpy(array)
    array.shape = (6,)
    assert tensor.shape == shared.shape == (2, 3)
