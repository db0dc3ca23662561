"""One entry of what an operation sends back to an operand, worked out: which rule is for which operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.drawing import working_entries as entries
from app.drawing import working_places as places
from app.drawing import working_products as products
from app.drawing.working import Array, Sent, Way, Worked, believed, traced


def _first(*ways: Way) -> Way:
    def way(one: Sent) -> Iterator[Worked]:
        for each in ways:
            yield from each(one)

    return way


WAYS: dict[str, Way] = {
    **{name: entries.pair(rules) for name, rules in entries.PAIRS.items()},
    **{name: entries.loss(rules) for name, rules in entries.LOSSES.items()},
    **{name: entries.reduction(rules) for name, rules in entries.REDUCTIONS.items()},
    "softmax": entries.softmax,
    "log_softmax": entries.log_softmax,
    "nll_loss": entries.nll,
    "cumsum": entries.cumsum,
    "batch_norm": _first(entries.normalised(entries.of_batch, channels=True), entries.with_running),
    "layer_norm": entries.normalised(entries.of_layer, channels=False),
    "group_norm": entries.normalised(entries.of_group, channels=True),
    **dict.fromkeys(
        ("view", "reshape", "squeeze", "unsqueeze", "flatten", "unflatten", "_unsafe_view", "unsafe_view"),
        places.same_order,
    ),
    **dict.fromkeys(("view_as", "copy", "real"), places.same_order),
    **dict.fromkeys(("permute", "transpose", "t", "swapaxes"), places.turned),
    "expand": places.copied,
    **dict.fromkeys(("repeat", "repeat_interleave", "flip", "roll", "rot90", "pixel_shuffle"), places.moved),
    **dict.fromkeys(("cat", "stack", "hstack", "vstack", "pixel_unshuffle", "channel_shuffle"), places.moved),
    **dict.fromkeys(
        ("slice", "select", "split", "chunk", "unbind", "index", "diagonal", "masked_select"), places.moved
    ),
    **dict.fromkeys(("take", "as_strided", "narrow", "tril", "triu", "gather", "index_select"), places.moved),
    **dict.fromkeys(("embedding", "pad", "where", "masked_fill", "interpolate", "unfold", "index_fill"), places.moved),
    **dict.fromkeys(("max", "min", "amax", "amin", "median", "nanmedian", "mode", "kthvalue", "topk"), places.moved),
    **dict.fromkeys(("sort", "msort", "maximum", "minimum", "fmax", "fmin", "clamp"), places.moved),
    **dict.fromkeys(("index_put", "index_copy", "scatter", "copy_slices", "scatter_reduce", "cummax"), places.moved),
    **dict.fromkeys([f"{kind}max_pool{n}d" for kind in ("", "adaptive_") for n in (1, 2, 3)], places.moved),
    **dict.fromkeys([f"{kind}avg_pool{n}d" for kind in ("", "adaptive_") for n in (1, 2, 3)], places.averaged),
    "trace": places.on_diagonal,
    "convolution": places.convolution,
    **dict.fromkeys(("mm", "matmul", "bmm", "mv", "dot", "addmm", "addmv", "baddbmm"), products.matrices),
    "linear": products.linear,
    "addr": products.outer_first,
    "inverse": products.inverse,
    "det": products.determinant,
    "slogdet": products.determinant,
    **dict.fromkeys(("solve", "solve_triangular"), products.solved),
}
for _name in ("baddbmm", "addr", "scatter_add", "index_add"):
    WAYS[_name] = _first(entries.pair(entries.PAIRS[_name]), WAYS[_name], places.moved)


def worked_entry(
    operation: str,
    slot: int,
    values: Sequence[Array | None],
    result: Array | None,
    upstream: Array,
    sent: Array,
    place: tuple[int, ...],
    *,
    trace: bool = False,
) -> Worked | None:
    """How the entry at `place` of what was `sent` to operand number `slot` comes about, from the operands' `values`,
    the `result` and the gradient `upstream`; None where there is no rule, or an operand has changed since, so that the
    sum would be another. `trace`: where most of it came from too."""
    way = WAYS.get(operation.rstrip("_"))
    if way is None or slot >= len(values) or not sent.size or not upstream.size:
        return None
    if any(each is not None and each.dtype.kind == "c" for each in (*values, result, upstream, sent)):
        return None
    one = Sent(slot, values, result, upstream, sent, place)
    with np.errstate(all="ignore"):
        found = believed(one, way(one))
        return traced(one, way, found) if trace and found is not None else found
