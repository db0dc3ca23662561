"""`python -m tests.differential.record [pytest's arguments]`: ask the real PyTorch everything that the tests in
tests/differential ask it, and keep the answers in recorded/*.json for where it is not installed. With arguments (`-k
svd`) only what they select is asked, and the other answers stay."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    if os.environ.get("PYTHONHASHSEED") != "0":  # op_db goes through sets of words: in one order, from now on
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.differential.record", *sys.argv[1:]])
    os.environ["GRADFLOW_RECORD"] = "1"
    os.environ["GRADFLOW_REQUIRE_TORCH"] = "1"
    import pytest

    here = Path(__file__).parent
    arguments = ["-q", "-m", "not slow", *sys.argv[1:]]
    status = int(pytest.main([*arguments, "-p", "no:randomly", str(here)]))
    from tests.differential import oracle

    written = oracle.write_recorded(all_of_it=not sys.argv[1:])
    print(f"{len(written)} files, {sum(path.stat().st_size for path in written):,} bytes")
    return status


if __name__ == "__main__":
    sys.exit(main())
