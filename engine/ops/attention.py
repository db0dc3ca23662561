"""Products of three: scaled dot-product attention, and bilinear forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.autograd.graph import Node
from engine.brief import Lowered
from engine.ops import casting, either, flash
from engine.ops.activation import SoftmaxBackward0, softmax_array
from engine.ops.dispatch import wrap
from engine.ops.drop import dropout
from engine.ops.maps import derived_once, recorded
from engine.ops.widened import again
from engine.tensor import Tensor


class SafeSoftmaxBackward0(SoftmaxBackward0):
    """softmax whose row is zeros where nothing is above -inf."""


def _safe_softmax_array(x: Any) -> Any:
    nowhere = (x == -np.inf).all(-1, keepdims=True)
    return np.where(nowhere, x.dtype.type(0), softmax_array(x, -1))


def _safe_softmax(x: Any) -> Any:
    if not isinstance(x, Tensor):
        return _safe_softmax_array(x)
    return recorded(SafeSoftmaxBackward0, _safe_softmax_array(x._array), (x,))


@derived_once(
    RuntimeError("derivative for aten::_scaled_dot_product_flash_attention_for_cpu_backward is not implemented")
)
class ScaledDotProductFlashAttentionForCpuBackward0(Node):
    """With p = softmax(s q k^T + mask): dv = p^T g; the gradient of the scores is p (g v^T - sum of its rows times p),
    from which dq and dk follow as for a product."""

    operation = "scaled_dot_product_attention"
    scale = 1.0
    bias: Any = None
    given: Any = None  # the array that came of it
    exponents: Any = None  # the logarithms of p, as an array
    logarithms: Any = None  # of the sums of exponentials, where all is worked out in PyTorch's order
    causal = False

    def backward(self, g: Any, q: Any, k: Any, v: Any) -> Any:
        if g.__class__ is np.ndarray and self.logarithms is not None:
            flat = (-1, *g.shape[-2:])
            heads = flash.Heads(q, k, v, self.scale, None if self.causal else self.bias, self.causal)
            found = flash.backward(heads, g.reshape(flat), self.given.reshape(flat), self.logarithms)
            return tuple(each.reshape(x.shape) for each, x in zip(found, (q, k, v), strict=True))
        if g.__class__ is np.ndarray:  # the same sums
            p = np.exp(self.exponents)
            slope = (
                (np.matmul(g, either.transpose(v)) - np.add.accumulate(g * self.given, -1)[..., -1:]) * p * self.scale
            )
            return np.matmul(slope, k), np.matmul(either.transpose(slope), q), np.matmul(either.transpose(p), g)
        scores = either.matmul(q * self.scale, either.transpose(k))
        if self.bias is not None:
            scores = scores + either.constant(self.bias, scores)
        p = _safe_softmax(scores)
        towards = either.matmul(g, either.transpose(v)) * p
        slope = (towards - p * either.total(towards, -1, True)) * self.scale
        return either.matmul(slope, k), either.matmul(either.transpose(slope), q), either.matmul(either.transpose(p), g)


def _check_operands(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> None:
    """Raises RuntimeError where dtypes or numbers of dimensions do not fit."""
    if not query._array.dtype == key._array.dtype == value._array.dtype:
        q, k, v = (dtypes.c_name(each.dtype) for each in (query, key, value))
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {q} key.dtype: {k} and"
            f" value.dtype: {v} instead."
        )
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise RuntimeError(
            f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query.ndim}"
            f" key.dim: {key.ndim} and value.dim: {value.ndim} instead."
        )
    if mask is not None and mask._array.dtype not in (np.bool_, np.float32, query._array.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype:"
            f" {dtypes.c_name(mask.dtype)} and  query.dtype: {dtypes.c_name(query.dtype)} instead."
        )


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(query key^T / sqrt(E) + mask) value: query (..., L, E), key (..., S, E), value (..., S, Ev). A bool mask
    says where to look; a float one is added. A row that may look nowhere gives zeros."""
    try:
        if casting.kind is not None:
            query, key, value, attn_mask = casting.lowered(query, key, value, attn_mask)
        if is_causal and attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            )
        _check_operands(query, key, value, attn_mask)
        if enable_gqa:
            key = _repeated(key, query._array.shape[-3] // key._array.shape[-3])
            value = _repeated(value, query._array.shape[-3] // value._array.shape[-3])
        factor = 1 / math.sqrt(query._array.shape[-1]) if scale is None else scale
        length, size = query._array.shape[-2], key._array.shape[-2]
        mask = wrap(np.tril(np.ones((length, size), bool))) if is_causal else attn_mask
        if _fused(query, key, value, mask, dropout_p):
            return _flash(query, key, value, mask, factor, is_causal)
        root = math.sqrt(factor) if factor > 0 else 1.0
        scores = (query * root) @ (key.transpose(-2, -1) * (root if factor > 0 else factor))
        if mask is not None:
            scores = scores + _added(mask, scores)
        weights = _safe_softmax(scores)
        if not 0 <= dropout_p <= 1:
            raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {dropout_p:g}")
        if dropout_p > 0.0:
            weights = dropout(weights, dropout_p)
        return weights @ value
    except Lowered:
        return again(
            "attention",
            scaled_dot_product_attention,
            (query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa),
            {},
        )


def _added(mask: Tensor, like: Tensor) -> Tensor:
    """A bool mask as the numbers to add: 0 or minus infinity."""
    if mask._array.dtype != np.bool_:
        return mask
    return wrap(np.where(mask._array, 0, -np.inf).astype(like._array.dtype))


def _repeated(x: Tensor, times: int) -> Tensor:
    """Each head `times` times, side by side."""
    *lead, heads, length, size = x._array.shape
    wide = x.unsqueeze(-3).expand(*lead, heads, times, length, size)
    return wide.reshape(*lead, heads * times, length, size)


def _fused(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout_p: float) -> bool:
    """Where PyTorch takes its one fused operation on the CPU."""
    shapes = [t._array.shape for t in (query, key, value)]
    return (
        all(len(s) == 4 for s in shapes)
        and dropout_p == 0.0
        and (mask is None or not mask._needs)
        and shapes[0][-1] == shapes[1][-1] == shapes[2][-1]
        and shapes[0][:2] == shapes[1][:2] == shapes[2][:2]
        and all(0 not in s for s in shapes)
        and query._array.dtype == key._array.dtype == value._array.dtype
    )


def _flash(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, factor: float, causal: bool) -> Tensor:
    q, k, v = query._array, key._array, value._array
    if flash.suits(q, k):
        bias = None if mask is None else _added(mask, query)._array
        found = flash.forward(flash.Heads(q, k, v, factor, None if causal else bias, causal))
        if found is not None:
            made = found[0].reshape(*q.shape[:-1], v.shape[-1])
            return recorded(
                ScaledDotProductFlashAttentionForCpuBackward0,
                made,
                (query, key, value),
                (query, key, value),
                scale=factor,
                bias=bias,
                given=made,
                logarithms=found[1],
                causal=causal,
            )
    scores = np.matmul(q, np.swapaxes(k, -1, -2))
    scores *= q.dtype.type(factor)
    bias = None
    if mask is not None:
        bias = _added(mask, query)._array
        scores += bias
    largest = scores.max(-1, keepdims=True)
    largest[largest == -np.inf] = 0  # nowhere to look
    weights = np.exp(scores - largest)
    total = weights.sum(-1, keepdims=True)
    total[total == 0] = 1
    result = np.matmul(weights, v) * (1 / total)
    return recorded(
        ScaledDotProductFlashAttentionForCpuBackward0,
        result,
        (query, key, value),
        (query, key, value),
        scale=factor,
        bias=bias,
        given=result,
        exponents=scores - (largest + np.log(total)),
    )


class TrilinearBackward0(Node):
    """y[n, o] = sum of x1[n, i] W[o, i, j] x2[n, j]: each factor's gradient is the sum over the other two."""

    operation = "bilinear"

    def backward(self, g: Any, x1: Any, w: Any, x2: Any) -> Any:
        outputs, first, second = w.shape
        g = either.reshape(g, (g.shape[0], outputs, 1))
        with_second = either.matmul(x2, either.transpose(either.reshape(w, (outputs * first, second))))
        turned = either.reshape(either.permute(w, (0, 2, 1)), (outputs * second, first))
        with_first = either.matmul(x1, either.transpose(turned))
        n = x1.shape[0]
        d1 = either.total(g * either.reshape(with_second, (n, outputs, first)), 1)
        d2 = either.total(g * either.reshape(with_first, (n, outputs, second)), 1)
        both = either.reshape(g * either.reshape(x1, (n, 1, first)), (n, outputs * first))
        return d1, either.reshape(either.matmul(either.transpose(both), x2), w.shape), d2


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x1^T W x2 + b for each output: (..., I), (..., J), weight (O, I, J) -> (..., O)."""
    a, b, w = input1._array, input2._array, weight._array
    given = {"input1": input1, "input2": input2, "weight": weight, **({} if bias is None else {"bias": bias})}
    if any(each._array.dtype is not a.dtype for each in given.values()):
        told = ", ".join(f"{name}: {dtypes.c_name(each.dtype)}" for name, each in given.items())
        raise RuntimeError(f"All tensors must have the same dtype, got {told}")
    if a.ndim != b.ndim:
        raise RuntimeError(f"bilinear(): input dimensions do not match: got {a.ndim} and {b.ndim}")
    for i, (p, q) in enumerate(zip(a.shape[:-1], b.shape[:-1], strict=True)):
        if p != q:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {i}: got {p} and {q}")
    for number, array in ((1, a), (2, b)):
        if array.shape[-1] != w.shape[number]:
            raise RuntimeError(
                f"bilinear(): input{number} size does not match weight size: got {array.shape[-1]} but expected"
                f" {w.shape[number]}"
            )
    if bias is not None and bias._array.shape[0] != w.shape[0]:
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias._array.shape[0]} but expected {w.shape[0]}"
        )
    x1 = input1.reshape(-1, a.shape[-1]) if a.size else input1.reshape(int(np.prod(a.shape[:-1])), a.shape[-1])
    x2 = input2.reshape(-1, b.shape[-1]) if b.size else input2.reshape(int(np.prod(b.shape[:-1])), b.shape[-1])
    n, outputs = x1._array.shape[0], w.shape[0]
    middle = np.dot(x2._array, w.reshape(-1, w.shape[2]).T).reshape(n, outputs, w.shape[1])
    value = np.matmul(middle, x1._array[:, :, None])[:, :, 0]
    out = recorded(TrilinearBackward0, value, (x1, weight, x2), (x1, weight, x2))
    out = out.reshape(*a.shape[:-1], outputs)
    return out if bias is None else out + bias
