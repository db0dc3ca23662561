"""Gradient Flow's service and pages: runs of PyTorch-flavoured scripts, over the engine."""

__version__ = "0.1.0"
