"""Autocast on the CPU: products of matrices and convolutions in a lower precision, losses in float32.

The operations that have a list here ask for `kind`; all others keep the dtypes that they are given.
"""

from __future__ import annotations

from typing import Any

from engine import dtypes, environment
from engine.autograd import grad_mode
from engine.tensor import Tensor

kind: dtypes.dtype | None = None
"""What products are made in; None where autocast is off."""

FLOAT32 = frozenset(
    [
        "adaptive_avg_pool3d",
        "avg_pool3d",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
        "cdist",
        "cholesky",
        "cholesky_inverse",
        "cholesky_solve",
        "cosine_embedding_loss",
        "cross_entropy",
        "ctc_loss",
        "grid_sample",
        "hinge_embedding_loss",
        "huber_loss",
        "inverse",
        "kl_div",
        "l1_loss",
        "lu_solve",
        "margin_ranking_loss",
        "max_pool3d",
        "max_unpool2d",
        "max_unpool3d",
        "mse_loss",
        "multi_margin_loss",
        "multilabel_margin_loss",
        "nanquantile",
        "nll_loss",
        "pinverse",
        "poisson_nll_loss",
        "prod",
        "quantile",
        "smooth_l1_loss",
        "soft_margin_loss",
        "trace",
        "triplet_margin_loss",
    ]
)
"""What is made in float32."""

_cast: dict[int, tuple[Tensor, Tensor]] = {}  # parameters, by id(): each is cast once until autocast ends
_caching, _cleared = True, 0


def _listen() -> None:
    """What scripts have told of it has changed."""
    global kind, _caching, _cleared
    told = environment.told
    kind = told["autocast dtypes"]["cpu"] if told["autocast"].get("cpu") else None
    _caching = told["autocast cache"]
    cleared = told["autocast cache cleared"]
    if not told["autocast nesting"] or cleared != _cleared:
        _cast.clear()
    _cleared = cleared


environment.listeners.append(_listen)


def lowered(*operands: Any) -> tuple[Any, ...]:
    """Operands of a product in `kind`: floats but float64. What is no tensor stays as it is."""
    return tuple(_lowered(each) if isinstance(each, Tensor) else each for each in operands)


def raised(*operands: Any) -> tuple[Any, ...]:
    """Operands of a loss in float32."""
    return tuple(
        each.to(dtypes.float32)
        if isinstance(each, Tensor) and each.dtype in (dtypes.float16, dtypes.bfloat16)
        else each
        for each in operands
    )


def _lowered(t: Tensor) -> Tensor:
    own = t.dtype
    if kind is None or own is kind or not own.is_floating_point or own is dtypes.float64:
        return t
    kept = _caching and own is dtypes.float32 and t._needs and t._node is None and t._base is None
    if not kept or not grad_mode.enabled:
        return t.to(kind)
    known = _cast.get(id(t))
    if known is None or known[0] is not t:
        known = _cast[id(t)] = t, t.to(kind)
    return known[1]
