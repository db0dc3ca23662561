"""The text of a tensor, PyTorch's to the byte: `print(t)`, `repr(t)`, `f"{t}"`.

Pure functions from arrays to text, plus the process-wide print options that `set_printoptions` changes.

How a number is written depends on its tensor: four decimals; "1." when all are whole; scientific when the largest is
over 1000 times the smallest, or over 1e8, or the smallest is below 1e-4. All numbers are padded to one width. Tensors
above `threshold` elements show `edgeitems` at each end of each dimension.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine import dtypes
from engine.brief import wide


class PrintOptions(NamedTuple):
    """Digits after the point; elements above which is summarised; elements shown at each end; characters a line;
    scientific notation (None: decide from the values)."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}

options = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors print. `profile` ("default", "short", "full") comes first, the others refine it; None leaves
    an option as it is, except `sci_mode`, which every call sets (None: decide from the values)."""
    global options
    chosen = _PROFILES.get(profile, options) if profile is not None else options
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    options = chosen._replace(**changes, sci_mode=sci_mode)


def reset_printoptions() -> None:
    """Back to the options that a fresh process has."""
    global options
    options = PrintOptions()


# -------------------------------------------------------------------------------------------- the text of a tensor


def tensor_repr(
    array: np.ndarray,
    dtype: dtypes.dtype,
    requires_grad: bool = False,
    grad_fn_name: str | None = None,
    kind: type | None = None,
) -> str:
    """What `repr(tensor)` is. `grad_fn_name` is the node's name ("MulBackward0"), None for a leaf; `kind` its class,
    which names itself unless it is PyTorch's."""
    opening = "tensor(" if kind is None or kind.__module__ in _PLAIN else f"{kind.__name__}("
    suffixes = []
    default = dtypes.get_default_dtype()
    if array.size == 0:
        body = "[]"
        if array.ndim != 1:
            suffixes.append(f"size={array.shape}")
        shows_dtype = dtype is not default  # there are no elements from which it could be seen
    else:
        if not options.edgeitems:
            suffixes.append(f"size={array.shape}")
        body = format_array(array, indent=len(opening))
        shows_dtype = dtype is not default and dtype is not dtypes.int64 and dtype is not dtypes.bool_
        if shows_dtype and dtype.is_complex:
            shows_dtype = dtype.to_real() is not default
    if shows_dtype:
        suffixes.append(f"dtype={dtype!r}")
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    return with_suffixes(opening + body, suffixes, indent=len(opening))


_PLAIN = frozenset({"torch", "torch.nn.parameter"})


def named(text: str, kind: type) -> str:
    """The text of a parameter, of a class of its own inside of "Parameter(...)"."""
    return text if kind.__module__ in _PLAIN else f"Parameter({text})"


def parameter_repr(array: np.ndarray, dtype: dtypes.dtype, requires_grad: bool = True) -> str:
    """What `repr(parameter)` is."""
    return "Parameter containing:\n" + tensor_repr(array, dtype, requires_grad)


def format_array(array: np.ndarray, indent: int = 0) -> str:
    """The nested brackets with the numbers, in lines; lines after the first start at column `indent` + 1."""
    array = wide(array)
    if array.size == 0:
        return "[]"
    summarize = array.size > options.threshold
    shown = _corners(array) if summarize else array
    style = _ComplexStyle(shown) if shown.dtype.kind == "c" else _Style(shown)
    return _nested(array, indent, summarize, style)


def numbers_of(tensor: Any, indent: int) -> str:
    """The brackets of a tensor that stands within the text of another, for the files of engine/library/."""
    return format_array(tensor._array, indent)


FUNCTIONS = [numbers_of]


def format_with_spec(array: np.ndarray, spec: str, type_name: str) -> str | None:
    """What `format(tensor, spec)` is: a 0-d tensor is written as its Python number. None means: as str() does.
    `type_name` is the class of the tensor; a Parameter is never written as a number.

    Raises TypeError for a format spec that cannot be applied."""
    if array.ndim == 0 and type_name == "Tensor":
        return format(array.item(), spec)
    if spec:
        raise TypeError(f"unsupported format string passed to {type_name}.__format__")
    return None


