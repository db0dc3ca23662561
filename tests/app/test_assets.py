"""What /static gives and what it keeps."""

from __future__ import annotations

import gzip
import re

import httpx
import pytest

from app.assets import STATIC, STYLES, asset, sheets
from tests.app.conftest import Service

pytestmark = pytest.mark.anyio

SCRIPT_BUDGET = 120_000
"""Compressed bytes of script that the first load of the debugger may take."""


@pytest.fixture
def site(service: Service) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(service.app), base_url="http://gradflow.test")


@pytest.mark.parametrize(
    "path",
    [
        "/static/src/app.js",
        "/static/src/build.mjs",
        "/static/src/node_modules/esbuild/package.json",
        "/static/js/main.js",
        "/static/dist/.built-from",
        "/static/css/%2e%2e/src/app.js",
        "/static/",
        "/static/css",
    ],
)
async def test_sources_are_not_served(site: httpx.AsyncClient, path: str) -> None:
    assert (await site.get(path)).status_code == 404


async def test_the_style_sheets_are_one(site: httpx.AsyncClient) -> None:
    response = await site.get(asset(STYLES))
    assert response.headers["content-type"].startswith("text/css")
    assert response.headers["content-encoding"] == "gzip"
    assert "immutable" in response.headers["cache-control"]
    for sheet in sheets():
        assert sheet.read_text() in response.text
    plain = await site.get(asset(STYLES), headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == response.text


async def test_an_address_without_a_hash_is_asked_for_again(site: httpx.AsyncClient) -> None:
    response = await site.get("/static/css/tokens.css")
    assert response.headers["cache-control"] == "no-cache"
    again = await site.get("/static/css/tokens.css", headers={"If-None-Match": response.headers["etag"]})
    assert again.status_code == 304


async def test_the_first_load_of_the_debugger_is_small(site: httpx.AsyncClient) -> None:
    page = (await site.get("/s/gradients-add-up")).text
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page) + re.findall(r'rel="modulepreload" href="([^"]+)"', page)
    assert scripts
    sizes = []
    waiting, seen = list(scripts), set()
    while waiting:  # and what those import at once, not on demand
        address = waiting.pop().split("?")[0]
        if address in seen:
            continue
        seen.add(address)
        text = (STATIC / address.removeprefix("/static/")).read_text()
        sizes.append(len(gzip.compress(text.encode(), 9)))
        waiting += [f"/static/dist/{name}" for name in re.findall(r'(?:from|import)\s*"\./([^"]+)"', text)]
    assert sum(sizes) <= SCRIPT_BUDGET


async def test_pages_are_compressed(site: httpx.AsyncClient) -> None:
    assert (await site.get("/s/gradients-add-up")).headers["content-encoding"] == "gzip"
