"""What a recurrent layer computes over all of its steps, and its gradients, in plain arrays.

These are the operations of the steps as engine/nn/steps.py records them, in the same order and rounded at the same
places, so that the numbers are the same to the bit. What is saved is everything around them: nodes, views, tensors, and
functions that are called for each gate where one call does for all.

Rows stand step after step: `sizes[t]` of them belong to step t, which are the first ones of the step before (fewer at
the end of packed sequences). Arrays are of float32. H is the hidden size, G that of all gates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.ops import either, gemm, rounded, sleef, vml
from engine.ops.lanes import offset
from engine.ops.matmul import of_weight
from engine.ops.summing import add_up, column_sums

Array = np.ndarray[Any, Any]
_ONE = np.ones((), np.float32)
_WIDE = np.dtype(np.float64)
GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "GRU": 3, "LSTM": 4}


class Walk(NamedTuple):
    """How a layer goes over its rows: the mode, the sizes of the steps, whether from the end to the beginning, and
    whether the rows are those of a packed sequence."""

    mode: str
    sizes: tuple[int, ...]
    reverse: bool
    packed: bool = False

    def places(self) -> list[tuple[int, int]]:
        """Where the rows of each step begin and end, in the order in which the steps are taken."""
        ends, end = [], 0
        for size in self.sizes:
            ends.append((end, end + size))
            end += size
        return ends[::-1] if self.reverse else ends


def _before(rows: Array, first: Array, last: tuple[int, int] | None, size: int) -> Array:
    """The state of `size` rows before a step: that of the step before (whose place is `last`), and for sequences that
    begin with this step the `first` one."""
    if last is None:
        return first[:size]
    start, end = last
    if size <= end - start:
        return _own(rows[start : start + size])
    return np.concatenate((rows[start:end], first[end - start : size]))


def ends(rows: Array, walk: Walk) -> Array:
    """The last state of each sequence (N, H): with fewer rows in later steps, the rows that ended there."""
    places = walk.places()
    if walk.reverse or walk.sizes[0] == walk.sizes[-1]:
        start, end = places[-1]
        return rows[start:end].copy()
    found, have = [], 0
    for start, end in reversed(places):
        found.append(rows[start + have : end])
        have = end - start
    return np.concatenate(found)


def put_ends(g: Array, rows: Array, walk: Walk) -> None:
    """Add the gradient of what `ends` gives to that of the rows."""
    places, have = walk.places(), 0
    for start, end in places[-1:] if walk.reverse else reversed(places):
        rows[start + have : end] += g[have : end - start]
        have = end - start


def product(h: Array, weight: Array, bias: Array | None) -> Array:
    """h @ weight^T + bias (n, G), as nn.functional.linear makes it."""
    return gemm.product(h, weight.T) if bias is None else gemm.onto(h, weight.T, bias)


def _own(x: Array) -> Array:
    """What stands in rows of a larger array as it would stand by itself: sums hang on where it begins."""
    return x.copy() if offset(x) else x


def _part(blocks: Array, n: int) -> Array:
    """As many blocks of `n` rows, which lie in one piece, in the place of those of more."""
    count, most, size = blocks.shape
    return blocks if n == most else blocks.reshape(-1)[: count * n * size].reshape(count, n, size)


def _sigmoid_(wide: Array, out: Array) -> None:
    """1 / (1 + exp(-x)) of `wide`, numbers of 32 bits in an array of 64, which is used up."""
    np.negative(wide, wide)
    if out[0].size <= sleef.MOST:  # as where each gate is computed by itself
        sleef.exp_of_rows(wide.astype(np.float32), out)
    else:
        np.exp(wide, wide)
        out[...] = wide
    np.add(_ONE, out, out)
    np.divide(_ONE, out, out)


def _tanh_(x: Array, wide: Array, out: Array) -> None:
    known = vml.tanh_for(x)
    if known is not rounded.tanh:
        known(x, out)
        return
    wide[...] = x
    np.tanh(wide, wide)
    out[...] = wide


# -- forward -----------------------------------------------------------------------------------------------------------


def forward(walk: Walk, x: Array, states: tuple[Array, ...], weight: Array, bias: Array | None) -> tuple[Any, ...]:
    """`x` (rows, G) is the input's part of the gates, `states` the first ones (N, H): h, and c of an LSTM. Gives the
    states of all rows, h (rows, H) first, and then what the gradients need."""
    return _FORWARD[walk.mode](walk, x, states, weight, bias)


def _lstm(walk: Walk, x: Array, states: tuple[Array, ...], weight: Array, bias: Array | None) -> tuple[Any, ...]:
    h_first, c_first = states
    (rows, width), most = x.shape, len(h_first)
    size = width // 4
    h, c = np.empty((rows, size), x.dtype), np.empty((rows, size), x.dtype)
    gates = np.empty(rows * 5 * size, x.dtype)  # of each step: i, f, o, g, tanh(c)
    wide = np.empty((4, most, size), _WIDE)
    other = np.empty((most, size), x.dtype)
    last = None
    for place in walk.places():
        start, end = place
        n = end - start
        c_before = _before(c, c_first, last, n)
        total = product(_before(h, h_first, last, n), weight, bias)
        np.add(total, x[start:end], total)
        step = gates[start * 5 * size : end * 5 * size].reshape(5, n, size)
        w = _part(wide, n)
        parts = total.reshape(n, 4, size).swapaxes(0, 1)
        w[:2] = parts[:2]
        w[2] = parts[3]
        _sigmoid_(w[:3], step[:3])
        i, f, o, g, tanh = step
        _tanh_(parts[2], w[3], g)
        now, product_ = c[start:end], other[:n]
        np.multiply(f, c_before, now)
        np.multiply(i, g, product_)
        np.add(now, product_, now)
        _tanh_(now, w[3], tanh)
        np.multiply(o, tanh, h[start:end])
        last = place
    return h, c, gates


def _gru(walk: Walk, x: Array, states: tuple[Array, ...], weight: Array, bias: Array | None) -> tuple[Any, ...]:
    (first,) = states
    (rows, width), most = x.shape, len(first)
    size = width // 3
    h, n_h, new = (np.empty((rows, size), x.dtype) for _ in range(3))
    gates = np.empty(rows * 2 * size, x.dtype)  # of each step: r, z
    wide = np.empty((2, most, size), _WIDE)
    last = None
    for place in walk.places():
        start, end = place
        n = end - start
        before = _before(h, first, last, n)
        total = product(before, weight, bias)
        own, tanh = n_h[start:end], new[start:end]
        own[...] = total[:, 2 * size :]
        np.add(total, x[start:end], total)
        step = gates[start * 2 * size : end * 2 * size].reshape(2, n, size)
        w = _part(wide, n)
        w[...] = total.reshape(n, 3, size).swapaxes(0, 1)[:2]
        _sigmoid_(w, step)
        r, z = step
        np.multiply(own, r, tanh)
        np.add(x[start:end, 2 * size :], tanh, tanh)
        _tanh_(tanh, w[0], tanh)
        now = h[start:end]
        np.subtract(before, tanh, now)
        np.multiply(now, z, now)
        np.add(now, tanh, now)
        last = place
    return h, n_h, new, gates


def _rnn(walk: Walk, x: Array, states: tuple[Array, ...], weight: Array, bias: Array | None) -> tuple[Any, ...]:
    (first,) = states
    h = np.empty_like(x)
    wide = np.empty(first.shape, _WIDE)
    last = None
    for place in walk.places():
        start, end = place
        total = product(_before(h, first, last, end - start), weight, bias)
        np.add(total, x[start:end], total)
        if walk.mode == "RNN_TANH":
            _tanh_(total, wide[: end - start], h[start:end])
        else:
            np.maximum(either.blank(total), total, out=h[start:end])
        last = place
    return (h,)


_FORWARD = {"LSTM": _lstm, "GRU": _gru, "RNN_TANH": _rnn, "RNN_RELU": _rnn}


# -- backward ----------------------------------------------------------------------------------------------------------


class Back:
    """The gradients of one layer: `of_rows` those of x, `of_weight` that of the weight (or None), `first` those of
    the first states. `wanted`: that of the weight, and of the first h."""

    def __init__(
        self,
        walk: Walk,
        kept: tuple[Any, ...],
        states: tuple[Array, ...],
        weight: Array,
        wanted: tuple[bool, bool],
    ) -> None:
        self.kept, self.states, self.weight = kept, states, weight
        self.wants_weight, self.wants_first = wanted
        self.places, self.reverse = walk.places(), walk.reverse
        self.of_rows: Array = np.empty((len(kept[0]), len(weight)), weight.dtype)
        self.of_products = self.of_rows  # of h @ weight^T + bias
        self.of_weight: Array | None = None
        self.first = [np.empty_like(each) for each in states]

    def before(self, number: int, which: int = 0) -> Array:
        """h (or c) before the step of this number."""
        start, end = self.places[number]
        last = self.places[number - 1] if number else None
        return _before(self.kept[which], self.states[which], last, end - start)

    def through(self, number: int) -> Array | None:
        """Once `of_products` has a step's rows: the weight's part, and the gradient of h before the step."""
        start, end = self.places[number]
        d = self.of_products[start:end]
        if self.wants_weight:
            slopes = of_weight(_own(d), self.before(number))
            self.of_weight = slopes if self.of_weight is None else np.add(self.of_weight, slopes, self.of_weight)
        return gemm.product(_own(d), self.weight) if number or self.wants_first else None

    def weight_by_steps(self) -> Iterator[Array]:
        """What `of_weight` is the sum of, the last step first."""
        for number in range(len(self.places) - 1, -1, -1):
            start, end = self.places[number]
            yield of_weight(_own(self.of_products[start:end]), self.before(number))

    def bias_by_steps(self) -> Any:
        """What the bias's gradient is the sum of, the last step first."""
        (start, end), *more = self.places
        if all(after - before == end - start for before, after in more):
            sums = add_up(self.of_products.reshape(len(self.places), end - start, -1), 1)
            return sums if self.reverse else sums[::-1]
        return np.stack([column_sums(self.of_products[start:end]) for start, end in reversed(self.places)])

    def bias(self) -> Any:
        """The bias's gradient."""
        return np.add.reduce(self.bias_by_steps(), 0)

    def hand_on(self, number: int, g: Array | None, direct: Array | None = None, which: int = 0) -> tuple[Any, Any]:
        """What of a gradient, in one or two parts, goes to the step before; the rest is that of first states."""
        if g is None:
            return None, None
        start, end = self.places[number - 1] if number else (0, 0)
        have = end - start
        if len(g) == have:
            return g, direct
        if direct is not None:  # where some begin or end, the two come together first
            g = np.add(direct, g, g)
        self.first[which][have : len(g)] = g[have:]
        return g[:have], None


