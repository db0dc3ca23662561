"""torch.utils."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.rooms import opened

if TYPE_CHECKING:
    from engine import data as data
else:
    __getattr__, __dir__ = opened(globals(), "torch.utils", {"data": "engine.data"})
