# type: ignore
"""Where a function is least: Nelder and Mead's simplex, and BFGS over the line search of Moré and Thuente (1994)."""

import numpy as np

STEP = 1.4901161193847656e-08  # the root of what a double is exact to
WELL = "Optimization terminated successfully."
EXHAUSTED = "Maximum number of iterations has been exceeded."
INEXACT = "Desired error not necessarily achieved due to precision loss."


class Counted:
    """A function of a vector and its slope, told or by differences; each is worked out once at a place."""

    def __init__(self, function, args, jac, eps):
        self.function, self.args, self.eps = function, args, eps
        self.both, self.jac = jac is True, jac if callable(jac) else None
        self.calls = self.slopes = 0
        self._place = self._value = self._slope = None

    def _go(self, x):
        if self._place is None or not np.array_equal(x, self._place):
            self._place, self._value, self._slope = np.array(x), None, None

    def _call(self, x):
        self.calls += 1
        found = self.function(np.array(x), *self.args)
        if self.both:
            found, self._slope = found[0], np.asarray(found[1], dtype=np.float64)
        return found if np.isscalar(found) else np.asarray(found).item()

    def value(self, x):
        self._go(x)
        if self._value is None:
            self._value = self._call(x)
        return self._value

    def slope(self, x):
        here = self.value(x)
        if self._slope is None and self.jac is not None:
            self._slope = np.asarray(self.jac(np.array(x), *self.args), dtype=np.float64)
        elif self._slope is None:
            found = np.empty(len(x))
            for place in range(len(x)):
                moved = np.array(x)
                moved[place] += self.eps
                found[place] = (self._call(moved) - here) / (moved[place] - x[place])
            self._slope = found
        if self._counted_at is not self._place:
            self._counted_at = self._place
            self.slopes += 1
        return self._slope

    _counted_at = None


def simplex(
    counted,
    x0,
    callback=None,
    maxiter=None,
    maxfev=None,
    xatol=1e-4,
    fatol=1e-4,
    adaptive=False,
    initial_simplex=None,
    **_,
):
    """(what was found, as a dict) by Nelder and Mead."""
    count = len(x0)
    if maxiter is None and maxfev is None:
        maxiter = maxfev = count * 200
    maxiter = np.inf if maxiter is None else maxiter
    maxfev = np.inf if maxfev is None else maxfev
    grow, shrink_in, shrink = (1 + 2 / count, 0.75 - 1 / (2 * count), 1 - 1 / count) if adaptive else (2, 0.5, 0.5)
    if initial_simplex is None:
        corners = np.array([x0] * (count + 1), dtype=np.float64)
        for place in range(count):
            corners[place + 1, place] = 1.05 * x0[place] if x0[place] != 0 else 0.00025
    else:
        corners = np.array(initial_simplex, dtype=np.float64)
    values = np.array([counted.value(each) for each in corners])
    order = np.argsort(values)
    corners, values = corners[order], values[order]
    turns = 1
    while counted.calls < maxfev and turns < maxiter:
        if np.max(np.abs(corners[1:] - corners[0])) <= xatol and np.max(np.abs(values[0] - values[1:])) <= fatol:
            break
        middle = np.sum(corners[:-1], axis=0) / count
        tried = 2 * middle - corners[-1]
        value, smaller = counted.value(tried), False
        if value < values[0]:
            further = (1 + grow) * middle - grow * corners[-1]
            beyond = counted.value(further)
            tried, value = (further, beyond) if beyond < value else (tried, value)
        elif value >= values[-2]:
            if value < values[-1]:
                inside = (1 + shrink_in) * middle - shrink_in * corners[-1]
                found = counted.value(inside)
                smaller = found > value
            else:
                inside = (1 - shrink_in) * middle + shrink_in * corners[-1]
                found = counted.value(inside)
                smaller = found >= values[-1]
            tried, value = inside, found
        if smaller:
            for place in range(1, count + 1):
                corners[place] = corners[0] + shrink * (corners[place] - corners[0])
                values[place] = counted.value(corners[place])
        else:
            corners[-1], values[-1] = tried, value
        turns += 1
        order = np.argsort(values)
        corners, values = corners[order], values[order]
        if callback is not None:
            callback(corners[0])
    status, message = 0, WELL
    if counted.calls >= maxfev:
        status, message = 1, "Maximum number of function evaluations has been exceeded."
    elif turns >= maxiter:
        status, message = 2, EXHAUSTED
    return {
        "message": message,
        "success": status == 0,
        "status": status,
        "fun": np.min(values),
        "x": corners[0],
        "nit": turns,
        "nfev": counted.calls,
        "final_simplex": (corners, values),
    }


