"""Entries of products of matrices: a row times a column."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.drawing.working import Array, Sent, Worked, bracketed, last, plain_sum, products


def matrices(one: Sent) -> Iterator[Worked]:
    """The last two operands are multiplied, one pair of matrices or many; an operand before them was added."""
    left, right = one.values[-2:] if len(one.values) >= 2 else (None, None)
    first = len(one.values) - 2
    if one.slot < first:
        yield from _added(one)
        return
    other = right if one.slot == first else left
    if other is None:
        return
    g = one.upstream
    if g.ndim == 0:  # of two vectors
        yield products(g.reshape(1), np.asarray(other[one.place]).reshape(1))
        return
    if other.ndim == 1 and len(one.place) == 2:  # the matrix that a vector was multiplied with
        row, column = one.place if one.slot == first else one.place[::-1]
        yield products(np.asarray(g[row]).reshape(1), np.asarray(other[column]).reshape(1))
    elif len(one.place) == 1:  # the vector
        yield products(g, other[:, one.place[0]] if one.slot > first else other[one.place[0]])
    elif g.ndim == other.ndim == len(one.place):
        *batch, row, column = one.place
        at = tuple(batch)
        yield _row_column(g[at], other[at], row, column, before=one.slot == first)
    elif len(one.place) == 2 and g.ndim > 2:  # a matrix that stood for all of them
        row, column = one.place
        rows = other.reshape(-1, other.shape[-1])
        if one.slot > first:
            yield products(g.reshape(-1, g.shape[-1])[:, column], rows[:, row])


def _row_column(g: Array, other: Array, row: int, column: int, *, before: bool) -> Worked:
    """An entry of G Bᵀ, for the matrix that stood `before` B, or of Aᵀ G."""
    return products(g[row], other[column]) if before else products(g[:, column], other[:, row])


def _added(one: Sent) -> Iterator[Worked]:
    """A bias: every row adds to it."""
    lead = one.upstream.ndim - one.sent.ndim
    if lead >= 0 and one.upstream.shape[lead:] == one.sent.shape:
        yield plain_sum(last(one.upstream, one.place))


def linear(one: Sent) -> Iterator[Worked]:
    """Operands are (bias, input, weight), or (input, weight)."""
    first = len(one.values) - 2
    if one.slot < first:
        yield from _added(one)
        return
    given, weight = one.values[-2:]
    g = one.upstream.reshape(-1, one.upstream.shape[-1])
    if one.slot == first and weight is not None:
        *row, column = one.place
        yield products(one.upstream[tuple(row)], weight[:, column])
    elif one.slot > first and given is not None:
        out, into = one.place
        yield products(g[:, out], given.reshape(-1, given.shape[-1])[:, into])


def outer_first(one: Sent) -> Iterator[Worked]:
    """The vectors of an outer product, to which a matrix was added."""
    if len(one.values) < 3 or not one.slot:
        return
    other = one.values[3 - one.slot]
    if other is not None:
        yield products(one.upstream[one.place[0]] if one.slot == 1 else one.upstream[:, one.place[0]], other)


def inverse(one: Sent) -> Iterator[Worked]:
    if one.result is not None and one.result.ndim == 2:
        turned = one.result.astype(np.float64).T
        row, column = one.place
        yield products(-(turned @ one.upstream.astype(np.float64))[row], turned[:, column])


def determinant(one: Sent) -> Iterator[Worked]:
    if one.own is not None and one.own.ndim == 2 and one.result is not None and one.upstream.size == 1:
        try:
            turned = np.linalg.inv(one.own.astype(np.float64)).T
        except np.linalg.LinAlgError:
            return
        g, y = (float(of.reshape(-1)[0]) for of in (one.upstream, one.result))
        entry = float(turned[one.place])
        yield Worked(f"{bracketed(g)}×{bracketed(y)}×{bracketed(entry)}", g * y * entry)
        yield Worked(f"{bracketed(g)}×{bracketed(entry)}", g * entry)


def solved(one: Sent) -> Iterator[Worked]:
    """The matrix and the right side of a system of equations."""
    if len(one.values) < 2 or one.values[0] is None or one.result is None or one.values[0].ndim != 2:
        return
    try:
        right = np.linalg.solve(one.values[0].astype(np.float64).T, one.upstream.astype(np.float64))
    except np.linalg.LinAlgError:
        return
    if one.slot:
        yield Worked(f"entry of A⁻ᵀ G: {bracketed(right[one.place])}", float(right[one.place]))
        return
    row, column = one.place
    if right.ndim == 1:
        yield products(-right[row : row + 1], one.result[column : column + 1])
    else:
        yield products(-right[row], one.result[column])
