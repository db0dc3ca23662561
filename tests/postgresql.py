"""A PostgreSQL of one's own for tests: from Debian's packages, on loopback, as a user without rights, in a folder that
is gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HINT = "there is no PostgreSQL: apt-get install postgresql"


@dataclass(frozen=True)
class Postgresql:
    """A running PostgreSQL; `process` is its first process's id."""

    port: int

    def new_database(self) -> str:
        """The URL of a new, empty database."""
        import psycopg

        name = f"t{uuid.uuid4().hex[:12]}"
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql://gradflow@127.0.0.1:{self.port}/{name}"


def find_postgresql() -> Path | None:
    """The folder with initdb and postgres; None when it is not installed."""
    beside = [Path(found).parent for found in [shutil.which("initdb")] if found]
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    return next((path for path in [*versions, *beside] if (path / "postgres").exists()), None)


@contextmanager
def running_postgresql(port: int) -> Iterator[Postgresql]:
    """PostgreSQL on that port inside the block. It refuses to run as root: then it becomes the user nobody."""
    programs = find_postgresql()
    assert programs is not None, HINT
    folder = Path(tempfile.mkdtemp(prefix="gradflow-pg-"))
    as_user: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        as_user |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    data = folder / "data"
    # Nothing here has to survive the machine's end.
    fast = ["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
    initdb = [programs / "initdb", "-D", data, "-U", "gradflow", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"]
    try:
        subprocess.run(initdb, check=True, **as_user)
        listen = ["-h", "127.0.0.1", "-p", str(port), "-k", folder, "-c", "max_connections=200"]
        process = subprocess.Popen([programs / "postgres", "-D", data, *listen, *fast], **as_user)
        try:
            _wait_for(port, process)
            yield Postgresql(port)
        finally:
            process.terminate()  # once more: at once, whoever is still connected
            process.send_signal(2)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="gradflow", dbname="postgres").close()
        except psycopg.OperationalError:
            assert process.poll() is None, "PostgreSQL did not start"
            assert time.monotonic() < deadline, "PostgreSQL did not start in time"
            time.sleep(0.05)
        else:
            return