def bfgs(
    counted, x0, callback=None, gtol=1e-5, norm=np.inf, maxiter=None, xrtol=0, c1=1e-4, c2=0.9, hess_inv0=None, **_
):
    """(what was found, as a dict) by Broyden, Fletcher, Goldfarb and Shanno."""
    x, turns, status = np.array(x0, dtype=np.float64), 0, 0
    most = len(x) * 200 if maxiter is None else maxiter
    here, slope = counted.value(x), counted.slope(x)
    unit = np.eye(len(x))
    inverse = unit if hess_inv0 is None else hess_inv0
    before = here + np.linalg.norm(slope) / 2
    size = np.linalg.norm(slope, ord=norm)
    while size > gtol and turns < most:
        direction = -np.dot(inverse, slope)
        length, there = searched(counted, x, direction, slope, here, before, c1, c2)
        if length is None:
            status = 2
            break
        moved = length * direction
        x, before, here = x + moved, here, there
        changed = counted.slope(x) - slope
        slope = counted.slope(x)
        turns += 1
        if callback is not None:
            callback(x)
        size = np.linalg.norm(slope, ord=norm)
        if size <= gtol or length * np.linalg.norm(direction) <= xrtol * (xrtol + np.linalg.norm(x)):
            break
        if not np.isfinite(here):
            status = 2
            break
        along = np.dot(changed, moved)
        factor = 1000.0 if along == 0 else 1.0 / along
        left = unit - moved[:, None] * changed[None, :] * factor
        right = unit - changed[:, None] * moved[None, :] * factor
        inverse = np.dot(left, np.dot(inverse, right)) + factor * moved[:, None] * moved[None, :]
    message = WELL
    if status == 2:
        message = INEXACT
    elif turns >= most:
        status, message = 1, EXHAUSTED
    elif np.isnan(size) or np.isnan(here) or np.isnan(x).any():
        status, message = 3, "NaN result encountered."
    return {
        "message": message,
        "success": status == 0,
        "status": status,
        "fun": here,
        "x": x,
        "nit": turns,
        "jac": slope,
        "hess_inv": inverse,
        "nfev": counted.calls,
        "njev": counted.slopes,
    }


def searched(counted, x, direction, slope, here, before, c1, c2):
    """How far to go in a direction and the value there; (None, None) where no length is good."""
    begin = np.dot(slope, direction)
    first = min(1.0, 1.01 * 2 * (here - before) / begin) if begin != 0 else 1.0
    length = 1.0 if first < 0 else first
    least, most, exact = 1e-100, 1e100, 1e-14
    if begin >= 0:
        return None, None
    low = high = (0.0, here, begin)  # places with their values and slopes: the best one, and the other end
    bracketed, early, wanted = False, True, c1 * begin
    width, width_before = most - least, 2 * (most - least)
    bottom, top = 0.0, 5 * length
    for _ in range(100):
        there = counted.value(x + length * direction)
        steep = np.dot(counted.slope(x + length * direction), direction)
        enough = here + length * wanted
        early = early and not (there <= enough and steep >= 0)
        if there <= enough and abs(steep) <= c2 * -begin:
            return length, there
        stuck = bracketed and (length <= bottom or length >= top or top - bottom <= exact * top)
        if stuck or length == least or (length == most and there <= enough and steep <= wanted):
            return None, None
        if early and enough < there <= low[1]:

            def tilted(point, by):
                return point[0], point[1] + by * point[0] * wanted, point[2] + by * wanted

            found = _stepped(
                tilted(low, -1), tilted(high, -1), tilted((length, there, steep), -1), bracketed, bottom, top
            )
            low, high, length, bracketed = tilted(found[0], 1), tilted(found[1], 1), found[2], found[3]
        else:
            low, high, length, bracketed = _stepped(low, high, (length, there, steep), bracketed, bottom, top)
        if bracketed:
            if abs(high[0] - low[0]) >= 0.66 * width_before:
                length = low[0] + 0.5 * (high[0] - low[0])
            width_before, width = width, abs(high[0] - low[0])
            bottom, top = min(low[0], high[0]), max(low[0], high[0])
        else:
            bottom, top = length + 1.1 * (length - low[0]), length + 4 * (length - low[0])
        length = min(max(length, least), most)
        if bracketed and (length <= bottom or length >= top or top - bottom <= exact * top):
            length = low[0]
    return None, None


