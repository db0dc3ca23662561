"""What every answer gets: security headers, a request id, limits, a line in the log, a count."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import problem
from app.limiting import Limiter, Verdict
from app.logs import request_id as request_id_of_log
from app.metrics import Metrics
from app.settings import Settings
from app.tally import Tally

log = logging.getLogger("gradflow.access")

BODY_SECONDS = 60.0
"""Seconds in which a request has to arrive whole: a connection costs little, but not nothing."""
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"))
REQUEST_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
EMBED = ("/e/", "/oembed", "/embed.js")
OPEN = (*EMBED, "/static/")
"""Paths that pages of other sites may load from: nothing in them is secret."""


class Answers:
    """ASGI middleware around the whole server.

    `scope["state"]["csp_nonce"]` is a fresh nonce that the answer's policy allows for scripts and styles (pages:
    `request.state.csp_nonce`); `scope["state"]["request_id"]` names the request."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, tally: Tally) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics
        self.limiter = Limiter(settings, tally)
        self.rest = for_other_sites(self._inside, settings.cors_origins) if settings.cors_origins else self._inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        asked = scope["method"]
        if asked == "HEAD" and not scope["path"].endswith("/events"):  # the head of what never ends is not to be had
            scope = {**scope, "method": "GET"}  # whatever can be looked at is answered; the body is left out below
        headers = dict(scope["headers"])
        given = headers.get(b"x-request-id", b"").decode("latin-1")
        request_id = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        request_id_of_log.set(request_id)
        nonce = state["csp_nonce"] = secrets.token_urlsafe(12)
        path: str = scope["path"]
        origin = f"{scope.get('scheme', 'http')}://{headers.get(b'host', b'').decode('latin-1')}"
        began = time.perf_counter()
        status = 0
        verdict = self.limiter.count(scope)

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                out = MutableHeaders(scope=message)
                out["X-Request-ID"] = request_id
                for name, value in verdict.headers.items():
                    out[name] = value
                self._secure(out, path, nonce, origin)
                self._count(scope, asked, status, time.perf_counter() - began)
            elif asked == "HEAD" and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        receive = self._limited(receive, headers.get(b"content-length", b""))
        if scope["method"] == "OPTIONS" and path.startswith(EMBED):
            # A frame in a sandbox has no origin of its own: whatever it sends is announced first.
            return await Response(status_code=204)(scope, receive, answer)
        try:
            if verdict.refused:
                self.metrics.refused.inc()
                state["refusal"] = too_many(verdict, path)
            await (self.rest if path.startswith("/api/") else self._inside)(scope, receive, answer)
        finally:
            milliseconds = (time.perf_counter() - began) * 1000
            # The route, not the path: ids are secrets.
            route = route_of(scope)
            more = {"method": asked, "route": route, "status": status, "milliseconds": round(milliseconds, 1)}
            log.info("%s %s %d %.1f ms", asked, route, status, milliseconds, extra=more)

    async def _inside(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The app, or the refusal in its place."""
        await scope["state"].pop("refusal", self.app)(scope, receive, send)

    def _limited(self, receive: Receive, declared: bytes) -> Receive:
        """Read no more of a body than the settings allow, and not for ever. The error arises where the body is read, so
        that whoever reads it answers in its own form."""
        limit = self.settings.body_bytes
        until = time.monotonic() + BODY_SECONDS
        size, whole = 0, False

        async def read() -> Message:
            nonlocal size, whole
            if declared.isdigit() and int(declared) > limit:
                raise HTTPException(413, f"the request has {int(declared):,} bytes; the limit is {limit:,}")
            try:
                async with asyncio.timeout(None if whole else max(until - time.monotonic(), 0)):
                    message = await receive()
            except TimeoutError:
                late = f"the request did not arrive within {BODY_SECONDS:g} seconds"
                raise HTTPException(408, late, {"Connection": "close"}) from None
            whole = message["type"] != "http.request" or not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > limit:
                raise HTTPException(413, f"the request has more than {limit:,} bytes, which is the limit")
            return message

        return read

    def _count(self, scope: Scope, method: str, status: int, seconds: float) -> None:
        route = route_of(scope)
        method = method if method in METHODS else "other"
        self.metrics.requests.labels(method, route, str(status)).inc()
        self.metrics.seconds.labels(method, route).observe(seconds)

    def _secure(self, out: MutableHeaders, path: str, nonce: str, origin: str) -> None:
        out.setdefault("X-Content-Type-Options", "nosniff")
        out.setdefault("Referrer-Policy", "no-referrer")
        embedded = path.startswith("/e/")
        if path.startswith(OPEN):
            out.setdefault("Access-Control-Allow-Origin", "*")
            out.setdefault("Access-Control-Allow-Methods", "GET, POST")
            out.setdefault("Access-Control-Allow-Headers", "*")
            out.setdefault("Cross-Origin-Resource-Policy", "cross-origin")
        else:
            out.setdefault("Cross-Origin-Opener-Policy", "same-origin")
            out.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        # In a sandbox without an origin 'self' means nothing: there the server is named.
        own = f"'self' {origin}" if embedded and _plain(origin) else "'self'"
        ancestors = self.settings.embed_ancestors if embedded else "'none'"
        # "*" means addresses of the web only: no file, no sandbox, no editor's notebook. Silence means all.
        framed = "" if ancestors == "*" else f"; frame-ancestors {ancestors}"
        out.setdefault(
            "Content-Security-Policy",
            f"default-src 'none'; script-src {own} 'nonce-{nonce}'; style-src {own} 'nonce-{nonce}'; "
            f"img-src {own} data:; font-src {own}; connect-src {own}; form-action {own}; manifest-src {own}; "
            f"base-uri 'none'; frame-src {own}{framed}",
        )


def too_many(verdict: Verdict, path: str) -> Response:
    """The answer to a request above a limit: as REST has it, or a line for a person."""
    headers = {"Retry-After": str(verdict.retry_after)}
    detail, again = verdict.refused, f"try again in {verdict.retry_after} seconds"
    if path.startswith("/api/"):
        return problem(429, "limit", "A limit was reached", detail, headers, suggestion=again)
    # htmx leaves the page as it is.
    return PlainTextResponse(f"{detail}: {again}\n", 429, headers | {"HX-Reswap": "none"})


def for_other_sites(app: ASGIApp, origins: list[str]) -> ASGIApp:
    """Let pages of these origins call REST. Around everything, so that they can read errors too."""
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=["Content-Type", "If-Match", "Idempotency-Key", "Last-Event-ID"],
        expose_headers=["ETag", "Location", "Link", "Retry-After", "X-Request-ID", "RateLimit", "RateLimit-Policy"],
    )


def route_of(scope: Scope) -> str:
    """The address as the app declares it, `/r/{run_id}`: it names no run. "-" where nothing is declared."""
    path = getattr(scope.get("route"), "path_format", None)
    if path is None:
        return "/static" if scope["path"].startswith("/static/") else "-"
    return str(scope.get("root_path", "")) + str(path)


def _plain(origin: str) -> bool:
    """A host header is the client's: only what looks like an address gets into a policy."""
    parts = urlsplit(origin)
    return bool(parts.hostname) and re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+", origin) is not None
