"""`python -m tests.differential.record [pytest's arguments]`: ask the real PyTorch everything that the tests in
tests/differential ask it, and keep the answers in recorded/*.json for where it is not installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    os.environ["GRADFLOW_RECORD"] = "1"
    os.environ["GRADFLOW_REQUIRE_TORCH"] = "1"
    import pytest

    here = Path(__file__).parent
    arguments = sys.argv[1:] or ["-q", "-m", "not slow", "-p", "no:randomly"]
    status = int(pytest.main([*arguments, str(here)]))
    from tests.differential import oracle

    written = oracle.write_recorded()
    print(f"{len(written)} files, {sum(path.stat().st_size for path in written):,} bytes")
    return status


if __name__ == "__main__":
    sys.exit(main())
