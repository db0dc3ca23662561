"""All addresses of pages: one file of them a room."""

from __future__ import annotations

from fastapi import APIRouter

from app.pages import asking, comparing, debugger, editing, embedding, gallery, learn, lessons, sharing

ROOMS = (learn, sharing, gallery, comparing, debugger, editing, asking, lessons, embedding)

router = APIRouter()
for room in ROOMS:
    router.include_router(room.router)
