"""A recorder watching plain CPython: statements are executed with `exec` over the engine, so that the recorder is
tested without the interpreter."""

from __future__ import annotations

import ast
from typing import Any

import engine
from engine import observe
from engine.tracing.naming import read_names
from engine.tracing.recorder import Parts, Recorder


class Watched:
    """Executes statements one by one; each call answers the parts of the moment after it."""

    def __init__(self, root: str | None = "loss", **names: Any) -> None:
        self.names: dict[str, Any] = {"torch": engine, **names}
        self.line = 0
        self.recorder = Recorder(lambda: self.line, root)

    def __call__(self, source: str, line: int) -> Parts:
        self.line = line
        self.recorder.begin(("line", line))
        with observe.watching(self.recorder):
            exec(compile(ast.parse(source), "script", "exec"), self.names)
        return self.recorder.take(
            read_names({name: value for name, value in self.names.items() if not name.startswith("__")})
        )
