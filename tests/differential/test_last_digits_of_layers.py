"""Layers' results and gradients are PyTorch's to the last bit on Intel's processors with AVX-512, where PyTorch has as
many threads as there are processors; elsewhere to some digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from engine.nn import recurrent
from engine.ops import direct, dnn_lstm, intel, processor
from tests.differential import oracle
from tests.differential.test_last_digits import compare

pytestmark = pytest.mark.oracle

EXACT = direct.IN_ORDER and intel.IN_ORDER
"""Whether this is such a processor as those on which the order was read off."""


def asked(make: Any, arrays: list[np.ndarray[Any, Any]]) -> list[list[Any]]:
    """What `make(torch, *tensors)` of each of the two answers, and the gradients of the tensors, with that of the first
    result drawn. PyTorch has as many threads as it takes by itself."""
    found: list[list[Any]] = []
    other = oracle.torch()
    other.set_num_threads(processor.THREADS)
    for torch, tensor in ((engine, engine.tensor), (other, lambda a: other.from_numpy(a).clone())):
        tensors = [tensor(each).requires_grad_() for each in arrays]
        results = make(torch, *tensors)
        g = np.random.RandomState(1).standard_normal(tuple(results[0].shape)).astype(np.float32)
        results[0].backward(tensor(g))
        found.append([*results, *(each.grad for each in tensors)])
    other.set_num_threads(1)
    return found


def convolved(name: str, given: list[Any], settings: dict[str, Any]) -> list[list[Any]]:
    return asked(lambda torch, *tensors: [getattr(torch.nn.functional, name)(*tensors, **settings)], given)


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
    for mine, other in list(zip(ours, theirs, strict=True))[: 4 if len(x) < 5 else 2]:
        compare(mine, other, EXACT)


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
        compare(mine, other, EXACT)


@pytest.mark.parametrize("stride", [1, 2])
def test_convolutions_of_single_channels(stride: int) -> None:
    numbers = np.random.RandomState(4)
    given = [numbers.standard_normal(shape).astype(np.float32) for shape in ((3, 16, 9, 9), (16, 1, 3, 3), (16,))]
    ours, theirs = convolved("conv2d", given, {"groups": 16, "padding": 1, "stride": stride})
    for mine, other in list(zip(ours, theirs, strict=True))[: 2 if stride == 1 else 1]:
        compare(mine, other, EXACT)


def test_a_sum_that_is_infinite_stays_with_its_own_channel() -> None:
    """Chains go on from sums so far by way of a product with them."""
    x = engine.ones(8, 1, 40, 40)
    w = engine.ones(4, 1, 3, 3, requires_grad=True)
    g = engine.ones(8, 4, 38, 38)
    g[0, 0] = 3e38
    engine.nn.functional.conv2d(x, w).backward(g)
    assert engine.isinf(w.grad[0]).all()
    assert (w.grad[1:] == 8 * 38 * 38).all()


def drawn(*shapes: tuple[int, ...]) -> list[np.ndarray[Any, Any]]:
    numbers = np.random.RandomState(6)
    return [numbers.standard_normal(shape).astype(np.float32) + np.float32(0.5) for shape in shapes]


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize(
    "shape", [(5, 3), (16, 20), (33, 64), (150, 128), (8, 200), (1, 3, 16, 16), (4, 8, 7, 7), (3, 5, 2, 2), (6, 16, 50)]
)
def test_batch_normalisations(shape: tuple[int, ...], training: bool) -> None:
    channels = shape[1:2]
    mean, square = drawn(channels, channels)

    def normalised(torch: Any, x: Any, w: Any, b: Any) -> list[Any]:
        running = torch.tensor(mean.tolist()), torch.tensor((square * square).tolist()) + 0.1
        y = torch.nn.functional.batch_norm(x, *running, w, b, training=training)
        return [y, *running]

    for mine, other in zip(*asked(normalised, drawn(shape, channels, channels)), strict=True):
        compare(mine, other, EXACT)


@pytest.mark.parametrize("given", [1, 2, 3])
@pytest.mark.parametrize(
    "shape", [(3, 1), (4, 8), (5, 10), (33, 17), (64, 64), (20, 200), (9, 512), (2, 1000), (6, 5, 32)]
)
def test_layer_normalisations(shape: tuple[int, ...], given: int) -> None:
    """Of the input alone, with a weight, and with a bias too."""

    def normalised(torch: Any, x: Any, *scales: Any) -> list[Any]:
        return [torch.nn.functional.layer_norm(x, x.shape[-1:], *scales)]

    arrays = drawn(shape, shape[-1:], shape[-1:])[:given]
    for mine, other in zip(*asked(normalised, arrays), strict=True):
        compare(mine, other, EXACT)


POOLS: dict[str, Any] = {
    "the largest": lambda F, x: F.max_pool2d(x, 2),
    "the largest of windows that overlap": lambda F, x: F.max_pool2d(x, 3, 1, 1),
    "the mean": lambda F, x: F.avg_pool2d(x, 2),
    "the mean of windows that overlap": lambda F, x: F.avg_pool2d(x, 3, 1, 1),
    "the mean, to a size": lambda F, x: F.adaptive_avg_pool2d(x, 3),
    "the mean, to one": lambda F, x: F.adaptive_avg_pool2d(x, 1),
    "the mean in one dimension": lambda F, x: F.avg_pool1d(x[0], 3, 2),
    "each twice": lambda F, x: F.interpolate(x, scale_factor=2),
}


@pytest.mark.parametrize("name", POOLS)
@pytest.mark.parametrize("size", [7, 12, 32])
def test_pools(name: str, size: int) -> None:
    for mine, other in zip(
        *asked(lambda torch, x: [POOLS[name](torch.nn.functional, x)], drawn((2, 3, size, size))), strict=True
    ):
        compare(mine, other, True)


SUMS: dict[str, Any] = {
    "columns of a transposed matrix": lambda x: x.t().sum(0),
    "rows of a transposed matrix": lambda x: x.t().mean(1, keepdim=True),
    "all of a transposed matrix": lambda x: x.t().sum(),
    "rows of some columns": lambda x: x[:, 1:].sum(1),
    "columns of some columns": lambda x: x[:, 1:].sum(0),
    "the last of permuted dimensions": lambda x: x.view(20, 12, -1).permute(2, 0, 1).sum(2),
    "samples and places": lambda x: x.view(5, 6, 8, -1).sum((0, 2, 3)),
    "samples and places, kept": lambda x: x.view(5, 6, 4, 2, -1).mean((0, 2, 3, 4), keepdim=True),
    "samples and single places": lambda x: x.view(40, 6, -1).sum((0, 2)),
    "more than a thread adds up": lambda x: x.repeat(40, 1).mean(),
}


@pytest.mark.parametrize("name", SUMS)
def test_sums(name: str) -> None:
    for mine, other in zip(*asked(lambda torch, x: [SUMS[name](x)], drawn((60, 40))), strict=True):
        compare(mine, other, True)


@pytest.mark.parametrize("size", [8, 33, 256])
def test_a_cross_entropy_with_weights(size: int) -> None:
    labels = np.random.RandomState(2).randint(0, 7, size)
    weight = drawn((7,))[0] ** 2 + np.float32(0.1)

    def loss(torch: Any, x: Any) -> list[Any]:
        given = torch.tensor(labels.tolist()), torch.tensor(weight.tolist())
        return [torch.nn.functional.cross_entropy(x, *given)]

    for mine, other in zip(*asked(loss, drawn((size, 7))), strict=True):
        compare(mine, other, True)


ATTENTION: list[tuple[tuple[int, int], tuple[int, int]]] = [
    ((8, 8), (2, 16)),
    ((7, 7), (3, 5)),
    ((33, 33), (2, 32)),
    ((1, 10), (2, 8)),
    ((16, 64), (4, 32)),
    ((64, 48), (2, 24)),
    ((200, 200), (1, 16)),
]
"""Queries and keys; heads and their size."""


@pytest.mark.parametrize("way", ["all", "causal", "masked", "added"])
@pytest.mark.parametrize(("lengths", "sizes"), ATTENTION)
def test_attention(way: str, lengths: tuple[int, int], sizes: tuple[int, int]) -> None:
    (length, count), (heads, size) = lengths, sizes
    mask = np.random.RandomState(8).standard_normal((length, count)).astype(np.float32)
    mask[:, 0] = 1

    def attended(torch: Any, q: Any, k: Any, v: Any) -> list[Any]:
        given = {
            "all": {},
            "causal": {"is_causal": True},
            "masked": {"attn_mask": torch.tensor((mask > 0).tolist())},
            "added": {"attn_mask": torch.tensor(mask.tolist())},
        }
        return [torch.nn.functional.scaled_dot_product_attention(q, k, v, **given[way])]

    shapes = ((2, heads, length, size), (2, heads, count, size), (2, heads, count, size))
    for mine, other in zip(*asked(attended, drawn(*shapes)), strict=True):
        compare(mine, other, EXACT)


@pytest.mark.parametrize("norm_first", [False, True])
def test_a_layer_of_a_transformer(norm_first: bool) -> None:
    def made(torch: Any, x: Any) -> list[Any]:
        torch.manual_seed(2)
        layer = torch.nn.TransformerEncoderLayer(32, 4, 48, 0.0, "gelu", batch_first=True, norm_first=norm_first)
        return [layer(x)]

    for mine, other in zip(*asked(made, drawn((4, 20, 32))), strict=True):
        compare(mine, other, EXACT)


@pytest.mark.parametrize(("batch", "length", "width", "heads"), [(16, 32, 64, 4), (8, 64, 64, 4), (4, 8, 32, 4)])
def test_attention_written_out(batch: int, length: int, width: int, heads: int) -> None:
    def attended(torch: Any, *given: Any) -> list[Any]:
        q, k, v = (each.view(batch, length, heads, width // heads).transpose(1, 2) for each in given)
        weights = torch.softmax(q @ k.transpose(-2, -1) / (width // heads) ** 0.5, -1)
        return [(weights @ v).transpose(1, 2).reshape(batch, length, width)]

    for mine, other in zip(*asked(attended, drawn(*[(batch, length, width)] * 3)), strict=True):
        compare(mine, other, EXACT)


LSTMS: list[tuple[tuple[int, int, int, int], dict[str, Any]]] = [
    ((5, 4, 8, 16), {}),
    ((3, 2, 3, 5), {"bias": False}),
    ((6, 1, 10, 20), {}),
    ((2, 1, 32, 64), {}),
    ((20, 16, 1, 32), {"batch_first": True}),
    ((10, 16, 32, 64), {"num_layers": 2, "bidirectional": True}),
    ((5, 8, 100, 130), {"num_layers": 2}),
    ((2, 3, 500, 40), {}),
    ((90, 5, 10, 24), {}),
    ((2, 8, 30, 500), {}),
    ((3, 100, 200, 200), {}),
]
"""Steps, sequences, inputs and hidden numbers; settings."""


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize(("sizes", "settings"), LSTMS)
def test_lstms(
    sizes: tuple[int, ...], settings: dict[str, Any], watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With their steps recorded, and without."""
    steps, count, inputs, size = sizes
    monkeypatch.setattr(recurrent, "unwatched", lambda: not watched)
    parameters: list[Any] = []

    def made(torch: Any, x: Any, h: Any, c: Any) -> list[Any]:
        torch.manual_seed(2)
        layer = torch.nn.LSTM(inputs, size, **settings)
        parameters.append(list(layer.parameters()))
        output, (last, cells) = layer(x, (h, c))
        with torch.no_grad():
            plain, _ = layer(x)
        (last * 0.3 + cells * 0.7).sum().backward(retain_graph=True)
        return [output, last, cells, plain]

    count_of_states = settings.get("num_layers", 1) * (1 + settings.get("bidirectional", False))
    shape = (count, steps, inputs) if settings.get("batch_first") else (steps, count, inputs)
    state = (count_of_states, count, size)
    ours, theirs = asked(made, drawn(shape, state, state))
    if inputs == 1:  # products with a column that are not known
        del ours[4], theirs[4]
    for mine, other in zip(ours, theirs, strict=True):
        compare(mine, other, EXACT)
    for mine, other in zip(*parameters, strict=True):
        compare(mine.grad, other.grad, EXACT)


