"""What all tests share: a real server to talk to, and what must not be skipped where everything is installed.

GRADFLOW_REQUIRE_TORCH=1, GRADFLOW_REQUIRE_BROWSER=1 and GRADFLOW_REQUIRE_POSTGRESQL=1 turn a missing PyTorch, Chromium
or PostgreSQL, and every skipped test that needs one, into a failure; GRADFLOW_REQUIRE_HOSTS=1 does so for the tools of
the extra `hosts`. With all four no test may be skipped, for whatever reason.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import printing
from engine.autograd import grad_mode, wirtinger
from engine.script.limits.watch import OutOfTime
from tests.browser.chromium import HINT as NO_CHROMIUM
from tests.browser.chromium import find_chromium
from tests.postgresql import HINT, Postgresql, find_postgresql, running_postgresql

ROOT = Path(__file__).parent.parent
RARELY = 100
"""How many collections of the middle generation come before one of everything: ten by itself."""
PATIENCE = 180
"""Seconds: a machine that does ten other things is slow, not wrong."""
REQUIRED = {  # marker -> whether its tests must run
    "hosts": os.environ.get("GRADFLOW_REQUIRE_HOSTS") == "1",
    "oracle": os.environ.get("GRADFLOW_REQUIRE_TORCH") == "1",
    "browser": os.environ.get("GRADFLOW_REQUIRE_BROWSER") == "1",
    "postgresql": os.environ.get("GRADFLOW_REQUIRE_POSTGRESQL") == "1",
}

# No test looks at the clock: how long an example takes is the machine's affair. What is drawn is the same in every run,
# unless one looks for what is new: GRADFLOW_DRAW_ANEW=1.
ANEW = os.environ.get("GRADFLOW_DRAW_ANEW") == "1"
settings.register_profile("any machine", parent=settings(), deadline=None, derandomize=not ANEW)
settings.load_profile("any machine")


def pytest_configure(config: pytest.Config) -> None:
    if sys.dont_write_bytecode:  # processes that tests start would compile all that they import, each anew
        compiled = tempfile.TemporaryDirectory()
        config.add_cleanup(compiled.cleanup)
        os.environ["PYTHONPYCACHEPREFIX"] = compiled.name
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if REQUIRED["oracle"] and importlib.util.find_spec("torch") is None:
        pytest.exit("GRADFLOW_REQUIRE_TORCH=1, but PyTorch is not installed: pip install torch==2.13.0", returncode=1)
    if REQUIRED["browser"] and find_chromium() is None:
        pytest.exit(f"GRADFLOW_REQUIRE_BROWSER=1, but {NO_CHROMIUM}", returncode=1)
    if REQUIRED["postgresql"] and find_postgresql() is None:
        pytest.exit(f"GRADFLOW_REQUIRE_POSTGRESQL=1, but {HINT}", returncode=1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: they are the slowest, and Playwright leaves an event loop running in its thread.

    What talks to processes of its own, servers, workers, browsers, is tried once more when it fails, and the summary
    tells of it (R): on a machine that does much else one of these may lose a frame or a connection for good. What is
    wrong stays wrong. Tests of the engine compute in their own process, and are tried once."""
    for item in items:
        room = item.path.relative_to(ROOT / "tests").parts[0]
        if room == "browser":
            item.add_marker("browser")
        if room in ("app", "browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """What is collected stays until the end: the garbage collector, which took a fifth of the tests' time, need not
    look at it while it grows, nor again and again afterwards. What the tests leave behind goes with the younger
    generations; all that there is is looked through a tenth as often as Python would, as in the processes that execute
    scripts. A test of what is held and what is let go collects by itself."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], RARELY)


@pytest.fixture(scope="session", autouse=True)
def _no_callbacks_of_the_collector() -> None:
    """In its first test hypothesis leaves a callback with the garbage collector, once per process. The watch of a
    script that is out of time strikes at the next line of Python, and after a long collection that is the callback's:
    there the limit would be lost. No process that executes scripts has such callbacks."""

    @settings(database=None)
    @given(st.none())
    def first_test(_: None) -> None: ...

    first_test()
    gc.callbacks.clear()


@pytest.fixture(autouse=True)
def _gradients_are_recorded() -> None:
    """A script may end while it has switched them off, has made complex numbers or says how tensors are printed, and
    the process is that of the next test."""
    grad_mode.enabled = True
    wirtinger.become((False, False))
    printing.reset_printoptions()


@pytest.fixture(scope="session", autouse=True)
def _limits_that_garbage_ignores() -> Iterator[None]:
    """Between two tests there is garbage with finalizers (of pytest, of the browser). Where a limit strikes in one of
    these, Python ignores it and says so, and the watch raises it once more: it is not the fault of the test."""
    tell = sys.unraisablehook

    def tell_the_rest(told: sys.UnraisableHookArgs) -> None:
        if told.exc_type is not OutOfTime:
            tell(told)

    sys.unraisablehook = tell_the_rest
    yield
    sys.unraisablehook = tell


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    needed = [name for name, required in REQUIRED.items() if required and item.get_closest_marker(name)]
    if all(REQUIRED.values()):
        needed = needed or ["everything is installed"]
    if report.skipped and needed and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"must not be skipped here ({', '.join(needed)}): {report.longrepr}"
    setattr(item, f"report_{report.when}", report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    report = yield
    if report.skipped and all(REQUIRED.values()):
        report.outcome = "failed"
        report.longrepr = f"no file of tests may be skipped here: {report.longrepr}"
    return report


@dataclass(frozen=True)
class Server:
    """A running `gradflow serve`: its address, without a slash at the end, and the file that it logs to."""

    url: str
    log: Path

    def get(self, path: str, **more: Any) -> httpx.Response:
        """What it answers, however long that takes: by itself httpx gives up after five seconds."""
        return httpx.get(self.url + path, timeout=PATIENCE, **more)

    def post(self, path: str, **more: Any) -> httpx.Response:
        """The same for something sent."""
        return httpx.post(self.url + path, timeout=PATIENCE, **more)


SERVES = re.compile(r"serves on (\S+) ")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    """A PostgreSQL of the tests' own, started once."""
    if find_postgresql() is None:
        pytest.skip(HINT)
    with running_postgresql(free_port()) as running:
        yield running


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real thing: `gradflow serve` as a process of its own, on a port that is free when it takes it, with an empty
    data folder."""
    folder = tmp_path_factory.mktemp("server")
    log = folder / "server.log"
    gradflow = [sys.executable, "-c", "import sys; from app.cli import main; sys.exit(main())"]
    environment = {**os.environ, "GRADFLOW_DATA_DIR": str(folder / "data"), "GRADFLOW_HOST": "127.0.0.1"}
    environment.pop("DATABASE_URL", None)
    environment["GRADFLOW_COMMAND_SECONDS"] = "60"  # nothing is stopped because the machine does ten other things
    with log.open("w") as output:
        serve = [*gradflow, "serve", "--port", "0"]
        process = subprocess.Popen(serve, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + PATIENCE
            while not ((said := SERVES.search(log.read_text())) and answers(said[1] + "/readyz")):
                if process.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"the server did not start:\n{log.read_text()}", pytrace=False)
                time.sleep(0.05)
            yield Server(said[1], log)
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                pytest.fail("the server did not end when asked to", pytrace=False)
