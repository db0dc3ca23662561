# type: ignore
"""attrs.validators: those of attr."""

from attr.validators import (
    and_,
    deep_iterable,
    ge,
    gt,
    in_,
    instance_of,
    is_callable,
    le,
    lt,
    matches_re,
    max_len,
    min_len,
    not_,
    optional,
    or_,
)
