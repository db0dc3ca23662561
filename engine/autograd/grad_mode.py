"""Whether operations are recorded: no_grad, enable_grad, set_grad_enabled, inference_mode.

`enabled` is read by every operation; it is per process, because one script executes at a time in a process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from inspect import isgeneratorfunction
from types import TracebackType
from typing import Any, Self

from engine.warn import warn

enabled = True

DECORATED: dict[type, Callable[[Any, Mode], Any]] = {}
"""Functions of another type than the host's, and what gives such a function in a mode."""

_CLASSES = (
    "Decorating classes is deprecated and will be disabled in future versions. You should only decorate functions or"
    " methods. To preserve the current behavior of class decoration, you can directly decorate the `__init__` method"
    " and nothing else."
)


def is_grad_enabled() -> bool:
    """True where operations on tensors that require grad are being recorded."""
    return enabled


class Mode:
    """A context manager that is also a decorator, as PyTorch's are: `with torch.no_grad():`, `@torch.no_grad()`. It
    remembers one state to go back to, as theirs do: whoever enters a mode again enters a `clone`."""

    def __init__(self, mode: bool) -> None:
        self.mode = mode
        self._before = False

    def __enter__(self) -> None:
        global enabled
        self._before = enabled
        enabled = self.mode

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        global enabled
        enabled = self._before

    def clone(self) -> Self:
        """The same mode, not entered."""
        return type(self)()  # type: ignore[call-arg]

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function whose calls run in this mode. A generator is in it while it runs, not while it waits."""
        decorate = DECORATED.get(type(function))
        if decorate is not None:
            made: Callable[..., Any] = decorate(function, self)
            return made
        if isgeneratorfunction(function):
            return self._generator(function)
        if isinstance(function, type):
            warn(_CLASSES, FutureWarning)

        @wraps(function, updated=())
        def inside(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return inside

    def _generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function, updated=())
        def inside(*args: Any, **kwargs: Any) -> Iterator[Any]:
            generator = function(*args, **kwargs)
            go_on = partial(generator.send, None)
            while True:
                with self.clone():
                    try:
                        value = go_on()
                    except StopIteration as stop:
                        return stop.value
                try:
                    go_on = partial(generator.send, (yield value))
                except GeneratorExit:
                    with self.clone():
                        generator.close()
                    raise
                except BaseException as error:
                    go_on = partial(generator.throw, error)

        return inside


class _Bare(Mode):
    """A mode that also decorates without parentheses: `@torch.no_grad`."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        return super().__new__(cls) if function is None else cls()(function)


class no_grad(_Bare):
    """Operations inside are not recorded: their results do not require grad."""

    def __init__(self) -> None:
        super().__init__(False)


class enable_grad(_Bare):
    """Operations inside are recorded, also where a no_grad() is around."""

    def __init__(self) -> None:
        super().__init__(True)


class inference_mode(Mode):
    """Like no_grad(), and what is made inside can never take part in a graph; `mode=False` records."""

    def __new__(cls, mode: Any = True) -> Any:
        return super().__new__(cls) if isinstance(mode, bool) else cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__(not mode)
        self._outside = False

    def __enter__(self) -> None:
        from engine.tensor import in_inference_mode, make_inference_tensors

        super().__enter__()
        self._outside = in_inference_mode()
        make_inference_tensors(not self.mode)

    def __exit__(self, *error: Any) -> None:  # noqa: PYI036
        from engine.tensor import make_inference_tensors

        super().__exit__(*error)
        make_inference_tensors(self._outside)

    def clone(self) -> Self:
        return type(self)(not self.mode)


class set_grad_enabled(Mode):
    """Acts at once; as a context manager it restores what was before."""

    def __init__(self, mode: Any) -> None:
        global enabled
        if not isinstance(mode, bool):
            kind = type(mode).__name__
            raise TypeError(f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {kind}")
        super().__init__(mode)
        self._before = enabled
        enabled = mode

    def __enter__(self) -> None:
        global enabled
        enabled = self.mode

    def clone(self) -> Self:
        return type(self)(self.mode)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        global enabled
        enabled = self._before
        return super().__call__(function)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"
