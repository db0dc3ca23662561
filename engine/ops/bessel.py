"""Bessel's functions of the first and second kind and of the orders 0 and 1, without gradients; and draws from binomial
distributions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes, random
from engine.ops import rounded
from engine.ops.dispatch import floating, only_for, shape_error, wrap
from engine.ops.fused import multiply_add
from engine.ops.into import writes
from engine.ops.maps import underived
from engine.tensor import Tensor

Array = np.ndarray[Any, Any]


# Quotients of polynomials, the highest power first, from Cephes (Moshier, Methods and Programs for Mathematical
# Functions, 1989). There the longer denominators have a leading 1 as well; PyTorch leaves it out, which makes its
# values up to 9e-7 too large or small between 5 and 10, and these with them.
_AMPLITUDES = (
    (
        *(7.96936729297347051624e-04, 8.28352392107440799803e-02, 1.23953371646414299388e00, 5.44725003058768775090e00),
        *(8.74716500199817011941e00, 5.30324038235394892183e00, 9.99999999999999997821e-01),
    ),
    (
        *(7.62125616208173112003e-04, 7.31397056940917570436e-02, 1.12719608129684925192e00, 5.11207951146807644818e00),
        *(8.42404590141772420927e00, 5.21451598682361504063e00, 1.00000000000000000254e00),
    ),
)
_AMPLITUDES_BELOW = (
    (
        *(9.24408810558863637013e-04, 8.56288474354474431428e-02, 1.25352743901058953537e00, 5.47097740330417105182e00),
        *(8.76190883237069594232e00, 5.30605288235394617618e00, 1.00000000000000000218e00),
    ),
    (
        *(5.71323128072548699714e-04, 6.88455908754495404082e-02, 1.10514232634061696926e00, 5.07386386128601488557e00),
        *(8.39985554327604159757e00, 5.20982848682361821619e00, 9.99999999999999997461e-01),
    ),
)
_PHASES = (
    (
        *(-1.13663838898469149931e-02, -1.28252718670509318512e00, -1.95539544257735972385e01),
        *(-9.32060152123768231369e01, -1.77681167980488050595e02, -1.47077505154951170175e02),
        *(-5.14105326766599330220e01, -6.05014350600728481186e00),
    ),
    (
        *(5.10862594750176621635e-02, 4.98213872951233449420e00, 7.58238284132545283818e01, 3.66779609360150777800e02),
        *(7.10856304998926107277e02, 5.97489612400613639965e02, 2.11688757100572135698e02, 2.52070205858023719784e01),
    ),
)
_PHASES_BELOW = (
    (
        *(6.43178256118178023184e01, 8.56430025976980587198e02, 3.88240183605401609683e03, 7.24046774195652478189e03),
        *(5.93072701187316984827e03, 2.06209331660327847417e03, 2.42005740240291393179e02),
    ),
    (
        *(7.42373277035675149943e01, 1.05644886038262816351e03, 4.98641058337653607651e03, 9.56231892404756170795e03),
        *(7.99704160447350683650e03, 2.82619278517639096600e03, 3.36093607810698293419e02),
    ),
)
_J = (
    (-4.79443220978201773821e09, 1.95617491946556577543e12, -2.49248344360967716204e14, 9.70862251047306323952e15),
    (-8.99971225705559398224e08, 4.52228297998194034323e11, -7.27494245221818276015e13, 3.68295732863852883286e15),
)
_J_BELOW = (
    (
        *(4.99563147152651017219e02, 1.73785401676374683123e05, 4.84409658339962045305e07, 1.11855537045356834862e10),
        *(2.11277520115489217587e12, 3.10518229857422583814e14, 3.18121955943204943306e16, 1.71086294081043136091e18),
    ),
    (
        *(6.20836478118054335476e02, 2.56987256757748830383e05, 8.35146791431949253037e07, 2.21511595479792499675e10),
        *(4.74914122079991414898e12, 7.84369607876235854894e14, 8.95222336184627338078e16, 5.32278620332680085395e18),
    ),
)
_Y = (
    (
        *(1.55924367855235737965e04, -1.46639295903971606143e07, 5.43526477051876500413e09),
        *(-9.82136065717911466409e11, 8.75906394395366999549e13, -3.46628303384729719441e15),
        *(4.42733268572569800351e16, -1.84950800436986690637e16),
    ),
    (
        *(1.26320474790178026440e09, -6.47355876379160291031e11, 1.14509511541823727583e14),
        *(-8.12770255501325109621e15, 2.02439475713594898196e17, -7.78877196265950026825e17),
    ),
)
_Y_BELOW = (
    (
        *(1.04128353664259848412e03, 6.26107330137134956842e05, 2.68919633393814121987e08, 8.64002487103935000337e10),
        *(2.02979612750105546709e13, 3.17157752842975028269e15, 2.50596256172653059228e17),
    ),
    (
        *(5.94301592346128195359e02, 2.35564092943068577943e05, 7.34811944459721705660e07, 1.87601316108706159478e10),
        *(3.88231277496238566008e12, 6.20557727146953693363e14, 6.87141087355300489866e16, 3.97270608116560655612e18),
    ),
)
_ROOTS = ((5.78318596294678452118, 30.4712623436620863991), (14.6819706421238932572, 49.2184563216946036703))
"""The squares of the first two places where J is 0."""
_NEAR = 5


def _polynomial(x: Array, factors: tuple[float, ...]) -> Array:
    kind = x.dtype.type
    found = np.full(x.shape, kind(factors[0]))
    for each in factors[1:]:
        found = multiply_add(found, x, np.asarray(kind(each)))
    return found


def _wave(x: Array, order: int, second: bool) -> Array:
    """J or Y far out: the amplitude and the phase are quotients of polynomials in 25 / x^2."""
    kind = x.dtype.type
    inverse = kind(5) / x
    square = inverse * inverse if order else kind(25) / (x * x)
    p = _polynomial(square, _AMPLITUDES[order]) / _polynomial(square, _AMPLITUDES_BELOW[order])
    q = inverse * (_polynomial(square, _PHASES[order]) / _polynomial(square, _PHASES_BELOW[order]))
    at = x - kind((2 * order + 1) * math.pi / 4)
    cos, sin = rounded.cos(at), rounded.sin(at)
    found = multiply_add(p, sin, q * cos) if second else multiply_add(p, cos, -(q * sin))
    return found * kind(math.sqrt(2 / math.pi)) / np.sqrt(x)


def _first(x: Array, order: int) -> Array:
    """J of the order for any number."""
    kind, wide = x.dtype.type, np.abs(x)
    square = wide * wide
    above, below = _polynomial(square, _J[order]), _polynomial(square, _J_BELOW[order])
    low, high = (square - kind(root) for root in _ROOTS[order])
    far = _wave(wide, order, False)
    if order:
        return np.where(wide <= _NEAR, above / below * x * low * high, np.where(x < 0, -far, far))
    near = np.where(wide < kind(1e-5), 1 - square / 4, low * high * above / below)
    return np.where(wide <= _NEAR, near, far)


def _second(x: Array, order: int) -> Array:
    """Y of the order: -inf at 0 and nan below."""
    kind = x.dtype.type
    square, log = x * x, rounded.log(x)
    quotient = _polynomial(square, _Y[order]) / _polynomial(square, _Y_BELOW[order])
    turned = kind(2 / math.pi)
    if order:
        near = multiply_add(x, quotient, turned * multiply_add(_first(x, 1), log, -1 / x))
    else:
        near = multiply_add(turned * log, _first(x, 0), quotient)
    found = np.where(x <= _NEAR, near, _wave(x, order, True))
    return np.where(x == 0, kind(-math.inf), np.where(x < 0, kind(math.nan), found))


def _operation(name: str, function: Any, order: int) -> Any:
    @writes
    def operation(input: Tensor, *, out: Any = None) -> Tensor:
        x = floating(input._array)
        if x.dtype == np.float16:
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Half'")
        with np.errstate(all="ignore"):  # what is far is computed with the formula for what is near, too
            return wrap(np.asarray(function(x, order), x.dtype))

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
    return underived("binomial", np.array(drawn, kind).reshape(n.shape), (count, prob))


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
