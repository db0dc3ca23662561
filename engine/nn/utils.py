"""torch.nn.utils: gradients clipped, parameters as one vector."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.autograd import grad_mode
from engine.brief import Lowered, computing, wide, write
from engine.nn import packed as rnn
from engine.nn.reparametrized import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm
from engine.ops import guard, joins, reduce, shape
from engine.rooms import opened
from engine.tensor import Tensor
from engine.warn import warn


def _listed(parameters: Any) -> list[Tensor]:
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


_norm = guard.function("norm", reduce.norm)
_stack = guard.function("stack", joins.stack)


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """The norm of all tensors as if they were one vector: the norm of their norms."""
    listed = _listed(tensors)
    if not listed:
        return Tensor._wrap(np.zeros((), np.float32))
    order = float(norm_type)
    total = _norm(_stack([_norm(t, order) for t in listed]), order)
    if error_if_nonfinite and not np.isfinite(total._array):
        raise RuntimeError(
            f"The total norm of order {order} for gradients from `parameters` is non-finite, so it cannot be clipped."
            " To disable this error and scale the gradients by the non-finite norm anyway, set"
            " `error_if_nonfinite=False`"
        )
    return total


def clip_grads_with_norm_(parameters: Any, max_norm: float, total_norm: Tensor, foreach: bool | None = None) -> None:
    """Scale every `.grad` by max_norm / (total_norm + 1e-6), where that is below 1."""
    with computing():
        factor = np.minimum(float(max_norm) / (total_norm._array + total_norm._array.dtype.type(1e-6)), 1)
    for p in _listed(parameters):
        if p._grad is not None:
            try:
                p._grad._array *= factor.astype(p._grad._array.dtype)
            except Lowered:
                write(p._grad._array, wide(p._grad._array) * wide(factor))
            p._grad._changed()


def clip_grad_norm(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """clip_grad_norm_ by its older name."""
    warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.", FutureWarning
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_norm_(
    parameters: Any,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale the gradients of `parameters` (a tensor or an iterable of them) in place so that their norm, as one
    vector, is at most `max_norm`. Returns the norm before."""
    if not isinstance(parameters, (Tensor, list, tuple)):
        parameters = list(parameters)
        if not parameters:
            warn(
                "`parameters` is an empty generator, no gradient clipping will occur.",
            )
    listed, norm_type = _listed(parameters), float(norm_type)
    if any(p._grad is not None and p._grad.is_sparse for p in listed):
        raise NotImplementedError(
            "Could not run 'aten::linalg_vector_norm' with arguments from the 'SparseCPU' backend."
        )
    with grad_mode.no_grad():
        total = get_total_norm([p._grad for p in listed if p._grad is not None], norm_type, error_if_nonfinite)
        clip_grads_with_norm_(listed, max_norm, total)
    return total


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Limit every element of the gradients to [-clip_value, clip_value], in place."""
    bound = float(clip_value)
    given = _listed(parameters)
    if not any(p._grad is not None for p in given):
        raise RuntimeError(
            "Expected !nested_tensorlist[0].empty() to be true, but got false.  (Could this error message be improved? "
            " If so, please report an enhancement request to PyTorch.)"
        )
    for p in given:
        if p._grad is not None:
            try:
                np.clip(p._grad._array, -bound, bound, out=p._grad._array)
            except Lowered:
                write(p._grad._array, np.clip(wide(p._grad._array), -bound, bound))
            p._grad._changed()


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """All parameters, flattened, as one vector that takes part in the graph."""
    return joins.cat([shape.reshape(p, -1) for p in parameters if p.device])  # what has no device is told of


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """The slices of `vec` become the parameters' data."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {_type_name(vec)}")
    at = 0
    for p in parameters:
        n = p._array.size
        p.data = shape.view(vec[at : at + n], *p._array.shape).data
        at += n


def _type_name(value: Any) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


__all__ = [
    "clip_grad_norm",
    "clip_grad_norm_",
    "clip_grad_value_",
    "clip_grads_with_norm_",
    "get_total_norm",
    "parameters_to_vector",
    "remove_spectral_norm",
    "remove_weight_norm",
    "rnn",
    "spectral_norm",
    "vector_to_parameters",
    "weight_norm",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = opened(globals(), "torch.nn.utils", {})
