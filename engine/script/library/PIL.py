# type: ignore
"""Pillow: pictures as arrays of bytes. What is saved is kept in the run's files, and only what the run saved opens."""

__version__ = "13.0.0"


class UnidentifiedImageError(OSError):
    pass
