"""REST, under /api/v1: a FastAPI app of its own, so that its errors are JSON wherever they arise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute

from app import __version__
from app.api import checks, commands, lessons, library, moments, probing, problems, runs
from app.api.asking import refusals
from app.runs import Runs

# What asks about a tensor comes before the tensor itself: names may have slashes.
ROUTERS = (library.router, lessons.router, runs.router, commands.router, probing.router, moments.router, checks.router)

RUN_ID = "$response.body#/id"

EXAMPLES = Path(__file__).with_name("examples.json")
"""What a server answered; `python -m tests.app.answers` writes it."""

DOCS = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gradient Flow: REST</title>
<link rel="stylesheet" href="{static}/dist/swagger-ui.css">
<div id="docs"></div>
<script src="{static}/dist/swagger-ui.js"></script>
<script nonce="{nonce}">SwaggerUIBundle({{url: "{root}/openapi.json", dom_id: "#docs"}})</script>
</html>
"""


def add_links(document: dict[str, Any]) -> None:
    """Say in the OpenAPI document that what POST /runs and .../fork answer is what the other routes are about."""
    about = {
        operation["operationId"]: {"operationId": operation["operationId"], "parameters": {"run_id": RUN_ID}}
        for path, item in document["paths"].items()
        for operation in item.values()
        if "{run_id}" in path
    }
    for path in ("/runs", "/runs/{run_id}/fork"):
        document["paths"][path]["post"]["responses"]["201"]["links"] = about


def add_examples(document: dict[str, Any]) -> None:
    """Show beside each answer's schema one that was really given."""
    for name, answer in json.loads(EXAMPLES.read_text(encoding="utf-8")).items():
        method, path = name.split(" ")
        responses = document["paths"][path][method.lower()]["responses"]
        given = responses.get("200") or responses["201"]
        given["content"]["application/json"]["example"] = answer


def name_of(route: APIRoute) -> str:
    """What clients that are made from the document call a route."""
    return route.name


def create_api(service: Runs) -> FastAPI:
    """The API over a service. Mounted, it has no lifespan of its own."""
    api = FastAPI(
        title="Gradient Flow",
        version=__version__,
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        description="Runs of PyTorch-flavoured scripts, one statement at a time. See docs/rest.md for examples.",
        redirect_slashes=False,
        generate_unique_id_function=name_of,
    )
    api.state.runs = service
    for router in ROUTERS:
        api.include_router(router)
    problems.install(api)

    @api.get("/docs", include_in_schema=False)
    async def docs(request: Request) -> HTMLResponse:
        root = str(request.scope.get("root_path", ""))
        nonce = request.scope.get("state", {}).get("csp_nonce", "")
        static = root.removesuffix("/api/v1") + "/static"
        return HTMLResponse(DOCS.format(static=static, root=root, nonce=nonce))

    def openapi() -> dict[str, Any]:
        if api.openapi_schema is None:
            document = FastAPI.openapi(api)
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            # FastAPI describes requests that do not fit in its own shape; here they are problems as well.
            for item in document["paths"].values():
                for route in item.values():
                    if "application/json" in route["responses"].get("422", {}).get("content", {}):
                        route["responses"] |= {"422": refusals(422)[422]}
            add_links(document)
            add_examples(document)
            schemas["Problem"] = problems.Problem.model_json_schema()
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            api.openapi_schema = document
        return api.openapi_schema

    api.openapi = openapi  # type: ignore[method-assign]
    return api
