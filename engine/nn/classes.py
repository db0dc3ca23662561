"""Modules that become ones of another class: torch.nn.utils.parametrize (engine/library), which alone has this, as
`import _classes`, gives each module that it changes a class of its own."""

from __future__ import annotations

from engine.nn.module import Module


def become(module: Module, kind: type, place: str | None = None) -> None:
    """`module` is one of `kind` from now on: a class over its own, new and shown as one of `place`, or that again."""
    if place is not None:
        kind.__module__ = place
    object.__setattr__(module, "__class__", kind)


FUNCTIONS = (become,)
