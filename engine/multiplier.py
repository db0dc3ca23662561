"""Imports NumPy with the kernels that its library for products of matrices takes by itself.

OpenBLAS reads OPENBLAS_CORETYPE once, when NumPy is imported. Where the processor has AVX-512 its own choice adds up
products in the order that PyTorch's library does, so that results are the same to the last digit, and takes two thirds
of the time; other kernels, which the variable may ask for on behalf of other programs, do not. It is left out for as
long as NumPy is imported, unless GRADFLOW_KEEP_CORETYPE is set. Without effect where NumPy has been imported before.
"""

from __future__ import annotations

import os

_told = None if os.environ.get("GRADFLOW_KEEP_CORETYPE") else os.environ.pop("OPENBLAS_CORETYPE", None)
try:
    import numpy as np
finally:
    if _told is not None:
        os.environ["OPENBLAS_CORETYPE"] = _told

__all__ = ["np"]
