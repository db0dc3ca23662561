"""One program in CPython and in the interpreter: what both print, and how both end."""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import sys
import warnings
from dataclasses import dataclass
from unittest import mock

import engine
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.reading.source import read_script


@dataclass(frozen=True)
class Ending:
    """What was printed, the error that ended the program (type, message, line in the program), what went to stderr."""

    stdout: str
    type: str | None = None
    message: str | None = None
    line: int | None = None
    stderr: str = ""


@contextlib.contextmanager
def engine_as_torch():
    """`import torch` and its submodules give the engine."""
    saved = {name: sys.modules.pop(name) for name in list(sys.modules) if name == "torch" or name.startswith("torch.")}
    sys.modules["torch"] = engine
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name == "torch" or name.startswith("torch.")]:
            del sys.modules[name]
        sys.modules.update(saved)


def in_cpython(source: str) -> Ending:
    """Run `source` in CPython with the engine as torch."""
    out = io.StringIO()
    engine.manual_seed(0)
    importlib.import_module("random").seed(0)
    namespace = {"__name__": "__main__", "__file__": "script.py"}
    err = io.StringIO()
    with (
        engine_as_torch(),
        mock.patch("sys.stdin", io.StringIO()),
        mock.patch.multiple(logging.root, handlers=[], level=logging.WARNING),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(source, "script.py", "exec", dont_inherit=True), namespace)
        except BaseException as error:
            line = None
            trace = error.__traceback__
            while trace is not None:
                if trace.tb_frame.f_code.co_filename == "script.py":
                    line = trace.tb_lineno
                trace = trace.tb_next
            return Ending(out.getvalue(), type(error).__name__, str(error), line, err.getvalue())
    return Ending(out.getvalue(), stderr=err.getvalue())


def in_interpreter(source: str, limits: Limits | None = None, into: bool | None = None) -> Ending:
    """Run `source` in the interpreter: at once, or statement by statement (`into`: entering calls)."""
    out: list[str] = []
    err: list[str] = []
    engine.manual_seed(0)
    interpreter = Interpreter(
        read_script(source, limits), limits=limits or Limits(), write=out.append, write_error=err.append
    )
    while not interpreter.finished:
        failed = interpreter.run() if into is None else interpreter.step(into=into).error
        if failed is not None:
            last = interpreter.end()
            if last is None:
                break
            return Ending("".join(out), last.type, last.message, last.line, "".join(err))
    return Ending("".join(out), stderr="".join(err))
