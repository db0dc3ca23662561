"""The examples of answers in the OpenAPI document: what a server answered, asked in this order.

    python -m tests.app.answers

writes them anew into app/api/examples.json; a test compares what is there with what a server answers now.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import httpx

from app.main import create_app
from app.settings import Settings
from tests.conftest import ROOT

FILE = ROOT / "app" / "api" / "examples.json"
SLUG = "gradients-add-up"
DRIVE, VIEW, OTHER = "kq3mVtY0oRz8uXJ5dEwB1A", "Zc7HnP4sLg2fQx9TbWyK6M", "a0DdR5vNj1ePiU8hMzSo3Q"
CREATED = 1_767_225_600.0
"""The first of January of 2026."""
EXPIRES = CREATED + 30 * 86_400
AT = "/runs/{run_id}/moments/{number}"
ASKED: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("GET", "/scenarios", None),
    ("GET", "/scenarios/{slug}", None),
    ("POST", "/scenarios/{slug}/cards/{card}/prediction", {"answer": "0"}),
    ("POST", "/runs", {"scenario": SLUG}),
    ("POST", "/runs/{run_id}/commands", {"do": "forward"}),
    ("POST", "/runs/{run_id}/commands", {"do": "backward"}),
    ("GET", "/runs/{run_id}", None),
    ("GET", "/runs/{run_id}/moments?from=7&to=7", None),
    ("GET", AT, None),
    ("GET", AT + "/graph.json", None),
    ("GET", AT + "/tensors/{name}", None),
    ("GET", AT + "/tensors/{name}/why?field=grad", None),
    ("POST", AT + "/nudge", {"name": "w", "delta": 0.01}),
    ("GET", AT + "/boundary", None),
    ("GET", AT + "/surface", None),
    ("GET", "/runs/{run_id}/losses", None),
    ("GET", "/runs/{run_id}/findings", None),
    ("GET", "/runs/{run_id}/variants", None),
    ("POST", "/runs/{run_id}/fork", {"moment": 6}),
    ("PUT", "/runs/{run_id}/breakpoints", {"lines": [19]}),
    ("PUT", "/runs/{run_id}/pin", None),
    ("DELETE", "/runs/{run_id}/pin", None),
    ("POST", "/diagnose", {"scenario": SLUG, "iterations": 5}),
    (
        "POST",
        "/check",
        {
            "scenario": SLUG,
            "commands": ["forward", "backward"],
            "expect": [{"after": 2, "tensor": "w.grad", "equals": -8.0}],
        },
    ),
)
VALUES = {"slug": SLUG, "card": "1", "number": "7", "name": "w"}


async def answers(client: httpx.AsyncClient) -> dict[str, Any]:
    """By method and address of the document; of several to the same the last. Ids and times are examples too."""
    found: dict[str, Any] = {}
    values = dict(VALUES)
    for method, address, body in ASKED:
        response = await client.request(method, address.format(**values), json=body)
        assert response.status_code in (200, 201), (address, response.text)
        answer = response.json()
        if (method, address) == ("POST", "/runs"):
            values["run_id"], view = answer["id"], answer["view_id"]
        text = response.text.replace(values.get("run_id", DRIVE), DRIVE)
        if values.get("run_id"):
            text = text.replace(view, VIEW)
        path = re.sub(r"\{card\}", "{number}", address.partition("?")[0])
        told = _plain(json.loads(text))
        found[f"{method} {path}"] = told[:1] if isinstance(told, list) else told
    return found


def _plain(value: Any, key: str = "") -> Any:
    """With the same ids and times each time."""
    if isinstance(value, dict):
        return {name: _plain(part, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part, key) for part in value]
    if value is None:
        return None
    if key == "created":
        return CREATED
    if key == "expires":
        return EXPIRES
    if key == "etag":
        return re.sub(r"-.*", "-0f1e2d3c4b5a6978", value)
    if isinstance(value, str):
        return re.sub(r"(?<=/runs/)[\w-]{22}|^[\w-]{22}$", lambda at: at[0] if at[0] in (DRIVE, VIEW) else OTHER, value)
    return value


async def _write() -> None:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder), workers=1))
        transport = httpx.ASGITransport(app)
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://gradflow.test/api/v1") as client:
                told = await answers(client)
        finally:
            await app.state.runs.close()
    FILE.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{FILE.relative_to(ROOT)}: {len(told)} answers")


if __name__ == "__main__":
    asyncio.run(_write())
