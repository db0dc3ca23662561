"""What the browser gets: pinned, licensed, made here, from nowhere else."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "static" / "src"
DIST = ROOT / "static" / "dist"


def load(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_package_is_pinned_exactly() -> None:
    package = load(SOURCE / "package.json")
    wanted = package["dependencies"] | package["devDependencies"]
    assert [name for name, version in wanted.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
    locked = load(SOURCE / "package-lock.json")["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert wanted["htmx.org"] == "4.0.1"


def test_the_lockfile_names_no_host_and_checks_every_package() -> None:
    packages = load(SOURCE / "package-lock.json")["packages"]
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []


def test_no_third_party_code_is_committed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    ours = listed.stdout.splitlines()
    theirs = r"node_modules/|/vendor/|\.min\.(js|css)$|^static/dist/|\.woff2?$"
    assert [path for path in ours if re.search(theirs, path)] == []


def test_the_manifest_holds_each_files_hash() -> None:
    manifest = load(DIST / "manifest.json")
    files = {path.name for path in DIST.iterdir() if not path.name.startswith(".")} - {"manifest.json"}
    assert set(manifest) == files
    assert {"app.js", "app.css", "editor.js", "LICENSES.txt"} <= files
    for name, digest in manifest.items():
        assert hashlib.sha256((DIST / name).read_bytes()).hexdigest().startswith(digest), name


def test_every_bundled_package_comes_with_its_licence() -> None:
    notices = (DIST / "LICENSES.txt").read_text(encoding="utf-8")
    for name, version in load(SOURCE / "package.json")["dependencies"].items():
        assert f"{name} {version} (" in notices, name


def test_the_bundles_load_nothing_from_elsewhere() -> None:
    """Addresses in comments and messages are fine; what would be fetched is not."""
    for path in [*DIST.glob("*.css"), *DIST.glob("*.js")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?:@import\s*|url\(|import\(|\bfrom\s*)['\"]?https?:", text), path.name
