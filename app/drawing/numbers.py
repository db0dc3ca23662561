"""How numbers, shapes and sizes are written on the page. Nothing else in the house formats a number for people.

A minus sign is U+2212, as wide as a plus. `exact` gives the shortest text that reads back as the same number, in
ASCII: what a tooltip shows and what can be copied.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from app.drawing.remembered import Remembered

MINUS = "−"
Array = np.ndarray[Any, Any]


def number(value: Any) -> str:
    """A value in a table or card: four decimals, as PyTorch prints by default, and never more than nine characters
    ("−16.0000", "12345.68", "1.23e−5")."""
    kind = _plain(value, number)
    if kind is not None:
        return kind
    size = abs(float(value))
    if size == 0 or 1e-3 <= size < 1e6:
        text = f"{float(value):.{4 if size < 1e3 else 2 if size < 1e5 else 1}f}"
    else:
        mantissa, exponent = f"{float(value):.2e}".split("e")
        text = f"{mantissa}e{int(exponent)}"
    return text.replace("-", MINUS)


def short(value: Any) -> str:
    """A value inside a formula or a sentence: as few decimals as it needs, at most four ("−16.0", "0.5")."""
    kind = _plain(value, short)
    if kind is not None:
        return kind
    size = abs(float(value))
    if size and not 1e-3 <= size < 1e5:
        mantissa, exponent = f"{float(value):.3e}".split("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}".replace("-", MINUS)
    text = f"{float(value):.4f}".rstrip("0")
    return (text + "0" if text.endswith(".") else text).replace("-", MINUS)


def exact(value: Any) -> str:
    """The shortest ASCII text that reads back as the same number in its own precision."""
    if isinstance(value, np.generic):
        return repr(value.item()) if isinstance(value, (np.bool_, np.integer)) else _trim(str(value).strip("()"))
    return repr(value).strip("()")


def signed(value: float) -> str:
    """A change: always with its sign ("+0.8", "−0.4")."""
    return short(value) if value < 0 or math.isnan(value) else "+" + short(value)


def shape_text(shape: tuple[int, ...]) -> str:
    """(8, 2) -> "8 × 2"; a vector of 8 -> "8"; a scalar -> ""."""
    return " × ".join(str(size) for size in shape)


def brief(array: Array) -> str:
    """A tensor in a few words: its only number, or its shape and norm."""
    if array.size == 1:
        return short(array.reshape(-1)[0])
    return f"a {shape_text(array.shape)} tensor of norm {short(norm(array))}"


def norm(array: Array) -> float:
    """The Euclidean norm over all entries, 0 for an empty array; computed in float64."""
    if array.flags.writeable:
        return _norm(array)
    return _norms.get((array,), None, lambda: _norm(array))


_norms: Remembered[float] = Remembered(8192)


def _norm(array: Array) -> float:
    flat = magnitudes(array).ravel()
    return math.sqrt(float(flat @ flat)) if array.size else 0.0


def magnitudes(array: Array) -> Array:
    """The entries in float64; of complex numbers how long they are."""
    return (np.abs(array) if array.dtype.kind == "c" else array).astype(np.float64)


def sign(value: Any) -> str:
    """ "positive", "negative", "zero" or "strange" (nan): a word for a class and for those who see no colour."""
    if isinstance(value, (complex, np.complexfloating)):
        value = abs(value)
    if value > 0:
        return "positive"
    if value < 0:
        return "negative"
    return "zero" if value == 0 else "strange"


def nice_limit(largest: float) -> float:
    """The next of 1, 2, 5 x a power of ten: a colour scale that does not flicker from moment to moment."""
    if not math.isfinite(largest) or largest <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(largest))
    return next((step * power for step in (1.0, 2.0, 5.0) if largest <= step * power * (1 + 1e-9)), 10.0 * power)


def _plain(value: Any, part: Callable[[Any], str]) -> str | None:
    """The text of what has no decimals: bools, whole numbers by type, inf and nan; of a complex number that of its two
    parts. None for the rest."""
    if isinstance(value, (complex, np.complexfloating)):
        imaginary = part(value.imag)
        return part(value.real) + (imaginary if imaginary[0] in ("+", MINUS) else f"+{imaginary}") + "j"
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value)).replace("-", MINUS)
    if not math.isfinite(float(value)):
        return str(float(value)).replace("-", MINUS)
    return None


def _trim(text: str) -> str:
    return text.replace("e+0", "e+").replace("e-0", "e-") if "e" in text else text
