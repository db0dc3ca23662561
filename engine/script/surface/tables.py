"""The data sets that lessons train on, for sklearn.datasets: figures in `tables.npz`, read when a script first asks.

Iris (R. A. Fisher, 1936), Wine (M. Forina and others), Breast Cancer Wisconsin, Diagnostic (W. Wolberg and others) and
the test part of Optical Recognition of Handwritten Digits (E. Alpaydin, C. Kaynak) are from the UCI Machine Learning
Repository, under CC BY 4.0. The diabetes study is the one that B. Efron and others published with "Least Angle
Regression" (2004). Each is stored as whole numbers, a row for each column and the target last; `<name>_places` says how
many decimals a column has. A whole number divided by a power of ten is the double nearest to the decimal.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from engine.script.frames import current
from engine.script.modules import MODULES
from engine.script.surface import ScriptModule

FILE = Path(__file__).with_name("tables.npz")
NAMES = ("iris", "wine", "breast_cancer", "diabetes", "digits")


@cache
def _stored(name: str) -> tuple[np.ndarray, np.ndarray]:
    with np.load(FILE, allow_pickle=False) as file:
        return file[name], file[f"{name}_places"]


def table(name: str) -> np.ndarray:
    """float64 (samples, features + 1), the script's own: the features, and what they are to tell. Raises ValueError for
    a name that is not in NAMES."""
    if name not in NAMES:
        raise ValueError(f"there is no table {name!r}")
    whole, places = _stored(name)
    current.machine.count(whole.size)
    return np.ascontiguousarray(whole.T / 10.0**places)


MODULES["_tables"] = lambda: ScriptModule("_tables", {"table": table})
