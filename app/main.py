"""The server as one ASGI app: pages, REST under /api/v1, static files, health and metrics."""

from __future__ import annotations

import http
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import PlainTextResponse, Response
from starlette.exceptions import HTTPException

from app import __version__, errors
from app.api import create_api
from app.api.problems import KINDS, http_problem, problem
from app.assets import STATIC
from app.away import AWAY, unavailable
from app.files import Assets, Compressed
from app.metrics import Metrics
from app.pages.errors import error_page
from app.pages.rooms import router
from app.runs import Runs
from app.settings import Settings
from app.web import Answers


def create_app(settings: Settings | None = None) -> FastAPI:
    """The server. Without its lifespan (tests) workers start with the first request; `await app.state.runs.close()`
    then ends them."""
    settings = settings or Settings()
    runs = Runs(settings)
    metrics = Metrics(runs)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        runs.start()
        yield
        await runs.close()

    app = FastAPI(
        title="Gradient Flow",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.runs = runs
    app.state.settings = settings
    app.state.metrics = metrics
    app.mount("/api/v1", create_api(runs), name="api")
    if STATIC.is_dir():
        app.mount("/static", Assets(), name="static")
    _add_health(app)
    app.include_router(router)
    _add_errors(app)
    app.add_middleware(Compressed, minimum_size=1000, compresslevel=4)
    app.add_middleware(Answers, settings=settings, metrics=metrics, tally=runs.tally)
    return app


def _add_health(app: FastAPI) -> None:
    runs: Runs = app.state.runs

    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> PlainTextResponse:
        """The process lives."""
        return PlainTextResponse("ok\n")

    @app.get("/readyz", include_in_schema=False)
    async def readyz() -> PlainTextResponse:
        """The store answers and a worker has started."""
        ready = await runs.ready()
        return PlainTextResponse("ready\n" if ready else "not ready\n", 200 if ready else 503)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        """Prometheus's text format."""
        return Response(app.state.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_errors(app: FastAPI) -> None:
    """Errors of pages are pages. (Those of REST never get here: it is an app of its own.)"""

    async def answer(
        request: Request,
        status: int,
        title: str,
        detail: str,
        suggestion: str = "",
        headers: dict[str, str] | None = None,
    ) -> Response:
        response = await error_page(request, status, title, detail, suggestion)
        response.headers.update(headers or {})
        return response

    async def on_run_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, errors.RunError)
        status, _, title = KINDS.get(type(error), (500, "internal", "The server failed"))
        wait = getattr(error, "retry_after", None)
        headers = {} if wait is None else {"Retry-After": str(wait)}
        return await answer(request, status, title, error.message, error.suggestion, headers)

    async def on_silent_store(request: Request, error: Exception) -> Response:
        return await on_run_error(request, unavailable(error))

    async def on_http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if request.url.path.startswith("/api/"):  # an address that is not even one of the mounted app
            return http_problem(error)
        phrase = http.HTTPStatus(error.status_code).phrase
        detail = "" if error.detail == phrase else str(error.detail)
        return await answer(request, error.status_code, phrase, detail, headers=dict(error.headers or {}))

    async def on_bad_request(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        detail = "; ".join(f"{row['loc'][-1]}: {row['msg']}" for row in error.errors())
        return await answer(request, 422, "The request does not fit", detail)

    async def on_bug(request: Request, _error: Exception) -> Response:  # the server logs it
        if request.url.path.startswith("/api/"):  # one that came when its answer had begun
            return problem(500, "internal", "The server failed", "this is a bug of ours; nothing was changed")
        return await answer(request, 500, "The server failed", "This is a bug of ours; nothing was changed.")

    app.add_exception_handler(errors.RunError, on_run_error)
    for kind in AWAY:
        app.add_exception_handler(kind, on_silent_store)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_bad_request)
    app.add_exception_handler(Exception, on_bug)


__all__ = ["create_app"]
