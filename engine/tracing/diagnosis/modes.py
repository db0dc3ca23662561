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
    """A network with dropout or batch normalization is trained after an eval(), without train(). Where it never was in
    train(), some of its parameters may be meant to rest as they are: said where the step moves all of them."""

    def __init__(self) -> None:
        self._trained: list[nn.Module] = []  # networks that a step has moved while they were in train()

    def look(self, scene: Scene) -> Iterator[Finding]:
        if not scene.updated:
            return
        moved = {event.name for event in scene.updated}
        for name, module in scene.names.modules.items():
            if _within(name, scene) or not any(parameter.startswith(f"{name}.") for parameter in moved):
                continue
            known = any(each is module for each in self._trained)
            if module.training:
                if not known:
                    self._trained.append(module)
                continue
            moody = [
                path
                for path, part in scene.names.modules.items()
                if path.startswith(f"{name}.") and isinstance(part, MOODY) and not part.training
            ]
            whole = all(f"{name}.{path}" in moved for path, _ in module.named_parameters())
            if moody and (known or whole):
                yield scene.finding(
                    "eval-mode-in-training",
                    f"step() moved {name} while it was in eval(): {listed(moody)} did not do what they do in training."
                    f" Call {name}.train() before the next training iteration.",
                    names=(name,),
                    cause=max((call.lineno for call in scene.text.calls.get("eval", ())), default=None),
                )


def _within(name: str, scene: Scene) -> bool:
    """Whether a module is a part of another that has a name."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in scene.names.modules for count in range(1, len(parts)))
