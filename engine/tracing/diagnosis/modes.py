"""train() and eval(): a network that is trained in the mode for looking."""

from __future__ import annotations

from collections.abc import Iterator

from engine import nn
from engine.tracing.diagnosis.scene import Scene
from engine.tracing.moments import Finding
from engine.tracing.wording import listed

MOODY = (nn.Dropout, nn.Dropout2d, nn.BatchNorm1d, nn.BatchNorm2d)
"""Modules that do something else in eval()."""


class TrainedInEval:
    """A network with dropout or batch normalization goes on being trained after an eval(), without train()."""

    def __init__(self) -> None:
        self._trained: set[str] = set()  # networks that a step has moved while they were in train()

    def look(self, scene: Scene) -> Iterator[Finding]:
        if not scene.updated:
            return
        moved = {event.name for event in scene.updated}
        for name, module in scene.names.modules.items():
            if "." in name or not any(parameter.startswith(f"{name}.") for parameter in moved):
                continue
            if module.training:
                self._trained.add(name)
                continue
            moody = [
                path
                for path, part in scene.names.modules.items()
                if path.startswith(f"{name}.") and isinstance(part, MOODY) and not part.training
            ]
            if name in self._trained and moody:
                yield scene.finding(
                    "eval-mode-in-training",
                    f"step() moved {name} while it was in eval(): {listed(moody)} did not do what they do in training."
                    f" Call {name}.train() before the next training iteration.",
                    names=(name,),
                    cause=max((call.lineno for call in scene.text.calls.get("eval", ())), default=None),
                )
