"""Products, exponentials, logarithms, roots and steps are PyTorch's to the last bit: on AMD's and Intel's processors
with AVX-512, on which they were read off; elsewhere to some digits. Shapes and where arrays begin in memory are
drawn."""

from __future__ import annotations

import platform
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import engine
from engine.ops import gemm, intel, processor, vml
from tests.differential import oracle

pytestmark = pytest.mark.oracle

EXACT = (processor.AMD and gemm.in_order) or intel.IN_ORDER
SIZES = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 20, 32, 33, 50, 64, 100]


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the oracle has."""
    monkeypatch.setattr(processor, "THREADS", 1)


def compare(ours: Any, theirs: Any, exact: bool = EXACT) -> None:
    ours, theirs = ours.detach().numpy(), theirs.detach().numpy()
    assert ours.shape == theirs.shape
    if exact:
        np.testing.assert_array_equal(ours, theirs)
        assert (np.signbit(ours) == np.signbit(theirs))[~np.isnan(ours)].all()
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4)


class Both:
    """The same arrays for both."""

    def __init__(self, seed: int) -> None:
        self.torch = oracle.torch()
        self.numbers, self.draw = np.random.RandomState(seed), random.Random(seed)

    def matrix(self, rows: int, columns: int, begins: bool = True) -> tuple[Any, Any]:
        """Rows that may be further apart than they are long, in memory that may begin anywhere."""
        length = columns + self.draw.choice([0, 0, 0, 1, 2, 3]) * begins
        offset = self.draw.choice([0, 0, 0, 1, 2, 3]) * begins
        flat = self.numbers.standard_normal(rows * length + offset).astype(np.float32)
        if self.draw.random() < 0.2:
            flat[self.numbers.random_sample(flat.shape) < 0.6] = 0
        ours, theirs = engine.tensor(flat), self.torch.from_numpy(flat).clone()
        return tuple(each[offset:].view(rows, length)[:, :columns] for each in (ours, theirs))  # type: ignore[return-value]


@pytest.mark.parametrize("stand", ["as they are", "the right one transposed", "the left one transposed"])
@pytest.mark.parametrize("seed", range(4))
def test_products_of_matrices(stand: str, seed: int) -> None:
    both = Both(seed)
    for number in range(150):
        n, m = both.draw.choice(SIZES), both.draw.choice(SIZES)
        k = both.draw.randint(100, 900) if number % 8 == 7 else both.draw.randint(1, 70)
        a, b = both.matrix(n, k), both.matrix(k, m)
        if stand == "the left one transposed":
            a = tuple(each.t() for each in both.matrix(k, n))  # type: ignore[assignment]
        elif stand != "as they are":
            w = both.matrix(m, k)
            bias = both.matrix(1, m)
            b = tuple(each.t() for each in w)  # type: ignore[assignment]
            compare(
                engine.nn.functional.linear(a[0], w[0], bias[0][0]),
                both.torch.nn.functional.linear(a[1], w[1], bias[1][0]),
            )
        if m == 1 and b[0].stride(0) != 1:
            continue  # of a column of a wider matrix the last digits may differ
        if n == 1 and stand == "the left one transposed" and a[0].stride(1) != 1:
            continue
        ours, theirs = a[0] @ b[0], a[1] @ b[1]
        compare(ours, theirs)
        assert ours.stride() == theirs.stride()


LARGE = [(128, 784, 256), (100, 784, 400), (32, 784, 512), (512, 784, 10), (64, 784, 128), (200, 1024, 256)]
LARGE += [(58, 900, 400), (128, 900, 256)]


@pytest.mark.parametrize(("rows", "inner", "columns"), LARGE)
def test_large_products_that_threads_share(
    rows: int, inner: int, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor, "THREADS", 2)
    both = Both(rows)
    x, w, bias = (both.matrix(*shape, begins=False) for shape in ((rows, inner), (columns, inner), (1, columns)))
    before = both.torch.get_num_threads()
    both.torch.set_num_threads(2)
    theirs = both.torch.nn.functional.linear(x[1], w[1], bias[1][0])
    both.torch.set_num_threads(before)
    compare(engine.nn.functional.linear(x[0], w[0], bias[0][0]), theirs, intel.IN_ORDER)


@pytest.mark.parametrize("seed", range(3))
def test_products_with_vectors(seed: int) -> None:
    both = Both(seed)
    for _ in range(150):
        n, k = both.draw.choice(SIZES), both.draw.randint(1, 100)
        a, v, u = both.matrix(n, k), both.matrix(1, k), both.matrix(1, k, begins=False)
        compare(a[0] @ v[0][0], a[1] @ v[1][0])
        compare(u[0][0] @ u[0][0], u[1][0] @ u[1][0])
        w = both.matrix(1, n)
        compare(w[0][0] @ a[0], w[1][0] @ a[1])


@pytest.mark.parametrize("shape", [(10, 50), (16, 32), (50, 10), (100, 16), (7, 3), (64, 64)])
def test_gradients_of_products_with_vectors(shape: tuple[int, int]) -> None:
    both = Both(sum(shape))
    matrices, vectors = both.matrix(*shape, begins=False), both.matrix(1, shape[1], begins=False)
    for matrix, vector in zip(matrices, vectors, strict=True):
        vector = vector[0].requires_grad_()
        (matrix.requires_grad_() @ vector).pow(2).sum().backward()
        matrix.grad_of_vector = vector.grad
    compare(matrices[0].grad, matrices[1].grad)
    compare(matrices[0].grad_of_vector, matrices[1].grad_of_vector)


@pytest.mark.parametrize("seed", range(3))
def test_products_of_batches(seed: int) -> None:
    both = Both(seed)
    for _ in range(60):
        count, n, m, k = (both.draw.choice([1, 2, 3, 5]), *(both.draw.choice(SIZES) for _ in range(3)))
        if n * m * k < 400 or m == 1 or n == 1:
            continue
        pairs = []
        for rows, columns in ((n, k), (k, m)):
            x = both.numbers.standard_normal((count, rows, columns)).astype(np.float32)
            pairs.append((engine.tensor(x), both.torch.from_numpy(x).clone()))
        compare(pairs[0][0] @ pairs[1][0], pairs[0][1] @ pairs[1][1])


@pytest.mark.parametrize("size", [2, 7, 1000, 20000])
def test_gelu_and_its_gradient(size: int) -> None:
    both = Both(6)
    x = both.numbers.uniform(-7, 7, size).astype(np.float32)
    x[:2] = 0, -100
    found = []
    for torch in (engine, both.torch):
        values = torch.tensor(x, requires_grad=True)
        out = torch.nn.functional.gelu(values)
        (out * torch.tensor(x[::-1].copy())).sum().backward()
        found.append((out.detach().numpy(), values.grad.numpy()))
    known = intel.IN_ORDER and both.torch.backends.mkldnn.is_available()
    for ours, theirs in zip(*found, strict=True):
        if known:
            np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-6)


OF_EACH: dict[str, Callable[[Any, Any], Any]] = {
    "sigmoid": lambda torch, x: torch.sigmoid(x),
    "silu": lambda torch, x: torch.nn.functional.silu(x),
    "logsigmoid": lambda torch, x: torch.nn.functional.logsigmoid(x),
    "softmax": lambda torch, x: torch.softmax(x, 1),
    "log_softmax": lambda torch, x: torch.log_softmax(x, 1),
    "sqrt": lambda torch, x: torch.sqrt(x.abs()),
    "power": lambda torch, x: x.abs() ** 0.5,
    "norm": lambda torch, x: torch.linalg.vector_norm(x),
    "norm of rows": lambda torch, x: x.norm(dim=1, keepdim=True),
}
RARELY = {"sigmoid", "silu"}
"""Where the C library's exp is one of a thousand not the nearest number."""


