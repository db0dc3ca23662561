"""What takes a hook away again."""

from __future__ import annotations

from typing import Any


class RemovableHandle:
    """What register_hook returns; `remove()` takes the hook away."""

    def __init__(self, hooks: list[Any], hook: Any) -> None:
        self._hooks, self._hook = hooks, hook
        hooks.append(hook)

    def remove(self) -> None:
        if any(h is self._hook for h in self._hooks):
            self._hooks[:] = [h for h in self._hooks if h is not self._hook]

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()
