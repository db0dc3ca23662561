# type: ignore
"""scipy.optimize: who goes with whom, where functions are least, and curves through points."""

import warnings

import numpy as np
from _minimizing import STEP, Counted, bfgs, simplex
from _roots import bisect, brentq
from _squares import least_squares


class OptimizeWarning(UserWarning):
    pass


class OptimizeResult(dict):
    """What was found: a dict whose keys are attributes, too."""

    def __getattr__(self, name):
        if name not in self:
            raise AttributeError(name)
        return self[name]

    def __repr__(self):
        wide = max([len(name) for name in self], default=0) + 1
        return "\n".join([f"{name.rjust(wide)}: {_shown(self[name], wide + 2)}" for name in self])

    __str__ = __repr__


def _shown(value, indent):
    told = {"max_line_width": 76 - indent, "threshold": 12, "edgeitems": 2}
    told["formatter"] = {"float_kind": lambda each: f"{each: .3e}"}
    if isinstance(value, list) and all(isinstance(each, np.ndarray) for each in value):
        named = (np.array2string(each, separator=", ", prefix="array(", **told) for each in value)
        text = "[" + ", ".join([f"array({each})" for each in named]) + "]"
    elif isinstance(value, np.ndarray):
        text = np.array2string(value, **told)
    else:
        return str(value)
    return text.replace("\n", "\n" + " " * indent)


def minimize(
    fun, x0, args=(), method=None, jac=None, tol=None, callback=None, options=None, bounds=None, constraints=(), **other
):
    """Where a function of a vector is least. Raises NotImplementedError for methods other than BFGS and Nelder-Mead."""
    name = (method or "BFGS").lower()
    if name not in ("bfgs", "nelder-mead"):
        raise NotImplementedError(f"scipy.optimize.minimize() by {method}: BFGS and Nelder-Mead are here")
    if bounds is not None or constraints != ():
        raise NotImplementedError("scipy.optimize.minimize() within bounds: without any it is here")
    start = np.atleast_1d(np.asarray(x0, dtype=np.float64))
    if start.ndim != 1:
        raise ValueError("'x0' must only have one dimension.")
    told = dict(options or {})
    shown = told.pop("disp", False)
    args = args if isinstance(args, tuple) else (args,)
    counted = Counted(fun, args, jac if callable(jac) or jac is True else None, told.pop("eps", STEP))
    if name == "bfgs":
        if tol is not None:
            told.setdefault("gtol", tol)
        found = bfgs(counted, start, callback, **told)
    else:
        if tol is not None:
            told.setdefault("xatol", tol)
            told.setdefault("fatol", tol)
        found = simplex(counted, start, callback, **told)
    if shown and not found["success"]:
        warnings.warn(found["message"], OptimizeWarning if name == "bfgs" else RuntimeWarning)
    elif shown:
        print(found["message"])
    if shown and (found["success"] or name == "bfgs"):
        print(f"         Current function value: {found['fun']:f}")
        print(f"         Iterations: {found['nit']}")
        print(f"         Function evaluations: {found['nfev']}")
        if "njev" in found:
            print(f"         Gradient evaluations: {found['njev']}")
    return OptimizeResult(found)


def rosen(x):
    """The banana-shaped valley of Rosenbrock."""
    x = np.asarray(x)
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0, axis=0)


def rosen_der(x):
    x = np.asarray(x)
    middle = x[1:-1]
    found = np.zeros_like(x)
    found[1:-1] = 200 * (middle - x[:-2] ** 2) - 400 * (x[2:] - middle**2) * middle - 2 * (1 - middle)
    found[0] = -400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0])
    found[-1] = 200 * (x[-1] - x[-2] ** 2)
    return found


