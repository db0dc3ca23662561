"""Layers' results and gradients are PyTorch's to the last bit: where the processor has AVX-512 and PyTorch as many threads
as there are processors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from engine.ops import direct, direct_weights
from tests.differential import oracle
from tests.differential.test_last_digits import compare

pytestmark = pytest.mark.oracle


def convolved(name: str, given: list[Any], settings: dict[str, Any]) -> list[list[Any]]:
    """The result of each of the two and the gradients of what is given, with that of the result drawn. PyTorch has as
    many threads as it takes by itself, among which sums are shared."""
    found: list[list[Any]] = []
    other = oracle.torch()
    other.set_num_threads(direct_weights.THREADS)
    for torch, make in ((engine, engine.tensor), (other, lambda a: other.from_numpy(a).clone())):
        tensors = [make(each).requires_grad_() for each in given]
        result = getattr(torch.nn.functional, name)(*tensors, **settings)
        g = np.random.RandomState(1).standard_normal(tuple(result.shape)).astype(np.float32)
        result.backward(make(g))
        found.append([result, *(each.grad for each in tensors)])
    other.set_num_threads(1)
    return found


CONVOLUTIONS: list[tuple[str, tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ("conv2d", (5, 1, 9, 9), (6, 1, 3, 3), {}),
    ("conv2d", (16, 1, 28, 28), (8, 1, 3, 3), {"padding": 1}),
    ("conv2d", (4, 3, 16, 16), (16, 3, 3, 3), {"padding": 1}),
    ("conv2d", (3, 3, 15, 15), (6, 3, 5, 5), {}),
    ("conv2d", (8, 6, 14, 14), (16, 6, 5, 5), {}),
    ("conv2d", (8, 8, 10, 10), (4, 8, 3, 3), {"padding": 1}),
    ("conv2d", (16, 16, 14, 14), (32, 16, 3, 3), {"padding": 1}),
    ("conv2d", (64, 16, 8, 8), (32, 16, 3, 3), {}),
    ("conv2d", (2, 20, 7, 7), (40, 20, 3, 3), {"padding": 1}),
    ("conv2d", (3, 32, 12, 12), (64, 32, 3, 3), {}),
    ("conv2d", (4, 16, 9, 9), (1, 16, 3, 3), {"padding": 1}),
    ("conv2d", (4, 16, 16, 16), (32, 16, 3, 3), {"padding": 1, "stride": 2}),
    ("conv2d", (4, 3, 13, 13), (8, 3, 4, 4), {"padding": 1, "stride": 2}),
    ("conv2d", (4, 16, 13, 12), (32, 16, 3, 3), {"padding": 1, "stride": 2}),
    ("conv2d", (4, 16, 12, 13), (32, 16, 3, 3), {"padding": 1, "stride": 2}),
    ("conv2d", (4, 16, 15, 15), (80, 16, 3, 5), {"stride": 3}),
    ("conv1d", (4, 8, 21), (40, 8, 4), {"padding": 1, "stride": 2}),
    ("conv1d", (4, 8, 20), (40, 8, 4), {"padding": 1, "stride": 2}),
    ("conv2d", (4, 16, 12, 12), (16, 16, 3, 3), {"padding": 2, "dilation": 2}),
    ("conv2d", (4, 32, 14, 14), (16, 32, 1, 1), {}),
    ("conv2d", (2, 512, 4, 4), (32, 512, 1, 1), {}),
    ("conv1d", (4, 4, 20), (16, 4, 3), {}),
    ("conv1d", (5, 32, 30), (32, 32, 3), {"padding": 2, "dilation": 2}),
    ("conv3d", (2, 2, 6, 6, 6), (4, 2, 3, 3, 3), {"padding": 1}),
]


@pytest.mark.parametrize(("name", "x", "w", "settings"), CONVOLUTIONS)
def test_convolutions_and_their_gradients(
    name: str, x: tuple[int, ...], w: tuple[int, ...], settings: dict[str, Any]
) -> None:
    numbers = np.random.RandomState(4)
    given = [numbers.standard_normal(shape).astype(np.float32) for shape in (x, w, w[:1])]
    ours, theirs = convolved(name, given, settings)
    known = len(x) < 5 or direct.IN_ORDER is False
    for mine, other in list(zip(ours, theirs, strict=True))[
        : 4 if known else 2
    ]:  # of three dimensions the forward's is
        compare(mine, other, direct.IN_ORDER)


TRANSPOSED: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((4, 16, 7, 7), (16, 8, 4, 4), {"stride": 2, "padding": 1}),
    ((4, 32, 7, 7), (32, 16, 3, 3), {"stride": 2, "padding": 1, "output_padding": 1}),
    ((3, 8, 6, 6), (8, 3, 2, 2), {"stride": 2}),
    ((3, 16, 6, 6), (16, 4, 3, 3), {}),
]


@pytest.mark.parametrize(("x", "w", "settings"), TRANSPOSED)
def test_transposed_convolutions(x: tuple[int, ...], w: tuple[int, ...], settings: dict[str, Any]) -> None:
    numbers = np.random.RandomState(4)
    given = [numbers.standard_normal(shape).astype(np.float32) for shape in (x, w, (w[1],))]
    ours, theirs = convolved("conv_transpose2d", given, settings)
    for mine, other in list(zip(ours, theirs, strict=True))[:3]:  # all but the bias's gradient
        compare(mine, other, direct.IN_ORDER)


@pytest.mark.parametrize("stride", [1, 2])
def test_convolutions_of_single_channels(stride: int) -> None:
    numbers = np.random.RandomState(4)
    given = [numbers.standard_normal(shape).astype(np.float32) for shape in ((3, 16, 9, 9), (16, 1, 3, 3), (16,))]
    ours, theirs = convolved("conv2d", given, {"groups": 16, "padding": 1, "stride": stride})
    for mine, other in list(zip(ours, theirs, strict=True))[: 2 if stride == 1 else 1]:
        compare(mine, other, direct.IN_ORDER)


def test_a_sum_that_is_infinite_stays_with_its_own_channel() -> None:
    """Chains go on from sums so far by way of a product with them."""
    x = engine.ones(8, 1, 40, 40)
    w = engine.ones(4, 1, 3, 3, requires_grad=True)
    g = engine.ones(8, 4, 38, 38)
    g[0, 0] = 3e38
    engine.nn.functional.conv2d(x, w).backward(g)
    assert engine.isinf(w.grad[0]).all()
    assert (w.grad[1:] == 8 * 38 * 38).all()
