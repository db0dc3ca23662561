"""Entries that stand for themselves, also where an operand is broadcast: products and quotients, losses, sums, means
and normalisation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from app.drawing.working import Array, Sent, Way, Worked, added, bracketed, copies, last, plain_sum, products

Local = tuple[str, Callable[..., Array]]
"""One entry's contribution as a template ({g}: the gradient passing; {a}, {b}, {c}: the operands; {y}: the result), and
the factor of the gradient from these four."""

_ONE: Local = ("{g}", lambda a, *_: np.ones_like(a))
_MINUS: Local = ("(−1)×{g}", lambda a, *_: -np.ones_like(a))

PAIRS: dict[str, tuple[Local, ...]] = {
    "add": (_ONE, _ONE),
    "sub": (_ONE, _MINUS),
    "rsub": (_MINUS, _ONE),
    "mul": (("{g}×{b}", lambda a, b, c, y: b), ("{g}×{a}", lambda a, b, c, y: a)),
    "div": (("{g}/{b}", lambda a, b, c, y: 1 / b), ("{g}×(−1)×{a}/{b}²", lambda a, b, c, y: -a / b**2)),
    "pow": (
        ("{g}×{b}×{a}^({b}−1)", lambda a, b, c, y: b * a ** (b - 1)),
        ("{g}×{y}×ln {a}", lambda a, b, c, y: y * np.log(a)),
    ),
    "lerp": (
        ("{g}×(1−{c})", lambda a, b, c, y: 1 - c),
        ("{g}×{c}", lambda a, b, c, y: c),
        ("{g}×({b}−{a})", lambda a, b, c, y: b - a),
    ),
    "addcmul": (_ONE, ("{g}×{c}", lambda a, b, c, y: c), ("{g}×{b}", lambda a, b, c, y: b)),
    "addcdiv": (_ONE, ("{g}/{c}", lambda a, b, c, y: 1 / c), ("{g}×(−1)×{b}/{c}²", lambda a, b, c, y: -b / c**2)),
    "atan2": (
        ("{g}×{b}/({a}²+{b}²)", lambda a, b, c, y: b / (a**2 + b**2)),
        ("{g}×(−1)×{a}/({a}²+{b}²)", lambda a, b, c, y: -a / (a**2 + b**2)),
    ),
    "hypot": (("{g}×{a}/{y}", lambda a, b, c, y: a / y), ("{g}×{b}/{y}", lambda a, b, c, y: b / y)),
    "logaddexp": (
        ("{g}×e^({a}−{y})", lambda a, b, c, y: np.exp(a - y)),
        ("{g}×e^({b}−{y})", lambda a, b, c, y: np.exp(b - y)),
    ),
    "logaddexp2": (
        ("{g}×2^({a}−{y})", lambda a, b, c, y: 2 ** (a - y)),
        ("{g}×2^({b}−{y})", lambda a, b, c, y: 2 ** (b - y)),
    ),
    "xlogy": (("{g}×ln {b}", lambda a, b, c, y: np.log(b)), ("{g}×{a}/{b}", lambda a, b, c, y: a / b)),
    "copysign": (("{g}×{y}/{a}", lambda a, b, c, y: y / a),),
    "prelu": (
        ("{g}×{y}/{a}", lambda a, b, c, y: np.where(a > 0, 1, b)),
        ("{g}×{a}", lambda a, b, c, y: np.where(a > 0, 0, a)),
    ),
    "ldexp": (("{g}×2^{b}", lambda a, b, c, y: 2**b),),
    **dict.fromkeys(("remainder", "fmod", "to", "clone", "alias", "add_scaled", "sub_scaled"), (_ONE,)),
    **dict.fromkeys(("index_add", "scatter_add", "addr", "baddbmm"), (_ONE,)),
}

LOSSES: dict[str, tuple[Local, ...]] = {
    "mse_loss": (("2×({a}−{b})", lambda a, b: 2 * (a - b)), ("2×({b}−{a})", lambda a, b: 2 * (b - a))),
    "binary_cross_entropy": (("({a}−{b})/({a}×(1−{a}))", lambda a, b: (a - b) / (a * (1 - a))),),
    "binary_cross_entropy_with_logits": (("(σ({a})−{b})", lambda a, b: 1 / (1 + np.exp(-a)) - b),),
    **dict.fromkeys(
        ("smooth_l1_loss", "huber_loss"),
        (
            ("({a}−{b}, at most 1 and at least −1)", lambda a, b: np.clip(a - b, -1, 1)),
            ("({b}−{a}, at most 1 and at least −1)", lambda a, b: np.clip(b - a, -1, 1)),
        ),
    ),
    "soft_margin_loss": (("(−1)×{b}×σ((−1)×{b}×{a})", lambda a, b: -b / (1 + np.exp(b * a))),),
}

REDUCTIONS: dict[str, tuple[Local, ...]] = {
    "sum": (("{g}", lambda x, y, m, n: np.ones_like(x)),),
    "mean": (("{g}/{n}", lambda x, y, m, n: np.ones_like(x) / n),),
    "norm": (("{g}×{a}/{y}", lambda x, y, m, n: x / y),),
    "prod": (("{g}×{y}/{a}", lambda x, y, m, n: y / x),),
    "logsumexp": (("{g}×e^({a}−{y})", lambda x, y, m, n: np.exp(x - y)),),
    "var": (
        ("{g}×2/({n}−1)×({a}−{m})", lambda x, y, m, n: 2 / (n - 1) * (x - m)),
        ("{g}×2/{n}×({a}−{m})", lambda x, y, m, n: 2 / n * (x - m)),
    ),
    "std": (
        ("{g}×({a}−{m})/(({n}−1)×{y})", lambda x, y, m, n: (x - m) / ((n - 1) * y)),
        ("{g}×({a}−{m})/({n}×{y})", lambda x, y, m, n: (x - m) / (n * y)),
    ),
}


def pair(rules: tuple[Local, ...]) -> Way:
    """For operands of like or of broadcast shapes: what was copied gets the sum over its copies."""

    def way(one: Sent) -> Iterator[Worked]:
        if one.slot >= len(rules) or one.upstream.ndim < one.sent.ndim:
            return
        template, factor = rules[one.slot]
        shape = one.upstream.shape
        there = dict(zip("abcy", (*one.values[:3], *(None,) * (3 - len(one.values)), one.result), strict=True))
        known = {letter: value for letter, value in there.items() if f"{{{letter}}}" in template}
        if any(value is None for value in known.values()):
            return
        spread = {letter: np.broadcast_to(np.asarray(value, np.float64), shape) for letter, value in known.items()}
        at = copies(one.place, one.sent.shape, shape)
        nothing = np.ones(shape)
        found = {letter: np.atleast_1d(spread.get(letter, nothing)[at]).reshape(-1) for letter in there}
        g = np.atleast_1d(one.upstream[at]).reshape(-1)
        factors = factor(*found.values())
        if template == "{g}":
            yield plain_sum(g)
            return
        yield added(
            lambda i: template.format(g=bracketed(g[i]), **{name: bracketed(of[i]) for name, of in found.items()}),
            g.astype(np.float64) * factors,
        )

    return way


def loss(rules: tuple[Local, ...]) -> Way:
    """For what is computed of each entry and then averaged, summed, or left."""

    def way(one: Sent) -> Iterator[Worked]:
        if one.slot >= len(rules) or len(one.values) < 2 or one.values[0] is None or one.values[1] is None:
            return
        a, b = (value.astype(np.float64) for value in one.values[:2] if value is not None)
        if a.shape != b.shape or a.shape != one.sent.shape or one.upstream.shape not in ((), a.shape):
            return
        template, factor = rules[one.slot]
        g = one.upstream[one.place if one.upstream.shape else ()]
        local = float(factor(a[one.place], b[one.place]))
        text = template.format(a=bracketed(a[one.place]), b=bracketed(b[one.place]))
        for count in dict.fromkeys((a.size, a.shape[0] if a.shape else 1, 1)):
            share = f"/{count}" if count > 1 else ""
            yield Worked(f"{bracketed(g)}×{text}{share}", float(g) * local / count)

    return way


def reduction(rules: tuple[Local, ...]) -> Way:
    """For what makes one number of several, along the dimensions that fit the shapes."""

    def way(one: Sent) -> Iterator[Worked]:
        x = one.own
        if x is None or one.result is None or not x.size:
            return
        for axes in _reduced(x.shape, one.upstream.shape):
            kept = tuple(1 if axis in axes else size for axis, size in enumerate(x.shape))
            n = x.size // max(1, int(np.prod(kept)))
            at = tuple(0 if axis in axes else number for axis, number in enumerate(one.place))
            g, y = one.upstream.reshape(kept)[at], one.result.reshape(kept)[at]
            mean = x.astype(np.float64).mean(axis=axes, keepdims=True)[at]
            for template, factor in rules:
                with np.errstate(all="ignore"):
                    local = factor(np.float64(x[one.place]), np.float64(y), mean, np.float64(n))
                names = {"a": x[one.place], "y": y, "m": mean}
                text = template.format(g=bracketed(g), n=n, **{name: bracketed(of) for name, of in names.items()})
                yield Worked(text if "×" in text or "/" in text else text.strip("()"), float(g) * float(local))

    return way


def softmax(one: Sent) -> Iterator[Worked]:
    if one.result is None:
        return
    g, y = one.upstream.astype(np.float64), one.result.astype(np.float64)
    for axis in range(y.ndim - 1, -1, -1):
        total = (g * y).sum(axis=axis, keepdims=True)
        at = tuple(0 if other == axis else number for other, number in enumerate(one.place))
        yield Worked(
            f"{bracketed(y[one.place])}×({bracketed(g[one.place])}−{bracketed(total[at])})",
            float(y[one.place] * (g[one.place] - total[at])),
        )


def log_softmax(one: Sent) -> Iterator[Worked]:
    if one.result is None:
        return
    g, y = one.upstream.astype(np.float64), np.exp(one.result.astype(np.float64))
    for axis in range(y.ndim - 1, -1, -1):
        at = tuple(0 if other == axis else number for other, number in enumerate(one.place))
        total = g.sum(axis=axis, keepdims=True)[at]
        yield Worked(
            f"{bracketed(g[one.place])} − {bracketed(y[one.place])}×{bracketed(total)}",
            float(g[one.place] - y[one.place] * total),
        )


def nll(one: Sent) -> Iterator[Worked]:
    if one.entry == 0:
        yield Worked("not the target's class: 0", 0.0)
    elif one.upstream.size == 1:
        g = one.upstream.reshape(-1)[0]
        for count in dict.fromkeys(
            (one.sent.shape[0], one.sent.size // one.sent.shape[1] if one.sent.ndim > 1 else 1, 1)
        ):
            share = f"/{count}" if count > 1 else ""
            yield Worked(f"the target's class: (−1)×{bracketed(g)}{share}", -float(g) / count)


def cumsum(one: Sent) -> Iterator[Worked]:
    for axis in range(one.upstream.ndim):
        at = tuple(slice(number, None) if other == axis else number for other, number in enumerate(one.place))
        yield plain_sum(one.upstream[at])


def normalised(axes_of: Callable[[Sent], Iterator[tuple[int, ...]]], *, channels: bool) -> Way:
    """For batch, layer and group norm: of the input an entry of what is left when mean and spread are kept; of the
    weight and the bias sums. `channels`: a weight for each channel, else for each entry."""

    def way(one: Sent) -> Iterator[Worked]:
        x, weight = one.values[0], one.values[1] if len(one.values) > 1 else None
        if x is None:
            return
        for axes in axes_of(one):
            data = x.astype(np.float64)
            mean = data.mean(axis=axes, keepdims=True)
            spread = np.sqrt(data.var(axis=axes, keepdims=True) + 1e-5)
            hat = (data - mean) / spread
            if one.slot:
                g, h = (of[:, one.place[0]] if channels else last(of, one.place) for of in (one.upstream, hat))
                yield products(g, h) if one.slot == 1 else plain_sum(g)
                continue
            scaled = one.upstream.astype(np.float64)
            if weight is not None:
                scaled *= weight.reshape(-1, *(1,) * (x.ndim - 2)) if channels else weight
            at = tuple(0 if axis in axes else number for axis, number in enumerate(one.place))
            means = scaled.mean(axis=axes, keepdims=True)[at], (scaled * hat).mean(axis=axes, keepdims=True)[at]
            d, h, s = scaled[one.place], hat[one.place], spread[at]
            yield Worked(
                f"({bracketed(d)} − {bracketed(means[0])} − {bracketed(h)}×{bracketed(means[1])})/{bracketed(s)}",
                float((d - means[0] - h * means[1]) / s),
            )

    return way


def with_running(one: Sent) -> Iterator[Worked]:
    """Batch norm in eval mode: mean and spread are given, so that each entry of a channel is multiplied by one factor,
    which the result tells."""
    x, y = one.values[0], one.result
    others = [value for value in one.values[1:3] if value is not None]
    if x is None or y is None or x.ndim < 2:
        return
    if one.slot == 1 and len(others) == 2:
        channel = one.place[0]
        given = (y[:, channel].astype(np.float64) - others[1][channel]) / others[0][channel]
        yield products(one.upstream[:, channel], given)
    elif one.slot == 0:
        before, after = (of[:, one.place[1]].astype(np.float64).reshape(-1) for of in (x, y))
        apart = before - before.mean()
        factor = float((apart @ after) / (apart @ apart))
        g = one.upstream[one.place]
        yield Worked(f"{bracketed(g)}×{bracketed(factor)}", float(g) * factor)


def of_batch(one: Sent) -> Iterator[tuple[int, ...]]:
    yield tuple(axis for axis in range(one.upstream.ndim) if axis != 1)


def of_layer(one: Sent) -> Iterator[tuple[int, ...]]:
    count = one.upstream.ndim
    for first in range(count - 1, 0, -1):
        yield tuple(range(first, count))


def of_group(one: Sent) -> Iterator[tuple[int, ...]]:
    """One group of all channels, or each channel by itself."""
    yield tuple(range(1, one.upstream.ndim))
    yield tuple(range(2, one.upstream.ndim))


def _reduced(shape: tuple[int, ...], left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The dimensions that may have been reduced for `left` to remain, kept as 1 or not."""
    every = range(len(shape))
    for count in range(len(shape) + 1):
        for axes in combinations(every, count):
            gone = tuple(size for axis, size in enumerate(shape) if axis not in axes)
            kept = tuple(1 if axis in axes else size for axis, size in enumerate(shape))
            if left in (gone, kept):
                yield axes
