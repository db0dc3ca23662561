"""Promotion, limits, sizes and devices answer what PyTorch's do."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from engine import dtypes
from engine.dtypes import Size, device, promote_types
from tests.differential import oracle

# The part of the torch-shaped face that lives in dtypes.py, under the names that scripts use.
OURS = SimpleNamespace(
    **{each.short: each for each in dtypes.ALL},
    **{name: each for name, each in dtypes.ALIASES.items() if name != "bool"},
    Size=Size,
    device=device,
    promote_types=promote_types,
    can_cast=dtypes.can_cast,
    finfo=dtypes.finfo,
    iinfo=dtypes.iinfo,
    dtype=dtypes.dtype,
    set_default_dtype=dtypes.set_default_dtype,
)

NAMES = [each.short for each in dtypes.ALL]


def test_promotion_of_every_pair() -> None:
    def table(torch: Any) -> list[list[str]]:
        return [[str(torch.promote_types(getattr(torch, a), getattr(torch, b))) for b in NAMES] for a in NAMES]

    assert table(OURS) == oracle.answer("dtypes", "promote_types", table)


def test_casting_of_every_pair() -> None:
    def table(torch: Any) -> list[list[bool]]:
        return [[torch.can_cast(getattr(torch, a), getattr(torch, b)) for b in NAMES] for a in NAMES]

    assert table(OURS) == oracle.answer("dtypes", "can_cast", table)


@pytest.mark.parametrize("default", ["float32", "float64"])
def test_result_of_tensors_and_numbers(default: str) -> None:
    """Tensors with dimensions beat 0-d tensors, which beat numbers, unless of a lower category."""
    shapes = [(0, 0), (0, 1), (1, 0), (1, 2)]

    def ask(torch: Any) -> list[str]:
        torch.set_default_dtype(getattr(torch, default))
        try:
            answers = []
            for a in NAMES:
                for m, n in shapes:
                    x = torch.zeros([1] * m, dtype=getattr(torch, a))
                    answers += [str(torch.result_type(x, torch.zeros([1] * n, dtype=getattr(torch, b)))) for b in NAMES]
                answers += [str(torch.result_type(torch.zeros((), dtype=getattr(torch, a)), v)) for v in (True, 2, 0.5)]
            return answers
        finally:
            torch.set_default_dtype(torch.float32)

    dtypes.set_default_dtype(dtypes.named(default))
    try:
        found = []
        for a in dtypes.ALL:
            for m, n in shapes:
                promoted = [dtypes.promote(a, m, b, n) for b in dtypes.ALL]
                assert promoted == [dtypes.result_type((a, m), (b, n)) for b in dtypes.ALL]
                found += map(str, promoted)
            for value in (True, 2, 0.5):
                promoted_number = dtypes.promote_scalar(a, value)
                assert promoted_number is dtypes.result_type((a, 0), (dtypes.of_number(value), -1))
                found.append(str(promoted_number))
    finally:
        dtypes.set_default_dtype(dtypes.float32)
    assert found == oracle.answer("dtypes", f"result_type {default}", ask)


def test_attributes() -> None:
    def attributes(torch: Any) -> list[Any]:
        names = ["is_floating_point", "is_complex", "is_signed", "itemsize", "abbr"]
        each = [getattr(torch, name) for name in NAMES]
        return [[str(d), repr(d), *(getattr(d, name) for name in names)] for d in each]

    assert attributes(OURS) == oracle.answer("dtypes", "attributes", attributes)


def test_legacy_names() -> None:
    def ask(torch: Any) -> list[str]:
        return [torch.zeros(1, dtype=getattr(torch, name)).type() for name in NAMES]

    assert [each.legacy for each in dtypes.ALL] == oracle.answer("dtypes", "legacy", ask)


@pytest.mark.parametrize("name", NAMES)
def test_limits(name: str) -> None:
    def limits(torch: Any) -> list[Any]:
        kind = getattr(torch, name)
        if kind.is_floating_point or kind.is_complex:
            info = torch.finfo(kind)
            return [repr(info), info.bits, info.eps, info.max, info.min, info.tiny, info.smallest_normal, info.dtype]
        if name == "bool":
            return oracle.error_of(lambda: torch.iinfo(kind))
        info = torch.iinfo(kind)
        return [repr(info), info.bits, info.max, info.min, info.dtype]

    assert limits(OURS) == oracle.answer("dtypes", f"limits {name}", limits)


EXPRESSIONS: dict[str, Callable[[Any], Any]] = {
    "size": lambda torch: torch.Size([2, 3]),
    "empty size": lambda torch: torch.Size(),
    "size equals tuple": lambda torch: torch.Size([2, 3]) == (2, 3),
    "size of bools": lambda torch: torch.Size([True]),
    "numel": lambda torch: [torch.Size([2, 3]).numel(), torch.Size([]).numel()],
    "element": lambda torch: [torch.Size([2, 3])[0], torch.Size([2, 3])[-1]],
    "slice": lambda torch: torch.Size([2, 3, 4])[1:],
    "sum": lambda torch: [torch.Size([2]) + (3,), (1,) + torch.Size([2]), torch.Size([2]) + torch.Size([3])],  # noqa: RUF005
    "product": lambda torch: [torch.Size([2]) * 2, 2 * torch.Size([2])],
    "text": lambda torch: [f"{torch.Size([2])}", str(torch.Size([2, 3]))],
    "cpu": lambda torch: [torch.device("cpu"), str(torch.device("cpu")), torch.device("cpu").index],
    "numbered": lambda torch: [torch.device("cuda:0"), torch.device("cuda", 1), str(torch.device("cpu", 0))],
    "equal devices": lambda torch: [
        torch.device("cuda") == torch.device("cuda:0"),
        torch.device(type="cpu") == torch.device("cpu"),
        torch.device("cpu") == "cpu",
    ],
    "device of a device": lambda torch: torch.device(torch.device("cpu")),
    "aliases": lambda torch: [torch.float, torch.double, torch.half, torch.long, torch.int, torch.short],
}


def shown(value: Any) -> Any:
    return [shown(each) for each in value] if type(value) is list else repr(value)


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expression(name: str) -> None:
    expression = EXPRESSIONS[name]
    asked = oracle.answer("dtypes", f"expression {name}", lambda torch: shown(expression(torch)))
    assert shown(expression(OURS)) == asked


MISUSES: dict[str, Callable[[Any], Any]] = {
    "dtype made": lambda torch: torch.dtype(),
    "size of a number": lambda torch: torch.Size(3),
    "size of text": lambda torch: torch.Size([1, "a"]),
    "size of floats": lambda torch: torch.Size([1.5]),
    "size and list": lambda torch: torch.Size([2]) + [4],  # noqa: RUF005
    "promote numbers": lambda torch: torch.promote_types(1, 2),
    "promote second": lambda torch: torch.promote_types(torch.float32, "x"),
    "finfo of ints": lambda torch: torch.finfo(torch.int64),
    "finfo of text": lambda torch: torch.finfo("float32"),
    "iinfo of floats": lambda torch: torch.iinfo(torch.float32),
    "default of ints": lambda torch: torch.set_default_dtype(torch.int64),
    "default of text": lambda torch: torch.set_default_dtype("float32"),
    "unknown device": lambda torch: torch.device("foo"),
    "empty device": lambda torch: torch.device(""),
    "device number": lambda torch: torch.device(0),
    "device index": lambda torch: torch.device("cpu:x"),
    "negative index": lambda torch: torch.device("cuda:-1"),
    "leading zero": lambda torch: torch.device("cuda:01"),
    "two indices": lambda torch: torch.device("cuda:0", 1),
}


@pytest.mark.parametrize("name", MISUSES)
def test_misuse_raises_as_pytorch_does(name: str) -> None:
    misuse = MISUSES[name]
    asked = oracle.answer("dtypes", f"misuse {name}", lambda torch: oracle.error_of(lambda: misuse(torch)))
    assert oracle.error_of(lambda: misuse(OURS)) == asked


@pytest.mark.parametrize("name", ["cuda", "cuda:1", "xpu", "mps"])
def test_only_the_cpu_can_be_used(name: str) -> None:
    asked = oracle.answer("dtypes", f"use {name}", lambda torch: oracle.error_of(lambda: torch.zeros(2).to(name)))
    assert oracle.error_of(lambda: dtypes.require_cpu(name)) == asked