def test_the_sigmoid_and_tanh_of_an_lstm() -> None:
    """Which are its own: an output gate that is 1 shows them."""
    numbers = np.random.RandomState(3).standard_normal(4000).astype(np.float32)
    x = np.concatenate([numbers * scale for scale in (1e-3, 0.1, 1, 5, 40)]).astype(np.float32)
    torch = oracle.torch()
    lstm = torch.nn.LSTM(1, x.size // 20)
    found = []
    with torch.no_grad():
        for each in lstm.parameters():
            each.zero_()
        for part in np.split(x, 20):
            low, high = np.full_like(part, -200), np.full_like(part, 200)
            row = torch.zeros(1, 1, 1)
            shown = (([low, high, low, high], part), ([low, part, low, high], high / 200))
            for bias, c in shown:
                lstm.bias_ih_l0.copy_(torch.from_numpy(np.concatenate(bias)))
                state = torch.from_numpy(c.astype(np.float32)).reshape(1, 1, -1)
                h, (_, cell) = lstm(row, (torch.zeros_like(state), state))
                found.append((h if c is part else cell).numpy().reshape(-1))
    if EXACT:
        np.testing.assert_array_equal(np.concatenate(found[::2]), dnn_lstm.tanh(x))
        np.testing.assert_array_equal(np.concatenate(found[1::2]), dnn_lstm.sigmoid(x))