def curve_fit(
    f,
    xdata,
    ydata,
    p0=None,
    sigma=None,
    absolute_sigma=False,
    check_finite=True,
    bounds=None,
    method=None,
    jac=None,
    *,
    full_output=False,
    nan_policy=None,
    maxfev=None,
    **other,
):
    """The parameters with which f(x, ...) is closest to the points by least squares, and their covariance, by Levenberg
    and Marquardt. Raises RuntimeError where no such parameters are found."""
    if bounds is not None or full_output:
        raise NotImplementedError("scipy.optimize.curve_fit() within bounds or with all it knows: without is here")
    if p0 is None:
        import inspect

        count = len([each for each in inspect.signature(f).parameters]) - 1
        if count < 1:
            raise ValueError("Unable to determine number of fit parameters.")
        p0 = np.ones(count)
    at = np.atleast_1d(np.asarray(p0, dtype=np.float64))
    x = np.asarray(xdata, dtype=np.float64) if isinstance(xdata, (list, tuple, np.ndarray)) else xdata
    y = np.asarray(ydata, dtype=np.float64)
    if y.size == 0:
        raise ValueError("`ydata` must not be empty!")
    if check_finite and not (np.isfinite(y).all() and np.isfinite(np.asarray(x, dtype=np.float64)).all()):
        raise ValueError("array must not contain infs or NaNs")
    weight = 1.0 if sigma is None else 1.0 / np.asarray(sigma, dtype=np.float64)
    if y.size < at.size:
        raise TypeError(
            f"Improper input: func input vector length N={at.size} must not exceed func output vector length M={y.size}"
        )

    def off(parameters):
        return (weight * (np.asarray(f(x, *parameters), dtype=np.float64) - y)).ravel()

    def slope(parameters):
        found = np.asarray(jac(x, *parameters), dtype=np.float64)
        return found if sigma is None else found * np.asarray(weight)[:, None]

    at, here, r, ended, _ = least_squares(off, at, slope if callable(jac) else None, maxfev or 0)
    if ended == 5:
        most = maxfev or (100 if callable(jac) else 200) * (at.size + 1)
        raise RuntimeError(f"Optimal parameters not found: Number of calls to function has reached maxfev = {most}.")
    if ended > 5:
        raise RuntimeError("Optimal parameters not found: no further improvement is possible.")
    if np.abs(np.diag(r)).min() == 0 or (not absolute_sigma and y.size <= at.size):
        warnings.warn("Covariance of the parameters could not be estimated", OptimizeWarning)
        return at, np.full((at.size, at.size), np.inf)
    inverse = np.linalg.inv(r)
    covariance = inverse @ inverse.T
    if not absolute_sigma:
        covariance = covariance * (np.sum(here**2) / (y.size - at.size))
    return at, covariance


def linear_sum_assignment(cost_matrix, maximize=False):
    """Rows and columns paired so that the costs have the smallest sum, by shortest augmenting paths (Crouse 2016)."""
    cost = np.asarray(cost_matrix, dtype=np.float64)
    if cost.ndim != 2:
        raise ValueError(f"expected a matrix (2-D array), got a {cost.ndim} array")
    if np.any(np.isnan(cost)):
        raise ValueError("matrix contains invalid numeric entries")
    turned = cost.shape[1] < cost.shape[0]
    cost = (-cost if maximize else cost).T if turned else (-cost if maximize else cost)
    rows, columns = cost.shape
    of_row, of_column = np.zeros(rows), np.zeros(columns)
    column_of, row_of = [-1] * rows, [-1] * columns
    for start in range(rows):
        shortest, before = np.full(columns, np.inf), np.full(columns, -1)
        left = np.ones(columns, dtype=bool)
        seen, row, least = [], start, 0.0
        while row >= 0:
            seen.append(row)
            length = least + cost[row] - of_row[row] - of_column
            closer = left & (length < shortest)
            shortest, before = np.where(closer, length, shortest), np.where(closer, row, before)
            open_ones = np.where(left, shortest, np.inf)
            least = open_ones.min()
            if least == np.inf:
                raise ValueError("cost matrix is infeasible")
            ties = np.where(open_ones == least)[0]
            free = [int(each) for each in ties if row_of[each] < 0]
            sink = free[0] if free else int(ties[0])
            left[sink] = False
            row = row_of[sink]
        for each in seen:
            of_row[each] += least - (0.0 if each == start else shortest[column_of[each]])
        reached = ~left
        of_column[reached] -= least - shortest[reached]
        column = sink
        while True:
            row = int(before[column])
            row_of[column] = row
            column_of[row], column = column, column_of[row]
            if row == start:
                break
    first, second = np.arange(rows), np.array(column_of, dtype=np.int64)
    if not turned:
        return first, second
    order = np.argsort(second)
    return second[order], first[order]
