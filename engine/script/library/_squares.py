# type: ignore
"""Least squares by Levenberg and Marquardt, with the trust region of Moré (1978): the same steps as MINPACK's."""

import numpy as np
from numpy.linalg import norm

STEP = 1.4901161193847656e-08
CLOSE = 1.49012e-8
TINY = np.finfo(np.float64).tiny
EXACT = np.finfo(np.float64).eps


def slopes(function, x, here):
    """The derivatives of a vector's function, by differences."""
    columns = []
    for place in range(len(x)):
        step = STEP * abs(x[place]) or STEP
        moved = np.array(x)
        moved[place] += step
        columns.append((function(moved) - here) / step)
    return np.stack(columns, axis=1)


def least_squares(function, x0, jac=None, most=0, ftol=CLOSE, xtol=CLOSE, gtol=0.0):
    """(where the sum of the squares of a function is least, the function there, R of the last derivatives' QR, why it
    ended, the calls)."""
    x, count = np.array(x0, dtype=np.float64), len(x0)
    most = most or (200 if jac is None else 100) * (count + 1)
    here = function(x)
    calls, damping, first = 1, 0.0, True
    size = norm(here)
    while True:
        table = slopes(function, x, here) if jac is None else jac(x)
        calls += count if jac is None else 0
        q, r = np.linalg.qr(table)
        lengths = norm(table, axis=0)
        if first:
            scale = np.where(lengths == 0, 1.0, lengths)
            far = norm(scale * x)
            radius = 100 * far or 100.0
        turned = q.T @ here
        downhill = r.T @ turned
        steepest = 0.0
        if size != 0:
            steepest = max([abs(downhill[i] / size / lengths[i]) for i in range(count) if lengths[i] != 0], default=0.0)
        if steepest <= gtol:
            return x, here, r, 4, calls
        scale = np.maximum(scale, lengths)
        ratio = 0.0
        while ratio < 1e-4:
            damping, step = damped(r, scale, turned, downhill, radius, damping)
            step = -step
            length = norm(scale * step)
            radius = min(radius, length) if first else radius
            there = function(x + step)
            calls += 1
            after = norm(there)
            gained = 1 - (after / size) ** 2 if 0.1 * after < size else -1.0
            straight, bent = norm(r @ step) / size, np.sqrt(damping) * length / size
            foretold, along = straight**2 + bent**2 / 0.5, -(straight**2 + bent**2)
            ratio = gained / foretold if foretold != 0 else 0.0
            if ratio <= 0.25:
                factor = 0.5 if gained >= 0 else 0.5 * along / (along + 0.5 * gained)
                factor = 0.1 if 0.1 * after >= size or factor < 0.1 else factor
                radius, damping = factor * min(radius, length / 0.1), damping / factor
            elif damping == 0 or ratio >= 0.75:
                radius, damping = length / 0.5, 0.5 * damping
            if ratio >= 1e-4:
                x, here, size, first = x + step, there, after, False
                far = norm(scale * x)
            flat = abs(gained) <= ftol and foretold <= ftol and 0.5 * ratio <= 1
            if flat or radius <= xtol * far:
                return x, here, r, 1 if flat and radius > xtol * far else 3 if flat else 2, calls
            if calls >= most:
                return x, here, r, 5, calls
            if abs(gained) <= EXACT and foretold <= EXACT and 0.5 * ratio <= 1:
                return x, here, r, 6, calls
            if radius <= EXACT * far:
                return x, here, r, 7, calls
            if steepest <= EXACT:
                return x, here, r, 8, calls


def damped(r, scale, turned, downhill, radius, damping):
    """(how much a step is held back so that it is about as long as the radius, the step)."""
    count = len(scale)
    whole = bool((np.abs(np.diag(r)) > 0).all())
    step = np.linalg.solve(r, turned) if whole else np.linalg.lstsq(r, turned, rcond=None)[0]
    scaled = scale * step
    length = norm(scaled)
    over = length - radius
    if over <= 0.1 * radius:
        return 0.0, step
    low = 0.0
    if whole:
        low = over / radius / norm(np.linalg.solve(r.T, scale * (scaled / length))) ** 2
    steep = norm(downhill / scale)
    high = steep / radius or TINY / min(radius, 0.1)
    damping = min(max(damping, low), high) or steep / length
    for turn in range(10):
        damping = damping or max(TINY, 0.001 * high)
        q, upper = np.linalg.qr(np.vstack([r, np.diag(np.sqrt(damping) * scale)]))
        step = np.linalg.solve(upper, q.T @ np.append(turned, np.zeros(count)))
        scaled = scale * step
        length, before = norm(scaled), over
        over = length - radius
        if abs(over) <= 0.1 * radius or (low == 0 and over <= before < 0) or turn == 9:
            break
        better = over / radius / norm(np.linalg.solve(upper.T, scale * (scaled / length))) ** 2
        low, high = (max(low, damping), high) if over > 0 else (low, min(high, damping))
        damping = max(low, damping + better)
    return damping, step
