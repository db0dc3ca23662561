"""Modules for several devices: there is one here, so they hand on."""

from __future__ import annotations

from typing import Any

from engine.nn.module import Module


class DataParallel(Module):
    """The module itself, under the name `module`: without accelerators there is nothing to share out."""

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)
