"""Which rows of a long table `make test` runs; `make test-all` runs every row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(rows: Iterable[Any], every: int) -> list[Any]:
    """The rows as parameters: every `every`-th is quick, the others are slow."""
    return [row if number % every == 0 else _slow(row) for number, row in enumerate(rows)]


def _slow(row: Any) -> Any:
    if hasattr(row, "marks"):  # one that pytest.param() has made
        return pytest.param(*row.values, id=row.id, marks=[*row.marks, pytest.mark.slow])
    return pytest.param(row, marks=pytest.mark.slow)