def _add(g: Array, more: Array | None) -> None:
    """Add a gradient of the first rows to that of all."""
    if more is not None:
        rows = g[: len(more)]
        np.add(rows, more, rows)


def backward(back: Back, mode: str, g: Array, g_cells: Array | None = None) -> None:
    """Fill `back`, given the gradients of all h (rows, H), which is used up, and of all c where those have some."""
    if mode == "LSTM":
        _lstm_back(back, g, g_cells)
    elif mode == "GRU":
        _gru_back(back, g)
    else:
        _rnn_back(back, g, mode)


def _lstm_back(back: Back, g: Array, g_cells: Array | None) -> None:
    gates = back.kept[2]
    size, most = g.shape[1], len(back.states[0])
    blocks, others = np.empty((4, most, size), g.dtype), np.empty((3, most, size), g.dtype)
    h_next: Array | None = None
    c_next: Array | None = None
    for number in range(len(back.places) - 1, -1, -1):
        start, end = back.places[number]
        n = end - start
        step = gates[start * 5 * size : end * 5 * size].reshape(5, n, size)
        i, f, o, new, tanh = step
        d, rest = _part(blocks, n), _part(others, n)
        of_h = g[start:end]
        _add(of_h, h_next)
        slopes = rounded.one_minus_square(step[3:])
        of_c = slopes[1]
        np.multiply(of_h, tanh, d[2])
        np.multiply(of_h, o, rest[0])
        np.multiply(rest[0], of_c, of_c)
        _add(of_c, c_next)
        if g_cells is not None:
            np.add(of_c, g_cells[start:end], of_c)
        np.multiply(of_c, new, d[0])
        np.multiply(of_c, back.before(number, 1), d[1])
        np.multiply(of_c, i, d[3])
        np.subtract(_ONE, step[:3], rest)
        np.multiply(d[:3], rest, d[:3])
        np.multiply(d[:3], step[:3], d[:3])
        np.multiply(d[3], slopes[0], d[3])
        rows = back.of_rows[start:end].reshape(n, 4, size).swapaxes(0, 1)
        rows[:2] = d[:2]
        rows[2] = d[3]
        rows[3] = d[2]
        h_next, _ = back.hand_on(number, back.through(number))
        c_next, _ = back.hand_on(number, np.multiply(of_c, f, of_c), which=1)


