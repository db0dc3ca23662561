"""benchmarks/report.md: a head that says where and when, and one section per benchmark."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
from datetime import date
from pathlib import Path

PATH = Path(__file__).parent / "report.md"
PACKAGES = ("numpy", "torch", "autograd", "mygrad", "micrograd")
INTRODUCTION = """# Benchmark report

Written by `make bench`; how things are measured stands in [README.md](README.md).
"""


def processor() -> str:
    """The processor's name, as far as the system tells."""
    try:
        names = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def versions() -> str:
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def told() -> str:
    """What the surroundings tell NumPy's library of its kernels: with others than its own choice it may be slower."""
    found = {name: value for name, value in sorted(os.environ.items()) if name.startswith("OPENBLAS_")}
    return "".join(f", {name}={value}" for name, value in found.items() if name != "OPENBLAS_NUM_THREADS")


def load() -> str:
    """A sentence about what else the machine does."""
    return f"Load of the machine meanwhile: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors."


def write(title: str, text: str) -> None:
    """Puts `text` under the heading `title`, in place of what stood there; other sections stay."""
    old = PATH.read_text(encoding="utf-8") if PATH.exists() else ""
    parts = re.split(r"^## (.*)\n", old, flags=re.MULTILINE)[1:]
    sections = {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
    where = f"{processor()}, {os.cpu_count()} processors, {platform.system()}; Python {platform.python_version()}"
    sections[title] = f"{date.today().isoformat()} · {where}; {versions()}{told()}\n\n{text.strip()}"
    body = "\n".join(f"## {name}\n\n{section}\n" for name, section in sections.items())
    PATH.write_text(f"{INTRODUCTION}\n{body}", encoding="utf-8")
