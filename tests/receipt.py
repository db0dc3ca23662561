"""Writes app/scenarios/receipt.json: how what each scenario prints here compares with what PyTorch prints.

`python -m tests.receipt`, where PyTorch is installed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json

import numpy as np

from app import __version__, parity
from app.library import FOLDER, scenarios


def digest(source: str) -> str:
    """A name for what a script executes: its lines without those that are comments, and so without its lesson."""
    code = [line for line in source.splitlines() if line.strip() and not line.startswith("#")]
    return hashlib.sha256("\n".join(code).encode()).hexdigest()[:12]


def main() -> None:
    found, code, version = {}, {}, ""
    for slug in scenarios():
        script = FOLDER / f"{slug}.py"
        ours, theirs = parity.printed_here(script), parity.printed_by_torch(script)
        if ours.error or theirs.error:
            raise SystemExit(f"{slug}: {ours.error or theirs.error}")
        found[slug], version = parity.compare(ours.text, theirs.text).result, theirs.version
        code[slug] = digest(script.read_text())
        print(f"{found[slug]:<12} {slug}")
    receipt = {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "torch": version.partition("+")[0],
        "numpy": np.__version__,
        "version": __version__,
        "scenarios": found,
        "code": code,
    }
    (FOLDER / "receipt.json").write_text(json.dumps(receipt, indent=1) + "\n")


if __name__ == "__main__":
    main()