@pytest.mark.parametrize("name", OF_EACH)
def test_functions(name: str) -> None:
    both = Both(5)
    differ = 0
    for _ in range(60):
        x = both.matrix(both.draw.choice(SIZES), both.draw.choice(SIZES), begins=name in ("sigmoid", "silu"))
        scale = 10 ** both.draw.uniform(-3, 1)
        ours, theirs = OF_EACH[name](engine, x[0] * scale), OF_EACH[name](both.torch, x[1] * scale)
        if name in RARELY:
            differ += int((ours.numpy() != theirs.numpy()).sum())
            np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=3e-7, atol=1e-37)
        else:
            compare(ours, theirs)
    assert differ < 10 or not EXACT


def test_roots_of_all_sizes() -> None:
    both = Both(1)
    edges = np.array([0, -0.0, np.inf, np.nan, -1, 1e-40, 1e-45, 1.2e-38, 3.4e38, 2.0**-126], np.float32)
    sizes = (2.0 ** both.numbers.uniform(-149, 127.9, 4000)).astype(np.float32)
    for x in (edges, sizes):
        compare(engine.tensor(x).sqrt(), both.torch.from_numpy(x).sqrt())


LOSSES: dict[str, Callable[[Any, Any, Any, Any], Any]] = {
    "cross_entropy": lambda F, x, y, labels: F.cross_entropy(x, labels),
    "binary_cross_entropy": lambda F, x, y, labels: F.binary_cross_entropy(x.sigmoid(), y),
    "binary_cross_entropy_with_logits": lambda F, x, y, labels: F.binary_cross_entropy_with_logits(x, y),
    "mse_loss": lambda F, x, y, labels: F.mse_loss(x, y),
    "multi_margin_loss": lambda F, x, y, labels: F.multi_margin_loss(x, labels),
}


