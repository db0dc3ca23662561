"""HTML: the gallery, the debugger, embeds. Calls the use cases in app/runs.py; templates print what they answer."""

from app.pages.routes import error_page, router

__all__ = ["error_page", "router"]
