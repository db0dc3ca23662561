# type: ignore
"""Where a function of one number is zero: Brent's method, and halving."""

import math

EPS = 2.220446049250313e-16


def _called(f, args):
    def value(x):
        found = f(x, *args)
        return found.item() if hasattr(found, "item") else float(found)

    return value


def _ends(f, a, b, xtol, rtol):
    if xtol <= 0:
        raise ValueError(f"xtol too small ({xtol:g} <= 0)")
    if rtol < 4 * EPS:
        raise ValueError(f"rtol too small ({rtol:g} < {4 * EPS:g})")
    at_a, at_b = f(a), f(b)
    if at_a and at_b and (at_a < 0) == (at_b < 0):
        raise ValueError("f(a) and f(b) must have different signs")
    return at_a, at_b


def _given_up(maxiter):
    return RuntimeError(f"Failed to converge after {maxiter} iterations.")


def brentq(f, a, b, args=(), xtol=2e-12, rtol=4 * EPS, maxiter=100, full_output=False, disp=True):
    """Between a and b, by lines and hyperbolas through what is known, or by halving where these do not help."""
    f = _called(f, args)
    a, b = float(a), float(b)
    last, here, other = a, b, 0.0
    f_last, f_here = _ends(f, a, b, xtol, rtol)
    f_other = step_before = step = 0.0
    if f_last == 0:
        return last
    if f_here == 0:
        return here
    for _ in range(maxiter):
        if f_last != 0 and f_here != 0 and (f_last < 0) != (f_here < 0):
            other, f_other = last, f_last
            step_before = step = here - last
        if abs(f_other) < abs(f_here):
            last, here, other = here, other, here
            f_last, f_here, f_other = f_here, f_other, f_here
        tolerance = (xtol + rtol * abs(here)) / 2
        half = (other - here) / 2
        if f_here == 0 or abs(half) < tolerance:
            return here
        step_before, step, tried = half, half, (step_before, step)
        if abs(tried[0]) > tolerance and abs(f_here) < abs(f_last):
            if last == other:
                guess = -f_here * (here - last) / (f_here - f_last)
            else:
                to_last, to_other = (f_last - f_here) / (last - here), (f_other - f_here) / (other - here)
                guess = -f_here * (f_other * to_other - f_last * to_last) / (to_other * to_last * (f_other - f_last))
            if 2 * abs(guess) < min(abs(tried[0]), 3 * abs(half) - tolerance):
                step_before, step = tried[1], guess
        last, f_last = here, f_here
        here += step if abs(step) > tolerance else math.copysign(tolerance, half)
        f_here = f(here)
    raise _given_up(maxiter)


def bisect(f, a, b, args=(), xtol=2e-12, rtol=4 * EPS, maxiter=100, full_output=False, disp=True):
    """Between a and b, which comes closer by half each time."""
    f = _called(f, args)
    a, b = float(a), float(b)
    at_a, at_b = _ends(f, a, b, xtol, rtol)
    if at_a == 0:
        return a
    if at_b == 0:
        return b
    wide = b - a
    for _ in range(maxiter):
        wide *= 0.5
        middle = a + wide
        found = f(middle)
        if found == 0 or (found < 0) == (at_a < 0):
            a = middle
        if found == 0 or abs(wide) < xtol + rtol * abs(middle):
            return middle
    raise _given_up(maxiter)