@pytest.mark.parametrize("name", LOSSES)
def test_losses_and_their_gradients(name: str) -> None:
    both = Both(2)
    for _ in range(60):
        n, m = both.draw.randint(1, 150), both.draw.choice([1, 2, 3, 10, 17])
        x = (both.numbers.standard_normal((n, m)) * 2).astype(np.float32)
        y = (both.numbers.random_sample((n, m)) < 0.5).astype(np.float32)
        labels = both.numbers.randint(0, m, n)
        found = []
        for torch, make in ((engine, engine.tensor), (both.torch, lambda a: both.torch.from_numpy(a).clone())):
            values = make(x).requires_grad_()
            loss = LOSSES[name](torch.nn.functional, values, make(y), make(labels))
            loss.backward()
            found.append((loss, values.grad))
        if name == "binary_cross_entropy":  # of sigmoids, whose exp is the C library's for what fills no register
            continue
        compare(found[0][0], found[1][0])
        compare(found[0][1], found[1][1], EXACT and name != "multi_margin_loss")


STEPS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01, "nesterov": True}),
    ("Adam", {}),
    ("Adam", {"weight_decay": 0.01, "amsgrad": True}),
    ("AdamW", {}),
    ("RMSprop", {"momentum": 0.9, "centered": True}),
    ("Adagrad", {}),
    ("Adadelta", {}),
    ("NAdam", {}),
]


@pytest.mark.parametrize(("name", "settings"), STEPS)
@pytest.mark.parametrize("shapes", [[(3, 2), (3,), (1, 3), (1,)], [(64, 100), (64,)], [(300, 150)]])
def test_steps_of_optimizers(name: str, settings: dict[str, Any], shapes: list[tuple[int, ...]]) -> None:
    both = Both(3)
    if name != "SGD" and shapes == [(300, 150)]:
        return  # roots of more than some ten thousand numbers are NumPy's
    start = [both.numbers.standard_normal(shape).astype(np.float32) for shape in shapes]
    ours = [engine.tensor(each).requires_grad_() for each in start]
    theirs = [both.torch.from_numpy(each).clone().requires_grad_() for each in start]
    optimizers = [
        getattr(torch.optim, name)(parameters, **settings)
        for torch, parameters in ((engine, ours), (both.torch, theirs))
    ]
    for _ in range(20):
        for mine, other in zip(ours, theirs, strict=True):
            g = (both.numbers.standard_normal(mine.shape) * 10 ** both.numbers.uniform(-3, 1)).astype(np.float32)
            mine.grad, other.grad = engine.tensor(g), both.torch.from_numpy(g).clone()
        for optimizer in optimizers:
            optimizer.step()
        for mine, other in zip(ours, theirs, strict=True):
            compare(mine, other)


@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
@pytest.mark.parametrize("sizes", [(2, 8, 1), (4, 10, 3), (10, 32, 16, 5)])
def test_a_training(optimizer: str, sizes: tuple[int, ...]) -> None:
    """Every loss of 200 iterations, in which an error of a last digit would have grown."""
    losses = []
    for torch in (engine, Both(0).torch):
        torch.manual_seed(1)
        x, labels = torch.randn(50, sizes[0]), torch.randint(0, max(sizes[-1], 2), (50,))
        layers: list[Any] = []
        for before, after in pairwise(sizes):
            layers += [torch.nn.Linear(before, after), torch.nn.ReLU()]
        model = torch.nn.Sequential(*layers[:-1])
        criterion = torch.nn.CrossEntropyLoss() if sizes[-1] > 1 else torch.nn.MSELoss()
        target = labels if sizes[-1] > 1 else labels.float().view(-1, 1)
        moves = getattr(torch.optim, optimizer)(model.parameters(), lr=0.05)
        losses.append([])
        for _ in range(200):
            loss = criterion(model(x), target)
            moves.zero_grad()
            loss.backward()
            moves.step()
            losses[-1].append(loss.item())
    if EXACT:
        assert losses[0] == losses[1]
    else:
        np.testing.assert_allclose(losses[0], losses[1], rtol=1e-2)


FROM_A_TABLE = vml.IN_STEPS
OF_MKL: list[tuple[str, float, float, float]] = [
    *((name, -far, far, 0 if FROM_A_TABLE else 0.02) for name in ("sin", "cos") for far in (20, 9000)),
    ("exp", -80, 80, 2e-4 if FROM_A_TABLE else 0.1),
    ("asin", -1, 1, 2e-3 if FROM_A_TABLE else 0.02),
    ("acos", -1, 1, 2e-3 if FROM_A_TABLE else 0.02),
    ("erf", -4, 4, 1e-4 if FROM_A_TABLE else 0.04),
    ("tanh", -6, 6, 1e-3 if FROM_A_TABLE else 0.02),
]
"""Functions of MKL's vectors, where from and where to, and the share of results that may be others."""


