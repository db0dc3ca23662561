"""How a tensor may lie in memory, as scripts name it."""

from __future__ import annotations


class layout:
    """How a tensor lies in memory: `strided`, but for those of torch.sparse."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class memory_format(layout):
    """The order of a new tensor's elements; accepted and, row order being the only one, without effect."""

    __slots__ = ()


strided = layout("strided")
sparse_coo, sparse_csr = layout("sparse_coo"), layout("sparse_csr")
preserve_format = memory_format("preserve_format")
contiguous_format = memory_format("contiguous_format")
channels_last, channels_last_3d = memory_format("channels_last"), memory_format("channels_last_3d")
