# type: ignore
"""scipy.integrate: areas under points that are known and under functions, and states that a derivative leads on."""

import numpy as np
from _areas import area
from _initial_values import OdeSolution, solved, states_at
from numpy import trapezoid
from scipy.optimize import OptimizeResult

trapz = trapezoid
__all__ = [
    "IntegrationWarning",
    "OdeSolution",
    "cumulative_trapezoid",
    "cumtrapz",
    "dblquad",
    "odeint",
    "quad",
    "simpson",
    "simps",
    "solve_ivp",
    "trapezoid",
    "trapz",
]


class IntegrationWarning(UserWarning):
    """An area may be less exact than was asked."""


class OdeResult(OptimizeResult):
    """What solve_ivp() found."""


def solve_ivp(
    fun,
    t_span,
    y0,
    method="RK45",
    t_eval=None,
    dense_output=False,
    events=None,
    vectorized=False,
    args=None,
    **options,
):
    """The states from y0 at t_span[0] on, where fun(t, y) leads: RK45's or RK23's steps."""
    return solved(OdeResult, fun, t_span, y0, method, t_eval, dense_output, events, args, options)


def odeint(func, y0, t, args=(), Dfun=None, full_output=0, rtol=None, atol=None, tfirst=False, **more):
    """The states at the times `t`, (len(t), len(y0)), as exact as is asked. SciPy's method is another: last digits."""
    if full_output:
        raise NotImplementedError("odeint(full_output=1) does not exist here: leave it out")
    args = args if isinstance(args, tuple) else (args,)
    apart = np.diff(t)
    if not (np.all(apart >= 0) or np.all(apart <= 0)):
        raise ValueError(
            "The values in t must be monotonically increasing or monotonically decreasing; repeated values are allowed."
        )
    called = (lambda t, y: func(t, y, *args)) if tfirst else (lambda t, y: func(y, t, *args))
    tolerances = (1.49012e-8 if each is None else each for each in (rtol, atol))
    found, well = states_at(called, np.atleast_1d(y0), t, *tolerances)
    if not well:
        raise NotImplementedError("odeint() of a state that changes this fast does not exist here")
    return found


def quad(func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, **more):
    """The area under func from a to b, and how far off it may be."""
    if more.get("weight") is not None:
        raise NotImplementedError("quad(weight=...) does not exist here: multiply the function")
    args = args if isinstance(args, tuple) else (args,)
    stops = sorted(each for each in more.get("points") or () if min(a, b) < each < max(a, b))
    ends = [a, *(stops if a < b else stops[::-1]), b]

    def called(x):
        found = func(x, *args)
        return found.item() if hasattr(found, "item") else float(found)

    parts = [area(called, float(one), float(other), epsabs, epsrel, limit) for one, other in zip(ends, ends[1:])]
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    """The volume under func(y, x) for x from a to b and y from gfun to hfun, and how far off it may be."""

    off = [0.0]

    def strip(x):
        low, high = (each(x) if callable(each) else each for each in (gfun, hfun))
        found, by = quad(func, low, high, (x, *args), epsabs=epsabs, epsrel=epsrel)
        off.append(by)
        return found

    found, by = quad(strip, a, b, epsabs=epsabs, epsrel=epsrel)
    return found, max(by, *off)


def _apart(y, x, dx, axis):
    """How far apart the points are along `axis`, in a form that y's differences go with."""
    if x is None:
        return None
    x = np.asarray(x)
    if x.ndim == 1:
        shape = [1] * y.ndim
        shape[axis] = -1
        x = x.reshape(shape)
    elif x.ndim != y.ndim:
        raise ValueError("If given, shape of x must be 1-D or the same as y.")
    if x.shape[axis] != y.shape[axis]:
        raise ValueError("If given, length of x along axis must be the same as y.")
    return np.diff(x, axis=axis)


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    """The area up to each point but the first, by straight lines between the points."""
    y = np.asarray(y)
    if y.shape[axis] == 0:
        raise ValueError("At least one point is required along `axis`.")
    apart = _apart(y, x, dx, axis)
    moved = np.moveaxis(y, axis, 0)
    wide = dx if apart is None else np.moveaxis(apart, axis, 0)
    found = np.moveaxis(np.cumsum(wide * (moved[1:] + moved[:-1]) / 2.0, axis=0), 0, axis)
    if initial is None:
        return found
    if initial != 0:
        raise ValueError("`initial` must be `None` or `0`.")
    shape = list(found.shape)
    shape[axis] = 1
    return np.concatenate((np.full(shape, initial, dtype=found.dtype), found), axis=axis)


def _divided(one, other):
    return np.true_divide(one, other, out=np.zeros_like(other), where=other != 0)


def _parabolas(y, stop, apart, dx):
    """The area under parabolas through three points each, the first of which is before `stop`."""
    one, two, three = y[0:stop:2], y[1 : stop + 1 : 2], y[2 : stop + 2 : 2]
    if apart is None:
        found = np.sum(one + 4.0 * two + three, axis=0)
        found *= dx / 3.0
        return found
    h0, h1 = (apart[start : stop + start : 2].astype(float, copy=False) for start in (0, 1))
    whole, product, ratio = h0 + h1, h0 * h1, _divided(h0, h1)
    inverse = np.true_divide(1.0, ratio, out=np.zeros_like(ratio), where=ratio != 0)
    return np.sum(
        whole / 6.0 * (one * (2.0 - inverse) + two * (whole * _divided(whole, product)) + three * (2.0 - ratio)),
        axis=0,
    )


def simpson(y, x=None, *, dx=1.0, axis=-1):
    """The area by Simpson's rule; of an even number of points the last interval by Cartwright's correction."""
    y = np.asarray(y)
    apart = _apart(y, x, dx, axis)
    y = np.moveaxis(y, axis, 0)
    apart = None if apart is None else np.moveaxis(apart, axis, 0)
    many = len(y)
    if many % 2:
        return _parabolas(y, many - 2, apart, dx)
    if many == 2:
        return 0.0 + 0.5 * (dx if apart is None else apart[-1]) * (y[-1] + y[-2])
    h0, h1 = (np.asarray(each, dtype=np.float64) for each in ((dx, dx) if apart is None else apart[-2:]))
    last = _divided(2 * h1**2 + 3 * h0 * h1, 6 * (h1 + h0))
    middle = _divided(h1**2 + 3.0 * h0 * h1, 6 * h0)
    first = _divided(1 * h1**3, 6 * h0 * (h0 + h1))
    return _parabolas(y, many - 3, apart, dx) + (last * y[-1] + middle * y[-2] - first * y[-3])


cumtrapz, simps = cumulative_trapezoid, simpson
