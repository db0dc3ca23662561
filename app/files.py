"""What /static answers, and how answers are compressed."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from app.assets import STATIC, STYLES, content, gzipped

SERVED = ("css", "dist", "images")
"""What the bundles are made from stays at home."""
COMPRESSED = ("text/", "application/json", "application/javascript", "image/svg+xml")
GOOD_FOR_EVER = "public, max-age=31536000, immutable"


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
            response: Response = Response(content(path), media_type="text/css")
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
        return Response(gzipped(path), headers=headers)


class Compressed(GZipMiddleware):
    """Answers compressed as they go out; files are kept compressed, and streams of events are not held back."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/static/"):
            return await self.app(scope, receive, send)
        return await super().__call__(scope, receive, send)
