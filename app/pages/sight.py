"""What a visitor has chosen to see (app/drawing/view.py): it comes with each request and is kept in a cookie."""

from __future__ import annotations

from urllib.parse import quote, unquote

from fastapi import Request, Response

from app.drawing.view import LONGEST, near_word, read_view
from app.pages.place import Place

COOKIE = "sight"
DAYS = 30


def read_sight(request: Request) -> str:
    """From the page that asks (a header), else from the cookie; with what the address itself asks for: `open`, `close`
    (a part of the graph, "*" for all) or `pin` (an entry); and with what is near the window of the page that asks, when
    its picture is large."""
    asked = request.query_params
    text = request.headers.get("X-Sight")
    view = read_view(unquote(text if text is not None else request.cookies.get(COOKIE, "")))
    if "open" in asked:
        view = view.opening(asked["open"])
    if "close" in asked:
        view = view.closing(asked["close"])
    if "pin" in asked:
        view = view.pinning(asked["pin"])
    return " ".join(filter(None, [view.text()[: LONGEST - 50], near_word(request.headers.get("X-Near", ""))]))


def keep_sight(request: Request, response: Response, place: Place, sight: str) -> None:
    """Remember it for the run that the page shows."""
    kept = quote(sight, safe="")
    if kept == request.cookies.get(COOKIE, "") and request.url.path.startswith(place.base):
        return
    if sight or COOKIE in request.cookies:
        response.set_cookie(COOKIE, kept, max_age=DAYS * 86400, path=place.base, httponly=True, samesite="lax")
