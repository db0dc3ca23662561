"""The allow-list for numpy.polynomial: the points and weights of its quadratures, and the values of its series."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from engine.script.limits.nested import check_nested
from engine.script.limits.numpy_sizes import check_elements
from engine.script.limits.still import given_still
from engine.script.limits.work import FACTORS, OPERATIONS, check_work
from engine.script.modules import MODULES, module
from engine.script.surface import ScriptModule
from engine.script.surface.numpy import check_options, without_objects

PARTS = {
    "legendre": (legendre, "leggauss", "legval"),
    "chebyshev": (chebyshev, "chebgauss", "chebval"),
    "hermite": (hermite, "hermgauss", "hermval"),
    "hermite_e": (hermite_e, "hermegauss", "hermeval"),
    "laguerre": (laguerre, "laggauss", "lagval"),
    "polynomial": (polynomial, "", "polyval"),
}
"""By module: the function that gives a quadrature and the one that sums a series."""


def _points(name: str, function: Callable[..., Any]) -> Any:
    """A quadrature: its points are the eigenvalues of a matrix with `deg` rows."""

    def give(deg: Any) -> Any:
        if isinstance(deg, float):
            return function(deg)  # which says that it has to be an int
        degree = index(deg)
        check_elements(degree * degree, f"{name} of {degree:,} points")
        check_work(OPERATIONS["eigvalsh"] * float(degree) ** 3 / FACTORS, f"{name} of {degree:,} points")
        return function(degree)

    give.__name__ = name
    return give


def _sum(name: str, function: Callable[..., Any]) -> Any:
    """A series at points: an operation on all of the points for each coefficient."""

    def give(x: Any, c: Any, tensor: Any = True) -> Any:
        check_nested(x)
        check_nested(c)
        check_options((None, x, c), {})
        x, c = without_objects(np.asarray(x)), without_objects(np.asarray(c))
        rows = len(c) if c.ndim else 1
        check_elements(x.size * (c.size / max(rows, 1)), name)
        check_work(rows * (2e-5 + 2e-9 * x.size * c.size / max(rows, 1)), f"{name} of {rows:,} coefficients")
        return function(x, c, bool(tensor))

    give.__name__ = name
    return given_still(give)


def _part(name: str) -> Callable[[], ScriptModule]:
    source, gauss, value = PARTS[name]
    members = {value: _sum(value, getattr(source, value))}
    if gauss:
        members[gauss] = _points(gauss, getattr(source, gauss))
    return lambda: ScriptModule(f"numpy.polynomial.{name}", members)


for _name in PARTS:
    MODULES[f"numpy.polynomial.{_name}"] = _part(_name)
MODULES["numpy.polynomial"] = lambda: ScriptModule(
    "numpy.polynomial", {name: module(f"numpy.polynomial.{name}") for name in PARTS}
)
