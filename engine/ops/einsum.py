"""einsum: sums of products, written with one letter per dimension. Made of permute, sum and bmm, as PyTorch's is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.messages import called
from engine.ops import arrange, casting, matmul, shape
from engine.tensor import Tensor

_ELLIPSIS = "."


def einsum(*arguments: Any) -> Tensor:
    """einsum("ij,jk->ik", a, b): letters that are missing behind the arrow are summed over; `...` broadcasts."""
    if len(arguments) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its"
            " subscripts list"
        )
    if not isinstance(arguments[0], (str, Tensor)):
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {called(arguments[0])}")
    if not isinstance(arguments[0], str):
        arguments = _from_lists(arguments)
    equation, *given = arguments
    operands = list(given[0]) if len(given) == 1 and isinstance(given[0], (list, tuple)) else list(given)
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    for i, each in enumerate(operands):
        if not isinstance(each, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 1, but got {called(each)}")
    if casting.kind is not None and len(operands) > 1:
        operands = list(casting.lowered(*operands))
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    read = [
        list(_read(term, f"operand {i} for which", f"operand {i}", sum(map(len, terms[:i])) + i))
        for i, term in enumerate(terms[: len(operands)])
    ]
    if len(terms) != len(operands):
        more = "more" if len(terms) < len(operands) else "fewer"
        raise RuntimeError(f"einsum(): {more} operands were provided than specified in the equation")
    labels = [_named(names, each, i) for i, (names, each) in enumerate(zip(read, operands, strict=True))]
    wide = max(sum(n.startswith(_ELLIPSIS) for n in names) for names in labels)  # what an ellipsis stands for
    dots = [f"{_ELLIPSIS}{k}" for k in range(wide, 0, -1)]
    kept = _output(right, dots, labels, len(left) + 2) if arrow else dots + _once(labels)
    sizes: dict[str, int] = {}
    for i, (names, each) in enumerate(zip(labels, operands, strict=True)):
        _measure(sizes, names, each._array.shape, i)
    order = kept + [n for n in sizes if n not in kept]
    parts = [_arranged(each, names, order) for each, names in zip(operands, labels, strict=True)]
    last = {n: max(i for i, names in enumerate(labels) if n in names) for n in order}
    result = parts[0]
    summed = [k for k, n in enumerate(order) if n not in kept and last[n] == 0]
    if summed and len(parts) == 1:
        return result.sum(summed)
    if summed:
        result = result.sum(summed, keepdim=True)
    for i, part in enumerate(parts[1:], 1):
        over = [k for k, n in enumerate(order) if n not in kept and last[n] == i]
        result = _pair(result, part, over)
    final = [k for k, n in enumerate(order) if n not in kept]
    return shape.reshape(result, *result._array.shape[: len(kept)]) if final else result


def _from_lists(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """einsum(a, [0, 1], b, [1, 2], [0, 2]) as letters."""

    def spelled(numbers: Any) -> str:
        return "".join(
            "..." if n is Ellipsis else chr(ord("A") + n - 26) if n >= 26 else chr(ord("a") + n) for n in numbers
        )

    operands, terms = list(arguments[0:-1:2]), [spelled(each) for each in arguments[1::2]]
    equation = ",".join(terms)
    if len(arguments) % 2:
        equation += "->" + spelled(arguments[-1])
    return (equation, *operands)


def _read(term: str, already: str, where: str, start: int) -> Iterator[str]:
    """The letters of a term that begins at `start` of the equation, one by one; _ELLIPSIS for three dots.

    Raises RuntimeError for what is none; `already` and `where` are words of the message."""
    at, dotted = 0, False
    while at < len(term):
        letter = term[at]
        if letter == ".":
            if dotted:
                raise RuntimeError(f"einsum(): found '.' for {already} an ellipsis was already found".replace(*_OUT))
            if term[at : at + 3] != "...":
                end = " (...)" if where == "output" else ""
                raise RuntimeError(f"einsum(): found '.' for {where} that is not part of any ellipsis{end}")
            at, dotted = at + 2, True
        elif not (letter.isascii() and letter.isalpha()) and letter != " ":
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {start + at} in the equation string, subscripts must be"
                " in [a-zA-Z]"
            )
        if letter != " ":
            yield letter
        at += 1


_OUT = ("output an ellipsis", "output but an ellipsis (...)")


def _named(letters: list[str], each: Tensor, i: int) -> list[str]:
    """One name per dimension; those of an ellipsis are numbered from the back."""
    dots = _ELLIPSIS in letters
    n, named = each._array.ndim, len(letters) - dots
    if (named > n) if dots else (named != n):
        relation = "is more than" if dots else "does not match"
        raise RuntimeError(
            f"einsum(): the number of subscripts in the equation ({named}) {relation}"
            f" the number of dimensions ({n}) for operand {i}{'' if dots else ' and no ellipsis was given'}"
        )
    wide = [f"{_ELLIPSIS}{k}" for k in range(n - named, 0, -1)]
    return [name for letter in letters for name in (wide if letter == _ELLIPSIS else [letter])]


def _output(right: str, dots: list[str], labels: list[list[str]], start: int) -> list[str]:
    known = {name for names in labels for name in names}
    kept: list[str] = []
    for letter in _read(right, "output", "output", start):
        if letter == _ELLIPSIS:
            kept += dots
        elif letter in kept:
            raise RuntimeError(f"einsum(): output subscript {letter} appears more than once in the output")
        elif letter not in known:
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in the equation for any input operand"
            )
        else:
            kept.append(letter)
    return kept


def _once(labels: list[list[str]]) -> list[str]:
    """Without an output: the letters that are there once, in order."""
    flat = [n for names in labels for n in names if not n.startswith(_ELLIPSIS)]
    return sorted(n for n in set(flat) if flat.count(n) == 1)


def _measure(sizes: dict[str, int], names: list[str], shape: tuple[int, ...], i: int) -> None:
    """Add what operand `i` says of the sizes. Raises RuntimeError where it contradicts."""
    for at, (name, size) in enumerate(zip(names, shape, strict=True)):
        before = names.index(name)
        if before < at:
            if size != shape[before]:
                raise RuntimeError(
                    f"einsum(): subscript {name} is repeated for operand {i} but the sizes don't match, {size} !="
                    f" {shape[before]}"
                )
        elif sizes.get(name, 1) == 1:
            sizes[name] = size
        elif size not in (1, sizes[name]) and name.startswith(_ELLIPSIS):
            raise RuntimeError(
                f"einsum(): dimension {at} covered by ellipsis in operand {i}has size {size} which"
                f" does not broadcast with previously seen ellipsis with size {sizes[name]} for the respective"
                " dimension"
            )
        elif size not in (1, sizes[name]):
            raise RuntimeError(
                f"einsum(): subscript {name} has size {size} for operand {i} which does not broadcast with"
                f" previously seen size {sizes[name]}"
            )


def _arranged(each: Tensor, names: list[str], order: list[str]) -> Tensor:
    """Diagonals taken for repeated names, dimensions in the common order, size 1 for those that are missing."""
    names = list(names)
    for name in list(dict.fromkeys(names)):
        while names.count(name) > 1:
            a = names.index(name)
            b = names.index(name, a + 1)
            each = arrange.diagonal(each, 0, a, b)
            names = [n for k, n in enumerate(names) if k not in (a, b)] + [name]
    each = shape.permute(each, *[names.index(n) for n in order if n in names]) if names else each
    for k, n in enumerate(order):
        if n not in names:
            each = shape.unsqueeze(each, k)
    return each


def _pair(a: Tensor, b: Tensor, over: list[int]) -> Tensor:
    """The product of two tensors with the same dimensions, summed over some of them (kept with size 1)."""
    both, left, right, summed = [], [], [], []
    size: list[int] = []
    for k, (m, n) in enumerate(zip(a._array.shape, b._array.shape, strict=True)):
        size.append(1 if k in over else max(m, n) if 0 not in (m, n) else 0)
        if k in over:
            if m != 1 and n != 1:
                summed.append(k)
            elif m != 1:
                a = a.sum(k, keepdim=True)
            elif n != 1:
                b = b.sum(k, keepdim=True)
        elif m != 1 and n != 1:
            both.append(k)
        elif m != 1:
            left.append(k)
        else:
            right.append(k)

    if not summed:
        return a * b  # which, unlike bmm, takes operands of different dtypes

    def count(t: Tensor, dims: list[int]) -> int:
        total = 1
        for d in dims:
            total *= t._array.shape[d]
        return total

    first = a.permute(*both, *left, *summed, *_rest(a, both + left + summed))
    second = b.permute(*both, *summed, *right, *_rest(b, both + summed + right))
    x = first.reshape(count(a, both), count(a, left), count(a, summed))
    y = second.reshape(count(b, both), count(b, summed), count(b, right))
    product = matmul.bmm(x, y)
    order = both + left + right + over
    shaped = product.view(*[size[d] for d in order])
    return shaped.permute(*[order.index(d) for d in range(len(size))]) if order != sorted(order) else shaped


def _rest(t: Tensor, used: list[int]) -> list[int]:
    return [d for d in range(t._array.ndim) if d not in used]
