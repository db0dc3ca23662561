"""Functions that grad-mode decorators were put on (`@torch.no_grad()`): they stay functions of the machine, so that a
debugger can step into them. Their frames have the modes around them, on while a frame is on the stack: from a call to
its end, and of a generator while it runs, not while it waits, as PyTorch's decorators do."""

from __future__ import annotations

from engine.autograd.grad_mode import DECORATED, Mode
from engine.script.frames import ScriptFunction
from engine.script.surface import Rule, register


class Modes:
    """The modes around one frame, outermost first."""

    __slots__ = ("_entered", "_modes")

    def __init__(self, modes: tuple[Mode, ...]) -> None:
        self._modes = modes
        self._entered: list[Mode] = []

    def enter(self) -> None:
        """The frame is on the stack now. Nothing happens where its modes are on already."""
        if not self._entered:
            for mode in self._modes:
                self._entered.append(mode.clone())
                self._entered[-1].__enter__()

    def leave(self) -> None:
        """The frame is no longer on the stack."""
        while self._entered:
            self._entered.pop().__exit__(None, None, None)


def decorated(function: ScriptFunction, mode: Mode) -> ScriptFunction:
    """The function in a mode, with its name and whatever else was set on it, as functools.wraps() does."""
    made = ScriptFunction(function.code, function.globals, function.outer, function.defaults, function.keyword_defaults)
    made.modes = (mode, *function.modes)
    made.__dict__.update(function.__dict__)
    return made


DECORATED[ScriptFunction] = decorated
register(
    Mode,
    Rule(wrapped={"__enter__": lambda mode: mode.__enter__(), "__exit__": lambda mode, *error: mode.__exit__(*error)}),
)