def _gru_back(back: Back, g: Array) -> None:
    _, n_h, new, gates = back.kept
    size, most = g.shape[1], len(back.states[0])
    back.of_products = np.empty_like(back.of_rows)
    others = np.empty((2, most, size), g.dtype)
    direct: Array | None = None
    h_next: Array | None = None
    for number in range(len(back.places) - 1, -1, -1):
        start, end = back.places[number]
        n = end - start
        step = gates[start * 2 * size : end * 2 * size].reshape(2, n, size)
        r, z = step
        tanh, rest = new[start:end], _part(others, n)
        of_h = g[start:end]
        _add(of_h, direct)
        _add(of_h, h_next)
        of_rows, of_products = back.of_rows[start:end], back.of_products[start:end]
        gone = of_h * z  # to h - n
        of_new = np.subtract(of_h, gone)
        np.multiply(of_new, rounded.one_minus_square(tanh), of_new)
        of_rows[:, 2 * size :] = of_new
        of_products[:, 2 * size :] = of_new * r
        d = np.empty_like(rest)
        np.multiply(of_new, n_h[start:end], d[0])
        np.subtract(back.before(number), tanh, d[1])
        np.multiply(of_h, d[1], d[1])
        np.subtract(_ONE, step, rest)
        np.multiply(d, rest, d)
        np.multiply(d, step, d)
        of_rows.reshape(n, 3, size)[:, :2] = of_products.reshape(n, 3, size)[:, :2] = d.swapaxes(0, 1)
        h_next, direct = back.hand_on(number, back.through(number), gone)


def _rnn_back(back: Back, g: Array, mode: str) -> None:
    h = back.kept[0]
    h_next: Array | None = None
    for number in range(len(back.places) - 1, -1, -1):
        start, end = back.places[number]
        of_h, rows = g[start:end], back.of_rows[start:end]
        _add(of_h, h_next)
        now = h[start:end]
        if mode == "RNN_TANH":
            np.multiply(of_h, rounded.one_minus_square(now), rows)
        else:
            rows[...] = either.masked(np.less_equal(now, either.scalar(0, now.dtype)), of_h)
        h_next, _ = back.hand_on(number, back.through(number))
