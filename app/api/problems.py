"""Errors as `application/problem+json` (RFC 9457): one shape for all of them."""

from __future__ import annotations

import http
import re
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from app import errors
from app.away import AWAY, unavailable

MEDIA_TYPE = "application/problem+json"
TYPE = "urn:gradient-flow:problem:"

# The error of a use case -> status, the end of `type`, title.
KINDS: dict[type[errors.RunError], tuple[int, str, str]] = {
    errors.NotFound: (404, "not-found", "Not found"),
    errors.ReadOnly: (403, "read-only", "This link only looks"),
    errors.Busy: (409, "busy", "Another command is running"),
    errors.Stale: (412, "stale", "The run has moved on"),
    errors.KeyReused: (422, "key-reused", "Idempotency-Key used for another command"),
    errors.BadSource: (422, "bad-source", "The script cannot be read"),
    errors.BadCommand: (422, "bad-command", "The command cannot be given"),
    errors.TooLarge: (413, "too-large", "Too large"),
    errors.TooMany: (429, "limit", "A limit was reached"),
    errors.Unavailable: (503, "unavailable", "Not now"),
    errors.Crashed: (422, "crashed", "The command ended its process"),
    errors.Broken: (500, "internal", "The server failed"),
}


class Problem(BaseModel):
    """An error. `line`, `column` and `suggestion` are there when the script is its cause."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:gradient-flow:problem:bad-source",
                    "title": "The script cannot be read",
                    "status": 422,
                    "detail": "SyntaxError: '(' was never closed",
                    "line": 3,
                    "column": 9,
                }
            ]
        }
    )

    type: str = Field(description="A stable name of the kind of error.")
    title: str
    status: int
    detail: str = Field(description="What was asked, why not.")
    suggestion: str | None = Field(None, description="What to do instead.")
    line: int | None = Field(None, description="Line of the script, from 1.")
    column: int | None = Field(None, description="Column, from 1.")
    errors: list[dict[str, Any]] | None = Field(None, description="Each part of the request that does not fit.")


def problem(
    status: int, kind: str, title: str, detail: str, headers: Mapping[str, str] | None = None, **more: Any
) -> JSONResponse:
    """A problem as a response. Members that are None or "" are left out."""
    body = {"type": kind if kind == "about:blank" else TYPE + kind, "title": title, "status": status, "detail": detail}
    body |= {name: value for name, value in more.items() if value not in (None, "")}
    return JSONResponse(body, status, dict(headers or {}), media_type=MEDIA_TYPE)


def run_problem(error: errors.RunError) -> JSONResponse:
    """What a use case refused."""
    status, kind, title = KINDS.get(type(error), (500, "internal", "The server failed"))
    headers: dict[str, str] = {}
    more: dict[str, Any] = {"suggestion": error.suggestion}
    detail = error.message
    if isinstance(error, errors.BadSource):
        detail = f"{error.kind}: {error.message}"
        more |= {"line": error.line, "column": error.column, "text": error.text}
    if isinstance(error, errors.TooLarge):
        more["line"] = error.line
    if isinstance(error, errors.TooMany | errors.Unavailable) and error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    return problem(status, kind, title, detail, headers, **more)


def http_problem(error: HTTPException) -> JSONResponse:
    """What the framework refused: no such route, another method ..."""
    phrase = http.HTTPStatus(error.status_code).phrase
    detail = str(error.detail) if error.detail and error.detail != phrase else _SENTENCES.get(error.status_code, phrase)
    return problem(error.status_code, "about:blank", phrase, detail, error.headers)


_SENTENCES = {
    404: "there is nothing at this address; /api/v1/docs lists what there is",
    405: "this address does not know that method; the Allow header names those that it knows",
}


def validation_problem(error: RequestValidationError) -> JSONResponse:
    """A request that does not fit its model: 400 when it is no JSON at all, else 422."""
    rows = error.errors()
    if any(row["type"] == "json_invalid" for row in rows):
        context = rows[0].get("ctx") or {}
        return problem(400, "bad-json", "The request is not JSON", f"the body is not JSON: {context.get('error', '')}")
    parts = [{"where": ".".join(str(part) for part in row["loc"]), "what": row["msg"]} for row in rows]
    detail = "; ".join(f"{part['where']}: {part['what']}" for part in parts)
    return problem(422, "bad-request", "The request does not fit", detail, errors=parts)


def allowed_methods(app: FastAPI, request: Request) -> list[str]:
    """Every method of the address; the framework names only those of the first route that it finds."""
    path = request.url.path.removeprefix(str(request.scope.get("root_path", "")))
    documented = app.openapi()["paths"].items()
    found = {
        method.upper()
        for template, item in documented
        for method in item
        if re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)), path)
    }
    return sorted(found) or ["GET"]


def install(app: FastAPI) -> None:
    """Have every error of this app answered as a problem."""

    async def on_run_error(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, errors.RunError)
        return run_problem(error)

    async def on_http_error(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        response = http_problem(error)
        if error.status_code == 405:
            response.headers["Allow"] = ", ".join(allowed_methods(app, request))
        return response

    async def on_validation_error(_request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        return validation_problem(error)

    async def on_bug(_request: Request, _error: Exception) -> JSONResponse:
        return problem(500, "internal", "The server failed", "this is a bug of ours; nothing was changed")

    async def on_silent_store(_request: Request, error: Exception) -> JSONResponse:
        return run_problem(unavailable(error))

    app.add_exception_handler(errors.RunError, on_run_error)
    for kind in AWAY:
        app.add_exception_handler(kind, on_silent_store)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_validation_error)
    app.add_exception_handler(Exception, on_bug)
