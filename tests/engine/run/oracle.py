"""Programs executed by the real PyTorch, several in one process: what each prints."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed: pip install torch==2.13.0")

_DRIVER = """
import contextlib, io, json, sys, warnings
import torch
warnings.simplefilter("ignore")
torch.set_num_threads(1)
printed = []
for source in json.load(sys.stdin):
    torch.manual_seed(67280421310721)
    torch.set_grad_enabled(True)
    torch.set_printoptions(profile="default")
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(source, "script.py", "exec"), {"__name__": "__main__"})
    except Exception as error:
        out.write(f"!! {type(error).__name__}: {error}")
    printed.append(out.getvalue())
json.dump(printed, sys.stdout)
"""


def torch_prints(sources: list[str]) -> list[str]:
    """What each program prints under PyTorch; an uncaught error ends the text with "!! Type: message"."""
    done = subprocess.run(
        [sys.executable, "-c", _DRIVER],
        input=json.dumps(sources),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    printed: list[str] = json.loads(done.stdout)
    return printed
