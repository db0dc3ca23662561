"""What other servers tell (Store.tell, and news beside what is stored), over PostgreSQL's LISTEN."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import sqlalchemy as sa

from app.store.base import CHANNEL

log = logging.getLogger("gradflow.store")

LONGEST_PAUSE = 10.0
"""Seconds between two attempts to reach a database that is away."""


async def listen(url: str) -> AsyncIterator[bytes | None]:
    """News for ever; None whenever the connection is there (again): what was told before is lost."""
    import psycopg

    address = sa.make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    pause = 0.1
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                yield None
                pause = 0.1
                async for notice in connection.notifies():
                    yield notice.payload.encode()
        except psycopg.OperationalError as error:
            log.warning("the database does not tell news: %s", type(error).__name__)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
