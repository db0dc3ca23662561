"""Gradient Flow's service and pages: runs of PyTorch-flavoured scripts, over the engine."""

import engine as engine  # before NumPy, whose kernels it has chosen

__version__ = "0.1.0"
