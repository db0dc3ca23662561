# type: ignore
"""torch.nn.common_types: what annotations of layers call a number or so many of them."""

from typing import Optional, Tuple, TypeVar, Union

from torch import Tensor

__all__ = [
    f"_{kind}_{n}_t" for kind in ("scalar_or_tuple", "size", "ratio") for n in ("any", "1", "2", "3", "4", "5", "6")
] + ["_maybe_indices_t", "_size_2_opt_t", "_size_3_opt_t", "_size_any_opt_t", "_tensor_list_t"]

T = TypeVar("T")


def _tuple(kind, n):
    return Union[kind, Tuple[(kind,) * n]]


_scalar_or_tuple_any_t = Union[T, Tuple[T, ...]]
_scalar_or_tuple_1_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t = _tuple(T, 1), _tuple(T, 2), _tuple(T, 3)
_scalar_or_tuple_4_t, _scalar_or_tuple_5_t, _scalar_or_tuple_6_t = _tuple(T, 4), _tuple(T, 5), _tuple(T, 6)
_size_any_t = Union[int, Tuple[int, ...]]
_size_1_t, _size_2_t, _size_3_t = _tuple(int, 1), _tuple(int, 2), _tuple(int, 3)
_size_4_t, _size_5_t, _size_6_t = _tuple(int, 4), _tuple(int, 5), _tuple(int, 6)
_size_any_opt_t = Union[Optional[int], Tuple[Optional[int], ...]]
_size_2_opt_t, _size_3_opt_t = _tuple(Optional[int], 2), _tuple(Optional[int], 3)
_ratio_any_t = Union[float, Tuple[float, ...]]
_ratio_1_t, _ratio_2_t, _ratio_3_t = _tuple(float, 1), _tuple(float, 2), _tuple(float, 3)
_ratio_4_t, _ratio_5_t, _ratio_6_t = _tuple(float, 4), _tuple(float, 5), _tuple(float, 6)
_tensor_list_t = Union[Tensor, list]
_maybe_indices_t = Union[Tensor, Tuple[Tensor, Tensor]]
