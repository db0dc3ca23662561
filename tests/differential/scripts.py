"""Running one script with the real PyTorch or with the engine under its name, and what came of it.

run("import torch\\ntorch.ones(2) + None\\n", engine)
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

# The modules that scripts import, by PyTorch's names; what the engine does not have stays out.
MODULES = (
    "torch",
    "torch.autograd",
    "torch.autograd.functional",
    "torch.linalg",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.optim.optimizer",
    "torch.special",
    "torch.utils",
    "torch.utils.data",
)


@contextlib.contextmanager
def named_torch(engine: ModuleType) -> Iterator[None]:
    """Let `import torch` give `engine`."""
    before = {name: module for name, module in sys.modules.items() if name == "torch" or name.startswith("torch.")}
    for name in before:
        del sys.modules[name]
    for name in MODULES:
        found: Any = engine
        for part in name.split(".")[1:]:
            found = getattr(found, part, None)
        found = found or sys.modules.get(engine.__name__ + name.removeprefix("torch"))  # a file that is no attribute
        if found is not None:
            sys.modules[name] = found
    try:
        yield
    finally:
        for name in [each for each in sys.modules if each == "torch" or each.startswith("torch.")]:
            del sys.modules[name]
        sys.modules.update(before)


def run(code: str, torch: Any) -> dict[str, Any]:
    """What `code` does: {"error": [type, message, line] or None, "stdout": text, "warnings": [[category, text], ...]}.

    `torch` is the real one or the engine. Each warning counts once, as a script's user sees it."""
    printed = io.StringIO()
    found: dict[str, Any] = {"error": None}
    own = torch.__name__ != "torch"
    surroundings = dict(os.environ)
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        with named_torch(torch) if own else _as_fresh(torch):
            try:
                exec(compile(code, "<script>", "exec"), {"__name__": "__main__"})
            except Exception as error:
                found["error"] = [type(error).__name__, str(error), line_of(error)]
            finally:
                restore(torch)
                os.environ.clear()
                os.environ.update(surroundings)
    found["stdout"] = printed.getvalue()
    found["warnings"] = []
    for each in caught:
        told = [each.category.__name__, str(each.message).split(" (Triggered internally at")[0]]
        if told not in found["warnings"]:
            found["warnings"].append(told)
    return found


def line_of(error: BaseException) -> int | None:
    """The innermost line of the script that `error` came through."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<script>":
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


@contextlib.contextmanager
def _as_fresh(torch: Any) -> Iterator[None]:
    """Each warning is given; and `torch.backends` can be set, which PyTorch's own samples (op_samples.py) forbid."""
    torch.backends.flags_frozen.__globals__["__allow_nonbracketed_mutation_flag"] = True
    torch.set_warn_always(True)
    try:
        yield
    finally:
        torch.set_warn_always(False)


def restore(torch: Any) -> None:
    """What a script may have set for the whole process."""
    torch.set_grad_enabled(True)
    torch.set_printoptions(profile="default")
    torch.set_default_dtype(torch.float32)
    torch.autograd.set_detect_anomaly(False)
    if torch.__name__ == "torch":  # without it, PyTorch computes other nodes and digits
        torch.backends.mkldnn.enabled = True


def cases(folder: Path) -> dict[str, str]:
    """The scripts of a folder's .txt files by id. Each begins with a line `### id: what it is about`."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.txt")):
        for part in path.read_text("utf-8").split("### ")[1:]:
            head, _, code = part.partition("\n")
            name = head.partition(":")[0].strip()
            assert name not in found, f"{path.name}: {name} is there twice"
            found[name] = code.strip() + "\n"
    return found
