"""`gradflow serve`: the server as a process, from its settings to its end."""

from __future__ import annotations

import argparse
import gc
import socket
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError
from pydantic_settings import SettingsError
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from app.away import reason
from app.given import Complaint
from app.logs import set_up
from app.main import create_app
from app.settings import Settings

KEEP_ALIVE = 75
"""Seconds for which the server keeps a connection that is not used: longer than those who ask do (browsers, httpx 5,
nginx and load balancers 60), for whoever closes it first must not be the one who does not know that a request is on its
way."""

MOST_FILES = 65_536


class Server(uvicorn.Server):
    """Says where it serves once it does. Who only waits for news does not hold up its end."""

    def __init__(self, app: FastAPI, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        # uvicorn's own access log names addresses, and so runs: ours names routes.
        config = uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_keep_alive=KEEP_ALIVE,
            timeout_graceful_shutdown=int(settings.drain_seconds) + 1,
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            host = self.settings.host
            port = self.servers[0].sockets[0].getsockname()[1]  # of 0, the one that was free
            shown = f"[{host}]" if ":" in host else host
            print(f"Gradient Flow serves on http://{shown}:{port} (Ctrl-C ends it)", flush=True)  # noqa: T201

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.app.state.runs.dismiss()
        await super().shutdown(sockets)


def serve(options: argparse.Namespace) -> int:
    """Serve until told to end. Raises Complaint when a setting makes no sense or the database cannot be opened."""
    names = ("host", "port", "workers", "database_url")
    settings = read_settings({name: getattr(options, name) for name in names if getattr(options, name) is not None})
    set_up(settings.log_format)
    allow_connections()
    app = open_app(settings)
    gc.freeze()  # modules stay for ever: they need not be looked through for garbage
    Server(app, settings).run()
    return 0


def read_settings(given: dict[str, Any]) -> Settings:
    """Settings of the command line and of the environment."""
    try:
        return Settings(**given)
    except ValidationError as error:
        wrong = (f"GRADFLOW_{str(row['loc'][0]).upper()} is {row['input']!r}: {row['msg']}" for row in error.errors())
        raise Complaint("; ".join(wrong)) from None
    except SettingsError as error:
        raise Complaint(f'a setting cannot be read: {error} (lists are JSON: ["https://..."])') from None


def allow_connections() -> None:
    """As many open files as the system lets us have: people who follow runs hold one each."""
    try:
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (ImportError, OSError, ValueError):
        return  # not on this system


def open_app(settings: Settings) -> FastAPI:
    """The server's app, over its database."""
    where = "DATABASE_URL" if settings.database_url else f"the database in {settings.data_dir}"  # a URL has a password
    try:
        return create_app(settings)
    except ArgumentError:
        raise Complaint(f"{where} is no address of a database, as postgresql://user:password@host/name") from None
    except SQLAlchemyError as error:
        raise Complaint(f"{where} cannot be opened: {reason(error)}") from None
    except ImportError as error:
        raise Complaint(
            f"{where} needs a driver: {error} (PostgreSQL: pip install 'gradient-flow[postgres]')"
        ) from None
    except (OSError, RuntimeError) as error:
        raise Complaint(f"{where} cannot be opened: {error}") from None
