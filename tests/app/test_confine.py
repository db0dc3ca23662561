"""What a worker process cannot do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.workers.processes import worker_environment
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="rights are given up on Linux")

TRY = """
import os
from app.worker import confine
confine.set_limits(2 << 30)
confine.drop_rights((os.__file__, confine.__file__))
def attempt(name, what):
    try:
        what()
        print(name, "works")
    except Exception as error:
        print(name, type(error).__name__)
attempt("write", lambda: os.write(os.open("/tmp/gradflow-confined", os.O_CREAT | os.O_WRONLY), b"x"))
attempt("memory", lambda: bytearray(3 << 30))
attempt("shadow", lambda: open("/etc/shadow").read())
attempt("root", lambda: os.setuid(0))
attempt("read", lambda: open(confine.__file__).read())
status = open("/proc/self/status").read()
import ctypes
attempt("looked into", lambda: 1 / ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))  # PR_GET_DUMPABLE
attempt("files", lambda: [os.dup(0) for _ in range(100)])
print(os.geteuid(), os.getgroups(), status.split("NoNewPrivs:")[1].split()[0])
"""


def test_rights_are_given_up() -> None:
    # The machine's own Python: a Python in somebody's home cannot be read by others, and then root stays root.
    python = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
    done = subprocess.run(
        [python, "-c", TRY], cwd=ROOT, env=worker_environment(), capture_output=True, text=True, check=True
    )
    Path("/tmp/gradflow-confined").unlink(missing_ok=True)
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    user, rest = done.stdout.splitlines()[-1].split(" ", 1)
    assert (told["memory"], told["read"], told["write"], told["files"]) == (
        "MemoryError",
        "works",
        "OSError",
        "OSError",
    )
    assert rest.endswith(" 1")
    assert told["looked"] == "into ZeroDivisionError", "other processes of the user may look into this one"
    if "stays root" in done.stderr:
        assert os.geteuid() == 0
    elif os.geteuid() == 0:
        assert (user, rest) == ("65534", "[] 1")
        assert (told["shadow"], told["root"]) == ("PermissionError", "PermissionError")


def test_a_worker_multiplies_as_the_server_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    monkeypatch.setenv("DATABASE_URL", "postgresql://user:secret@host/runs")
    told = worker_environment()
    assert told["OPENBLAS_CORETYPE"] == "Haswell"
    assert told["OPENBLAS_NUM_THREADS"] == "1"
    assert "DATABASE_URL" not in told
