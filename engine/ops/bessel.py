"""Bessel's functions of the first and second kind and of the orders 0 and 1, in float64 and without gradients; and
draws from binomial distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes, random
from engine.ops.arithmetic import writes
from engine.ops.dispatch import floating, only_for, shape_error, wrap
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]

FUNCTIONS = "binomial"
METHODS = ""

_NEAR = 25.0  # up to here by Fourier's series, further out by Hankel's
_POINTS = 128  # of the circle: J_k(25) of the orders that it confuses is below 1e-40
_EULER = 0.57721566490153286


def _orders(x: Array) -> Array:
    """J_k(x) in row k: the Fourier coefficients of exp(i x sin t)."""
    turn = np.exp(1j * x[:, None] * np.sin(2 * np.pi * np.arange(_POINTS) / _POINTS))
    return (np.fft.fft(turn, axis=1).real / _POINTS).T


def _hankel(x: Array, order: int) -> tuple[Array, Array]:
    """(J, Y) far out: a wave whose amplitude and phase are series in 1 / x."""
    mu, term = 4.0 * order * order, np.ones_like(x)
    p, q = np.ones_like(x), np.zeros_like(x)
    for k in range(1, 13):
        term = term * (mu - (2 * k - 1) ** 2) / (8 * k * x)
        if k % 2:
            q = q + (1 if k % 4 == 1 else -1) * term
        else:
            p = p + (1 if k % 4 == 0 else -1) * term
    phase, size = x - (2 * order + 1) * np.pi / 4, np.sqrt(2 / (np.pi * x))
    return size * (p * np.cos(phase) - q * np.sin(phase)), size * (p * np.sin(phase) + q * np.cos(phase))


def _first(x: Array, order: int) -> Array:
    """J of the order for any finite number."""
    wide = np.abs(x)
    near = np.minimum(np.where(np.isfinite(wide), wide, 0.0), _NEAR)
    found = np.where(wide > _NEAR, _hankel(np.maximum(wide, _NEAR), order)[0], _orders(near)[order])
    if order:
        found = np.where(wide < 1e-8, wide / 2, found) * np.where(np.signbit(x), -1.0, 1.0)
    return np.where(np.isfinite(x), found, np.nan)


def _second(x: Array, order: int) -> Array:
    """Y of the order for numbers from 0 on (-inf at 0); Neumann's series of J near 0."""
    fit = np.isfinite(x) & (x > 0)
    near = np.where(fit, np.minimum(x, _NEAR), 1.0)
    j, log = _orders(near), np.log(near / 2) + _EULER
    k = np.arange(1, _POINTS // 4)
    signs = (-1.0) ** k / k
    if order:
        found = (2 / np.pi) * (log * j[1] - j[0] / near + signs @ (j[2 * k - 1] - j[2 * k + 1]))
    else:
        found = (2 / np.pi) * log * j[0] - (4 / np.pi) * (signs @ j[2 * k])
    far = _hankel(np.where(fit, np.maximum(x, _NEAR), _NEAR), order)[1]
    return np.where(fit, np.where(x > _NEAR, far, found), np.where(x == 0, -np.inf, np.nan))


def _operation(name: str, function: Any, order: int) -> Any:
    @writes
    def operation(input: Tensor, *, out: Any = None) -> Tensor:
        x = floating(input._array)
        if x.dtype == np.float16:
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Half'")
        found = function(x.astype(np.float64).reshape(-1), order)
        return wrap(found.reshape(x.shape).astype(x.dtype))

    operation.__name__ = name
    return operation


bessel_j0, bessel_j1 = _operation("bessel_j0", _first, 0), _operation("bessel_j1", _first, 1)
bessel_y0, bessel_y1 = _operation("bessel_y0", _second, 0), _operation("bessel_y1", _second, 1)


# -- binomial draws --------------------------------------------------------------------------------------------------


def binomial(count: Tensor, prob: Tensor, generator: Any = None) -> Tensor:
    """How many of `count` trials succeed, each with the probability `prob`."""
    for name, each in (("count", count), ("prob", prob)):
        if each._array.dtype.kind != "f":
            raise ValueError(
                f"binomial only supports floating-point dtypes for {name}, got: {dtypes.title(each.dtype)}"
            )
    if count.dtype is not prob.dtype:
        raise RuntimeError(f"Found dtype {dtypes.title(prob.dtype)} but expected {dtypes.title(count.dtype)}")
    kind = count._array.dtype
    if kind == np.float16:
        only_for("", count._array, "binomial_cpu")
    try:
        n, p = np.broadcast_arrays(count._array, prob._array)
    except ValueError:
        raise shape_error(count._array, prob._array) from None
    source = generator or random.default_generator

    def draw() -> Any:
        return kind.type(source.uniform((), dtype=dtypes.float64))

    drawn = [_successes(a, b, draw) for a, b in zip(n.ravel(), p.ravel(), strict=True)]
    return wrap(np.array(drawn, kind).reshape(n.shape))


def _successes(count: Any, prob: Any, draw: Any) -> Any:
    if not count > 0 or prob <= 0:
        return 0.0
    if prob >= 1:
        return count
    if prob <= 0.5:
        return (_rejected if count * prob >= 10 else _waited)(count, prob, draw)
    if prob > 0.5:
        fails = 1 - prob
        return count - (_rejected if count * fails >= 10 else _waited)(count, fails, draw)
    return math.nan


def _waited(count: Any, prob: Any, draw: Any) -> Any:
    """By the waiting times between successes."""
    kind = type(count)
    waited, successes, log = kind(0), 0, np.log1p(-prob)
    while True:
        waited += np.ceil(np.log(draw()) / log)
        if waited > count:
            return kind(successes)
        successes += 1


_TAIL = [
    *(0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211),
    *(0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287),
]


def _stirling(k: Any) -> Any:
    """log(k!) without Stirling's formula of it."""
    if k <= 9:
        return type(k)(_TAIL[int(k)])
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


def _rejected(count: Any, prob: Any, draw: Any) -> Any:
    """By transformed rejection (Hoermann, 1993)."""
    kind = type(count)
    spread = np.sqrt(count * prob * (1 - prob))
    b = kind(1.15 + 2.53 * spread)
    a = kind(-0.0873 + 0.0248 * b + 0.01 * prob)
    c = kind(count * prob + 0.5)
    edge, r = kind(0.92 - 4.2 / b), kind(prob / (1 - prob))
    alpha, m = kind((2.83 + 5.1 / b) * spread), kind(np.floor((count + 1) * prob))
    while True:
        u = kind(draw() - 0.5)
        v = draw()
        inside = kind(0.5 - abs(u))
        k = kind(np.floor((2 * a / inside + b) * u + c))
        if inside >= 0.07 and v <= edge:
            return k
        if k < 0 or k > count:
            continue
        v = np.log(v * alpha / (a / (inside * inside) + b))
        bound = (
            (m + 0.5) * np.log((m + 1) / (r * (count - m + 1)))
            + (count + 1) * np.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * np.log(r * (count - k + 1) / (k + 1))
            + _stirling(m)
            + _stirling(count - m)
            - _stirling(k)
            - _stirling(count - k)
        )
        if v <= bound:
            return k
