"""Optimizers work through large arrays in blocks: the numbers are those of whole arrays, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

import engine as torch
from engine.optim import blocks

OPTIMIZERS = {
    "SGD": {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "weight_decay": 0.01},
    "Nesterov": {"lr": 0.1, "momentum": 0.9, "nesterov": True},
    "Adam": {"lr": 0.1, "weight_decay": 0.1, "amsgrad": True},
    "AdamW": {"lr": 0.1},
    "NAdam": {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True},
    "RAdam": {"lr": 0.1, "weight_decay": 0.1},
    "Adamax": {"lr": 0.1, "weight_decay": 0.1},
    "Adagrad": {"lr": 0.1, "weight_decay": 0.1},
    "Adadelta": {"lr": 0.1, "weight_decay": 0.1},
    "RMSprop": {"lr": 0.1, "weight_decay": 0.1, "momentum": 0.9, "centered": True},
}


def trained(name: str, transposed: bool) -> list[np.ndarray]:
    """A parameter and its state after eight steps along the same gradients."""
    random = np.random.default_rng(0)
    start = random.standard_normal((7, 11)).astype(np.float32)
    parameter = torch.nn.Parameter(torch.tensor(start.tolist()))
    if transposed:
        parameter = torch.nn.Parameter(torch.tensor(start.T.tolist()).t())
    optimizer = getattr(torch.optim, "SGD" if name == "Nesterov" else name)([parameter], **OPTIMIZERS[name])
    for _ in range(8):
        parameter.grad = torch.tensor(random.standard_normal((7, 11)).astype(np.float32).tolist())
        optimizer.step()
    state = optimizer.state[parameter]
    return [parameter.detach().numpy(), *(value.numpy() for value in state.values())]


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("transposed", [False, True])
def test_blocks_change_no_bit(name: str, transposed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trained(name, transposed)
    monkeypatch.setattr(blocks, "BLOCK", 10)
    for expected, got in zip(whole, trained(name, transposed), strict=True):
        assert np.array_equal(expected, got)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("beta", [0.51, 0.9, 0.999])
def test_both_averages_are_each_of_them(kind: type[np.floating], beta: float) -> None:
    random = np.random.default_rng(3)
    gradient, mean, square, spare = (random.standard_normal(blocks.ONCE + 1).astype(kind) for _ in range(4))
    means, squares = [mean, mean.copy()], [square, square.copy()]
    factors = [blocks.scalar(each, np.dtype(kind)) for each in (1 - beta, beta, 1 - beta)]
    blocks.both_averages(mean, square, gradient, (factors[0], factors[1], factors[2]), spare)
    blocks.lerp(means[1], gradient, 1 - beta, spare)
    blocks.running_square(squares[1], gradient, beta, spare)
    if kind is np.float64:  # those round once what has 32 bits
        assert means[0].tobytes() == means[1].tobytes()
        assert squares[0].tobytes() == squares[1].tobytes()
    np.testing.assert_allclose(means[0], means[1], rtol=2e-6, atol=1e-6)
    np.testing.assert_allclose(squares[0], squares[1], rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize("shape", [(), (1,), (7,), (7, 11), (64, 65)])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_descending_rounds_once(shape: tuple[int, ...], kind: type[np.floating]) -> None:
    random = np.random.default_rng(1)
    x, y = (np.asarray(random.standard_normal(shape) * 10.0 ** random.integers(-20, 20, shape), kind) for _ in range(2))
    for special in (None, np.inf, -np.inf, 0.0, np.finfo(kind).max):
        if special is not None:
            y.reshape(-1)[0] = special
        got = x.copy()
        blocks.descend(got, y, -1e5 if special else 0.3)
        rate = np.float64(kind(-1e5 if special else 0.3))
        expected = (x - y * rate).astype(kind)
        assert got.tobytes() == expected.tobytes()


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_a_plain_step_is_what_update_does(momentum: float) -> None:
    def trained_by(plain: bool) -> list[object]:
        random = np.random.default_rng(2)
        shapes = [(), (5,), (3, 4), (70, 71), (200, 300)]
        parameters = [torch.tensor(random.standard_normal(shape).tolist(), requires_grad=True) for shape in shapes]
        optimizer = torch.optim.SGD([{"params": parameters[:4]}, {"params": parameters[4:]}], 0.1, momentum=momentum)
        for step in range(4):
            for number, parameter in enumerate(parameters):
                none = number == step  # a parameter that got no gradient this time
                parameter.grad = None if none else torch.tensor(random.standard_normal(shapes[number]).tolist())
            for group in optimizer.param_groups:
                if not (plain and optimizer.plain_step(group)):
                    optimizer._step_of(group, None)
        states = [each["momentum_buffer"] for each in optimizer.state.values()]
        assert bool(states) == bool(momentum)
        return [(each.detach().numpy().tobytes(), each._version) for each in (*parameters, *states)]

    assert trained_by(True) == trained_by(False)


def test_a_zero_is_not_the_negative_zero_that_a_rate_of_zero_leaves_behind() -> None:
    blocks.scalar.cache_clear()
    blocks.scalar(-0.0, np.dtype(np.float64))
    assert not np.signbit(torch.relu(torch.tensor([-1.0], dtype=torch.float64)).numpy()).any()
