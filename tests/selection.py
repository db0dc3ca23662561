"""Which rows of a long table `make test` runs; `make test-all` runs every row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(rows: Iterable[Any], every: int) -> list[Any]:
    """The rows as parameters: every `every`-th is quick, the others are slow."""
    return [
        row if number % every == 0 else pytest.param(row, marks=pytest.mark.slow) for number, row in enumerate(rows)
    ]
