"""einsum: sums of products, written with one letter per dimension. Made of permute, sum and bmm, as PyTorch's is."""

from __future__ import annotations

from typing import Any

from engine.ops import arrange, matmul, shape
from engine.ops.signatures import called
from engine.tensor import Tensor

FUNCTIONS = "einsum"
METHODS = ""

_ELLIPSIS = "."


def einsum(*arguments: Any) -> Tensor:
    """einsum("ij,jk->ik", a, b): letters that are missing behind the arrow are summed over; `...` broadcasts."""
    if len(arguments) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its"
            " subscripts list"
        )
    if not isinstance(arguments[0], str):
        arguments = _from_lists(arguments)
    equation, *given = arguments
    operands = list(given[0]) if len(given) == 1 and isinstance(given[0], (list, tuple)) else list(given)
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    for i, each in enumerate(operands):
        if not isinstance(each, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 1, but got {called(each)}")
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        more = "more" if len(terms) < len(operands) else "fewer"
        raise RuntimeError(f"einsum(): {more} operands were provided than specified in the equation")
    labels: list[list[str]] = []
    sizes: dict[str, int] = {}
    wide = 0  # how many dimensions an ellipsis stands for
    for i, (term, each) in enumerate(zip(terms, operands, strict=True)):
        names = _letters(term, each, i)
        labels.append(names)
        wide = max(wide, sum(1 for n in names if n.startswith(_ELLIPSIS)))
        for name, size in zip(names, each._array.shape, strict=True):
            if sizes.get(name, 1) == 1:
                sizes[name] = size
            elif size != sizes[name] and names.count(name) > 1:
                raise RuntimeError(
                    f"einsum(): subscript {name} is repeated for operand {i} but the sizes don't match, {size} !="
                    f" {sizes[name]}"
                )
            elif size not in (1, sizes[name]):
                raise RuntimeError(
                    f"einsum(): subscript {name} has size {size} for operand {i} which does not broadcast with"
                    f" previously seen size {sizes[name]}"
                )
    dots = [f"{_ELLIPSIS}{k}" for k in range(wide, 0, -1)]
    if arrow:
        kept = _output(right, dots)
        for name in kept:
            if name not in sizes:
                raise RuntimeError(
                    f"einsum(): output subscript {name} does not appear in the equation for any input operand"
                )
    else:
        flat = [n for names in labels for n in names if not n.startswith(_ELLIPSIS)]
        kept = dots + sorted(n for n in set(flat) if flat.count(n) == 1)
    order = kept + [n for n in sizes if n not in kept]
    parts = [_arranged(each, names, order) for each, names in zip(operands, labels, strict=True)]
    last = {n: max(i for i, names in enumerate(labels) if n in names) for n in order}
    result = parts[0]
    summed = [k for k, n in enumerate(order) if n not in kept and last[n] == 0]
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
            "..." if n is Ellipsis else chr(ord("a") + n) if n < 26 else chr(ord("A") + n - 26) for n in numbers
        )

    operands, terms = list(arguments[0:-1:2]), [spelled(each) for each in arguments[1::2]]
    equation = ",".join(terms)
    if len(arguments) % 2:
        equation += "->" + spelled(arguments[-1])
    return (equation, *operands)


def _letters(term: str, each: Tensor, i: int) -> list[str]:
    """One name per dimension; those of an ellipsis are numbered from the back."""
    head, dots, tail = term.partition("...")
    for letter in head + tail:
        if not letter.isalpha():
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {term.index(letter)} in the equation string, subscripts"
                " must be in [a-zA-Z]"
            )
    n, named = each._array.ndim, len(head) + len(tail)
    if (named > n) if dots else (named != n):
        relation = "is more than" if dots else "does not match"
        raise RuntimeError(
            f"einsum(): the number of subscripts in the equation ({named}) {relation}"
            f" the number of dimensions ({n}) for operand {i}{'' if dots else ' and no ellipsis was given'}"
        )
    return [*head, *(f"{_ELLIPSIS}{k}" for k in range(n - named, 0, -1) if dots), *tail]


def _output(right: str, dots: list[str]) -> list[str]:
    head, found, tail = right.partition("...")
    if "." in tail and "..." in tail:
        raise RuntimeError("einsum(): found '.' for output but an ellipsis (...) was already found")
    kept = [*head, *(dots if found else []), *tail]
    for name in kept:
        if kept.count(name) > 1:
            raise RuntimeError(f"einsum(): output subscript {name} appears more than once in the output")
    return kept


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
