r"""How a gradient passes operations that mix entries or move them about, as a person writes it.

G is the gradient that arrives, @x the operand in question, @y the result, @0, @1 ... the operands by number. A rule
is one template for every operand, or a list with one for each.
"""

from __future__ import annotations

import re

_SAME = r"G \text{ in the shape of } @x"
_PUT_BACK = r"G \text{ at the entries that were taken, } 0 \text{ elsewhere}"
_CHOSEN = r"G \text{ at the entries that were chosen, } 0 \text{ elsewhere}"
_NOT_PUT = r"G \text{ with } 0 \text{ where entries were put}"
_SLICE = r"\text{the part of } G \text{ that came from } @x"
_MOVED_BACK = r"G \text{ with every entry moved back}"
_COPIES = r"\sum_{\text{copies}} G"
_ADDED_BACK = r"\text{each entry or row of } G \text{ added where it came from}"
_NORMALISED = r"\tfrac{1}{s} (D - \overline{D} - \hat{x} \odot \overline{D \odot \hat{x}}), \; D = G \odot @1"
_NORMALISED_PLAIN = r"\tfrac{1}{s} (G - \overline{G} - \hat{x} \odot \overline{G \odot \hat{x}})"
_SOFTMAX = r"@y \odot (G - \textstyle\sum G \odot @y)"