def _stepped(low, high, tried, bracketed, bottom, top):
    """The interval with what was tried in it, and the length to try next, by cubics and secants through its ends."""
    (sx, fx, dx), (sy, fy, dy), (sp, fp, dp) = low, high, tried
    turned = dp * (dx / abs(dx))

    def cubic(s, f, d, beside):
        theta = 3.0 * (f - fp) / (sp - s) + d + dp
        most = max(abs(theta), abs(d), abs(dp))
        under = (theta / most) ** 2 - (d / most) * (dp / most)
        root = most * np.sqrt(max(0.0, under) if beside else under)
        return theta, root

    if fp > fx:
        theta, root = cubic(sx, fx, dx, False)
        root = -root if sp < sx else root
        ratio = ((root - dx) + theta) / (((root - dx) + root) + dp)
        by_cubic = sx + ratio * (sp - sx)
        by_secant = sx + ((dx / ((fx - fp) / (sp - sx) + dx)) / 2.0) * (sp - sx)
        near = abs(by_cubic - sx) <= abs(by_secant - sx)
        following, bracketed = by_cubic if near else by_cubic + (by_secant - by_cubic) / 2.0, True
    elif turned < 0:
        theta, root = cubic(sx, fx, dx, False)
        root = -root if sp > sx else root
        ratio = ((root - dp) + theta) / (((root - dp) + root) + dx)
        by_cubic, by_secant = sp + ratio * (sx - sp), sp + (dp / (dp - dx)) * (sx - sp)
        following, bracketed = by_cubic if abs(by_cubic - sp) > abs(by_secant - sp) else by_secant, True
    elif abs(dp) < abs(dx):
        theta, root = cubic(sx, fx, dx, True)
        root = -root if sp > sx else root
        ratio = ((root - dp) + theta) / ((root + (dx - dp)) + root)
        if ratio < 0 and root != 0:
            by_cubic = sp + ratio * (sx - sp)
        else:
            by_cubic = top if sp > sx else bottom
        by_secant = sp + (dp / (dp - dx)) * (sx - sp)
        nearer = abs(by_cubic - sp) < abs(by_secant - sp)
        if bracketed:
            following = by_cubic if nearer else by_secant
            limit = sp + 0.66 * (sy - sp)
            following = min(limit, following) if sp > sx else max(limit, following)
        else:
            following = by_cubic if abs(by_cubic - sp) > abs(by_secant - sp) else by_secant
            following = min(max(following, bottom), top)
    elif bracketed:
        theta, root = cubic(sy, fy, dy, False)
        root = -root if sp > sy else root
        ratio = ((root - dp) + theta) / (((root - dp) + root) + dy)
        following = sp + ratio * (sy - sp)
    else:
        following = top if sp > sx else bottom
    if fp > fx:
        high = tried
    else:
        high = low if turned < 0 else high
        low = tried
    return low, high, following, bracketed
