"""What scripts see as `torch.nn.modules`: the layers, and in `module` the hooks on all of them."""

from __future__ import annotations

from engine import nn
from engine.nn import everywhere as module
from engine.nn.module import Module as Module

__all__ = ["module"]

globals().update({name: getattr(nn, name) for name in nn.__all__ if isinstance(getattr(nn, name), type)})
