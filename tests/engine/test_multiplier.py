"""Which kernels NumPy multiplies with is not left to OPENBLAS_CORETYPE."""

from __future__ import annotations

import os
import subprocess
import sys

from engine.ops import processor

ASKED = "import engine, os; from engine.ops import blas; print(blas.IN_ORDER, os.environ.get('OPENBLAS_CORETYPE'))"


def answer(**environment: str) -> list[str]:
    kept = {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}
    process = subprocess.run(
        [sys.executable, "-c", ASKED], env=kept | environment, capture_output=True, text=True, check=True
    )
    return process.stdout.split()


def test_the_engine_adds_in_the_same_order_whatever_is_asked_for() -> None:
    left = answer()
    assert answer(OPENBLAS_CORETYPE="Haswell") == [left[0], "Haswell"]  # which other programs still find


def test_it_can_be_kept() -> None:
    in_order, asked_for = answer(OPENBLAS_CORETYPE="Haswell", GRADFLOW_KEEP_CORETYPE="1")
    assert asked_for == "Haswell"
    assert in_order == "False" or processor.REGISTER < 16  # kernels for AVX2 have several sums
