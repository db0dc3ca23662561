"""Attention with several heads: projections of query, key and value, attention in each head, and a projection back."""

from __future__ import annotations

import math

import numpy as np

from engine.ops.activation import softmax
from engine.ops.attention import scaled_dot_product_attention
from engine.ops.dispatch import wrap
from engine.ops.drop import dropout
from engine.ops.joins import cat
from engine.ops.linear import linear
from engine.ops.matmul import bmm
from engine.ops.padding import pad
from engine.tensor import Tensor
from engine.warn import warn


def additive_mask(
    mask: Tensor | None, name: str, like: Tensor, beside: Tensor | None = None, its_name: str = ""
) -> Tensor | None:
    """A bool mask (True: do not look) as numbers to add; others are as they are. The mask `beside` it should be of the
    same dtype."""
    if mask is None:
        return None
    kind = mask._array.dtype
    if kind != np.bool_ and kind.kind != "f":
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if beside is not None and beside.dtype != mask.dtype:
        warn(f"Support for mismatched {name} and {its_name} is deprecated. Use same type for both instead.")
    if kind != np.bool_:
        return mask
    return wrap(np.where(mask._array, -np.inf, 0).astype(like._array.dtype))


def _projected(
    query: Tensor, key: Tensor, value: Tensor, weight: Tensor, bias: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """The three projections whose weights are stacked; what is projected together is one product, as in PyTorch."""
    size = query._array.shape[-1]
    if key is value:
        if query is key:
            whole = linear(query, weight, bias)
            parts = whole.unflatten(-1, (3, size)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
            return parts[0], parts[1], parts[2]
        w_q, w_kv = weight.split([size, size * 2])
        b_q, b_kv = (None, None) if bias is None else bias.split([size, size * 2])
        both = linear(key, w_kv, b_kv)
        parts = both.unflatten(-1, (2, size)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
        return linear(query, w_q, b_q), parts[0], parts[1]
    w_q, w_k, w_v = weight.chunk(3)
    b_q, b_k, b_v = (None, None, None) if bias is None else bias.chunk(3)
    return linear(query, w_q, b_q), linear(key, w_k, b_k), linear(value, w_v, b_v)


def _check(query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None, mask: Tensor | None, heads: int) -> bool:
    """Whether the inputs are batched. Raises AssertionError in PyTorch's words."""
    n = query._array.ndim
    if n not in (2, 3):
        raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {n}-D query tensor")
    kind = "batched (3-D)" if n == 3 else "unbatched (2-D)"
    if key._array.ndim != n or value._array.ndim != n:
        raise AssertionError(
            f"For {kind} `query`, expected `key` and `value` to be {n}-D but found {key.ndim}-D and {value.ndim}-D"
            " tensors respectively"
        )
    if padding is not None and padding._array.ndim != n - 1:
        raise AssertionError(
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {n - 1}-D but found {padding.ndim}-D"
            " tensor instead"
        )
    if mask is not None and mask._array.ndim not in (2, 3):
        raise AssertionError(
            f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {mask.ndim}-D tensor instead"
        )
    if mask is not None and n == 2 and mask._array.ndim == 3:
        expected = (heads, query._array.shape[0], key._array.shape[0])
        if mask._array.shape != expected:
            raise AssertionError(f"Expected `attn_mask` shape to be {expected} but got {mask.shape}")
    return n == 3


def _check_padding(padding: Tensor | None, *sizes: int) -> None:
    for i, wanted in enumerate(sizes if padding is not None else ()):
        given = padding._array.shape[i] if padding is not None else wanted
        if given != wanted:
            raise AssertionError(f"Expected key_padded_mask.shape[{i}] to be {wanted}, but got {given}")


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """query (L, N, E), key (S, N, E), value (S, N, E), or without N: the output (L, N, E) and, with `need_weights`,
    the weights (N, L, S)."""
    batched = _check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        same_key, same_value = key is query, value is key
        query = query.unsqueeze(1)
        key = query if same_key else key.unsqueeze(1)
        value = key if same_value else value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, size = query._array.shape
    source = key._array.shape[0]
    padding = additive_mask(key_padding_mask, "key_padding_mask", query, attn_mask, "attn_mask")
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method"
            " `generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and padding is None and not need_weights:
        mask = None  # the hint says what the mask would
    else:
        mask = additive_mask(attn_mask, "attn_mask", query)
        if padding is not None:
            is_causal = False
    if size != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {size}")
    _check_padding(padding, batch, source)
    width = size // num_heads
    if width * num_heads != size:
        raise AssertionError(f"embed_dim {size} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        assert q_proj_weight is not None
        assert k_proj_weight is not None
        assert v_proj_weight is not None
        b_q, b_k, b_v = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        q, k, v = linear(query, q_proj_weight, b_q), linear(key, k_proj_weight, b_k), linear(value, v_proj_weight, b_v)
    else:
        if key._array.shape != value._array.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        assert in_proj_weight is not None
        q, k, v = _projected(query, key, value, in_proj_weight, in_proj_bias)
    if mask is not None:
        mask = _fitted(mask, length, source, batch * num_heads)
    if bias_k is not None and bias_v is not None:
        k, v = cat([k, bias_k.repeat(1, batch, 1)]), cat([v, bias_v.repeat(1, batch, 1)])
        mask, padding = _one_more(mask), _one_more(padding)
    q = q.reshape(length, batch * num_heads, width).transpose(0, 1)
    k = k.reshape(k._array.shape[0], batch * num_heads, width).transpose(0, 1) if static_k is None else static_k
    v = v.reshape(v._array.shape[0], batch * num_heads, width).transpose(0, 1) if static_v is None else static_v
    if add_zero_attn:
        nothing = wrap(np.zeros((batch * num_heads, 1, width), k._array.dtype))
        k, v = cat([k, nothing], 1), cat([v, nothing], 1)
        mask, padding = _one_more(mask), _one_more(padding)
    source = k._array.shape[1]
    if padding is not None:
        wide = padding.reshape(batch, 1, 1, source).expand(-1, num_heads, -1, -1)
        wide = wide.reshape(batch * num_heads, 1, source)
        mask = wide if mask is None else mask + wide
    shape = (batch, num_heads, length)
    out, weights = _attended(q, k, v, mask, dropout_p if training else 0.0, shape, need_weights, is_causal)
    out = linear(out, out_proj_weight, out_proj_bias).reshape(length, batch, out_proj_weight._array.shape[0])
    if weights is not None and average_attn_weights:
        weights = weights.mean(1)
    if batched:
        return out, weights
    return out.squeeze(1), weights.squeeze(0) if weights is not None else None


def _attended(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    dropout_p: float,
    shape: tuple[int, int, int],
    need_weights: bool,
    is_causal: bool,
) -> tuple[Tensor, Tensor | None]:
    """What each head found, side by side in one matrix, and the weights (N, heads, L, S) if they are needed."""
    batch, heads, length = shape
    width, source = q._array.shape[2], k._array.shape[1]
    if need_weights:
        scores = bmm(q * math.sqrt(1.0 / width), k.transpose(-2, -1))
        weights = softmax(scores if mask is None else mask + scores, -1)
        if dropout_p > 0.0:
            weights = dropout(weights, dropout_p)
        out = bmm(weights, v).transpose(0, 1).contiguous().reshape(length * batch, heads * width)
        return out, weights.reshape(batch, heads, length, source)
    if mask is not None:
        rows = mask._array.shape[1]
        mask = mask.unsqueeze(0) if mask._array.shape[0] == 1 else mask.reshape(batch, heads, rows, source)
    parts = [t.reshape(batch, heads, t._array.shape[1], width) for t in (q, k, v)]
    found = scaled_dot_product_attention(parts[0], parts[1], parts[2], mask, dropout_p, is_causal)
    return found.permute(2, 0, 1, 3).contiguous().reshape(batch * length, heads * width), None


def _fitted(mask: Tensor, length: int, source: int, heads: int) -> Tensor:
    shape = mask._array.shape
    if mask._array.ndim == 2:
        if shape != (length, source):
            raise RuntimeError(f"The shape of the 2D attn_mask is {mask.shape}, but should be {(length, source)}.")
        return mask.unsqueeze(0)
    if shape != (heads, length, source):
        raise RuntimeError(f"The shape of the 3D attn_mask is {mask.shape}, but should be {(heads, length, source)}.")
    return mask


def _one_more(mask: Tensor | None) -> Tensor | None:
    """A mask for one more key, which may be looked at."""
    return None if mask is None else pad(mask, (0, 1))
