"""The named tuples that operations with several results give: `torch.return_types.max(values=..., indices=...)`."""

from __future__ import annotations

from collections import namedtuple
from typing import Any


def named(name: str, fields: str = "values indices") -> Any:
    """torch.return_types.`name`, a tuple whose items are also its attributes."""

    def text(self: Any) -> str:
        return f"torch.return_types.{name}(\n" + ",\n".join(f"{k}={v!r}" for k, v in self._asdict().items()) + ")"

    made = namedtuple(name, fields)  # type: ignore[misc]
    made.__name__ = f"torch.return_types.{name}"  # so do Python's own messages call it
    made.__module__ = "torch.return_types"
    made.__repr__ = text  # type: ignore[method-assign]
    return made
