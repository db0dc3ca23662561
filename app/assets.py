"""The files of static/ that pages load: the style sheets as one, compressed once, kept by browsers for good.

Only static/css, static/dist and static/images are served: what the bundles are made from stays at home.
"""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from app.places import find_folder

STATIC = find_folder("static")
SERVED = ("css", "dist", "images")
STYLES = "dist/pages.css"
"""All style sheets in one, beside what their addresses name."""
PACKAGED = "dist/app.css"
LAST = ("editor", "narrow")
"""Sheets that change what others say; the rest are in the order of the alphabet after these."""
FIRST = ("tokens", "base")
COMPRESSED = ("text/", "application/json", "application/javascript", "image/svg+xml")
GOOD_FOR_EVER = "public, max-age=31536000, immutable"


def asset(path: str) -> str:
    """The address of a file under static/, with a hash of its content: browsers may keep it for good."""
    try:
        return f"/static/{path}?v={_hash(path, _changed(path))}"
    except OSError:
        return f"/static/{path}"


def sheets() -> list[Path]:
    """The style sheets, in the order in which they are joined."""
    found = {file.stem: file for file in sorted((STATIC / "css").glob("*.css"))}
    middle = [name for name in found if name not in (*FIRST, *LAST)]
    packaged = [STATIC / PACKAGED] if (STATIC / PACKAGED).is_file() else []
    return packaged + [found[name] for name in (*FIRST, *middle, *LAST) if name in found]


def content(path: str) -> bytes:
    """A file under static/, for a page that holds it. Raises OSError when there is none."""
    return _content(path, _changed(path))


def _changed(path: str) -> int:
    """When the file was last written, in nanoseconds. Raises OSError when there is none."""
    if path == STYLES:
        return max(file.stat().st_mtime_ns for file in sheets())
    return (STATIC / path).stat().st_mtime_ns


@lru_cache(maxsize=256)
def _content(path: str, _changed: int) -> bytes:
    """Read anew when the file has changed: the time is part of the key."""
    if path == STYLES:
        return b"\n".join(file.read_bytes() for file in sheets())
    return (STATIC / path).read_bytes()


@lru_cache(maxsize=256)
def _hash(path: str, changed: int) -> str:
    return hashlib.sha256(_content(path, changed)).hexdigest()[:12]


@lru_cache(maxsize=256)
def _gzipped(path: str, changed: int) -> bytes:
    return gzip.compress(_content(path, changed), 9, mtime=0)


class Assets(StaticFiles):
    """What /static answers."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Raises HTTPException (404) for anything outside the served folders."""
        parts = Path(path).parts
        if not parts or parts[0] not in SERVED or any(part.startswith(".") for part in parts):
            raise HTTPException(404)
        if path == STYLES:
            response: Response = Response(_content(path, _changed(path)), media_type="text/css")
        else:
            response = await super().get_response(path, scope)
        versioned = b"v=" in scope.get("query_string", b"")
        response.headers["Cache-Control"] = GOOD_FOR_EVER if versioned else "no-cache"
        kind = response.headers.get("content-type", "")
        if response.status_code != 200 or not kind.startswith(COMPRESSED) or scope["method"] != "GET":
            return response
        if path != STYLES and not isinstance(response, FileResponse):
            return response
        accepted = dict(scope["headers"]).get(b"accept-encoding", b"").decode("latin-1")
        headers = {name: value for name, value in response.headers.items() if name != "content-length"}
        headers["Vary"] = "Accept-Encoding"
        if "gzip" not in accepted:
            response.headers["Vary"] = "Accept-Encoding"
            return response
        headers["Content-Encoding"] = "gzip"
        return Response(_gzipped(path, _changed(path)), headers=headers)


class Compressed(GZipMiddleware):
    """Answers compressed as they go out; files are kept compressed, and streams of events are not held back."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/static/"):
            return await self.app(scope, receive, send)
        return await super().__call__(scope, receive, send)