# ------------------------------------------------------------------------------------------------------- one number


class _Style:
    """How every number of one tensor is written, decided from those that will be shown."""

    def __init__(self, shown: np.ndarray) -> None:
        self.floating = shown.dtype.kind == "f"
        self.width = 1
        self.whole = True
        self.scientific = False
        if self.floating:
            self._look_at_floats(shown)
        elif shown.size:
            self.width = max(len(str(value)) for value in shown.reshape(-1).tolist())

    def _look_at_floats(self, shown: np.ndarray) -> None:
        values = shown[np.isfinite(shown) & (shown != 0)].astype(np.float64)
        if values.size:
            magnitudes = np.abs(values)
            smallest, largest = float(magnitudes.min()), float(magnitudes.max())
            self.whole = bool((values == np.ceil(values)).all())
            self.scientific = largest / smallest > 1000.0 or largest > 1.0e8 or (not self.whole and smallest < 1.0e-4)
            if options.sci_mode is not None:
                self.scientific = options.sci_mode
            self.width = max(len(self.write(value)) for value in values.tolist())

    def write(self, value: Any) -> str:
        """`value` (a Python number) as text, padded on the left to the common width."""
        if not self.floating:
            text = str(value)
        elif self.scientific:
            text = f"{value:.{options.precision}e}"
        elif not self.whole:
            text = f"{value:.{options.precision}f}"
        else:
            text = f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"
        return text.rjust(self.width)


class _ComplexStyle(_Style):
    """How complex numbers are written: the real parts in one style, the imaginary parts in another."""

    def __init__(self, shown: np.ndarray) -> None:
        self._real, self._imaginary = _Style(shown.real), _Style(shown.imag)
        self.width = self._real.width + self._imaginary.width + 1

    def write(self, value: Any) -> str:
        imaginary = self._imaginary.write(value.imag).lstrip()
        return self._real.write(value.real) + ("" if imaginary[0] in "+-" else "+") + imaginary + "j"


# ------------------------------------------------------------------------------------------------ lines and brackets


def _nested(array: np.ndarray, indent: int, summarize: bool, style: _Style) -> str:
    if array.ndim == 0:
        return style.write(array.item())
    if array.ndim == 1:
        return _vector(array, indent, summarize, style)
    edge = options.edgeitems
    if summarize and len(array) > 2 * edge:
        rows = [_nested(row, indent + 1, summarize, style) for row in array[:edge]]
        rows.append("...")
        rows += [_nested(row, indent + 1, summarize, style) for row in array[len(array) - edge :]]
    else:
        rows = [_nested(row, indent + 1, summarize, style) for row in array]
    between = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + between.join(rows) + "]"


def _vector(array: np.ndarray, indent: int, summarize: bool, style: _Style) -> str:
    edge = options.edgeitems
    if summarize and not edge:
        words = ["..."]
    elif summarize and len(array) > 2 * edge:
        words = [*map(style.write, array[:edge].tolist()), " ...", *map(style.write, array[-edge:].tolist())]
    else:
        words = [style.write(value) for value in array.tolist()]
    per_line = max(1, math.floor((options.linewidth - indent) / (style.width + 2)))
    lines = [", ".join(words[start : start + per_line]) for start in range(0, len(words), per_line)]
    return "[" + ("," + "\n" + " " * (indent + 1)).join(lines) + "]"


def _corners(array: np.ndarray) -> np.ndarray:
    """The elements that a summary shows."""
    edge = options.edgeitems
    for axis, length in enumerate(array.shape):
        if length > 2 * edge:
            shown = [*range(edge), *range(length - edge, length)]
            array = array.take(shown, axis)
    return array


def with_suffixes(text: str, suffixes: Sequence[str], indent: int) -> str:
    """`text`, the suffixes after commas, on a new line where the line would get too long, and the closing bracket."""
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if length + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            length = indent + len(suffix)
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"
