"""The generator's numbers are PyTorch's to the last bit. Long streams are compared by their digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from engine import dtypes
from engine.random import Generator
from tests.differential import oracle

SEEDS = [0, 1234, -3, 2**64 - 1, 2**40 + 7]
SIZES = [0, 1, 3, 15, 16, 17, 31, 100, 5000]

FLOATS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Generator, tuple[int, ...], Any], Any]]] = {
    "uniform": (lambda x, g: x.uniform_(generator=g), lambda g, n, d: g.uniform(n, dtype=d)),
    "uniform -0.3 0.7": (lambda x, g: x.uniform_(-0.3, 0.7, generator=g), lambda g, n, d: g.uniform(n, -0.3, 0.7, d)),
    "uniform 5 7": (lambda x, g: x.uniform_(5, 7, generator=g), lambda g, n, d: g.uniform(n, 5, 7, d)),
    "normal": (lambda x, g: x.normal_(generator=g), lambda g, n, d: g.normal(n, dtype=d)),
    "normal 0.3 2.7": (lambda x, g: x.normal_(0.3, 2.7, generator=g), lambda g, n, d: g.normal(n, 0.3, 2.7, d)),
    "log_normal": (lambda x, g: x.log_normal_(0.3, 0.5, generator=g), lambda g, n, d: g.log_normal(n, 0.3, 0.5, d)),
    "exponential": (lambda x, g: x.exponential_(1.3, generator=g), lambda g, n, d: g.exponential(n, 1.3, d)),
    "bernoulli": (lambda x, g: x.bernoulli_(0.3, generator=g), lambda g, n, d: g.bernoulli(n, 0.3, d)),
}


def digest(array: np.ndarray) -> list[Any]:
    """What identifies an array to the last bit: dtype, shape, digest, and the first elements for a person."""
    array = np.ascontiguousarray(array)
    first = [repr(x) for x in array.reshape(-1)[:3].tolist()]
    return [array.dtype.name, list(array.shape), hashlib.sha256(array.tobytes()).hexdigest()[:16], first]


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.float16], ids=str)
@pytest.mark.parametrize("name", FLOATS)
def test_floating_point_streams(name: str, dtype: dtypes.dtype) -> None:
    theirs, ours = FLOATS[name]

    def ask(torch: Any) -> list[Any]:
        answers = []
        for seed in SEEDS:
            generator = torch.Generator().manual_seed(seed)
            for size in SIZES:
                filled = theirs(torch.empty(size, dtype=getattr(torch, dtype.short)), generator)
                answers.append(digest(filled.numpy()))
        return answers

    found = []
    for seed in SEEDS:
        generator = Generator().manual_seed(seed)
        found += [digest(ours(generator, (size,), dtype)) for size in SIZES]
    assert found == oracle.answer("random", f"{name} {dtype.short}", ask)


@pytest.mark.parametrize("dtype", [each for each in dtypes.ALL if not each.is_complex], ids=str)
def test_integer_streams(dtype: dtypes.dtype) -> None:
    high = 2 if dtype is dtypes.bool_ else 100

    def ask(torch: Any) -> list[Any]:
        generator = torch.Generator().manual_seed(7)
        empty = torch.empty(50, dtype=getattr(torch, dtype.short))
        return [
            digest(empty.random_(generator=generator).numpy()),
            digest(empty.random_(0, high, generator=generator).numpy()),
        ]

    generator = Generator().manual_seed(7)
    found = [digest(generator.random((50,), dtype)), digest(generator.randint(0, high, (50,), dtype))]
    assert found == oracle.answer("random", f"integers {dtype.short}", ask)


@pytest.mark.parametrize(("low", "high"), [(-5, 300), (-(2**40), 2**30), (-(2**62), 2**62), (0, 2**28), (0, 2**28 - 1)])
def test_integer_ranges(low: int, high: int) -> None:
    def ask(torch: Any) -> list[Any]:
        return digest(torch.randint(low, high, (4, 9), generator=torch.Generator().manual_seed(3)).numpy())

    ours = Generator().manual_seed(3).randint(low, high, (4, 9))
    assert digest(ours) == oracle.answer("random", f"randint {low} {high}", ask)


@pytest.mark.parametrize("low", [-5, 0, 17, -(2**63)])
def test_integers_without_an_upper_bound(low: int) -> None:
    def ask(torch: Any) -> list[Any]:
        empty = torch.empty(30, dtype=torch.int64)
        return digest(empty.random_(low, None, generator=torch.Generator().manual_seed(3)).numpy())

    ours = Generator().manual_seed(3).randint_from(low, (30,))
    assert digest(ours) == oracle.answer("random", f"random_ from {low}", ask)


@pytest.mark.parametrize("size", [0, 1, 2, 17, 3000])
def test_permutations(size: int) -> None:
    def ask(torch: Any) -> list[Any]:
        return digest(torch.randperm(size, generator=torch.Generator().manual_seed(11)).numpy())

    assert digest(Generator().manual_seed(11).randperm(size)) == oracle.answer("random", f"randperm {size}", ask)


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64], ids=str)
def test_draws_that_depend_on_given_probabilities(dtype: dtypes.dtype) -> None:
    weights = (np.arange(1, 25).reshape(2, 12) / 31).astype(dtype.numpy)

    def ask(torch: Any) -> list[Any]:
        generator = torch.Generator().manual_seed(5)
        given = torch.from_numpy(weights.copy())
        return [
            digest(torch.bernoulli(given, generator=generator).numpy()),
            digest(torch.multinomial(given, 1, generator=generator).numpy()),
            digest(torch.multinomial(given, 7, generator=generator).numpy()),
            digest(torch.multinomial(given[0], 30, replacement=True, generator=generator).numpy()),
            digest(torch.multinomial(given, 30, replacement=True, generator=generator).numpy()),
            digest(given.clone().geometric_(0.3, generator=generator).numpy()),
        ]

    generator = Generator().manual_seed(5)
    found = [
        generator.bernoulli_each(weights),
        generator.multinomial(weights, 1),
        generator.multinomial(weights, 7),
        generator.multinomial(weights[0], 30, replacement=True),
        generator.multinomial(weights, 30, replacement=True),
        generator.geometric(weights.shape, 0.3, dtype),
    ]
    assert [digest(each) for each in found] == oracle.answer("random", f"given probabilities {dtype.short}", ask)


def test_small_tensors_share_pairs_across_calls() -> None:
    """An odd number of normals leaves one for the next call, whatever is drawn in between."""

    def ask(torch: Any) -> list[Any]:
        generator = torch.Generator().manual_seed(2)
        drawn = [torch.randn(3, generator=generator), torch.rand(2, generator=generator)]
        drawn += [torch.randn(20, generator=generator), torch.randn(2, generator=generator)]
        state = generator.get_state().numpy()
        return [*(digest(each.numpy()) for each in drawn), digest(state)]

    generator = Generator().manual_seed(2)
    drawn = [generator.normal((3,)), generator.uniform((2,)), generator.normal((20,)), generator.normal((2,))]
    state = generator.get_state().numpy()
    assert [digest(each) for each in [*drawn, state]] == oracle.answer("random", "pairs", ask)


def test_not_contiguous_tensors_draw_one_by_one() -> None:
    def ask(torch: Any) -> list[Any]:
        column = torch.empty(20, 2)[:, 0]
        return digest(column.normal_(1, 2, generator=torch.Generator().manual_seed(2)).numpy())

    ours = Generator().manual_seed(2).normal((20,), 1, 2, contiguous=False)
    assert digest(ours) == oracle.answer("random", "not contiguous", ask)


MISUSES: dict[str, tuple[str, Callable[[Generator], Any]]] = {
    "uniform order": ("torch.zeros(3).uniform_(2, 1)", lambda g: g.uniform((3,), 2, 1)),
    "uniform infinite": ("torch.zeros(3).uniform_(0, float('inf'))", lambda g: g.uniform((3,), 0, float("inf"))),
    "uniform large": ("torch.zeros(3).uniform_(0, 1e39)", lambda g: g.uniform((3,), 0, 1e39)),
    "uniform integers": ("torch.rand(2, dtype=torch.int64)", lambda g: g.uniform((2,), dtype=dtypes.int64)),
    "normal std": ("torch.zeros(3).normal_(0, -1)", lambda g: g.normal((3,), 0, -1)),
    "normal integers": ("torch.randn(2, dtype=torch.int64)", lambda g: g.normal((2,), dtype=dtypes.int64)),
    "randint empty": ("torch.randint(5, 5, (2,))", lambda g: g.randint(5, 5, (2,))),
    "randint to": ("torch.randint(0, 300, (2,), dtype=torch.uint8)", lambda g: g.randint(0, 300, (2,), dtypes.uint8)),
    "randint from": ("torch.randint(-300, 3, (2,), dtype=torch.int8)", lambda g: g.randint(-300, 3, (2,), dtypes.int8)),
    "bernoulli": ("torch.zeros(3).bernoulli_(2)", lambda g: g.bernoulli((3,), 2)),
    "bernoulli each": ("torch.bernoulli(torch.tensor([2.]))", lambda g: g.bernoulli_each(np.array([2.0]))),
    "exponential": ("torch.zeros(3).exponential_(0)", lambda g: g.exponential((3,), 0)),
    "geometric": ("torch.zeros(3).geometric_(0)", lambda g: g.geometric((3,), 0)),
    "log_normal": ("torch.zeros(3).log_normal_(0, -1)", lambda g: g.log_normal((3,), 0, -1)),
    "multinomial dim": ("torch.multinomial(torch.tensor(1.), 1)", lambda g: g.multinomial(np.array(1.0), 1)),
    "multinomial dtype": ("torch.multinomial(torch.tensor([1, 2]), 1)", lambda g: g.multinomial(np.array([1, 2]), 1)),
    "multinomial none": ("torch.multinomial(torch.tensor([1.]), 0)", lambda g: g.multinomial(np.ones(1), 0)),
    "multinomial many": ("torch.multinomial(torch.ones(2), 3)", lambda g: g.multinomial(np.ones(2), 3)),
    "multinomial sign": ("torch.multinomial(torch.tensor([-1.]), 1)", lambda g: g.multinomial(np.array([-1.0]), 1)),
    "multinomial sum": ("torch.multinomial(torch.zeros(2), 1)", lambda g: g.multinomial(np.zeros(2), 1)),
    "seed too large": ("torch.Generator().manual_seed(2**64)", lambda g: g.manual_seed(2**64)),
    "seed of text": ("torch.Generator().manual_seed('a')", lambda g: g.manual_seed("a")),  # type: ignore[arg-type]
    "seed of a float": ("torch.Generator().manual_seed(1.)", lambda g: g.manual_seed(1.0)),  # type: ignore[arg-type]
    "short state": (
        "torch.Generator().set_state(torch.zeros(3, dtype=torch.uint8))",
        lambda g: g.set_bytes(bytes(3)),
    ),
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuse_raises_as_pytorch_does(name: str) -> None:
    code, ours = MISUSES[name]
    asked = oracle.answer(
        "random", f"misuse {name}", lambda torch: oracle.error_of(lambda: eval(code, {"torch": torch}))
    )
    assert oracle.error_of(lambda: ours(Generator())) == asked


@pytest.mark.slow
@pytest.mark.oracle
def test_ten_million_numbers() -> None:
    torch = oracle.torch()
    theirs, ours = torch.Generator().manual_seed(77), Generator().manual_seed(77)
    size = 10_000_000
    assert np.array_equal(torch.randn(size, generator=theirs).numpy(), ours.normal((size,)))
    expected = torch.empty(size).uniform_(-0.1, 0.1, generator=theirs).numpy()
    assert np.array_equal(expected, ours.uniform((size,), -0.1, 0.1))


def test_workers_draw_from_streams_of_their_own() -> None:
    """What a dataset draws in each of two workers, also where they stay, and what is drawn after that."""

    def ask(torch: Any) -> Any:
        class Noise(torch.utils.data.Dataset):  # type: ignore[misc, name-defined]
            def __len__(self) -> int:
                return 6

            def __getitem__(self, i: int) -> Any:
                return torch.rand(1), torch.initial_seed() % 1000

        loader = torch.utils.data.DataLoader
        torch.manual_seed(0)
        found = [
            [x.tolist() for x in batch]
            for batch in loader(Noise(), 2, num_workers=2, shuffle=True, multiprocessing_context="fork")
        ]
        stay = loader(Noise(), 4, num_workers=2, persistent_workers=True, multiprocessing_context="fork")
        found += [[x.tolist() for x in batch] for _ in range(2) for batch in stay]
        return [*found, torch.rand(1).tolist()]

    assert ask(engine) == oracle.answer("random", "workers", ask)
