"""How numbers, names and lists read in sentences and formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def number(value: Any) -> str:
    """A number as the page writes it: at most four decimals (four significant digits below 0.1), a true minus sign.
    What is no number is written as it is."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "c" and value.size == 1:
        value = value.item()
    if isinstance(value, (complex, np.complexfloating)):
        imaginary = number(value.imag)
        return f"{number(value.real)}{'' if imaginary[0] == '−' else '+'}{imaginary}j"
    try:
        x = float(value)
    except (TypeError, ValueError, OverflowError):
        return str(value)[:40]
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "−inf"
    if x == 0:
        return "0"
    size = abs(x)
    if size >= 1e7 or size < 1e-4:
        mantissa, _, exponent = f"{size:.4g}".partition("e")
        text = f"{mantissa}e{int(exponent)}" if exponent else mantissa
    elif size >= 0.1:
        text = f"{size:.4f}".rstrip("0").rstrip(".")
    else:
        text = f"{size:.{3 - math.floor(math.log10(size))}f}".rstrip("0").rstrip(".")
    return ("−" if x < 0 else "") + text.replace("e-", "e−")


def factor(value: Any) -> str:
    """A number inside a formula: negative ones in parentheses."""
    text = number(value)
    return f"({text})" if text.startswith("−") or text.endswith("j") else text


def signed(value: Any) -> str:
    """A change: "+0.4" or "−0.4"."""
    text = number(value)
    return text if text.startswith("−") else f"+{text}"


def only(array: Array) -> float | None:
    """The real number in an array of one element; None for others."""
    return float(array.reshape(())) if array.size == 1 and array.dtype.kind != "c" else None


def norm(array: Array) -> float:
    """The Euclidean norm. Of large arrays rows of a thousand are summed in their own precision, and the rows' sums in
    double precision; where that overflows, and of all others, everything is."""
    if array.dtype.kind == "c":
        array = np.abs(array)
    flat = array.reshape(-1)
    if array.dtype.kind == "f" and flat.size > 10_000:
        rows = flat[: flat.size // 1000 * 1000].reshape(-1, 1000)
        rest = flat[rows.size :].astype(np.float64)
        total = np.sum(np.einsum("ij,ij->i", rows, rows), dtype=np.float64) + np.dot(rest, rest)
        if np.isfinite(total) and total > 1e-30:
            return float(np.sqrt(total))
    return float(np.sqrt(np.sum(np.square(array.astype(np.float64)))))


def shape(array: Array) -> str:
    """ "2×3", "5 numbers" or "one number"."""
    if array.ndim == 1:
        return count(array.size, "number")
    return "×".join(str(n) for n in array.shape) or "one number"


def listed(words: Sequence[str], most: int = 3) -> str:
    """ "a", "a and b", "a, b and c", "a, b and 7 more"."""
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


def count(n: int, word: str) -> str:
    """ "one parameter", "3 parameters"."""
    return f"one {word}" if n == 1 else f"{n} {word}s"