WHOLE: dict[str, str | list[str]] = {
    # the same numbers elsewhere
    **dict.fromkeys(("view", "reshape", "squeeze", "unsqueeze", "flatten", "unflatten", "alias", "to"), _SAME),
    **dict.fromkeys(("_unsafe_view", "unsafe_view", "view_as", "copy", "copy_slices", "real"), _SAME),
    "expand": r"\sum_{\text{copies}} G",
    "repeat": _COPIES,
    "repeat_interleave": _COPIES,
    "permute": r"G \text{ with its dimensions in the old order}",
    "transpose": r"G^{\top}",
    "t": r"G^{\top}",
    "swapaxes": r"G^{\top}",
    **dict.fromkeys(("flip", "roll", "rot90", "pixel_shuffle", "pixel_unshuffle", "channel_shuffle"), _MOVED_BACK),
    **dict.fromkeys(("cat", "stack", "hstack", "vstack"), _SLICE),
    **dict.fromkeys(("slice", "select", "split", "chunk", "unbind", "index", "diagonal", "masked_select"), _PUT_BACK),
    **dict.fromkeys(("take", "as_strided", "narrow", "tril", "triu", "pad_packed_sequence"), _PUT_BACK),
    **dict.fromkeys(("gather", "index_select", "embedding", "pack_padded_sequence"), _ADDED_BACK),
    **dict.fromkeys(("unfold", "fold", "interpolate", "grid_sample"), _ADDED_BACK),
    "pad": r"G \text{ without what was padded}",
    "where": [r"G \odot [\text{condition}]", r"G \odot [\text{not the condition}]"],
    "rsub": "-G",
    "index_put": [r"G \text{ with } 0 \text{ where entries were put}", r"G \text{ at those entries}"],
    "index_copy": [r"G \text{ with } 0 \text{ where entries were put}", r"G \text{ at those entries}"],
    "scatter": [r"G \text{ with } 0 \text{ where entries were put}", r"G \text{ at those entries}"],
    "scatter_add": ["G", r"G \text{ at the entries that were added to}"],
    "index_add": ["G", r"G \text{ at the entries that were added to}"],
    "prelu": [r"G \odot ([@0 > 0] + @1 \, [@0 \le 0])", r"\textstyle\sum G \odot @0 \, [@0 \le 0]"],
    "masked_fill": [r"G \odot [\text{not masked}]", r"\sum G \odot [\text{masked}]"],
    "diagonal_scatter": [r"G \text{ with } 0 \text{ on the diagonal}", r"G \text{ on the diagonal}"],
    **{name: [_NOT_PUT, r"G \text{ where they were put}"] for name in ("index_fill", "masked_scatter", "put")},
    "fill": ["0", r"\textstyle\sum G"],
    "max_unpool2d": r"G \text{ at the places that were filled}",
    "max_unpool3d": r"G \text{ at the places that were filled}",
    **dict.fromkeys(("unique", "unique_consecutive", "scatter_reduce", "index_reduce"), _CHOSEN),
    # sums and choices
    "sum": r"G \text{ for every entry}",
    "cumsum": r"\text{the sums of } G \text{ from the end}",
    "prod": r"G \cdot \frac{@y}{@x}",
    "cumprod": r"\text{the sums of } G \odot @y \text{ from the end} \, / \, @x",
    "norm": r"G \cdot \frac{@x}{\lVert @x \rVert}",
    "var": r"G \cdot \tfrac{2}{n - 1} (@x - \overline{x})",
    "std": r"G \cdot \frac{@x - \overline{x}}{(n - 1) \, @y}",
    "trace": r"G \cdot I",
    "logsumexp": r"G \cdot e^{@x - @y}",
    "logcumsumexp": r"\text{sums of } G \odot e^{-@y} \text{ from the end} \odot e^{@x}",
    **dict.fromkeys(("max", "min", "amax", "amin", "median", "nanmedian", "mode", "kthvalue", "topk"), _CHOSEN),
    **dict.fromkeys(("sort", "msort", "cummax", "cummin"), _ADDED_BACK),
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin"), r"G \odot [@x \text{ was chosen}]"),
    "lerp": [r"G \odot (1 - @2)", r"G \odot @2", r"\sum G \odot (@1 - @0)"],
    "addcmul": ["G", r"G \odot @2", r"G \odot @1"],
    "addcdiv": ["G", r"G / @2", r"-G \odot @1 / @2^2"],
    "atan2": [r"G \odot \frac{@1}{@0^2 + @1^2}", r"-G \odot \frac{@0}{@0^2 + @1^2}"],
    "hypot": r"G \odot @x / @y",
    "logaddexp": r"G \odot e^{@x - @y}",
    "logaddexp2": r"G \odot 2^{@x - @y}",
    "add_scaled": ["G", r"\alpha \, G"],
    "sub_scaled": ["G", r"-\alpha \, G"],
    "copysign": [r"G \odot @y / @0", "0"],
    "fmod": ["G", r"-G \odot \operatorname{trunc}(@0 / @1)"],
    "ldexp": [r"G \cdot 2^{@1}", r"G \odot @y \ln 2"],
    "nextafter": ["G", "0"],
    "dist": [r"G \cdot (@0 - @1) / @y", r"G \cdot (@1 - @0) / @y"],
    "cdist": [r"\textstyle\sum_j G_{ij} (@0_i - @1_j) / @y_{ij}", r"\textstyle\sum_i G_{ij} (@1_j - @0_i) / @y_{ij}"],
    "igamma": ["", r"G \odot \frac{@1^{@0 - 1} e^{-@1}}{\Gamma(@0)}"],
    "igammac": ["", r"-G \odot \frac{@1^{@0 - 1} e^{-@1}}{\Gamma(@0)}"],
    "special_xlog1py": [r"G \odot \ln(1 + @1)", r"G \odot @0 / (1 + @1)"],
    "special_zeta": ["", r"-@0 \, G \odot \zeta(@0 + 1, @1)"],
    "xlogy": [r"G \odot \ln @1", r"G \odot @0 / @1"],
    "remainder": ["G", r"-G \odot \lfloor @0 / @1 \rfloor"],
    # probabilities, normalisation, attention
    "softmax": _SOFTMAX,
    "log_softmax": r"G - e^{@y} \textstyle\sum G",
    "layer_norm": [_NORMALISED, r"\textstyle\sum G \odot \hat{x}", r"\textstyle\sum G"],
    "group_norm": [_NORMALISED, r"\textstyle\sum G \odot \hat{x}", r"\textstyle\sum G"],
    "batch_norm": [_NORMALISED, r"\textstyle\sum G \odot \hat{x}", r"\textstyle\sum G"],
    "rms_norm": [
        r"\tfrac{1}{s} (D - \hat{x} \odot \overline{D \odot \hat{x}}), \; D = G \odot @1",
        r"\sum G \odot \hat{x}",
    ],
    "scaled_dot_product_attention": [
        r"\tfrac{1}{\sqrt{d}} \, S \, K, \; S = A \odot (G V^{\top} - \textstyle\sum A \odot G V^{\top})",
        r"\tfrac{1}{\sqrt{d}} \, S^{\top} Q, \; S = A \odot (G V^{\top} - \textstyle\sum A \odot G V^{\top})",
        r"A^{\top} G, \; A = \operatorname{softmax}(Q K^{\top} / \sqrt{d})",
    ],
    "glu": r"(G \odot \sigma(b), \; G \odot a \odot \sigma'(b))",
    # windows
    "convolution": [r"G \ast @1 \text{ turned round}", r"@0 \ast G", r"\textstyle\sum G \text{ over places}"],
    **dict.fromkeys(
        ("max_pool1d", "max_pool2d", "max_pool3d"), r"G \text{ at the largest of each window}, \; 0 \text{ elsewhere}"
    ),
    **dict.fromkeys(
        ("adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d"),
        r"G \text{ at the largest of each window}",
    ),
    **dict.fromkeys(
        ("avg_pool1d", "avg_pool2d", "avg_pool3d"), r"G / \text{size of the window, for every entry in it}"
    ),
    **dict.fromkeys(
        ("adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d"),
        r"G / \text{size of the window, for every entry in it}",
    ),
    # products of matrices
    "bmm": [r"G \, @1^{\top}", r"@0^{\top} G"],
    "mv": [r"G \, @1^{\top}", r"@0^{\top} G"],
    "dot": [r"G \cdot @1", r"G \cdot @0"],
    "addmv": ["G", r"G \, @2^{\top}", r"@1^{\top} G"],
    "addr": ["G", r"G \, @2", r"G^{\top} @1"],
    "baddbmm": ["G", r"G \, @2^{\top}", r"@1^{\top} G"],
    "addbmm": [r"G", r"G \, @2^{\top}", r"@1^{\top} G"],
    "bilinear": [
        r"\textstyle\sum_k G_k \, @1^{\top} W_k^{\top}",
        r"\textstyle\sum_k G_k \, @0 \, W_k",
        r"G_k \, @0^{\top} @1",
        r"\sum_{\text{rows}} G",
    ],
    "cross": [r"@1 \times G", r"G \times @0"],
    "solve": [r"-(@x^{-\top} G) \, @y^{\top}", r"@0^{-\top} G"],
    "solve_triangular": [r"-(@x^{-\top} G) \, @y^{\top} \text{ on the triangle}", r"@0^{-\top} G"],
    "slogdet": r"G \cdot @x^{-\top}",
    "cholesky": r"\tfrac{1}{2} (S + S^{\top}), \; S = @y^{-\top} \Phi(@y^{\top} G) \, @y^{-1}",
    "cholesky_inverse": r"-@y \, (G + G^{\top}) \, @y \, @x",
    "cholesky_solve": [r"(@1 @1^{\top})^{-1} G", r"-(M + M^{\top}) \, @1, \; M = (@1 @1^{\top})^{-1} G \, @y^{\top}"],
    "eigh": r"V (\operatorname{diag}(G_{\lambda}) + \tfrac{V^{\top} G_V}{\lambda_j - \lambda_i}) V^{\top}",
    "svd": r"U \operatorname{diag}(G_S) \, V^{\top} \text{ for the singular values}",
    "qr": r"(G_Q + Q \operatorname{copyltu}(R G_R^{\top} - G_Q^{\top} Q)) R^{-\top}",
    "pinv": r"-@y^{\top} G \, @y^{\top} + \text{what is outside of the ranges}",
    "lstsq": r"\text{as for } (@0^{\top} @0)^{-1} @0^{\top} @1",
    "matrix_exp": r"\text{the upper right block of } \exp \begin{pmatrix} @x^{\top} & G \\ 0 & @x^{\top} \end{pmatrix}",
    "inverse": r"-{@y}^{\top} G \, {@y}^{\top}",
    "det": r"G \cdot @y \cdot {@x}^{-\top}",
    # losses
    "smooth_l1_loss": [r"G \cdot \tfrac{1}{n} \text{ of } (@0 - @1) / \beta, \text{ within } {-1} \text{ and } 1"],
    "huber_loss": [r"G \cdot \tfrac{1}{n} \text{ of } @0 - @1, \text{ within } {-\delta} \text{ and } \delta"],
    "binary_cross_entropy": [r"G \cdot \tfrac{1}{n} \frac{@0 - @1}{@0 (1 - @0)}"],
    "nll_loss": [r"-\tfrac{G}{n} \text{ at the target's class, } 0 \text{ elsewhere}"],
    "multi_margin_loss": [
        r"\tfrac{G}{n C} \text{ for each class within the margin, minus their number at the target's}"
    ],
    "multilabel_margin_loss": [r"\tfrac{G}{n C} \text{ for each pair within the margin: up, and down at the target's}"],
    "ctc_loss": [r"G \odot (e^{@0} - \text{how often each label is used there, over all alignments})"],
    "soft_margin_loss": [r"G \cdot \tfrac{1}{n} \cdot (-@1) \, \sigma(-@1 \, @0)"],
}


def whole(operation: str, slot: int, own: str, output: str, operands: list[str]) -> str | None:
    """What the operation sends back to operand `slot`; None when there is no rule."""
    rule = WHOLE.get(operation)
    if isinstance(rule, list):
        rule = rule[slot] if slot < len(rule) else None
    if rule is None:
        return None
    if rule == _NORMALISED and len(operands) == 1:
        rule = _NORMALISED_PLAIN
    for number, name in enumerate(operands):
        rule = rule.replace(f"@{number}", f"{{{name}}}")
    if re.search(r"@\d", rule):  # an operand that is a plain number here
        return None
    return rule.replace("@x", f"{{{own}}}").replace("@y", f"{{{output}}}")