@pytest.mark.parametrize(("name", "low", "high", "share"), OF_MKL)
def test_functions_of_a_library_for_vectors(name: str, low: float, high: float, share: float) -> None:
    both = Both(4)
    if not both.torch.backends.mkl.is_available():
        pytest.skip("this PyTorch takes them from elsewhere")
    edges = np.array([0, -0.0, 1e-40, -1e-40, np.inf, -np.inf, np.nan, 1e-20, -1e-3, 100, -100, 2e4] * 2, np.float32)
    for x in [edges, *(both.numbers.uniform(low, high, 4000).astype(np.float32) for _ in range(20))]:
        ours = getattr(engine, name)(engine.tensor(x)).numpy()
        theirs = getattr(both.torch, name)(both.torch.tensor(x)).numpy()
        np.testing.assert_allclose(ours, theirs, rtol=2e-7, atol=1e-38)
        some = ~np.isnan(theirs)
        assert (np.signbit(ours) == np.signbit(theirs))[some].all()
        assert (ours != theirs)[some].mean() <= 3 * share or (x is edges and share)


OF_SINGLE_ELEMENTS: dict[str, tuple[Callable[[Any, Any], Any], float, float]] = {
    "softplus": (lambda torch, x: torch.nn.functional.softplus(x, 2), -30, 15),
    "mish": (lambda torch, x: torch.nn.functional.mish(x), -9, 9),
    "elu": (lambda torch, x: torch.nn.functional.elu(x), -6, 2),
    "selu": (lambda torch, x: torch.nn.functional.selu(x), -6, 2),
    "celu": (lambda torch, x: torch.nn.functional.celu(x, 1.5), -6, 2),
    "logsigmoid": (lambda torch, x: torch.nn.functional.logsigmoid(x), -9, 9),
    "gelu of tanh": (lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh"), -4, 4),
    "glu": (lambda torch, x: torch.nn.functional.glu(torch.cat([x, x.flip(0)]), 0), -6, 6),
    "exp2": (lambda torch, x: torch.exp2(x), -20, 20),
    "expm1": (lambda torch, x: torch.expm1(x), -5, 5),
    "log1p": (lambda torch, x: torch.log1p(x), -0.99, 5),
    "sinh": (lambda torch, x: torch.sinh(x), -20, 20),
    "cosh": (lambda torch, x: torch.cosh(x), -20, 20),
    "asinh": (lambda torch, x: torch.asinh(x), -6, 6),
    "acosh": (lambda torch, x: torch.acosh(x.abs() + 1), -6, 6),
    "atanh": (lambda torch, x: torch.atanh(x), -0.99, 0.99),
    "xlogy": (lambda torch, x: torch.xlogy(x.detach() + 1, x), 0.01, 9),
    "digamma": (lambda torch, x: torch.digamma(x.detach()) + x, 0.01, 20),
}
"""Of each with where from and where to."""
ROUNDS_SO = intel.IN_ORDER and platform.libc_ver() < ("glibc", "2.41")
"""Whether PyTorch takes SLEEF's functions in registers of 16 and the C library's of before 2.41."""


@pytest.mark.parametrize("name", OF_SINGLE_ELEMENTS)
def test_functions_of_single_elements_and_their_gradients(name: str) -> None:
    both = Both(7)
    function, low, high = OF_SINGLE_ELEMENTS[name]
    differ = count = 0
    for size in (1, 3, 7, 20, 33, 64, 100, 1000, 4000):
        x = both.numbers.uniform(low, high, size).astype(np.float32)
        weight = both.numbers.standard_normal(size).astype(np.float32)
        found = []
        for torch in (engine, both.torch):
            values = torch.tensor(x, requires_grad=True)
            out = function(torch, values)
            (out * torch.tensor(weight)).sum().backward()
            found.append((out.detach().numpy(), values.grad.numpy()))
        for ours, theirs in zip(*found, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
            differ += int((ours != theirs).sum())
            count += ours.size
    assert differ <= (count * 0.004 if ROUNDS_SO else count)


@pytest.mark.parametrize(("name", "share"), [("tanh", 0.06), ("log10", 0.01), ("sin", 0.02), ("exp", 0.1)])
def test_numbers_of_64_bits(name: str, share: float) -> None:
    both = Both(8)
    x = both.numbers.uniform(0.01, 4, 2000)
    found = []
    for torch in (engine, both.torch):
        values = torch.tensor(x, requires_grad=True)
        out = getattr(torch, name)(values)
        out.sum().backward()
        found.append((out.detach().numpy(), values.grad.numpy()))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)
        assert (ours != theirs).mean() <= share or np.finfo(np.longdouble).nmant < 60
