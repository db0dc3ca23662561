"""HTML: the gallery, the debugger, embeds. Calls the use cases in app/runs; templates print what they answer.

One file of addresses a room; `router` is all of them together. What is asked and answered everywhere is in answers.py,
every visible word in text.py."""

from fastapi import APIRouter

from app.pages import asking, comparing, debugger, editing, embedding, gallery, learn, lessons, sharing
from app.pages.errors import error_page

ROOMS = (learn, sharing, gallery, comparing, debugger, editing, asking, lessons, embedding)

router = APIRouter()
for room in ROOMS:
    router.include_router(room.router)

__all__ = ["error_page", "router"]
