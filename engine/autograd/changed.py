"""What PyTorch says of a saved tensor that was changed before the backward pass could use it."""

from __future__ import annotations

from engine.autograd import anomaly
from engine.tensor import Tensor

_HINT_AFTER_ANOMALY = (
    " Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in"
    " question was changed in there or anywhere later. Good luck!"
)
_HINT = (
    " Hint: enable anomaly detection to find the operation that failed to compute its gradient, with"
    " torch.autograd.set_detect_anomaly(True, check_nan=False)."
)


def changed_message(tensor: Tensor, made_by: str | None, number: int, now: int, then: int) -> str:
    """The words for `tensor`, which output `number` of the operation `made_by` is: its version is `now` another."""
    kind = "CPUBoolType" if tensor._array.dtype.kind == "b" else tensor.type()
    what = f"[{kind} {list(tensor.shape)}]"
    if made_by is not None:
        what += f", which is output {number} of {made_by},"
    return (
        f"one of the variables needed for gradient computation has been modified by an inplace operation: {what}"
        f" is at version {now}; expected version {then} instead.{_HINT_AFTER_ANOMALY if anomaly.enabled else _HINT}"
    )
