"""Where Chromium is, and how it is started."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

# The headless shell is the same browser without a browser's window: less than half of the processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HINT = (
    "no Chromium: apt-get install chromium-headless-shell (or chromium), or `playwright install chromium`, or name "
    "yours in CHROMIUM"
)

# Quiet, and nothing asked of the network.
FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--mute-audio",
    "--force-color-profile=srgb",
]


def flags() -> list[str]:
    """The command line; Chromium's sandbox refuses to run as root."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, "--no-sandbox"] if root else FLAGS


def find_chromium() -> str | None:
    """The path of CHROMIUM, else of an installed Chromium or Chrome, else of Playwright's own; None without any."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    for name in NAMES:
        if found := shutil.which(name):
            return found
    return playwrights_own()


def playwrights_own() -> str | None:
    """The newest of the browsers that `playwright install` keeps in its cache."""
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    places = ("*-linux*/chrome", "*-linux*/headless_shell", "*-mac*/*.app/Contents/MacOS/*", "*-win*/chrome.exe")
    found = [path for place in places for path in cache.glob(f"chromium*/{place}")]
    return str(max(found, key=lambda path: path.stat().st_mtime)) if found else None
