"""Steps of complex parameters: as PyTorch takes them, on real and imaginary parts side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.ops.complexes import complex_view, real_view
from engine.tensor import Tensor

if TYPE_CHECKING:
    from engine.optim.optimizer import Optimizer


def update(optimizer: Optimizer, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
    """`optimizer.update` of a complex parameter (an array); what `state` keeps for it is complex too."""
    seen: dict[str, Any] = {
        key: Tensor._wrap(real_view(each._array)) if _is_complex(each) else each for key, each in state.items()
    }
    before = dict(seen)
    changes = optimizer.update(real_view(parameter), real_view(gradient), seen, group)
    for key, each in seen.items():
        if key in before and before[key] is each:
            if _is_complex(state[key]):
                for _ in range(seen[key]._count()):
                    state[key]._changed()
        elif isinstance(each, Tensor) and each._array.shape == (*parameter.shape, 2):
            state[key] = Tensor._wrap(complex_view(each._array))
        else:
            state[key] = each
    return changes


def _is_complex(value: Any) -> bool:
    return isinstance(value, Tensor) and value._array.dtype.kind == "c"
