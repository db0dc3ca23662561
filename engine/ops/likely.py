"""What torch.distributions asks again and again of plain tensors, answered in one call: whether values can be, and the
steps of a categorical distribution. Only the files of engine/library have it, as `import _likely`; what they give it
may still be whatever a script made.

Each function gives None (or False) for what it does not look at, tensors of other classes and dtypes among them: the
library's own statements (engine/library/torch/distributions) say then what is to be said, and are right for
everything. What is recorded is the same either way. None makes more elements than it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dtypes import Size
from engine.ops.sampling import multinomial
from engine.tensor import Parameter, Tensor

KINDS = (Tensor, Parameter)
DTYPES = (np.float32, np.float64, np.int64)

INSIDE: dict[str, Callable[[Any], Any]] = {
    "real": lambda a: a == a,
    "positive": lambda a: a > 0,
    "nonnegative": lambda a: a >= 0,
    "share": lambda a: (a >= 0) & (a <= 1),
    "boolean": lambda a: (a == 0) | (a == 1),
    "count": lambda a: (a >= 0) & (a % 1 == 0),
}
"""Which of the numbers of an array are of a kind."""


def _plain(value: Any) -> bool:
    return type(value) in KINDS and type(value._array) is np.ndarray and value._array.dtype.type in DTYPES


def within(value: Any, kind: Any, *sizes: Any) -> bool:
    """Whether all of `value` is known to be of a kind of INSIDE, and in a shape that a distribution of these sizes, of
    the batch and of an event, draws (given none: in any)."""
    if type(kind) is not str or kind not in INSIDE or not _plain(value):
        return False
    a = value._array
    return (not sizes or _drawn_in(a.shape, *sizes)) and bool(INSIDE[kind](a).all())


def _drawn_in(shape: tuple[int, ...], batch: Any, event: Any) -> bool:
    """Whether `shape` is that of one draw for each of the batch, or of a number where draws are numbers."""
    if not (type(batch) is type(event) is Size):
        return False
    return shape == batch + event or not (shape or event)


def together(values: Any) -> Any:
    """torch.broadcast_tensors(*values), where all are tensors of one shape already: themselves."""
    if type(values) is not tuple or not values or any(type(each) not in KINDS for each in values):
        return None
    shape = values[0]._array.shape
    return values if all(each._array.shape == shape for each in values) else None


def shares(probs: Any, logits: Any) -> tuple[Tensor, Size, int, bool] | None:
    """What Categorical(probs) or Categorical(logits=...) holds: the shares (or their logarithms), the sizes of the
    batch, how many there are, and whether the shares can be."""
    value = logits if probs is None else probs
    if (probs is None) is (logits is None) or not _plain(value):
        return None
    a = value._array
    if not a.ndim or a.dtype.kind != "f":
        return None
    made: Tensor
    if probs is None:
        made = value - value.logsumexp(dim=-1, keepdim=True)
        fine = made._array == made._array
    else:
        made = value / value.sum(-1, keepdim=True)
        fine = (made._array >= 0) & np.isfinite(made._array)
    return made, Size(a.shape[:-1]), a.shape[-1], bool(fine.all())


def drawn(probs: Any) -> Tensor | None:
    """One number for each row of shares."""
    if not _plain(probs) or not probs._array.ndim:
        return None
    shape = probs._array.shape
    found: Tensor = multinomial(probs.detach().reshape(-1, shape[-1]), 1, True).T.reshape(shape[:-1])
    return found


def numbers(value: Any, count: Any, batch: Any) -> bool:
    """Whether `value` is known to hold numbers from 0 to below `count`, one for each of a batch of these sizes."""
    if not (_plain(value) and type(count) is int and type(batch) is Size):
        return False
    a = value._array
    return a.dtype == np.int64 and a.shape == batch and bool(((a >= 0) & (a < count)).all())


def share_of(value: Any, logits: Any) -> Tensor | None:
    """The logarithms of the shares of the numbers in `value`, one for each row: what `numbers()` has looked at."""
    if not (_plain(value) and _plain(logits) and logits._array.ndim) or value._array.shape != logits._array.shape[:-1]:
        return None
    found: Tensor = logits.gather(-1, value.unsqueeze(-1)).squeeze(-1)
    return found


FUNCTIONS = [within, together, shares, drawn, numbers, share_of]
