"""Errors as pages."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from app.pages.answers import nonce_of, sentence
from app.pages.rendering import render
from app.pages.text import ENGLISH


async def error_page(request: Request, status: int, title: str, detail: str, suggestion: str) -> Response:
    """An error as a page; to a press, as the page's own words."""
    text = render(
        "error.html",
        nonce=nonce_of(request),
        status=status,
        title=title,
        message=sentence(detail),
        suggestion=sentence(suggestion),
        onward="/",
        onward_label=ENGLISH.to_gallery,
    )
    headers = {"HX-Reswap": "none"} if request.headers.get("HX-Request") else {}
    return HTMLResponse(text, status, headers)
