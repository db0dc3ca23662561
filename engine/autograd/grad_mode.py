"""Whether operations are recorded: no_grad, enable_grad, set_grad_enabled, inference_mode.

`enabled` is read by every operation; it is per process, because one script executes at a time in a process.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Any

enabled = True


def is_grad_enabled() -> bool:
    """True where operations on tensors that require grad are being recorded."""
    return enabled


class _Mode:
    """A context manager that is also a decorator, as PyTorch's are: `with torch.no_grad():`, `@torch.no_grad()`."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode
        self._before: list[bool] = []

    def __enter__(self) -> None:
        global enabled
        self._before.append(enabled)
        enabled = self.mode

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        global enabled
        enabled = self._before.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function, updated=())
        def inside(*args: Any, **kwargs: Any) -> Any:
            with type(self).__new__(type(self))._like(self):
                return function(*args, **kwargs)

        return inside

    def _like(self, other: _Mode) -> _Mode:
        self.mode = other.mode
        self._before = []
        return self


class no_grad(_Mode):
    """Operations inside are not recorded: their results do not require grad."""

    def __init__(self, function: Callable[..., Any] | None = None) -> None:
        super().__init__(False)

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        mode = super().__new__(cls)
        if function is None:
            return mode
        mode.__init__()  # type: ignore[misc]
        return mode(function)  # `@torch.no_grad` without parentheses


class enable_grad(_Mode):
    """Operations inside are recorded, also where a no_grad() is around."""

    def __init__(self) -> None:
        super().__init__(True)


class inference_mode(_Mode):
    """Like no_grad(), and what is made inside can never take part in a graph; `mode=False` records."""

    def __init__(self, mode: bool = True) -> None:
        super().__init__(not mode)
        self._outside: list[bool] = []

    def __enter__(self) -> None:
        from engine.tensor import in_inference_mode, make_inference_tensors

        super().__enter__()
        self._outside.append(in_inference_mode())
        make_inference_tensors(not self.mode)

    def __exit__(self, *error: Any) -> None:  # noqa: PYI036
        from engine.tensor import make_inference_tensors

        super().__exit__(*error)
        make_inference_tensors(self._outside.pop())

    def _like(self, other: _Mode) -> _Mode:
        self._outside = []
        return super()._like(other)


class set_grad_enabled(_Mode):
    """Acts at once; as a context manager it restores what was before."""

    def __init__(self, mode: Any) -> None:
        global enabled
        if not isinstance(mode, bool):
            kind = type(mode).__name__
            raise TypeError(f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {kind}")
        super().__init__(mode)
        self._outer = enabled
        enabled = mode

    def __enter__(self) -> None:
        global enabled
        self._before.append(self._outer)
        enabled = self.mode

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        global enabled
        enabled = self._outer
        return super().__call__(function)
